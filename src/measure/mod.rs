//! Exactly where a found piece lies: its footprint with an honest covariance.
//!
//! In: a picture, the registration and candidates good to about two millimetres. Out: a
//! [`Measurement`] for each. What decides calls is here: the silhouette of the solid, the symmetry
//! of its top face, the contour of its cap; and the paint's own edges beside it.
//!
//! The way of a piece: `subject` cuts out what is seen of it, `make` finds out how the set is
//! made, `silhouette`, `symmetry` (of the face's `radial` light) and `cap` each say where it lies, `combine` weighs them
//! within the set, and `uncertainty` adds what the camera's errors do.

mod cap;
mod combine;
mod contour;
mod estimate;
mod make;
mod options;
mod paint;
mod pieces;
mod radial;
mod scene;
mod silhouette;
mod solid;
mod subject;
mod symmetry;
mod uncertainty;
mod view;

use nalgebra::{Matrix2, Point2};

pub use crate::calls::PaintEdge;
use crate::geometry::Point;

pub use contour::EdgeSeen;
pub use options::MeasureOptions;
pub use paint::measure_paint;
pub use pieces::{measure, measure_with_edges};
pub use solid::visible_outline;
pub use uncertainty::{ByCamera, sigma_beside_paint_mm};

/// A measured piece.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Centre of the footprint.
    pub centre: Point,
    /// Its covariance in mm², everything in it: edges, method, calibration.
    pub covariance: Matrix2<f64>,
    /// The part of the covariance that is this piece's own: edges and method, no calibration.
    pub own: Matrix2<f64>,
    /// How the centre moves with the camera's parameters. What is measured beside it in the same
    /// picture moves nearly alike, so distances are better known than places; see
    /// [`sigma_beside_paint_mm`].
    pub by_camera: ByCamera,
    /// Centre and mean radius of the visible top face in the picture.
    pub px: Point2<f64>,
    pub px_radius: f64,
    /// Whether the fit is good enough for a confident call: edge residual, used arc, agreement.
    pub trusted: bool,
}
