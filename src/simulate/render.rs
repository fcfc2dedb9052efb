//! The picture as light: every pixel's share of the scene, in linear light, before the sensor.
//!
//! A pixel is a square about its integer coordinate and its value the mean over that square.
//! Paint needs one sample (its coverage is in closed form); solids' outlines, faces and whatever
//! moves are sampled many times, in a fixed pattern, so pictures depend on nothing but the scene.

use nalgebra::{Point3, Vector2, Vector3};
use rayon::prelude::*;

use crate::camera::Camera;

use super::load::Scene;
use super::paint::Footprint;
use super::shapes::Ray;
use super::texture::Rgb;
use super::trace::surface_place;
use super::world::World;

/// A picture in linear light, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct LightField {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[f32; 3]>,
}

impl LightField {
    pub fn at(&self, x: usize, y: usize) -> [f32; 3] {
        self.pixels[y * self.width + x]
    }
}

/// Rays through a pixel that an outline crosses or a motion touches: its parts are measured by all
/// of them, to about 0.01 px a row.
const EDGE_SAMPLES: usize = 256;
/// One of so many of those rays is shaded, spread over the pixel by taking another of every run:
/// light within one part of a pixel hardly changes.
const SHADED_EVERY: usize = 8;
/// Parts of one pixel that are told apart; what is more is shaded where it is met.
const MOST_PARTS: usize = 6;
/// Samples of a pixel inside a piece: grooves and highlights are narrow.
const FACE_SAMPLES: usize = 16;
/// Rays are computed exactly every so many pixels and interpolated in between; a strong lens
/// bends less than 0.004 px over it.
const NODE_PX: usize = 4;
/// Bits of a key that tell parts of one solid apart; see [`super::trace::Hit::key`].
const PART_BITS: u32 = super::trace::PART_BITS;
const MOTION: u32 = 1 << 31;
const OUTSIDE_LENS: u32 = 0;

/// Directions of all pixels' rays, in board coordinates.
struct RayField {
    origin: Point3<f64>,
    columns: usize,
    nodes: Vec<Vector3<f64>>,
}

/// A ray with the change of its direction per pixel.
struct PixelRay {
    ray: Ray,
    right: Vector3<f64>,
    down: Vector3<f64>,
}

impl RayField {
    fn new(camera: &Camera) -> Self {
        let [width, height] = camera.image_size.map(|side| side as usize);
        let (columns, rows) = (width / NODE_PX + 3, height / NODE_PX + 3);
        let board_from_camera = camera.pose.rotation.inverse();
        let nodes = (0..columns * rows)
            .into_par_iter()
            .map(|i| {
                let place = |index: usize| index as f64 * NODE_PX as f64 - NODE_PX as f64;
                let (u, v) = (place(i % columns), place(i / columns));
                match camera.lens.ray_from_pixel(u, v) {
                    Some((x, y)) => board_from_camera * Vector3::new(x, y, 1.0),
                    None => Vector3::repeat(f64::NAN),
                }
            })
            .collect();
        Self { origin: camera.pose.centre_mm(), columns, nodes }
    }

    /// The ray of a place in the picture; `None` where the lens images nothing.
    fn at(&self, u: f64, v: f64) -> Option<PixelRay> {
        let node = NODE_PX as f64;
        let (x, y) = ((u + node) / node, (v + node) / node);
        let (column, row) = (x as usize, y as usize);
        let (fx, fy) = (x - column as f64, y - row as f64);
        let first = row * self.columns + column;
        let (a, b) = (self.nodes[first], self.nodes[first + 1]);
        let (c, d) = (self.nodes[first + self.columns], self.nodes[first + self.columns + 1]);
        let (upper, lower) = (a + (b - a) * fx, c + (d - c) * fx);
        let along = upper + (lower - upper) * fy;
        let length = along.norm();
        if !length.is_finite() {
            return None;
        }
        let right = ((b - a) * (1.0 - fy) + (d - c) * fy) / (node * length);
        let down = (lower - upper) / (node * length);
        Some(PixelRay { ray: Ray { origin: self.origin, along: along / length }, right, down })
    }
}

impl PixelRay {
    /// Steps on the plane of height `z` that one pixel makes.
    fn footprint(&self, distance: f64) -> Footprint {
        let along = self.ray.along;
        let steep = along.z.abs().max(0.05) * if along.z < 0.0 { -1.0 } else { 1.0 };
        let step = |d: Vector3<f64>| {
            let moved = (d - along * (d.z / steep)) * distance;
            Vector2::new(moved.x, moved.y)
        };
        Footprint { right: step(self.right), down: step(self.down) }
    }
}

