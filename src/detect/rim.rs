//! The rim of a solid in the full picture, along rays through its silhouette.
//!
//! In: a place and the solid that may lie there. Out: [`Rim`]: the place moved to where most of the
//! silhouette shows an edge, and which rays show one.

use super::{
    DetectOptions,
    light::{Stops, largest},
    look::{Cover, Look, Solid, seen_at},
};
use crate::geometry::{Point, Vector};

/// How a face differs from what is around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// In the channel where it differs most, in stops.
    pub step: f32,
    /// What is around the face less the face, in stops: a rim's edges go that way. `None` where the face is
    /// not known; then they may go either way.
    pub outward: Option<Stops>,
}

impl Contrast {
    pub const UNKNOWN: Contrast = Contrast { step: f32::INFINITY, outward: None };

    /// Of a face that differs from the surface by `face`. A pale face's edges are asked for their way, as
    /// texture has as many of the other; a strong one's are not: the metal around a cap and the paint beside
    /// a piece turn them round.
    pub fn of(face: Stops, options: &DetectOptions) -> Contrast {
        let step = largest(face);
        Contrast { step, outward: (step < options.pale_max).then(|| face.map(|v| -v)) }
    }

    pub fn is_pale(&self) -> bool {
        self.outward.is_some()
    }

    fn has_way(&self, steps: Stops) -> bool {
        self.outward.is_none_or(|outward| outward.iter().zip(steps).map(|(a, b)| a * b).sum::<f32>() > 0.0)
    }
}

/// What is seen of a rim.
#[derive(Debug, Clone)]
pub struct Rim {
    pub centre: Point,
    /// For each ray: how much of an edge there is at the silhouette (0 to 1), or `None` where the
    /// ray leaves the picture.
    pub rays: Vec<Option<f32>>,
    /// For each ray: where it meets the silhouette, in the plane of the top.
    pub at: Vec<Point>,
    /// For each ray: stops right beside the silhouette, where a piece under this one would show.
    pub beside: Vec<Option<Stops>>,
    /// For each ray: stops further outside, clear of the contact shadow.
    pub outside: Vec<Option<Stops>>,
}

/// A ray counts as a seen rim from this part of a full edge.
pub const SEEN: f32 = 0.5;

/// Samples a ray on either side of the silhouette.
const INSIDE_SAMPLES: usize = 9;
const OUTSIDE_SAMPLES: usize = 11;
const SAMPLES: usize = INSIDE_SAMPLES + OUTSIDE_SAMPLES;
/// Distance of samples along a ray, as a part of the radius (half a millimetre for a 30 mm piece).
pub const SAMPLE_STEP: f64 = 1.0 / 30.0;
/// Samples that lie beside the silhouette, clear of the edge's blur.
const BESIDE: std::ops::Range<usize> = INSIDE_SAMPLES + 3..INSIDE_SAMPLES + 6;
/// Samples that lie outside.
const OUTSIDE: std::ops::Range<usize> = INSIDE_SAMPLES + 6..SAMPLES;
/// Pitch of the two searches, for a piece of 30 mm, in millimetres.
const COARSE_PITCH_MM: f64 = 0.75;
const FINE_PITCH_MM: f64 = 0.3;
/// How far the second search goes, for a piece of 30 mm, in millimetres.
const FINE_REACH_MM: f64 = 1.2;

impl Rim {
    /// Part of all rays that show an edge.
    pub fn seen(&self) -> f32 {
        let seen = self.rays.iter().flatten().filter(|&&s| s >= SEEN).count();
        seen as f32 / self.rays.len().max(1) as f32
    }

    /// Part of the rays that show an edge, of those that covers leave visible; 0 when fewer than
    /// `visible_min` of all are.
    pub fn seen_beside(&self, covers: &[Cover], visible_min: f32) -> f32 {
        let (mut seen, mut visible) = (0.0_f32, 0.0_f32);
        for (strength, at) in self.rays.iter().zip(&self.at) {
            let Some(strength) = strength else { continue };
            if covers.iter().any(|cover| cover.hides(*at)) {
                continue;
            }
            visible += 1.0;
            seen += f32::from(*strength >= SEEN);
        }
        if visible < visible_min * self.rays.len() as f32 { 0.0 } else { seen / visible }
    }
}

