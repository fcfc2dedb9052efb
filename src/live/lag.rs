//! The lag for colour (C1, L1): two pucks, one a side, and whose lies nearer to the farthest foul line.
//!
//! In: settled views before a game's first half round. Out: a `lag` once both have come to rest, with
//! whether the second touched or moved the first. Who chooses, and what, is for the rules and people.

use serde::{Deserialize, Serialize};

use super::{
    UmpireOptions,
    finding::{Draft, Finding, LiveDoubt, RestsOn},
    half_round::{Order, Seen},
    lying::{Lying, changes},
};
use crate::{
    board::Board,
    motion::Track,
    rules::{
        Event,
        event::{LagEvent, LagPiece},
    },
};

/// How far the lag has come.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Lag {
    pieces: Vec<Lying>,
    /// The game whose lag is over.
    over_for: Option<u32>,
}

impl Lag {
    pub fn is_due(&self, game_number: u32) -> bool {
        self.over_for != Some(game_number)
    }

    /// Takes a settled view; `sides` are the names in the order in which they lag.
    pub fn settled(
        &mut self,
        seen: &Seen<'_>,
        order: &Order,
        sides: [&str; 2],
        game_number: u32,
        board: &Board,
        options: &UmpireOptions,
    ) -> Option<Finding> {
        let before = std::mem::replace(&mut self.pieces, seen.pieces.to_vec());
        let diameter_mm = board.piece(&order.colours[0])?.diameter_mm;
        let found = changes(&before, seen.pieces, &seen.episode.tracks, diameter_mm, options);
        let second = *found.came.first()?;
        let [first_before] = &before[..] else { return None };
        let first_after = found.stayed.first().or(found.moved.first()).map(|(_, new)| &seen.pieces[*new]);
        self.over_for = Some(game_number);
        let moved = found.stayed.is_empty();
        let first = first_after.unwrap_or(first_before);
        let lag_piece = |piece: &Lying| LagPiece {
            colour: Some(piece.kind.clone()),
            x_mm: piece.x_mm,
            y_mm: piece.y_mm,
            sigma_mm: Some(piece.sigma_mm),
        };
        let mut doubts = Vec::new();
        let near_mm = diameter_mm * (1.0 + TOUCH_SHARE);
        let passed_close = seen.episode.tracks.iter().any(|track| closest_mm(track, first_before) < near_mm);
        if !moved && passed_close {
            doubts.push(LiveDoubt::asking("touched", 0.4, "did the second puck touch the first (C1)?"));
        }
        Some(Finding::Draft(Box::new(Draft {
            event: Event::Lag(LagEvent {
                first: sides[0].to_owned(),
                second: sides[1].to_owned(),
                pieces: vec![lag_piece(first), lag_piece(&seen.pieces[second])],
                moved,
                end: order.end,
                waive: Vec::new(),
                by: None,
            }),
            confidence: if doubts.is_empty() { 0.97 } else { 0.6 },
            doubts,
            rests_on: RestsOn::ThisView,
        })))
    }
}

/// A track's error, as a share of a puck's diameter.
const TOUCH_SHARE: f64 = 0.15;

/// How near a thing came to a piece, between its places too.
fn closest_mm(track: &Track, piece: &Lying) -> f64 {
    let near = |pair: &[crate::motion::TrackPoint]| {
        let along = pair[1].at - pair[0].at;
        let share = ((piece.at() - pair[0].at).dot(&along) / along.norm_squared().max(1e-9)).clamp(0.0, 1.0);
        (pair[0].at + along * share - piece.at()).norm()
    };
    track.points.windows(2).map(near).fold(f64::INFINITY, f64::min)
}
