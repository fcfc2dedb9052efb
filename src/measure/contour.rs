//! A solid's outline fitted to the edges of a picture: what silhouette and cap have in common.
//!
//! In: the picture around a piece, a solid, a start and the shade in which its two sides differ.
//! Out: the place that makes the outline fit. Edges are half-level crossings in linear light along
//! the outline's normals, with levels local to each direction, so paint, grain and soft shadow
//! beside the piece do not move them; what a neighbour covers does not vote.

use std::ops::Range;

use nalgebra::{Matrix4, Rotation2, Vector4};
use serde::Serialize;

use super::{
    MeasureOptions,
    estimate::Estimate,
    scene::{Scene, Shade},
    solid::{Solid, Support},
    view::ShadedPatch,
};
use crate::{
    camera::Pixel,
    geometry::{Point, Vector},
};

/// What is known of a contour before it is fitted.
#[derive(Clone, Copy)]
pub(super) struct Expectation<'a> {
    /// By how much the contour looks larger than drawn, all around: shading of the rim.
    pub excess_mm: f64,
    pub excess_sigma_mm: f64,
    /// Standard deviation of what the near side adds to that: its wall mirrors the board and
    /// stands in its own shadow.
    pub near_sigma_mm: f64,
    /// How far, of the way to the other side's shade, the inside may be from the face's.
    pub inside_alike: Option<f64>,
    /// What the contour stands against, where that is no more than a ring: an edge that is read against what
    /// lies beyond it is another one.
    pub ring: Option<Solid>,
    /// The picture in a scalar in which both sides are alike: where it dips, the solid's own shadow lies along
    /// its edge and moves it.
    pub light: Option<&'a ShadedPatch<'a>>,
}

/// One direction's profile across the outline.
pub(super) struct Profile {
    pub n: Vector,
    pub support: Support,
    /// Millimetres of the board plane between two samples.
    pub step_mm: f64,
    shade: Vec<f32>,
    /// Samples before the predicted outline.
    pub inside: usize,
}

/// What is seen along one direction.
struct Sight {
    profile: Profile,
    /// How much of the near side is in it: 0 at the sides and beyond, 1 toward the camera.
    near: f64,
    /// How far outward what the contour stands against reaches.
    ring_samples: f64,
}

impl Sight {
    /// Whether anything of the ring is seen at all.
    fn is_ring_seen(&self, options: &MeasureOptions) -> bool {
        self.ring_samples > options.level_near_samples as f64
    }

    /// Whether a level that was read so far beyond the edge is the ring's, or that of what is seen in its place.
    fn is_within_ring(&self, samples: i64, options: &MeasureOptions) -> bool {
        // A ring's own edge blurs what is read this close to it.
        let free_samples = self.ring_samples - options.level_near_samples as f64;
        !self.is_ring_seen(options) || samples as f64 <= free_samples
    }
}

/// An edge along one direction.
struct Edge {
    n: Vector,
    support: Support,
    /// Millimetres of the board plane between two samples.
    step_mm: f64,
    /// Outward distance from the predicted outline.
    offset_mm: f64,
    /// The level that it was read against, and by how much that differs from the inside's.
    outer: f32,
    contrast: f32,
    /// Standard deviation of what blurs it.
    blur_samples: f32,
    weight: f64,
    /// As its sight's.
    near: f64,
}

/// An edge of a piece's contour, as the picture shows it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EdgeSeen {
    /// Where in the picture.
    pub px: Pixel,
    /// How far outward of where the contour was expected, in mm.
    pub offset_mm: f64,
    /// What it counts, of 1.
    pub weight: f64,
}

impl EdgeSeen {
    fn of(edge: &Edge, scene: &Scene) -> Self {
        let at = edge.support.at + edge.n * edge.offset_mm;
        Self { px: scene.ground.pixel(at), offset_mm: edge.offset_mm, weight: edge.weight }
    }
}

/// Unit directions evenly around the circle, each turned from the one before.
pub(super) fn directions(count: usize) -> impl Iterator<Item = Vector> {
    let turn = Rotation2::new(std::f64::consts::TAU / count as f64);
    std::iter::successors(Some(Vector::x()), move |&direction| Some(turn * direction)).take(count)
}

