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

/// Of so many pixels the first round uses one.
const FIRST_ROUND_OF: usize = 3;

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
    /// Collects the face's pixels around `start`, evenly thinned to about as many as are needed, for centres up to
    /// `search_mm` from there.
    pub fn read(
        scene: &Scene,
        subject: &Subject,
        camera: &Camera,
        start: Point,
        search_mm: f64,
        options: &MeasureOptions,
    ) -> Option<Face> {
        let solid = &subject.solid;
        let px_per_mm = subject.px_per_mm();
        let reach_mm = solid.radius_mm - solid.rim_mm - options.face_margin_px / px_per_mm;
        let collect_mm = reach_mm + search_mm;
        let half_px = [0, 1].map(|row| collect_mm * subject.px_by_mm.row(row).norm() + 1.0);
        let middle = subject.top.pixel(start);
        let rays = LocalRays::new(camera, middle, half_px[0].max(half_px[1]), solid.top_mm)?;
        let expected = std::f64::consts::PI * (reach_mm * px_per_mm).powi(2);
        let stride = (expected / options.most_face_pixels as f64).ceil().max(1.0) as usize;
        let mut pixels = Vec::with_capacity(2 * options.most_face_pixels);
        scene.patch.visit_pixels(middle, half_px, stride, |pixel, light| {
            let at = rays.point(pixel);
            let v = at - start;
            let is_face = v.norm_squared() <= collect_mm * collect_mm
                && (scene.neighbours.is_empty()
                    || !scene.covered(scene.eye.shadow(at, solid.top_mm), options.mask_mm));
            if is_face {
                pixels.push(FacePixel {
                    x: v.x as f32,
                    y: v.y as f32,
                    light: light[0] + light[1] + light[2],
                });
            }
        });
        let ring_mm = (options.ring_px / px_per_mm) as f32;
        Some(Face { pixels, start, reach_mm: reach_mm as f32, ring_mm })
    }
}

/// Of so many pixels the search for a centre uses one.
const SEARCHED_OF: usize = 5;

impl Face {
    /// The place within `reach_mm` of the start about which the face is most nearly made of circles, on a grid: a face
    /// with several rings has false centres, from which a fit does not come away.
    pub fn most_circular(&self, reach_mm: f64, options: &MeasureOptions) -> Option<Point> {
        let step_mm = options.face_search_step_mm;
        let steps = (reach_mm / step_mm).floor() as i32;
        let mut pixels = Vec::with_capacity(self.pixels.len() / SEARCHED_OF + 1);
        let mut unexplained = |offset: Vector| -> Option<f32> {
            self.seen_from(offset, SEARCHED_OF, &mut pixels);
            let radial = radial_profile(self, &mut pixels, &[0.0; PARAMETERS - 2])?;
            let squares: f32 = pixels.iter().map(|pixel| (pixel.light - radial.at(pixel).0).powi(2)).sum();
            Some(squares / pixels.len() as f32)
        };
        let grid = (-steps..=steps).flat_map(|i| (-steps..=steps).map(move |j| (i, j)));
        grid.map(|(i, j)| Vector::new(f64::from(i), f64::from(j)) * step_mm)
            .filter(|offset| offset.norm() <= reach_mm)
            .filter_map(|offset| Some((unexplained(offset)?, offset)))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, offset)| self.start + offset)
    }
}

/// The radial profile: light by ring, with its slope.
struct Radial {
    rings: Vec<Ring>,
    /// Pixels in each ring.
    weight: Vec<f32>,
}

/// One ring of the profile, and what the next one has more.
#[derive(Clone, Copy)]
struct Ring {
    light: f32,
    slope: f32,
    light_more: f32,
    slope_more: f32,
}

/// A pixel as one centre sees it.
#[derive(Clone, Copy)]
struct Seen {
    /// From the centre, in units of the face's reach.
    a: f32,
    b: f32,
    /// Distance from the centre, in rings.
    rings: f32,
    /// The ring within that, and the part of the way to the next one.
    ring: u16,
    part: f32,
    light: f32,
    /// What of its light is a slow change over the face.
    drift: f32,
}

