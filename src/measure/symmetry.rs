//! Where a piece lies by the rotational symmetry of its top face.
//!
//! In: the pixels of the face and a start. Out: the centre about which grooves, rings and edges of
//! the face are circles. Nothing about them need be known: the radial profile is measured along,
//! and a wrong centre shows as a first harmonic that follows the profile's slope. Slow changes of
//! light over the face are fitted away. A plain face has no slope, and the covariance says so.

use nalgebra::{Matrix2, SMatrix, SVector};

use super::{MeasureOptions, estimate::Estimate, scene::Scene, solid::Solid, view::LocalRays};
use crate::{
    camera::Pixel,
    geometry::{Point, Vector},
};

/// A pixel of the face: where it lies in the plane of the face, and its light.
#[derive(Clone, Copy)]
pub(super) struct FacePixel {
    pub at: Point,
    pub light: f32,
}

/// Two of the centre, then slow light: x, y, x² - y², xy, x r², y r².
const PARAMETERS: usize = 8;

pub(super) struct Face<'a> {
    pub pixels: &'a [FacePixel],
    /// Radius up to which the face is taken for symmetric.
    pub reach_mm: f64,
    /// Width of one ring of the radial profile.
    pub ring_mm: f64,
}

/// Collects the face's pixels around `centre`.
pub(super) fn face_pixels(
    scene: &Scene,
    solid: &Solid,
    rays: &LocalRays,
    middle: Pixel,
    half_px: [f64; 2],
    centre: Point,
    reach_mm: f64,
    options: &MeasureOptions,
) -> Vec<FacePixel> {
    scene
        .patch
        .pixels(middle, half_px)
        .filter_map(|(pixel, light)| {
            let at = rays.point(pixel);
            if (at - centre).norm_squared() > reach_mm * reach_mm {
                return None;
            }
            if !scene.neighbours.is_empty()
                && scene.covered(scene.eye.shadow(at, solid.top_mm), options.mask_mm)
            {
                return None;
            }
            Some(FacePixel { at, light: light[0] + light[1] + light[2] })
        })
        .collect()
}

/// The radial profile: light by ring, with its slope.
struct Radial {
    light: Vec<f32>,
    slope: Vec<f32>,
    /// Pixels in each ring.
    weight: Vec<f32>,
}

pub(super) fn fit(face: &Face, start: Point, options: &MeasureOptions) -> Option<Estimate> {
    let mut centre = start;
    let mut slow = [0.0f32; PARAMETERS - 2];
    let mut noise = f32::INFINITY;
    let mut result = None;
    for _ in 0..options.symmetry_rounds {
        let radial = radial_profile(face, centre, &slow)?;
        let (mut normal, mut right) =
            (SMatrix::<f64, PARAMETERS, PARAMETERS>::zeros(), SVector::<f64, PARAMETERS>::zeros());
        let (mut squares, mut weights, mut count) = (0.0f64, 0.0f64, 0usize);
        for pixel in face.pixels {
            let v = pixel.at - centre;
            let r = v.norm();
            if r >= face.reach_mm {
                continue;
            }
            let (x, y, r) = (v.x as f32, v.y as f32, r as f32);
            let (light, slope) = radial.at(r, face.ring_mm as f32);
            let along = if r > 1e-6 { -slope / r } else { 0.0 };
            let reach = face.reach_mm as f32;
            let (a, b) = (x / reach, y / reach);
            let q = a * a + b * b;
            let row: [f32; PARAMETERS] = [along * x, along * y, a, b, a * a - b * b, a * b, a * q, b * q];
            let drift: f32 = slow.iter().zip(&row[2..]).map(|(s, v)| s * v).sum();
            let miss = pixel.light - light;
            let unexplained = miss - drift;
            let robust = if noise.is_finite() {
                1.0 / (1.0 + (unexplained / (3.0 * noise)).powi(2)).powi(2)
            } else {
                1.0
            };
            let weight = f64::from(robust);
            for i in 0..PARAMETERS {
                let wi = weight * f64::from(row[i]);
                right[i] += wi * f64::from(miss);
                for j in 0..=i {
                    normal[(i, j)] += wi * f64::from(row[j]);
                }
            }
            squares += weight * f64::from(unexplained * unexplained);
            weights += weight;
            count += 1;
        }
        if count < options.least_face_pixels {
            return None;
        }
        for i in 0..PARAMETERS {
            for j in 0..i {
                normal[(j, i)] = normal[(i, j)];
            }
            normal[(i, i)] += 1e-9;
        }
        let solution = normal.cholesky()?.solve(&right);
        let shift = Vector::new(solution[0], solution[1]);
        let limit = options.symmetry_step_mm;
        let shift = if shift.norm() > limit { shift * (limit / shift.norm()) } else { shift };
        centre += shift;
        slow = std::array::from_fn(|i| solution[i + 2] as f32);
        noise = (squares / weights).sqrt() as f32;
        let trust = radial.structure(noise, face.ring_mm as f32);
        let covariance: Matrix2<f64> = normal.try_inverse()?.fixed_view::<2, 2>(0, 0) * (squares / weights);
        result = Some(Estimate {
            centre,
            covariance: covariance * options.symmetry_correlation / trust,
            residual_mm: shift.norm(),
            share: count as f64 / face.pixels.len() as f64,
            excess_mm: f64::from(noise),
            height_mm: 0.0,
        });
    }
    result
}

