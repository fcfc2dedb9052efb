//! Where a striker was placed before a strike (K2).

use serde::{Deserialize, Serialize};

use super::{CallOptions, PaintEdge, Sighting, contact, doubt};
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

/// Calls a striker's placement. `None` where the piece is unknown or the board has no base line of
/// two lines.
pub fn striker_placement(
    board: &Board,
    sighting: &Sighting,
    paint: &dyn Fn(usize) -> PaintEdge,
    options: &CallOptions,
) -> Option<PlacementCall> {
    let radius_mm = board.piece(&sighting.kind)?.radius_mm();
    let meet = |index: usize| contact::meet(board, index, End::Far, sighting, radius_mm, paint, options);
    let of_role = |role: LineRole| board.lines.iter().enumerate().filter(move |(_, line)| line.role == role);
    // A base line is as far away as the farther of its two lines.
    let base_lines = of_role(LineRole::BaseFront).filter_map(|(front, line)| {
        let (rear, _) = of_role(LineRole::BaseRear).find(|(_, rear)| rear.base == line.base)?;
        let (front, rear) = (meet(front), meet(rear));
        Some((line.base, front.gap_mm.max(rear.gap_mm), front.p_touching.min(rear.p_touching)))
    });
    let (line_base, _, p_both) = base_lines.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let moons = of_role(LineRole::Moon).map(|(index, line)| {
        (line.base, meet(index).p_touching, p_covers(sighting, radius_mm, &line.paint, options))
    });
    let (moon_base, p_reaches, p_covers) =
        moons.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((None, 0.0, 0.0));
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

/// Probability that the footprint covers the whole moon.
fn p_covers(sighting: &Sighting, radius_mm: f64, moon: &Paint, options: &CallOptions) -> f64 {
    let (centre, outer_mm) = match *moon {
        Paint::Ring { centre, radius_mm, width_mm } => (centre, radius_mm + width_mm / 2.0),
        Paint::Spot { centre, radius_mm } => (centre, radius_mm),
        Paint::Stroke { .. } | Paint::Arc { .. } => return 0.0,
    };
    let from = sighting.centre - centre;
    let uncovered_mm = from.norm() + outer_mm - radius_mm;
    let sigma_mm = sighting.sigma_along_mm(from.try_normalize(0.0).unwrap_or_else(Vector::x), options);
    doubt::probability_below(uncovered_mm, sigma_mm, options.tail_freedom)
}
