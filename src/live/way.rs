//! What a piece met on its way, and where it ended.
//!
//! In: tracks, and the board. Out: whether a side (bank, cushion) was touched, and what became of a
//! piece that is gone, each with a confidence.

use super::UmpireOptions;
use crate::{
    board::{Board, BoardSide, End, LineRole, Pocket},
    geometry::{Paint, Point, Vector, nearest_on_segment},
    motion::{Track, TrackPoint},
};

/// Whether a piece has touched a side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideTouch {
    pub touched: bool,
    pub confidence: f64,
}

/// Whether the piece on this track has touched a long side on its way to `end`. Between two frames it
/// may have been anywhere: a turn of its sideways motion next to a side says that it was there. Of the
/// way before the view only its straight continuation is known: nothing but a side bends it there.
pub fn side_touch(
    track: &Track,
    rest: Option<Point>,
    board: &Board,
    end: End,
    radius_mm: f64,
    options: &UmpireOptions,
) -> SideTouch {
    let trust = &options.trust;
    let mut places: Vec<(f64, Point)> = track.points.iter().map(|p| (p.time_secs, p.at)).collect();
    if let (Some(rest), Some(last)) = (rest, places.last()) {
        places.push((last.0 + frame_secs(std::slice::from_ref(&track)), rest));
    }
    let error_mm = options.track_error_radii * radius_mm;
    let gap_mm = |p: Point| gap_to_sides_mm(p, board, radius_mm);
    let mut closest_mm = places.iter().map(|(_, p)| gap_mm(*p)).fold(f64::INFINITY, f64::min);
    let velocity = |pair: &[(f64, Point)]| -> Vector { (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0) };
    let velocities: Vec<Vector> = places.windows(2).map(velocity).collect();
    for (index, pair) in velocities.windows(2).enumerate() {
        let (before, after) = (pair[0], pair[1]);
        let across = options.across_mm_s;
        let turned = before.x * after.x < 0.0 && before.x.abs() > across && after.x.abs() > across / 2.0;
        // Where it would have been had it gone straight on.
        let (from, to) = (places[index + 1], places[index + 2]);
        let straight_on = from.1 + before * (to.0 - from.0);
        if turned && gap_mm(straight_on) < error_mm {
            return SideTouch { touched: true, confidence: trust.side_turned };
        }
        closest_mm = closest_mm.min(gap_mm(from.1));
    }
    if closest_mm < -error_mm {
        return SideTouch { touched: true, confidence: trust.side_by_way };
    }
    if closest_mm < error_mm {
        return SideTouch { touched: true, confidence: trust.guess };
    }
    let straight = straight_run(&places, options.turn_deg);
    before_the_view(straight, board, end, radius_mm, options)
}

/// How far a piece's rim is from the nearest long side that has a rail.
fn gap_to_sides_mm(at: Point, board: &Board, radius_mm: f64) -> f64 {
    let has = |side: BoardSide| board.rails.iter().any(|rail| rail.side == side);
    let left = if has(BoardSide::Left) { at.x - radius_mm } else { f64::INFINITY };
    let right = if has(BoardSide::Right) { board.surface.width_mm - radius_mm - at.x } else { f64::INFINITY };
    left.min(right)
}

/// The places before the way turns for the first time.
fn straight_run(places: &[(f64, Point)], turn_deg: f64) -> &[(f64, Point)] {
    let Some(first) = places.windows(2).next().map(|pair| pair[1].1 - pair[0].1) else { return places };
    let is_straight = |pair: &[(f64, Point)]| first.angle(&(pair[1].1 - pair[0].1)).to_degrees() < turn_deg;
    let turns = places.windows(2).position(|pair| !is_straight(pair));
    &places[..turns.map_or(places.len(), |turn| turn + 1)]
}