/// Fits the footprint to the contour's edges.
pub(super) fn fit(
    scene: &Scene,
    solid: &Solid,
    start: Point,
    shaded: &ShadedPatch,
    expectation: &Expectation,
    options: &MeasureOptions,
) -> Option<Estimate> {
    let mut centre = start;
    let mut last = None;
    // What the contour was found to be larger than drawn: the next round looks for it there.
    let mut grown_mm = 0.0;
    for round in 0..options.contour_rounds {
        let solid = &Solid { radius_mm: solid.radius_mm + grown_mm, ..*solid };
        let expectation = &Expectation { excess_mm: expectation.excess_mm - grown_mm, ..*expectation };
        // The first rounds only bring the outline near; the last one counts.
        let is_last = round + 1 == options.contour_rounds;
        let count = if is_last { options.directions } else { options.directions / 2 };
        let reach_mm = if is_last { options.edge_reach_mm / 2.0 } else { options.edge_reach_mm };
        let toward_eye = (scene.eye.foot - centre).try_normalize(1e-9).unwrap_or_else(Vector::zeros);
        let slope = (centre - scene.eye.foot).norm() / scene.eye.height_mm;
        let wall_mm = (solid.top_mm - solid.base_mm) * slope;
        // Seen from above, the side toward the camera is hardly worse than the others; a cap's wall mirrors its ring.
        let near_loss = match expectation.ring {
            Some(_) => 1.0 - options.near_side_weight,
            None => (1.0 - options.near_side_weight) * wall_mm / (wall_mm + options.near_wall_mm),
        };
        let sights: Vec<Sight> = directions(count)
            .filter_map(|n| {
                let profile = Profile::read(scene, solid, centre, n, shaded, reach_mm, options)?;
                let near = n.dot(&toward_eye);
                // Away from the camera the ring is narrow; toward it the near side has its own excess.
                let ring_mm = expectation.ring.filter(|_| near < 0.0).map_or(f64::INFINITY, |ring| {
                    n.dot(&(ring.support(&scene.eye, centre, n).at - profile.support.at))
                });
                Some(Sight { near: near.max(0.0), ring_samples: ring_mm / profile.step_mm, profile })
            })
            .collect();
        let edges = edges_of(&sights, &shaded.shade, near_loss, expectation, options).map(|edge| {
            // A wall that is seen is darker than what it joins: no shadow.
            let light = expectation
                .light
                .filter(|_| wall_mm * edge.near < edge.step_mm)
                .and_then(|light| Profile::read(scene, solid, centre, edge.n, light, reach_mm, options));
            Edge { weight: edge.weight * light.map_or(1.0, |light| unshaded(&light, &edge, options)), ..edge }
        });
        let edges: Vec<Edge> = edges.collect();
        if let Some(seen) = scene.edges {
            seen.replace(edges.iter().map(|edge| EdgeSeen::of(edge, scene)).collect());
        }
        let solution = solve(&edges, count, expectation, options)?;
        let shift_mm = solution.shift.norm();
        if shift_mm.is_nan() || shift_mm > options.search_mm {
            return None;
        }
        centre += solution.shift;
        let excess_mm = grown_mm + solution.excess_mm;
        grown_mm = excess_mm;
        last = Some(Solution { excess_mm, ..solution });
    }
    let solution = last?;
    if solution.share < options.least_share {
        return None;
    }
    Some(Estimate {
        centre,
        covariance: solution.covariance,
        residual_mm: solution.residual_mm,
        share: solution.share,
        excess_mm: solution.excess_mm,
        near_mm: solution.near_mm,
        near_sigma_mm: solution.near_sigma_mm,
        height_mm: solution.height_mm,
        outvoted: solution.outvoted,
    })
}

/// Samples per pixel along a profile.
const SAMPLES_PER_PX: f64 = 2.0;

impl Profile {
    pub fn read(
        scene: &Scene,
        solid: &Solid,
        centre: Point,
        n: Vector,
        shaded: &ShadedPatch,
        reach_mm: f64,
        options: &MeasureOptions,
    ) -> Option<Profile> {
        let support = solid.support(&scene.eye, centre, n);
        let middle = scene.ground.pixel(support.at);
        let px_per_mm = (scene.ground.pixel(support.at + n) - middle).norm();
        if !(px_per_mm > 0.0 && px_per_mm.is_finite()) {
            return None;
        }
        let step_mm = 1.0 / (SAMPLES_PER_PX * px_per_mm);
        let margin = options.level_far_samples;
        // Between the two levels a neighbour must not come in.
        let free_mm = margin as f64 * step_mm;
        for t in [-free_mm, 0.0, free_mm] {
            if scene.covered(support.at + n * t, options.mask_mm) {
                return None;
            }
        }
        let inside = (reach_mm / step_mm).ceil() as usize + margin;
        let half_mm = inside as f64 * step_mm;
        let from = scene.ground.pixel(support.at - n * half_mm);
        let to = scene.ground.pixel(support.at + n * half_mm);
        // A parabola through three exact points: over a few millimetres the rest is nil.
        let bend = middle - nalgebra::center(&from, &to);
        let count = 2 * inside + 1;
        let mut values = Vec::new();
        let is_seen = shaded.read([from, to], bend, count, &mut values);
        is_seen.then_some(Profile { n, support, step_mm, shade: values, inside })
    }

