//! What detection found in one frame, made clean: which of it are pieces of the game.
//!
//! In: a [`Detection`] and the plan's cells. Out: [`Found`] pieces, and places where a striker may
//! lie. Overlapping pieces of one kind are one; what was left out because there were too many of its
//! kind comes back by its look; what looks like the bare board is print.

use super::{
    bare::Bare,
    options::KnownOptions,
    plan::{Plan, Stops, apart, median, minus},
};
use crate::{board::Board, detect::Detection, geometry::Point};

/// A piece in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Index into [`Board::pieces`].
    pub kind: usize,
    pub at: Point,
}

/// How the faces of each kind look beside the surface, learned from what is found.
#[derive(Debug, Clone)]
pub struct Looks {
    of: Vec<Stops>,
}

/// Share of a new look in a kind's mean.
const LEARNED: f32 = 0.02;

/// Part of a piece's radius whose cells are its face.
const FACE: f64 = 0.8;

impl Looks {
    /// As the board file has them.
    pub fn of_board(board: &Board) -> Self {
        let stops = |colour: [u8; 3]| colour.map(|value| ((f32::from(value) + 8.0) / 256.0).log2());
        let surface = stops(board.surface.colour.0);
        let of = board.pieces.iter().map(|kind| minus(stops(kind.colour.0), surface)).collect();
        Self { of }
    }

    pub fn of(&self, kind: usize) -> Stops {
        self.of[kind]
    }

    /// The kind that a look is nearest to, of those that are not shot with.
    pub fn nearest(&self, look: Stops, board: &Board) -> Option<(usize, f32)> {
        let kinds = (0..self.of.len()).filter(|kind| !board.pieces[*kind].shooter);
        kinds.map(|kind| (kind, apart(look, self.of[kind]))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn learn(&mut self, kind: usize, look: Stops) {
        for (mean, now) in self.of[kind].iter_mut().zip(look) {
            *mean += (now - *mean) * LEARNED;
        }
    }
}

/// A frame as the finders see it.
pub struct View<'v> {
    pub plan: &'v Plan,
    pub cells: &'v [Stops],
    pub bare: &'v Bare,
    /// Cells that look otherwise than the bare board.
    pub strange: &'v [bool],
    pub board: &'v Board,
    pub options: &'v KnownOptions,
}

impl View<'_> {
    /// A face's look beside the surface around it.
    pub fn look(&self, at: Point, radius_mm: f64) -> Option<Stops> {
        let cells = self.plan.cells_around(at, FACE * radius_mm).filter(|cell| self.plan.in_view[*cell]);
        let mut looks: Vec<Stops> =
            cells.map(|cell| minus(self.cells[cell], self.bare.surface[cell])).collect();
        median(&mut looks)
    }

    pub fn strange_share(&self, at: Point, radius_mm: f64) -> f64 {
        self.plan.share(at, FACE * radius_mm, |cell| self.strange[cell]).unwrap_or(0.0)
    }

    fn is_over_pocket(&self, at: Point) -> bool {
        self.board.pockets.iter().any(|pocket| (at - pocket.centre).norm() < pocket.radius_mm)
    }
}

/// The pieces of a frame, without strikers.
pub fn found(view: &View<'_>, detection: &Detection, looks: &mut Looks) -> Vec<Found> {
    let View { board, options, .. } = *view;
    let mut found: Vec<Found> = Vec::new();
    let pieces = detection.pieces.iter().map(|piece| (Some(piece.kind), piece.centre));
    let foreign = detection.foreign.iter().map(|thing| (None, thing.centre));
    for (kind, at) in pieces.chain(foreign) {
        let kind = kind.filter(|kind| !board.pieces[*kind].shooter);
        let radius_mm = kind.map_or_else(|| smallest_mm(board), |kind| board.pieces[kind].radius_mm());
        if view.is_over_pocket(at) || view.strange_share(at, radius_mm) < options.strange_share {
            continue;
        }
        let Some(look) = view.look(at, radius_mm) else { continue };
        let kind = match kind {
            Some(kind) if apart(look, looks.of(kind)) < options.look_apart => {
                looks.learn(kind, look);
                kind
            }
            Some(_) => continue,
            None => match looks.nearest(look, board) {
                Some((kind, off)) if off < options.look_apart => kind,
                _ => continue,
            },
        };
        let diameter_mm = board.pieces[kind].diameter_mm;
        let is_same = |other: &Found| {
            let share = match other.kind == kind {
                true => options.same_kind_diameters,
                false => options.same_thing_diameters,
            };
            (other.at - at).norm() < share * diameter_mm
        };
        if !found.iter().any(is_same) {
            found.push(Found { kind, at });
        }
    }
    found
}

fn smallest_mm(board: &Board) -> f64 {
    board.pieces.iter().map(|kind| kind.radius_mm()).fold(f64::INFINITY, f64::min)
}
