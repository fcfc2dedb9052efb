//! The other way of a call: what a frame is when a referee overrules one piece of it.

mod line;
mod order;

use super::{DeskError, frame_event};
use crate::{
    calls::PieceState,
    ledger::{CallId, Entry},
    rules::{
        BySide, Event, GameId, Record, Setup,
        event::{FrameEvent, FramePiece},
    },
    score::{PhotoReport, PieceReport},
};

/// How far from a line, or from another's front, a ruled piece is put where it must have a place, in
/// mm: as little as tells one from the other.
const JUST_MM: f64 = 0.001;

/// A ruling that moves a piece farther than this, in mm, is about more than a line; no two pieces lie so near.
const FARTHEST_MM: f64 = 3.0;

/// Whether the call names a piece of the event's view, or of the event itself.
pub(super) fn check_piece(
    entry: &Entry,
    report: Option<&PhotoReport>,
    call: CallId,
) -> Result<(), DeskError> {
    let pieces = match (report, entry.event()) {
        (Some(report), _) => report.pieces.len(),
        (None, Some((_, Event::Frame(frame)))) => frame.pieces.len(),
        _ => 0,
    };
    match (1..=pieces).contains(&call.piece) {
        true => Ok(()),
        false => {
            let why = match pieces {
                0 => format!("event {} has no pieces that were called", call.event),
                _ => format!("event {} has pieces 1 to {pieces}", call.event),
            };
            Err(DeskError::NoSuchCall { call, why })
        }
    }
}

/// A frame in which a call is turned, and what it was played by.
pub(super) struct Flip<'a> {
    pub frame: &'a FrameEvent,
    pub setup: &'a Setup,
    /// As they were played when it happened.
    pub colours: &'a BySide<String>,
}

/// What about a piece is the other way.
#[derive(Debug, Clone, PartialEq)]
enum Subject {
    /// The line or the open end that is nearest to it.
    Nearest,
    Line(String),
    End,
    /// The edge beyond which it is no more in play.
    Edge,
    /// Its order with another piece (L3), an index into the view's or the frame's pieces.
    Order(Option<usize>),
    /// It is of this kind.
    Colour(String),
}

/// The events that have the call the other way, best first: where the order of pieces matters (L3), with
/// the piece moved just across the line; else by area. `about` is what is overruled, as doubts name
/// it; when nobody says, the piece's likeliest doubt, else the line that is nearest.
pub(super) fn other_way(
    record: &Record,
    report: Option<&PhotoReport>,
    id: CallId,
    about: Option<&str>,
) -> Result<Vec<Event>, DeskError> {
    let needs = |why: &str| DeskError::NeedsCorrection { call: id, why: why.to_owned() };
    let standing = record.standing(id.event).ok_or_else(|| needs("its event is undone"))?;
    let Event::Frame(frame) = standing else { return Err(needs("its event is no frame")) };
    let of = Flip { frame, setup: record.state().setup(), colours: record.colours_at(id.event) };
    let subject = subject(&doubts(record, report, id), about).map_err(needs)?;
    let place = |piece: usize| match report {
        Some(report) => index_in(&of, report, piece),
        None => (piece < frame.pieces.len()).then_some(piece),
    };
    let index = place(id.piece - 1).ok_or_else(|| needs("the piece is not in the frame that stands"))?;
    let replaced = |way: FramePiece| {
        let mut frame = frame.clone();
        let told = &frame.pieces[index];
        frame.pieces[index] = FramePiece { colour: told.colour.clone(), banked: told.banked, ..way };
        frame
    };
    let frames: Vec<FrameEvent> = match subject {
        Subject::Order(against) => {
            let against = against.or_else(|| order::nearest(&of, report, id.piece - 1)).and_then(place);
            let against = against.ok_or_else(|| needs("there is no other piece to compare it with"))?;
            order::turned(&of, index, against).map_err(needs)?
        }
        Subject::Colour(kind) => {
            let side = frame_event::side_of(&kind, of.setup, of.colours);
            let colour = side.map(|side| of.colours[side].clone());
            let colour = colour.ok_or_else(|| needs("nobody plays the other colour"))?;
            let mut frame = frame.clone();
            frame.pieces[index].colour = colour;
            vec![frame]
        }
        Subject::Nearest | Subject::Line(_) | Subject::End | Subject::Edge => {
            let called = match report {
                Some(report) => line::Called::seen(&report.pieces[id.piece - 1]),
                None => line::Called::told(&of, index)
                    .ok_or_else(|| needs("the piece was told by its area, without a measurement"))?,
            };
            let ways = called.other_way(&of.setup.board, frame.end, &subject);
            let ways = ways.ok_or_else(|| needs("no line is near it"))?;
            let by_game =
                ways.into_iter().filter(|way| way.x_mm.is_none() || of.setup.game == GameId::LongBoard);
            by_game.map(replaced).collect()
        }
    };
    Ok(frames.into_iter().map(Event::Frame).collect())
}

