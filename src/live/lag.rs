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
        let near_mm = diameter_mm * (1.0 + options.track_error_radii / 2.0);
        let passed_close = seen.episode.tracks.iter().any(|track| closest_mm(track, first_before) < near_mm);
        if !moved && passed_close {
            doubts.push(LiveDoubt::asking(
                "touched",
                1.0 - options.trust.guess,
                "did the second puck touch the first (C1)?",
            ));
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
            confidence: if doubts.is_empty() { options.trust.came_to_rest } else { options.trust.guess },
            doubts,
            rests_on: RestsOn::ThisView,
        })))
    }
}

/// How near a thing came to a piece, between its places too.
fn closest_mm(track: &Track, piece: &Lying) -> f64 {
    let near = |pair: &[crate::motion::TrackPoint]| {
        let along = pair[1].at - pair[0].at;
        let share = ((piece.at() - pair[0].at).dot(&along) / along.norm_squared().max(1e-9)).clamp(0.0, 1.0);
        (pair[0].at + along * share - piece.at()).norm()
    };
    track.points.windows(2).map(near).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::{
        Episode,
        half_round::tests::{court_order, entering, puck, report},
    };

    /// Ann's puck lies at x 100, y 1500; then Bo's is played. What is drafted?
    fn lagged(after: &[Lying], tracks: Vec<Track>) -> Draft {
        let board = Board::named_or_at("carrom-court").expect("ships");
        let order = court_order();
        let (mut lag, report, options) = (Lag::default(), report(), UmpireOptions::default());
        let mut drafted = None;
        let first = vec![puck("red", 100.0, 1500.0)];
        for (pieces, tracks) in [(Vec::new(), Vec::new()), (first, Vec::new()), (after.to_vec(), tracks)] {
            assert!(drafted.is_none(), "before both lie there");
            let episode = Episode { tracks, ..Episode::default() };
            let seen = Seen {
                pieces: &pieces,
                report: &report,
                episode: &episode,
                overlooked: &[],
                contradictions: &[],
            };
            drafted = lag.settled(&seen, &order, ["Ann", "Bo"], 1, &board, &options);
        }
        assert!(!lag.is_due(1) && lag.is_due(2));
        match drafted {
            Some(Finding::Draft(draft)) => *draft,
            other => panic!("both lie there: {other:?}"),
        }
    }

    fn event(draft: &Draft) -> &LagEvent {
        match &draft.event {
            Event::Lag(event) => event,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_pucks_are_measured_once_they_lie_there() {
        let after = [puck("red", 100.1, 1500.0), puck("blue", 300.0, 1600.0)];
        let draft = lagged(&after, vec![entering(300.0, 1600.0)]);
        assert!(draft.doubts.is_empty() && draft.confidence > 0.9);
        let event = event(&draft);
        assert_eq!((event.first.as_str(), event.second.as_str(), event.moved), ("Ann", "Bo", false));
        assert_eq!(event.pieces.iter().map(|piece| piece.y_mm).collect::<Vec<_>>(), [1500.0, 1600.0]);
    }

    #[test]
    fn a_puck_that_moves_the_first_is_told_and_one_that_passes_close_is_asked_about() {
        let moved = [puck("red", 100.0, 1520.0), puck("blue", 100.0, 1480.0)];
        assert!(event(&lagged(&moved, vec![entering(100.0, 1480.0)])).moved);
        let close = [puck("red", 100.0, 1500.0), puck("blue", 131.0, 1600.0)];
        let draft = lagged(&close, vec![entering(131.0, 1600.0)]);
        assert!(!event(&draft).moved && !draft.doubts.is_empty(), "{draft:?}");
    }
}
