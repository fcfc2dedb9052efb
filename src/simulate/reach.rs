//! How far solids reach: which of them a ray can meet, which can keep light from a place, and where
//! moving ones pass.
//!
//! In: a world's solids, camera and lamps. Out: plans of cells over the board that list them, so that
//! rays and light ask only what is near. A blob is listed cone by cone.

use nalgebra::{Point3, Vector2, Vector3};

use crate::geometry::Point;

use super::grid::Grid;
use super::light::{cone_dome_reach_mm, dome_reach_mm};
use super::world::{SLAB_MM, Shape, World};

const VIEW_CELL_MM: f64 = 20.0;
const NEAR_CELL_MM: f64 = 20.0;
/// A moving solid's faint shade is blurred by its motion no farther than this many times its height;
/// beyond, the mean over the exposure and the middle of it are the same to a thousandth.
const BLURRED_SHADE_RISES: f64 = 2.5;
/// What the plans of cells cover around the board; beyond it their border cells serve.
const PLAN_MARGIN_MM: f64 = 250.0;

/// What plans list: a solid, or one cone of a blob.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    pub solid: u16,
    cone: u8,
}

/// A box in space.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub low: Point3<f64>,
    pub high: Point3<f64>,
}

/// A rectangle of the surface's plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanRect {
    pub low: [f64; 2],
    pub high: [f64; 2],
}

impl PlanRect {
    pub fn holds(&self, p: Point) -> bool {
        p.x >= self.low[0] && p.y >= self.low[1] && p.x <= self.high[0] && p.y <= self.high[1]
    }

    pub fn grown(&self, by: f64) -> Self {
        Self { low: self.low.map(|v| v - by), high: self.high.map(|v| v + by) }
    }
}

/// What a moving solid does to a place during the exposure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Motion {
    None,
    /// Its shadow passes.
    Shade,
    /// Its image passes.
    Image,
}

/// What matters where.
#[derive(Debug)]
pub struct Plans {
    pub items: Vec<Item>,
    /// Items whose image can cover a place of the surface.
    view: Grid,
    /// Items that can keep light from a place on the surface or above it.
    near: Grid,
    /// The same for places below the surface.
    near_below: Grid,
    all: Vec<u16>,
    /// The board's own body, which alone throws shadows as far as a low floor.
    body: Vec<u16>,
    /// Where on the surface's plane moving solids and their shadows are seen.
    moving: Vec<(PlanRect, Motion)>,
    pub most_footprint_mm: f64,
}

impl Plans {
    pub fn empty(size: [f64; 2], most_footprint_mm: f64) -> Self {
        Self {
            items: Vec::new(),
            view: plan(size, VIEW_CELL_MM),
            near: plan(size, NEAR_CELL_MM),
            near_below: plan(size, NEAR_CELL_MM),
            all: Vec::new(),
            body: Vec::new(),
            moving: Vec::new(),
            most_footprint_mm,
        }
    }
}

impl World {
    fn list_items(&mut self) {
        for (index, solid) in self.solids.iter().enumerate() {
            let cones = if let Shape::Blob(blob) = &solid.shape { blob.cones.len() } else { 1 };
            for cone in 0..cones {
                let Ok(item) = u16::try_from(self.plans.items.len()) else { return };
                self.plans.items.push(Item { solid: index as u16, cone: cone as u8 });
                self.plans.all.push(item);
                if solid.piece.is_none() && matches!(solid.shape, Shape::Block(_)) {
                    self.plans.body.push(item);
                }
            }
        }
    }

    /// Lists every solid where it matters.
    pub fn fill_plans(&mut self) {
        self.list_items();
        let lowest = self.floor_z.max(-SLAB_MM - 10.0);
        for index in 0..self.plans.items.len() {
            let item = self.plans.items[index];
            let bounds = self.bounds(item);
            let seen = self.image_of(item, &bounds);
            self.plans.view.insert(seen.low, seen.high, 0.0, index);
            let shade = self.shade_of(item, &bounds, 0.0);
            self.plans.near.insert(shade.low, shade.high, 0.0, index);
            let shade = self.shade_of(item, &bounds, lowest);
            self.plans.near_below.insert(shade.low, shade.high, 0.0, index);
            if self.solids[usize::from(item.solid)].drift != Vector2::zeros() {
                let rise = bounds.high.z.max(1.0);
                let around =
                    PlanRect { low: [bounds.low.x, bounds.low.y], high: [bounds.high.x, bounds.high.y] };
                let cast = self.cast_by(item, &bounds, 0.0);
                self.plans.moving.push((seen, Motion::Image));
                self.plans.moving.push((around.grown(cast.max(BLURRED_SHADE_RISES * rise)), Motion::Shade));
            }
        }
    }

    /// Where the image of an item can lie on the surface's plane.
    pub fn image_of(&self, item: Item, bounds: &Bounds) -> PlanRect {
        let blend = match &self.solids[usize::from(item.solid)].shape {
            Shape::Blob(blob) => blob.blend,
            _ => 0.0,
        };
        let around = Vector3::repeat(blend);
        self.seen_bounds(bounds.low - around, bounds.high + around)
            .grown(2.0 * self.plans.most_footprint_mm + 1.0)
    }