impl Look<'_> {
    /// Moves a rough place to where most of a rim is seen. The face differs from what is around it
    /// by about `contrast`, so an edge of its rim does too. What covers hide does not count.
    pub fn rim(&self, place: Point, solid: Solid, contrast: Contrast, covers: &[Cover]) -> Option<Rim> {
        let edges = self.edges(place, solid, contrast, &self.sparse_rays, covers)?;
        let shift = edges.best_move(&self.coarse_search) * solid.scale();
        self.rim_near(place + shift, solid, contrast, covers)
    }

    /// The same for a place that is good to a millimetre.
    pub fn rim_near(&self, place: Point, solid: Solid, contrast: Contrast, covers: &[Cover]) -> Option<Rim> {
        let step_mm = SAMPLE_STEP * solid.radius_mm;
        let scale = solid.scale();
        let edges = self.edges(place, solid, contrast, &self.rays, covers)?;
        let shift = edges.best_move(&self.fine_search) * scale;
        let reach = (self.options.rim_tolerance_mm * scale / step_mm).round() as usize;
        let rays = edges
            .strengths
            .iter()
            .zip(edges.directions)
            .map(|(ray, outward)| {
                let at = sample_at(outward.dot(&shift) / step_mm);
                let around = &ray[at.saturating_sub(reach)..=(at + reach).min(SAMPLES - 1)];
                around.iter().copied().filter(|s| s.is_finite()).reduce(f32::max)
            })
            .collect();
        let at = edges.at.iter().map(|at| at + shift).collect();
        Some(Rim { centre: place + shift, rays, at, beside: edges.beside, outside: edges.outside })
    }

    fn edges<'r>(
        &self,
        centre: Point,
        solid: Solid,
        contrast: Contrast,
        rays: &'r [Vector],
        covers: &[Cover],
    ) -> Option<Edges<'r>> {
        let top = self.pixel(centre, solid.top_mm())?;
        let away = Vector::new(centre.x - self.eye.x, centre.y - self.eye.y);
        let outer_mm = solid.radius_mm * (1.0 + OUTSIDE_SAMPLES as f64 * SAMPLE_STEP);
        let mut edges = Edges {
            strengths: Vec::with_capacity(rays.len()),
            beside: Vec::with_capacity(rays.len()),
            outside: Vec::with_capacity(rays.len()),
            at: Vec::with_capacity(rays.len()),
            directions: rays,
        };
        let (least, most) = (self.options.rim_step_min, self.options.rim_step_full);
        let full = (EDGE_PART * contrast.step).clamp(least, most).max(self.least_step);
        for outward in rays {
            // Towards the camera the silhouette is the base, away from it the top rim.
            let z = if outward.dot(&away) > 0.0 { solid.top_mm() } else { solid.base_mm };
            let at = centre + outward * solid.radius_mm;
            let seen_at = seen_at(at, z, solid.top_mm(), self.eye);
            let mut samples = [[f32::NAN; 3]; SAMPLES];
            let ends = (self.pixel(at, z), self.pixel(centre + outward * outer_mm, z));
            if let ((Some(rim), Some(outer)), false) = (ends, covers.iter().any(|cover| cover.hides(seen_at)))
            {
                let inner_step = (rim - top) * SAMPLE_STEP;
                let outer_step = (outer - rim) / OUTSIDE_SAMPLES as f64;
                for (i, sample) in samples.iter_mut().enumerate() {
                    let along = i as f64 - INSIDE_SAMPLES as f64;
                    let px = rim + if along < 0.0 { inner_step * along } else { outer_step * along };
                    if let Some(stops) = self.light.at(self.picture, px.x as f32, px.y as f32) {
                        *sample = stops;
                    }
                }
            }
            edges.strengths.push(strengths(&samples, full, &contrast));
            edges.at.push(seen_at);
            edges.beside.push(mean(&samples[BESIDE]));
            edges.outside.push(mean(&samples[OUTSIDE]));
        }
        Some(edges)
    }
}

/// An edge across the rim that is full, as part of the contrast of the face.
const EDGE_PART: f32 = 0.7;
/// An edge below this part of a full one is none.
const NO_EDGE: f32 = 0.3;

