//! Rim against paint: signed gaps to the lines that matter for a piece.

use super::{CallOptions, Contact, ContactCall, PaintEdge, Sighting, doubt};
use crate::{
    board::{Board, End, LineRole},
    geometry::{Disc, Vector},
};

/// One line as one piece meets it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
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

/// Every line of `end` that can decide something, as the piece meets it.
pub(super) fn lines_that_matter(
    board: &Board,
    end: End,
    sighting: &Sighting,
    radius_mm: f64,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Vec<Meeting> {
    let matters = |index: &usize| {
        let line = &board.lines[*index];
        line.role != LineRole::Decoration && line.end.is_none_or(|e| e == end)
    };
    (0..board.lines.len())
        .filter(matters)
        .map(|index| meet(board, index, end, sighting, radius_mm, paint, options))
        .collect()
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
    let shape = &board.lines[index].paint;
    let drawn_gap_mm = Disc { centre: sighting.centre, radius_mm }.gap_mm(shape);
    let edge = if drawn_gap_mm <= options.paint_reach_mm { paint(index) } else { PaintEdge::default() };
    let gap_mm = drawn_gap_mm - edge.nearer_mm;
    let piece_sigma_mm = match edge.piece_sigma_mm {
        Some(sigma_mm) if sighting.trusted => sigma_mm,
        _ => sighting.sigma_along_mm(shape.outward(sighting.centre), options),
    };
    let sigma_mm = piece_sigma_mm.hypot(edge.sigma_mm);
    let p_touching = doubt::probability_below(gap_mm, sigma_mm, options.tail_freedom);
    let from_line = sighting.centre - shape.nearest_on_middle(sighting.centre);
    Meeting {
        line: index,
        gap_mm,
        sigma_mm,
        p_touching,
        call: doubt::contact_call(p_touching, options),
        scores: matches!(board.lines[index].role, LineRole::AreaBorder | LineRole::Foul),
        beyond: from_line.dot(&toward(end)) > 0.0,
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

/// The open end as the piece meets it, where the board scores hanging pieces (L5).
pub(super) fn overhang(
    board: &Board,
    end: End,
    sighting: &Sighting,
    radius_mm: f64,
    options: &CallOptions,
) -> Option<Contact> {
    board.hanging.as_ref()?;
    let to_edge_mm = distance_to_end_mm(board, end, sighting);
    let gap_mm = to_edge_mm - radius_mm;
    let sigma_mm = sighting.sigma_along_mm(toward(end), options);
    // Reaching the edge is not yet passing it, so exactly at the edge the piece does not hang.
    let p_touching = 1.0 - doubt::probability_below(-gap_mm, sigma_mm, options.tail_freedom);
    let call = doubt::contact_call(p_touching, options);
    Some(Contact { line: "end".to_owned(), gap_mm, sigma_mm, p_touching, call })
}

/// From the centre to the edge of the surface at `end`, negative beyond it.
pub(super) fn distance_to_end_mm(board: &Board, end: End, sighting: &Sighting) -> f64 {
    match end {
        End::Far => board.surface.length_mm - sighting.centre.y,
        End::Near => sighting.centre.y,
    }
}
