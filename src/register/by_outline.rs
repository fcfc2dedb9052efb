//! First cameras from the outline of a playing surface.
//!
//! In: a [`SurfaceOutline`] and a board of which at least the size is known. Out: cameras that see the board's sides where
//! the outline has them, each good to a few pixels. A square, or a table that is wholly in view, has four corners. Of a long
//! table one end is enough: its two long sides meet in one direction, its end runs at right angles to them, and its width
//! says how far away it is; only the focal length is open, and is tried.

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::find::{FindOptions, cameras_from_corners};
use crate::{
    board::{Board, End},
    camera::{Camera, Lens, Pixel, Pose},
    outline::{OutlineSide, SurfaceOutline},
};

/// A board whose length is more than so many times its width shows one end, as a rule.
const LONG_FROM: f64 = 1.5;

/// Cameras for every way in which the board may lie in the outline, the likeliest first.
pub(crate) fn cameras_from_outline(
    picture_size: [u32; 2],
    board: &Board,
    outline: &SurfaceOutline,
    options: &FindOptions,
) -> Vec<Camera> {
    let is_long = board.surface.length_mm > LONG_FROM * board.surface.width_mm;
    let near_sides = near_sides(outline);
    let by_corners = near_sides.iter().filter_map(|&near| {
        let is_whole = !is_long || outline.sides_seen() == 4 && board.surface.unseen.is_none();
        let corners = corners_with_near(outline, near);
        if !is_whole || is_long && !fits_length(&corners) {
            return None;
        }
        Some(cameras_from_corners(picture_size, board, corners, options).ok()?.into_iter())
    });
    let mut cameras: Vec<Camera> = by_corners.flatten().collect();
    if is_long {
        let unit = f64::from(picture_size[0]).hypot(f64::from(picture_size[1])) / 2.0;
        for end in ends_in_view(outline) {
            for focal in options.focal_lengths() {
                let far = far_end_camera(picture_size, board, outline, end, focal * unit);
                let seen_end = board.surface.unseen.map_or(options.prefer_end, |unseen| match unseen {
                    End::Near => End::Far,
                    End::Far => End::Near,
                });
                cameras.extend(far.map(|camera| match seen_end {
                    End::Far => camera,
                    End::Near => turned_about(&camera, board),
                }));
            }
        }
    }
    cameras
}

/// The outline's sides, the one lowest in the picture first: photos are taken from a player's place, as a rule.
fn near_sides(outline: &SurfaceOutline) -> [usize; 4] {
    let middle_y = |side: usize| outline.corners[side].y + outline.corners[(side + 1) % 4].y;
    let mut sides = [0, 1, 2, 3];
    sides.sort_by(|&a, &b| middle_y(b).total_cmp(&middle_y(a)));
    // Around from the lowest, so that the picture is turned as little as can be.
    let lowest = sides[0];
    [lowest, (lowest + 2) % 4, (lowest + 1) % 4, (lowest + 3) % 4]
}

/// Near left, near right, far right, far left, if `near` is the near side. The outline runs clockwise as seen, so its near
/// side runs from the right to the left.
fn corners_with_near(outline: &SurfaceOutline, near: usize) -> [Pixel; 4] {
    let corner = |i: usize| outline.corners[(near + i) % 4];
    [corner(1), corner(0), corner(3), corner(2)]
}

/// Whether the sides that would be the long ones are the longer ones.
fn fits_length([near_left, near_right, far_right, far_left]: &[Pixel; 4]) -> bool {
    let across = (near_right - near_left).norm() + (far_right - far_left).norm();
    let along = (far_left - near_left).norm() + (far_right - near_right).norm();
    along > across
}

/// Sides of the outline that may be an end of a long table: one whose neighbours are seen, itself seen rather than cut.
fn ends_in_view(outline: &SurfaceOutline) -> Vec<usize> {
    let is_seen = |side: usize| outline.sides[side % 4].is_seen();
    let length = |side: usize| (outline.corners[(side + 1) % 4] - outline.corners[side % 4]).norm();
    let mut ends: Vec<usize> = (0..4).filter(|&end| is_seen(end + 1) && is_seen(end + 3)).collect();
    // Opposite the picture's border is an end; else the shorter sides are.
    let rank = |end: usize| (!is_seen(end), is_seen(end + 2), length(end) > length(end + 1));
    ends.sort_by_key(|&end| rank(end));
    ends
}