/// A fixed pattern of `count` places in a pixel, from -0.5 to 0.5, in which no two share a row or
/// a column; the third number spreads the samples over the exposure.
fn pattern(count: usize) -> Vec<[f64; 3]> {
    (0..count)
        .map(|i| {
            let n = count as f64;
            let bits = count.trailing_zeros();
            let reversed = ((i as u32).reverse_bits() >> (32 - bits)) as f64;
            let late = ((i * 101 + 13) % count) as f64;
            [(i as f64 + 0.5) / n - 0.5, (reversed + 0.5) / n - 0.5, (late + 0.5) / n - 0.5]
        })
        .collect()
}

/// The widest side of any pixel's footprint near the board, in millimetres.
fn most_footprint_mm(camera: &Camera, field: &RayField, size: [f64; 2]) -> f64 {
    let [width, height] = camera.image_size;
    let mut most: f64 = 0.1;
    for i in 0..=16 {
        for j in 0..=16 {
            let (u, v) =
                (f64::from(width - 1) * f64::from(i) / 16.0, f64::from(height - 1) * f64::from(j) / 16.0);
            let Some(ray) = field.at(u, v) else { continue };
            let Some(p) = surface_place(&ray.ray) else { continue };
            let around = 300.0;
            if p.x > -around && p.y > -around && p.x < size[0] + around && p.y < size[1] + around {
                let footprint = ray.footprint(
                    (p.x - ray.ray.origin.x).hypot(p.y - ray.ray.origin.y).hypot(ray.ray.origin.z),
                );
                most = most.max(footprint.right.norm()).max(footprint.down.norm());
            }
        }
    }
    most.min(100.0)
}

/// A scene made ready for rays.
pub struct Renderer {
    camera: Camera,
    field: RayField,
    pub(super) world: World,
    edge: Vec<[f64; 3]>,
    face: Vec<[f64; 3]>,
}

impl Renderer {
    pub fn new(scene: &Scene) -> Self {
        let field = RayField::new(&scene.camera);
        let size = [scene.board.surface.width_mm, scene.board.surface.length_mm];
        let most = most_footprint_mm(&scene.camera, &field, size);
        Self {
            camera: scene.camera,
            world: World::new(scene, most),
            field,
            edge: pattern(EDGE_SAMPLES),
            face: pattern(FACE_SAMPLES),
        }
    }

    /// The ray of a place in the picture; `None` outside of the picture or of the lens.
    pub(super) fn ray(&self, u: f64, v: f64) -> Option<Ray> {
        let [w, h] = self.camera.image_size.map(f64::from);
        let inside = u >= -0.5 && v >= -0.5 && u <= w - 0.5 && v <= h - 0.5;
        if inside { self.field.at(u, v).map(|pixel| pixel.ray) } else { None }
    }

    pub fn light_field(&self) -> LightField {
        let [width, height] = self.camera.image_size.map(|side| side as usize);
        let mut keys = vec![OUTSIDE_LENS; width * height];
        let mut pixels = vec![[0.0; 3]; width * height];
        let rows = pixels.par_chunks_mut(width).zip(keys.par_chunks_mut(width)).enumerate();
        rows.for_each(|(y, (pixels, keys))| {
            for (x, (pixel, key)) in pixels.iter_mut().zip(keys.iter_mut()).enumerate() {
                (*pixel, *key) = self.first_look(x, y);
            }
        });
        pixels.par_chunks_mut(width).enumerate().for_each(|(y, pixels)| {
            for (x, pixel) in pixels.iter_mut().enumerate() {
                let key = keys[y * width + x];
                let border = border(&keys, width, height, x, y);
                if key & MOTION != 0 || border == Border::Outline {
                    *pixel = self.edge_look(x, y, key & MOTION != 0);
                } else if border == Border::Crease || self.is_turned(key) {
                    *pixel = self.closer_look(x, y);
                }
            }
        });
        LightField { width, height, pixels }
    }

    fn first_look(&self, x: usize, y: usize) -> ([f32; 3], u32) {
        let Some(pixel) = self.field.at(x as f64, y as f64) else { return ([0.0; 3], OUTSIDE_LENS) };
        let hit = self.world.trace(&pixel.ray, 0.0);
        let moving = if self.world.moves_at(surface_place(&pixel.ray)) { MOTION } else { 0 };
        let light = self.world.shade(&pixel.ray, &hit, &pixel.footprint(hit.distance), 0.0);
        (light.map(|v| v as f32).into(), hit.key() | moving)
    }

