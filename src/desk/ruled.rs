//! What people ruled about the pieces of a view: inside a proposal, by an overrule, by a correction, by upholding a call.
//! Their word is the call from then on, on every page; what was measured stays beside it.
//!
//! In: the view, and the event as it stands. Out: for each piece of the view, a person's ruling where there is one.

use serde::Serialize;

use super::{
    flip::{self, Flip},
    frame_event,
};
use crate::{
    calls::{ContactCall, PieceState},
    ledger::{CallId, Content, Decided, Entry, Ruling},
    rules::{
        BySide, Event, GameId, Record,
        event::{FrameEvent, FramePiece},
    },
    score::{PhotoReport, PieceReport},
};

/// A person's word about a piece.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ruled {
    pub by: String,
    /// Where it counts now.
    pub area: Option<String>,
    /// What it scores there; not known where that depends on the others (L3).
    pub points: Option<i32>,
    /// What its contact with the line is now; nothing where the ruling was about something else.
    pub contact: Option<ContactCall>,
    /// What was measured.
    pub measured: Option<ContactCall>,
    /// Whether it is not as vision had it.
    pub changed: bool,
}

/// The rulings on a view's pieces, in their order. `entry` is the event's, `entries` are those of the match.
pub(super) fn rulings(
    record: &Record,
    entries: &[&Entry],
    entry: &Entry,
    report: &PhotoReport,
) -> Vec<Option<Ruled>> {
    let none = vec![None; report.pieces.len()];
    let Some((number, _)) = entry.event() else { return none };
    let Some(Event::Frame(frame)) = record.standing(number) else { return none };
    let of = Flip { frame, setup: record.state().setup(), colours: record.colours_at(number) };
    let places = flip::places(&of, &report.pieces);
    let asked = Asked::of(entries, entry);
    let changed_by = changed_by(record, entries, entry, number);
    let one = |(index, piece): (usize, &PieceReport)| {
        let call = CallId { match_number: entry.match_number, event: number, piece: piece.id };
        let upheld = entries.iter().rev().find_map(|entry| match &entry.content {
            Content::Verdict(verdict) if verdict.call == call && verdict.ruling == Ruling::Upheld => {
                Some(verdict.by.clone())
            }
            _ => None,
        });
        let told = &frame.pieces[places[index]?];
        let as_seen = as_seen(&of, report, index)?;
        if same_place(told, &as_seen) {
            let by = upheld.or_else(|| asked.confirmed(piece.id))?;
            return Some(as_tallied(piece, by));
        }
        // Only people put another piece in the place of one that was seen.
        changed_by.clone().map(|by| otherwise(&of, piece, told, by))
    };
    report.pieces.iter().enumerate().map(one).collect()
}

/// What was asked about, and who answered.
struct Asked {
    pieces: Vec<usize>,
    by: Option<String>,
}

impl Asked {
    fn of(entries: &[&Entry], entry: &Entry) -> Asked {
        let nothing = Asked { pieces: Vec::new(), by: None };
        let Some(id) = entry.refers else { return nothing };
        let of_id = |content: fn(&Content) -> bool| {
            entries
                .iter()
                .find(move |entry| (entry.seq == id || entry.refers == Some(id)) && content(&entry.content))
        };
        let proposal = of_id(|content| matches!(content, Content::Proposal(_)));
        let decision = of_id(
            |content| matches!(content, Content::Decision(d) if matches!(d.decided, Decided::Confirmed | Decided::Corrected)),
        );
        let (Some(proposal), Some(decision)) = (proposal, decision) else { return nothing };
        let Content::Proposal(proposed) = &proposal.content else { return nothing };
        let pieces = proposed.doubts.iter().filter_map(|doubt| doubt.piece).collect();
        Asked { pieces, by: decision.author.person().map(str::to_owned) }
    }

