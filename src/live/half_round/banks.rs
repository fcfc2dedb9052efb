//! Bank play (N7): which rocks have touched a bank.
//!
//! In: what was played between two settled views, and whether players left it lying. Out: of every
//! rock on the board whether it has touched a bank, and how sure that is.

use serde::{Deserialize, Serialize};

use super::{HalfRound, Seen, goes_toward, is_knocked_on};
use crate::{
    board::{Board, End},
    geometry::Point,
    live::{
        UmpireOptions,
        finding::LiveDoubt,
        lying::{Changes, Lying},
        way::{SideTouch, side_touch},
    },
    motion::Track,
};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Banked {
    pub touched: bool,
    pub confidence: f64,
}

impl HalfRound {
    /// The next rock is shot: those that have touched no bank were taken away before, so those that
    /// still lie there have, by what the players saw. Where that contradicts the way that was seen,
    /// nobody knows. `taken`: rocks that are taken away only now.
    pub(super) fn hear_players(&mut self, taken: &[usize], options: &UmpireOptions) {
        let trust = &options.trust;
        for (_, puck) in self.pucks.iter_mut().enumerate().filter(|(index, _)| !taken.contains(index)) {
            let is_denied = puck.banked.is_some_and(|b| !b.touched && b.confidence >= options.sure);
            let heard = puck.banked.filter(|b| b.touched).map_or(0.0, |banked| banked.confidence);
            puck.banked = Some(match is_denied {
                true => Banked { touched: false, confidence: trust.guess },
                false => Banked { touched: true, confidence: heard.max(trust.left_lying) },
            });
        }
    }

    /// Asks about every rock of which it is not known; how likely all the others are right.
    pub(super) fn ask_about_banks(&self, options: &UmpireOptions, doubts: &mut Vec<LiveDoubt>) -> f64 {
        let mut confidence = 1.0;
        for puck in &self.pucks {
            let known = puck.banked.map_or(options.trust.guess, |banked| banked.confidence);
            confidence *= known;
            if known < options.sure {
                let Lying { kind, x_mm, y_mm, id, .. } = &puck.lying;
                let mut doubt = LiveDoubt::asking(
                    "bank",
                    1.0 - known,
                    format!("did the {kind} rock at x {x_mm:.0}, y {y_mm:.0} touch a bank?"),
                );
                doubt.piece = Some(*id);
                doubts.push(doubt);
            }
        }
        confidence
    }

    /// Which of the pucks that do not lie where they lay have touched a bank. `played`: whose were shot.
    /// Pucks of a colour look alike: where one was hit by another of its colour, and only one of the two
    /// has touched a bank, nobody knows which of them lies where.
    pub(super) fn banked(
        &self,
        found: &Changes,
        seen: &Seen<'_>,
        played: &[String],
        board: &Board,
        end: End,
        options: &UmpireOptions,
    ) -> Vec<(usize, Banked)> {
        let shot = match played {
            [colour] => arrival(found, &self.disturbed(found), seen, colour, board, end, options),
            _ => None,
        };
        let disturbed = || found.went.iter().chain(found.moved.iter().map(|(old, _)| old));
        let alike = |kind: &str| {
            let before = disturbed().map(|old| &self.pucks[*old]).filter(|puck| puck.lying.kind == kind);
            let before = before.map(|puck| puck.banked).collect::<Vec<_>>();
            let new = played.iter().filter(|colour| *colour == kind).map(|_| shot);
            before.into_iter().chain(new).collect::<Vec<_>>()
        };
        let old = |new: usize| found.moved.iter().find(|(_, after)| *after == new).map(|(old, _)| *old);
        let resting = found.came.iter().copied().chain(found.moved.iter().map(|(_, new)| *new));
        let of = |new: usize| {
            let own = old(new).map_or(shot, |old| self.pucks[old].banked);
            let all = alike(&seen.pieces[new].kind);
            let Banked { touched, confidence } = own.or_else(|| all.iter().flatten().next().copied())?;
            // What is not known of one of them agrees with nothing.
            let weigh = |banked: &Option<Banked>| match banked {
                Some(banked) if banked.touched == touched => banked.confidence,
                _ => options.trust.guess,
            };
            let confidence = all.iter().map(weigh).fold(confidence, f64::min);
            Some((new, Banked { touched, confidence }))
        };
        resting.filter_map(of).collect()
    }
}

/// Whether the puck that was shot has touched a side, by the way of what came in. It may have met others:
/// then its way is known as far as it ends at a puck of its colour.
fn arrival(
    found: &Changes,
    disturbed: &[Point],
    seen: &Seen<'_>,
    colour: &str,
    board: &Board,
    end: End,
    options: &UmpireOptions,
) -> Option<Banked> {
    let radius_mm = board.piece(colour)?.radius_mm();
    let came_in = || {
        let tracks = seen.episode.tracks.iter().filter(|track| !track.hand && goes_toward(track, end));
        tracks.filter(|track| !is_knocked_on(track, disturbed, 2.0 * radius_mm))
    };
    let rests_of = |way: &Track| {
        let resting = found.came.iter().chain(found.moved.iter().map(|(_, new)| new));
        let nearest =
            resting.map(|new| &seen.pieces[*new]).min_by(|a, b| off_mm(way, a).total_cmp(&off_mm(way, b)));
        nearest.filter(|piece| piece.kind == colour && off_mm(way, piece) < 4.0 * radius_mm)
    };
    let whole = came_in().filter_map(|way| Some((way, rests_of(way)?)));
    let whole = whole.min_by(|(a, at), (b, bt)| off_mm(a, at).total_cmp(&off_mm(b, bt)));
    let entry_secs = |track: &Track| track.first().map_or(f64::INFINITY, |first| first.time_secs);
    let first = || came_in().min_by(|a, b| entry_secs(a).total_cmp(&entry_secs(b)));
    let (way, rests) = match whole {
        Some((way, rests)) => (way, Some(rests)),
        None => (first()?, None),
    };
    let SideTouch { touched, confidence } =
        side_touch(way, rests.map(Lying::at), board, end, radius_mm, options);
    let is_lost = !touched && rests.is_none() && !disturbed.is_empty();
    Some(Banked {
        touched,
        confidence: if is_lost { confidence.min(options.trust.guess) } else { confidence },
    })
}

fn off_mm(track: &Track, piece: &Lying) -> f64 {
    track.last().map_or(f64::INFINITY, |last| (last.at - piece.at()).norm())
}
