//! From a hypothesis that is some pixels off to one that is good to a pixel.
//!
//! In: a camera for the reduced picture. Out: the camera that best fits the marks found across
//! the expected ones, by robust least squares over pose, focal length and k1, while the reach
//! shrinks.

use nalgebra::{Matrix2x1, SMatrix, SVector, Vector2};

use super::{
    FindOptions,
    evidence::{Projected, Projector},
    pattern::{Look, Sample},
    probe::{Across, look_across},
    small::SmallPicture,
};
use crate::camera::{CAMERA_PARAMETERS, Camera};

/// Focal length (as a logarithm), k1, three of rotation, three of translation.
const UNKNOWNS: usize = 8;
/// Longest steps of the focal length's logarithm and of the distortion at the picture's corners.
const MAX_FOCAL_STEP: f64 = 0.15;
const MAX_BEND_STEP: f64 = 0.04;
/// Share of its prior freedom that the lens has while it is held.
const HELD: f64 = 1e-3;
type Normal = SMatrix<f64, UNKNOWNS, UNKNOWNS>;

/// What is seen across a projected sample.
pub(super) fn across(sample: &Sample, seen: &Projected, projector: &Projector) -> Across {
    match sample.look {
        Look::Stroke { width_mm, dark } => {
            let sideways = nalgebra::Vector3::new(-sample.along.y, sample.along.x, 0.0);
            let px_per_mm = projector.project(&sample.at, &sideways).map_or(seen.px_per_mm, |side| {
                // Only the part across the mark's direction widens it.
                let cross = side.along.x * seen.along.y - side.along.y * seen.along.x;
                side.px_per_mm * cross.abs()
            });
            Across::Bar { width_px: width_mm * px_per_mm, dark }
        }
        Look::Step => Across::Step,
    }
}

pub(super) fn polish(
    small: &SmallPicture,
    samples: &[Sample],
    start: &Camera,
    reaches_px: &[f64],
    options: &FindOptions,
) -> Option<Camera> {
    let mut camera = *start;
    for (round, &reach_px) in reaches_px.iter().enumerate() {
        // The lens stays as it is until the pose has settled.
        let lens_is_free = round >= options.pose_rounds;
        camera = step(small, samples, &camera, start, reach_px, lens_is_free, options)?;
    }
    let steep = -camera.pose.rotation.matrix()[(2, 2)] > options.max_tilt_deg.to_radians().cos();
    (steep && camera.pose.centre_mm().z > 0.0).then_some(camera)
}

/// The last rounds, on many samples and with everything free.
pub(super) fn finish(
    small: &SmallPicture,
    samples: &[Sample],
    start: &Camera,
    options: &FindOptions,
) -> Option<Camera> {
    options
        .final_reaches_px
        .iter()
        .try_fold(*start, |camera, &reach_px| step(small, samples, &camera, start, reach_px, true, options))
}

fn step(
    small: &SmallPicture,
    samples: &[Sample],
    camera: &Camera,
    start: &Camera,
    reach_px: f64,
    lens_is_free: bool,
    options: &FindOptions,
) -> Option<Camera> {
    let projector = Projector::new(camera);
    let mut normal = Normal::zeros();
    let mut right = SVector::<f64, UNKNOWNS>::zeros();
    let scale_px = reach_px / 3.0;
    let mut used = 0;
    for sample in samples {
        let Some(expected) = projector.sight(sample) else { continue };
        if !small.contains(expected.at.x, expected.at.y) {
            continue;
        }
        let normal_dir = Vector2::new(-expected.along.y, expected.along.x);
        let look = across(sample, &expected, &projector);
        let Some(seen) = look_across(small, expected.at, normal_dir, look, reach_px, 1, options) else {
            continue;
        };
        if seen.strength < 1.0 {
            continue;
        }
        let Some(projection) = camera.project(sample.at) else { continue };
        let across = Matrix2x1::new(normal_dir.x, normal_dir.y).transpose();
        let by_camera: SMatrix<f64, 1, CAMERA_PARAMETERS> = across * projection.by_parameters;
        let mut row = SMatrix::<f64, 1, UNKNOWNS>::zeros();
        row[0] = by_camera[0] * camera.lens.fx + by_camera[1] * camera.lens.fy;
        row[1] = by_camera[4];
        for i in 0..6 {
            row[2 + i] = by_camera[9 + i];
        }
        let off = seen.offset_px / scale_px;
        let weight = sample.weight * seen.strength.min(3.0) / 3.0 / (1.0 + off * off);
        normal += row.transpose() * row * weight;
        right += row.transpose() * seen.offset_px * weight;
        used += 1;
    }
    if used < UNKNOWNS {
        return None;
    }
    let mut prior = |i: usize, from_start: f64, sigma: f64| {
        let weight = (options.mark_sigma_px / sigma).powi(2);
        normal[(i, i)] += weight;
        right[i] -= weight * from_start;
    };
    let k1_of_bend = (camera.lens.fx / small.half_diagonal_px()).powi(2);
    let freedom = if lens_is_free { 1.0 } else { HELD };
    prior(0, (camera.lens.fx / start.lens.fx).ln(), options.focal_sigma * freedom);
    prior(1, camera.lens.k1 - start.lens.k1, options.bend_sigma * k1_of_bend * freedom);
    for i in 0..UNKNOWNS {
        // Keeps the system solvable where the marks leave a direction open.
        normal[(i, i)] *= 1.0 + 1e-6;
    }
    let solved = normal.cholesky()?.solve(&right);
    // A step too long for its linear model is shortened as a whole: focal length and distance
    // nearly cancel, and shortening only one of them would change the scale.
    let longest =
        (solved[0].abs() / MAX_FOCAL_STEP).max(solved[1].abs() / (MAX_BEND_STEP * k1_of_bend)).max(1.0);
    let solved = solved / longest;
    let mut step = SVector::<f64, CAMERA_PARAMETERS>::zeros();
    // Linear like the translation, so that both still cancel.
    let growth = solved[0];
    step[0] = camera.lens.fx * growth;
    step[1] = camera.lens.fy * growth;
    step[4] = solved[1];
    for i in 0..6 {
        step[9 + i] = solved[2 + i];
    }
    step.iter().all(|s| s.is_finite()).then(|| camera.stepped(&step))
}
