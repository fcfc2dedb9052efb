//! How errors of the camera reach footprints and gaps.
//!
//! A footprint is the point whose image, at the height that was looked at, is where it was seen.
//! When the camera's parameters are off, it moves; paint seen at height 0 beside it moves nearly
//! alike. So what a gap suffers is the difference of the two: mostly the parallax through the
//! piece's height. Keeping the derivatives, not only the covariances, lets that cancel.

use nalgebra::{Point3, SMatrix};

use super::Measurement;
use crate::{
    camera::{CAMERA_PARAMETERS, Camera},
    geometry::{Point, Vector},
    register::Registration,
};

/// Derivatives of a board point by the camera's parameters, its pixel held fixed.
pub type ByCamera = SMatrix<f64, 2, CAMERA_PARAMETERS>;

/// How the point at height `z_mm` that is seen in a fixed pixel moves with the camera's
/// parameters; zero where the camera does not see it.
pub(super) fn point_by_camera(camera: &Camera, at: Point, z_mm: f64) -> ByCamera {
    let Some(projection) = camera.project(Point3::new(at.x, at.y, z_mm)) else {
        return ByCamera::zeros();
    };
    let by_point = projection.by_point.fixed_view::<2, 2>(0, 0).into_owned();
    by_point.try_inverse().map_or_else(ByCamera::zeros, |inverse| -(inverse * projection.by_parameters))
}

/// Standard deviation of a piece's rim against paint that was seen at `paint_at` in the same
/// picture, along the unit direction `toward_piece`, in mm. The error of the board plane is common
/// to both and drops out; the paint's own sigma is not in it.
pub fn sigma_beside_paint_mm(
    registration: &Registration,
    piece: &Measurement,
    paint_at: Point,
    toward_piece: Vector,
) -> f64 {
    let apart = piece.by_camera - point_by_camera(&registration.camera, paint_at, 0.0);
    let along = toward_piece.transpose() * apart;
    let calibration = (along * registration.covariance * along.transpose())[(0, 0)].max(0.0);
    (toward_piece.dot(&(piece.own * toward_piece)).max(0.0) + calibration).sqrt()
}
