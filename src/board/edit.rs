//! Changes to a board that people make by hand: a line moved sideways, a line taken out.
//!
//! In: a board, a line by its number, a distance in mm. Out: another board on which what rested on the line follows it: the
//! ends of other lines, the corners of areas, and its mirror image at the other end. Whether the board still holds is for
//! [`Board::parse`] to say.

use super::{Board, Line, write::mirror};
use crate::geometry::{Paint, Point, Polygon, Vector, nearest_on_segment};

/// Two directions with a smaller cosine to a line's normal run along the line.
const ALONG: f64 = 0.05;

impl Board {
    /// The board with one line elsewhere: a straight one moves sideways only, a round one as a whole.
    pub fn with_line_moved(&self, index: usize, by_mm: Vector) -> Option<Board> {
        let line = self.lines.get(index)?;
        let mut board = self.clone();
        board.shift(index, by_mm, line.paint);
        if let Some(twin) = self.mirrored_twin(index) {
            board.shift(twin, Vector::new(by_mm.x, -by_mm.y), self.lines[twin].paint);
        }
        Some(board)
    }

    /// The board without a line and its mirror image.
    pub fn without_line(&self, index: usize) -> Option<Board> {
        self.lines.get(index)?;
        let twin = self.mirrored_twin(index);
        let mut board = self.clone();
        let mut number = 0..;
        board.lines.retain(|_| {
            let number = number.next();
            number != Some(index) && (twin.is_none() || number != twin)
        });
        Some(board)
    }

    /// The line at the other end that is this one's mirror image.
    pub fn mirrored_twin(&self, index: usize) -> Option<usize> {
        let line = self.lines.get(index)?;
        line.end?;
        let axis_y_mm = self.surface.length_mm / 2.0;
        let is_twin = |other: &Line| mirror(line, other, axis_y_mm) || mirror(other, line, axis_y_mm);
        self.lines.iter().position(|other| other.name == line.name && is_twin(other))
    }

    /// Moves a line that lay at `from`, and what rested on it.
    fn shift(&mut self, index: usize, by_mm: Vector, before: Paint) {
        let (w, l) = (self.surface.width_mm, self.surface.length_mm);
        let within = |p: Point| Point::new(p.x.clamp(0.0, w), p.y.clamp(0.0, l));
        let Some(moving) = Moving::of(&before, by_mm) else {
            self.lines[index].paint = moved_whole(&before, by_mm);
            return;
        };
        let others: Vec<Paint> = self.lines.iter().map(|line| line.paint).collect();
        let own_end = |p: Point| {
            let crossed =
                others.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, paint)| {
                    let Paint::Stroke { from, to, width_mm } = *paint else { return None };
                    let touches = (p - nearest_on_segment(p, from, to)).norm() <= moving.reach_mm(width_mm);
                    (touches && moving.crosses(to - from)).then(|| to - from)
                });
            // Where it ends on a line it runs along that line.
            within(crossed.into_iter().next().map_or(p + moving.by, |along| moving.slid(p, along)))
        };
        for (other, line) in self.lines.iter_mut().enumerate() {
            let Paint::Stroke { from, to, width_mm } = line.paint else { continue };
            if other == index {
                line.paint = Paint::Stroke { from: own_end(from), to: own_end(to), width_mm };
            } else if moving.crosses(to - from) {
                let is_held = |p: Point| {
                    let mut rest =
                        others.iter().enumerate().filter(|(third, _)| ![index, other].contains(third));
                    rest.any(|(_, paint)| {
                        let Paint::Stroke { from, to, width_mm: w } = *paint else { return false };
                        (p - nearest_on_segment(p, from, to)).norm() <= (w + width_mm) / 2.0
                    })
                };
                let follow = |p: Point, far_end: Point| {
                    if !moving.holds(p, moving.reach_mm(width_mm)) {
                        return p;
                    }
                    let slid = within(moving.slid(p, to - from));
                    let is_shorter = (slid - far_end).norm() < (p - far_end).norm();
                    // Where it meets a third line it goes on to there.
                    if is_shorter && is_held(p) { p } else { slid }
                };
                line.paint = Paint::Stroke { from: follow(from, to), to: follow(to, from), width_mm };
            }
        }
        for area in &mut self.areas {
            area.polygon = moving.polygon(&area.polygon, within);
        }
    }
}

fn moved_whole(paint: &Paint, by: Vector) -> Paint {
    match *paint {
        Paint::Stroke { from, to, width_mm } => Paint::Stroke { from: from + by, to: to + by, width_mm },
        Paint::Ring { centre, radius_mm, width_mm } => {
            Paint::Ring { centre: centre + by, radius_mm, width_mm }
        }
        Paint::Spot { centre, radius_mm } => Paint::Spot { centre: centre + by, radius_mm },
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            Paint::Arc { centre: centre + by, radius_mm, width_mm, start_rad, sweep_rad }
        }
    }
}

