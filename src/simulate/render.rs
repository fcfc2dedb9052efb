//! The picture as light: every pixel's share of the scene, in linear light, before the sensor.
//!
//! A pixel is a square about its integer coordinate and its value the mean over that square.
//! Paint needs one sample (its coverage is in closed form); an outline that crosses a pixel is
//! followed through it, and whatever is more tangled or moves is sampled many times. All of it in
//! fixed patterns, so pictures depend on nothing but the scene.

use std::sync::Arc;

use rayon::prelude::*;

use crate::camera::Camera;

use super::crossing::{Crossing, PX_CORNERS};
use super::differences::Differences;
use super::load::Scene;
use super::rays::{Place, RayField, most_footprint_mm};
use super::reach::Motion;
use super::shapes::Ray;
use super::texture::Rgb;
use super::trace::{PART_BITS, surface_place};
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

/// Rays through a pixel that several outlines cross: its parts are measured by all of them, to about
/// 0.01 px a row.
const EDGE_SAMPLES: usize = 256;
/// One of so many of those rays is shaded, spread over the pixel by taking another of every run:
/// light within one part of a pixel hardly changes.
const SHADED_EVERY: usize = 8;
/// Parts of one pixel that are told apart; what is more is shaded where it is met.
const MOST_PARTS: usize = 6;
/// Rays through a pixel that a motion passes, all shaded: every edge is blurred there, and light
/// changes over the exposure.
const MOVING_SAMPLES: usize = 32;
/// Samples of a pixel inside a piece: grooves and highlights are narrow.
const FACE_SAMPLES: usize = 16;
/// Samples where light changes slowly: on the edges of rails, beside outlines of flat things, and
/// over the exposure where only a soft shadow passes.
const FEW_SAMPLES: usize = 4;
/// Bits of a pixel's key beside what its middle shows.
const IMAGE_MOVES: u32 = 1 << 31;
const SHADE_MOVES: u32 = 1 << 30;
const SHOWN: u32 = !(IMAGE_MOVES | SHADE_MOVES);
const OUTSIDE_LENS: u32 = 0;

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

/// A scene made ready for rays.
pub struct Renderer {
    camera: Camera,
    field: Arc<RayField>,
    pub(super) world: World,
    edge: Vec<[f64; 3]>,
    moving: Vec<[f64; 3]>,
    face: Vec<[f64; 3]>,
    few: Vec<[f64; 3]>,
}

impl Renderer {
    pub fn new(scene: &Scene) -> Self {
        Self::with_rays(scene, Arc::new(RayField::new(&scene.camera)))
    }

    /// The same for a scene whose camera has these rays.
    fn with_rays(scene: &Scene, field: Arc<RayField>) -> Self {
        let size = [scene.board.surface.width_mm, scene.board.surface.length_mm];
        let most = most_footprint_mm(&scene.camera, &field, size);
        Self {
            camera: scene.camera,
            world: World::new(scene, most),
            field,
            edge: pattern(EDGE_SAMPLES),
            moving: pattern(MOVING_SAMPLES),
            face: pattern(FACE_SAMPLES),
            few: pattern(FEW_SAMPLES),
        }
    }

    /// The same for the scene that this one's camera sees next.
    pub(super) fn of_next(&self, scene: &Scene) -> Self {
        if scene.camera == self.camera {
            Self::with_rays(scene, self.field.clone())
        } else {
            Self::new(scene)
        }
    }

    /// The ray of a place in the picture; `None` outside of the picture or of the lens.
    pub(super) fn ray(&self, u: f64, v: f64) -> Option<Ray> {
        let [w, h] = self.camera.image_size.map(f64::from);
        let inside = u >= -0.5 && v >= -0.5 && u <= w - 0.5 && v <= h - 0.5;
        if inside { self.field.at(u, v).map(|pixel| pixel.ray) } else { None }
    }

    fn size(&self) -> [usize; 2] {
        self.camera.image_size.map(|side| side as usize)
    }

