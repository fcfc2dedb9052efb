//! A phone as the camera: its browser sends pictures, the loop takes the newest.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::capture::{
    Frame, FrameImage, Interruption, InterruptionKind, Pace, Rates, Source, SourceError, SourceInfo,
};

/// Pictures that a phone has sent. A clone is another handle.
#[derive(Debug, Clone, Default)]
pub struct PhoneFrames(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    newest: Mutex<Newest>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Newest {
    count: u64,
    begun: Option<Instant>,
    frame: Option<(Duration, Arc<[u8]>)>,
}

/// So long without a picture, and the phone is missed.
const SILENCE: Duration = Duration::from_secs(3);

impl PhoneFrames {
    /// A picture file as the phone sent it.
    pub fn put(&self, bytes: &[u8]) {
        let mut newest = self.lock();
        let begun = *newest.begun.get_or_insert_with(Instant::now);
        newest.count += 1;
        newest.frame = Some((begun.elapsed(), Arc::from(bytes)));
        self.0.changed.notify_all();
    }

    pub(super) fn source(&self) -> PhoneSource {
        PhoneSource { frames: self.clone(), taken: 0, analysed: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.0.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newest picture of a phone, whenever the loop asks.
pub(super) struct PhoneSource {
    frames: PhoneFrames,
    taken: u64,
    analysed: u64,
}

impl Source for PhoneSource {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        let newest = self.frames.lock();
        let waited = self.frames.0.changed.wait_timeout_while(newest, SILENCE, |n| n.count == self.taken);
        let (newest, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let Some((since_start, bytes)) = newest.frame.clone().filter(|_| newest.count != self.taken) else {
            return Err(SourceError::Interrupted(Interruption {
                source: "the phone".to_owned(),
                kind: InterruptionKind::Stalled,
                silent_for: SILENCE,
                reason: None,
                retry_in: None,
            }));
        };
        self.taken = newest.count;
        self.analysed += 1;
        let name = format!("phone, picture {}", newest.count).into();
        Ok(Some(Frame { index: newest.count - 1, since_start, name, image: FrameImage::Encoded(bytes) }))
    }

    fn about(&self) -> SourceInfo {
        let name = "phone".to_owned();
        SourceInfo { name, pace: Pace::Live, size: None, frames: None, remarks: Vec::new() }
    }

    fn rates(&self) -> Rates {
        let delivered = self.frames.lock().count;
        Rates { delivered, analysed: self.analysed, dropped: delivered - self.analysed, ..Rates::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_gets_the_newest_picture_of_a_phone() {
        let phone = PhoneFrames::default();
        let mut source = phone.source();
        phone.put(b"one");
        phone.put(b"two");
        let frame = source.next().unwrap().expect("a frame");
        assert!(matches!(&frame.image, FrameImage::Encoded(bytes) if **bytes == *b"two"), "{frame:?}");
        assert_eq!((frame.index, source.rates().dropped), (1, 1));
    }
}
