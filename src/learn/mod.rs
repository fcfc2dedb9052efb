//! A board is learned from photos, not typed from a tape.
//!
//! In: photos of a table that no board file describes, a template of its kind, and one length by tape. Out: a [`Board`]
//! with the template's structure (names, roles, areas, pieces) and the photo's numbers, with how well each is known.

mod circles;
mod discs;
mod lines;
mod options;
mod plane;
mod strokes;

use crate::{
    board::{Board, BoardNotes},
    camera::{Camera, Pixel},
    capture::Picture,
};

pub use options::LearnOptions;

/// One length that a person measured, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tape {
    /// The playing surface, across.
    Width(f64),
    /// The playing surface, along.
    Length(f64),
    /// A piece's diameter.
    Piece(f64),
}

/// What is learned from, beside the pictures.
#[derive(Debug, Clone, Default)]
pub struct LearnRequest {
    /// The one length by tape; without it the usual size of that kind of board.
    pub tape: Option<Tape>,
    /// The surface's corners in the first picture, as `score --corners` takes them.
    pub corners: Option<[Pixel; 4]>,
    /// The new board's id and name.
    pub id: String,
    pub name: String,
}

/// A learned board.
#[derive(Debug, Clone)]
pub struct Learned {
    pub board: Board,
    /// What the board file says beside its numbers.
    pub notes: BoardNotes,
    /// Where the camera stood, for each picture that was used.
    pub cameras: Vec<Option<Camera>>,
    /// What became of each part of the template, and what was taken up, a line each, for people.
    pub said: Vec<String>,
}

/// Why a board could not be learned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LearnError {
    #[error("no playing surface was found: {reason}")]
    NoSurface { reason: String },
    #[error("this does not look like {template}: {reason}")]
    OtherKind { template: String, reason: String },
    #[error("the learned board does not hold: {reason}")]
    Invalid { reason: String },
}

/// Learns a board of the template's kind from pictures of it.
pub fn learn(
    _pictures: &[Picture],
    _template: &Board,
    _request: &LearnRequest,
    _options: &LearnOptions,
) -> Result<Learned, LearnError> {
    Err(LearnError::NoSurface { reason: "nothing was looked at".to_owned() })
}