/// Slow changes of light over the face, in units of its reach.
#[inline]
fn slow_terms(a: f32, b: f32) -> [f32; PARAMETERS - 2] {
    let q = a * a + b * b;
    [a, b, a * a - b * b, a * b, a * q, b * q]
}

#[inline]
fn drift(slow: &[f32; PARAMETERS - 2], terms: &[f32; PARAMETERS - 2]) -> f32 {
    slow[0] * terms[0]
        + slow[1] * terms[1]
        + slow[2] * terms[2]
        + slow[3] * terms[3]
        + slow[4] * terms[4]
        + slow[5] * terms[5]
}

/// Finds the centre. The estimate's `excess_mm` carries the unexplained light, to compare starts.
pub(super) fn fit(face: &Face, height_mm: f64, options: &MeasureOptions) -> Option<Estimate> {
    let mut centre = Vector::zeros();
    let mut slow = [0.0f32; PARAMETERS - 2];
    let mut noise = f32::INFINITY;
    let mut result = None;
    let mut pixels: Vec<Seen> = Vec::with_capacity(face.pixels.len());
    for round in 0..options.symmetry_rounds {
        // The first round only brings the centre near: few pixels will do.
        let thinned = if round == 0 { FIRST_ROUND_OF } else { 1 };
        face.seen_from(centre, thinned, &mut pixels);
        if round == 0 && pixels.len() < options.least_face_pixels {
            face.seen_from(centre, 1, &mut pixels);
        }
        let radial = radial_profile(face, &mut pixels, &slow)?;
        let sums = gather(face, &pixels, &radial, noise);
        if pixels.len() < options.least_face_pixels {
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
            share: pixels.len() as f64 / face.pixels.len() as f64,
            excess_mm: f64::from(noise),
            near_mm: 0.0,
            near_sigma_mm: 0.0,
            outvoted: Vector::zeros(),
            height_mm,
        });
        if round > 0 && shift.norm() < options.symmetry_done_mm {
            break;
        }
    }
    result
}

impl Face {
    /// The pixels of the face as a centre sees them, of every `one_of` one.
    fn seen_from(&self, centre: Vector, one_of: usize, pixels: &mut Vec<Seen>) {
        let (cx, cy) = (centre.x as f32, centre.y as f32);
        let (by_reach, by_ring) = (1.0 / self.reach_mm, 1.0 / self.ring_mm);
        let reach_squared = self.reach_mm * self.reach_mm;
        pixels.clear();
        pixels.extend(self.pixels.iter().step_by(one_of).filter_map(|pixel| {
            let (x, y) = (pixel.x - cx, pixel.y - cy);
            let r_squared = x * x + y * y;
            (r_squared < reach_squared).then(|| {
                let rings = r_squared.sqrt() * by_ring;
                let ring = rings as u16;
                let (a, b, part) = (x * by_reach, y * by_reach, rings - f32::from(ring));
                Seen { a, b, rings, ring, part, light: pixel.light, drift: 0.0 }
            })
        }));
    }
}