/// Something about a piece that was in doubt.
struct Doubted {
    about: String,
    /// Index of the other piece, where the order of two is in doubt.
    other: Option<usize>,
    probability: f64,
}

/// What the view, or the rules where there is none, doubt about a piece.
fn doubts(record: &Record, report: Option<&PhotoReport>, id: CallId) -> Vec<Doubted> {
    let own = id.piece - 1;
    let other = |piece: usize, against: Option<usize>| match against {
        Some(against) if piece == own => Some(Some(against)),
        Some(against) if against == own => Some(Some(piece)),
        None if piece == own => Some(None),
        _ => None,
    };
    let doubted = |about: &str, piece, against, probability| {
        Some(Doubted { about: about.to_owned(), other: other(piece, against)?, probability })
    };
    if let Some(report) = report {
        let all = report.doubts.iter();
        return all
            .filter_map(|d| doubted(&d.about, d.piece - 1, d.against.map(|other| other - 1), d.probability))
            .collect();
    }
    let logged = record.log().iter().find(|logged| logged.number == id.event);
    let all = logged.and_then(|logged| logged.entry.doubts.as_ref()).map(|doubts| doubts.doubts.as_slice());
    let all = all.unwrap_or_default().iter();
    all.filter_map(|d| doubted(&d.about, d.piece, d.against, d.probability)).collect()
}

/// What is turned: what was asked, else the likeliest doubt, else the nearest line.
fn subject(doubts: &[Doubted], about: Option<&str>) -> Result<Subject, &'static str> {
    let likeliest = || doubts.iter().max_by(|a, b| a.probability.total_cmp(&b.probability));
    let known = |about: &str| doubts.iter().find(|doubt| doubt.about == about);
    let (about, other) = match (about, likeliest()) {
        (Some(about), _) => (about, known(about).and_then(|doubt| doubt.other)),
        (None, Some(doubt)) => (doubt.about.as_str(), doubt.other),
        (None, None) => return Ok(Subject::Nearest),
    };
    match about {
        "order" => Ok(Subject::Order(other)),
        "end" => Ok(Subject::End),
        "edge" => Ok(Subject::Edge),
        "placement" => Err("a placement is ruled by a foul (K7)"),
        "stacked" => Err("a piece that lies on another is ruled by correcting the frame"),
        about => Ok(match about.strip_prefix("colour ") {
            Some(kind) => Subject::Colour(kind.to_owned()),
            None => Subject::Line(about.to_owned()),
        }),
    }
}

/// The piece the other way of what is nearest to it.
pub(super) fn turned(of: &Flip<'_>, piece: &PieceReport) -> Vec<FramePiece> {
    let called = line::Called::seen(piece);
    called.other_way(&of.setup.board, of.frame.end, &Subject::Nearest).unwrap_or_default()
}

fn index_in(of: &Flip<'_>, report: &PhotoReport, piece: usize) -> Option<usize> {
    places(of, &report.pieces)[piece]
}

/// Where in the frame each piece of the report stands: of the same colour, at its place; those told by
/// area share what is left, in their order.
pub(super) fn places(of: &Flip<'_>, view: &[PieceReport]) -> Vec<Option<usize>> {
    let (frame, setup, colours) = (of.frame, of.setup, of.colours);
    let mut taken = vec![false; frame.pieces.len()];
    let mut assigned = vec![None; view.len()];
    for by_place in [true, false] {
        for (number, seen) in view.iter().enumerate() {
            let side = frame_event::side_of(&seen.colour, setup, colours);
            let Some(side) = side.filter(|_| assigned[number].is_none() && seen.state != PieceState::Stacked)
            else {
                continue;
            };
            let fits = |told: &FramePiece| {
                let at_place = match (told.x_mm, told.y_mm) {
                    (Some(x), Some(y)) => by_place && (x - seen.x_mm).hypot(y - seen.y_mm) <= FARTHEST_MM,
                    _ => !by_place,
                };
                told.colour == colours[side] && at_place
            };
            let index = (0..taken.len()).find(|index| !taken[*index] && fits(&frame.pieces[*index]));
            if let Some(index) = index {
                taken[index] = true;
                assigned[number] = Some(index);
            }
        }
    }
    assigned
}
