//! The other way of a call: what a frame is when a referee overrules one piece of it.

use super::{DeskError, frame_event};
use crate::{
    board::{Board, End},
    calls::{CallOptions, Contact, ContactCall, PaintEdge, PieceState, Sighting, call},
    geometry::{Disc, Point},
    ledger::{CallId, Entry},
    rules::{
        Event, GameId, Record,
        event::{FrameEvent, FramePiece},
    },
    score::{PhotoReport, PieceReport},
};

/// How far from a line a ruled piece is put where it must have a place, in mm: as little as tells
/// touching from clear.
const JUST_MM: f64 = 0.001;

/// A ruling that moves a piece farther than this, in mm, is about more than a line.
const FARTHEST_MM: f64 = 3.0;

/// Two pieces cannot lie this near to each other, in mm: a piece this near to a told place is the one.
const SAME_PLACE_MM: f64 = 1.0;

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

/// The events that have the call the other way, best first: where the order of pieces matters (L3), with
/// the piece moved just across the line; else by area.
pub(super) fn other_way(
    record: &Record,
    report: Option<&PhotoReport>,
    id: CallId,
) -> Result<Vec<Event>, DeskError> {
    let needs = |why: &str| DeskError::NeedsCorrection { call: id, why: why.to_owned() };
    let standing = record.standing(id.event).ok_or_else(|| needs("its event is undone"))?;
    let Event::Frame(frame) = standing else { return Err(needs("its event is no frame")) };
    let setup = record.state().setup();
    let (index, called) = match report {
        Some(report) => {
            let piece = &report.pieces[id.piece - 1];
            let index = index_in(frame, report, id.piece - 1, record)
                .ok_or_else(|| needs("the piece is not in the frame that stands"))?;
            (index, Called::seen(piece))
        }
        None => {
            let piece = frame.pieces.get(id.piece - 1).ok_or_else(|| needs("the piece is gone"))?;
            let called = Called::told(piece, record, frame.end)
                .ok_or_else(|| needs("the piece was told by its area, without a measurement"))?;
            (id.piece - 1, called)
        }
    };
    let ways = called.other_way(&setup.board, frame.end).ok_or_else(|| needs("no line is near it"))?;
    let by_game = ways.into_iter().filter(|way| way.x_mm.is_none() || setup.game == GameId::LongBoard);
    let event = |way: FramePiece| {
        let mut frame = frame.clone();
        let told = &frame.pieces[index];
        frame.pieces[index] = FramePiece { colour: told.colour.clone(), banked: told.banked, ..way };
        Event::Frame(frame)
    };
    Ok(by_game.map(event).collect())
}

