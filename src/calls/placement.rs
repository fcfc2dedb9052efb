//! Where a striker was placed before a strike (K2).

use serde::{Deserialize, Serialize};

use super::{
    CallOptions, Contact, PaintEdge, Sighting,
    contact::{self, Meeting},
    doubt,
};
use crate::{
    board::{Board, BoardSide, End, LineRole},
    geometry::{Paint, Vector},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Touches the paint of both lines of a base line and no moon.
    BothLines,
    /// Covers a whole moon, ring included.
    Circle,
    /// Reaches a moon's ring without covering the moon: a foul.
    CutsMoon,
    /// None of these: a foul, or not placed yet.
    OffLine,
}

/// A striker's placement with its doubt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlacementCall {
    /// The likeliest.
    pub placement: Placement,
    pub probability: f64,
    /// Whether it is certain enough to be called.
    pub sure: bool,
    /// Whose base line it is about.
    pub base: Option<BoardSide>,
}

/// The gaps that a striker's placement rests on.
#[derive(Debug, Clone)]
pub struct StrikerGaps {
    /// The two lines of the nearest base line, as indices into the board's lines with the contact.
    pub front: (usize, Contact),
    pub rear: (usize, Contact),
    /// The moon that is likeliest to be reached.
    pub moon: Option<(usize, Contact)>,
    /// The same moon: what of it reaches beyond the rim. At or below zero it is covered.
    pub uncovered: Option<Contact>,
}

/// Measures a striker against the nearest base line and the likeliest moon. `None` where the piece
/// is unknown or the board has no base line of two lines.
pub fn striker_gaps(
    board: &Board,
    sighting: &Sighting,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Option<StrikerGaps> {
    let radius_mm = board.piece(&sighting.kind)?.radius_mm();
    let meet = |index: usize| contact::meet(board, index, End::Far, sighting, radius_mm, paint, options);
    let of_role = |role: LineRole| board.lines.iter().enumerate().filter(move |(_, line)| line.role == role);
    // A base line is as far away as the farther of its two lines.
    let base_lines = of_role(LineRole::BaseFront).filter_map(|(front, line)| {
        let (rear, _) = of_role(LineRole::BaseRear).find(|(_, rear)| rear.base == line.base)?;
        Some((meet(front), meet(rear)))
    });
    let farther_mm = |(front, rear): &(Meeting, Meeting)| front.gap_mm.max(rear.gap_mm);
    let (front, rear) = base_lines.min_by(|a, b| farther_mm(a).total_cmp(&farther_mm(b)))?;
    let moons = of_role(LineRole::Moon).map(|(index, _)| meet(index));
    // Of moons that are all out of reach, the nearest.
    let moon = moons.max_by(|a, b| a.p_touching.total_cmp(&b.p_touching).then(b.gap_mm.total_cmp(&a.gap_mm)));
    let with_contact = |meeting: Meeting| (meeting.line, meeting.contact(board));
    Some(StrikerGaps {
        front: with_contact(front),
        rear: with_contact(rear),
        moon: moon.map(with_contact),
        uncovered: moon.and_then(|moon| {
            let line = &board.lines[moon.line];
            uncovered(sighting, radius_mm, &line.name, &line.paint, options)
        }),
    })
}

/// Calls a striker's placement. `None` where the piece is unknown or the board has no base line of
/// two lines.
pub fn striker_placement(
    board: &Board,
    sighting: &Sighting,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Option<PlacementCall> {
    let gaps = striker_gaps(board, sighting, paint, options)?;
    let line_base = board.lines[gaps.front.0].base;
    let moon_base = gaps.moon.as_ref().and_then(|(moon, _)| board.lines[*moon].base);
    let p_both = gaps.front.1.p_touching.min(gaps.rear.1.p_touching);
    let p_reaches = gaps.moon.map_or(0.0, |(_, contact)| contact.p_touching);
    let p_covers = gaps.uncovered.map_or(0.0, |contact| contact.p_touching);
    // A moon that is covered is also reached; the rest of the reaching is cutting.
    let all = [
        (Placement::Circle, moon_base, p_covers),
        (Placement::CutsMoon, moon_base, (p_reaches - p_covers).max(0.0)),
        (Placement::BothLines, line_base, (1.0 - p_reaches) * p_both),
        (Placement::OffLine, line_base, (1.0 - p_reaches) * (1.0 - p_both)),
    ];
    let (placement, base, probability) = all.into_iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
    Some(PlacementCall { placement, probability, sure: probability >= options.sure, base })
}

/// What of a moon reaches beyond the footprint's rim; `None` for paint that is no moon.
fn uncovered(
    sighting: &Sighting,
    radius_mm: f64,
    name: &str,
    moon: &Paint,
    options: &CallOptions,
) -> Option<Contact> {
    let (centre, outer_mm) = match *moon {
        Paint::Ring { centre, radius_mm, width_mm } => (centre, radius_mm + width_mm / 2.0),
        Paint::Spot { centre, radius_mm } => (centre, radius_mm),
        Paint::Stroke { .. } | Paint::Arc { .. } => return None,
    };
    let from = sighting.centre - centre;
    let gap_mm = from.norm() + outer_mm - radius_mm;
    let sigma_mm = sighting.sigma_along_mm(from.try_normalize(0.0).unwrap_or_else(Vector::x), options);
    let p_touching = doubt::probability_below(gap_mm, sigma_mm, options.tail_freedom);
    let call = doubt::contact_call(p_touching, options);
    Some(Contact { line: name.to_owned(), gap_mm, sigma_mm, p_touching, call })
}
