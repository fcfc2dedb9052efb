//! What can be asked about a piece, the closest first.

use super::{Evidence, ReviewError, colour, place, words};
use crate::{
    board::LineRole,
    calls::{ContactCall, PieceState},
    rules::GameId,
};

/// A call that can be reviewed. Pieces and lines are indices into the photo's and the board's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Does the piece touch the line?
    Line { piece: usize, line: usize },
    /// Does it hang over the end that is played to?
    End { piece: usize },
    /// Is it ahead of another side's piece (L3)?
    Order { piece: usize, against: usize },
    /// Is the striker placed as K2 asks?
    Placement { piece: usize },
    /// Is it still in play: its centre on the board, and over no pocket?
    Edge { piece: usize },
    /// Is it of the kind that it was taken for, or of another one (an index into the board's)?
    Colour { piece: usize, other: usize },
}

impl Question {
    pub fn piece(&self) -> usize {
        match *self {
            Question::Line { piece, .. }
            | Question::End { piece }
            | Question::Order { piece, .. }
            | Question::Placement { piece }
            | Question::Edge { piece }
            | Question::Colour { piece, .. } => piece,
        }
    }

    /// What a command line calls it: a line's name, `end`, `order`, `placement`, `edge`, `colour blue`.
    pub fn name(&self, evidence: &Evidence) -> String {
        match *self {
            Question::Line { line, .. } => evidence.board.lines[line].name.clone(),
            Question::End { .. } => "end".to_owned(),
            Question::Order { .. } => "order".to_owned(),
            Question::Placement { .. } => "placement".to_owned(),
            Question::Edge { .. } => "edge".to_owned(),
            Question::Colour { other, .. } => {
                format!("{}{}", colour::ABOUT, evidence.board.pieces[other].name)
            }
        }
    }
}

/// Everything that can be asked about a piece: what the tally doubts first, then by how many sigmas
/// the answer is sure.
pub fn questions(evidence: &Evidence, piece: usize) -> Vec<Question> {
    let mut all = Vec::new();
    let Some(report) = evidence.scored.report.pieces.get(piece) else { return all };
    let board = evidence.board;
    let end = evidence.scored.report.end;
    if report.placement.is_some() {
        all.push(Question::Placement { piece });
    }
    if report.overhang.is_some() {
        all.push(Question::End { piece });
    }
    let decides =
        |line: &crate::board::Line| line.role != LineRole::Decoration && line.end.is_none_or(|e| e == end);
    let deciding = report.contact.as_ref().map(|contact| contact.line.as_str());
    for (line, drawn) in board.lines.iter().enumerate().filter(|(_, line)| decides(line)) {
        let question = Question::Line { piece, line };
        let near = || {
            let reach_mm = evidence.calls.paint_reach_mm;
            place::measured(evidence, &question).is_some_and(|m| m.gap.gap_mm.abs() <= reach_mm)
        };
        if Some(drawn.name.as_str()) == deciding || near() {
            all.push(question);
        }
    }
    all.extend(order(evidence, piece));
    let edge = Question::Edge { piece };
    let is_near_edge = |gap_mm: f64| gap_mm <= evidence.calls.paint_reach_mm;
    if place::measured(evidence, &edge).is_some_and(|measured| is_near_edge(measured.gap.gap_mm)) {
        all.push(edge);
    }
    all.extend(colour::questions(evidence, piece));
    // A stable sort: equally sure ones keep the order above.
    let mut ranked: Vec<(Rank, Question)> =
        all.into_iter().filter_map(|question| Some((rank(evidence, &question)?, question))).collect();
    // A striker's lines and moons decide only together.
    let is_part =
        |question: &Question| report.placement.is_some() && !matches!(question, Question::Placement { .. });
    ranked.sort_by(|a, b| {
        let by_closeness = a.0.doubted.cmp(&b.0.doubted).then(a.0.sigmas.total_cmp(&b.0.sigmas));
        is_part(&a.1).cmp(&is_part(&b.1)).then(by_closeness)
    });
    ranked.into_iter().map(|(_, question)| question).collect()
}

