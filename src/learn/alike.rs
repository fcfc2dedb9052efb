//! Which lines of a board are alike: makers repeat what they print on every side, or at both ends.
//!
//! In: a template. Out: for each line, the first one that it repeats and how the surface is turned or mirrored to bring that
//! one onto it ([`Alike`]). What is seen of all of them then says what one is, and an error of the camera, which makes one
//! side's lines too near and the opposite's too far, takes itself out.

use crate::{
    board::Board,
    geometry::{Paint, Point, Vector},
};

/// A way to bring the surface onto itself: x and y are swapped first, then mirrored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    swap: bool,
    mirror_x: bool,
    mirror_y: bool,
}

/// The surface's middle, about which it is turned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Middle(pub Point);

impl Middle {
    pub fn of(board: &Board) -> Self {
        Self(Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0))
    }

    fn turned(self, turn: Turn, p: Point) -> Point {
        let v = p - self.0;
        let v = if turn.swap { Vector::new(v.y, v.x) } else { v };
        self.0 + Vector::new(if turn.mirror_x { -v.x } else { v.x }, if turn.mirror_y { -v.y } else { v.y })
    }

    fn turned_back(self, turn: Turn, p: Point) -> Point {
        let v = p - self.0;
        let v = Vector::new(if turn.mirror_x { -v.x } else { v.x }, if turn.mirror_y { -v.y } else { v.y });
        self.0 + if turn.swap { Vector::new(v.y, v.x) } else { v }
    }

    pub fn turn(self, turn: Turn, paint: &Paint) -> Paint {
        moved(paint, turn.is_mirror(), |p| self.turned(turn, p))
    }

    pub fn turn_back(self, turn: Turn, paint: &Paint) -> Paint {
        moved(paint, turn.is_mirror(), |p| self.turned_back(turn, p))
    }
}

impl Turn {
    const ALL: [Turn; 8] = {
        let mut all = [Turn { swap: false, mirror_x: false, mirror_y: false }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Turn { swap: i & 4 != 0, mirror_x: i & 1 != 0, mirror_y: i & 2 != 0 };
            i += 1;
        }
        all
    };

    /// The ways that bring the surface of `board` onto itself; turns by a quarter only for squares.
    fn of(board: &Board) -> impl Iterator<Item = Turn> {
        let is_square = (board.surface.width_mm / board.surface.length_mm).ln().abs() < SQUARE;
        Self::ALL.into_iter().filter(move |turn| is_square || !turn.swap)
    }

    /// Whether it makes a left hand a right one.
    fn is_mirror(self) -> bool {
        self.swap ^ self.mirror_x ^ self.mirror_y
    }
}

/// Sides that differ by less than this share are those of a square.
const SQUARE: f64 = 0.005;

fn moved(paint: &Paint, is_mirror: bool, at: impl Fn(Point) -> Point) -> Paint {
    match *paint {
        Paint::Stroke { from, to, width_mm } => Paint::Stroke { from: at(from), to: at(to), width_mm },
        Paint::Ring { centre, radius_mm, width_mm } => {
            Paint::Ring { centre: at(centre), radius_mm, width_mm }
        }
        Paint::Spot { centre, radius_mm } => Paint::Spot { centre: at(centre), radius_mm },
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            // A mirrored arc runs the other way, so it starts where it ended.
            let first_rad = if is_mirror { start_rad + sweep_rad } else { start_rad };
            let first = at(centre + Vector::new(first_rad.cos(), first_rad.sin())) - at(centre);
            let start_rad = first.y.atan2(first.x);
            Paint::Arc { centre: at(centre), radius_mm, width_mm, start_rad, sweep_rad }
        }
    }
}

/// What each line of a board repeats.
#[derive(Debug, Clone)]
pub(super) struct Alike {
    /// For each line the first one like it, itself where there is none, and the turns that bring that one onto it.
    of: Vec<(usize, Vec<Turn>)>,
}