    pub fn light_field(&self) -> LightField {
        let [width, height] = self.size();
        let mut light = LightField { width, height, pixels: vec![[0.0; 3]; width * height] };
        self.paint(&mut light, &|_, _| true);
        light
    }

    /// Renders anew the pixels that may look different after some changes.
    pub(super) fn repaint(&self, light: &mut LightField, changes: &Differences) {
        let places = self.field.places();
        let width = light.width;
        self.paint(light, &|x, y| match places[y * width + x] {
            Place::At(place) => changes.may_reach(&self.world, place),
            Place::Nowhere => true,
            Place::OutsideLens => false,
        });
    }

    /// Renders the pixels that are `wanted`; the others stay as they are.
    fn paint(&self, light: &mut LightField, wanted: &(dyn Fn(usize, usize) -> bool + Sync)) {
        let [width, height] = self.size();
        let mut want = vec![false; width * height];
        want.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, want) in row.iter_mut().enumerate() {
                *want = wanted(x, y);
            }
        });
        let mut keys = vec![OUTSIDE_LENS; width * height];
        let rows = light.pixels.par_chunks_mut(width).zip(keys.par_chunks_mut(width)).enumerate();
        rows.for_each(|(y, (pixels, keys))| {
            for (x, (pixel, key)) in pixels.iter_mut().zip(keys.iter_mut()).enumerate() {
                if want[y * width + x] {
                    (*pixel, *key) = self.first_look(x, y);
                } else if around(width, height, x, y).any(|index| want[index]) {
                    // Whether an outline runs beside a wanted pixel is seen from its neighbours.
                    *key = self.key(x, y);
                }
            }
        });
        light.pixels.par_chunks_mut(width).enumerate().for_each(|(y, pixels)| {
            for (x, pixel) in pixels.iter_mut().enumerate().filter(|(x, _)| want[y * width + x]) {
                let key = keys[y * width + x];
                let moving = key & SHADE_MOVES != 0;
                if key & IMAGE_MOVES != 0 {
                    *pixel = self.mean_look(x, y, &self.moving, true);
                    continue;
                }
                match border(&keys, width, height, x, y) {
                    Border::Outline => {
                        if let Some(light) = self.edge_look(x, y, key, moving) {
                            *pixel = light;
                        }
                    }
                    Border::Nothing if !moving && !self.is_turned(key) => {}
                    Border::Crease | Border::Nothing => *pixel = self.closer_look(x, y, key, moving),
                }
            }
        });
    }

    fn key(&self, x: usize, y: usize) -> u32 {
        let Some(pixel) = self.field.at(x as f64, y as f64) else { return OUTSIDE_LENS };
        self.world.trace(&pixel.ray, 0.0).key()
    }

    fn first_look(&self, x: usize, y: usize) -> ([f32; 3], u32) {
        let Some(pixel) = self.field.at(x as f64, y as f64) else { return ([0.0; 3], OUTSIDE_LENS) };
        let hit = self.world.trace(&pixel.ray, 0.0);
        let moving = match self.world.motion_at(surface_place(&pixel.ray)) {
            Motion::None => 0,
            Motion::Shade => SHADE_MOVES,
            Motion::Image => IMAGE_MOVES,
        };
        let key = hit.key() | moving;
        if self.needs_closer_look(key) {
            return ([0.0; 3], key);
        }
        let light = self.world.shade(&pixel.ray, &hit, &pixel.footprint(hit.distance), 0.0);
        (light.map(|v| v as f32).into(), key)
    }

    fn closer_look(&self, x: usize, y: usize, key: u32, moving: bool) -> [f32; 3] {
        let samples = if self.is_turned(key) { &self.face } else { &self.few };
        self.mean_look(x, y, samples, moving)
    }

    /// The mean over the pixel of every sample's light; `moving`: over the exposure too.
    fn mean_look(&self, x: usize, y: usize, samples: &[[f64; 3]], moving: bool) -> [f32; 3] {
        let mut sum = Rgb::zeros();
        for [u, v, time] in samples {
            let time = if moving { *time } else { 0.0 };
            let sample = self.sample(x as f64 + u, y as f64 + v, time, samples.len(), |_| true);
            if let Some((_, light)) = sample {
                sum += light.unwrap_or_default();
            }
        }
        (sum / samples.len() as f64).map(|v| v as f32).into()
    }

    /// A pixel beside an outline; `None` when the outline misses it and one sample is enough.
    fn edge_look(&self, x: usize, y: usize, key: u32, moving: bool) -> Option<[f32; 3]> {
        let (u, v) = (x as f64, y as f64);
        let shown = |[du, dv]: [f64; 2]| {
            self.field.at(u + du, v + dv).map(|pixel| self.world.trace(&pixel.ray, 0.0).key())
        };
        match Crossing::of_pixel(key & SHOWN, shown) {
            Crossing::Missed if !moving && !self.is_turned(key) => None,
            Crossing::Missed | Crossing::Creased => Some(self.closer_look(x, y, key, moving)),
            Crossing::Parted { inner, outer, inner_share, inner_corner, outer_corner } => {
                let parts = [(inner, inner_share, inner_corner), (outer, 1.0 - inner_share, outer_corner)];
                let light = self.two_part_look(x, y, parts, moving);
                Some(light.unwrap_or_else(|| self.many_part_look(x, y, moving)))
            }
            Crossing::Tangled => Some(self.many_part_look(x, y, moving)),
        }
    }

    /// Two parts of known share, each with the mean light of its samples, or of its corner of the
    /// pixel where it is too small for them; `None` when a sample meets a third thing.
    fn two_part_look(
        &self,
        x: usize,
        y: usize,
        parts: [(u32, f64, usize); 2],
        moving: bool,
    ) -> Option<[f32; 3]> {
        let mut light = [Rgb::zeros(); 2];
        let mut count = [0.0; 2];
        let (u, v) = (x as f64, y as f64);
        let turned = parts.iter().any(|part| self.is_turned(part.0 << PART_BITS));
        let samples = if turned { &self.face } else { &self.few };
        for [du, dv, time] in samples {
            let time = if moving { *time } else { 0.0 };
            let (key, seen) = self.sample(u + du, v + dv, time, samples.len(), |_| true)?;
            let part = parts.iter().position(|part| part.0 == key >> PART_BITS)?;
            light[part] += seen.unwrap_or_default();
            count[part] += 1.0;
        }
        let mut sum = Rgb::zeros();
        for (part, (_, share, corner)) in parts.iter().enumerate() {
            if count[part] == 0.0 {
                let [du, dv] = PX_CORNERS[*corner];
                let (_, seen) = self.sample(u + du, v + dv, 0.0, samples.len(), |_| true)?;
                (light[part], count[part]) = (seen.unwrap_or_default(), 1.0);
            }
            sum += light[part] * (share / count[part]);
        }
        Some(sum.map(|v| v as f32).into())
    }

    /// The pixel's parts by their share of all rays, each with the mean light of its shaded ones.
    fn many_part_look(&self, x: usize, y: usize, moving: bool) -> [f32; 3] {
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

    /// Whether one sample would miss much of a pixel inside a thing.
    fn needs_closer_look(&self, key: u32) -> bool {
        key & (IMAGE_MOVES | SHADE_MOVES) != 0 || self.is_turned(key)
    }

    /// Whether a key belongs to a turned solid, with its grooves and rims.
    fn is_turned(&self, key: u32) -> bool {
        let solid = ((key & SHOWN) >> PART_BITS)
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
    let mut border = Border::Nothing;
    for index in around(width, height, x, y) {
        let differs = (keys[index] ^ key) & SHOWN;
        if differs >> PART_BITS != 0 {
            return Border::Outline;
        }
        if differs != 0 {
            border = Border::Crease;
        }
    }
    border
}

/// A pixel and its neighbours, by their index.
fn around(width: usize, height: usize, x: usize, y: usize) -> impl Iterator<Item = usize> {
    let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
    let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
    rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
}