/// Where in the frame a piece of the report stands: of the same colour, at its place; those told by
/// area share what is left, in their order.
fn index_in(frame: &FrameEvent, report: &PhotoReport, piece: usize, record: &Record) -> Option<usize> {
    let (setup, colours) = (record.state().setup(), record.state().colours());
    let mut taken = vec![false; frame.pieces.len()];
    let mut assigned = vec![None; report.pieces.len()];
    for by_place in [true, false] {
        for (number, seen) in report.pieces.iter().enumerate() {
            let side = frame_event::side_of(&seen.colour, setup, colours);
            let Some(side) = side.filter(|_| assigned[number].is_none() && seen.state != PieceState::Stacked)
            else {
                continue;
            };
            let fits = |told: &FramePiece| {
                let at_place = match (told.x_mm, told.y_mm) {
                    (Some(x), Some(y)) => by_place && (x - seen.x_mm).hypot(y - seen.y_mm) < SAME_PLACE_MM,
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
    assigned[piece]
}

/// A piece as it was called.
struct Called {
    kind: String,
    centre: Point,
    state: PieceState,
    touching: bool,
    contact: Option<Contact>,
    overhang: Option<Contact>,
}

impl Called {
    fn seen(piece: &PieceReport) -> Called {
        Called {
            kind: piece.colour.clone(),
            centre: Point::new(piece.x_mm, piece.y_mm),
            state: piece.state,
            touching: frame_event::is_touching(piece),
            contact: piece.contact.clone(),
            overhang: piece.overhang.clone(),
        }
    }

    /// A piece that was told by its position, as the rules call it.
    fn told(piece: &FramePiece, record: &Record, end: End) -> Option<Called> {
        let (setup, colours) = (record.state().setup(), record.state().colours());
        let side = colours.find(|colour| *colour == piece.colour)?;
        let kind = setup.kind_of(side, &piece.colour).name.clone();
        let centre = Point::new(piece.x_mm?, piece.y_mm?);
        let sighting = Sighting::with_sigma(&kind, centre, piece.sigma_mm.unwrap_or(0.0));
        let called = call(&setup.board, end, &sighting, &PaintEdge::as_drawn, &CallOptions::default())?;
        let touching = called.outcomes.first().is_some_and(|outcome| outcome.touching);
        let (state, contact, overhang) = (called.state, called.contact, called.overhang);
        Some(Called { kind, centre, state, touching, contact, overhang })
    }

    fn other_way(&self, board: &Board, end: End) -> Option<Vec<FramePiece>> {
        let distance = |contact: &Option<Contact>| {
            contact.as_ref().map_or(f64::INFINITY, |contact| match contact.call {
                ContactCall::TooClose => -1.0,
                _ => contact.gap_mm.abs(),
            })
        };
        match distance(&self.overhang) < distance(&self.contact) {
            true => self.other_way_of_hanging(board, end),
            false => self.other_way_of_line(board, end, &self.contact.as_ref()?.line),
        }
    }

    fn other_way_of_hanging(&self, board: &Board, end: End) -> Option<Vec<FramePiece>> {
        let hanging = board.hanging.as_ref()?;
        let over_mm = if self.state == PieceState::Hanging { -JUST_MM } else { JUST_MM };
        let reach_mm = board.piece(&self.kind)?.radius_mm() - over_mm;
        let y_mm = match end {
            End::Far => board.surface.length_mm - reach_mm,
            End::Near => reach_mm,
        };
        let at = Point::new(self.centre.x, y_mm);
        let called = call(
            board,
            end,
            &Sighting::exact(&self.kind, at),
            &PaintEdge::as_drawn,
            &CallOptions::default(),
        )?;
        let area = if over_mm > 0.0 { Some(hanging.area.clone()) } else { called.area };
        Some(self.placed(at).into_iter().chain([by_area(area, false)]).collect())
    }

    /// The piece at another place, if that is near enough to be a matter of measurement.
    fn placed(&self, at: Point) -> Option<FramePiece> {
        let placed = FramePiece { x_mm: Some(at.x), y_mm: Some(at.y), ..FramePiece::default() };
        ((at - self.centre).norm() <= FARTHEST_MM).then_some(placed)
    }

    fn other_way_of_line(&self, board: &Board, end: End, line: &str) -> Option<Vec<FramePiece>> {
        let of_end = |l: &crate::board::Line| l.name == line && l.end.is_none_or(|e| e == end);
        let index = board.lines.iter().position(of_end)?;
        let paint = &board.lines[index].paint;
        let radius_mm = board.piece(&self.kind)?.radius_mm();
        let drawn_gap_mm = Disc { centre: self.centre, radius_mm }.gap_mm(paint);
        let gap_mm = if self.touching { JUST_MM } else { -JUST_MM };
        let ruled = |asked: usize| match asked == index {
            true => PaintEdge { nearer_mm: drawn_gap_mm - gap_mm, ..PaintEdge::default() },
            false => PaintEdge::default(),
        };
        let options = CallOptions { paint_reach_mm: f64::INFINITY, ..CallOptions::default() };
        let called = call(board, end, &Sighting::exact(&self.kind, self.centre), &ruled, &options)?;
        let area = match called.state {
            PieceState::Live | PieceState::Hanging => called.area.clone(),
            PieceState::Dead | PieceState::Off | PieceState::Stacked => None,
        };
        let clears =
            board.areas.iter().any(|known| Some(&known.name) == area.as_ref() && known.clears.is_some());
        let touching = !self.touching && area.is_some() && !clears;
        let beside = self.centre + paint.outward(self.centre) * (gap_mm - drawn_gap_mm);
        Some(self.placed(beside).into_iter().chain([by_area(area, touching)]).collect())
    }
}

fn by_area(area: Option<String>, touching: bool) -> FramePiece {
    FramePiece { area: Some(area), touching: touching.then_some(true), ..FramePiece::default() }
}
