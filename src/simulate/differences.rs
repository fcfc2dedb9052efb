//! Where two worlds can look different.
//!
//! In: two worlds that share board, lamps, paint and camera, and differ in their solids. Out: for
//! every place of the surface's plane, whether a ray through it may show something else.

use nalgebra::Point3;

use crate::geometry::Point;

use super::grid::Grid;
use super::reach::{Item, PlanRect, plan};
use super::world::{SLAB_MM, Solid, World};

const CELL_MM: f64 = 8.0;

#[derive(Debug)]
pub struct Differences {
    /// For rays that end on the surface or above it.
    above: Grid,
    /// For rays that end below it: beside the board, or in a pocket.
    below: Grid,
    is_empty: bool,
}

impl Differences {
    pub fn between(before: &World, after: &World) -> Self {
        let (gone, come) = unmatched(&before.solids, &after.solids);
        let highest = |world: &World| {
            let tops = world.plans.items.iter().map(|item| world.bounds(*item).high.z);
            tops.fold(0.0, f64::max)
        };
        let highest = highest(before).max(highest(after));
        let plan = || plan(after.size, CELL_MM);
        let mut differences =
            Self { above: plan(), below: plan(), is_empty: gone.is_empty() && come.is_empty() };
        for (world, changed) in [(before, gone), (after, come)] {
            let items = world.plans.items.iter().filter(|item| changed.contains(&usize::from(item.solid)));
            for item in items {
                differences.add(world, *item, highest);
            }
        }
        differences
    }

    fn add(&mut self, world: &World, item: Item, highest: f64) {
        let bounds = world.bounds(item);
        let lowest = world.floor_z.max(-SLAB_MM - 10.0);
        let margin = 2.0 * world.plans.most_footprint_mm + 1.0;
        let seen_through = |shade: PlanRect, from_z: f64, to_z: f64| {
            let corner = |at: [f64; 2], z: f64| Point3::new(at[0], at[1], z);
            world.seen_bounds(corner(shade.low, from_z), corner(shade.high, to_z)).grown(margin)
        };
        mark(&mut self.above, world.image_of(item, &bounds));
        mark(&mut self.above, seen_through(world.shade_of(item, &bounds, 0.0), 0.0, highest));
        mark(&mut self.below, seen_through(world.shade_of(item, &bounds, lowest), lowest - 1.0, 0.0));
    }

    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether a pixel whose ray crosses the surface's plane here may look different.
    pub fn may_reach(&self, world: &World, place: Point) -> bool {
        let marked = |grid: &Grid| !grid.at(place.x, place.y).is_empty();
        marked(&self.above) || (marked(&self.below) && world.may_end_below(place))
    }
}

fn mark(grid: &mut Grid, rect: PlanRect) {
    grid.insert(rect.low, rect.high, 0.0, 0);
}

/// The solids of either list that the other has not, in order.
fn unmatched(before: &[Solid], after: &[Solid]) -> (Vec<usize>, Vec<usize>) {
    let same = |a: &Solid, b: &Solid| {
        a.shape == b.shape && a.material == b.material && a.drift == b.drift && a.is_below == b.is_below
    };
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let mut next = 0;
    for (index, solid) in after.iter().enumerate() {
        match (next..before.len()).find(|i| same(&before[*i], solid)) {
            Some(found) => {
                gone.extend(next..found);
                next = found + 1;
            }
            None => come.push(index),
        }
    }
    gone.extend(next..before.len());
    (gone, come)
}
