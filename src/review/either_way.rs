//! What the photo comes to if a call had come out one way or the other.
//!
//! The piece is called again by the same rules with that one thing taken as known.

use super::{EitherWay, Evidence, Gap, Outcome, Question, place, words};
use crate::{
    calls::{Call, ContactCall, PaintEdge, Placement, Sighting, call},
    geometry::{Disc, Vector},
    rules::{ColourTally, photo_tally},
    score::{Seen, tally_words},
};

/// How far to the other side of zero a gap is put that is taken as known, in mm: any length that is
/// not zero says the same.
const KNOWN_MM: f64 = 0.01;

/// An order is turned only when the pieces are this near along the board, in mm; farther apart the
/// piece would come to lie in another area.
const TURNED_ORDER_MM: f64 = 5.0;

pub(super) fn either_way(evidence: &Evidence, question: &Question, gap: &Gap) -> EitherWay {
    if let Question::Placement { piece } = *question {
        let placement = evidence.scored.report.pieces[piece].placement;
        let legal = matches!(placement, Some(Placement::BothLines | Placement::Circle));
        let meaning = if legal {
            "So placed, the strike stands. Otherwise it would be a foul (K7): the turn ends and one of the \
             side's pocketed pieces returns."
        } else {
            "So placed, the strike is a foul (K7): the turn ends and one of the side's pocketed pieces \
             returns. Otherwise the strike would stand."
        };
        return EitherWay { below: None, above: None, meaning: meaning.to_owned() };
    }
    // A call that is too close is tallied as the likelier of the two.
    let as_below = match gap.call {
        ContactCall::Touching => true,
        ContactCall::Clear => false,
        ContactCall::TooClose => gap.p_below >= 0.5,
    };
    let outcome = |below: bool| {
        let (points, tally) = turned(evidence, question, gap, below)?;
        let when = if below { &gap.below } else { &gap.above };
        Some(Outcome { when: when.clone(), as_called: below == as_below, points, tally })
    };
    let (below, above) = (outcome(true), outcome(false));
    let meaning = meaning(evidence, question, gap, below.as_ref(), above.as_ref());
    EitherWay { below, above, meaning }
}

/// What the piece scores and the photo's tally when the gap is known to be below zero, or above.
fn turned(
    evidence: &Evidence,
    question: &Question,
    gap: &Gap,
    below: bool,
) -> Option<(Option<i32>, ColourTally)> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let end = scored.report.end;
    let mut called = called(evidence)?;
    let piece = question.piece();
    let seen = scored.seen.get(piece)?;
    let known_mm = if below { -KNOWN_MM } else { KNOWN_MM };
    let recall = |sighting: Sighting, paint: &dyn Fn(usize) -> PaintEdge| {
        let call = call(board, end, &sighting, paint, calls)?;
        Some((sighting, call))
    };
    let moved_by = |way: Vector| {
        let mut sighting = seen.sighting(board);
        sighting.centre += way;
        sighting.covariance = nalgebra::Matrix2::zeros();
        sighting.trusted = true;
        sighting
    };
    let moved = |along_mm: f64| moved_by(place::toward(end) * along_mm);
    called[piece] = match *question {
        Question::Line { line, .. } => {
            let drawn_gap_mm = drawn_gap_mm(evidence, seen, line);
            if drawn_gap_mm > calls.paint_reach_mm {
                // Nobody would say that it touches.
                if below {
                    return None;
                }
                recall(seen.sighting(board), &|line| seen.paint_of(line))?
            } else {
                let known = PaintEdge {
                    nearer_mm: drawn_gap_mm - known_mm,
                    sigma_mm: 0.0,
                    observed: true,
                    piece_sigma_mm: Some(0.0),
                };
                let paint = |asked: usize| if asked == line { known } else { seen.paint_of(asked) };
                recall(Sighting { trusted: true, ..seen.sighting(board) }, &paint)?
            }
        }
        Question::End { .. } => recall(moved(gap.gap_mm - known_mm), &|line| seen.paint_of(line))?,
        Question::Order { .. } if gap.gap_mm.abs() > TURNED_ORDER_MM => {
            if below != (gap.gap_mm <= 0.0) {
                return None;
            }
            called[piece].clone()
        }
        Question::Order { against, .. } => {
            called[against].0.covariance = nalgebra::Matrix2::zeros();
            called[against].0.trusted = true;
            (moved(gap.gap_mm - known_mm), called[piece].1.clone())
        }
        Question::Edge { .. } => {
            let outward = (place::measured(evidence, question)?.ends[1] - seen.measurement.centre)
                .try_normalize(0.0)
                .map_or_else(nalgebra::Vector2::x, |way| way * gap.gap_mm.signum());
            recall(moved_by(outward * (gap.gap_mm - known_mm)), &|line| seen.paint_of(line))?
        }
        Question::Placement { .. } | Question::Colour { .. } => return None,
    };
    let tally = photo_tally(board, scored.report.game, end, &called);
    Some((tally.points.get(piece).copied().flatten(), tally.tally))
}

/// Every piece as it was called.
fn called(evidence: &Evidence) -> Option<Vec<(Sighting, Call)>> {
    let Evidence { board, scored, calls, .. } = *evidence;
    let each = scored.seen.iter().map(|seen| {
        let sighting = seen.sighting(board);
        let call = call(board, scored.report.end, &sighting, &|line| seen.paint_of(line), calls)?;
        Some((sighting, call))
    });
    each.collect()
}

/// What a piece scores and the photo's tally when it is of a kind.
pub(super) fn tally_of_kind(
    evidence: &Evidence,
    piece: usize,
    kind: usize,
) -> Option<(Option<i32>, ColourTally)> {
    let Evidence { board, scored, .. } = *evidence;
    let mut called = called(evidence)?;
    called.get_mut(piece)?.0.kind = board.pieces.get(kind)?.name.clone();
    let tally = photo_tally(board, scored.report.game, scored.report.end, &called);
    Some((tally.points.get(piece).copied().flatten(), tally.tally))
}

fn drawn_gap_mm(evidence: &Evidence, seen: &Seen, line: usize) -> f64 {
    let board = evidence.board;
    let disc = Disc { centre: seen.measurement.centre, radius_mm: place::radius_mm(board, seen) };
    disc.gap_mm(&board.lines[line].paint)
}

fn meaning(
    evidence: &Evidence,
    question: &Question,
    gap: &Gap,
    below: Option<&Outcome>,
    above: Option<&Outcome>,
) -> String {
    let name = words::capital(&words::piece(evidence, question.piece()));
    let (Some(below), Some(above)) = (below, above) else {
        return format!("{name} is so far away that there is no other way to tell it.");
    };
    if below.tally == above.tally {
        return "Either way the tally is the same.".to_owned();
    }
    let (called, other) = if below.as_called { (below, above) } else { (above, below) };
    let as_called = match gap.call {
        ContactCall::TooClose => "Tallied as the likelier",
        _ => "As called",
    };
    let words = |tally| tally_words(tally).replace('-', "\u{2212}");
    format!("{as_called}: {}. The other way: {}.", words(&called.tally), words(&other.tally))
}
