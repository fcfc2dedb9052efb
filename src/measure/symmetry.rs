//! Where a piece lies by the rotational symmetry of its top face.
//!
//! In: the pixels of the face and a start. Out: the centre about which grooves, rings and edges of
//! the face are circles. Nothing about them need be known: the radial profile is measured along,
//! and a wrong centre shows as a first harmonic that follows the profile's slope. Slow changes of
//! light over the face are fitted away. A plain face has no slope, and the covariance says so.

use nalgebra::{Matrix2, SMatrix, SVector};

use super::{MeasureOptions, estimate::Estimate, scene::Scene, subject::Subject, view::LocalRays};
use crate::{
    camera::Camera,
    geometry::{Point, Vector},
};

/// A pixel of the face: where it lies in the plane of the face about the start, and its light.
#[derive(Clone, Copy)]
pub(super) struct FacePixel {
    x: f32,
    y: f32,
    light: f32,
}

/// Two of the centre, then slow light: x, y, x² - y², xy, x r², y r².
const PARAMETERS: usize = 8;

/// The pixels of a top face, around a start.
pub(super) struct Face {
    pixels: Vec<FacePixel>,
    start: Point,
    /// Radius up to which the face is taken for symmetric.
    reach_mm: f32,
    /// Width of one ring of the radial profile.
    ring_mm: f32,
}

impl Face {
    /// Collects the face's pixels around `start`, evenly thinned to about as many as are needed.
    pub fn read(
        scene: &Scene,
        subject: &Subject,
        camera: &Camera,
        start: Point,
        options: &MeasureOptions,
    ) -> Option<Face> {
        let solid = &subject.solid;
        let px_per_mm = subject.px_per_mm();
        let reach_mm = solid.radius_mm - solid.rim_mm - options.face_margin_px / px_per_mm;
        let collect_mm = reach_mm + options.symmetry_step_mm;
        let half_px = [0, 1].map(|row| collect_mm * subject.px_by_mm.row(row).norm() + 1.0);
        let middle = subject.top.pixel(start);
        let rays = LocalRays::new(camera, middle, half_px[0].max(half_px[1]), solid.top_mm)?;
        let expected = std::f64::consts::PI * (reach_mm * px_per_mm).powi(2);
        let stride = (expected / options.most_face_pixels as f64).ceil().max(1.0) as usize;
        let pixels = scene
            .patch
            .pixels(middle, half_px, stride)
            .filter_map(|(pixel, light)| {
                let at = rays.point(pixel);
                let v = at - start;
                if v.norm_squared() > collect_mm * collect_mm {
                    return None;
                }
                if !scene.neighbours.is_empty()
                    && scene.covered(scene.eye.shadow(at, solid.top_mm), options.mask_mm)
                {
                    return None;
                }
                Some(FacePixel { x: v.x as f32, y: v.y as f32, light: light[0] + light[1] + light[2] })
            })
            .collect();
        let ring_mm = (options.ring_px / px_per_mm) as f32;
        Some(Face { pixels, start, reach_mm: reach_mm as f32, ring_mm })
    }
}

/// The radial profile: light by ring, with its slope.
struct Radial {
    light: Vec<f32>,
    slope: Vec<f32>,
    /// Pixels in each ring.
    weight: Vec<f32>,
}

/// Slow changes of light over the face, in units of its reach.
#[inline]
fn slow_terms(a: f32, b: f32) -> [f32; PARAMETERS - 2] {
    let q = a * a + b * b;
    [a, b, a * a - b * b, a * b, a * q, b * q]
}

