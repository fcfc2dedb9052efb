//! The review of one call: everything that a person needs to believe or to overrule it, on a page.
//!
//! In: a scored photo and the piece in question, or the same from a ledger's stored view. Between:
//! a [`Dossier`], plain data in millimetres and words. Out: [`page`], one self-contained HTML file.
//! Nothing is decided here: every number is one that `calls` and `rules` gave.
//!
//! The way of a call: [`questions`] says what can be asked about a piece, the closest first;
//! [`from_photo`] collects the answer's evidence (`place` for the millimetres, `close_up` for the
//! enlarged pixels, `either_way` for the score); `figure` draws, `page` writes.

mod advice;
mod close_up;
mod colour;
mod dossier;
mod either_way;
mod figure;
mod markup;
mod page;
mod photo;
mod place;
mod plan;
mod question;
mod words;

pub use dossier::*;
pub use page::{Assets, SCRIPT, STYLE, page};
pub use photo::{Evidence, ReviewOptions, from_photo};
pub use question::{Question, closest, questions};

/// Why there is no review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error("there is no piece {piece} in the photo: expected {expected}")]
    NoPiece { piece: usize, expected: String },
    #[error("there are no pieces in the photo, so there is no call to review")]
    NoPieces,
    #[error("nothing is called about {piece} that {asked:?} names: expected {expected}")]
    NoQuestion { piece: String, asked: String, expected: String },
    #[error("{piece} lies outside of what the camera can see")]
    OutOfSight { piece: String },
    #[error("the picture cannot be encoded: {0}")]
    Picture(#[from] image::ImageError),
}
