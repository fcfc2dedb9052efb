//! The end in view of a long table, as a board of its own.
//!
//! In: a board whose length is only assumed, and the end that is looked at. Out: a shorter board with what is painted at
//! that end alone, and the way between its cameras and the whole board's. What lies out of the picture, or elsewhere on
//! this maker's table, then neither asks for places of the search nor speaks against what is in view.

use nalgebra::Vector3;

use crate::{
    board::{Board, End, Line},
    camera::Camera,
    geometry::{Paint, Vector},
};

pub(super) struct OneEnd {
    pub board: Board,
    /// How far the whole board's origin lies before this one's.
    shift_mm: f64,
}

impl OneEnd {
    /// `None` for boards of which both ends are known, and for those without paint at the end.
    pub fn of(board: &Board, end: End) -> Option<OneEnd> {
        board.surface.unseen?;
        let (width_mm, length_mm) = (board.surface.width_mm, board.surface.length_mm);
        let painted: Vec<&Line> = board.lines.iter().filter(|line| line.end == Some(end)).collect();
        let from_end_mm = |line: &&Line| match end {
            End::Far => length_mm - middle_y(&line.paint),
            End::Near => middle_y(&line.paint),
        };
        let reach_mm = painted.iter().map(from_end_mm).reduce(f64::max)?;
        // A piece of bare surface belongs to it: without it the last line would be taken for the border.
        let part_mm = (reach_mm + width_mm).min(length_mm);
        let shift_mm = match end {
            End::Far => length_mm - part_mm,
            End::Near => 0.0,
        };
        let back = Vector::new(0.0, -shift_mm);
        let moved = |line: &&Line| Line { paint: line.paint.moved(back), ..(*line).clone() };
        let mut part = Board { lines: painted.iter().map(moved).collect(), ..board.clone() };
        part.surface.length_mm = part_mm;
        part.surface.unseen = Some(match end {
            End::Far => End::Near,
            End::Near => End::Far,
        });
        part.prints.iter_mut().for_each(|print| print.region = print.region.moved(|p| p + back, 1.0));
        Some(OneEnd { board: part, shift_mm })
    }

    /// The whole board's camera that sees what `camera` sees of this end.
    pub fn whole(&self, camera: &Camera) -> Camera {
        self.moved(camera, -self.shift_mm)
    }

    /// This end's camera that sees what `camera` sees of the whole board.
    pub fn part(&self, camera: &Camera) -> Camera {
        self.moved(camera, self.shift_mm)
    }

    fn moved(&self, camera: &Camera, along_y_mm: f64) -> Camera {
        let mut moved = *camera;
        moved.pose.translation_mm += camera.pose.rotation * Vector3::new(0.0, along_y_mm, 0.0);
        moved
    }
}

fn middle_y(paint: &Paint) -> f64 {
    match *paint {
        Paint::Stroke { from, to, .. } => (from.y + to.y) / 2.0,
        Paint::Ring { centre, .. } | Paint::Arc { centre, .. } | Paint::Spot { centre, .. } => centre.y,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use nalgebra::Rotation3;

    use super::*;
    use crate::camera::{Lens, Pose};

    #[test]
    fn either_end_is_a_board_of_its_own_and_its_cameras_are_the_whole_boards() {
        let board = Board::named_or_at("table-shuffleboard").unwrap();
        let tilt = Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI - 0.5);
        let pose = Pose { rotation: tilt, translation_mm: Vector3::new(-200.0, 300.0, 1500.0) };
        let seen = Camera { image_size: [900, 900], lens: Lens::ideal(900.0, [900, 900]), pose };
        for (end, from_origin_mm) in [(End::Far, 6300.0 - 1829.0 - 508.0), (End::Near, 0.0)] {
            let part = OneEnd::of(&board, end).unwrap();
            assert_eq!(part.board.lines.len(), 3);
            assert_eq!(part.board.surface.length_mm, 1829.0 + 508.0);
            let whole = part.whole(&seen);
            for (x, y) in [(0.0, 0.0), (508.0, 2337.0)] {
                let expected = seen.image_from_board(x, y, 0.0).unwrap();
                let found = whole.image_from_board(x, y + from_origin_mm, 0.0).unwrap();
                assert!((found - expected).norm() < 1e-6, "{end:?}: {found} against {expected}");
            }
            let back = part.part(&whole).pose.translation_mm;
            assert!((back - seen.pose.translation_mm).norm() < 1e-9);
            // Its lines are those of the whole board at that end, as that camera sees them.
            for line in &part.board.lines {
                let there = board.lines_at(end).find(|other| other.name == line.name).unwrap();
                assert!((middle_y(&there.paint) - middle_y(&line.paint) - from_origin_mm).abs() < 1e-9);
            }
        }
        assert!(OneEnd::of(&Board::named_or_at("carrom-court").unwrap(), End::Far).is_none());
    }
}
