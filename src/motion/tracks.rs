//! Ways of things that move, from frame to frame.
//!
//! In: the foreground of every frame. Out: [`Track`]s: one thing each, piece or hand, with its
//! places in order. A track says whether it came in from the border of the view, where it was last
//! seen, and whether it met a side.

use super::{Activity, Blob, nearest_first};
use crate::geometry::{Point, Vector};

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrackOptions {
    /// Fastest piece, in mm/s. Default 4000: a hard shot on waxed wood. Bounds how far a thing is
    /// looked for in the next frame.
    pub speed_most_mm_s: f64,
    /// A thing of more than this is a hand or an arm, in mm². Default 5500: a hand without its
    /// arm is about 12 000, a piece on its way up to 3000 with its blur.
    pub hand_mm2: f64,
    /// The same in areas of the largest piece. Default 5: with its shadow and blur a piece on its
    /// way covers up to three.
    pub hand_pieces: f64,
    /// Least area of a thing that is followed, in areas of the smallest piece. Default 0.25.
    pub piece_share_min: f64,
}

impl Default for TrackOptions {
    fn default() -> Self {
        Self { speed_most_mm_s: 4000.0, hand_mm2: 5500.0, hand_pieces: 5.0, piece_share_min: 0.25 }
    }
}

/// A thing in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackPoint {
    pub time_secs: f64,
    pub at: Point,
    pub area_mm2: f64,
    pub at_border: bool,
}

/// One thing's way.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    pub points: Vec<TrackPoint>,
    /// Whether it was ever of a hand's size.
    pub hand: bool,
    /// Ended before the last frame: the thing was lost, or became part of a larger one.
    pub ended: bool,
}

impl Track {
    /// Whether it began at the border of what is watched.
    pub fn entered(&self) -> bool {
        self.points.first().is_some_and(|point| point.at_border)
    }

    pub fn first(&self) -> Option<&TrackPoint> {
        self.points.first()
    }

    pub fn last(&self) -> Option<&TrackPoint> {
        self.points.last()
    }

    /// Greatest distance from where it began.
    pub fn reach_mm(&self) -> f64 {
        let Some(first) = self.first() else { return 0.0 };
        self.points.iter().map(|point| (point.at - first.at).norm()).fold(0.0, f64::max)
    }

    /// Velocity at its end, from the last two places.
    pub fn last_velocity_mm_s(&self) -> Option<Vector> {
        let [.., before, last] = self.points.as_slice() else { return None };
        Some((last.at - before.at) / (last.time_secs - before.time_secs).max(1e-6))
    }
}

/// Follows things through the frames of one episode.
#[derive(Debug, Clone, Default)]
pub struct Tracker {
    pub tracks: Vec<Track>,
    last_secs: Option<f64>,
}

impl Tracker {
    /// `piece_mm2`: areas of the smallest and the largest piece.
    pub fn push(&mut self, activity: &Activity, piece_mm2: [f64; 2], options: &TrackOptions) {
        let time_secs = activity.time_secs;
        let hand_mm2 = options.hand_mm2.max(options.hand_pieces * piece_mm2[1]);
        let is_thing = |blob: &&Blob| blob.area_mm2 >= options.piece_share_min * piece_mm2[0];
        let blobs: Vec<&Blob> = activity.foreground.iter().filter(is_thing).collect();
        let elapsed = time_secs - self.last_secs.replace(time_secs).unwrap_or(time_secs);
        let reach_mm = options.speed_most_mm_s * elapsed + 10.0;
        let mut pairs = Vec::new();
        for (t, track) in self.tracks.iter().enumerate().filter(|(_, track)| !track.ended) {
            let Some(expected) = expected_at(track, time_secs) else { continue };
            for (b, blob) in blobs.iter().enumerate() {
                let off_mm = (blob.at - expected).norm();
                let last_mm = track.last().map_or(0.0, |last| (blob.at - last.at).norm());
                if last_mm <= reach_mm {
                    pairs.push((off_mm.min(last_mm), t, b));
                }
            }
        }
        let mut taken = vec![false; blobs.len()];
        let mut grown = vec![false; self.tracks.len()];
        for (t, b) in nearest_first(pairs) {
            (grown[t], taken[b]) = (true, true);
            self.tracks[t].points.push(point_of(blobs[b], time_secs));
            // An arm leads to every hand: a cluster of pieces in the middle of the board is none.
            let reaches_in = may_reach_in(blobs[b]) || self.tracks[t].points.iter().any(|p| p.at_border);
            self.tracks[t].hand |= blobs[b].area_mm2 > hand_mm2 && reaches_in;
        }
        for (track, grown) in self.tracks.iter_mut().zip(grown) {
            track.ended |= !grown;
        }
        for (blob, taken) in blobs.into_iter().zip(taken) {
            if !taken {
                self.tracks.push(Track {
                    points: vec![point_of(blob, time_secs)],
                    hand: blob.area_mm2 > hand_mm2 && may_reach_in(blob),
                    ended: false,
                });
            }
        }
    }

    /// Whether a hand was seen.
    pub fn hand(&self) -> bool {
        self.tracks.iter().any(|track| track.hand)
    }
}

/// Whether a thing comes from outside, or may do so through what is not known.
fn may_reach_in(blob: &Blob) -> bool {
    blob.at_border || blob.beside_unknown
}

fn point_of(blob: &Blob, time_secs: f64) -> TrackPoint {
    TrackPoint { time_secs, at: blob.at, area_mm2: blob.area_mm2, at_border: blob.at_border }
}

/// Where a thing should be now if it goes on as it did.
fn expected_at(track: &Track, time_secs: f64) -> Option<Point> {
    let last = track.last()?;
    let velocity = track.last_velocity_mm_s().unwrap_or_default();
    Some(last.at + velocity * (time_secs - last.time_secs))
}
