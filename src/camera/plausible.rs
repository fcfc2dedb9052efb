//! Whether a camera that is well written down can be one.
//!
//! In: lens, pose, covariance and picture size as a file has them. Out: every fault in words, with the
//! field that it is about. Limits are wide: they keep out slips and damage, not odd cameras.

use std::ops::RangeInclusive;

use nalgebra::{SMatrix, Vector3};

use super::{CAMERA_PARAMETERS, Camera, CameraCovariance, Lens};

/// A fault: section, field, and what is wrong.
pub(super) type Implausible = (&'static str, &'static str, String);

/// Shorter and longer sides of pictures: below, nothing can be seen; above, no JPEG can be.
const SIDES_PX: RangeInclusive<u32> = 16..=65_535;
/// Focal length in longer sides of the picture: from 157 degrees across to half a degree.
const FOCAL_SHARES: RangeInclusive<f64> = 0.1..=100.0;
/// Pixels are about square; anamorphic lenses squeeze by two at most.
const SQUEEZES: RangeInclusive<f64> = 0.5..=2.0;
/// Where the axis meets the sensor, in sides of the picture: beyond its border where it was cropped.
const AXIS_SHARES: RangeInclusive<f64> = -1.0..=2.0;
/// A turn is less than all round; files of other programs may count it once more.
const MOST_TURN: f64 = 4.0 * std::f64::consts::PI;
/// Heights of a lens above a board, mm.
const HEIGHTS_MM: RangeInclusive<f64> = 20.0..=100_000.0;
/// How far from the board's corner a camera may hang, mm.
const FARTHEST_MM: f64 = 200_000.0;
/// How much farther from the axis a lens images a place than a straight one would: from the widest that this
/// model can follow to the longest pincushion.
const BENDS: RangeInclusive<f64> = 0.2..=5.0;
/// Places along each side of the picture at which the lens is checked.
const GRID: u32 = 16;
/// Rounding of a matrix that was inverted and written down.
const ROUNDING: f64 = 1e-9;

/// Standard deviations that a camera's numbers can have: name, least, most. What is below is no
/// measurement, what is above is not known at all.
const SIGMAS: [(&str, f64, f64); CAMERA_PARAMETERS] = [
    ("fx", 1e-5, 1e5),
    ("fy", 1e-5, 1e5),
    ("cx", 1e-5, 1e5),
    ("cy", 1e-5, 1e5),
    ("k1", 1e-9, 1e2),
    ("k2", 1e-9, 1e2),
    ("p1", 1e-9, 1e2),
    ("p2", 1e-9, 1e2),
    // Held at its value when a camera is fitted.
    ("k3", 0.0, 1e2),
    ("rotation x", 1e-9, 10.0),
    ("rotation y", 1e-9, 10.0),
    ("rotation z", 1e-9, 10.0),
    ("translation x", 1e-5, 1e5),
    ("translation y", 1e-5, 1e5),
    ("translation z", 1e-5, 1e5),
];

/// What cannot be of a lens that takes pictures of this size.
pub(super) fn lens_faults(lens: &Lens, image_size: [u32; 2]) -> Vec<Implausible> {
    let mut faults: Vec<Implausible> = Vec::new();
    let [width, height] = image_size;
    if image_size.iter().any(|side| !SIDES_PX.contains(side)) {
        let what = format!("is {width} x {height}, expected sides of 16 to 65535 pixels");
        return vec![("", "image_size", what)];
    }
    let longer = f64::from(width.max(height));
    for (name, focal) in [("fx", lens.fx), ("fy", lens.fy)] {
        if !FOCAL_SHARES.contains(&(focal / longer)) {
            let (least, most) = (FOCAL_SHARES.start() * longer, FOCAL_SHARES.end() * longer);
            faults.push(("lens", name, format!("is {focal}, expected {least:.0} to {most:.0} pixels")));
        }
    }
    if faults.is_empty() && !SQUEEZES.contains(&(lens.fy / lens.fx)) {
        let what =
            format!("is {:.3} times fx, expected 0.5 to 2: pixels are about square", lens.fy / lens.fx);
        faults.push(("lens", "fy", what));
    }
    for (name, centre, side) in [("cx", lens.cx, width), ("cy", lens.cy, height)] {
        let side = f64::from(side);
        if !AXIS_SHARES.contains(&(centre / side)) {
            let (least, most) = (AXIS_SHARES.start() * side, AXIS_SHARES.end() * side);
            faults.push(("lens", name, format!("is {centre}, expected {least:.0} to {most:.0}")));
        }
    }
    if faults.is_empty() && !is_one_to_one(lens, image_size) {
        let what = "and the other coefficients make one pixel show two places, or none: expected a lens that is \
                    one-to-one over the picture; calibrate again";
        faults.push(("lens", "k1", what.to_owned()));
    }
    faults
}

