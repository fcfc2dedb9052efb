//! Pieces at rest, and what became of them between two settled views.
//!
//! In: two lists of pieces and the tracks between them. Out: which stayed, moved, came and went.

use serde::{Deserialize, Serialize};

use super::UmpireOptions;
use crate::{
    calls::PieceState,
    geometry::Point,
    motion::{Track, nearest_first},
    score::{PhotoReport, PieceReport},
};

/// A piece at rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lying {
    /// Name of its kind: a colour, `queen`, `striker` …
    pub kind: String,
    pub x_mm: f64,
    pub y_mm: f64,
    pub sigma_mm: f64,
    pub state: PieceState,
    /// Its id in the view's report.
    pub id: usize,
}

impl Lying {
    pub fn at(&self) -> Point {
        Point::new(self.x_mm, self.y_mm)
    }

    fn of(piece: &PieceReport) -> Self {
        Self {
            kind: piece.colour.clone(),
            x_mm: piece.x_mm,
            y_mm: piece.y_mm,
            sigma_mm: piece.sigma_mm,
            state: piece.state,
            id: piece.id,
        }
    }
}

/// The pieces of a report.
pub fn lying(report: &PhotoReport) -> Vec<Lying> {
    report.pieces.iter().map(Lying::of).collect()
}

pub fn count_of(pieces: &[Lying], kind: &str) -> usize {
    pieces.iter().filter(|piece| piece.kind == kind).count()
}

/// What became of the pieces: indices into the lists before and after.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    pub stayed: Vec<(usize, usize)>,
    pub moved: Vec<(usize, usize)>,
    pub came: Vec<usize>,
    pub went: Vec<usize>,
}

impl Changes {
    pub fn is_none(&self) -> bool {
        self.moved.is_empty() && self.came.is_empty() && self.went.is_empty()
    }
}

/// Compares two settled views. Pieces of one kind look alike, so one that moved is told from one
/// that went by the tracks between, and where there are none by distance.
pub fn changes(
    before: &[Lying],
    after: &[Lying],
    tracks: &[Track],
    diameter_mm: f64,
    options: &UmpireOptions,
) -> Changes {
    let all = || {
        let each = |b: usize| (0..after.len()).map(move |a| (b, a));
        (0..before.len()).flat_map(each).filter(|(b, a)| before[*b].kind == after[*a].kind)
    };
    let distance = |b: usize, a: usize| (before[b].at() - after[a].at()).norm();
    let in_place = |b: usize, a: usize| {
        distance(b, a) <= options.same_place_mm + 3.0 * before[b].sigma_mm.hypot(after[a].sigma_mm)
    };
    let mut stayed =
        nearest_first(all().filter(|(b, a)| in_place(*b, *a)).map(|(b, a)| (distance(b, a), b, a)).collect());
    stayed.sort_unstable();
    let is_open = |(b, a): &(usize, usize)| stayed.iter().all(|(before, after)| before != b && after != a);
    let is_tracked = |b: usize, a: usize| {
        let near = |at: Point, piece: &Lying, reach: f64| (at - piece.at()).norm() < reach * diameter_mm;
        tracks.iter().filter(|track| !track.hand).any(|track| {
            track.first().is_some_and(|first| near(first.at, &before[b], 2.0))
                && track.last().is_some_and(|last| near(last.at, &after[a], 1.0))
        })
    };
    let apart = |b: usize, a: usize| if is_tracked(b, a) { 0.0 } else { distance(b, a) };
    let mut moved = nearest_first(all().filter(is_open).map(|(b, a)| (apart(b, a), b, a)).collect());
    moved.sort_unstable();
    let paired = || stayed.iter().chain(&moved);
    Changes {
        went: (0..before.len()).filter(|b| paired().all(|pair| pair.0 != *b)).collect(),
        came: (0..after.len()).filter(|a| paired().all(|pair| pair.1 != *a)).collect(),
        stayed,
        moved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(kind: &str, x_mm: f64, y_mm: f64) -> Lying {
        Lying { kind: kind.into(), x_mm, y_mm, sigma_mm: 0.1, state: PieceState::Live, id: 1 }
    }

    #[test]
    fn pieces_stay_move_come_and_go() {
        let before = [piece("red", 100.0, 100.0), piece("blue", 200.0, 100.0), piece("red", 300.0, 50.0)];
        let after = [piece("red", 100.2, 100.1), piece("red", 330.0, 90.0), piece("red", 10.0, 20.0)];
        let found = changes(&before, &after, &[], 30.0, &UmpireOptions::default());
        assert_eq!(found.stayed, [(0, 0)]);
        assert_eq!(found.moved, [(2, 1)]);
        assert_eq!((found.came, found.went), (vec![2], vec![1]));
    }
}