/// A straight line on its way sideways.
struct Moving {
    from: Point,
    to: Point,
    half_width_mm: f64,
    normal: Vector,
    by: Vector,
}

impl Moving {
    fn of(paint: &Paint, by_mm: Vector) -> Option<Moving> {
        let Paint::Stroke { from, to, width_mm } = *paint else { return None };
        let along = (to - from).try_normalize(f64::MIN_POSITIVE)?;
        let normal = Vector::new(-along.y, along.x);
        Some(Moving { from, to, half_width_mm: width_mm / 2.0, normal, by: normal * by_mm.dot(&normal) })
    }

    /// How far from its middle a line of that width still touches it.
    fn reach_mm(&self, width_mm: f64) -> f64 {
        self.half_width_mm + width_mm / 2.0
    }

    fn holds(&self, p: Point, reach_mm: f64) -> bool {
        (p - nearest_on_segment(p, self.from, self.to)).norm() <= reach_mm
    }

    fn crosses(&self, direction: Vector) -> bool {
        direction.try_normalize(f64::MIN_POSITIVE).is_some_and(|d| d.dot(&self.normal).abs() > ALONG)
    }

    /// Where a place on the line goes that can only move in a direction.
    fn slid(&self, p: Point, direction: Vector) -> Point {
        p + direction * (self.by.dot(&self.normal) / direction.dot(&self.normal))
    }

    /// An area whose sides along the line go with it: their corners move along the other side.
    fn polygon(&self, polygon: &Polygon, within: impl Fn(Point) -> Point) -> Polygon {
        let corners = polygon.vertices();
        let count = corners.len();
        let moved = corners.iter().enumerate().map(|(i, p)| {
            if !self.holds(*p, self.half_width_mm) {
                return *p;
            }
            let sides = [corners[(i + 1) % count] - p, corners[(i + count - 1) % count] - p];
            match sides.map(|side| self.crosses(side)) {
                // It only touches the line: it is held by other lines.
                [true, true] => *p,
                [true, false] => within(self.slid(*p, sides[0])),
                [false, true] => within(self.slid(*p, sides[1])),
                [false, false] => within(p + self.by),
            }
        });
        Polygon::new(moved.collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::super::{BoardNotes, End, LineRole};
    use super::*;

    fn court() -> Board {
        Board::named_or_at("carrom-court").unwrap()
    }

    fn holds(board: &Board) -> Result<Board, super::super::BoardError> {
        Board::parse(&board.to_toml(&BoardNotes::default()), Path::new("edited"))
    }

    #[test]
    fn every_area_border_of_every_shipped_board_moves_with_its_areas() {
        for board in Board::shipped().unwrap() {
            for (index, line) in board.lines.iter().enumerate() {
                let Paint::Stroke { from, to, .. } = line.paint else { continue };
                let by = Vector::new(3.0, 2.0);
                let moved = board.with_line_moved(index, by).unwrap();
                let Paint::Stroke { from: now, .. } = moved.lines[index].paint else { panic!("a stroke") };
                let normal = Vector::new(-(to - from).y, (to - from).x).normalize();
                assert!(
                    ((now - from).dot(&normal) - by.dot(&normal)).abs() < 1e-6,
                    "{} {}",
                    board.id,
                    line.name
                );
                holds(&moved).unwrap_or_else(|error| panic!("{} {}: {error}", board.id, line.name));
            }
        }
    }

    #[test]
    fn the_other_end_follows_and_keeps_its_mirror() {
        let board = court();
        let index =
            board.lines.iter().position(|l| l.role == LineRole::Foul && l.end == Some(End::Far)).unwrap();
        let moved = board.with_line_moved(index, Vector::new(0.0, 5.0)).unwrap();
        assert!(moved.mirrored_twin(index).is_some());
        assert!(moved.to_toml(&BoardNotes::default()).contains("mirrored = true"));
        assert_eq!(holds(&moved).unwrap().lines.len(), board.lines.len());
    }

    #[test]
    fn a_line_that_bounds_an_area_cannot_go_but_decoration_can() {
        let board = court();
        let needed = board.lines.iter().position(|line| line.role == LineRole::AreaBorder).unwrap();
        assert!(holds(&board.without_line(needed).unwrap()).is_err());
        let icf = Board::named_or_at("carrom-icf").unwrap();
        let decoration = icf.lines.iter().position(|line| line.role == LineRole::Decoration).unwrap();
        assert_eq!(holds(&icf.without_line(decoration).unwrap()).unwrap().lines.len(), icf.lines.len() - 1);
        assert!(board.with_line_moved(999, Vector::zeros()).is_none());
    }
}
