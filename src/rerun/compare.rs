//! Two reports of one view, call by call.

use serde::Serialize;

use crate::{
    calls::{Contact, PieceState, Placement},
    rules::ColourTally,
    score::{PhotoReport, PieceReport},
};

/// Two pieces of one colour farther apart than this, in mm, are two pieces.
const SAME_PIECE_MM: f64 = 10.0;

/// Gaps are printed to so many mm; less is no difference.
const LEAST_MM: f64 = 0.0005;

/// What a re-analysis of one view came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ViewComparison {
    /// Pieces of either report, those of the recorded one first, in its order.
    pub calls: Vec<CallChange>,
    pub tally: ColourTally,
    pub new_tally: ColourTally,
    /// Whether a call or the tally differs. Numbers that move without changing a call do not count.
    pub differs: bool,
}

/// One piece then and now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallChange {
    /// Its number in the recorded report; absent for a piece that was not seen then.
    pub piece: Option<usize>,
    /// Its number in the new report; absent for a piece that is not seen now.
    pub new_piece: Option<usize>,
    pub colour: String,
    pub then: Option<CallThen>,
    pub now: Option<CallThen>,
    /// How far the centre moved.
    pub moved_mm: Option<f64>,
    /// How much the gap to the same line changed.
    pub gap_change_mm: Option<f64>,
    /// Whether the call differs.
    pub differs: bool,
}

/// What was said about a piece.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallThen {
    pub state: PieceState,
    pub area: Option<String>,
    pub points: Option<i32>,
    pub contact: Option<Contact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
}

impl CallThen {
    fn of(piece: &PieceReport) -> CallThen {
        CallThen {
            state: piece.state,
            area: piece.area.clone(),
            points: piece.points,
            contact: piece.contact.clone(),
            placement: piece.placement,
        }
    }

    /// Whether the same would be said aloud.
    fn same_call(&self, other: &CallThen) -> bool {
        let said = |call: &CallThen| call.contact.as_ref().map(|contact| contact.call);
        self.state == other.state
            && self.area == other.area
            && self.points == other.points
            && self.placement == other.placement
            && said(self) == said(other)
    }
}

/// Compares what was recorded with what comes out now.
pub fn compare(recorded: &PhotoReport, now: &PhotoReport) -> ViewComparison {
    let partners = partners(recorded, now);
    let mut calls: Vec<CallChange> = recorded
        .pieces
        .iter()
        .zip(&partners)
        .map(|(piece, partner)| change(Some(piece), partner.map(|index| &now.pieces[index])))
        .collect();
    let seen_then = |index: usize| partners.contains(&Some(index));
    let new = now.pieces.iter().enumerate().filter(|(index, _)| !seen_then(*index));
    calls.extend(new.map(|(_, piece)| change(None, Some(piece))));
    let differs = calls.iter().any(|call| call.differs) || recorded.tally != now.tally;
    ViewComparison { calls, tally: recorded.tally.clone(), new_tally: now.tally.clone(), differs }
}

/// For every recorded piece the new one at its place: the nearest pairs of one colour first.
pub(super) fn partners(recorded: &PhotoReport, now: &PhotoReport) -> Vec<Option<usize>> {
    let distance = |a: &PieceReport, b: &PieceReport| (a.x_mm - b.x_mm).hypot(a.y_mm - b.y_mm);
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (i, then) in recorded.pieces.iter().enumerate() {
        for (j, now) in now.pieces.iter().enumerate() {
            let apart_mm = distance(then, now);
            if then.colour == now.colour && apart_mm <= SAME_PIECE_MM {
                pairs.push((apart_mm, i, j));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut partners = vec![None; recorded.pieces.len()];
    for (_, i, j) in pairs {
        if partners[i].is_none() && !partners.contains(&Some(j)) {
            partners[i] = Some(j);
        }
    }
    partners
}

fn change(then: Option<&PieceReport>, now: Option<&PieceReport>) -> CallChange {
    let colour = then.or(now).map_or(String::new(), |piece| piece.colour.clone());
    let both = then.zip(now);
    let gap = both.and_then(|(then, now)| then.contact.as_ref().zip(now.contact.as_ref()));
    let gap_change_mm = gap.filter(|(a, b)| a.line == b.line).map(|(a, b)| thousandths(b.gap_mm - a.gap_mm));
    let (then_call, now_call) = (then.map(CallThen::of), now.map(CallThen::of));
    let differs = match (&then_call, &now_call) {
        (Some(then), Some(now)) => !then.same_call(now),
        _ => true,
    };
    CallChange {
        piece: then.map(|piece| piece.id),
        new_piece: now.map(|piece| piece.id),
        colour,
        moved_mm: both.map(|(a, b)| thousandths((a.x_mm - b.x_mm).hypot(a.y_mm - b.y_mm))),
        gap_change_mm,
        then: then_call,
        now: now_call,
        differs,
    }
}

fn thousandths(mm: f64) -> f64 {
    if mm.abs() < LEAST_MM { 0.0 } else { (mm * 1e3).round() / 1e3 }
}
