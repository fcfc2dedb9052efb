//! A view's report becomes a `frame` event with the same tally.
//!
//! The rules call positions against the lines as drawn; vision called them against the paint as
//! seen. Where both agree a piece goes in by its position, which says more; where they do not, by
//! the area that vision called.

use crate::{
    board::{Board, End, PieceKind},
    calls::{Call, CallOptions, ContactCall, PaintEdge, PieceState, Sighting, call},
    geometry::Point,
    rules::{
        BySide, GameId, Setup, Side,
        event::{FrameEvent, FramePiece},
    },
    score::{PhotoReport, PieceReport},
};

/// The frame that a report shows. `colours` are those that the sides play at the moment. Pieces that
/// cannot be called (stacked ones) are left out: a person has to say.
pub fn frame_event(report: &PhotoReport, setup: &Setup, colours: &BySide<String>) -> FrameEvent {
    let pieces = report
        .pieces
        .iter()
        .filter(|piece| piece.state != PieceState::Stacked)
        .filter_map(|piece| {
            let side = side_of(&piece.colour, setup, colours)?;
            let kind = setup.board.piece(&piece.colour)?;
            Some(frame_piece(piece, colours[side].clone(), kind, &setup.board, report.end, setup.game))
        })
        .collect();
    FrameEvent { pieces, end: report.end, flags: Vec::new(), waive: Vec::new(), by: None }
}

/// The side whose pieces are of the board's kind of that name.
pub(super) fn side_of(kind: &str, setup: &Setup, colours: &BySide<String>) -> Option<Side> {
    colours
        .find(|colour| colour == kind)
        .or_else(|| Side::BOTH.into_iter().find(|side| setup.kind_of(*side, &colours[*side]).name == kind))
}

fn frame_piece(
    piece: &PieceReport,
    colour: String,
    kind: &PieceKind,
    board: &Board,
    end: End,
    game: GameId,
) -> FramePiece {
    let sighting = Sighting::with_sigma(&kind.name, Point::new(piece.x_mm, piece.y_mm), piece.sigma_mm);
    let as_drawn = call(board, end, &sighting, &PaintEdge::as_drawn, &CallOptions::default());
    match as_drawn.filter(|as_drawn| agrees(as_drawn, piece, game)) {
        Some(_) => FramePiece {
            colour,
            x_mm: Some(piece.x_mm),
            y_mm: Some(piece.y_mm),
            sigma_mm: Some(piece.sigma_mm),
            ..FramePiece::default()
        },
        None => by_area(piece, colour, board),
    }
}

/// Whether the rules would call the piece as vision did.
fn agrees(as_drawn: &Call, piece: &PieceReport, game: GameId) -> bool {
    let touches = as_drawn.outcomes.first().is_some_and(|outcome| outcome.touching);
    let same = as_drawn.state == piece.state
        && as_drawn.area == piece.area
        && (touches == is_touching(piece) || piece.state != PieceState::Live);
    // Leaders need their places (L3).
    same && (game == GameId::LongBoard || as_drawn.is_sure() != piece.is_close())
}

/// Whether it touches the line that decides about it, in the likeliest outcome.
pub(super) fn is_touching(piece: &PieceReport) -> bool {
    piece.contact.as_ref().is_some_and(|contact| match contact.call {
        ContactCall::Touching => true,
        ContactCall::Clear => false,
        ContactCall::TooClose => contact.p_touching > 0.5,
    })
}

fn by_area(piece: &PieceReport, colour: String, board: &Board) -> FramePiece {
    let area = match piece.state {
        PieceState::Live | PieceState::Hanging => piece.area.clone(),
        PieceState::Dead | PieceState::Off | PieceState::Stacked => None,
    };
    let named = board.areas.iter().find(|known| Some(&known.name) == area.as_ref());
    // An area that is entered by clearing its line is not entered while touching it.
    let cannot_touch = named.is_none_or(|known| known.clears.is_some());
    let touching = (!cannot_touch && is_touching(piece)).then_some(true);
    FramePiece { colour, area: Some(area), touching, ..FramePiece::default() }
}
