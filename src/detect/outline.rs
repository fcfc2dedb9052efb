//! What the edges around a place say of the thing that lies there: a solid body, print, or neither.
//!
//! In: a place, the solid that may lie there, and the print that the board file draws nearby. Out: how much likelier the edges
//! are for each explanation than for edges that lie anyhow. A solid's silhouette is that of its base and of its top, which
//! the camera sees displaced by height times slope; print is a circle in the board's own plane, and drawn print is one in a
//! known place. Each edge that is seen along a ray may be the outline's or any other; how thick those others lie is
//! read from the same rays. From straight above, a solid and print as large look alike here, and the figures say so.

use nalgebra::{Matrix3, Vector3};

use super::{
    light::Stops,
    look::{Cover, Look, Solid, directions, seen_at},
};
use crate::{
    camera::PlaneView,
    geometry::{Point, Vector},
};

/// A round print that the board file draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnCircle {
    pub centre: Point,
    /// Of its edges, from the outermost.
    pub radii_mm: [Option<f64>; 2],
    /// How well its place is known, one standard deviation.
    pub sigma_mm: f64,
}

/// Logarithms of how much likelier the edges are than edges that lie anyhow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlines {
    /// Of a body as the board file has it.
    pub solid: f64,
    /// Of any circle about as large: of a face whose wall does not show, or on a body of another height.
    pub circle: f64,
    /// Where the board file draws print there.
    pub drawn: Option<AgainstPrint>,
    /// Part of the outline that is in view.
    pub in_view: f64,
}

/// The same for the print that is drawn, and for a piece on it, of which the whole or only the face may show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgainstPrint {
    pub print: f64,
    pub solid: f64,
}

/// Distance of samples along a ray, in millimetres, and in pixels where those are larger.
const STEP_MM: f64 = 0.5;
const STEP_PX: f64 = 0.6;
/// How far within and beyond the silhouettes edges are looked for, as a part of the radius.
const REACH: f64 = 0.3;
/// Standard deviation of a seen edge about its outline, in millimetres and in pixels.
const EDGE_SIGMA_MM: f64 = 0.3;
const EDGE_SIGMA_PX: f64 = 0.4;
/// Edges farther from an outline than so many standard deviations are none of it.
const EDGE_REACH: f64 = 5.0;
/// How likely an outline shows an edge along a ray, and the nearer edge of a face above its own wall does.
const SHOWN: f64 = 0.85;
const FACE_SHOWN: f64 = 0.4;
/// How far what is taken for a piece may be off, as a part of its radius.
const FREE: f64 = 0.13;
/// How far beside a print's middle a piece is put on it, in millimetres.
const PUT_SIGMA_MM: f64 = 1.5;
/// How far the radius of drawn print may be from its drawing, in millimetres: makers' figures differ.
const DRAWN_RADIUS_SIGMA_MM: f64 = 0.5;
/// Edges of something else a millimetre, before any are counted, and over how many millimetres that is as good as counted.
const OTHERS_BY_MM: f64 = 0.08;
const OTHERS_OVER_MM: f64 = 60.0;
/// Edges nearer to each other show the same wear, grain and shadow, in millimetres and in pixels: they count as one.
const ALIKE_MM: f64 = 6.0;
const ALIKE_PX: f64 = 3.0;
/// How far a set's diameter may be from the board file's, one standard deviation as a part of the radius.
const RADIUS_SIGMA: f64 = 0.025;
/// Radii at which a circle of any size is looked for, as parts of the solid's, and how far from each.
const CIRCLE_RADII: [f64; 5] = [0.86, 0.93, 1.0, 1.07, 1.14];
const CIRCLE_SIGMA: f64 = 0.04;
/// A face that is seen this far from the middle of its silhouette is looked for there too, in millimetres.
const FACE_OFF_MM: f64 = 2.0;
/// Rounds of a fit.
const ROUNDS: usize = 4;

/// The edges along one ray from the middle of a silhouette.
struct Ray {
    n: Vector,
    edges: Vec<f64>,
}

/// Distances from the middle along a direction at which an outline shows an edge, with how likely it does.
type Outline<'a> = &'a dyn Fn(Vector) -> [Option<(f64, f64)>; 2];

