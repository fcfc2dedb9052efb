//! What a method says of one piece.

use nalgebra::Matrix2;

use crate::geometry::{Point, Vector};

/// A footprint by one method.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    pub centre: Point,
    /// From the method's own residuals and geometry; no floor, no calibration.
    pub covariance: Matrix2<f64>,
    /// Root mean square of the residuals, in mm where the method measures lengths.
    pub residual_mm: f64,
    /// Share of the possible observations that voted.
    pub share: f64,
    /// Height that was looked at: where errors of the camera act.
    pub height_mm: f64,
    /// From where all edges alike would put it to where it was put: what the edges that were not believed say.
    pub outvoted: Vector,
    /// By how much the contour is larger than expected.
    pub excess_mm: f64,
    /// What the side toward the camera adds to that.
    pub near_mm: f64,
    /// Standard deviation of that.
    pub near_sigma_mm: f64,
}
