//! The newest frame of a camera's loop, for set-up: a source that remembers what it handed out.

use std::sync::{Arc, Mutex, PoisonError};

use crate::capture::{Frame, Picture, Rates, Source, SourceError, SourceInfo};

/// Gives the newest frame of a running camera, for set-up.
pub type CurrentFrame = Arc<dyn Fn() -> Option<Picture> + Send + Sync>;

/// Where the newest frame is kept. A clone is another handle to it.
#[derive(Debug, Clone, Default)]
pub struct NewestFrame(Arc<Mutex<Option<Frame>>>);

impl NewestFrame {
    pub(super) fn put(&self, frame: &Frame) {
        // A frame's clone shares its pixels.
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(frame.clone());
    }

    /// Nothing is watched any more.
    pub(super) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The frame as a picture, decoded when it is asked for.
    pub fn current_frame(&self) -> CurrentFrame {
        let newest = self.0.clone();
        Arc::new(move || {
            let frame = newest.lock().unwrap_or_else(PoisonError::into_inner).clone();
            frame.and_then(|frame| frame.picture().ok()).map(|picture| (*picture).clone())
        })
    }
}

/// A source whose newest frame pages can show.
pub struct Remembering<S> {
    source: S,
    newest: NewestFrame,
}

impl<S: Source> Remembering<S> {
    pub fn new(source: S, newest: NewestFrame) -> Self {
        Self { source, newest }
    }
}

impl<S: Source> Source for Remembering<S> {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        let frame = self.source.next()?;
        if let Some(frame) = &frame {
            self.newest.put(frame);
        }
        Ok(frame)
    }

    fn about(&self) -> SourceInfo {
        self.source.about()
    }

    fn rates(&self) -> Rates {
        self.source.rates()
    }
}