    /// The mean over the pixel of every sample's light.
    fn closer_look(&self, x: usize, y: usize) -> [f32; 3] {
        let mut sum = Rgb::zeros();
        for [u, v, _] in &self.face {
            if let Some((_, light)) = self.sample(x as f64 + u, y as f64 + v, 0.0, self.face.len(), |_| true)
            {
                sum += light.unwrap_or_default();
            }
        }
        (sum / self.face.len() as f64).map(|v| v as f32).into()
    }

    /// The pixel's parts by their share of all rays, each with the mean light of its shaded ones.
    fn edge_look(&self, x: usize, y: usize, moving: bool) -> [f32; 3] {
        let mut parts: Vec<PixelPart> = Vec::with_capacity(MOST_PARTS);
        let mut rest = Rgb::zeros();
        for (index, [u, v, time]) in self.edge.iter().enumerate() {
            let time = if moving { *time } else { 0.0 };
            let wanted = |key: u32| {
                let known = parts.iter().any(|part| part.key == key);
                !known || index % SHADED_EVERY == index / SHADED_EVERY % SHADED_EVERY
            };
            let samples = self.edge.len() / SHADED_EVERY;
            let Some((key, light)) = self.sample(x as f64 + u, y as f64 + v, time, samples, wanted) else {
                continue;
            };
            match parts.iter().position(|part| part.key == key) {
                Some(known) => parts[known].add(light),
                None if parts.len() < MOST_PARTS => {
                    let mut part = PixelPart { key, rays: 0.0, shaded: 0.0, light: Rgb::zeros() };
                    part.add(light);
                    parts.push(part);
                }
                None => rest += light.unwrap_or_default(),
            }
        }
        let sum = parts.iter().fold(rest, |sum, part| sum + part.light * (part.rays / part.shaded.max(1.0)));
        (sum / self.edge.len() as f64).map(|v| v as f32).into()
    }

    /// What a ray meets and, where `wanted` says so of what it met, the light from there.
    fn sample(
        &self,
        u: f64,
        v: f64,
        time: f64,
        samples_a_pixel: usize,
        wanted: impl FnOnce(u32) -> bool,
    ) -> Option<(u32, Option<Rgb>)> {
        let pixel = self.field.at(u, v)?;
        let hit = self.world.trace(&pixel.ray, time);
        let key = hit.key();
        let light = wanted(key).then(|| {
            let footprint = pixel.footprint(hit.distance).scaled(1.0 / (samples_a_pixel as f64).sqrt());
            self.world.shade(&pixel.ray, &hit, &footprint, time)
        });
        Some((key, light))
    }

    /// Whether a key belongs to a turned solid, whose grooves and rims one sample would miss.
    fn is_turned(&self, key: u32) -> bool {
        let solid = ((key & !MOTION) >> PART_BITS)
            .checked_sub(8)
            .and_then(|index| self.world.solids.get(index as usize));
        solid.is_some_and(|solid| matches!(solid.shape, super::world::Shape::Cylinder(_)))
    }

    /// The share of a piece's image that can be seen, from a grid of rays through it.
    pub fn visible_share(&self, piece: usize, around_px: [f64; 2], radius_px: f64) -> f64 {
        const RAYS_A_SIDE: i32 = 24;
        let rays = (0..RAYS_A_SIDE * RAYS_A_SIDE).map(|i| {
            let place = |index: i32| (f64::from(index) + 0.5) / f64::from(RAYS_A_SIDE) * 2.0 - 1.0;
            let (u, v) = (place(i % RAYS_A_SIDE), place(i / RAYS_A_SIDE));
            self.ray(around_px[0] + u * radius_px, around_px[1] + v * radius_px)
        });
        self.world.seen_share(piece, rays)
    }
}

/// One thing that a pixel shows a part of.
struct PixelPart {
    key: u32,
    rays: f64,
    shaded: f64,
    light: Rgb,
}

impl PixelPart {
    fn add(&mut self, light: Option<Rgb>) {
        self.rays += 1.0;
        if let Some(light) = light {
            self.shaded += 1.0;
            self.light += light;
        }
    }
}

/// What runs between a pixel and its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Border {
    Nothing,
    /// Two parts of one solid: light changes, nothing begins or ends.
    Crease,
    Outline,
}

fn border(keys: &[u32], width: usize, height: usize, x: usize, y: usize) -> Border {
    let key = keys[y * width + x];
    let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
    let mut border = Border::Nothing;
    for row in y.saturating_sub(1)..=(y + 1).min(height - 1) {
        for other in &keys[row * width + left..=row * width + right] {
            let differs = other ^ key;
            if (differs & !MOTION) >> PART_BITS != 0 {
                return Border::Outline;
            }
            if differs & !MOTION != 0 {
                border = Border::Crease;
            }
        }
    }
    border
}
