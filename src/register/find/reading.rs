//! Which of the views that look alike is meant.
//!
//! A board that maps onto itself when turned can be read in several ways from one picture. In: a
//! camera. Out: the camera of the preferred reading: with one end in view it is the wanted end;
//! where the picture cannot tell, the near side is the one that is lower in the picture, or the upper one
//! where that is asked.

use nalgebra::{Rotation3, Vector3};

use super::{FindOptions, evidence::Projector, pattern::Pattern};
use crate::{
    board::{Board, End},
    camera::{Camera, Pose},
    geometry::{Paint, Point},
};

/// Ends whose visible lengths differ by less than this share are equally in view.
const EQUALLY_IN_VIEW: f64 = 0.25;
/// How much "to the right" counts next to "upward" when two readings are equally upright.
const RIGHTWARD: f64 = 0.01;

pub(super) fn preferred(camera: &Camera, board: &Board, pattern: &Pattern, options: &FindOptions) -> Camera {
    let readings: Vec<Camera> =
        pattern.alike_turns.iter().map(|&turn| turned(camera, pattern.centre, turn)).collect();
    let wants_end = |reading: &Camera| {
        let far = visible_mm(reading, board, End::Far);
        let near = visible_mm(reading, board, End::Near);
        let (wanted, other) = match options.prefer_end {
            End::Far => (far, near),
            End::Near => (near, far),
        };
        let difference = (wanted - other) / wanted.max(other).max(1e-9);
        if difference > EQUALLY_IN_VIEW {
            1
        } else if difference < -EQUALLY_IN_VIEW {
            -1
        } else {
            0
        }
    };
    let up = if options.upside_down { -1.0 } else { 1.0 };
    let upright = |reading: &Camera| up * uprightness(reading, pattern.centre);
    readings
        .into_iter()
        .max_by(|a, b| wants_end(a).cmp(&wants_end(b)).then(upright(a).total_cmp(&upright(b))))
        .unwrap_or(*camera)
}

/// The camera that sees the board turned by quarter turns about its centre just as this one does.
fn turned(camera: &Camera, centre: Point, turn: usize) -> Camera {
    let quarter = Rotation3::from_axis_angle(&Vector3::z_axis(), turn as f64 * std::f64::consts::FRAC_PI_2);
    let centre = Vector3::new(centre.x, centre.y, 0.0);
    let rotation = camera.pose.rotation * quarter;
    let translation_mm = camera.pose.rotation * (centre - quarter * centre) + camera.pose.translation_mm;
    Camera { pose: Pose { rotation, translation_mm }, ..*camera }
}

/// Length of an end's painted lines that lies in the picture.
fn visible_mm(camera: &Camera, board: &Board, end: End) -> f64 {
    /// Points at which a line is tested.
    const STEPS: u32 = 16;
    let [width, height] = camera.image_size.map(f64::from);
    let in_view = |p: Point| {
        camera
            .image_from_board(p.x, p.y, 0.0)
            .is_some_and(|p| p.x >= 0.0 && p.y >= 0.0 && p.x < width && p.y < height)
    };
    board
        .lines
        .iter()
        .filter(|line| line.end == Some(end))
        .filter_map(|line| match line.paint {
            Paint::Stroke { from, to, .. } => Some((from, to)),
            _ => None,
        })
        .map(|(from, to)| {
            let step = (to - from) / f64::from(STEPS);
            let visible = (0..STEPS).filter(|&i| in_view(from + step * (f64::from(i) + 0.5))).count();
            step.norm() * visible as f64
        })
        .sum()
}

/// How much the board's y axis points up in the picture.
fn uprightness(camera: &Camera, centre: Point) -> f64 {
    let at = nalgebra::Point3::new(centre.x, centre.y, 0.0);
    let direction = Projector::new(camera).project(&at, &Vector3::y()).map_or_else(
        || {
            let y = camera.pose.rotation * Vector3::y();
            nalgebra::Vector2::new(y.x, y.y)
        },
        |seen| seen.along,
    );
    RIGHTWARD * direction.x - direction.y
}
