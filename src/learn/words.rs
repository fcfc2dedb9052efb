//! What is said of a learned board, in its file and to the person who learned it.

use std::collections::BTreeMap;

use super::{LearnRequest, Tape, View, assemble::is_needed, consensus::Known};
use crate::{
    board::{Board, BoardNotes, Line, LineRole},
    geometry::Paint,
};

/// A line for every part of the template that is not simply there, and for all that was taken up.
pub(super) fn said(
    template: &Board,
    board: &Board,
    known: &[Option<Known>],
    in_view: &[bool],
    view: &View,
    request: &LearnRequest,
) -> Vec<String> {
    let mut said = Vec::new();
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let by = match request.tape {
        Some(Tape::Width(_)) => "its width by tape",
        Some(Tape::Length(_)) => "its length by tape",
        Some(Tape::Piece(_)) => "the diameter of a piece by tape",
        None => "the usual size of this kind of board: measure one length and learn it again",
    };
    said.push(format!("surface {w:.0} x {l:.0} mm, by {by}; known to about {:.1} mm", board.accuracy_mm));
    if view.first.cut_sides > 0 {
        said.push(format!(
            "{} of the surface's sides {} cut off by the picture's border",
            view.first.cut_sides,
            if view.first.cut_sides == 1 { "is" } else { "are" }
        ));
    }
    if board.surface.unseen.is_some() {
        said.push("one end is out of the picture: its lines are taken to mirror those in view".to_owned());
    }
    for ((line, known), in_view) in board.lines.iter().zip(known).zip(in_view) {
        if let Some(words) = fate(line, known.as_ref(), *in_view) {
            said.push(words);
        }
    }
    let seen = known.iter().flatten().filter(|known| known.is_seen).count();
    said.push(format!(
        "{seen} of the {} lines and circles of {} were seen",
        template.lines.len(),
        template.id
    ));
    if let Some(mm) = view.pieces.diameter_mm {
        said.push(format!("pieces {mm:.1} mm across, from {} that lie alone", view.discs.len()));
    } else {
        said.push("no piece was seen that lies alone: their sizes and colours are the template's".to_owned());
    }
    if !view.prints.is_empty() {
        said.push(format!("{} other prints were taken up as decoration", view.prints.len()));
    }
    if let Some(rms_px) = view.rms_px {
        said.push(format!("edges of paint agree to {rms_px:.2} px"));
    }
    said
}

fn fate(line: &Line, known: Option<&Known>, in_view: bool) -> Option<String> {
    let name = &line.name;
    match known {
        Some(known) if known.is_seen => None,
        Some(_) if in_view => {
            Some(format!("{name} is not to be seen; taken to be like the others of its kind"))
        }
        Some(_) => None,
        None if !in_view && line.role != LineRole::Decoration => {
            Some(format!("{name} is out of view: where the template has it"))
        }
        None if !in_view => None,
        None if is_needed(line) => {
            Some(format!("{name} shows no paint: kept where the template has it, as one that may be missing"))
        }
        None => Some(format!("{name} shows no paint: left out")),
    }
}

/// What stands in the board file beside the numbers.
pub(super) fn notes(board: &Board, template: &Board, request: &LearnRequest, said: &[String]) -> BoardNotes {
    let mut head = vec![format!("{}: learned from photos, in the way of {}.", request.name, template.id)];
    head.extend(said.iter().cloned());
    let mut of_named = BTreeMap::new();
    for line in &board.lines {
        let across = match line.paint {
            Paint::Stroke { .. } => "its place across",
            _ => "its centre and size",
        };
        if let Some(mm) = line.accuracy_mm {
            of_named.insert(line.name.clone(), format!("{across} is known to about {mm:.1} mm"));
        }
    }
    BoardNotes { head, of_part: BTreeMap::new(), of_named }
}