/// The closest call of the photo.
pub fn closest(evidence: &Evidence) -> Result<Question, ReviewError> {
    (0..evidence.scored.report.pieces.len())
        .filter_map(|piece| questions(evidence, piece).into_iter().next())
        .filter_map(|question| Some((rank(evidence, &question)?, question)))
        .min_by(|a, b| a.0.doubted.cmp(&b.0.doubted).then(a.0.sigmas.total_cmp(&b.0.sigmas)))
        .map(|(_, question)| question)
        .ok_or(ReviewError::NoPieces)
}

/// The question about a piece (its id in the report), by name where one is given.
pub(super) fn find(evidence: &Evidence, id: usize, about: Option<&str>) -> Result<Question, ReviewError> {
    let pieces = &evidence.scored.report.pieces;
    if pieces.is_empty() {
        return Err(ReviewError::NoPieces);
    }
    let Some(piece) = pieces.iter().position(|piece| piece.id == id) else {
        let expected: Vec<String> = pieces
            .iter()
            .map(|p| format!("{} ({} at {:.0}, {:.0})", p.id, p.colour, p.x_mm, p.y_mm))
            .collect();
        return Err(ReviewError::NoPiece { piece: id, expected: expected.join(", ") });
    };
    let all = questions(evidence, piece);
    let asked = |question: &&Question| about.is_none_or(|about| question.name(evidence) == about);
    all.iter().find(asked).copied().ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|question| question.name(evidence)).collect();
        ReviewError::NoQuestion {
            piece: words::piece(evidence, piece),
            asked: about.unwrap_or("anything").to_owned(),
            expected: if names.is_empty() {
                "nothing, it is not called".to_owned()
            } else {
                names.join(", ")
            },
        }
    })
}

/// How close a call is.
struct Rank {
    /// 0: its other outcome would change the tally; 1: too close, but the tally stands; 2: called.
    doubted: u8,
    sigmas: f64,
}

fn rank(evidence: &Evidence, question: &Question) -> Option<Rank> {
    if let Question::Colour { piece, .. } = *question {
        return Some(Rank { doubted: 0, sigmas: colour::sigmas(evidence, piece) });
    }
    let measured = place::measured(evidence, question)?;
    let (piece, name) = (question.piece() + 1, question.name(evidence));
    let against = match question {
        Question::Order { against, .. } => Some(against + 1),
        _ => None,
    };
    let in_tally = evidence.scored.report.doubts.iter().any(|doubt| match (against, doubt.against) {
        (Some(one), Some(other)) => {
            (doubt.piece, other) == (piece, one) || (doubt.piece, other) == (one, piece)
        }
        (None, None) => doubt.piece == piece && doubt.about == name,
        _ => false,
    });
    let open = match question {
        Question::Placement { piece } => evidence.scored.report.pieces[*piece].is_placement_open(),
        _ => measured.gap.call == ContactCall::TooClose,
    };
    let doubted = if in_tally {
        0
    } else if open {
        1
    } else {
        2
    };
    Some(Rank { doubted, sigmas: measured.gap.gap_mm.abs() / measured.gap.sigma_mm.max(f64::MIN_POSITIVE) })
}

/// The other colour's piece that is nearest along the board, in the game that asks for the order.
fn order(evidence: &Evidence, piece: usize) -> Option<Question> {
    let report = &evidence.scored.report;
    let in_play = |index: usize| matches!(report.pieces[index].state, PieceState::Live | PieceState::Hanging);
    if report.game != GameId::LongBoard || !in_play(piece) {
        return None;
    }
    let apart_mm = |other: usize| (report.pieces[other].y_mm - report.pieces[piece].y_mm).abs();
    let against = (0..report.pieces.len())
        .filter(|other| report.pieces[*other].colour != report.pieces[piece].colour && in_play(*other))
        .min_by(|a, b| apart_mm(*a).total_cmp(&apart_mm(*b)))?;
    Some(Question::Order { piece, against })
}
