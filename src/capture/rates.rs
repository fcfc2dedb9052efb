//! Asked, delivered and analysed: how well a loop keeps up.

use std::{collections::VecDeque, time::Duration};

use serde::Serialize;

/// What a source was asked for and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Rates {
    /// Frames a second that the source was asked for, or that a recording states.
    pub asked_fps: Option<f64>,
    /// Frames a second of the last seconds; none before there are two frames, and for a
    /// recording, which has no pace of its own.
    pub delivered_fps: Option<f64>,
    pub analysed_fps: Option<f64>,
    /// Frames since the start.
    pub delivered: u64,
    pub analysed: u64,
    /// How far the reader of a recording at its own pace was behind it at most, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_behind_secs: Option<f64>,
    /// Delivered, but replaced by a newer frame before anybody asked.
    pub dropped: u64,
    /// Frames that were no whole picture.
    pub damaged: u64,
    /// How often the source stalled or went away.
    pub interruptions: u64,
}

impl Rates {
    /// The rates of a recording: every frame is delivered and analysed.
    pub(super) fn recorded(frames: u64, asked_fps: Option<f64>) -> Self {
        Self { asked_fps, delivered: frames, analysed: frames, ..Self::default() }
    }
}

impl std::fmt::Display for Rates {
    /// What became of the frames, for the end of a run.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} frames, {} looked at, {} dropped", self.delivered, self.analysed, self.dropped)?;
        if self.damaged > 0 {
            write!(f, ", {} damaged", self.damaged)?;
        }
        match self.most_behind_secs {
            Some(secs) => write!(f, ", at most {secs:.2} s behind"),
            None => Ok(()),
        }
    }
}

/// Frames a second over the last seconds.
#[derive(Debug)]
pub(super) struct Meter {
    window: Duration,
    times: VecDeque<Duration>,
}

impl Meter {
    pub(super) fn new(window: Duration) -> Self {
        Self { window, times: VecDeque::new() }
    }

    pub(super) fn count(&mut self, now: Duration) {
        let window = self.window;
        while self.times.front().is_some_and(|&time| now.saturating_sub(time) > window) {
            self.times.pop_front();
        }
        self.times.push_back(now);
    }

    pub(super) fn fps(&self, now: Duration) -> Option<f64> {
        let recent = || self.times.iter().filter(|time| now.saturating_sub(**time) <= self.window);
        let span = recent().next_back()?.saturating_sub(*recent().next()?).as_secs_f64();
        (span > 0.0).then(|| (recent().count() - 1) as f64 / span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_tells_the_pace_of_the_last_seconds_only() {
        let at = Duration::from_millis;
        let mut meter = Meter::new(at(1000));
        assert_eq!(meter.fps(at(0)), None);
        for frame in 0..100 {
            meter.count(at(frame * 10));
        }
        assert!((meter.fps(at(990)).unwrap() - 100.0).abs() < 1e-9);
        for frame in 0..20 {
            meter.count(at(2000 + frame * 100));
        }
        assert!((meter.fps(at(3900)).unwrap() - 10.0).abs() < 1e-9);
        assert_eq!(meter.fps(at(9000)), None);
    }
}
