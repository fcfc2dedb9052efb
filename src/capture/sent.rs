//! Frames that are sent to us, in place of a camera that is asked: by a phone's browser.
//!
//! In: pictures as they come, from any thread. Out: a source that delivers the newest. Older ones are
//! dropped, never queued, and silence is told as of every camera.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use super::{
    Frame, FrameImage, LiveOptions, NewestSource, Opener, Pace, Rates, Source, SourceError, SourceInfo,
};

/// Where frames are sent to. A clone is another handle to it.
#[derive(Debug, Clone, Default)]
pub struct SentFrames(Arc<Slot>);

#[derive(Debug, Default)]
struct Slot {
    newest: Mutex<Option<Vec<u8>>>,
    came: Condvar,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Option<Vec<u8>>> {
        // Nothing is done under the lock that could leave half a picture.
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a picture is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    #[error("this is no JPEG picture")]
    NoJpeg,
}

impl SentFrames {
    /// Takes a JPEG in place of one that nobody has looked at yet.
    pub fn send(&self, jpeg: Vec<u8>) -> Result<(), NotTaken> {
        if !jpeg.starts_with(&[0xff, 0xd8, 0xff]) {
            return Err(NotTaken::NoJpeg);
        }
        *self.0.lock() = Some(jpeg);
        self.0.came.notify_all();
        Ok(())
    }

    /// The frames as a source.
    pub fn source(&self, name: &str, options: LiveOptions) -> Result<NewestSource, SourceError> {
        let (slot, own) = (Arc::downgrade(&self.0), name.to_owned());
        let open: Opener = Box::new(move || {
            Ok(Box::new(SentSource { slot: slot.clone(), name: own.clone(), next: 0, begun: Instant::now() }))
        });
        NewestSource::start(name, open, options)
    }
}

/// How often a wait looks whether anybody can still send.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

struct SentSource {
    slot: Weak<Slot>,
    name: String,
    next: u64,
    begun: Instant,
}

impl Source for SentSource {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        loop {
            let Some(slot) = self.slot.upgrade() else { return Ok(None) };
            let mut newest = slot.lock();
            if newest.is_none() {
                newest = slot.came.wait_timeout(newest, LOOK_AGAIN).unwrap_or_else(PoisonError::into_inner).0;
            }
            let Some(jpeg) = newest.take() else { continue };
            let index = self.next;
            self.next += 1;
            return Ok(Some(Frame {
                index,
                since_start: self.begun.elapsed(),
                name: format!("{} frame {index}", self.name).into(),
                image: FrameImage::Encoded(jpeg.into()),
            }));
        }
    }

    fn about(&self) -> SourceInfo {
        SourceInfo {
            name: self.name.clone(),
            pace: Pace::Live,
            size: None,
            frames: None,
            remarks: Vec::new(),
        }
    }

    fn rates(&self) -> Rates {
        Rates::recorded(self.next, None)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::capture::InterruptionKind;

    #[test]
    fn the_newest_is_delivered_silence_is_told_and_what_is_no_picture_is_refused() {
        let frames = SentFrames::default();
        assert_eq!(frames.send(b"GIF89a".to_vec()), Err(NotTaken::NoJpeg));
        let options = LiveOptions { stall_after: Duration::from_millis(50), ..LiveOptions::default() };
        let mut source = frames.source("phone", options).unwrap();
        let Err(SourceError::Interrupted(told)) = source.next() else { panic!("nobody has sent anything") };
        assert_eq!(told.kind, InterruptionKind::Stalled);
        let mut jpeg = Vec::new();
        let picture = image::RgbImage::from_pixel(16, 8, image::Rgb([200, 120, 40]));
        picture.write_with_encoder(image::codecs::jpeg::JpegEncoder::new(&mut jpeg)).unwrap();
        frames.send(jpeg).unwrap();
        let frame = loop {
            match source.next() {
                Ok(frame) => break frame.unwrap(),
                Err(error) => assert!(error.passes(), "{error}"),
            }
        };
        assert_eq!(frame.picture().unwrap().size(), [16, 8]);
    }
}
