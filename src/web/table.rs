//! The pieces that pages draw: as they lie, as they are proposed, or as a person told them.

use serde::Serialize;

use crate::{
    board::{Board, End},
    calls::{CallOptions, Contact, PaintEdge, PieceState, Sighting, call},
    desk::{DeskState, Lying, seen_places},
    geometry::Point,
    rules::{
        BySide, Event, GameId, Record,
        event::{FrameEvent, FramePiece},
    },
    score::PieceReport,
};

/// A board with pieces on it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct OnTable {
    /// Id of the board.
    board: String,
    end: End,
    source: Source,
    pieces: Vec<TablePiece>,
}

/// Where the pieces are known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Source {
    /// A running camera.
    Camera,
    /// A view that a person is asked about.
    Proposed,
    /// The view that the last event rests on.
    View,
    /// A person's word.
    Told,
    None,
}

/// A piece as a page draws it. Without a place it is known by its area only.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct TablePiece {
    colour: String,
    x_mm: Option<f64>,
    y_mm: Option<f64>,
    area: Option<String>,
    state: PieceState,
    points: Option<i32>,
    /// Whether something about it is too close to call.
    close: bool,
    contact: Option<Contact>,
}

impl From<&PieceReport> for TablePiece {
    fn from(piece: &PieceReport) -> Self {
        TablePiece {
            colour: piece.colour.clone(),
            x_mm: Some(piece.x_mm),
            y_mm: Some(piece.y_mm),
            area: piece.area.clone(),
            state: piece.state,
            points: piece.points,
            close: piece.is_close() || piece.is_placement_open(),
            contact: piece.contact.clone(),
        }
    }
}

/// What to draw: the camera's view while it runs, else what the last event rests on.
pub(super) fn on_table(state: &DeskState, record: &Record) -> OnTable {
    let board = record.state().setup().board.id.clone();
    let drawn = |source, end, pieces| OnTable { board: board.clone(), end, source, pieces };
    let seen = |source, lying: &Lying| OnTable {
        board: lying.board.clone(),
        end: lying.end,
        source,
        pieces: lying.pieces.iter().map(TablePiece::from).collect(),
    };
    let lying = state.lying.as_ref().filter(|lying| lying.board == board);
    if let Some(live) = lying.filter(|lying| lying.view.is_none()) {
        return seen(Source::Camera, live);
    }
    if let Some(asked) = lying.filter(|lying| state.pending.first().is_some_and(|p| p.view == lying.view)) {
        return seen(Source::Proposed, asked);
    }
    let last = state.last.as_ref();
    let number = last.and_then(|last| usize::try_from(last.frame["event"].as_u64()?).ok());
    let view = last.and_then(|last| last.view);
    let of_view = lying.filter(|lying| view.is_some() && lying.view == view);
    let recorded = number.and_then(|n| record.events().iter().find(|recorded| recorded.number == n));
    match number.and_then(|number| record.standing(number)) {
        Some(Event::Frame(frame)) => match of_view {
            Some(lying) if recorded.is_some_and(|r| matches!(&r.event, Event::Frame(f) if f == frame)) => {
                seen(Source::View, lying)
            }
            corrected => drawn(Source::Told, frame.end, of_frame(record, number, frame, corrected)),
        },
        Some(_) => match of_view {
            Some(lying) => seen(Source::View, lying),
            None => drawn(Source::None, End::Far, Vec::new()),
        },
        None => drawn(Source::None, End::Far, Vec::new()),
    }
}

/// The pieces of the frame that is, or would be, the event of that number (the next when there is
/// none). Those that vision gave by area lie where `view` saw them.
pub(super) fn of_frame(
    record: &Record,
    number: Option<usize>,
    frame: &FrameEvent,
    view: Option<&Lying>,
) -> Vec<TablePiece> {
    let colours = record.colours_at(number.unwrap_or(usize::MAX));
    let seen = view.map(|view| (view, seen_places(record, number, frame, &view.pieces)));
    let pieces = frame.pieces.iter().enumerate();
    pieces
        .map(|(index, piece)| {
            let seen =
                seen.as_ref().and_then(|(view, places)| places[index].map(|place| &view.pieces[place]));
            let told = told(record, colours, piece, frame.end);
            match seen {
                // Vision called it against the paint as it saw it.
                Some(seen) if as_seen(piece, &told, seen) => {
                    TablePiece { colour: told.colour, ..seen.into() }
                }
                // Another call leaves it where it lies.
                Some(seen) => {
                    TablePiece { x_mm: Some(seen.x_mm), y_mm: Some(seen.y_mm), contact: None, ..told }
                }
                None => told,
            }
        })
        .collect()
}

/// Whether a person left the piece as it was seen.
fn as_seen(piece: &FramePiece, told: &TablePiece, seen: &PieceReport) -> bool {
    match &piece.area {
        None => piece.x_mm == Some(seen.x_mm) && piece.y_mm == Some(seen.y_mm),
        Some(area) => {
            let seen_area =
                matches!(seen.state, PieceState::Live | PieceState::Hanging).then_some(&seen.area);
            seen_area.is_none_or(|seen| seen == area) && (told.points == seen.points || seen.points.is_none())
        }
    }
}

fn told(record: &Record, colours: &BySide<String>, piece: &FramePiece, end: End) -> TablePiece {
    let setup = record.state().setup();
    let mut out = TablePiece {
        colour: piece.colour.clone(),
        x_mm: piece.x_mm,
        y_mm: piece.y_mm,
        area: piece.area.clone().flatten(),
        state: PieceState::Live,
        points: None,
        close: false,
        contact: None,
    };
    let side = colours.find(|colour| *colour == piece.colour);
    if let (Some(x_mm), Some(y_mm), Some(side)) = (piece.x_mm, piece.y_mm, side) {
        let kind = &setup.kind_of(side, &piece.colour).name;
        let sighting = Sighting::with_sigma(kind, Point::new(x_mm, y_mm), piece.sigma_mm.unwrap_or(0.0));
        let options = CallOptions::default();
        if let Some(called) = call(&setup.board, end, &sighting, &PaintEdge::as_drawn, &options) {
            out.close = !called.is_sure();
            out.area = called.area;
            out.state = called.state;
            out.points = called.points;
            out.contact = called.contact;
        }
    } else {
        out.points = Some(area_points(&setup.board, end, out.area.as_deref(), piece.touching == Some(true)));
        if out.area.is_none() {
            out.state = PieceState::Dead;
        }
    }
    if piece.banked == Some(false) {
        out.state = PieceState::Dead;
        out.points = Some(0);
    }
    // L3: what a piece scores there depends on the others.
    if setup.game == GameId::LongBoard {
        out.points = None;
    }
    out
}

fn area_points(board: &Board, end: End, area: Option<&str>, touching: bool) -> i32 {
    let Some(name) = area else { return 0 };
    if let Some(hanging) = board.hanging.as_ref().filter(|hanging| hanging.area == name) {
        return hanging.value;
    }
    board
        .areas_at(end)
        .find(|known| known.name == name)
        .map_or(0, |area| if touching { 0 } else { area.value })
}
