//! What every source of frames has in common.

use std::{path::PathBuf, time::Duration};

use super::{Frame, Interruption, Rates};

/// A source of frames. A recorded one delivers every frame, as fast as it is asked; a live one
/// delivers the newest and drops what nobody had time for.
pub trait Source {
    /// The next frame; `None` when a recording has ended. A live source waits for a frame that
    /// was not delivered before, and never ends by itself.
    ///
    /// After an error that [passes](SourceError::passes), ask again: the source goes on with the
    /// next file, or opens its camera again by itself.
    fn next(&mut self) -> Result<Option<Frame>, SourceError>;

    fn about(&self) -> SourceInfo;

    /// What was asked, delivered and analysed so far. A frame handed out counts as analysed.
    fn rates(&self) -> Rates;
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        (**self).next()
    }

    fn about(&self) -> SourceInfo {
        (**self).about()
    }

    fn rates(&self) -> Rates {
        (**self).rates()
    }
}

/// A source in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceInfo {
    /// A path, an address or a camera's name.
    pub name: String,
    pub pace: Pace,
    /// Width and height in pixels, where they are known before the first frame.
    pub size: Option<[u32; 2]>,
    /// Number of frames of a recording, where it is known: for progress.
    pub frames: Option<u64>,
    /// What could not be had as asked and was done without, a sentence each: a control that the
    /// camera does not have, another rate than the one asked for.
    pub remarks: Vec<String>,
}

/// Who sets the pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The reader: every frame is delivered.
    Recorded,
    /// The camera: only the newest frame is delivered.
    Live,
}

#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("cannot read the folder {path}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("{path} has no frames: expected a folder of JPEG, PNG, WebP, BMP or TIFF pictures in name order")]
    NoFrames { path: PathBuf },
    #[error("{fps} is no rate: expected frames a second above 0 and at most 1000")]
    Rate { fps: f64 },
    #[error("a frame is missing: {0}")]
    Unreadable(#[source] super::PhotoError),
    #[error("cannot open {name}: {reason}; {remedy}")]
    Open { name: String, reason: String, remedy: String },
    #[error("{name} broke off after {frames} frames: {reason}")]
    BrokenOff { name: String, frames: u64, reason: String },
    #[error("{0}")]
    Interrupted(Interruption),
}

impl SourceError {
    /// Whether the source goes on when it is asked again.
    pub fn passes(&self) -> bool {
        matches!(self, SourceError::Unreadable(_) | SourceError::Interrupted(_))
    }
}

/// The time of a frame at a fixed rate.
pub(super) fn time_at(index: u64, fps: f64) -> Duration {
    Duration::from_secs_f64(index as f64 / fps)
}

/// A rate that can be counted with.
pub(super) fn valid_rate(fps: f64) -> Result<f64, SourceError> {
    if fps > 0.0 && fps <= 1000.0 { Ok(fps) } else { Err(SourceError::Rate { fps }) }
}
