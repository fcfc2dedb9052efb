//! The scene as solids, lamps and paint: what rays are traced through.

use nalgebra::{Point3, Vector2, Vector3};

use crate::board::EndKind;
use crate::camera::Camera;
use crate::geometry::Point;

use super::body::{add_body, add_piece};
use super::grid::Grid;
use super::light::{Bar, DOME_REACH, Lamp};
use super::load::Scene;
use super::objects;
use super::paint::Coat;
use super::scene::Floor;
use super::shapes::*;
use super::texture::{Rgb, Wood, hash, linear};

/// A solid with its material.
#[derive(Debug)]
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

#[derive(Debug)]
pub enum Shape {
    Cylinder(Cylinder),
    Block(Block),
    Blob(Blob),
}

/// How a surface throws light back.
#[derive(Debug, Clone)]
pub struct Material {
    pub base: Base,
    /// Strength of its mirror-like reflection; 1: lacquer or polished plastic.
    pub gloss: f64,
    pub roughness: f64,
}

#[derive(Debug, Clone)]
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
/// What the plans of cells cover around the board; beyond it their border cells serve.
const PLAN_MARGIN_MM: f64 = 250.0;

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
    /// Solids whose image can cover a place of the surface.
    view: Grid,
    /// Solids that can keep light from a place.
    near: Grid,
    all: Vec<u16>,
    /// The board's own body, which alone throws shadows as far as a low floor.
    body: Vec<u16>,
    moving: bool,
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
            moving: solids.iter().any(|solid| solid.drift != Vector2::zeros()),
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
            view: plan(size, VIEW_CELL_MM),
            near: plan(size, NEAR_CELL_MM),
            all: Vec::new(),
            body: Vec::new(),
        };
        world.all = (0..world.solids.len().min(usize::from(u16::MAX))).map(|i| i as u16).collect();
        let is_body = |i: &u16| {
            let solid = &world.solids[usize::from(*i)];
            solid.piece.is_none() && matches!(solid.shape, Shape::Block(_))
        };
        world.body = world.all.iter().copied().filter(is_body).collect();
        world.fill_plans(most_footprint_mm);
        world
    }

    fn fill_plans(&mut self, most_footprint_mm: f64) {
        for index in 0..self.solids.len() {
            let (low, high) = self.bounds(index);
            let (view_low, view_high) = self.seen_bounds(low, high);
            self.view.insert(view_low, view_high, 2.0 * most_footprint_mm + 1.0, index);
            let floor = self.floor_z.max(-SLAB_MM - 10.0);
            let rise = (high.z - floor).max(0.0);
            let mut reach = DOME_REACH * rise.min(60.0) + 5.0;
            for lamp in &self.lamps {
                let corner = [(low.x, low.y), (high.x, low.y), (low.x, high.y), (high.x, high.y)];
                for (x, y) in corner {
                    let aside = (lamp.at.x - x).hypot(lamp.at.y - y) + lamp.radius;
                    reach = reach.max(aside * rise / (lamp.at.z - high.z).max(50.0) + 5.0);
                }
            }
            self.near.insert([low.x, low.y], [high.x, high.y], reach, index);
        }
    }

    /// Bounds of a solid over the whole exposure.
    fn bounds(&self, index: usize) -> (Point3<f64>, Point3<f64>) {
        let solid = &self.solids[index];
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
            Shape::Blob(b) => b.bounds(),
        };
        let sweep = Vector3::new(solid.drift.x.abs(), solid.drift.y.abs(), 0.0) / 2.0;
        (low - sweep, high + sweep)
    }

    /// Where on the surface's plane the image of a box can lie, seen from the camera.
    fn seen_bounds(&self, low: Point3<f64>, high: Point3<f64>) -> ([f64; 2], [f64; 2]) {
        if high.z > self.camera_at.z - 20.0 {
            return ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
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
        (least, most)
    }

    /// Solids that a ray through this place of the surface's plane can meet; all for a ray that
    /// does not come down.
    pub fn seen_at(&self, place: Option<Point>) -> &[u16] {
        place.map_or(&self.all, |p| self.view.at(p.x, p.y))
    }

    /// Solids that can keep light from a place.
    pub fn near(&self, p: Point3<f64>) -> &[u16] {
        if p.z < -SLAB_MM - 10.5 { &self.body } else { self.near.at(p.x, p.y) }
    }

    /// Whether anything near a place moves during the exposure.
    pub fn moves_at(&self, place: Option<Point>) -> bool {
        self.moving
            && place.is_some_and(|p| {
                let moving = |i: &u16| self.solids[usize::from(*i)].drift != Vector2::zeros();
                self.view.at(p.x, p.y).iter().any(moving) || self.near.at(p.x, p.y).iter().any(moving)
            })
    }
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
