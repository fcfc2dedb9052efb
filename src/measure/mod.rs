//! Exactly where a found piece lies: its footprint with an honest covariance.
//!
//! In: a picture, the registration and candidates good to about two millimetres. Out: a
//! [`Measurement`] for each. What decides calls is here: the silhouette of the solid, the symmetry
//! of its top face, the contour of its cap; and the paint's own edges beside it.

use nalgebra::{Matrix2, Point2};

pub use crate::calls::PaintEdge;
use crate::{board::Board, capture::Picture, detect::Candidate, geometry::Point, register::Registration};

/// A measured piece.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Centre of the footprint.
    pub centre: Point,
    /// Its covariance in mm², everything in it: edges, method, calibration.
    pub covariance: Matrix2<f64>,
    /// Centre and mean radius of the visible top face in the picture.
    pub px: Point2<f64>,
    pub px_radius: f64,
    /// Whether the fit is good enough for a confident call: edge residual, used arc, agreement.
    pub trusted: bool,
}

#[derive(Debug, Clone, Default)]
pub struct MeasureOptions {}

/// Measures every candidate; the result has the candidates' order and length.
pub fn measure(
    _picture: &Picture,
    _board: &Board,
    _registration: &Registration,
    _candidates: &[Candidate],
    _options: &MeasureOptions,
) -> Vec<Option<Measurement>> {
    Vec::new()
}

/// Measures the edge of a line's paint that faces a piece, next to it.
pub fn measure_paint(
    _picture: &Picture,
    _board: &Board,
    _registration: &Registration,
    _line: usize,
    _piece: usize,
    _pieces: &[(usize, Point)],
    _options: &MeasureOptions,
) -> PaintEdge {
    PaintEdge { nearer_mm: 0.0, sigma_mm: 0.15, observed: false }
}
