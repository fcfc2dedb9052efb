//! What stands out of the bare board, each in one piece.
//!
//! In: cells that look otherwise than the bare board and belong to no piece that detection has found.
//! Out: [`Thing`]s. One of a man's size, shape and look is a man that detection has overlooked; what
//! comes in over the border is a hand; what is left is unexplained.

use super::{
    found::{Found, Looks, View},
    men::Man,
    plan::{Plan, Stops, apart},
};
use crate::geometry::{Point, Vector};

/// Cells that hang together.
#[derive(Debug, Clone, Default)]
pub struct Thing {
    pub cells: Vec<usize>,
}

/// The area of a thing that may be a man, in areas of his face: part of him may be in glare; blur and shadow make him
/// larger.
const AREA: std::ops::Range<f64> = 0.5..2.6;
/// Share of a man's face that stands out, where his middle is taken to be.
const FULL: f64 = 0.75;
/// How near its look must be to a kind's, in shares of what is allowed to what detection has found.
const LIKE: f32 = 0.7;
/// Farther out than this, in radii, is no part of him or his shadow.
const REACH: f64 = 1.9;

/// All of them that have so many cells.
pub fn things(plan: &Plan, strange: &[bool], least: usize) -> Vec<Thing> {
    let mut open: Vec<bool> = strange.to_vec();
    let (mut things, mut stack) = (Vec::new(), Vec::new());
    for first in 0..plan.len() {
        if !std::mem::take(&mut open[first]) {
            continue;
        }
        stack.push(first);
        let mut thing = Thing::default();
        while let Some(cell) = stack.pop() {
            thing.cells.push(cell);
            for next in plan.neighbours(cell) {
                if std::mem::take(&mut open[next]) {
                    stack.push(next);
                }
            }
        }
        if thing.cells.len() >= least {
            things.push(thing);
        }
    }
    things
}

impl Thing {
    /// The man that this is, by size, shape and look. `known`: men that were known before; one that lay here may look
    /// otherwise in a hand's shadow. `striker`: its look, where that is known.
    pub fn as_man<'m>(
        &self,
        view: &View<'_>,
        looks: &Looks,
        striker: Option<Stops>,
        mut known: impl Iterator<Item = &'m Man>,
    ) -> Option<Found> {
        let at = self.middle(view.plan);
        let look = view.look(at, view.men_radius_mm())?;
        let options = view.options;
        let here = known.find(|man| (man.at - at).norm() < options.anchor_mm);
        let kind = match (here, looks.nearest_in_any_light(look, view.board)?) {
            (Some(man), _) if apart(look, looks.of(man.kind)) < options.look_apart => man.kind,
            (None, (kind, off)) if off < LIKE * options.look_apart => kind,
            _ => return None,
        };
        let is_striker = striker.is_some_and(|striker| apart(look, striker) < apart(look, looks.of(kind)));
        if is_striker || view.is_over_pocket(at) {
            return None;
        }
        let radius_mm = view.board.pieces[kind].radius_mm();
        let is_full = view.strange_share(at, radius_mm) >= FULL;
        let [faces, reach] = self.size(view.plan, radius_mm);
        (AREA.contains(&faces) && reach < REACH && is_full).then_some(Found { kind, at })
    }

    /// Its area in areas of a man's face, and how far out it reaches in his radii.
    pub fn size(&self, plan: &Plan, radius_mm: f64) -> [f64; 2] {
        let at = self.middle(plan);
        let area_mm2 = self.cells.len() as f64 * plan.cell_mm2();
        let reach_mm = self.cells.iter().map(|cell| (plan.point_at(*cell) - at).norm()).fold(0.0, f64::max);
        [area_mm2 / (std::f64::consts::PI * radius_mm * radius_mm), reach_mm / radius_mm]
    }

    pub fn middle(&self, plan: &Plan) -> Point {
        let Some(first) = self.cells.first().map(|cell| plan.point_at(*cell)) else { return Point::origin() };
        let sum: Vector = self.cells.iter().map(|cell| plan.point_at(*cell) - first).sum();
        first + sum / self.cells.len() as f64
    }
}