impl Look<'_> {
    /// What the edges around a place say. `covers`: what hides part of them. `None` where too few are in view.
    pub fn outlines(
        &self,
        centre: Point,
        solid: Solid,
        drawn: Option<&DrawnCircle>,
        covers: &[Cover],
    ) -> Option<Outlines> {
        let [base, top] = [solid.base_mm, solid.top_mm()].map(|z_mm| seen_at(centre, z_mm, 0.0, self.eye));
        let [base_by, top_by] =
            [solid.base_mm, solid.top_mm()].map(|z_mm| self.eye.z / (self.eye.z - z_mm) * solid.radius_mm);
        let middle = nalgebra::center(&base, &top);
        let half = (top - base) / 2.0;
        let mm_per_px = self.camera.mm_per_px(middle).unwrap_or(0.0);
        let step_mm = STEP_MM.max(STEP_PX * mm_per_px);
        let rays = self.rays_around(middle, half.norm(), solid, step_mm, covers);
        if rays.len() * 3 < self.rays.all.len() {
            return None;
        }
        let of_solid = |n: Vector| {
            let (of_base, of_top) = (base_by - n.dot(&half), top_by + n.dot(&half));
            match of_base > of_top + 2.0 * step_mm {
                true => [Some((of_base, SHOWN)), Some((of_top, FACE_SHOWN))],
                false => [Some((of_base.max(of_top), SHOWN)), None],
            }
        };
        let sigma_mm = EDGE_SIGMA_MM.hypot(EDGE_SIGMA_PX * mm_per_px);
        let apart_mm = std::f64::consts::TAU * solid.radius_mm / self.rays.all.len() as f64;
        let fit = Fit {
            rays: &rays,
            sigma_mm,
            others_by_mm: others(&rays, solid.radius_mm * REACH, step_mm, &of_solid),
            rays_alike: (ALIKE_MM.max(ALIKE_PX * mm_per_px) / apart_mm).max(1.0),
        };
        let radius_sigma_mm = RADIUS_SIGMA * solid.radius_mm;
        let free_mm = FREE * solid.radius_mm;
        let of_body = fit.likelihood(&of_solid, free_mm, radius_sigma_mm);
        let ring = |at: Point, radius_mm: f64| {
            let off = at - middle;
            move |n: Vector| [Some((radius_mm + n.dot(&off), SHOWN)), None]
        };
        let of_face = (half.norm() > FACE_OFF_MM).then_some(top);
        let mut circle = f64::NEG_INFINITY;
        for at in std::iter::once(middle).chain(of_face) {
            for part in CIRCLE_RADII {
                let outline = ring(at, part * solid.radius_mm);
                circle = circle.max(fit.likelihood(&outline, free_mm, CIRCLE_SIGMA * solid.radius_mm));
            }
        }
        let drawn = drawn.map(|print| {
            // A body of another height shows its face elsewhere than the print.
            let face = ring(print.centre + 2.0 * half, top_by);
            let face = fit.likelihood(&face, PUT_SIGMA_MM, radius_sigma_mm);
            AgainstPrint { print: fit.of_print(print, middle), solid: of_body.max(face) }
        });
        let in_view = rays.len() as f64 / self.rays.all.len() as f64;
        Some(Outlines { solid: of_body, circle, drawn, in_view })
    }

    fn rays_around(
        &self,
        middle: Point,
        half_mm: f64,
        solid: Solid,
        step_mm: f64,
        covers: &[Cover],
    ) -> Vec<Ray> {
        let ground = PlaneView::new(self.camera, 0.0);
        let reach_mm = half_mm + REACH * solid.radius_mm;
        let first_mm = (solid.radius_mm - reach_mm).max(solid.radius_mm / 3.0);
        let count = ((solid.radius_mm + reach_mm - first_mm) / step_mm).ceil() as usize;
        let least = self.options.rim_step_min.max(self.least_step);
        directions(self.rays.all.len())
            .filter_map(|n| {
                let mut stops: Vec<Stops> = Vec::with_capacity(count);
                for sample in 0..count {
                    let p = middle + n * (first_mm + step_mm * sample as f64);
                    if !covers.is_empty() {
                        let p = seen_at(p, 0.0, solid.top_mm(), self.eye);
                        if covers.iter().any(|cover| cover.hides(p)) {
                            return None;
                        }
                    }
                    let px = ground.pixel(p);
                    stops.push(self.light.at(self.picture, px.x as f32, px.y as f32)?);
                }
                let edges = edges_along(&stops, least);
                Some(Ray { n, edges: edges.into_iter().map(|at| first_mm + step_mm * at).collect() })
            })
            .collect()
    }
}

/// Where steps across a ray are largest, in samples.
fn edges_along(stops: &[Stops], least: f32) -> Vec<f64> {
    let step = |i: usize| -> f32 {
        let of = |c: usize| (stops[i + 1][c] + stops[i + 2][c] - stops[i - 1][c] - stops[i - 2][c]) / 2.0;
        (0..3).map(|c| of(c).abs()).fold(0.0, f32::max)
    };
    let steps: Vec<f32> = (2..stops.len().saturating_sub(2)).map(step).collect();
    let mut edges = Vec::new();
    for i in 1..steps.len().saturating_sub(1) {
        let (before, here, after) = (steps[i - 1], steps[i], steps[i + 1]);
        if here >= least && here > before && here >= after {
            let bend = before - 2.0 * here + after;
            let off = if bend < 0.0 { (before - after) / (2.0 * bend) } else { 0.0 };
            edges.push((i + 2) as f64 + f64::from(off.clamp(-0.5, 0.5)));
        }
    }
    edges
}

