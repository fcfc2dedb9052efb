//! The simulator as a source: a scene's sequence, rendered frame by frame as it is asked for.

use std::sync::Arc;

use super::{
    Frame, FrameImage, Pace, Picture, Rates, Source, SourceError, SourceInfo,
    source::{time_at, valid_rate},
};
use crate::simulate::{Scene, SceneError, Sequence, film, render};

/// A simulated recording.
pub struct FilmSource {
    name: String,
    sequence: Sequence,
    fps: f64,
    size: Option<[u32; 2]>,
    next: usize,
}

/// Why a scene gives no film.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl FilmSource {
    /// Plays the scene's shots; nothing is rendered yet. `name` stands in messages.
    pub fn new(scene: &Scene, name: &str) -> Result<Self, FilmError> {
        let sequence = film(scene)?;
        let fps = valid_rate(scene.file.sequence.clone().unwrap_or_default().fps)?;
        Ok(Self { name: name.to_owned(), sequence, fps, size: scene.file.camera.image_size, next: 0 })
    }

    /// What is played, with its truth.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }
}

impl Source for FilmSource {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        let Some(scene) = self.sequence.frames.get(self.next) else { return Ok(None) };
        let index = self.next as u64;
        self.next += 1;
        let picture = Picture::new(render(&scene.scene).picture);
        Ok(Some(Frame {
            index,
            since_start: time_at(index, self.fps),
            name: format!("{} frame {index}", self.name).into(),
            image: FrameImage::Decoded(Arc::new(picture)),
        }))
    }

    fn about(&self) -> SourceInfo {
        SourceInfo {
            name: self.name.clone(),
            pace: Pace::Recorded,
            size: self.size,
            frames: Some(self.sequence.frames.len() as u64),
            remarks: Vec::new(),
        }
    }

    fn rates(&self) -> Rates {
        Rates::recorded(self.next as u64, Some(self.fps))
    }
}
