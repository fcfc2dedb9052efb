//! What a board's rails hide of it from a camera that stands beyond them.

use nalgebra::Point3;

use crate::{
    board::{Board, BoardSide},
    geometry::{Point, Vector},
};

/// The part of a plane of some height above the board that a rail hides: all that lies beyond a line along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BehindRail {
    /// Away from the rail, over the board.
    inward: Vector,
    /// How far along that the plane is hidden.
    to_mm: f64,
}

impl BehindRail {
    /// For each rail that the eye stands beyond, what it hides of the plane at `plane_mm`.
    pub fn all(board: &Board, eye: Point3<f64>, plane_mm: f64) -> Vec<BehindRail> {
        let (width_mm, length_mm) = (board.surface.width_mm, board.surface.length_mm);
        let hidden = |side: BoardSide, height_mm: f64| {
            let (inward, side_mm) = match side {
                BoardSide::Left => (Vector::x(), 0.0),
                BoardSide::Right => (-Vector::x(), -width_mm),
                BoardSide::Near => (Vector::y(), 0.0),
                BoardSide::Far => (-Vector::y(), -length_mm),
            };
            let beyond_mm = side_mm - inward.dot(&eye.xy().coords);
            // The ray that passes just over the rail's inner edge goes on to the plane.
            let on_mm = beyond_mm * (height_mm - plane_mm) / (eye.z - height_mm);
            (beyond_mm > 0.0 && eye.z > height_mm).then_some(BehindRail { inward, to_mm: side_mm + on_mm })
        };
        board.rails.iter().filter_map(|rail| hidden(rail.side, rail.height_mm)).collect()
    }

    /// How far a point of the plane is from being hidden; less than 0 if it is.
    #[inline]
    pub fn clear_mm(&self, p: Point) -> f64 {
        self.inward.dot(&p.coords) - self.to_mm
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The height at which the ray from a point to the eye passes over the side.
    fn height_over_side(p: Point3<f64>, eye: Point3<f64>, side_y: f64) -> f64 {
        p.z + (eye.z - p.z) * (side_y - p.y) / (eye.y - p.y)
    }

    #[test]
    fn what_is_hidden_is_what_is_seen_through_the_rail() {
        let board = Board::named_or_at("carrom-icf").unwrap();
        let rail_mm = board.rails[0].height_mm;
        let eye = Point3::new(300.0, -400.0, 700.0);
        for plane_mm in [0.0, 8.0, 30.0] {
            let hidden = BehindRail::all(&board, eye, plane_mm);
            assert_eq!(hidden.len(), 1, "only the near rail is between");
            for y in [-3.0, 0.5, 3.0, 6.0, 10.0, 14.0, 40.0] {
                let at = Point3::new(500.0, y, plane_mm);
                let is_hidden = height_over_side(at, eye, 0.0) < rail_mm;
                assert_eq!(hidden[0].clear_mm(at.xy()) < 0.0, is_hidden, "{y} at {plane_mm}");
            }
        }
    }

    #[test]
    fn from_above_the_board_nothing_is_hidden() {
        let board = Board::named_or_at("carrom-icf").unwrap();
        assert!(BehindRail::all(&board, Point3::new(370.0, 370.0, 1500.0), 0.0).is_empty());
    }
}
