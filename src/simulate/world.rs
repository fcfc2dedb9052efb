//! The scene as solids, lamps and paint: what rays are traced through.

use nalgebra::{Point3, Vector2, Vector3};

use crate::board::EndKind;
use crate::camera::Camera;
use crate::geometry::Point;

use super::body::{add_body, add_piece};
use super::grid::Grid;
use super::light::{Bar, Lamp, cone_dome_reach_mm, dome_reach_mm};
use super::load::Scene;
use super::objects;
use super::paint::Coat;
use super::scene::Floor;
use super::shapes::*;
use super::texture::{Rgb, Wood, hash, linear};

/// A solid with its material.
#[derive(Debug, Clone)]
pub struct Solid {
    pub shape: Shape,
    pub material: Material,
    /// How far it moves during the exposure.
    pub drift: Vector2<f64>,
    /// The scene's piece that it is part of.
    pub piece: Option<usize>,
    /// Lies wholly below the surface, such as the board's own body, into which pockets are cut: the
    /// surface hides it and takes no shadow of it.
    pub is_below: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Cylinder(Cylinder),
    Block(Block),
    Blob(Blob),
}

/// How a surface throws light back.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    pub base: Base,
    /// Strength of its mirror-like reflection; 1: lacquer or polished plastic.
    pub gloss: f64,
    pub roughness: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Base {
    Plain(Rgb),
    /// Wood with its grain along x or along y; `mitre`: a frame whose grain turns at the corners.
    Wood {
        wood: Wood,
        grain: Grain,
    },
    /// A turned face with concentric grooves, each with radius and width.
    Face {
        colour: Rgb,
        grooves: Vec<[f64; 2]>,
    },
    Metal(Rgb),
    Cloth {
        colour: Rgb,
        seed: u32,
    },
    Skin(Rgb),
    /// A disc of drink in a cup, or other plain filling, seen inside a rim.
    Filled {
        rim: Rgb,
        inside: Rgb,
        inner_radius: f64,
    },
    Screen,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Grain {
    AlongX,
    AlongY,
    Mitred,
}

/// The board's body below the surface.
pub const SLAB_MM: f64 = 20.0;
/// A table with gutters stands on legs.
const TABLE_HEIGHT_MM: f64 = 760.0;
const VIEW_CELL_MM: f64 = 20.0;
const NEAR_CELL_MM: f64 = 20.0;
/// A moving solid's faint shade is blurred by its motion no farther than this many times its height;
/// beyond, the mean over the exposure and the middle of it are the same to a thousandth.
const BLURRED_SHADE_RISES: f64 = 2.5;
/// What the plans of cells cover around the board; beyond it their border cells serve.
const PLAN_MARGIN_MM: f64 = 250.0;

/// What plans list: a solid, or one cone of a blob.
#[derive(Debug, Clone, Copy)]
struct Item {
    solid: u16,
    cone: u8,
}

/// A box in space.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: Point3<f64>,
    high: Point3<f64>,
}

/// A rectangle of the surface's plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanRect {
    low: [f64; 2],
    high: [f64; 2],
}

impl PlanRect {
    pub fn holds(&self, p: Point) -> bool {
        p.x >= self.low[0] && p.y >= self.low[1] && p.x <= self.high[0] && p.y <= self.high[1]
    }