/// Sums over the pixels for the normal equations.
struct Sums {
    /// The lower half; the upper right quarter is left out.
    normal: [[f32; PARAMETERS]; PARAMETERS],
    right: [f32; PARAMETERS],
    squares: f32,
    weights: f32,
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

// Indices, because several rows are walked together.
#[allow(clippy::needless_range_loop)]
fn gather(face: &Face, pixels: &[Seen], radial: &Radial, noise: f32) -> Sums {
    const HALF: usize = PARAMETERS / 2;
    let mut sums = Sums {
        normal: [[0.0; PARAMETERS]; PARAMETERS],
        right: [0.0; PARAMETERS],
        squares: 0.0,
        weights: 0.0,
    };
    let robust_scale = if noise.is_finite() { 1.0 / (9.0 * noise * noise).max(1e-12) } else { 0.0 };
    // Direction of a pixel: from units of the reach and of rings to a unit vector.
    let rings_in_reach = face.reach_mm / face.ring_mm;
    for pixel in pixels {
        let (light, slope) = radial.at(pixel);
        let along = if pixel.rings > 1e-5 { -slope * rings_in_reach / pixel.rings } else { 0.0 };
        let terms = slow_terms(pixel.a, pixel.b);
        let row =
            [along * pixel.a, along * pixel.b, terms[0], terms[1], terms[2], terms[3], terms[4], terms[5]];
        let miss = pixel.light - light;
        let unexplained = miss - pixel.drift;
        let spread = 1.0 + unexplained * unexplained * robust_scale;
        let weight = 1.0 / (spread * spread);
        let weighted = row.map(|value| weight * value);
        // Rows of four or eight at a time, not their exact halves: that is faster.
        for i in 0..HALF {
            for j in 0..HALF {
                sums.normal[i][j] += weighted[i] * row[j];
            }
        }
        for i in HALF..PARAMETERS {
            for j in 0..PARAMETERS {
                sums.normal[i][j] += weighted[i] * row[j];
            }
        }
        for (sum, value) in sums.right.iter_mut().zip(weighted) {
            *sum += miss * value;
        }
        sums.squares += weight * unexplained * unexplained;
        sums.weights += weight;
    }
    sums
}

/// The radial profile without slow changes, which are noted in the pixels.
fn radial_profile(face: &Face, pixels: &mut [Seen], slow: &[f32; PARAMETERS - 2]) -> Option<Radial> {
    let (reach, ring) = (face.reach_mm, face.ring_mm);
    if !(reach > ring && ring > 0.0) {
        return None;
    }
    let count = (reach / ring).ceil() as usize + 2;
    let mut sums = vec![(0.0f32, 0.0f32); count];
    for pixel in pixels {
        pixel.drift = drift(slow, &slow_terms(pixel.a, pixel.b));
        let light = pixel.light - pixel.drift;
        let (k, part) = (usize::from(pixel.ring), pixel.part);
        let [inner, outer] = &mut sums[k..k + 2] else { continue };
        inner.0 += (1.0 - part) * light;
        inner.1 += 1.0 - part;
        outer.0 += part * light;
        outer.1 += part;
    }
    let filled = || sums.iter().map(|&(s, w)| (w > 0.5).then(|| s / w));
    let mut last = filled().flatten().next()?;
    let light: Vec<f32> = filled()
        .map(|v| {
            last = v.unwrap_or(last);
            last
        })
        .collect();
    let slope_at = |k: usize| {
        let (a, b) = (k.saturating_sub(1), (k + 1).min(count - 1));
        (light[b] - light[a]) / ((b - a) as f32 * ring)
    };
    let rings = (0..count)
        .map(|k| {
            let next = (k + 1).min(count - 1);
            let (light_more, slope) = (light[next] - light[k], slope_at(k));
            Ring { light: light[k], slope, light_more, slope_more: slope_at(next) - slope }
        })
        .collect();
    let weight = sums.iter().map(|s| s.1).collect();
    Some(Radial { rings, weight })
}

impl Radial {
    /// Share of the slopes' power that is not the pixels' noise: near 0 for a plain face, whose
    /// measured profile has slopes all the same.
    fn structure(&self, noise: f32, ring: f32) -> f64 {
        let (mut power, mut by_noise) = (0.0f64, 0.0f64);
        for k in 1..self.rings.len() - 1 {
            let (before, weight, after) = (self.weight[k - 1], self.weight[k], self.weight[k + 1]);
            if before < 1.0 || after < 1.0 {
                continue;
            }
            let variance = noise * noise * (1.0 / before + 1.0 / after) / (2.0 * ring).powi(2);
            power += f64::from(weight * self.rings[k].slope.powi(2));
            by_noise += f64::from(weight * variance);
        }
        (1.0 - by_noise / power.max(1e-12)).max(1e-3).powi(2)
    }

    /// Light and slope where a pixel lies.
    #[inline]
    fn at(&self, pixel: &Seen) -> (f32, f32) {
        let (ring, part) = (self.rings[usize::from(pixel.ring)], pixel.part);
        (ring.light + ring.light_more * part, ring.slope + ring.slope_more * part)
    }
}