/// The camera that sees a long table's far end in side `end` of the outline, for one focal length.
fn far_end_camera(
    picture_size: [u32; 2],
    board: &Board,
    outline: &SurfaceOutline,
    end: usize,
    focal_px: f64,
) -> Option<Camera> {
    let lens = Lens::ideal(focal_px, picture_size);
    let ray = |p: Pixel| Vector3::new((p.x - lens.cx) / focal_px, (p.y - lens.cy) / focal_px, 1.0);
    let corner = |i: usize| ray(outline.corners[(end + i) % 4]);
    // The planes through the eye and each side; the end runs from left to right as seen.
    let plane = |a: Vector3<f64>, b: Vector3<f64>| a.cross(&b).try_normalize(f64::MIN_POSITIVE);
    let (far, right, left) =
        (plane(corner(0), corner(1))?, plane(corner(1), corner(2))?, plane(corner(3), corner(0))?);
    let along = left.cross(&right).try_normalize(1e-9)?;
    let across = far.cross(&along).try_normalize(1e-9)?;
    let (width_mm, length_mm) = (board.surface.width_mm, board.surface.length_mm);
    for (along, across) in [(along, across), (along, -across), (-along, across), (-along, -across)] {
        let up = across.cross(&along);
        let planes = Matrix3::from_rows(&[left.transpose(), right.transpose(), far.transpose()]);
        let reach = Vector3::new(0.0, -width_mm * right.dot(&across), -length_mm * far.dot(&along));
        let Some(origin) = planes.lu().solve(&reach) else { continue };
        let pose = Pose {
            rotation: Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[across, along, up])),
            translation_mm: origin,
        };
        let camera = Camera { image_size: picture_size, lens, pose };
        let shows = |x: f64, seen: Pixel| {
            camera.image_from_board(x, length_mm, 0.0).is_some_and(|p| (p - seen).norm() < CORNER_OFF_PX)
        };
        let is_before = shows(0.0, outline.corners[end]) && shows(width_mm, outline.corners[(end + 1) % 4]);
        let is_inward = camera
            .image_from_board(width_mm / 2.0, length_mm - width_mm / 2.0, 0.0)
            .is_some_and(|p| is_within(outline, p));
        if is_before && is_inward && camera.pose.centre_mm().z > 0.0 {
            return Some(camera);
        }
    }
    None
}

/// A camera that sees a long table's far end, with another focal length: it sees the same sides and the same end.
pub(crate) fn refocused(camera: &Camera, board: &Board, focal_px: f64) -> Option<Camera> {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let seen = [(0.0, l), (w, l), (w, l - w), (0.0, l - w)].map(|(x, y)| camera.image_from_board(x, y, 0.0));
    let [Some(a), Some(b), Some(c), Some(d)] = seen else { return None };
    let sides = [OutlineSide::Step(0.0); 4];
    let outline = SurfaceOutline { corners: [a, b, c, d], sides, overlap: 1.0 };
    far_end_camera(camera.image_size, board, &outline, 0, focal_px)
}

/// The closed form puts the end's corners where they are, but for rounding.
const CORNER_OFF_PX: f64 = 1.0;

fn is_within(outline: &SurfaceOutline, p: Pixel) -> bool {
    (0..4).all(|i| {
        let (a, b) = (outline.corners[i], outline.corners[(i + 1) % 4]);
        (b - a).perp(&(p - a)) > 0.0
    })
}

/// The same camera of a board that is turned by 180 degrees in its plane.
fn turned_about(camera: &Camera, board: &Board) -> Camera {
    let half_turn = Rotation3::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI);
    let opposite = Vector3::new(board.surface.width_mm, board.surface.length_mm, 0.0);
    let pose = Pose {
        rotation: camera.pose.rotation * half_turn,
        translation_mm: camera.pose.rotation * opposite + camera.pose.translation_mm,
    };
    Camera { pose, ..*camera }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// What a camera sees of a long table of which the near end is out of the picture.
    fn seen(camera: &Camera, board: &Board, near_y: f64) -> SurfaceOutline {
        let (w, l) = (board.surface.width_mm, board.surface.length_mm);
        let corners = [(0.0, l), (w, l), (w, near_y), (0.0, near_y)]
            .map(|(x, y)| camera.image_from_board(x, y, 0.0).unwrap());
        let step = OutlineSide::Step(20.0);
        SurfaceOutline { corners, sides: [step, step, OutlineSide::PictureBorder, step], overlap: 1.0 }
    }

    #[test]
    fn one_end_of_a_long_table_gives_the_camera_for_its_focal_length() {
        let board = Board::named_or_at("carrom-long-board").unwrap();
        let tilt = Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI - 0.6)
            * Rotation3::from_axis_angle(&Vector3::z_axis(), 0.2);
        let centre = Vector3::new(150.0, 900.0, 1100.0);
        let pose = Pose { rotation: tilt, translation_mm: -(tilt * centre) };
        let truth = Camera { image_size: [1600, 1200], lens: Lens::ideal(1500.0, [1600, 1200]), pose };
        let outline = seen(&truth, &board, 1200.0);
        let found = far_end_camera(truth.image_size, &board, &outline, 0, 1500.0).unwrap();
        for (x, y) in [(0.0, 1830.0), (400.0, 1830.0), (100.0, 1500.0), (350.0, 1300.0)] {
            let [a, b] = [&truth, &found].map(|camera| camera.image_from_board(x, y, 0.0).unwrap());
            assert!((a - b).norm() < 0.01, "{a} {b}");
        }
        let other = far_end_camera(truth.image_size, &board, &outline, 0, 2300.0).unwrap();
        let back = refocused(&other, &board, 1500.0).unwrap();
        let [a, b] = [&truth, &back].map(|camera| camera.image_from_board(100.0, 1300.0, 0.0).unwrap());
        assert!((a - b).norm() < 0.01, "{a} {b}");
        let turned = turned_about(&found, &board);
        let [a, b] = [found.image_from_board(100.0, 1500.0, 0.0), turned.image_from_board(300.0, 330.0, 0.0)];
        assert!((a.unwrap() - b.unwrap()).norm() < 1e-6);
    }
}
