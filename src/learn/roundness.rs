//! How long a table is, by the pieces on it.
//!
//! Of a long table one end is in view, and then its focal length and its scale along are open together: a longer lens makes a
//! longer table. Pieces are round, so what is too long for its width tells the lens. In: a camera that sees the end, and
//! things on the surface. Out: the camera that makes them round.

use nalgebra::Matrix2;

use super::{
    LearnOptions,
    discs::{Blob, blobs_on},
    plane_of,
};
use crate::{
    board::Board,
    camera::Camera,
    capture::Picture,
    geometry::{Point, Vector},
    register::refocused,
};

/// The camera with the focal length under which the things on the surface are as long as pieces would be; `None` where no
/// thing looks like a piece, or none of the usual focal lengths makes them so.
pub(super) fn rounding_camera(
    picture: &Picture,
    camera: &Camera,
    board: &Board,
    options: &LearnOptions,
) -> Option<Camera> {
    let [width, height] = camera.image_size.map(f64::from);
    let unit = width.hypot(height) / 2.0;
    let at = |focal_px: f64| -> Option<(f64, f64)> {
        let camera = refocused(camera, board, focal_px)?;
        Some((focal_px.ln(), too_long(picture, &camera, board, options)?))
    };
    let mut tried: Vec<(f64, f64)> =
        options.find.focal_lengths().into_iter().filter_map(|focal| at(focal * unit)).collect();
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let crossing = tried.windows(2).find(|pair| pair[0].1 * pair[1].1 <= 0.0)?;
    let [(f0, long0), (f1, long1)] = [crossing[0], crossing[1]];
    let share = if long0 == long1 { 0.5 } else { long0 / (long0 - long1) };
    refocused(camera, board, (f0 + (f1 - f0) * share).exp())
}

/// By how much things are longer along the table than pieces of their width would look: the logarithm, in the median.
fn too_long(picture: &Picture, camera: &Camera, board: &Board, options: &LearnOptions) -> Option<f64> {
    let plane = plane_of(picture, camera, board, options.rough_cells)?;
    let wood = plane.usual_colour()?;
    let kind = board.pieces.iter().find(|kind| !kind.shooter)?;
    let (height_share, eye) = (kind.height_mm / kind.diameter_mm, camera.pose.centre_mm());
    let longer = |blob: &Blob| -> Option<f64> {
        let mut radius_mm = 2.0 * blob.spread[(0, 0)].sqrt();
        let mut expected = Matrix2::identity();
        for _ in 0..4 {
            let height_mm = 2.0 * radius_mm * height_share;
            let away = (blob.centre - Point::new(eye.x, eye.y)) * (height_mm / (eye.z - height_mm));
            expected = silhouette_spread(radius_mm, away);
            radius_mm *= (blob.spread[(0, 0)] / expected[(0, 0)]).sqrt();
        }
        let longer = 0.5 * (blob.spread[(1, 1)] / expected[(1, 1)]).ln();
        longer.is_finite().then_some(longer)
    };
    super::plane::median(blobs_on(&plane, board, wood, options).iter().filter_map(longer))
}

/// Second moments of what a cylinder hides of the plane: its foot, drawn out as far as its top is seen beyond it.
fn silhouette_spread(radius: f64, away: Vector) -> Matrix2<f64> {
    let long = away.norm();
    let unit = away.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vector::y);
    let pi = std::f64::consts::PI;
    let (r2, r3, r4) = (radius.powi(2), radius.powi(3), radius.powi(4));
    let area = pi * r2 + 2.0 * radius * long;
    let along =
        radius * long.powi(3) / 6.0 + pi * r2 * long * long / 4.0 + 4.0 * long * r3 / 3.0 + pi * r4 / 4.0;
    let across = 2.0 * long * r3 / 3.0 + pi * r4 / 4.0;
    let unit_across = Vector::new(-unit.y, unit.x);
    (unit * unit.transpose() * along + unit_across * unit_across.transpose() * across) / area
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_a_silhouette_is_that_of_its_points() {
        let (radius, away) = (30.0, Vector::new(12.0, 21.0));
        let (mut sum, mut all) = (Matrix2::zeros(), 0.0);
        let middle = away / 2.0;
        for i in -120..=180 {
            for j in -120..=180 {
                let p = Vector::new(f64::from(i), f64::from(j)) * 0.5;
                let share = (p.dot(&away) / away.norm_squared()).clamp(0.0, 1.0);
                if (p - away * share).norm() <= radius {
                    sum += (p - middle) * (p - middle).transpose();
                    all += 1.0;
                }
            }
        }
        let by_points: Matrix2<f64> = sum / all;
        let by_form = silhouette_spread(radius, away);
        assert!((by_points - by_form).norm() < 0.01 * by_form.norm(), "{by_points} {by_form}");
    }
}
