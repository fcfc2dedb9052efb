//! The table that is in use: its board, where the camera sees it, and the colours of its set.

use std::path::Path;

use super::DataFolder;
use crate::{
    board::{Board, BoardError, BoardFile, End, Library},
    camera::{CameraFile, CameraFileError},
    detect::{TaughtColours, TaughtError},
    live::Ground,
    register::Registration,
    score::{ScoreError, ScoreOptions, Scorer},
};

/// Why the table cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum TableInUseError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Camera(#[from] CameraFileError),
    #[error(transparent)]
    Colours(#[from] TaughtError),
    #[error(transparent)]
    Score(#[from] ScoreError),
}

/// Taught colours, and their file's name and text.
type Colours = (TaughtColours, (String, String));

/// A camera over a board.
#[derive(Debug, Clone)]
pub struct TableInUse {
    pub board: Board,
    pub board_file: BoardFile,
    pub camera: CameraFile,
    /// The camera file's name and text, as views keep it.
    camera_text: (String, String),
    colours: Option<Colours>,
}

impl TableInUse {
    /// The table as it was set up; `None` where it never was.
    pub fn load(data: &DataFolder) -> Result<Option<TableInUse>, TableInUseError> {
        let path = data.camera_file();
        if !path.exists() {
            return Ok(None);
        }
        let camera = CameraFile::load(&path)?;
        let board_file = Library::of_person()?.file_named_or_at(&camera.board)?;
        TableInUse::of(camera, board_file, data).map(Some)
    }

    pub fn of(
        camera: CameraFile,
        board_file: BoardFile,
        data: &DataFolder,
    ) -> Result<TableInUse, TableInUseError> {
        let board = board_file.board()?;
        let path = data.camera_file();
        let camera_text = (path.display().to_string(), camera.text(&path)?);
        let colours = taught(&data.colours_file(), &board)?;
        Ok(TableInUse { board, board_file, camera, camera_text, colours })
    }

    pub fn registration(&self) -> Registration {
        Registration::from(&self.camera)
    }

    /// What scores a view of it in a game.
    pub fn scorer(&self, game: &str, end: End) -> Result<Scorer, ScoreError> {
        let mut options = ScoreOptions::default();
        options.detect.taught = self.colours.as_ref().map(|(taught, _)| taught.clone());
        Scorer::new(self.board.clone(), Some(game), end, options)
    }

    /// What every view rests on.
    pub fn ground(&self, scorer: &Scorer) -> Ground {
        Ground {
            board: self.board_file.clone(),
            camera: self.camera_text.clone(),
            colours: self.colours.as_ref().map(|(_, text)| text.clone()),
            options: format!("{:?}", scorer.options),
        }
    }
}

/// Colours of the set, where they were taught on this board.
fn taught(path: &Path, board: &Board) -> Result<Option<Colours>, TaughtError> {
    if !path.exists() {
        return Ok(None);
    }
    let taught = TaughtColours::load(path)?;
    if taught.board != board.id {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path)
        .map_err(|source| TaughtError::Read { path: path.to_owned(), source })?;
    Ok(Some((taught, (path.display().to_string(), text))))
}
