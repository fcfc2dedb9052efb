//! Where a piece lies by the rotational symmetry of its top face.
//!
//! In: the pixels of the face and a start. Out: the centre about which grooves, rings and edges of
//! the face are circles. Nothing about them need be known: the radial profile is measured along,
//! and a wrong centre shows as a first harmonic that follows the profile's slope. Slow changes of
//! light over the face are fitted away. A plain face has no slope, and the covariance says so.

use nalgebra::{Matrix2, SMatrix, SVector};

use super::{
    MeasureOptions,
    estimate::Estimate,
    radial::{FacePixel, LANES, Lanes, Pixels, Radial, SLOW, Seen, count_within, slow_terms},
    scene::Scene,
    subject::Subject,
    view::LocalRays,
};
use crate::{
    camera::Camera,
    geometry::{Point, Vector},
};

/// Two of the centre, then slow light.
const PARAMETERS: usize = 2 + SLOW;

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
    /// Of every `one_of` pixels one.
    fn thinned(&self, one_of: usize) -> Option<Pixels> {
        Pixels::of(&self.pixels, one_of, self.reach_mm, self.ring_mm)
    }

    /// The place within `reach_mm` of the start about which the face is most nearly made of circles, on a grid: a face
    /// with several rings has false centres, from which a fit does not come away.
    pub fn most_circular(&self, reach_mm: f64, options: &MeasureOptions) -> Option<Point> {
        let step_mm = options.face_search_step_mm;
        let steps = (reach_mm / step_mm).floor() as i32;
        let pixels = self.thinned(SEARCHED_OF)?;
        let (mut seen, mut radial) = (Vec::new(), Radial::default());
        let mut unexplained = |offset: Vector| -> Option<f32> {
            pixels.seen_from([offset.x as f32, offset.y as f32], &[0.0; SLOW], &mut seen);
            radial.measure(&pixels, &seen)?;
            Some(radial.unexplained(&seen))
        };
        let grid = (-steps..=steps).flat_map(|i| (-steps..=steps).map(move |j| (i, j)));
        grid.map(|(i, j)| Vector::new(f64::from(i), f64::from(j)) * step_mm)
            .filter(|offset| offset.norm() <= reach_mm)
            .filter_map(|offset| Some((unexplained(offset)?, offset)))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, offset)| self.start + offset)
    }
}

/// Finds the centre. The estimate's `excess_mm` carries the unexplained light, to compare starts.
pub(super) fn fit(face: &Face, height_mm: f64, options: &MeasureOptions) -> Option<Estimate> {
    let mut centre = Vector::zeros();
    let mut slow = [0.0f32; SLOW];
    let mut noise = f32::INFINITY;
    let mut result = None;
    let (mut seen, mut radial) = (Vec::new(), Radial::default());
    // The first round only brings the centre near: few pixels will do.
    let (few, all) = (face.thinned(FIRST_ROUND_OF)?, face.thinned(1)?);
    for round in 0..options.symmetry_rounds {
        let at = [centre.x as f32, centre.y as f32];
        let mut pixels = if round == 0 { &few } else { &all };
        pixels.seen_from(at, &slow, &mut seen);
        if round == 0 && count_within(&seen) < options.least_face_pixels {
            pixels = &all;
            pixels.seen_from(at, &slow, &mut seen);
        }
        radial.measure(pixels, &seen)?;
        let count = count_within(&seen);
        if count < options.least_face_pixels {
            return None;
        }
        let sums = gather(face, &seen, &radial, noise);
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
        let structure = radial.structure(noise);
        result = Some(Estimate {
            centre: face.start + centre,
            covariance: covariance * options.symmetry_correlation / structure,
            residual_mm: shift.norm(),
            share: count as f64 / face.pixels.len() as f64,
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

/// Sums over the pixels for the normal equations.
struct Sums {
    /// The lower half.
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

/// Distance from the centre, in rings, below which a pixel has no direction.
const RINGS_MIN: f32 = 1e-5;

// Indices, because several rows are walked together.
#[allow(clippy::needless_range_loop)]
fn gather(face: &Face, seen: &[Seen], radial: &Radial, noise: f32) -> Sums {
    let mut normal = [[[0.0; LANES]; PARAMETERS]; PARAMETERS];
    let mut right = [[0.0; LANES]; PARAMETERS];
    let (mut squares, mut weights) = ([0.0; LANES], [0.0; LANES]);
    let robust_scale = if noise.is_finite() { 1.0 / (9.0 * noise * noise).max(1e-12) } else { 0.0 };
    // Direction of a pixel: from units of the reach and of rings to a unit vector.
    let rings_in_reach = face.reach_mm / face.ring_mm;
    for pixels in seen {
        let (light, slope) = radial.at(pixels);
        let along: Lanes =
            std::array::from_fn(|i| -slope[i] * rings_in_reach / pixels.rings[i].max(RINGS_MIN));
        let [x, y, squared, mixed, by_x, by_y] = slow_terms(&pixels.a, &pixels.b);
        let of_centre = |from: &Lanes| -> Lanes { std::array::from_fn(|i| along[i] * from[i]) };
        let rows = [of_centre(&pixels.a), of_centre(&pixels.b), x, y, squared, mixed, by_x, by_y];
        let miss: Lanes = std::array::from_fn(|i| pixels.light[i] - light[i]);
        let unexplained: Lanes = std::array::from_fn(|i| miss[i] - pixels.drift[i]);
        let weight: Lanes = std::array::from_fn(|i| {
            let spread = 1.0 + unexplained[i] * unexplained[i] * robust_scale;
            pixels.within[i] / (spread * spread)
        });
        for i in 0..PARAMETERS {
            let weighted: Lanes = std::array::from_fn(|lane| weight[lane] * rows[i][lane]);
            for j in 0..=i {
                add_products(&mut normal[i][j], &weighted, &rows[j]);
            }
            add_products(&mut right[i], &weighted, &miss);
        }
        let weighted: Lanes = std::array::from_fn(|lane| weight[lane] * unexplained[lane]);
        add_products(&mut squares, &weighted, &unexplained);
        add_products(&mut weights, &weight, &[1.0; LANES]);
    }
    let sum = |lanes: Lanes| lanes.iter().sum::<f32>();
    Sums {
        normal: normal.map(|row| row.map(sum)),
        right: right.map(sum),
        squares: sum(squares),
        weights: sum(weights),
    }
}

#[inline]
fn add_products(sums: &mut Lanes, a: &Lanes, b: &Lanes) {
    for lane in 0..LANES {
        sums[lane] += a[lane] * b[lane];
    }
}
