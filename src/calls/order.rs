//! Two pieces against each other: which is farther (L3), which is nearer the line (C1).

use serde::{Deserialize, Serialize};

use super::{
    CallOptions, PaintEdge, Sighting,
    contact::{self, toward},
    doubt::probability_below,
};
use crate::board::{Board, End, LineRole};

/// Which of two pieces is ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderCall {
    First,
    Second,
    /// Without doubt neither.
    Equal,
    TooClose,
}

/// The order of two pieces with its doubt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// How far the first is ahead of the second; negative when behind.
    pub ahead_mm: f64,
    pub sigma_mm: f64,
    pub p_first: f64,
    pub call: OrderCall,
}

impl Order {
    /// The order of two lengths, the first `ahead_mm` better than the second.
    pub(crate) fn of(ahead_mm: f64, sigma_mm: f64, options: &CallOptions) -> Order {
        let equal = ahead_mm == 0.0 && sigma_mm == 0.0;
        let p_first =
            if equal { 0.5 } else { 1.0 - probability_below(ahead_mm, sigma_mm, options.tail_freedom) };
        let call = if equal {
            OrderCall::Equal
        } else if p_first >= options.sure {
            OrderCall::First
        } else if p_first <= 1.0 - options.sure {
            OrderCall::Second
        } else {
            OrderCall::TooClose
        };
        Order { ahead_mm, sigma_mm, p_first, call }
    }
}

/// Which of two pieces lies farther toward `end`, by their centres.
pub fn farther(end: End, first: &Sighting, second: &Sighting, options: &CallOptions) -> Order {
    let along = toward(end);
    let ahead_mm = (first.centre - second.centre).dot(&along);
    let sigma_mm = first.sigma_along_mm(along, options).hypot(second.sigma_along_mm(along, options));
    Order::of(ahead_mm, sigma_mm, options)
}

/// The lag (C1): whose puck is nearer the foul line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LagCall {
    /// Rim to paint of each puck, 0 when touching.
    pub first_mm: f64,
    pub second_mm: f64,
    pub order: Order,
}

/// Calls the lag to `end`'s foul line. `paint` is asked by line and piece (0 the first, 1 the
/// second). `None` where a piece is unknown or the board has no foul line.
pub fn lag(
    board: &Board,
    end: End,
    first: &Sighting,
    second: &Sighting,
    paint: &dyn Fn(usize, usize) -> PaintEdge,
    options: &CallOptions,
) -> Option<LagCall> {
    let foul = board
        .lines
        .iter()
        .position(|line| line.role == LineRole::Foul && line.end.is_none_or(|e| e == end))?;
    let meet = |piece: usize, sighting: &Sighting| {
        let radius_mm = board.piece(&sighting.kind)?.radius_mm();
        let edge = |line: usize| paint(line, piece);
        Some(contact::meet(board, foul, end, sighting, radius_mm, &edge, options))
    };
    let (one, two) = (meet(0, first)?, meet(1, second)?);
    let sigma_mm = one.sigma_mm.hypot(two.sigma_mm);
    let (first_mm, second_mm) = (one.gap_mm.max(0.0), two.gap_mm.max(0.0));
    // When both touch, the centre nearer the line's middle wins. For pucks of one size that is the
    // more negative gap, so the signed gaps order every case.
    let ahead_mm = two.gap_mm - one.gap_mm;
    Some(LagCall { first_mm, second_mm, order: Order::of(ahead_mm, sigma_mm, options) })
}