/// How much of an edge there is at each sample: two samples on either side are compared.
fn strengths(samples: &[Stops; SAMPLES], full: f32, contrast: &Contrast) -> [f32; SAMPLES] {
    let mut strengths = [f32::NAN; SAMPLES];
    let least = NO_EDGE * full;
    for i in 2..SAMPLES - 2 {
        let steps: Stops = std::array::from_fn(|c| {
            (samples[i + 1][c] + samples[i + 2][c] - samples[i - 1][c] - samples[i - 2][c]) / 2.0
        });
        if steps[0].is_finite() {
            let step = if contrast.has_way(steps) { largest(steps) } else { 0.0 };
            strengths[i] = ((step - least) / (full - least)).clamp(0.0, 1.0);
        }
    }
    strengths
}

/// Edge strengths of all rays.
struct Edges<'r> {
    strengths: Vec<[f32; SAMPLES]>,
    at: Vec<Point>,
    beside: Vec<Option<Stops>>,
    outside: Vec<Option<Stops>>,
    directions: &'r [Vector],
}

impl Edges<'_> {
    /// The move of a search that brings most of the rays' edges to the silhouette, in the search's
    /// unit.
    fn best_move(&self, search: &Search) -> Vector {
        let (mut best, mut best_move) = (f32::NEG_INFINITY, Vector::zeros());
        for (shift, samples) in search.moves.iter().zip(search.samples.chunks_exact(self.strengths.len())) {
            let (mut sum, mut count) = (0.0_f32, 0.0_f32);
            for (ray, &sample) in self.strengths.iter().zip(samples) {
                let strength = ray[usize::from(sample)];
                if strength.is_finite() {
                    sum += strength;
                    count += 1.0;
                }
            }
            // The shorter of two equally good moves.
            let score = sum / count.max(1.0) - SHORTER * shift.norm() as f32;
            if score > best {
                (best, best_move) = (score, *shift);
            }
        }
        best_move
    }
}

/// What a move of a millimetre (for a piece of 30 mm) costs.
const SHORTER: f32 = 3e-4;

/// Moves that are tried, and which sample of each ray lies on the silhouette after each. Everything
/// is for a piece of 30 mm; others scale with it.
#[derive(Debug, Clone)]
pub struct Search {
    moves: Vec<Vector>,
    /// Move after move, ray after ray.
    samples: Vec<u8>,
}

impl Search {
    fn new(reach_mm: f64, pitch_mm: f64, rays: &[Vector]) -> Search {
        let steps = (reach_mm / pitch_mm).floor() as i32;
        let moves: Vec<Vector> = (-steps..=steps)
            .flat_map(|row| {
                (-steps..=steps).map(move |column| Vector::new(f64::from(column), f64::from(row)))
            })
            .map(|step| step * pitch_mm)
            .collect();
        let samples = moves
            .iter()
            .flat_map(|shift| rays.iter().map(|ray| sample_at(ray.dot(shift) / SAMPLE_STEP_MM) as u8))
            .collect();
        Search { moves, samples }
    }

    pub fn coarse(reach_mm: f64, rays: &[Vector]) -> Search {
        Search::new(reach_mm, COARSE_PITCH_MM, rays)
    }

    pub fn fine(rays: &[Vector]) -> Search {
        Search::new(FINE_REACH_MM, FINE_PITCH_MM, rays)
    }
}

/// [`SAMPLE_STEP`] for a piece of 30 mm, in millimetres.
const SAMPLE_STEP_MM: f64 = SAMPLE_STEP * 15.0;

/// Index of the sample that many steps outside the silhouette, within those that have a strength.
fn sample_at(steps: f64) -> usize {
    (INSIDE_SAMPLES as f64 + steps + 0.5).clamp(2.0, (SAMPLES - 3) as f64) as usize
}

fn mean(samples: &[Stops]) -> Option<Stops> {
    let (mut sum, mut count) = ([0.0_f32; 3], 0.0_f32);
    for stops in samples.iter().filter(|s| s[0].is_finite()) {
        sum = std::array::from_fn(|c| sum[c] + stops[c]);
        count += 1.0;
    }
    (count > 0.0).then(|| sum.map(|v| v / count))
}
