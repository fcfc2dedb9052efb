//! Which pieces lie where, to about two millimetres.
//!
//! In: a picture, a board and a camera. Out: [`Candidate`]s: kind and rough footprint of every
//! piece and of nothing else. How exactly each lies is `measure`'s job.
//!
//! The steps, a file each: a small rectified view read through a precomputed map (`view`), in
//! stops of light (`light`), with the bare surface's own light (`surface`) and roughness (`texture`); places that rims
//! of known radius vote for (`vote`); each place in the full picture (`sight`, with its `rim` and
//! `face`); whether a piece can `rest` there, and whether it is one (`judge`, by the quantities of its `appearance`, each a
//! `check`), or `print`, or `part` of one, and of which of the `kinds`; and the fewest pieces that explain them all
//! (`explain`). What was looked at on the way is told to who asks (`notes`). A set whose colours no board file knows is learned from photos of it
//! (`set`, `taught`). Medians of pixels and cells are taken of their whole numbers
//! (`values`). The memory of the view's steps is kept from picture to picture (`scratch`).

mod appearance;
mod check;
mod detector;
mod explain;
mod face;
mod judge;
mod kinds;
mod light;
mod look;
mod notes;
mod options;
mod part;
mod print;
mod rest;
mod rim;
mod scratch;
mod set;
mod sight;
mod surface;
mod taught;
mod texture;
mod values;
mod view;
mod vote;

use nalgebra::Point2;

use crate::{board::Board, camera::Camera, capture::Picture, geometry::Point};

pub use check::{Bound, Check, Evidence, Glance, Looked, Outcome, Quantity};
pub use detector::Detector;
pub(crate) use look::seen_at;
pub use notes::DetectTrace;
pub use options::{DetectOptions, FieldOptions, PrintOptions, SurfaceOptions};
pub(crate) use rest::{rest_checks, room_to_pockets};
pub use taught::{TaughtColours, TaughtError};
pub use vote::VoteMap;

/// A piece that was found, before it is measured.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Index into [`Board::pieces`].
    pub kind: usize,
    /// Rough centre of the footprint (of the piece's own base, also when it is stacked).
    pub centre: Point,
    /// Height of its base above the surface: 0, or that of the piece below.
    pub base_mm: f64,
    /// Standard deviation of that height: 0, or more where another piece may lie under this one.
    pub base_sigma_mm: f64,
    /// Whether it lies on another piece, or leans.
    pub stacked: bool,
    /// Probability that the kind is right, from its colour and the counts.
    pub kind_probability: f64,
    /// Rough centre of the visible top face in the picture.
    pub px: Point2<f64>,
    /// What speaks for it; `None` for one that is known to be there.
    pub evidence: Option<Evidence>,
}

impl Candidate {
    /// A piece of a sure kind that lies on the board.
    pub fn on_board(kind: usize, centre: Point, px: Point2<f64>) -> Self {
        Self {
            kind,
            centre,
            base_mm: 0.0,
            base_sigma_mm: 0.0,
            stacked: false,
            kind_probability: 1.0,
            px,
            evidence: None,
        }
    }
}

/// Something round of a piece's size that is none: worth a warning, never scored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foreign {
    pub centre: Point,
    pub reason: ForeignReason,
    /// Index into [`Board::pieces`] of a kind that is as large.
    pub sized_like: usize,
    /// By how many factors of two its face differs from the bare surface around it (red, green, blue).
    pub face_stops: [f32; 3],
}

/// Why a round thing is no piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignReason {
    /// No kind of the board has such a face.
    Colour,
    /// The board has no more pieces of its kind.
    TooMany,
}

/// Everything that was found in a picture.
#[derive(Debug, Clone, Default)]
pub struct Detection {
    pub pieces: Vec<Candidate>,
    /// For each piece: by how many factors of two its face differs from the bare surface around it
    /// (red, green, blue).
    pub face_stops: Vec<[f32; 3]>,
    pub foreign: Vec<Foreign>,
}

/// Finds the pieces. With many pictures of one camera, keep a [`Detector`].
pub fn detect(picture: &Picture, board: &Board, camera: &Camera, options: &DetectOptions) -> Vec<Candidate> {
    Detector::new(board, camera, picture.size(), options).detect(picture).pieces
}
