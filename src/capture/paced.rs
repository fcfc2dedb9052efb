//! A recording at its own pace: frames come when they were taken, as from a camera. None is dropped;
//! a loop that is too slow falls behind.

use std::time::{Duration, Instant};

use super::{Frame, Rates, Source, SourceError, SourceInfo, rates::Meter};

/// A recorded source that takes its time.
pub struct PacedSource<S> {
    source: S,
    first: u64,
    /// When the first frame was handed out, and its own time.
    begun: Option<(Instant, Duration)>,
    meter: Meter,
    most_behind: Duration,
}

/// Stretch over which the rate is counted.
const RATE_WINDOW: Duration = Duration::from_secs(3);

impl<S: Source> PacedSource<S> {
    /// `first`: the frame to begin with; those before it are passed over.
    pub fn new(source: S, first: u64) -> Self {
        Self { source, first, begun: None, meter: Meter::new(RATE_WINDOW), most_behind: Duration::ZERO }
    }

    fn now(&self) -> Duration {
        self.begun.map_or(Duration::ZERO, |(begun, _)| begun.elapsed())
    }
}

impl<S: Source> Source for PacedSource<S> {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        let frame = loop {
            match self.source.next()? {
                Some(frame) if frame.index < self.first => {}
                Some(frame) => break frame,
                None => return Ok(None),
            }
        };
        let (begun, first) = *self.begun.get_or_insert((Instant::now(), frame.since_start));
        let due = frame.since_start.saturating_sub(first);
        self.most_behind = self.most_behind.max(begun.elapsed().saturating_sub(due));
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        self.meter.count(begun.elapsed());
        Ok(Some(frame))
    }

    fn about(&self) -> SourceInfo {
        self.source.about()
    }

    fn rates(&self) -> Rates {
        let fps = self.meter.fps(self.now());
        let most_behind_secs = Some(self.most_behind.as_secs_f64());
        Rates { delivered_fps: fps, analysed_fps: fps, most_behind_secs, ..self.source.rates() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::capture::{FrameImage, Pace};

    /// Frames that begin late and come every 30 ms.
    struct Late(u64);

    impl Source for Late {
        fn next(&mut self) -> Result<Option<Frame>, SourceError> {
            self.0 += 1;
            Ok((self.0 <= 4).then(|| Frame {
                index: self.0 - 1,
                since_start: Duration::from_millis(60_000 + 30 * self.0),
                name: "late".into(),
                image: FrameImage::Encoded(Arc::from(Vec::new())),
            }))
        }

        fn about(&self) -> SourceInfo {
            let name = "late".to_owned();
            SourceInfo { name, pace: Pace::Recorded, size: None, frames: None, remarks: Vec::new() }
        }

        fn rates(&self) -> Rates {
            Rates::default()
        }
    }

    #[test]
    fn frames_come_no_sooner_than_they_were_taken_and_none_is_left_out() {
        let mut paced = PacedSource::new(Late(0), 1);
        let begun = Instant::now();
        for index in 1..4 {
            assert_eq!(paced.next().unwrap().map(|frame| frame.index), Some(index));
            assert!(begun.elapsed() >= Duration::from_millis(30) * (index as u32 - 1));
        }
        assert!(paced.next().unwrap().is_none());
        assert!(paced.rates().delivered_fps.is_some_and(|fps| fps <= 34.0));
    }
}