    /// Where the profile rises through `half` next to `place`, of the steps that start in a range.
    fn crossing_near(&self, place: f64, half: f32, range: Range<usize>) -> Option<f64> {
        let steps = &self.shade[range.start..=range.end];
        let rises = |k: &usize| steps[*k] < half && steps[k + 1] >= half;
        let at = |k: usize| {
            let k = range.start + k;
            k as f64 + f64::from((half - self.shade[k]) / (self.shade[k + 1] - self.shade[k]))
        };
        // A step's crossing lies within it, so on either side the nearest step has the nearest one.
        let here = (place as usize).saturating_sub(range.start).min(range.len());
        let before = (0..here).rev().find(rises).map(at);
        let mut after = (here..range.len()).filter(rises).map(at);
        // The step that the place itself is in may have its crossing on either side.
        let nearest = [before, after.next(), after.next()];
        let off = |at: &f64| (at - place).abs();
        nearest.into_iter().flatten().min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// The standard deviation of what blurs a step of this contrast, by how steep it is.
    fn blur_at(&self, crossing: f64, contrast: f32) -> f32 {
        let (before, after) = (crossing as usize, crossing as usize + 1);
        let slope = self.shade.get(after).map_or(f32::NAN, |after| after - self.shade[before]);
        contrast / slope / std::f32::consts::TAU.sqrt()
    }

    pub fn len(&self) -> usize {
        self.shade.len()
    }

    #[inline]
    pub fn at(&self, index: i64) -> Option<f32> {
        // A negative index becomes one far beyond the end.
        self.shade.get(index as usize).copied()
    }
}

/// The edges that are seen. Those against a ring that ends come last: the others tell how bright it is.
fn edges_of(
    sights: &[Sight],
    shade: &Shade,
    near_loss: f64,
    expectation: &Expectation,
    options: &MeasureOptions,
) -> impl Iterator<Item = Edge> {
    let edge = |sight: &Sight, ring: Option<&Ring>| edge(sight, shade, near_loss, ring, expectation, options);
    let (open, ending): (Vec<&Sight>, Vec<&Sight>) =
        sights.iter().partition(|sight| sight.ring_samples.is_infinite());
    let open: Vec<Edge> = open.into_iter().filter_map(|sight| edge(sight, None)).collect();
    let ring = if ending.is_empty() { None } else { Ring::shown_by(&open, options) };
    let ending: Vec<Edge> = ending.into_iter().filter_map(|sight| edge(sight, ring.as_ref())).collect();
    open.into_iter().chain(ending)
}

/// What the sides of a piece show of its ring.
struct Ring {
    level: f32,
    blur_samples: f32,
}

impl Ring {
    /// `None` where it is seen too seldom, or mirrors this and that.
    fn shown_by(edges: &[Edge], options: &MeasureOptions) -> Option<Self> {
        /// Fewer do not tell what is usual.
        const LEAST_EDGES: usize = 4;
        // Toward the camera it mirrors the wall that stands on it.
        let sideways = || edges.iter().filter(|edge| edge.near < options.ring_sideways);
        if sideways().count() < LEAST_EDGES {
            return None;
        }
        let level = median(sideways().map(|edge| edge.outer).collect());
        let apart = median(sideways().map(|edge| (edge.outer - level).abs()).collect());
        let contrast = median(sideways().map(|edge| edge.contrast).collect());
        let blur_samples = median(sideways().map(|edge| edge.blur_samples).collect());
        (apart <= options.ring_alike * contrast).then_some(Self { level, blur_samples })
    }

