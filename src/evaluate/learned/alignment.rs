//! How a learned board lies on the true one.

use super::Truth;
use crate::{
    board::Board,
    camera::Camera,
    geometry::{Paint, Point, Vector},
    learn::Learned,
};

/// Square boards may be learned turned, and of long tables one
/// end is seen only, so that places are measured from there.
pub struct Alignment {
    turns: usize,
    learned_size: Vector,
    true_size: Vector,
    is_two_ended: bool,
}

impl Alignment {
    pub fn of(truth: &Board, learned: &Learned, camera: &Camera) -> Self {
        let size = |board: &Board| Vector::new(board.surface.width_mm, board.surface.length_mm);
        let of_turns = |turns: usize| Self {
            turns,
            learned_size: size(&learned.board),
            true_size: size(truth),
            is_two_ended: truth.is_two_ended(),
        };
        let all: &[usize] = if truth.is_two_ended() { &[0, 2] } else { &[0, 1, 2, 3] };
        // The reading under which both cameras see the surface's corners in the same places.
        let Some(Some(seen)) = learned.cameras.first() else { return of_turns(0) };
        let apart = |alignment: &Self| -> f64 {
            let corner = |p: &Point| {
                let q = alignment.true_place(*p);
                let a = seen.image_from_board(p.x, p.y, 0.0)?;
                let b = camera.image_from_board(q.x, q.y, 0.0)?;
                Some((a - b).norm())
            };
            let [w, l] = [learned.board.surface.width_mm, learned.board.surface.length_mm];
            let y0 = if alignment.is_two_ended { l - w } else { 0.0 };
            let places = [Point::new(0.0, l), Point::new(w, l), Point::new(0.0, y0), Point::new(w, y0)];
            places.iter().map(|p| corner(p).unwrap_or(1e6)).sum()
        };
        let turned = all.iter().map(|turns| of_turns(*turns));
        turned.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or_else(|| of_turns(0))
    }

    /// From the learned board's coordinates to the true one's.
    pub fn true_place(&self, p: Point) -> Point {
        let mut from_middle = p.coords - self.learned_size / 2.0;
        if self.is_two_ended {
            // Both count from the far end.
            from_middle.y = p.y - self.learned_size.y + self.true_size.y / 2.0;
        }
        let turned = (0..self.turns).fold(from_middle, |v, _| Vector::new(-v.y, v.x));
        Point::from(turned + self.true_size / 2.0)
    }

    pub fn on_truth(&self, paint: &Paint) -> Paint {
        let place = |p: Point| self.true_place(p);
        let mut paint = *paint;
        match &mut paint {
            Paint::Stroke { from, to, .. } => (*from, *to) = (place(*from), place(*to)),
            Paint::Ring { centre, .. } | Paint::Spot { centre, .. } => *centre = place(*centre),
            Paint::Arc { centre, start_rad, .. } => {
                *centre = place(*centre);
                *start_rad += self.turns as f64 * std::f64::consts::FRAC_PI_2;
            }
        }
        paint
    }

    /// The true pieces in the learned board's coordinates, as that board is read with no turn: how a photo
    /// is read is found out when it is compared.
    pub fn truth_on_learned(&self, truth: &Truth) -> Truth {
        let mut truth = truth.clone();
        let shift = if self.is_two_ended {
            Vector::new(
                0.5 * (self.learned_size.x - self.true_size.x),
                self.learned_size.y - self.true_size.y,
            )
        } else {
            (self.learned_size - self.true_size) / 2.0
        };
        for piece in &mut truth.pieces {
            (piece.x_mm, piece.y_mm) = (piece.x_mm + shift.x, piece.y_mm + shift.y);
        }
        truth
    }
}

#[cfg(test)]
mod tests {
    use super::{super::offset_mm, *};
    use crate::simulate::{View, unknown_table};

    /// A board that is learned turned by a quarter, from the same camera.
    #[test]
    fn a_board_learned_turned_is_laid_on_the_true_one() {
        let template = Board::named_or_at("carrom-icf").expect("a shipped board");
        let table = unknown_table(&template, 4).expect("a table");
        let camera = table.empty_photo(View::Phone).expect("a scene").camera;
        let size = Vector::new(table.board.surface.width_mm, table.board.surface.length_mm);
        for turns in 0..4 {
            let alignment =
                |turns| Alignment { turns, learned_size: size, true_size: size, is_two_ended: false };
            let back = alignment((4 - turns) % 4);
            let mut board = table.board.clone();
            board.lines.iter_mut().for_each(|line| line.paint = back.on_truth(&line.paint));
            // Where the learned board's places are seen is where the true ones are.
            let mut seen = camera;
            let turned = (0..turns).fold(nalgebra::Rotation3::identity(), |r, _| {
                r * nalgebra::Rotation3::from_axis_angle(
                    &nalgebra::Vector3::z_axis(),
                    std::f64::consts::FRAC_PI_2,
                )
            });
            let middle = nalgebra::Vector3::new(size.x / 2.0, size.y / 2.0, 0.0);
            seen.pose.translation_mm += camera.pose.rotation * (middle - turned * middle);
            seen.pose.rotation = camera.pose.rotation * turned;
            let learned = Learned {
                board,
                notes: crate::board::BoardNotes::default(),
                cameras: vec![Some(seen)],
                said: Vec::new(),
                found: 1.0,
            };
            let found = Alignment::of(&table.board, &learned, &camera);
            assert_eq!(found.turns, turns);
            for (line, learned) in table.board.lines.iter().zip(&learned.board.lines) {
                let off = offset_mm(&line.paint, &found.on_truth(&learned.paint));
                assert!(off < 1e-6, "{} lies {off} mm off, turned {turns} times", line.name);
            }
        }
    }

    #[test]
    fn of_a_long_table_places_count_from_the_far_end() {
        let alignment = Alignment {
            turns: 0,
            learned_size: Vector::new(400.0, 1500.0),
            true_size: Vector::new(400.0, 1800.0),
            is_two_ended: true,
        };
        let at = alignment.true_place(Point::new(100.0, 1400.0));
        assert!((at - Point::new(100.0, 1700.0)).norm() < 1e-9, "{at}");
    }
}