fn radial_profile(face: &Face, centre: Point, slow: &[f32]) -> Option<Radial> {
    let rings = (face.reach_mm / face.ring_mm).ceil() as usize + 2;
    let mut sums = vec![(0.0f32, 0.0f32); rings];
    let (reach, ring) = (face.reach_mm as f32, face.ring_mm as f32);
    for pixel in face.pixels {
        let v = pixel.at - centre;
        let (x, y) = (v.x as f32, v.y as f32);
        let r = (x * x + y * y).sqrt();
        if r >= reach {
            continue;
        }
        let (a, b) = (x / reach, y / reach);
        let q = a * a + b * b;
        let drift = slow[0] * a
            + slow[1] * b
            + slow[2] * (a * a - b * b)
            + slow[3] * a * b
            + slow[4] * a * q
            + slow[5] * b * q;
        let at = r / ring;
        let k = at as usize;
        let part = at - k as f32;
        let light = pixel.light - drift;
        sums[k].0 += (1.0 - part) * light;
        sums[k].1 += 1.0 - part;
        sums[k + 1].0 += part * light;
        sums[k + 1].1 += part;
    }
    let filled: Vec<Option<f32>> = sums.iter().map(|&(s, w)| (w > 0.5).then(|| s / w)).collect();
    let mut last = filled.iter().flatten().next().copied()?;
    let light: Vec<f32> = filled
        .iter()
        .map(|v| {
            last = v.unwrap_or(last);
            last
        })
        .collect();
    let slope = (0..rings)
        .map(|k| {
            let (a, b) = (k.saturating_sub(1), (k + 1).min(rings - 1));
            (light[b] - light[a]) / ((b - a) as f32 * ring)
        })
        .collect();
    let weight = sums.iter().map(|s| s.1).collect();
    Some(Radial { light, slope, weight })
}

impl Radial {
    /// Share of the slopes' power that is not the pixels' noise: near 0 for a plain face, whose
    /// measured profile has slopes all the same.
    fn structure(&self, noise: f32, ring: f32) -> f64 {
        let (mut power, mut by_noise) = (0.0f64, 0.0f64);
        for k in 1..self.slope.len() - 1 {
            let (before, weight, after) = (self.weight[k - 1], self.weight[k], self.weight[k + 1]);
            if before < 1.0 || after < 1.0 {
                continue;
            }
            let variance = noise * noise * (1.0 / before + 1.0 / after) / (2.0 * ring).powi(2);
            power += f64::from(weight * self.slope[k].powi(2));
            by_noise += f64::from(weight * variance);
        }
        (1.0 - by_noise / power.max(1e-12)).max(1e-3).powi(2)
    }

    #[inline]
    fn at(&self, r: f32, ring: f32) -> (f32, f32) {
        let at = r / ring;
        let k = (at as usize).min(self.light.len() - 2);
        let part = at - k as f32;
        let mix = |v: &[f32]| v[k] + (v[k + 1] - v[k]) * part;
        (mix(&self.light), mix(&self.slope))
    }
}
