//! The scene's camera: from its full form, or from a height and a point to look at.

use nalgebra::{Matrix3, Rotation3, Unit, Vector3};

use crate::board::{Board, End};
use crate::camera::{Camera, Lens, Pose};
use crate::geometry::{Paint, Point};

use super::limits::*;
use super::scene::{CameraPart, Extrinsics};

const COURT_IMAGE: [u32; 2] = [1920, 1080];
const SQUARE_IMAGE: [u32; 2] = [1440, 1440];
const DEFAULT_HEIGHT_MM: f64 = 1700.0;
/// The default view is this much larger than what it frames.
const FRAME_MARGIN: f64 = 1.06;
/// Rows of a rotation may be this far from unit length or from right angles.
const ROTATION_TOLERANCE: f64 = 1e-4;

/// A rectangle of the board that a view should show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    pub from: Point,
    pub to: Point,
}

impl Region {
    pub fn middle(&self) -> Point {
        nalgebra::center(&self.from, &self.to)
    }

    pub fn size_mm(&self) -> [f64; 2] {
        [self.to.x - self.from.x, self.to.y - self.from.y]
    }
}

/// The scoring end of a two-ended board with its rails, or the whole of any other board.
pub fn region_of_play(board: &Board) -> Region {
    let reach = |side| board.rails.iter().filter(|r| r.side == side).map(|r| r.width_mm).fold(0.0, f64::max);
    use crate::board::BoardSide::*;
    let near_y = if board.is_two_ended() {
        let lowest =
            board.lines_at(End::Far).filter(|line| line.end.is_some()).map(|line| match line.paint {
                Paint::Stroke { from, to, .. } => from.y.min(to.y),
                Paint::Ring { centre, radius_mm, .. }
                | Paint::Arc { centre, radius_mm, .. }
                | Paint::Spot { centre, radius_mm } => centre.y - radius_mm,
            });
        // The strip before the foul line belongs to the view: dead pieces lie there.
        lowest.fold(board.surface.length_mm, f64::min) - 0.08 * board.surface.length_mm
    } else {
        -reach(Near)
    };
    Region {
        from: Point::new(-reach(Left), near_y),
        to: Point::new(board.surface.width_mm + reach(Right), board.surface.length_mm + reach(Far)),
    }
}

/// The rotation of a camera that looks down, tilted, turned around the vertical and rolled about
/// its own axis; see [`CameraPart`].
pub fn looking_rotation(tilt_deg: f64, turn_deg: f64, roll_deg: f64) -> Rotation3<f64> {
    let (sin, cos) = tilt_deg.to_radians().sin_cos();
    let ahead = Vector3::new(0.0, sin, -cos);
    let right = Vector3::x();
    let down = ahead.cross(&right);
    let rows = Matrix3::from_rows(&[right.transpose(), down.transpose(), ahead.transpose()]);
    let level = Rotation3::from_matrix_unchecked(rows);
    let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), turn_deg.to_radians());
    let roll = Rotation3::from_axis_angle(&Unit::new_unchecked(Vector3::z()), roll_deg.to_radians());
    roll * level * turn.inverse()
}

/// The pose of a camera at `height_mm` whose axis meets the surface at `look_at`.
pub fn looking_pose(rotation: Rotation3<f64>, height_mm: f64, look_at: Point) -> Pose {
    let ahead = rotation.inverse() * Vector3::z();
    let reach = height_mm / (-ahead.z).max(1e-6);
    let centre = Vector3::new(look_at.x, look_at.y, 0.0) - ahead * reach;
    Pose { rotation, translation_mm: -(rotation * centre) }
}

/// The focal length at which `region` just fits the picture of a camera with this pose.
pub fn fitting_focal_px(pose: &Pose, image_size: [u32; 2], region: &Region) -> f64 {
    let half = image_size.map(|side| f64::from(side) / 2.0);
    let corners = [
        (region.from.x, region.from.y),
        (region.to.x, region.from.y),
        (region.from.x, region.to.y),
        (region.to.x, region.to.y),
    ];
    let mut focal: f64 = FOCAL_PX.most;
    for (x, y) in corners {
        let c = pose.camera_from_board(nalgebra::Point3::new(x, y, 0.0));
        if c.z > 1.0 {
            focal = focal.min(half[0] * c.z / c.x.abs().max(1e-6)).min(half[1] * c.z / c.y.abs().max(1e-6));
        }
    }
    (focal / FRAME_MARGIN).clamp(FOCAL_PX.least, FOCAL_PX.most)
}

pub(super) fn resolve(part: &CameraPart, board: &Board, faults: &mut Faults) -> Option<Camera> {
    let before = faults.reasons.len();
    let image_size = part.image_size.unwrap_or(if board.is_two_ended() { COURT_IMAGE } else { SQUARE_IMAGE });
    for side in image_size {
        faults.within("camera.image_size", f64::from(side), IMAGE_SIDE_PX);
    }
    let pixels = u64::from(image_size[0]) * u64::from(image_size[1]);
    if pixels > MAX_IMAGE_PIXELS {
        faults.add("camera.image_size", format!("at most {MAX_IMAGE_PIXELS} pixels, found {pixels}"));
    }
    let camera = match (&part.intrinsics, &part.extrinsics) {
        (Some(lens), Some(extrinsics)) => full_form(part, lens, extrinsics, image_size, faults),
        (None, None) => friendly_form(part, board, image_size, faults),
        _ => {
            faults.add("camera", "both intrinsics and extrinsics, or neither of them");
            None
        }
    }?;
    (faults.reasons.len() == before).then_some(camera)
}

