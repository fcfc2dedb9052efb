//! The scene as solids, lamps and paint: what rays are traced through.

use nalgebra::{Point3, Vector2, Vector3};

use crate::board::EndKind;
use crate::camera::Camera;
use crate::geometry::Point;

use super::blob::Blob;
use super::body::{add_body, add_piece};
use super::dress::Dress;
use super::light::{Bar, Lamp};
use super::load::Scene;
use super::objects;
use super::paint::Coat;
use super::reach::Plans;
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
    /// What is printed on the rails, and which solids they are.
    pub frame_coat: Coat,
    pub rails: std::ops::Range<usize>,
    pub dress: Dress,
    pub floor: Floor,
    pub floor_wood: Wood,
    pub floor_z: f64,
    pub seed: u32,
    /// What matters where.
    pub plans: Plans,
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
            coat: Coat::new(board, look, &scene.dress, most_footprint_mm, seed ^ 0xC0A7),
            frame_coat: Coat::of_frame(board, look, &scene.dress, most_footprint_mm, seed ^ 0xF0A7),
            // The slab comes first.
            rails: 1..1 + board.rails.len(),
            dress: scene.dress.clone(),
            floor: look.floor,
            floor_wood: Wood {
                colour: linear(floor_colour),
                contrast: 1.5,
                strip_mm: 95.0,
                seed: seed ^ 0xF100,
            },
            floor_z,
            seed,
            plans: Plans::empty(size, most_footprint_mm),
        };
        world.fill_plans();
        world
    }
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
