//! Boards that look the same after a quarter turn.

use super::truth::Truth;
use crate::{
    board::Board,
    geometry::{Paint, Point},
};

/// Lines that end this near to each other are the same, in mm: makers' four sides are alike to about a
/// millimetre, and nobody reads a board turned by less than its lines' width.
const SAME_MM: f64 = 3.0;

/// The numbers of quarter turns after which the board's lines cover themselves, 0 first. A board
/// with two ends has a far and a near one, so only 0.
pub(super) fn quarter_turns(board: &Board) -> Vec<usize> {
    let fits = |turns: &usize| {
        *turns == 0
            || (!board.is_two_ended()
                && board.areas.is_empty()
                && board.lines.iter().all(|line| {
                    let turned = landmarks(&line.paint).map(|p| turn(p, board, *turns));
                    board.lines.iter().any(|other| same(turned, landmarks(&other.paint)))
                }))
    };
    (0..4).filter(fits).collect()
}

/// The truth as it is read when the board is taken to lie turned.
pub(super) fn turned(truth: &Truth, board: &Board, turns: usize) -> Truth {
    let mut truth = truth.clone();
    for piece in &mut truth.pieces {
        let at = turn(Point::new(piece.x_mm, piece.y_mm), board, turns);
        (piece.x_mm, piece.y_mm) = (at.x, at.y);
    }
    truth
}

/// Counter-clockwise quarter turns about the middle. Only square boards have odd ones.
fn turn(p: Point, board: &Board, turns: usize) -> Point {
    let middle = Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0);
    (0..turns).fold(p, |p, _| Point::new(middle.x - (p.y - middle.y), middle.y + (p.x - middle.x)))
}

fn landmarks(paint: &Paint) -> [Point; 2] {
    match *paint {
        Paint::Stroke { from, to, .. } => [from, to],
        Paint::Ring { centre, .. } | Paint::Arc { centre, .. } | Paint::Spot { centre, .. } => [centre; 2],
    }
}

fn same([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let near = |p: Point, q: Point| (p - q).norm() < SAME_MM;
    (near(a, c) && near(b, d)) || (near(a, d) && near(b, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_boards_have_four_readings_and_boards_with_ends_one() {
        for (id, turns) in
            [("carrom-icf", 4), ("carroms-ludington", 4), ("carrom-court", 1), ("carrom-long-board", 1)]
        {
            let board = Board::named_or_at(id).expect("a shipped board");
            assert_eq!(quarter_turns(&board).len(), turns, "{id}");
        }
    }
}
