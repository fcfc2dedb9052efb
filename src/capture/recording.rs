//! A recording by its path: a folder of frames, or a video file.

use std::path::Path;

use super::{FolderSource, Source, SourceError, VideoSource};

/// How a recording is read.
#[derive(Debug, Clone)]
pub struct RecordingOptions {
    /// Frames a second of a folder of frames; a video states its own rate. Default 30. It sets
    /// the frames' times, and so every duration that the loop waits for.
    pub folder_fps: f64,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self { folder_fps: 30.0 }
    }
}

/// Opens a folder of frames or a video file. Every frame is delivered.
pub fn open_recording(
    path: &Path,
    options: &RecordingOptions,
) -> Result<Box<dyn Source + Send>, SourceError> {
    if path.is_dir() {
        Ok(Box::new(FolderSource::open(path, options.folder_fps)?))
    } else {
        Ok(Box::new(VideoSource::open(path)?))
    }
}
