//! A call about a line or the open end, turned.

use super::{FARTHEST_MM, Flip, JUST_MM, Subject};
use crate::{
    board::{Board, End},
    calls::{CallOptions, Contact, ContactCall, PaintEdge, PieceState, Sighting, brink, call},
    desk::frame_event,
    geometry::{Disc, Point},
    rules::event::FramePiece,
    score::PieceReport,
};

/// A piece as it was called.
pub(super) struct Called {
    kind: String,
    centre: Point,
    state: PieceState,
    touching: bool,
    contact: Option<Contact>,
    overhang: Option<Contact>,
}

impl Called {
    pub(super) fn seen(piece: &PieceReport) -> Called {
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
    pub(super) fn told(of: &Flip<'_>, index: usize) -> Option<Called> {
        let (piece, end) = (&of.frame.pieces[index], of.frame.end);
        let kind = of.kind(index)?;
        let centre = Point::new(piece.x_mm?, piece.y_mm?);
        let sighting = Sighting::with_sigma(&kind, centre, piece.sigma_mm.unwrap_or(0.0));
        let called = call(&of.setup.board, end, &sighting, &PaintEdge::as_drawn, &CallOptions::default())?;
        let touching = called.outcomes.first().is_some_and(|outcome| outcome.touching);
        let (state, contact, overhang) = (called.state, called.contact, called.overhang);
        Some(Called { kind, centre, state, touching, contact, overhang })
    }

    /// The piece the other way of a line, of the open end, or of what is nearer of both.
    pub(super) fn other_way(&self, board: &Board, end: End, subject: &Subject) -> Option<Vec<FramePiece>> {
        let distance = |contact: &Option<Contact>| {
            contact.as_ref().map_or(f64::INFINITY, |contact| match contact.call {
                ContactCall::TooClose => -1.0,
                _ => contact.gap_mm.abs(),
            })
        };
        match subject {
            Subject::Line(line) => self.other_way_of_line(board, end, line),
            Subject::End => self.other_way_of_hanging(board, end),
            Subject::Edge => self.other_way_of_edge(board, end),
            _ if distance(&self.overhang) < distance(&self.contact) => self.other_way_of_hanging(board, end),
            _ => self.other_way_of_line(board, end, &self.contact.as_ref()?.line),
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

    /// In play, just inside the edge, where it was called off; else gone.
    fn other_way_of_edge(&self, board: &Board, end: End) -> Option<Vec<FramePiece>> {
        if self.state != PieceState::Off {
            return Some(vec![by_area(None, false)]);
        }
        let exact = |at: Point| Sighting::exact(&self.kind, at);
        let options = CallOptions::default();
        let (edge, _) = brink(board, &exact(self.centre), &options)?;
        let at = self.centre + edge.outward * (edge.gap_mm - JUST_MM);
        let called = call(board, end, &exact(at), &PaintEdge::as_drawn, &options)?;
        let touching = called.outcomes.first().is_some_and(|outcome| outcome.touching);
        Some(self.placed(at).into_iter().chain([by_area(called.area, touching)]).collect())
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
