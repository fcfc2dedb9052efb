//! What a piece met on its way.
//!
//! In: a track, and the board. Out: whether a side (bank, cushion) was touched, with a confidence.

use crate::{
    board::{Board, BoardSide},
    geometry::{Point, Vector},
    motion::Track,
};

/// Whether a piece has touched a side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideTouch {
    pub touched: bool,
    pub confidence: f64,
}

/// A place read from the small picture may be off by this much, in radii of the piece.
const TRACK_ERROR_RADII: f64 = 0.25;

/// Slower than this across, in mm/s, a piece has no direction that a side could turn round.
const ACROSS_MM_S: f64 = 40.0;

/// Whether the piece on this track has touched a long side. Between two frames it may have been
/// anywhere: a turn of its sideways motion next to a side says that it was there.
pub fn side_touch(track: &Track, rest: Option<Point>, board: &Board, radius_mm: f64) -> SideTouch {
    let mut places: Vec<(f64, Point)> = track.points.iter().map(|p| (p.time_secs, p.at)).collect();
    if let (Some(rest), Some(last)) = (rest, places.last()) {
        places.push((last.0 + 0.1, rest));
    }
    let has = |side: BoardSide| board.rails.iter().any(|rail| rail.side == side);
    let width_mm = board.surface.width_mm;
    let error_mm = TRACK_ERROR_RADII * radius_mm;
    let gap_mm = |p: Point| {
        let left = if has(BoardSide::Left) { p.x - radius_mm } else { f64::INFINITY };
        let right = if has(BoardSide::Right) { width_mm - radius_mm - p.x } else { f64::INFINITY };
        left.min(right)
    };
    let mut closest_mm = places.iter().map(|(_, p)| gap_mm(*p)).fold(f64::INFINITY, f64::min);
    let velocity = |pair: &[(f64, Point)]| -> Vector { (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0) };
    let velocities: Vec<Vector> = places.windows(2).map(velocity).collect();
    for (index, pair) in velocities.windows(2).enumerate() {
        let (before, after) = (pair[0], pair[1]);
        let turned =
            before.x * after.x < 0.0 && before.x.abs() > ACROSS_MM_S && after.x.abs() > ACROSS_MM_S / 2.0;
        // Where it would have been had it gone straight on.
        let (from, to) = (places[index + 1], places[index + 2]);
        let straight_on = from.1 + before * (to.0 - from.0);
        if turned && gap_mm(straight_on) < error_mm {
            return SideTouch { touched: true, confidence: 0.97 };
        }
        closest_mm = closest_mm.min(gap_mm(from.1));
    }
    if closest_mm < -error_mm {
        return SideTouch { touched: true, confidence: 0.9 };
    }
    if closest_mm < error_mm {
        return SideTouch { touched: true, confidence: 0.7 };
    }
    // Before it came into the view it may have met a side; a way that is straight from far off a
    // side and does not lead back to one in the part that was not seen says that it did not.
    let unseen = unseen_way_touches(&places, &velocities, gap_mm, error_mm);
    SideTouch { touched: false, confidence: if unseen { 0.5 } else { 0.93 } }
}

/// Whether the way before the first place can have met a side: followed back to the board's end.
fn unseen_way_touches(
    places: &[(f64, Point)],
    velocities: &[Vector],
    gap_mm: impl Fn(Point) -> f64,
    error_mm: f64,
) -> bool {
    let (Some((_, first)), Some(velocity)) = (places.first(), velocities.first()) else { return true };
    if velocity.norm() < 1.0 {
        return true;
    }
    // Followed back straight to the board's near end.
    let back = first.y / velocity.y.abs().max(1.0);
    let start = first - velocity * back;
    gap_mm(start) < error_mm
}

/// Whether a thing was seen at the frame of a board, within a track's error.
pub fn frame_touched(track: &Track, board: &Board, radius_mm: f64) -> bool {
    let (wide, long) = (board.surface.width_mm, board.surface.length_mm);
    let reach_mm = radius_mm * (1.0 + TRACK_ERROR_RADII);
    track.points.iter().any(|point| {
        let Point { coords } = point.at;
        coords.x.min(wide - coords.x).min(coords.y).min(long - coords.y) < reach_mm
    })
}

/// Where a piece went that is no longer on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Pocketed,
    OffBoard,
}

/// Faster than this a piece can climb a frame, in mm/s.
const CLIMBS_MM_S: f64 = 1500.0;

/// What became of a piece that lay at `from`, by the ways of things that may have been it. Pieces
/// seldom leave a framed board, and only fast ones do.
pub fn fate(
    tracks: &[&Track],
    from: Point,
    board: &Board,
    radius_mm: f64,
    options: &super::UmpireOptions,
) -> (Fate, f64) {
    if board.pockets.is_empty() {
        return (Fate::OffBoard, 0.95);
    }
    let mut best: Option<(Fate, f64)> = None;
    for track in tracks {
        let Some(last) = track.last() else { continue };
        let secs = match track.points.as_slice() {
            [.., before, last] => last.time_secs - before.time_secs,
            _ => 0.1,
        };
        let velocity = match track.points.as_slice() {
            [only] => (only.at - from) / secs.max(1e-3),
            _ => track.last_velocity_mm_s().unwrap_or_default(),
        };
        let found = fate_of_way(last.at, velocity, secs, board, radius_mm, options);
        if best.is_none_or(|(_, confidence)| found.1 > confidence) {
            best = Some(found);
        }
    }
    // It went between two frames: into a pocket, as nearly all do, but only one that lay next to a
    // pocket surely so.
    best.unwrap_or_else(|| {
        let near = nearest_pocket_mm(from, board) < board.pockets[0].radius_mm + 3.0 * radius_mm;
        (Fate::Pocketed, if near { 0.95 } else { 0.8 })
    })
}

fn nearest_pocket_mm(at: Point, board: &Board) -> f64 {
    board.pockets.iter().map(|pocket| (at - pocket.centre).norm()).fold(f64::INFINITY, f64::min)
}

fn fate_of_way(
    last: Point,
    velocity: Vector,
    secs: f64,
    board: &Board,
    radius_mm: f64,
    options: &super::UmpireOptions,
) -> (Fate, f64) {
    let speed = velocity.norm();
    let reach_mm = 2.0 * radius_mm * options.pocket_diameters;
    if nearest_pocket_mm(last, board) < board.pockets[0].radius_mm + reach_mm {
        return (Fate::Pocketed, 0.98);
    }
    // Does the way lead over a pocket within the next two frames?
    let leads_in = board.pockets.iter().any(|pocket| {
        let to = pocket.centre - last;
        let along = if speed > 1.0 { to.dot(&velocity) / speed } else { -1.0 };
        let aside = (to.norm_squared() - along * along).max(0.0).sqrt();
        along > 0.0 && along < 2.0 * speed * secs && aside < 1.6 * pocket.radius_mm
    });
    if leads_in {
        return (Fate::Pocketed, if speed > CLIMBS_MM_S { 0.85 } else { 0.97 });
    }
    if speed > CLIMBS_MM_S {
        return (Fate::OffBoard, 0.85);
    }
    // Its way led to no pocket: something turned it aside that was not seen.
    (Fate::Pocketed, 0.7)
}
