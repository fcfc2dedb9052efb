//! The rays of a picture's pixels, and what of the board each pixel covers.
//!
//! In: a camera. Out: a ray for any place in the picture, with its change from pixel to pixel.

use std::sync::OnceLock;

use nalgebra::{Point3, Vector2, Vector3};
use rayon::prelude::*;

use crate::camera::Camera;
use crate::geometry::Point;

use super::paint::Footprint;
use super::shapes::Ray;
use super::trace::surface_place;

/// Rays are computed exactly every so many pixels and interpolated in between; a strong lens
/// bends less than 0.004 px over it.
const NODE_PX: usize = 4;

/// Directions of all pixels' rays, in board coordinates.
#[derive(Debug)]
pub struct RayField {
    origin: Point3<f64>,
    columns: usize,
    nodes: Vec<Vector3<f64>>,
    image_size: [usize; 2],
    places: OnceLock<Vec<Place>>,
}

/// Where a pixel's ray crosses the surface's plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    At(Point),
    /// It does not come down.
    Nowhere,
    /// The lens images nothing there.
    OutsideLens,
}

/// A ray with the change of its direction per pixel.
pub struct PixelRay {
    pub ray: Ray,
    right: Vector3<f64>,
    down: Vector3<f64>,
}

impl RayField {
    pub fn new(camera: &Camera) -> Self {
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
        let origin = camera.pose.centre_mm();
        Self { origin, columns, nodes, image_size: [width, height], places: OnceLock::new() }
    }

    /// The places of all pixels, row by row; worked out once.
    pub fn places(&self) -> &[Place] {
        self.places.get_or_init(|| {
            let [width, height] = self.image_size;
            let place = |i: usize| match self.at((i % width) as f64, (i / width) as f64) {
                Some(pixel) => surface_place(&pixel.ray).map_or(Place::Nowhere, Place::At),
                None => Place::OutsideLens,
            };
            (0..width * height).into_par_iter().map(place).collect()
        })
    }

    /// The ray of a place in the picture; `None` where the lens images nothing.
    pub fn at(&self, u: f64, v: f64) -> Option<PixelRay> {
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
    pub fn footprint(&self, distance: f64) -> Footprint {
        let along = self.ray.along;
        let steep = along.z.abs().max(0.05) * if along.z < 0.0 { -1.0 } else { 1.0 };
        let step = |d: Vector3<f64>| {
            let moved = (d - along * (d.z / steep)) * distance;
            Vector2::new(moved.x, moved.y)
        };
        Footprint { right: step(self.right), down: step(self.down) }
    }
}

/// The widest side of any pixel's footprint near the board, in millimetres.
pub fn most_footprint_mm(camera: &Camera, field: &RayField, size: [f64; 2]) -> f64 {
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