    /// Where, at a height `from_z` or above, an item can keep light away.
    pub fn shade_of(&self, item: Item, bounds: &Bounds, from_z: f64) -> PlanRect {
        let around = PlanRect { low: [bounds.low.x, bounds.low.y], high: [bounds.high.x, bounds.high.y] };
        let dome = match &self.solids[usize::from(item.solid)].shape {
            Shape::Blob(blob) => cone_dome_reach_mm(&blob.cones[usize::from(item.cone)]),
            _ => dome_reach_mm(bounds.high.z - from_z),
        };
        around.grown((dome + 1.0).max(self.cast_by(item, bounds, from_z)))
    }

    /// How far beside itself an item throws a lamp's shadow, down to a height.
    fn cast_by(&self, item: Item, bounds: &Bounds, from_z: f64) -> f64 {
        let thick = match &self.solids[usize::from(item.solid)].shape {
            Shape::Blob(blob) => blob.cones[usize::from(item.cone)].most_radius(),
            _ => 0.0,
        };
        let Bounds { low, high } = bounds;
        let rise = (high.z - from_z).max(0.0);
        let mut reach: f64 = 0.0;
        for lamp in &self.lamps {
            for (x, y) in [(low.x, low.y), (high.x, low.y), (low.x, high.y), (high.x, high.y)] {
                let aside = (lamp.at.x - x).hypot(lamp.at.y - y) + lamp.radius + thick;
                reach = reach.max(aside * rise / (lamp.at.z - high.z).max(50.0) + 5.0);
            }
        }
        reach
    }

    /// Bounds of an item over the whole exposure.
    pub fn bounds(&self, item: Item) -> Bounds {
        let solid = &self.solids[usize::from(item.solid)];
        let (low, high) = match &solid.shape {
            Shape::Cylinder(c) => (
                Point3::new(c.x - c.radius, c.y - c.radius, c.base),
                Point3::new(c.x + c.radius, c.y + c.radius, c.top),
            ),
            Shape::Block(b) => {
                let [c, s] = b.turn.map(f64::abs);
                let half = Vector3::new(c * b.half.x + s * b.half.y, s * b.half.x + c * b.half.y, b.half.z);
                (b.middle - half, b.middle + half)
            }
            Shape::Blob(b) => b.cones[usize::from(item.cone)].bounds(),
        };
        let sweep = Vector3::new(solid.drift.x.abs(), solid.drift.y.abs(), 0.0) / 2.0;
        Bounds { low: low - sweep, high: high + sweep }
    }

    /// Where on the surface's plane the image of a box can lie, seen from the camera.
    pub fn seen_bounds(&self, low: Point3<f64>, high: Point3<f64>) -> PlanRect {
        if high.z > self.camera_at.z - 20.0 {
            return PlanRect { low: [f64::NEG_INFINITY; 2], high: [f64::INFINITY; 2] };
        }
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in 0..8 {
            let pick = |bit: usize, a: f64, b: f64| if corner & bit == 0 { a } else { b };
            let p = [pick(1, low.x, high.x), pick(2, low.y, high.y)];
            let grow = self.camera_at.z / (self.camera_at.z - pick(4, low.z, high.z));
            for i in 0..2 {
                let q = self.camera_at[i] + (p[i] - self.camera_at[i]) * grow;
                least[i] = least[i].min(q);
                most[i] = most[i].max(q);
            }
        }
        PlanRect { low: least, high: most }
    }

    /// The first solid that some items name, its cones among them as bits, and the items after it.
    #[inline]
    pub fn next_solid<'a>(&self, items: &'a [u16]) -> Option<(usize, u64, &'a [u16])> {
        let first = self.plans.items[usize::from(*items.first()?)];
        let (mut cones, mut count) = (1_u64 << first.cone, 1);
        while let Some(next) = items.get(count) {
            let next = self.plans.items[usize::from(*next)];
            if next.solid != first.solid {
                break;
            }
            cones |= 1 << next.cone;
            count += 1;
        }
        Some((usize::from(first.solid), cones, &items[count..]))
    }

    /// Items that a ray through this place of the surface's plane can meet; all for a ray that
    /// does not come down.
    pub fn seen_at(&self, place: Option<Point>) -> &[u16] {
        place.map_or(&self.plans.all, |p| self.plans.view.at(p.x, p.y))
    }

    /// Items that can keep light from a place.
    pub fn near(&self, p: Point3<f64>) -> &[u16] {
        // A ray's end on the surface is off it by rounding.
        if p.z > -0.01 {
            self.plans.near.at(p.x, p.y)
        } else if p.z < -SLAB_MM - 10.5 {
            &self.plans.body
        } else {
            self.plans.near_below.at(p.x, p.y)
        }
    }

    /// Whether a pixel about this place of the surface's plane can show something below it.
    pub fn may_end_below(&self, place: Point) -> bool {
        let margin = 2.0 * self.plans.most_footprint_mm;
        let within = |p: f64, size: f64| p > margin && p < size - margin;
        let in_pocket = |(centre, radius): &(Point, f64)| (place - centre).norm() < radius + margin;
        !(within(place.x, self.size[0]) && within(place.y, self.size[1]))
            || self.pockets.iter().any(in_pocket)
    }

    /// What moves past a place of the surface's plane during the exposure.
    pub fn motion_at(&self, place: Option<Point>) -> Motion {
        let Some(place) = place else { return Motion::None };
        let past = self.plans.moving.iter().filter(|(rect, _)| rect.holds(place)).map(|(_, motion)| *motion);
        past.max().unwrap_or(Motion::None)
    }
}

/// A plan of a board and what is around it.
pub fn plan(size: [f64; 2], cell: f64) -> Grid {
    Grid::over([-PLAN_MARGIN_MM; 2], size.map(|side| side + PLAN_MARGIN_MM), cell)
}