/// Whether a side was touched where nobody saw it: the straight way is followed back to where the
/// piece was let go, which was no farther than the near foul line. If it left the board before, a
/// side has turned it; if it keeps inside as far as the board's end, none has.
fn before_the_view(
    straight: &[(f64, Point)],
    board: &Board,
    end: End,
    radius_mm: f64,
    options: &UmpireOptions,
) -> SideTouch {
    let trust = &options.trust;
    let unknown = SideTouch { touched: false, confidence: trust.guess };
    let along = |y: f64| if end == End::Far { y } else { board.surface.length_mm - y };
    let count = straight.len() as f64;
    let mean_s = straight.iter().map(|(_, p)| along(p.y)).sum::<f64>() / count;
    let mean_x = straight.iter().map(|(_, p)| p.x).sum::<f64>() / count;
    let spread = straight.iter().map(|(_, p)| (along(p.y) - mean_s).powi(2)).sum::<f64>();
    if straight.len() < 2 || spread < (2.0 * radius_mm).powi(2) {
        return unknown;
    }
    let product = straight.iter().map(|(_, p)| (along(p.y) - mean_s) * (p.x - mean_x)).sum::<f64>();
    let error_mm = options.track_error_radii * radius_mm;
    // The gap where the piece would have been, less and plus its error there.
    let gap = |s: f64| {
        let x = mean_x + product / spread * (s - mean_s);
        let error = error_mm * (1.0 / count + (s - mean_s).powi(2) / spread).sqrt();
        let gap = gap_to_sides_mm(Point::new(x, 0.0), board, radius_mm);
        [gap - error, gap + error]
    };
    let released_by = near_foul_line_mm(board, end);
    match (gap(0.0), gap(released_by)) {
        ([low, _], _) if low > 0.0 => SideTouch { touched: false, confidence: trust.side_by_way },
        (_, [_, high]) if high < 0.0 => SideTouch { touched: true, confidence: trust.side_by_way },
        (_, [low, high]) => SideTouch { touched: low + high < 0.0, ..unknown },
    }
}

/// How far from the end where it is let go a piece's way can begin: the foul line of that end.
fn near_foul_line_mm(board: &Board, end: End) -> f64 {
    let own = if end == End::Far { End::Near } else { End::Far };
    let fouls = board.lines_at(own).filter(|line| line.role == LineRole::Foul);
    let along = |y: f64| if end == End::Far { y } else { board.surface.length_mm - y };
    let places = fouls.filter_map(|line| match line.paint {
        Paint::Stroke { from, .. } => Some(along(from.y)),
        _ => None,
    });
    places.fold(0.0, f64::max)
}

/// Whether a thing was seen at the frame of a board, within a track's error.
pub fn frame_touched(track: &Track, board: &Board, radius_mm: f64, options: &UmpireOptions) -> bool {
    let (wide, long) = (board.surface.width_mm, board.surface.length_mm);
    let reach_mm = radius_mm * (1.0 + options.track_error_radii);
    track.points.iter().any(|point| {
        let Point { coords } = point.at;
        coords.x.min(wide - coords.x).min(coords.y).min(long - coords.y) < reach_mm
    })
}

/// Seconds between two frames, by the tracks; a tenth where none says.
fn frame_secs(tracks: &[&Track]) -> f64 {
    let gaps = tracks.iter().flat_map(|track| track.points.windows(2));
    let least = gaps.map(|pair| pair[1].time_secs - pair[0].time_secs).fold(f64::INFINITY, f64::min);
    if least.is_finite() && least > 0.0 { least } else { 0.1 }
}

/// The greatest speed in a strike, in mm/s: between the places of every track, and to where it is first
/// seen from the nearest place that it can have come from: that of a piece that was set in motion, or of
/// a thing that was seen moving in the frame before and lost. What lies within a piece's diameter of
/// another thing in the same frame is a part of that one. `None`: nothing was seen to move.
pub fn fastest_mm_s(tracks: &[&Track], set_in_motion: &[Point], diameter_mm: f64) -> Option<f64> {
    let frame_secs = frame_secs(tracks);
    let between = tracks
        .iter()
        .flat_map(|track| track.points.windows(2))
        .map(|pair| (pair[1].at - pair[0].at).norm() / (pair[1].time_secs - pair[0].time_secs).max(1e-6));
    let to_first = tracks.iter().enumerate().filter_map(|(index, track)| {
        let first = track.first()?;
        let others = tracks.iter().enumerate().filter(|(other, _)| *other != index);
        let ago = |point: &TrackPoint| first.time_secs - point.time_secs;
        let seen = others.flat_map(|(_, other)| &other.points).filter(|point| {
            let is_before = ago(point) > 0.5 * frame_secs && ago(point) < 1.5 * frame_secs;
            let is_same = ago(point).abs() < 0.5 * frame_secs;
            is_before || (is_same && (point.at - first.at).norm() < diameter_mm)
        });
        let from = set_in_motion.iter().copied().chain(seen.map(|point| point.at));
        let nearest = from.map(|from| (first.at - from).norm()).fold(f64::INFINITY, f64::min);
        nearest.is_finite().then_some(nearest / frame_secs)
    });
    between.chain(to_first).max_by(f64::total_cmp)
}

