//! A folder of frames, in name order, at a given rate.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Frame, FrameImage, Pace, PhotoLimits, Rates, Source, SourceError, SourceInfo, read_photo,
    source::{time_at, valid_rate},
};

const ENDINGS: [&str; 7] = ["jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff"];

/// Every picture of a folder.
#[derive(Debug)]
pub struct FolderSource {
    folder: PathBuf,
    files: Vec<PathBuf>,
    next: usize,
    fps: f64,
}

impl FolderSource {
    /// `fps`: frames a second, from which the frames' times follow.
    pub fn open(folder: &Path, fps: f64) -> Result<Self, SourceError> {
        let fps = valid_rate(fps)?;
        let unreadable = |source| SourceError::Folder { path: folder.to_owned(), source };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if is_picture(&path) && path.is_file() {
                files.push(path);
            }
        }
        if files.is_empty() {
            return Err(SourceError::NoFrames { path: folder.to_owned() });
        }
        files.sort();
        Ok(Self { folder: folder.to_owned(), files, next: 0, fps })
    }
}

fn is_picture(path: &Path) -> bool {
    let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    !hidden && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

impl Source for FolderSource {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        let Some(path) = self.files.get(self.next) else { return Ok(None) };
        let index = self.next as u64;
        self.next += 1;
        let bytes = read_photo(path, &PhotoLimits::default()).map_err(SourceError::Unreadable)?;
        Ok(Some(Frame {
            index,
            since_start: time_at(index, self.fps),
            name: path.display().to_string().into(),
            image: FrameImage::Encoded(Arc::from(bytes)),
        }))
    }

    fn about(&self) -> SourceInfo {
        SourceInfo {
            name: self.folder.display().to_string(),
            pace: Pace::Recorded,
            size: None,
            frames: Some(self.files.len() as u64),
            remarks: Vec::new(),
        }
    }

    fn rates(&self) -> Rates {
        Rates::recorded(self.next as u64, Some(self.fps))
    }
}