fn full_form(
    part: &CameraPart,
    lens: &Lens,
    extrinsics: &Extrinsics,
    image_size: [u32; 2],
    faults: &mut Faults,
) -> Option<Camera> {
    let friendly = CameraPart {
        image_size: part.image_size,
        intrinsics: part.intrinsics,
        extrinsics: part.extrinsics,
        ..CameraPart::default()
    };
    if *part != friendly {
        faults.add("camera", "only image_size beside intrinsics and extrinsics");
    }
    if part.image_size.is_none() {
        faults.add("camera.image_size", "width and height beside intrinsics and extrinsics");
    }
    check_lens(lens, image_size, faults);
    let rotation = Matrix3::from_fn(|row, column| extrinsics.rotation[row][column]);
    let translation_mm = Vector3::from(extrinsics.translation_mm);
    let miss = (rotation * rotation.transpose() - Matrix3::identity()).norm();
    if !(miss < ROTATION_TOLERANCE && rotation.determinant() > 0.0) {
        faults.add("camera.extrinsics.R", "a rotation: rows of unit length at right angles, determinant 1");
        return None;
    }
    for value in translation_mm.iter() {
        faults.within("camera.extrinsics.t", *value, POSITION_MM);
    }
    let pose = Pose { rotation: Rotation3::from_matrix_unchecked(rotation), translation_mm };
    let height = pose.centre_mm().z;
    if !(CAMERA_HEIGHT_MM.least..=CAMERA_HEIGHT_MM.most).contains(&height) {
        let Range { least, most, .. } = CAMERA_HEIGHT_MM;
        faults.add(
            "camera.extrinsics",
            format!("a camera {least} to {most} mm above the board, found {height}"),
        );
    }
    Some(Camera { image_size, lens: *lens, pose })
}

fn friendly_form(
    part: &CameraPart,
    board: &Board,
    image_size: [u32; 2],
    faults: &mut Faults,
) -> Option<Camera> {
    let region = region_of_play(board);
    let height_mm = part.height_mm.unwrap_or(DEFAULT_HEIGHT_MM);
    let look_at = part.look_at.map_or(region.middle(), |[x, y]| Point::new(x, y));
    let tilt_deg = part.tilt_deg.unwrap_or(0.0);
    let turn_deg = part.turn_deg.unwrap_or(0.0);
    // A long board lies along the picture's long side.
    let [width, length] = region.size_mm();
    let lengthwise = (length > width) == (image_size[0] > image_size[1]);
    let roll_deg = part.roll_deg.unwrap_or(if lengthwise && tilt_deg == 0.0 { 90.0 } else { 0.0 });
    faults.within("camera.height_mm", height_mm, CAMERA_HEIGHT_MM);
    faults.within("camera.look_at", look_at.x, POSITION_MM);
    faults.within("camera.look_at", look_at.y, POSITION_MM);
    faults.within("camera.tilt_deg", tilt_deg, TILT_DEG);
    faults.within("camera.turn_deg", turn_deg, ANGLE_DEG);
    faults.within("camera.roll_deg", roll_deg, ANGLE_DEG);
    let pose = looking_pose(looking_rotation(tilt_deg, turn_deg, roll_deg), height_mm, look_at);
    let focal = part.focal_px.unwrap_or_else(|| fitting_focal_px(&pose, image_size, &region));
    let mut lens = Lens::ideal(focal, image_size);
    if let Some([cx, cy]) = part.principal_point {
        (lens.cx, lens.cy) = (cx, cy);
    }
    let or_zero = |value: Option<f64>| value.unwrap_or(0.0);
    (lens.k1, lens.k2, lens.k3) = (or_zero(part.k1), or_zero(part.k2), or_zero(part.k3));
    (lens.p1, lens.p2) = (or_zero(part.p1), or_zero(part.p2));
    check_lens(&lens, image_size, faults);
    Some(Camera { image_size, lens, pose })
}

fn check_lens(lens: &Lens, image_size: [u32; 2], faults: &mut Faults) {
    faults.within("camera focal length", lens.fx, FOCAL_PX);
    faults.within("camera focal length", lens.fy, FOCAL_PX);
    for (name, value, side) in [("cx", lens.cx, image_size[0]), ("cy", lens.cy, image_size[1])] {
        let side = f64::from(side);
        faults.within(format!("camera {name}"), value, Range { least: -side, most: 2.0 * side, unit: "px" });
    }
    let coefficients = [("k1", lens.k1), ("k2", lens.k2), ("k3", lens.k3), ("p1", lens.p1), ("p2", lens.p2)];
    for (name, value) in coefficients {
        faults.within(format!("camera {name}"), value, LENS_COEFFICIENT);
    }
}
