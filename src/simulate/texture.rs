//! Procedural wood, cloth and stone: places in millimetres in, colours in linear light out.
//!
//! Every octave fades out as the footprint of a pixel grows past it, so nothing aliases.

use nalgebra::Vector3;

use crate::{board::Colour, capture::srgb};

/// Linear light in red, green, blue.
pub type Rgb = Vector3<f64>;

pub fn linear(colour: Colour) -> Rgb {
    Rgb::from(colour.0.map(|value| srgb::linear(f64::from(value) / 255.0)))
}

/// A well mixed number of a lattice point; the source of everything random in a picture.
#[inline]
pub fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h ^= seed.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^ (h >> 15)
}

#[inline]
fn lattice(x: i32, y: i32, seed: u32) -> f64 {
    f64::from(hash(x, y, seed)) * (2.0 / 4_294_967_295.0) - 1.0
}

/// Smooth value noise of unit cell size, -1 to 1.
#[inline]
pub fn noise(x: f64, y: f64, seed: u32) -> f64 {
    // Truncation and a step down is the floor, without a call into the mathematics library.
    let (ix, iy) = (x as i32 - i32::from(x < 0.0), y as i32 - i32::from(y < 0.0));
    let (tx, ty) = (x - f64::from(ix), y - f64::from(iy));
    let (sx, sy) = (tx * tx * (3.0 - 2.0 * tx), ty * ty * (3.0 - 2.0 * ty));
    let (ix1, iy1) = (ix.wrapping_add(1), iy.wrapping_add(1));
    let (a, b) = (lattice(ix, iy, seed), lattice(ix1, iy, seed));
    let (c, d) = (lattice(ix, iy1, seed), lattice(ix1, iy1, seed));
    let (low, high) = (a + (b - a) * sx, c + (d - c) * sx);
    low + (high - low) * sy
}

/// How much of an octave of cell size `cell_mm` survives a footprint.
#[inline]
fn survives(cell_mm: f64, footprint_mm: f64) -> f64 {
    (1.5 - footprint_mm / cell_mm).clamp(0.0, 1.0)
}

/// Sawn and planed wood with its grain along one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wood {
    pub colour: Rgb,
    pub contrast: f64,
    /// Width of glued strips; 0: one sheet.
    pub strip_mm: f64,
    pub seed: u32,
}

impl Wood {
    /// Albedo at a place given along and across the grain.
    pub fn albedo(&self, along: f64, across: f64, footprint_mm: f64) -> Rgb {
        let (mut seed, mut along, mut strip_tone, mut seam) = (self.seed, along, 0.0, 0.0);
        if self.strip_mm > 0.0 {
            let strip = (across / self.strip_mm).floor();
            let index = strip as i32;
            seed = hash(index, 7, self.seed);
            // Strips are glued from boards of their own length.
            let board = ((along / 700.0) + lattice(index, 3, self.seed)).floor() as i32;
            strip_tone = 0.35 * lattice(index, board, self.seed ^ 0x51);
            seed ^= hash(board, index, 99);
            along += 971.0 * lattice(index, 1, self.seed);
            let from_seam = (across - strip * self.strip_mm).min((strip + 1.0) * self.strip_mm - across);
            seam = 0.35 * (1.0 - from_seam / 0.35).clamp(0.0, 1.0) * survives(0.7, footprint_mm);
        }
        let warp = 26.0 * noise(across / 95.0, along / 820.0, seed ^ 1)
            + 7.0 * noise(across / 31.0, along / 260.0, seed ^ 2);
        let rings = 0.55 * noise((across + warp) / 14.0, along / 2300.0, seed ^ 3)
            + 0.45 * noise((across + warp) / 5.2, along / 1400.0, seed ^ 4)
            + 0.3 * survives(1.9, footprint_mm) * noise((across + 0.6 * warp) / 1.9, along / 420.0, seed ^ 5);
        let blotch = noise(across / 170.0, along / 330.0, seed ^ 6);
        let mut fibre = 0.0;
        let fine = survives(0.8, footprint_mm);
        if fine > 0.0 {
            fibre += fine * noise(across / 0.8, along / 46.0, seed ^ 7);
            let pore = noise(across / 0.7, along / 9.0, seed ^ 8) - 0.55;
            fibre -= 1.6 * fine * pore.max(0.0);
        }
        let tone =
            self.contrast * (0.085 * rings + 0.035 * blotch + 0.045 * fibre + 0.22 * strip_tone) - seam;
        // Darker wood is also redder: blue falls fastest.
        let shade = |share: f64| (1.0 + tone * share).max(0.05);
        Rgb::new(self.colour.x * shade(0.85), self.colour.y * shade(1.0), self.colour.z * shade(1.25))
    }
}

/// Woven cloth: a fine weave over slow creases.
pub fn cloth(x: f64, y: f64, footprint_mm: f64, seed: u32) -> f64 {
    let weave = survives(0.9, footprint_mm)
        * 0.10
        * (noise(x / 0.9, y / 2.2, seed) + noise(x / 2.2, y / 0.9, seed ^ 1));
    1.0 + weave + 0.025 * noise(x / 180.0, y / 240.0, seed ^ 2) + 0.015 * noise(x / 23.0, y / 19.0, seed ^ 3)
}

/// Speckled stone or worktop.
pub fn stone(x: f64, y: f64, footprint_mm: f64, seed: u32) -> f64 {
    let speckle = survives(1.6, footprint_mm) * 0.12 * noise(x / 1.6, y / 1.6, seed);
    1.0 + speckle + 0.07 * noise(x / 7.0, y / 7.0, seed ^ 1) + 0.03 * noise(x / 90.0, y / 70.0, seed ^ 2)
}

/// What is left of paint at a place, 0 to 1: chips, and thin spots along the strokes of the brush.
pub fn wear_left(x: f64, y: f64, footprint_mm: f64, wear: f64, seed: u32) -> f64 {
    if wear <= 0.0 {
        return 1.0;
    }
    let local = (0.55 + 0.45 * noise(x / 110.0, y / 110.0, seed)).max(0.0);
    let chip = noise(x / 2.1, y / 2.1, seed ^ 1)
        + 0.5 * survives(1.0, footprint_mm) * noise(x / 0.9, y / 0.9, seed ^ 2);
    let chipped = ((chip - 1.05 + 0.55 * wear * local) * 5.0).clamp(0.0, 1.0);
    let thin = 0.16 * wear * (0.5 + 0.5 * noise(x / 9.0, y / 7.0, seed ^ 3));
    (1.0 - 0.75 * chipped) * (1.0 - thin)
}
