//! Rim against paint: signed gaps to the lines that matter for a piece.

use super::{CallOptions, Contact, ContactCall, Lying, PaintEdge, Sighting, doubt};
use crate::{
    board::{Board, End, LineRole},
    geometry::{Disc, Paint, Vector},
};

/// One line as one piece meets it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    /// Index into the board's lines.
    pub line: usize,
    pub gap_mm: f64,
    pub sigma_mm: f64,
    pub p_touching: f64,
    pub call: ContactCall,
    /// Whether a piece that touches it scores differently.
    pub scores: bool,
    /// Whether the piece's centre lies on the scoring end's side of the line.
    pub beyond: bool,
}

impl Meeting {
    pub fn contact(&self, board: &Board) -> Contact {
        Contact {
            line: board.lines[self.line].name.clone(),
            gap_mm: self.gap_mm,
            sigma_mm: self.sigma_mm,
            p_touching: self.p_touching,
            call: self.call,
        }
    }
}

/// The way a shooter plays who plays to `end`.
pub(super) fn toward(end: End) -> Vector {
    match end {
        End::Far => Vector::y(),
        End::Near => -Vector::y(),
    }
}

/// Which gaps are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gaps {
    /// Every one, to be told.
    All,
    /// Not those of lines that a piece plainly clears: theirs count as infinite, unless areas are
    /// entered over lines and the gaps order them.
    Near,
}

/// Every line of `end` that can decide something, as the piece meets it, in place of what `meetings`
/// held.
#[allow(clippy::too_many_arguments)]
pub(super) fn lines_that_matter(
    board: &Board,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    paint: &dyn Fn(usize) -> PaintEdge,
    gaps: Gaps,
    options: &CallOptions,
    meetings: &mut Vec<Meeting>,
) {
    let may_skip = gaps == Gaps::Near && board.areas.iter().all(|area| area.clears.is_none());
    let clears_mm = if may_skip { lying.plainly_clears_mm(options) } else { None };
    let is_far = |paint: &Paint| {
        clears_mm.is_some_and(|clears_mm| paint.is_beyond(lying.centre, radius_mm + clears_mm))
    };
    meetings.clear();
    for (index, line) in board.lines.iter().enumerate() {
        if line.role == LineRole::Decoration || line.end.is_some_and(|e| e != end) {
            continue;
        }
        meetings.push(if is_far(&line.paint) {
            far(board, index, end, lying)
        } else {
            meet_lying(board, index, end, lying, radius_mm, paint, options)
        });
    }
}

/// A line that is plainly cleared.
fn far(board: &Board, index: usize, end: End, lying: &Lying) -> Meeting {
    let line = &board.lines[index];
    // Only of foul lines it matters which side of them a piece is on.
    let beyond = line.role == LineRole::Foul && is_beyond(&line.paint, end, lying);
    let scores = scores(line.role);
    let (gap_mm, sigma_mm, p_touching, call) = (f64::INFINITY, 0.0, 0.0, ContactCall::Clear);
    Meeting { line: index, gap_mm, sigma_mm, p_touching, call, scores, beyond }
}

/// Whether a piece's centre lies on the scoring end's side of a line.
fn is_beyond(paint: &Paint, end: End, lying: &Lying) -> bool {
    (lying.centre - paint.nearest_on_middle(lying.centre)).dot(&toward(end)) > 0.0
}

/// Whether a piece that touches a line scores differently.
fn scores(role: LineRole) -> bool {
    matches!(role, LineRole::AreaBorder | LineRole::Foul)
}

/// One line as the piece meets it.
pub(super) fn meet(
    board: &Board,
    index: usize,
    end: End,
    sighting: &Sighting,
    radius_mm: f64,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Meeting {
    meet_lying(board, index, end, &sighting.lying(), radius_mm, paint, options)
}

fn meet_lying(
    board: &Board,
    index: usize,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Meeting {
    let shape = &board.lines[index].paint;
    let drawn_gap_mm = Disc { centre: lying.centre, radius_mm }.gap_mm(shape);
    let edge = if drawn_gap_mm <= options.paint_reach_mm { paint(index) } else { PaintEdge::default() };
    let gap_mm = drawn_gap_mm - edge.nearer_mm;
    let piece_sigma_mm = match edge.piece_sigma_mm {
        Some(sigma_mm) if lying.trusted => sigma_mm,
        _ if lying.is_exact => 0.0,
        _ => lying.sigma_along_mm(shape.outward(lying.centre), options),
    };
    let sigma_mm = piece_sigma_mm.hypot(edge.sigma_mm);
    let p_touching = doubt::probability_below(gap_mm, sigma_mm, options.tail_freedom);
    Meeting {
        line: index,
        gap_mm,
        sigma_mm,
        p_touching,
        call: doubt::contact_call(p_touching, options),
        scores: scores(board.lines[index].role),
        beyond: is_beyond(shape, end, lying),
    }
}

/// The line that decides: one that is certainly touched, else the one most likely touched of those
/// too close to call, else the nearest.
pub(super) fn deciding_meeting<'a>(lines: impl Iterator<Item = &'a Meeting> + Clone) -> Option<&'a Meeting> {
    let of = |call: ContactCall| lines.clone().filter(move |m| m.call == call);
    let deepest = |a: &&Meeting, b: &&Meeting| a.gap_mm.total_cmp(&b.gap_mm);
    of(ContactCall::Touching)
        .min_by(deepest)
        .or_else(|| of(ContactCall::TooClose).max_by(|a, b| a.p_touching.total_cmp(&b.p_touching)))
        .or_else(|| lines.clone().min_by(deepest))
}

pub(super) fn deciding(board: &Board, lines: &[Meeting]) -> Option<Contact> {
    deciding_meeting(lines.iter()).map(|meeting| meeting.contact(board))
}

/// The open end's name beside those of lines.
pub(super) const OPEN_END: &str = "end";

/// The open end as the piece meets it, where the board scores hanging pieces (L5).
pub(super) fn overhang(
    board: &Board,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    options: &CallOptions,
) -> Option<Contact> {
    let (gap_mm, sigma_mm, p_touching) = p_hanging(board, end, lying, radius_mm, options)?;
    let call = doubt::contact_call(p_touching, options);
    Some(Contact { line: OPEN_END.to_owned(), gap_mm, sigma_mm, p_touching, call })
}

/// The call alone.
pub(super) fn overhang_call(
    board: &Board,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    options: &CallOptions,
) -> Option<ContactCall> {
    let (_, _, p_touching) = p_hanging(board, end, lying, radius_mm, options)?;
    Some(doubt::contact_call(p_touching, options))
}

/// Gap to the open end, its sigma, and how likely the piece hangs over it; `None` where the board does
/// not score hanging pieces.
pub(super) fn p_hanging(
    board: &Board,
    end: End,
    lying: &Lying,
    radius_mm: f64,
    options: &CallOptions,
) -> Option<(f64, f64, f64)> {
    board.hanging.as_ref()?;
    let to_edge_mm = match end {
        End::Far => board.surface.length_mm - lying.centre.y,
        End::Near => lying.centre.y,
    };
    let gap_mm = to_edge_mm - radius_mm;
    let sigma_mm = lying.sigma_along_mm(toward(end), options);
    // Reaching the edge is not yet passing it, so exactly at the edge the piece does not hang.
    let p_touching = 1.0 - doubt::probability_below(-gap_mm, sigma_mm, options.tail_freedom);
    Some((gap_mm, sigma_mm, p_touching))
}
