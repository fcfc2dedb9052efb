//! Which pieces lie where, to about two millimetres.
//!
//! In: a picture, a board and a camera. Out: [`Candidate`]s: kind and rough footprint of every
//! piece and of nothing else. How exactly each lies is `measure`'s job.

use nalgebra::Point2;

use crate::{board::Board, camera::Camera, capture::Picture, geometry::Point};

/// A piece that was found, before it is measured.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Index into [`Board::pieces`].
    pub kind: usize,
    /// Rough centre of the footprint (of the piece's own base, also when it is stacked).
    pub centre: Point,
    /// Height of its base above the surface: 0, or that of the piece below.
    pub base_mm: f64,
    /// Whether it lies on another piece, or leans.
    pub stacked: bool,
    /// Probability that the kind is right, from its colour and the counts.
    pub kind_probability: f64,
    /// Rough centre of the visible top face in the picture.
    pub px: Point2<f64>,
}

#[derive(Debug, Clone, Default)]
pub struct DetectOptions {}

/// Finds the pieces.
pub fn detect(
    _picture: &Picture,
    _board: &Board,
    _camera: &Camera,
    _options: &DetectOptions,
) -> Vec<Candidate> {
    Vec::new()
}