/// Whether every pixel has one ray and every ray on the way to it one pixel. The picture's corners beyond
/// the ellipse that touches its sides may stay dark, as those of wide lenses do.
fn is_one_to_one(lens: &Lens, [width, height]: [u32; 2]) -> bool {
    let (half_width, half_height) = (f64::from(width - 1) / 2.0, f64::from(height - 1) / 2.0);
    let share = |step: u32| 2.0 * f64::from(step) / f64::from(GRID) - 1.0;
    let places = (0..=GRID).flat_map(|i| (0..=GRID).map(move |j| (share(i), share(j))));
    places.filter(|(x, y)| x * x + y * y <= 1.0).all(|(x, y)| {
        let (u, v) = (half_width * (1.0 + x), half_height * (1.0 + y));
        let ray = lens.ray_from_pixel(u, v);
        ray.is_some_and(|(x, y)| {
            // The lens does not turn anything over on the way out either.
            let back = lens.pixel_from_ray(x, y);
            let returns = back.is_some_and(|back| (back.x - u).hypot(back.y - v) < 0.01);
            returns
                && is_bent_plausibly(lens, (u, v), (x, y))
                && (1..=GRID).all(|step| {
                    let part = f64::from(step) / f64::from(GRID);
                    lens.keeps_its_sides(x * part, y * part)
                })
        })
    })
}

/// Whether a pixel lies about where a lens without distortion would have it.
fn is_bent_plausibly(lens: &Lens, (u, v): (f64, f64), (x, y): (f64, f64)) -> bool {
    let (straight, seen) = (x.hypot(y), ((u - lens.cx) / lens.fx).hypot((v - lens.cy) / lens.fy));
    // On the axis itself there is nothing to compare.
    straight < 1e-9 && seen < 1e-6 || BENDS.contains(&(seen / straight))
}

/// What cannot be of a camera above a board.
pub(super) fn pose_faults(camera: &Camera, turn: Vector3<f64>) -> Vec<Implausible> {
    let centre = camera.pose.centre_mm();
    if turn.norm() > MOST_TURN {
        return vec![(
            "pose",
            "rotation",
            format!("turns by {:.1} radians, expected one turn at most", turn.norm()),
        )];
    }
    if !HEIGHTS_MM.contains(&centre.z) || centre.coords.norm() > FARTHEST_MM {
        let what = format!(
            "puts the camera at {:.0}, {:.0} and {:.0} mm above the board, expected a place 20 mm to 100 m above it",
            centre.x, centre.y, centre.z
        );
        return vec![("pose", "translation_mm", what)];
    }
    let [width, height] = camera.image_size.map(|side| f64::from(side - 1));
    let sees_the_plane = [0.0, 0.25, 0.5, 0.75, 1.0]
        .iter()
        .flat_map(|x| [0.0, 0.25, 0.5, 0.75, 1.0].map(|y| (x * width, y * height)))
        .any(|(u, v)| camera.board_from_image(u, v, 0.0).is_some());
    match sees_the_plane {
        true => Vec::new(),
        false => vec![("pose", "rotation", "turns the camera away from the board".to_owned())],
    }
}

/// What cannot be of how well a camera is known.
pub(super) fn covariance_faults(covariance: &CameraCovariance) -> Vec<Implausible> {
    let mut faults: Vec<Implausible> = Vec::new();
    for (i, (name, least, most)) in SIGMAS.into_iter().enumerate() {
        let sigma = covariance[(i, i)].max(0.0).sqrt();
        if !(least..=most).contains(&sigma) {
            let what = format!("says that {name} is known to {sigma:e}, expected {least:e} to {most:e}");
            faults.push(("covariance", "lower", what));
        }
    }
    if !faults.is_empty() {
        return faults;
    }
    let scales: Vec<f64> = (0..CAMERA_PARAMETERS)
        .map(|i| if covariance[(i, i)] > 0.0 { covariance[(i, i)].sqrt().recip() } else { 1.0 })
        .collect();
    let scaled = SMatrix::<f64, CAMERA_PARAMETERS, CAMERA_PARAMETERS>::from_fn(|i, j| {
        covariance[(i, j)] * scales[i] * scales[j]
    });
    // One focal length serves both axes, so that the smallest may be nothing at all.
    let least = match scaled.iter().all(|value| value.abs() <= 1.0 + ROUNDING) {
        true => scaled.symmetric_eigenvalues().min(),
        false => f64::NEG_INFINITY,
    };
    if least < -ROUNDING {
        let what = "is not a covariance: expected a positive definite matrix; calibrate again";
        faults.push(("covariance", "lower", what.to_owned()));
    }
    faults
}
