//! The order of two pieces along the board (L3), turned.

use super::{FARTHEST_MM, Flip, JUST_MM};
use crate::{
    board::End,
    calls::{CallOptions, PaintEdge, PieceState, Sighting, call},
    geometry::Point,
    rules::event::{FrameEvent, FramePiece},
    score::PhotoReport,
};

impl Flip<'_> {
    /// The name of a piece's kind; `None` for a colour that nobody plays.
    pub(super) fn kind(&self, index: usize) -> Option<String> {
        let colour = &self.frame.pieces[index].colour;
        let side = self.colours.find(|played| played == colour)?;
        Some(self.setup.kind_of(side, colour).name.clone())
    }

    /// Area and state of a piece at another place, by the drawing.
    fn called_at(&self, index: usize, at: Point) -> Option<(Option<String>, PieceState)> {
        let sighting = Sighting::exact(&self.kind(index)?, at);
        let end = self.frame.end;
        let called = call(&self.setup.board, end, &sighting, &PaintEdge::as_drawn, &CallOptions::default())?;
        Some((called.area, called.state))
    }

    fn place(&self, index: usize) -> Option<Point> {
        let piece = &self.frame.pieces[index];
        Some(Point::new(piece.x_mm?, piece.y_mm?))
    }
}

/// The other side's piece that is nearest along the board: an index into the view's pieces, or the
/// frame's where there is no view.
pub(super) fn nearest(of: &Flip<'_>, report: Option<&PhotoReport>, piece: usize) -> Option<usize> {
    let places: Vec<(&str, f64)> = match report {
        Some(report) => report.pieces.iter().map(|p| (p.colour.as_str(), p.y_mm)).collect(),
        None => {
            of.frame.pieces.iter().map(|p| (p.colour.as_str(), p.y_mm.unwrap_or(f64::INFINITY))).collect()
        }
    };
    let (colour, y_mm) = *places.get(piece)?;
    let others = places.iter().enumerate().filter(|(_, (other, y))| *other != colour && y.is_finite());
    others.min_by(|(_, a), (_, b)| (a.1 - y_mm).abs().total_cmp(&(b.1 - y_mm).abs())).map(|(index, _)| index)
}

/// The frames in which `one` is ahead of `other` if it was behind, and behind if it was ahead: either
/// is moved just past the other, unless that would put it into another area.
pub(super) fn turned(of: &Flip<'_>, one: usize, other: usize) -> Result<Vec<FrameEvent>, &'static str> {
    const UNPLACED: &str = "the order of pieces that were told by area is not known";
    let (a, b) = (of.place(one).ok_or(UNPLACED)?, of.place(other).ok_or(UNPLACED)?);
    if (a.y - b.y).abs() > FARTHEST_MM {
        return Err("the pieces lie too far apart for another order");
    }
    let toward = match of.frame.end {
        End::Far => 1.0,
        End::Near => -1.0,
    };
    let is_ahead = (a.y - b.y) * toward > 0.0;
    let step_mm = if is_ahead { -JUST_MM * toward } else { JUST_MM * toward };
    let ways = [(one, Point::new(a.x, b.y + step_mm)), (other, Point::new(b.x, a.y - step_mm))];
    let stays = |index: usize, from: Point, to: Point| of.called_at(index, from) == of.called_at(index, to);
    let frames: Vec<FrameEvent> = ways
        .into_iter()
        .filter(|(index, to)| stays(*index, if *index == one { a } else { b }, *to))
        .map(|(index, to)| {
            let mut frame = of.frame.clone();
            // The order is ruled, so neither place leaves it open.
            for index in [one, other] {
                frame.pieces[index].sigma_mm = None;
            }
            let moved = &mut frame.pieces[index];
            *moved = FramePiece { x_mm: Some(to.x), y_mm: Some(to.y), ..moved.clone() };
            frame
        })
        .collect();
    match frames.is_empty() {
        true => Err("the other order would put a piece into another area"),
        false => Ok(frames),
    }
}