    /// How much of this level counts where the ring is so narrow: what lies beyond blurs into all of it, and half of the
    /// light that is left is found too far inward.
    fn share_at(&self, ring_samples: f64, options: &MeasureOptions) -> f32 {
        let [narrow, wide] = options.ring_blurs;
        ((wide - ring_samples as f32 / self.blur_samples) / (wide - narrow)).clamp(0.0, 1.0)
    }
}

fn median(mut values: Vec<f32>) -> f32 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// The half-level crossing nearest to the predicted outline; `near_loss`: what the side toward the camera is worth
/// less; `ring`: what is known of the ring that it is read against.
fn edge(
    sight: &Sight,
    shade: &Shade,
    near_loss: f64,
    ring: Option<&Ring>,
    expectation: &Expectation,
    options: &MeasureOptions,
) -> Option<Edge> {
    let (p, near) = (&sight.profile, sight.near);
    let (near_samples, far_samples) = (options.level_near_samples, options.level_far_samples);
    let reach = p.inside - far_samples;
    // The level of a side is where the profile flattens out, near the edge: a plateau may be as
    // narrow as a ring of metal or a rounded rim.
    let level = |at: usize, side: i64| -> (f32, i64) {
        let value = |k: i64| p.shade[(at as i64 + side * k) as usize];
        let slope = |k: i64| (value(k + 1) - value(k)) * side as f32;
        let (near, far) = (near_samples as i64, far_samples as i64);
        let steepest = (-1..near).map(slope).fold(0.0, f32::max);
        let flat = (near..far).find(|&k| slope(k) < options.flat_slope as f32 * steepest).unwrap_or(far);
        let last = (flat + 1).min(far);
        ((value(flat) + value(last)) / 2.0, last)
    };
    let mut crossing = p.inside as f64;
    let (mut outer, mut contrast) = (0.0, 0.0);
    for _ in 0..options.level_rounds {
        let at = (crossing.round() as usize).clamp(far_samples, p.shade.len() - 1 - far_samples);
        let ((inner, _), (seen, seen_at)) = (level(at, -1), level(at, 1));
        let is_brighter = |ring: &Ring| seen - ring.level > options.ring_alike * (ring.level - inner);
        let usual = ring.filter(|ring| sight.is_ring_seen(options) && !is_brighter(ring));
        let share = usual.map_or(0.0, |ring| ring.share_at(sight.ring_samples, options));
        outer = match usual {
            Some(ring) if sight.is_within_ring(seen_at, options) => seen + (ring.level - seen) * share,
            Some(ring) if share > 0.0 => ring.level,
            None if sight.is_within_ring(seen_at, options) => seen,
            _ => return None,
        };
        contrast = outer - inner;
        if contrast < options.least_contrast as f32 * shade.contrast() {
            return None;
        }
        // Against brighter metal than most, what blurs into the inside is brighter too.
        let away = shade.away_from_face(inner) * f64::from((shade.contrast() / contrast).min(1.0));
        if expectation.inside_alike.is_some_and(|alike| away > alike) {
            return None;
        }
        let half = (inner + outer) / 2.0;
        crossing = p.crossing_near(crossing, half, p.inside - reach..p.inside + reach)?;
    }
    let offset_mm = (crossing - p.inside as f64) * p.step_mm;
    let side = 1.0 - near * near_loss;
    // A weak edge is noisier; beyond a point more contrast does not place it better.
    let clear = f64::from(contrast / shade.contrast()).powi(2);
    let weight = side * clear / (clear + options.half_weight_contrast.powi(2));
    let &Profile { n, support, step_mm, .. } = p;
    let blur_samples = p.blur_at(crossing, contrast);
    Some(Edge { n, support, step_mm, offset_mm, outer, contrast, blur_samples, weight, near })
}

/// What an edge is worth, of one beside which no shadow lies; `light` is the profile in which both sides are
/// alike.
fn unshaded(light: &Profile, edge: &Edge, options: &MeasureOptions) -> f64 {
    let (near, far) = (options.level_near_samples as i64, options.level_far_samples as i64);
    let at = (light.inside as f64 + edge.offset_mm / light.step_mm).round() as i64;
    let beside = |k: i64| light.at(at + k).unwrap_or(f32::NAN);
    let lowest = (-near..=near).map(beside).fold(f32::INFINITY, f32::min);
    // Metal may mirror something dark all along: that is no shadow of the edge.
    let usual = beside(-far).min(beside(far));
    let dip = f64::from((usual - lowest) / usual).max(0.0);
    let part = dip / options.edge_shadow;
    1.0 / (1.0 + part * part).powi(2)
}

struct Solution {
    shift: Vector,
    covariance: nalgebra::Matrix2<f64>,
    residual_mm: f64,
    excess_mm: f64,
    near_mm: f64,
    near_sigma_mm: f64,
    share: f64,
    height_mm: f64,
    outvoted: Vector,
}

/// The whole of a symmetric matrix of which the lower half was summed up, with priors on its diagonal.
fn with_prior(lower: &[[f64; 4]; 4], prior: &Vector4<f64>) -> Matrix4<f64> {
    Matrix4::from_fn(|i, j| lower[i.max(j)][i.min(j)]) + Matrix4::from_diagonal(prior)
}

/// Sums over the edges, for shift, excess and the near side's own.
#[derive(Default)]
struct Sums {
    /// Lower half.
    normal: [[f64; 4]; 4],
    right: Vector4<f64>,
    /// Weighted squares of what is missed.
    missed: f64,
    weights: f64,
    /// Edges that were believed.
    used: f64,
    heights: f64,
}

impl Sums {
    /// Edges that miss `x` by more than `scale_mm` are hardly believed.
    // Indices, because several rows are walked together.
    #[allow(clippy::needless_range_loop)]
    fn of(edges: &[Edge], x: &Vector4<f64>, scale_mm: f64, options: &MeasureOptions) -> Self {
        let mut sums = Self::default();
        for e in edges {
            let by_centre = e.n * e.support.by_centre;
            let row = Vector4::new(by_centre.x, by_centre.y, 1.0, e.near);
            let miss = e.offset_mm - row.dot(x);
            let robust = 1.0 / (1.0 + (miss / scale_mm).powi(2)).powi(2);
            let weight = e.weight * robust / options.edge_scale_mm.powi(2);
            for i in 0..4 {
                let weighted = weight * row[i];
                for j in 0..=i {
                    sums.normal[i][j] += weighted * row[j];
                }
            }
            sums.right += row * (weight * e.offset_mm);
            sums.missed += e.weight * robust * miss * miss;
            sums.weights += e.weight * robust;
            sums.used += robust;
            sums.heights += e.weight * robust * e.support.z_mm;
        }
        sums
    }