impl Alike {
    pub fn of(board: &Board) -> Self {
        let middle = Middle::of(board);
        let turns: Vec<Turn> = Turn::of(board).collect();
        let mut of: Vec<(usize, Vec<Turn>)> = Vec::new();
        for (index, line) in board.lines.iter().enumerate() {
            let ways = |first: usize| -> Vec<Turn> {
                let other = &board.lines[first];
                if (other.role, other.fill.is_some()) != (line.role, line.fill.is_some()) {
                    return Vec::new();
                }
                let lands = |turn: &&Turn| is_same(&middle.turn(**turn, &other.paint), &line.paint);
                turns.iter().filter(lands).copied().collect()
            };
            let firsts = (0..index).filter(|i| of[*i].0 == *i);
            let known = firsts.map(|first| (first, ways(first))).find(|(_, ways)| !ways.is_empty());
            of.push(known.unwrap_or_else(|| (index, ways(index))));
        }
        Self { of }
    }

    /// The lines that no earlier one is like.
    pub fn firsts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.of.len()).filter(|index| self.of[*index].0 == *index)
    }

    /// All lines like `first`, itself included, with the turns that bring it onto each.
    pub fn members(&self, first: usize) -> impl Iterator<Item = (usize, &[Turn])> {
        let is_member = move |(_, (of, _)): &(usize, &(usize, Vec<Turn>))| *of == first;
        self.of.iter().enumerate().filter(is_member).map(|(index, (_, ways))| (index, &ways[..]))
    }
}

/// Whether two lines of a template are one.
fn is_same(a: &Paint, b: &Paint) -> bool {
    const SAME_MM: f64 = 0.6;
    const SAME_RAD: f64 = 0.02;
    let near = |p: Point, q: Point| (p - q).norm() < SAME_MM;
    let same = |a: f64, b: f64| (a - b).abs() < SAME_MM;
    match (*a, *b) {
        (Paint::Stroke { from, to, width_mm }, Paint::Stroke { from: c, to: d, width_mm: w }) => {
            same(width_mm, w) && (near(from, c) && near(to, d) || near(from, d) && near(to, c))
        }
        (Paint::Ring { centre, radius_mm, .. }, Paint::Ring { centre: c, radius_mm: r, .. })
        | (Paint::Spot { centre, radius_mm }, Paint::Spot { centre: c, radius_mm: r }) => {
            near(centre, c) && same(radius_mm, r)
        }
        (
            Paint::Arc { centre, radius_mm, start_rad, sweep_rad, .. },
            Paint::Arc { centre: c, radius_mm: r, start_rad: s, sweep_rad: t, .. },
        ) => {
            let turn = (start_rad - s).rem_euclid(std::f64::consts::TAU);
            near(centre, c)
                && same(radius_mm, r)
                && turn.min(std::f64::consts::TAU - turn) < SAME_RAD
                && (sweep_rad - t).abs() < SAME_RAD
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_is_printed_on_four_sides_is_one_line() {
        let board = Board::named_or_at("carroms-ludington").unwrap();
        let alike = Alike::of(&board);
        let strokes: Vec<usize> =
            alike.firsts().filter(|i| matches!(board.lines[*i].paint, Paint::Stroke { .. })).collect();
        assert_eq!(strokes.len(), 1, "the four base lines are one");
        assert_eq!(alike.members(strokes[0]).count(), 4);
    }

    #[test]
    fn turning_there_and_back_leaves_a_line_as_it_was() {
        let middle = Middle(Point::new(200.0, 370.0));
        let arc = Paint::Arc {
            centre: Point::new(30.0, 70.0),
            radius_mm: 20.0,
            width_mm: 2.0,
            start_rad: 0.3,
            sweep_rad: 4.0,
        };
        let line = Paint::Stroke { from: Point::new(1.0, 2.0), to: Point::new(3.0, 5.0), width_mm: 2.0 };
        for turn in Turn::ALL {
            for paint in [arc, line] {
                assert!(
                    is_same(&middle.turn_back(turn, &middle.turn(turn, &paint)), &paint),
                    "{turn:?} {paint:?}"
                );
            }
        }
    }
}
