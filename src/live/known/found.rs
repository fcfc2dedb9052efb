//! What detection found in one frame, made clean: which of it are pieces of the game.
//!
//! In: a [`Detection`] and the plan's cells. Out: [`Found`] pieces, and places where a striker may
//! lie. Overlapping pieces of one kind are one; what was left out because there were too many of its
//! kind comes back by its look; what looks like the bare board is print.

use std::collections::VecDeque;

use super::{
    bare::Bare,
    options::KnownOptions,
    plan::{Plan, Stops, apart, dot, median, minus},
};
use crate::{
    board::Board,
    detect::{Detection, Foreign, ForeignReason},
    geometry::Point,
};

/// A piece in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Index into [`Board::pieces`].
    pub kind: usize,
    pub at: Point,
}

impl Found {
    /// Whether two findings are too near for two pieces.
    pub fn is_in_place_of(&self, other: &Found, board: &Board) -> bool {
        let reach_mm = board.pieces[self.kind].radius_mm() + board.pieces[other.kind].radius_mm();
        (self.at - other.at).norm() < NEAREST * reach_mm
    }
}

/// Nearer than this share of their radii together, two findings are one thing's.
const NEAREST: f64 = 0.75;

/// How much of a kind's look shows in less light and in more.
const LIGHT: std::ops::Range<f32> = 0.7..1.7;

/// How the faces of each kind look beside the surface, learned from what is found.
#[derive(Debug, Clone)]
pub struct Looks {
    of: Vec<Stops>,
    seen: Vec<VecDeque<Stops>>,
}

/// A pocket may be so many times as far off as the board file says.
const POCKET_OFF_TIMES: f64 = 2.0;

/// Part of a piece's radius whose cells are its face.
const FACE: f64 = 0.8;

impl Looks {
    /// As the board file has them.
    pub fn of_board(board: &Board) -> Self {
        let stops = |colour: [u8; 3]| colour.map(|value| ((f32::from(value) + 8.0) / 256.0).log2());
        let surface = stops(board.surface.colour.0);
        let of: Vec<Stops> = board.pieces.iter().map(|kind| minus(stops(kind.colour.0), surface)).collect();
        Self { seen: vec![VecDeque::new(); of.len()], of }
    }

    pub fn of(&self, kind: usize) -> Stops {
        self.of[kind]
    }

    /// The kind that a look is nearest to, of those that are not shot with.
    pub fn nearest(&self, look: Stops, board: &Board) -> Option<(usize, f32)> {
        let kinds = (0..self.of.len()).filter(|kind| !board.pieces[*kind].shooter);
        kinds.map(|kind| (kind, apart(look, self.of[kind]))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether a thing that was told to be of a kind may be: makers' colours are not the board file's, so the
    /// first ones are taken at their word.
    fn takes(&mut self, kind: usize, look: Stops, options: &KnownOptions) -> bool {
        let seen = &mut self.seen[kind];
        if seen.len() >= options.looks_least && apart(look, self.of[kind]) >= options.look_apart {
            return false;
        }
        seen.push_back(look);
        while seen.len() > options.looks {
            seen.pop_front();
        }
        if seen.len() >= options.looks_least
            && let Some(middle) = median(&mut seen.iter().copied().collect::<Vec<_>>())
        {
            self.of[kind] = middle;
        }
        true
    }

    /// The kind of man whose face a look may be in more or less light, and how far off it is: dark faces are darker
    /// in a corner than under the lamp.
    pub fn nearest_in_any_light(&self, look: Stops, board: &Board) -> Option<(usize, f32)> {
        let off = |kind: usize| {
            let (of, square) = (self.of[kind], dot(self.of[kind], self.of[kind]));
            let strength = (dot(look, of) / square.max(f32::MIN_POSITIVE)).clamp(LIGHT.start, LIGHT.end);
            apart(look, of.map(|channel| strength * channel))
        };
        let kinds = (0..self.of.len()).filter(|kind| !board.pieces[*kind].shooter);
        kinds.map(|kind| (kind, off(kind))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The kind of man that a cell looks like.
    pub fn like_a_man(&self, view: &View<'_>, cell: usize) -> Option<usize> {
        let look = minus(view.cells[cell], view.bare.surface[cell]);
        let (kind, off) = self.nearest_in_any_light(look, view.board)?;
        // Pale men on pale boards differ little.
        let least = view.options.strange_step.min(self.step(kind) / 2.0);
        (off < view.options.look_apart / 2.0 && apart(look, [0.0; 3]) > least).then_some(kind)
    }

    /// By how much a kind differs from the surface.
    pub fn step(&self, kind: usize) -> f32 {
        apart(self.of[kind], [0.0; 3])
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

    /// Whether a place shows what the bare board shows there.
    fn is_print(&self, at: Point, radius_mm: f64) -> bool {
        let shows_board = |cell: usize| {
            self.bare.is_known(cell, self.options)
                && apart(self.cells[cell], self.bare.colour[cell]) < self.options.print_step
        };
        self.plan
            .share(at, FACE * radius_mm, shows_board)
            .is_some_and(|share| share > self.options.print_share)
    }

    /// The radius of the smallest man.
    pub fn men_radius_mm(&self) -> f64 {
        let men = self.board.pieces.iter().filter(|kind| !kind.shooter);
        men.map(|kind| kind.radius_mm()).fold(f64::INFINITY, f64::min)
    }

    /// What would lie over a pocket's mouth, as well as that is known, has fallen into it.
    pub fn is_over_pocket(&self, at: Point) -> bool {
        let known_mm = POCKET_OFF_TIMES * self.board.accuracy_mm;
        self.board.pockets.iter().any(|pocket| (at - pocket.centre).norm() < pocket.radius_mm + known_mm)
    }
}

/// The pieces of a frame, without strikers.
pub fn found(view: &View<'_>, detection: &Detection, looks: &mut Looks) -> Vec<Found> {
    let View { board, options, .. } = *view;
    let mut found: Vec<Found> = Vec::new();
    let pieces = detection.pieces.iter().map(|piece| (Some(piece.kind), piece.centre));
    // What was left out for its count or its colour alone may be a piece; print and scraps of rims are none.
    let may_be = |thing: &&Foreign| matches!(thing.reason, ForeignReason::Colour | ForeignReason::TooMany);
    let foreign = detection.foreign.iter().filter(may_be).map(|thing| (None, thing.centre));
    for (kind, at) in pieces.chain(foreign) {
        let kind = kind.filter(|kind| !board.pieces[*kind].shooter);
        let radius_mm = kind.map_or_else(|| view.men_radius_mm(), |kind| board.pieces[kind].radius_mm());
        if view.is_over_pocket(at) || view.is_print(at, radius_mm) {
            continue;
        }
        let Some(look) = view.look(at, radius_mm) else { continue };
        let kind = match kind {
            Some(kind) if looks.takes(kind, look, options) => kind,
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