    fn solve(&self, prior: &Vector4<f64>, expected: &Vector4<f64>) -> Option<Vector4<f64>> {
        let right = self.right + prior.component_mul(expected);
        Some(with_prior(&self.normal, prior).cholesky()?.solve(&right))
    }

    fn residual_mm(&self) -> f64 {
        (self.missed / self.weights).sqrt()
    }
}

/// Robust least squares for the footprint's shift, the contour's excess and the near side's own.
fn solve(
    edges: &[Edge],
    asked: usize,
    expectation: &Expectation,
    options: &MeasureOptions,
) -> Option<Solution> {
    if edges.len() < 4 || (edges.len() as f64) < options.least_share * asked as f64 {
        return None;
    }
    let prior =
        Vector4::new(0.0, 0.0, expectation.excess_sigma_mm.powi(-2), expectation.near_sigma_mm.powi(-2));
    let expected = Vector4::new(0.0, 0.0, expectation.excess_mm, 0.0);
    let mut scale = options.edge_scale_mm * options.first_robust_scale;
    let of_all = Sums::of(edges, &expected, f64::INFINITY, options).solve(&prior, &expected)?;
    let mut x = expected;
    let mut sums = Sums::default();
    for _ in 0..options.robust_rounds {
        sums = Sums::of(edges, &x, scale, options);
        x = sums.solve(&prior, &expected)?;
        scale = (2.0 * sums.residual_mm()).clamp(options.edge_scale_mm, scale);
    }
    let inverse = with_prior(&sums.normal, &prior).try_inverse()?;
    Some(Solution {
        shift: Vector::new(x.x, x.y),
        covariance: inverse.fixed_view::<2, 2>(0, 0).into(),
        residual_mm: sums.residual_mm(),
        excess_mm: x.z,
        near_mm: x.w,
        near_sigma_mm: inverse[(3, 3)].max(0.0).sqrt(),
        share: sums.used / asked as f64,
        height_mm: sums.heights / sums.weights,
        outvoted: Vector::new(x.x - of_all.x, x.y - of_all.y),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation() -> Expectation<'static> {
        Expectation {
            excess_mm: 0.0,
            excess_sigma_mm: 0.05,
            near_sigma_mm: 0.05,
            inside_alike: None,
            ring: None,
            light: None,
        }
    }

    /// Edges all around, each `offset_mm` outward and worth `weight`.
    fn edges(offset_mm: impl Fn(Vector) -> f64, weight: impl Fn(Vector) -> f64) -> Vec<Edge> {
        let edge = |n: Vector| Edge {
            n,
            support: Support { at: Point::origin() + n * 15.0, z_mm: 8.0, by_centre: 1.0 },
            step_mm: 0.5,
            offset_mm: offset_mm(n),
            outer: 1.0,
            contrast: 1.0,
            blur_samples: 1.0,
            weight: weight(n),
            near: 0.0,
        };
        directions(60).map(edge).collect()
    }

    /// A blurred profile across a cap's edge: the cap, then so many samples of its ring, then the board.
    fn sight_of_ring(ring_samples: f64, ring: f32, board: f32) -> Sight {
        const BLUR_SAMPLES: f64 = 2.0;
        let inside = 12;
        let step = |from: f64| 1.0 / (1.0 + (-1.702 * from / BLUR_SAMPLES).exp()) as f32;
        let shade = (0..=2 * inside).map(|k| {
            let from_edge = k as f64 - inside as f64;
            0.1 + (ring - 0.1) * step(from_edge) + (board - ring) * step(from_edge - ring_samples)
        });
        let profile = Profile {
            n: Vector::x(),
            support: Support { at: Point::origin(), z_mm: 8.0, by_centre: 1.0 },
            step_mm: 0.5,
            shade: shade.collect(),
            inside,
        };
        Sight { profile, near: 0.0, ring_samples }
    }

    /// A side of the piece, where the ring is as wide as it is.
    fn open_sight(ring: f32) -> Sight {
        Sight { ring_samples: f64::INFINITY, ..sight_of_ring(20.0, ring, 0.3) }
    }

    /// How far from their true place the edges of a cap are found, with its ring seen at these widths.
    fn offsets_against_rings(sights: &[Sight]) -> Vec<f64> {
        let shade = Shade::between([0.1; 3], [0.5; 3]).unwrap();
        edges_of(sights, &shade, 0.0, &expectation(), &MeasureOptions::default())
            .map(|e| e.offset_mm)
            .collect()
    }

    #[test]
    fn an_edge_against_a_narrow_ring_is_found_where_it_is() {
        let alone = offsets_against_rings(&[sight_of_ring(3.5, 0.5, 0.3)]);
        assert!(alone.iter().all(|&off| off < -0.2), "a blurred ring is too dark: {alone:?}");
        let with_sides: Vec<Sight> =
            (0..6).map(|_| open_sight(0.5)).chain([sight_of_ring(3.5, 0.5, 0.3)]).collect();
        let offsets = offsets_against_rings(&with_sides);
        assert_eq!(offsets.len(), 7);
        assert!(offsets.iter().all(|off| off.abs() < 0.15), "{offsets:?}");
    }

    #[test]
    fn a_ring_that_mirrors_a_lamp_has_its_own_level() {
        let sights: Vec<Sight> =
            (0..6).map(|_| open_sight(0.3)).chain([sight_of_ring(7.5, 0.9, 0.9)]).collect();
        let offsets = offsets_against_rings(&sights);
        assert!(offsets.last().is_some_and(|off| off.abs() < 0.15), "not by the sides' level: {offsets:?}");
    }

    #[test]
    fn edges_that_agree_leave_nothing_outvoted() {
        let shift = Vector::new(0.2, -0.1);
        let edges = edges(|n| n.dot(&shift), |_| 0.9);
        let solution = solve(&edges, 60, &expectation(), &MeasureOptions::default()).unwrap();
        assert!((solution.shift - shift).norm() < 0.01, "{:?}", solution.shift);
        assert!(solution.outvoted.norm() < 0.01, "{:?}", solution.outvoted);
    }

    /// A soft shadow on one side, and weak edges on the other that alone are right.
    #[test]
    fn what_the_edges_that_were_not_believed_say_is_told() {
        let edges = edges(|n| if n.x > 0.3 { 1.0 } else { 0.0 }, |n| if n.x > 0.3 { 0.35 } else { 0.9 });
        let solution = solve(&edges, 60, &expectation(), &MeasureOptions::default()).unwrap();
        assert!(solution.shift.norm() < 0.1, "the many and strong are believed: {:?}", solution.shift);
        assert!(solution.outvoted.norm() > 0.25, "{:?}", solution.outvoted);
        assert!(solution.outvoted.x < -0.25, "away from those: {:?}", solution.outvoted);
    }
}