/// Finds the centre. The estimate's `excess_mm` carries the unexplained light, to compare starts.
pub(super) fn fit(face: &Face, height_mm: f64, options: &MeasureOptions) -> Option<Estimate> {
    let mut centre = Vector::zeros();
    let mut slow = [0.0f32; PARAMETERS - 2];
    let mut noise = f32::INFINITY;
    let mut result = None;
    for round in 0..options.symmetry_rounds {
        let radial = radial_profile(face, centre, &slow)?;
        let sums = gather(face, &radial, centre, &slow, noise);
        if sums.count < options.least_face_pixels {
            return None;
        }
        let (normal, right) = sums.equations();
        let solution = normal.cholesky()?.solve(&right);
        let shift = Vector::new(solution[0], solution[1]);
        let limit = options.symmetry_step_mm;
        let shift = if shift.norm() > limit { shift * (limit / shift.norm()) } else { shift };
        centre += shift;
        slow = std::array::from_fn(|i| solution[i + 2] as f32);
        let variance = f64::from(sums.squares / sums.weights);
        noise = variance.sqrt() as f32;
        let covariance: Matrix2<f64> = normal.try_inverse()?.fixed_view::<2, 2>(0, 0) * variance;
        let structure = radial.structure(noise, face.ring_mm);
        result = Some(Estimate {
            centre: face.start + centre,
            covariance: covariance * options.symmetry_correlation / structure,
            residual_mm: shift.norm(),
            share: sums.count as f64 / face.pixels.len() as f64,
            excess_mm: f64::from(noise),
            near_mm: 0.0,
            height_mm,
        });
        if round > 0 && shift.norm() < options.symmetry_done_mm {
            break;
        }
    }
    result
}

/// Sums over the pixels for the normal equations.
struct Sums {
    normal: [[f32; PARAMETERS]; PARAMETERS],
    right: [f32; PARAMETERS],
    squares: f32,
    weights: f32,
    count: usize,
}

impl Sums {
    fn equations(&self) -> (SMatrix<f64, PARAMETERS, PARAMETERS>, SVector<f64, PARAMETERS>) {
        let normal = SMatrix::from_fn(|i, j| {
            let ridge = if i == j { 1e-9 } else { 0.0 };
            f64::from(self.normal[i.max(j)][i.min(j)]) + ridge
        });
        (normal, SVector::from_fn(|i, _| f64::from(self.right[i])))
    }
}

fn gather(face: &Face, radial: &Radial, centre: Vector, slow: &[f32; PARAMETERS - 2], noise: f32) -> Sums {
    let mut sums = Sums {
        normal: [[0.0; PARAMETERS]; PARAMETERS],
        right: [0.0; PARAMETERS],
        squares: 0.0,
        weights: 0.0,
        count: 0,
    };
    let (cx, cy) = (centre.x as f32, centre.y as f32);
    let robust_scale = if noise.is_finite() { 1.0 / (9.0 * noise * noise).max(1e-12) } else { 0.0 };
    for pixel in &face.pixels {
        let (x, y) = (pixel.x - cx, pixel.y - cy);
        let r = (x * x + y * y).sqrt();
        if r >= face.reach_mm {
            continue;
        }
        let (light, slope) = radial.at(r, face.ring_mm);
        let along = if r > 1e-6 { -slope / r } else { 0.0 };
        let terms = slow_terms(x / face.reach_mm, y / face.reach_mm);
        let mut row = [0.0f32; PARAMETERS];
        (row[0], row[1]) = (along * x, along * y);
        row[2..].copy_from_slice(&terms);
        let drift: f32 = slow.iter().zip(&terms).map(|(s, v)| s * v).sum();
        let miss = pixel.light - light;
        let unexplained = miss - drift;
        let weight = 1.0 / (1.0 + unexplained * unexplained * robust_scale).powi(2);
        // The whole square, not its half: eight lanes at a time are faster.
        for (line, value) in sums.normal.iter_mut().zip(row) {
            let weighted = weight * value;
            for (sum, other) in line.iter_mut().zip(row) {
                *sum += weighted * other;
            }
        }
        for (sum, value) in sums.right.iter_mut().zip(row) {
            *sum += weight * miss * value;
        }
        sums.squares += weight * unexplained * unexplained;
        sums.weights += weight;
        sums.count += 1;
    }
    sums
}

fn radial_profile(face: &Face, centre: Vector, slow: &[f32; PARAMETERS - 2]) -> Option<Radial> {
    let (reach, ring) = (face.reach_mm, face.ring_mm);
    if !(reach > ring && ring > 0.0) {
        return None;
    }
    let rings = (reach / ring).ceil() as usize + 2;
    let mut sums = vec![(0.0f32, 0.0f32); rings];
    let (cx, cy) = (centre.x as f32, centre.y as f32);
    for pixel in &face.pixels {
        let (x, y) = (pixel.x - cx, pixel.y - cy);
        let r = (x * x + y * y).sqrt();
        if r >= reach {
            continue;
        }
        let drift: f32 = slow.iter().zip(slow_terms(x / reach, y / reach)).map(|(s, v)| s * v).sum();
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
