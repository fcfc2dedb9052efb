//! What hides part of the board: hands, arms, sleeves, heads.
//!
//! In: the things that stand out of the bare board and are no pieces. Out: the
//! cells under those that come in from the border, and where they are in words. A thing need not
//! reach the picture's edge: an arm is not to be seen before a dark frame.

use super::{
    plan::{Plan, side_of},
    things::Thing,
};
use crate::board::Board;

/// What hides part of the board.
#[derive(Debug, Clone, Default)]
pub struct Hands {
    /// Under a hand, with a seam of a piece's shadow.
    pub over: Vec<bool>,
    /// Cells of the surface that are.
    pub cells: usize,
    /// The side of the board that most of them are at: index into near, right, far, left; `None`: no hand.
    pub side: Option<usize>,
    /// Things of a piece's size or more that look otherwise than the board and are neither pieces nor
    /// hands, in cells.
    pub unexplained: usize,
}

impl Hands {
    /// `things`: what looks otherwise than the bare board and is no piece.
    pub fn find(plan: &Plan, things: &[Thing], board: &Board) -> Self {
        let mut hands = Self { over: vec![false; plan.len()], ..Self::default() };
        // What reaches in less far than a man's radius is the frame's own edge, or its shadow.
        let least_mm = board.pieces.iter().map(|kind| kind.radius_mm()).fold(f64::INFINITY, f64::min);
        let (w, l) = (board.surface.width_mm, board.surface.length_mm);
        let inward_mm = |cell: &usize| {
            let p = plan.point_at(*cell);
            p.x.min(w - p.x).min(p.y).min(l - p.y)
        };
        for thing in things {
            let is_at_border = thing.cells.iter().any(|cell| plan.at_border[*cell]);
            if is_at_border && thing.cells.iter().all(|cell| inward_mm(cell) < least_mm) {
                continue;
            }
            if is_at_border {
                thing.cells.iter().for_each(|cell| hands.over[*cell] = true);
            } else {
                hands.unexplained += thing.cells.len();
            }
        }
        hands.cells = hands.over.iter().filter(|over| **over).count();
        hands.side = hands.side_of(plan, board);
        hands.grow(plan);
        hands
    }

    /// A hand is blurred at its edges and throws a shadow.
    fn grow(&mut self, plan: &Plan) {
        const SEAM: usize = 2;
        for _ in 0..SEAM {
            let before = self.over.clone();
            for cell in (0..before.len()).filter(|cell| before[*cell]) {
                plan.neighbours(cell).for_each(|next| self.over[next] = true);
            }
        }
    }

    /// The side whose border most of it is near.
    fn side_of(&self, plan: &Plan, board: &Board) -> Option<usize> {
        let mut counts = [0usize; 4];
        for cell in (0..plan.len()).filter(|cell| self.over[*cell] && plan.at_border[*cell]) {
            counts[usize::from(side_of(board, plan.point_at(cell)))] += 1;
        }
        (0..4).filter(|side| counts[*side] > 0).max_by_key(|side| (counts[*side], 4 - side))
    }

    /// "a hand covers the left base line", "a hand is over the far side of the board".
    pub fn in_words(&self, plan: &Plan) -> Option<String> {
        let side = self.side?;
        let name = ["near", "right", "far", "left"][side];
        let on_base = |cell: &usize| self.over[*cell] && plan.base_side[*cell] == u8::try_from(side).ok();
        Some(match (0..plan.len()).find(on_base) {
            Some(_) => format!("a hand covers the {name} base line"),
            None => format!("a hand is over the {name} side of the board"),
        })
    }

    pub fn is_there(&self) -> bool {
        self.side.is_some()
    }
}