/// Edges a millimetre that are none of an outline's.
fn others(rays: &[Ray], reach_mm: f64, step_mm: f64, outline: Outline) -> f64 {
    let (mut count, mut length_mm) = (OTHERS_BY_MM * OTHERS_OVER_MM, OTHERS_OVER_MM);
    for ray in rays {
        let own = outline(ray.n);
        let is_own = |at: &f64| own.iter().flatten().any(|(own, _)| (at - own).abs() < 3.0 * step_mm);
        count += ray.edges.iter().filter(|at| !is_own(at)).count() as f64;
        length_mm += reach_mm;
    }
    count / length_mm
}

/// How edges are fitted.
struct Fit<'a> {
    rays: &'a [Ray],
    sigma_mm: f64,
    others_by_mm: f64,
    rays_alike: f64,
}

impl Fit<'_> {
    /// Logarithm of how much likelier the rays' edges are with an outline than without, where its place and radius may be off
    /// by so much.
    fn likelihood(&self, outline: Outline, place_sigma_mm: f64, radius_sigma_mm: f64) -> f64 {
        let prior = Vector3::new(place_sigma_mm, place_sigma_mm, radius_sigma_mm)
            .map(|sigma| sigma.max(1e-3).powi(-2));
        let mut change = Vector3::zeros();
        for round in 0..ROUNDS {
            // From afar first: which edge is the outline's is not known before it is near.
            let sigma_mm = self.sigma_mm * (1.0 + (ROUNDS - 1 - round) as f64 / 2.0);
            let (mut normal, mut right) = (Matrix3::from_diagonal(&prior), Vector3::zeros());
            for ray in self.rays {
                let row = Vector3::new(ray.n.x, ray.n.y, 1.0);
                for (at, shown) in outline(ray.n).into_iter().flatten() {
                    let expected = at + row.dot(&change);
                    let (mut sum, mut pull) = (0.0, 0.0);
                    for edge in &ray.edges {
                        let likely = self.density(edge - expected, sigma_mm) * shown;
                        sum += likely;
                        pull += likely * (edge - at);
                    }
                    let weight = 1.0 / ((1.0 - shown + sum) * sigma_mm * sigma_mm);
                    normal += row * row.transpose() * (sum * weight);
                    right += row * (pull * weight);
                }
            }
            match normal.cholesky() {
                Some(cholesky) => change = cholesky.solve(&right),
                None => return f64::NEG_INFINITY,
            }
        }
        let by_prior = change.component_mul(&change).dot(&prior) / 2.0;
        let of_ray = |ray: &Ray| -> f64 {
            let row = Vector3::new(ray.n.x, ray.n.y, 1.0);
            let each = outline(ray.n).into_iter().flatten().map(|(at, shown)| {
                let expected = at + row.dot(&change);
                let likely: f64 =
                    ray.edges.iter().map(|edge| self.density(edge - expected, self.sigma_mm)).sum();
                (1.0 - shown + shown * likely).ln()
            });
            each.sum()
        };
        self.rays.iter().map(of_ray).sum::<f64>() / self.rays_alike - by_prior
    }

    /// The same for drawn print, of which all edges or any may show.
    fn of_print(&self, print: &DrawnCircle, middle: Point) -> f64 {
        let off = print.centre - middle;
        let [outer, inner] = print.radii_mm;
        let ways = [[outer, inner], [outer, None], [inner, None]];
        let likelihood = |radii: [Option<f64>; 2]| {
            let edges = |n: Vector| radii.map(|radius| Some((radius? + n.dot(&off), SHOWN)));
            self.likelihood(&edges, print.sigma_mm, DRAWN_RADIUS_SIGMA_MM)
        };
        let shown = ways.into_iter().filter(|way| *way != [None, None]);
        shown.map(likelihood).fold(f64::NEG_INFINITY, f64::max)
    }

    /// How much thicker the outline's own edges lie so far off than others do.
    fn density(&self, off_mm: f64, sigma_mm: f64) -> f64 {
        let z = off_mm / sigma_mm;
        if z.abs() > EDGE_REACH {
            return 0.0;
        }
        (-z * z / 2.0).exp() / (sigma_mm * std::f64::consts::TAU.sqrt() * self.others_by_mm)
    }
}