    fn grown(&self, by: f64) -> Self {
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

#[derive(Debug)]
pub struct World {
    pub camera_at: Point3<f64>,
    pub size: [f64; 2],
    pub pockets: Vec<(Point, f64)>,
    pub solids: Vec<Solid>,
    pub lamps: Vec<Lamp>,
    pub ambient: Rgb,
    pub bar: Option<Bar>,
    pub surface: Wood,
    pub surface_gloss: f64,
    pub square: bool,
    pub coat: Coat,
    pub floor: Floor,
    pub floor_wood: Wood,
    pub floor_z: f64,
    pub seed: u32,
    items: Vec<Item>,
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
    most_footprint_mm: f64,
}

impl World {
    pub fn new(scene: &Scene, most_footprint_mm: f64) -> Self {
        let board = &scene.board;
        let look = &scene.file.look;
        let seed = hash(scene.file.seed as i32, (scene.file.seed >> 32) as i32, 0x5EED);
        let colour = look.wood.as_deref().and_then(|text| text.parse().ok()).unwrap_or(board.surface.colour);
        let surface = Wood { colour: linear(colour), contrast: look.grain, strip_mm: look.strip_mm, seed };
        let floor_colour = look.floor_colour.as_deref().and_then(|text| text.parse().ok());
        let floor_colour = floor_colour.unwrap_or(match look.floor {
            Floor::Wood => crate::board::Colour([92, 72, 58]),
            Floor::Cloth => crate::board::Colour([120, 124, 112]),
            Floor::Stone => crate::board::Colour([132, 134, 138]),
        });
        let floor_z = if board.surface.ends == EndKind::Gutter { -TABLE_HEIGHT_MM } else { -SLAB_MM };
        let camera_at = scene.camera.pose.centre_mm();
        let size = [board.surface.width_mm, board.surface.length_mm];
        let mut solids = Vec::new();
        add_body(scene, &surface, &mut solids);
        for (index, piece) in scene.pieces.iter().enumerate() {
            add_piece(piece, index, scene.file.picture.exposure_secs, &mut solids);
        }
        for object in &scene.file.objects {
            let on_board =
                object.x_mm >= 0.0 && object.x_mm <= size[0] && object.y_mm >= 0.0 && object.y_mm <= size[1];
            objects::add(object, if on_board { 0.0 } else { floor_z.max(-SLAB_MM) }, seed, &mut solids);
        }
        let (lamps, ambient) = lamps(scene);
        let mut world = Self {
            camera_at,
            size,
            pockets: board.pockets.iter().map(|pocket| (pocket.centre, pocket.radius_mm)).collect(),
            solids,
            bar: bar(scene, &lamps),
            lamps,
            ambient,
            surface,
            surface_gloss: look.gloss,
            square: !board.is_two_ended(),
            coat: Coat::new(board, look, most_footprint_mm, seed ^ 0xC0A7),
            floor: look.floor,
            floor_wood: Wood {
                colour: linear(floor_colour),
                contrast: 1.5,
                strip_mm: 95.0,
                seed: seed ^ 0xF100,
            },
            floor_z,
            seed,
            items: Vec::new(),
            view: plan(size, VIEW_CELL_MM),
            near: plan(size, NEAR_CELL_MM),
            near_below: plan(size, NEAR_CELL_MM),
            all: Vec::new(),
            body: Vec::new(),
            moving: Vec::new(),
            most_footprint_mm,
        };
        world.list_items();
        world.fill_plans();
        world
    }

    fn list_items(&mut self) {
        for (index, solid) in self.solids.iter().enumerate() {
            let cones = if let Shape::Blob(blob) = &solid.shape { blob.cones.len() } else { 1 };
            for cone in 0..cones {
                let Ok(item) = u16::try_from(self.items.len()) else { return };
                self.items.push(Item { solid: index as u16, cone: cone as u8 });
                self.all.push(item);
                if solid.piece.is_none() && matches!(solid.shape, Shape::Block(_)) {
                    self.body.push(item);
                }
            }
        }
    }

    fn fill_plans(&mut self) {
        let lowest = self.floor_z.max(-SLAB_MM - 10.0);
        for index in 0..self.items.len() {
            let item = self.items[index];
            let bounds = self.bounds(item);
            let seen = self.image_of(item, &bounds);
            self.view.insert(seen.low, seen.high, 0.0, index);
            let shade = self.shade_of(item, &bounds, 0.0);
            self.near.insert(shade.low, shade.high, 0.0, index);
            let shade = self.shade_of(item, &bounds, lowest);
            self.near_below.insert(shade.low, shade.high, 0.0, index);
            if self.solids[usize::from(item.solid)].drift != Vector2::zeros() {
                let rise = bounds.high.z.max(1.0);
                let around =
                    PlanRect { low: [bounds.low.x, bounds.low.y], high: [bounds.high.x, bounds.high.y] };
                let cast = self.cast_by(item, &bounds, 0.0);
                self.moving.push((seen, Motion::Image));
                self.moving.push((around.grown(cast.max(BLURRED_SHADE_RISES * rise)), Motion::Shade));
            }
        }
    }

    /// Where the image of an item can lie on the surface's plane.
    fn image_of(&self, item: Item, bounds: &Bounds) -> PlanRect {
        let blend = match &self.solids[usize::from(item.solid)].shape {
            Shape::Blob(blob) => blob.blend,
            _ => 0.0,
        };
        let around = Vector3::repeat(blend);
        self.seen_bounds(bounds.low - around, bounds.high + around).grown(2.0 * self.most_footprint_mm + 1.0)
    }

    /// Where, at a height `from_z` or above, an item can keep light away.
    fn shade_of(&self, item: Item, bounds: &Bounds, from_z: f64) -> PlanRect {
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
    fn bounds(&self, item: Item) -> Bounds {
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
    fn seen_bounds(&self, low: Point3<f64>, high: Point3<f64>) -> PlanRect {
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
        let first = self.items[usize::from(*items.first()?)];
        let (mut cones, mut count) = (1_u64 << first.cone, 1);
        while let Some(next) = items.get(count) {
            let next = self.items[usize::from(*next)];
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
        place.map_or(&self.all, |p| self.view.at(p.x, p.y))
    }

    /// Items that can keep light from a place.
    pub fn near(&self, p: Point3<f64>) -> &[u16] {
        // A ray's end on the surface is off it by rounding.
        if p.z > -0.01 {
            self.near.at(p.x, p.y)
        } else if p.z < -SLAB_MM - 10.5 {
            &self.body
        } else {
            self.near_below.at(p.x, p.y)
        }
    }

    /// Whether a pixel about this place of the surface's plane can show something below it.
    fn may_end_below(&self, place: Point) -> bool {
        let margin = 2.0 * self.most_footprint_mm;
        let within = |p: f64, size: f64| p > margin && p < size - margin;
        let in_pocket = |(centre, radius): &(Point, f64)| (place - centre).norm() < radius + margin;
        !(within(place.x, self.size[0]) && within(place.y, self.size[1]))
            || self.pockets.iter().any(in_pocket)
    }

    /// What moves past a place of the surface's plane during the exposure.
    pub fn motion_at(&self, place: Option<Point>) -> Motion {
        let Some(place) = place else { return Motion::None };
        let past = self.moving.iter().filter(|(rect, _)| rect.holds(place)).map(|(_, motion)| *motion);
        past.max().unwrap_or(Motion::None)
    }
}

/// Places of the surface's plane through which two worlds can look different. The worlds share
/// board, lamps, paint and camera; their solids differ.
#[derive(Debug, Default)]
pub struct Differences {
    /// For rays that end on the surface or above it.
    above: Vec<PlanRect>,
    /// For rays that end below it: beside the board, or in a pocket.
    below: Vec<PlanRect>,
}

impl Differences {
    pub fn between(before: &World, after: &World) -> Self {
        let (gone, come) = unmatched(&before.solids, &after.solids);
        let highest = |world: &World| {
            let tops = world.items.iter().map(|item| world.bounds(*item).high.z);
            tops.fold(0.0, f64::max)
        };
        let highest = highest(before).max(highest(after));
        let mut differences = Self::default();
        for (world, changed) in [(before, gone), (after, come)] {
            let items = world.items.iter().filter(|item| changed.contains(&usize::from(item.solid)));
            for item in items {
                differences.add(world, *item, highest);
            }
        }
        differences
    }

    fn add(&mut self, world: &World, item: Item, highest: f64) {
        let bounds = world.bounds(item);
        let lowest = world.floor_z.max(-SLAB_MM - 10.0);
        let seen_through = |shade: PlanRect, from_z: f64, to_z: f64| {
            let corner = |at: [f64; 2], z: f64| Point3::new(at[0], at[1], z);
            let seen = world.seen_bounds(corner(shade.low, from_z), corner(shade.high, to_z));
            seen.grown(2.0 * world.most_footprint_mm + 1.0)
        };
        self.above.push(world.image_of(item, &bounds));
        self.above.push(seen_through(world.shade_of(item, &bounds, 0.0), 0.0, highest));
        self.below.push(seen_through(world.shade_of(item, &bounds, lowest), lowest - 1.0, 0.0));
    }

    pub fn is_empty(&self) -> bool {
        self.above.is_empty()
    }

    /// Whether a pixel whose ray crosses the surface's plane here may look different.
    pub fn may_reach(&self, world: &World, place: Point) -> bool {
        let holds = |rects: &[PlanRect]| rects.iter().any(|rect| rect.holds(place));
        holds(&self.above) || (world.may_end_below(place) && holds(&self.below))
    }
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

fn plan(size: [f64; 2], cell: f64) -> Grid {
    Grid::over([-PLAN_MARGIN_MM; 2], size.map(|side| side + PLAN_MARGIN_MM), cell)
}

/// The middle of what the camera sees of the surface; light is measured there.
fn view_middle(camera: &Camera, size: [f64; 2]) -> Point {
    let [w, h] = camera.image_size.map(|side| f64::from(side) / 2.0);
    let seen = camera.board_from_image(w, h, 0.0).unwrap_or(Point::new(size[0] / 2.0, size[1] / 2.0));
    Point::new(seen.x.clamp(0.0, size[0]), seen.y.clamp(0.0, size[1]))
}

fn lamps(scene: &Scene) -> (Vec<Lamp>, Rgb) {
    let part = &scene.file.light;
    let size = [scene.board.surface.width_mm, scene.board.surface.length_mm];
    let middle = view_middle(&scene.camera, size);
    let default = super::scene::LampPart {
        x_mm: middle.x - 420.0,
        y_mm: middle.y - 260.0,
        z_mm: 1900.0,
        radius_mm: 180.0,
        strength: 1.0,
        colour: None,
    };
    let given = if part.lamps.is_empty() { vec![default] } else { part.lamps.clone() };
    let whole: f64 = given.iter().map(|lamp| lamp.strength).sum();
    let reference = Point3::new(middle.x, middle.y, 0.0);
    let lamps = given
        .iter()
        .map(|lamp| {
            let at = Point3::new(lamp.x_mm, lamp.y_mm, lamp.z_mm);
            let tint =
                lamp.colour.as_deref().and_then(|text| text.parse().ok()).map_or(Rgb::repeat(1.0), linear);
            let tint = tint / tint.mean().max(1e-3);
            let unit = Lamp { at, radius: lamp.radius_mm, power: Rgb::repeat(1.0) };
            let here = unit.irradiance(reference, Vector3::z()).x.max(1e-12);
            Lamp { power: tint * ((1.0 - part.ambient) * lamp.strength / whole / here), ..unit }
        })
        .collect();
    (lamps, Rgb::repeat(part.ambient))
}

fn bar(scene: &Scene, lamps: &[Lamp]) -> Option<Bar> {
    let band = scene.file.light.shadow_band?;
    let lamp = lamps.first()?;
    let share = band.height_mm / lamp.at.z;
    let on_board = Point3::new(band.x_mm, band.y_mm, 0.0);
    let (sin, cos) = band.angle_deg.to_radians().sin_cos();
    Some(Bar {
        middle: on_board + (lamp.at - on_board) * share,
        across: Vector2::new(-sin, cos),
        half_width: band.width_mm / 2.0 * (1.0 - share),
    })
}