    fn confirmed(&self, piece: usize) -> Option<String> {
        self.by.clone().filter(|_| self.pieces.contains(&piece))
    }
}

/// Who had the event otherwise than vision did: by the last correction that stands, else as it was recorded.
fn changed_by(record: &Record, entries: &[&Entry], entry: &Entry, number: usize) -> Option<String> {
    let stands = record.standing_all();
    let correction = entries.iter().rev().find_map(|entry| match entry.event() {
        Some((own, Event::Overrule(overrule)))
            if overrule.event == number && stands.get(&own).is_some_and(Option::is_some) =>
        {
            Some(overrule.by.clone().or_else(|| entry.author.person().map(str::to_owned)))
        }
        _ => None,
    });
    correction.flatten().or_else(|| entry.author.person().map(str::to_owned))
}

/// The piece as vision would have told it.
fn as_seen(of: &Flip<'_>, report: &PhotoReport, index: usize) -> Option<FramePiece> {
    let mut alone = report.clone();
    alone.pieces = vec![report.pieces[index].clone()];
    frame_event(&alone, of.setup, of.colours).pieces.into_iter().next()
}

fn same_place(told: &FramePiece, seen: &FramePiece) -> bool {
    let is_touching = |piece: &FramePiece| piece.touching == Some(true);
    told.area == seen.area
        && is_touching(told) == is_touching(seen)
        && told.x_mm == seen.x_mm
        && told.y_mm == seen.y_mm
}

fn as_tallied(piece: &PieceReport, by: String) -> Ruled {
    let measured = piece.contact.as_ref().map(|contact| contact.call);
    let tallied = if frame_event::is_touching(piece) { ContactCall::Touching } else { ContactCall::Clear };
    let contact = measured.map(|_| tallied);
    Ruled { by, area: piece.area.clone(), points: piece.points, contact, measured, changed: false }
}

fn otherwise(of: &Flip<'_>, piece: &PieceReport, told: &FramePiece, by: String) -> Ruled {
    let measured = piece.contact.as_ref().map(|contact| contact.call);
    let is_turned = flip::turned(of, piece).iter().any(|way| same_place(told, way));
    let turned = match frame_event::is_touching(piece) {
        true => ContactCall::Clear,
        false => ContactCall::Touching,
    };
    let (area, touching) = match &told.area {
        Some(area) => (area.clone(), told.touching == Some(true)),
        None => (piece.area.clone(), false),
    };
    let points = (of.setup.game != GameId::LongBoard).then(|| of.area_points(area.as_deref(), touching));
    Ruled {
        by,
        area,
        points,
        contact: measured.filter(|_| is_turned).map(|_| turned),
        measured,
        changed: true,
    }
}

impl Flip<'_> {
    /// What a piece scores that lies in an area, or touches that area's line.
    fn area_points(&self, area: Option<&str>, touching: bool) -> i32 {
        let board = &self.setup.board;
        let Some(name) = area else { return 0 };
        if let Some(hanging) = board.hanging.as_ref().filter(|hanging| hanging.area == name) {
            return hanging.value;
        }
        let value =
            board.areas_at(self.frame.end).find(|known| known.name == name).map_or(0, |area| area.value);
        if touching { 0 } else { value }
    }
}

/// Where the pieces of a frame were seen: for each of the frame's, the view's, where it is one of them.
pub fn seen_places(
    record: &Record,
    number: Option<usize>,
    frame: &FrameEvent,
    view: &[PieceReport],
) -> Vec<Option<usize>> {
    let colours: &BySide<String> = record.colours_at(number.unwrap_or(usize::MAX));
    let of = Flip { frame, setup: record.state().setup(), colours };
    let mut seen = vec![None; frame.pieces.len()];
    for (index, place) in flip::places(&of, view).into_iter().enumerate() {
        if let Some(place) = place.filter(|_| view[index].state != PieceState::Stacked) {
            seen[place] = Some(index);
        }
    }
    seen
}