/// Whether a thing's way, followed back by a frame, leads over a place within `reach_mm`.
pub fn leads_back_to(track: &Track, place: Point, reach_mm: f64) -> bool {
    let [first, second, ..] = track.points.as_slice() else { return false };
    let before = first.at - (second.at - first.at);
    (place - nearest_on_segment(place, before, first.at)).norm() < reach_mm
}

/// Where a piece went that is no longer on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Pocketed,
    OffBoard,
}

/// What became of a piece that lay at `from`, by the ways of things that may have been it and by the
/// greatest speed in the strike. Only a fast piece leaves a framed board, and whether that one did
/// cannot be told from a pocket that lies on its way.
pub fn fate(
    tracks: &[&Track],
    from: Point,
    fastest_mm_s: Option<f64>,
    board: &Board,
    radius_mm: f64,
    options: &UmpireOptions,
) -> (Fate, f64) {
    let trust = &options.trust;
    if board.pockets.is_empty() {
        return (Fate::OffBoard, trust.left_the_board);
    }
    let is_slow = |speed: f64| speed < options.climbs_mm_s;
    let is_slow_strike = fastest_mm_s.is_some_and(is_slow);
    let frame_secs = frame_secs(tracks);
    let ends: Vec<Ending> = tracks.iter().filter_map(|track| Ending::of(track, from, frame_secs)).collect();
    let goes_in = |end: &Ending| end.leads_into_pocket(board, radius_mm, options);
    if is_slow_strike && ends.iter().any(goes_in) {
        return (Fate::Pocketed, trust.pocket);
    }
    if is_slow_strike {
        // Unseen it went no farther than a slow piece goes in a frame: else it was none.
        let lasts = ends.iter().map(|end| end.at).chain(ends.is_empty().then_some(from));
        let to_pocket_mm = lasts.map(|at| beyond_pockets_mm(at, board)).fold(f64::INFINITY, f64::min);
        let in_reach = to_pocket_mm < options.climbs_mm_s * frame_secs;
        return (Fate::Pocketed, if in_reach { trust.pocket_unseen } else { trust.guess });
    }
    match ends.as_slice() {
        [only] if goes_in(only) && is_slow(only.velocity.norm()) => (Fate::Pocketed, trust.pocket),
        [only] if !goes_in(only) && !is_slow(only.velocity.norm()) => (Fate::OffBoard, trust.guess),
        _ => (Fate::Pocketed, trust.guess),
    }
}

/// Whether a way ends in a pocket, however it began.
pub fn ends_in_pocket(track: &Track, board: &Board, radius_mm: f64, options: &UmpireOptions) -> bool {
    // One place is no way.
    let [first, _, ..] = track.points.as_slice() else { return false };
    let end = Ending::of(track, first.at, frame_secs(&[track]));
    end.is_some_and(|end| end.leads_into_pocket(board, radius_mm, options))
}

/// How far a place is from the edge of the nearest pocket.
fn beyond_pockets_mm(at: Point, board: &Board) -> f64 {
    let gap = |pocket: &Pocket| (at - pocket.centre).norm() - pocket.radius_mm;
    board.pockets.iter().map(gap).fold(f64::INFINITY, f64::min)
}

/// How a track ends.
struct Ending {
    at: Point,
    velocity: Vector,
    frame_secs: f64,
}

impl Ending {
    fn of(track: &Track, from: Point, frame_secs: f64) -> Option<Self> {
        let velocity = match track.points.as_slice() {
            [] => return None,
            [only] => (only.at - from) / frame_secs,
            _ => track.last_velocity_mm_s().unwrap_or_default(),
        };
        Some(Self { at: track.last()?.at, velocity, frame_secs })
    }

    /// Whether it was next to a pocket, or its way leads over one within the next two frames.
    fn leads_into_pocket(&self, board: &Board, radius_mm: f64, options: &UmpireOptions) -> bool {
        let speed = self.velocity.norm();
        board.pockets.iter().any(|pocket| {
            let to = pocket.centre - self.at;
            let reach_mm = pocket.radius_mm + 2.0 * radius_mm * options.pocket_diameters;
            let along = if speed > 1.0 { to.dot(&self.velocity) / speed } else { -1.0 };
            let aside = (to.norm_squared() - along * along).max(0.0).sqrt();
            let ahead =
                along > 0.0 && along < 2.0 * speed * self.frame_secs && aside < pocket.radius_mm + radius_mm;
            to.norm() < reach_mm || ahead
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A way at ten frames a second.
    fn way(places: &[[f64; 2]]) -> Track {
        let point = |(index, [x, y]): (usize, &[f64; 2])| TrackPoint {
            time_secs: index as f64 / 10.0,
            at: Point::new(*x, *y),
            area_mm2: 700.0,
            at_border: index == 0,
        };
        Track { points: places.iter().enumerate().map(point).collect(), hand: false, ended: true }
    }

    #[test]
    fn a_bank_is_known_by_a_turn_or_by_the_straight_way_to_where_it_was_let_go() {
        let board = Board::named_or_at("association-table").expect("ships");
        let (radius_mm, options) = (29.35, UmpireOptions::default());
        let touch =
            |places: &[[f64; 2]]| side_touch(&way(places), None, &board, End::Far, radius_mm, &options);
        let sure = |found: SideTouch| (found.touched, found.confidence >= options.sure);
        // Straight up the middle; off the left side in view; from beyond the right side, unseen.
        let straight = [[254.0, 2500.0], [254.0, 2700.0], [254.0, 2880.0], [254.0, 3040.0]];
        assert_eq!(sure(touch(&straight)), (false, true));
        let turned = [[120.0, 2500.0], [60.0, 2700.0], [45.0, 2880.0], [95.0, 3040.0]];
        assert_eq!(sure(touch(&turned)), (true, true));
        let from_beyond = [[420.0, 2500.0], [360.0, 2700.0], [306.0, 2880.0], [258.0, 3040.0]];
        assert_eq!(sure(touch(&from_beyond)), (true, true));
        // Let go at the foul line it came straight, let go at the end off a side: nobody knows.
        let either = [[320.0, 2463.0], [313.0, 2510.0], [306.0, 2551.0], [301.0, 2585.0]];
        assert!(!sure(touch(&either)).1);
        assert!(!sure(touch(&straight[..1])).1, "one place is no way");
    }

    #[test]
    fn only_a_fast_piece_may_have_left_the_board() {
        let board = Board::named_or_at("carrom-icf").expect("ships");
        let options = UmpireOptions::default();
        let lay = Point::new(500.0, 500.0);
        let to_pocket = way(&[[560.0, 560.0], [620.0, 620.0], [670.0, 670.0]]);
        let fate_at = |fastest: Option<f64>, tracks: &[&Track]| {
            let (fate, confidence) = fate(tracks, lay, fastest, &board, 15.9, &options);
            (fate, confidence >= options.sure)
        };
        assert_eq!(fate_at(Some(800.0), &[&to_pocket]), (Fate::Pocketed, true));
        assert!(!fate_at(Some(800.0), &[]).1, "a slow piece is seen on so long a way");
        assert_eq!(fate_at(Some(2500.0), &[&to_pocket]), (Fate::Pocketed, true), "its own way is slow");
        let to_frame = way(&[[500.0, 560.0], [500.0, 730.0]]);
        assert_eq!(fate_at(Some(2500.0), &[&to_frame]), (Fate::OffBoard, false));
        assert!(!fate_at(Some(2500.0), &[&to_frame, &to_pocket]).1, "which of the two was it?");
        assert_eq!(fastest_mm_s(&[&to_frame], &[lay], 31.8), Some(1700.0));
    }
    /// A piece's way was lost and found again, and its shadow was seen as a thing of its own.
    #[test]
    fn a_way_in_parts_is_no_faster_than_the_thing() {
        let lay = Point::new(500.0, 500.0);
        let shift = |mut track: Track, secs: f64| {
            track.points.iter_mut().for_each(|point| point.time_secs += secs);
            track
        };
        let whole = way(&[[560.0, 560.0], [620.0, 620.0]]);
        let found_again = shift(way(&[[680.0, 680.0], [735.0, 735.0]]), 0.2);
        let shadow = shift(way(&[[690.0, 670.0]]), 0.2);
        let fastest = fastest_mm_s(&[&whole, &found_again, &shadow], &[lay], 31.8).expect("it moved");
        assert!((fastest - 848.5).abs() < 1.0, "{fastest}");
        let alone = fastest_mm_s(&[&found_again], &[lay], 31.8).expect("it moved");
        assert!(alone > 2500.0, "from nowhere it came from where it lay: {alone}");
        assert!(leads_back_to(&whole, lay, 15.9) && !leads_back_to(&found_again, lay, 15.9));
    }
}
