//! The rim of a solid in the full picture, along rays through its silhouette.
//!
//! In: a place and the solid that may lie there. Out: [`Rim`]: the place moved to where most of the
//! silhouette shows an edge, and which rays show one.

use nalgebra::Vector2;

use super::{
    DetectOptions,
    light::{Stops, brightness_and_hue, largest, median},
    look::{Cover, Look, Solid, seen_at},
};
use crate::{
    camera::{Pixel, PlaneView},
    geometry::{Point, Vector},
};

/// How a face differs from what is around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// In the channel where it differs most, in stops.
    pub step: f32,
    /// Part of that which a full edge of its rim has at least.
    pub edge_part: f32,
    /// Whether its hue is its own, as that of shade and texture is not.
    pub has_hue: bool,
    /// What is around the face less the face, in stops: a rim's edges go that way. `None` where the face is
    /// not known; then they may go either way.
    pub outward: Option<Stops>,
    /// Whether the face is brighter than what is around it. Its wall, which gets less light, may then look like
    /// the board.
    pub brighter: bool,
    /// A step from which an edge may go either way, in stops: the paint beside a pale piece makes such edges, and
    /// texture does not.
    pub any_way: f32,
}

impl Contrast {
    pub const UNKNOWN: Contrast = Contrast {
        step: f32::INFINITY,
        edge_part: 1.0,
        has_hue: false,
        outward: None,
        brighter: false,
        any_way: 0.0,
    };

    /// Of a face that differs from the surface by `face`. A pale face's edges are asked for their way, as
    /// texture has as many of the other; a strong one's are not: the metal around a cap and the paint beside
    /// a piece turn them round.
    pub fn of(face: Stops, options: &DetectOptions) -> Contrast {
        let step = largest(face);
        let (brightness, hue) = brightness_and_hue(face);
        let has_hue = largest(hue) >= options.own_hue_min;
        let edge_part = options.rim_step_part;
        let outward = (step < options.pale_max).then(|| face.map(|v| -v));
        Contrast {
            step,
            edge_part,
            has_hue,
            outward,
            brighter: brightness > 0.0,
            any_way: options.any_way_step,
        }
    }

    pub fn is_pale(&self) -> bool {
        self.outward.is_some()
    }

    /// Whether it is one for a closer look.
    pub fn is_closer(&self, options: &DetectOptions) -> bool {
        self.edge_part < options.rim_step_part
    }

    /// The same for a closer look, which a pale face with a hue of its own is worth: weaker edges count. `None` where they
    /// would not.
    pub fn closer(self, options: &DetectOptions) -> Option<Contrast> {
        let counts_weaker = options.hued_step_part * self.step < options.rim_step_full;
        (self.has_hue && counts_weaker).then_some(Contrast { edge_part: options.hued_step_part, ..self })
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
    /// For each ray: where it meets the edge of the face, in that plane; the same away from the camera.
    pub face_at: Vec<Point>,
    /// For each ray: stops right within the silhouette: of the wall toward the camera, of the face away from it.
    pub within: Vec<Option<Stops>>,
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
/// Samples that lie within the silhouette, and beside it, clear of the edge's blur.
const WITHIN: std::ops::Range<usize> = INSIDE_SAMPLES - 5..INSIDE_SAMPLES - 2;
const BESIDE: std::ops::Range<usize> = INSIDE_SAMPLES + 3..INSIDE_SAMPLES + 6;
/// Samples that lie outside.
const OUTSIDE: std::ops::Range<usize> = INSIDE_SAMPLES + 6..SAMPLES;
/// Pitch of the two searches, as parts of the radius.
const COARSE_PITCH: f64 = 0.05;
const FINE_PITCH: f64 = 0.02;
/// How far the second search goes, as a part of the radius.
const FINE_REACH: f64 = 0.08;

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
        let is_hidden = |at: &Point| covers.iter().any(|cover| cover.hides(*at));
        for ((strength, at), face_at) in self.rays.iter().zip(&self.at).zip(&self.face_at) {
            let Some(strength) = strength else { continue };
            if is_hidden(at) && is_hidden(face_at) {
                continue;
            }
            visible += 1.0;
            seen += f32::from(*strength >= SEEN);
        }
        if visible < visible_min * self.rays.len() as f32 { 0.0 } else { seen / visible }
    }

    /// [`Rim::seen_beside`] of the outline alone, where the edge of the face may be hidden.
    pub fn seen_of_outline(&self, covers: &[Cover], visible_min: f32) -> f32 {
        self.seen_but(|at| covers.iter().any(|cover| cover.hides(at)), visible_min)
    }

    /// The same, whatever hides it.
    pub fn seen_but(&self, is_hidden: impl Fn(Point) -> bool, visible_min: f32) -> f32 {
        let (mut seen, mut visible) = (0.0_f32, 0.0_f32);
        for (strength, at) in self.rays.iter().zip(&self.at) {
            let Some(strength) = strength.filter(|_| !is_hidden(*at)) else { continue };
            visible += 1.0;
            seen += f32::from(strength >= SEEN);
        }
        if visible < visible_min * self.rays.len() as f32 { 0.0 } else { seen / visible }
    }

    /// The look of what is seen right within the rim, where covers leave it visible.
    pub fn look_within(&self, covers: &[Cover]) -> Option<Stops> {
        let is_hidden = |at: &Point| covers.iter().any(|cover| cover.hides(*at));
        let rays = self.rays.iter().zip(&self.at).zip(&self.within);
        let is_seen = |strength: &Option<f32>| strength.is_some_and(|strength| strength >= SEEN);
        let mut seen: Vec<Stops> = rays
            .filter(|((strength, at), _)| is_seen(strength) && !is_hidden(at))
            .filter_map(|(_, stops)| *stops)
            .collect();
        median(&mut seen)
    }
}

impl Look<'_> {
    /// Moves a rough place to where most of a rim is seen. The face differs from what is around it
    /// by about `contrast`, so an edge of its rim does too. What covers hide does not count.
    pub fn rim(&self, place: Point, solid: Solid, contrast: Contrast, covers: &[Cover]) -> Option<Rim> {
        let edges = self.edges(place, solid, contrast, &self.rays.sparse, covers, None)?;
        let shift = edges.best_move(&self.rays.coarse_search) * solid.radius_mm;
        self.rim_near(place + shift, solid, contrast, covers)
    }

    /// The same for a place that is good to a millimetre.
    pub fn rim_near(&self, place: Point, solid: Solid, contrast: Contrast, covers: &[Cover]) -> Option<Rim> {
        let step_mm = SAMPLE_STEP * solid.radius_mm;
        let mut around = Around::with_capacity(self.rays.all.len());
        let edges = self.edges(place, solid, contrast, &self.rays.all, covers, Some(&mut around))?;
        let shift = edges.best_move(&self.rays.fine_search) * solid.radius_mm;
        let reach = (self.options.rim_tolerance / SAMPLE_STEP).round() as usize;
        let rays = edges
            .strengths
            .iter()
            .zip(&self.rays.all)
            .map(|(ray, outward)| {
                let at = sample_at(outward.dot(&shift) / step_mm);
                let around = &ray[at.saturating_sub(reach)..=(at + reach).min(SAMPLES - 1)];
                around.iter().copied().filter(|s| s.is_finite()).reduce(f32::max)
            })
            .collect();
        around.at.iter_mut().for_each(|at| *at += shift);
        let Around { at, within, beside, outside } = around;
        let centre = place + shift;
        let face_at = self.rays.all.iter().map(|outward| centre + outward * solid.radius_mm).collect();
        Some(Rim { centre, rays, at, face_at, within, beside, outside })
    }

    fn edges(
        &self,
        centre: Point,
        solid: Solid,
        contrast: Contrast,
        rays: &[Vector],
        covers: &[Cover],
        mut around: Option<&mut Around>,
    ) -> Option<Edges> {
        let top = self.pixel(centre, solid.top_mm())?;
        let planes = [solid.base_mm, solid.top_mm()].map(|z_mm| PlaneView::new(self.camera, z_mm));
        let away = Vector::new(centre.x - self.eye.x, centre.y - self.eye.y);
        let outer_mm = solid.radius_mm * (1.0 + OUTSIDE_SAMPLES as f64 * SAMPLE_STEP);
        let wall_mm = (centre - seen_at(centre, solid.base_mm, solid.top_mm(), self.eye)).norm();
        let shows_wall = contrast.brighter && wall_mm > self.options.rim_tolerance * solid.radius_mm;
        let (least, most) = (self.options.rim_step_min, self.options.rim_step_full);
        let full = (contrast.edge_part * contrast.step).clamp(least, most).max(self.least_step);
        let no_edge = self.options.rim_no_edge * full;
        let mut edges = Edges { strengths: Vec::with_capacity(rays.len()), whole: true };
        for outward in rays {
            // Towards the camera the silhouette is the base, away from it the top rim.
            let is_top = outward.dot(&away) > 0.0;
            let plane = &planes[usize::from(is_top)];
            let at = centre + outward * solid.radius_mm;
            let z_mm = if is_top { solid.top_mm() } else { solid.base_mm };
            let seen_at = seen_at(at, z_mm, solid.top_mm(), self.eye);
            let samples = if covers.iter().any(|cover| cover.hides(seen_at)) {
                Samples::none()
            } else {
                let rim = plane.pixel(at);
                self.samples(rim, rim - top, plane.pixel(centre + outward * outer_mm) - rim)
            };
            edges.whole &= samples.whole;
            let mut strengths = samples.strengths(no_edge, full, &contrast);
            if !is_top && shows_wall && !covers.iter().any(|cover| cover.hides(at)) {
                // A wall may look like the board beside it; then the face's own edge is what is seen.
                let rim = planes[1].pixel(at);
                let of_face =
                    self.samples(rim, rim - top, planes[1].pixel(centre + outward * outer_mm) - rim);
                let of_face = of_face.strengths(no_edge, full, &contrast);
                strengths = std::array::from_fn(|i| strengths[i].max(of_face[i]));
            }
            edges.strengths.push(strengths);
            if let Some(around) = &mut around {
                around.at.push(seen_at);
                around.within.push(samples.mean(WITHIN));
                around.beside.push(samples.mean(BESIDE));
                around.outside.push(samples.mean(OUTSIDE));
            }
        }
        Some(edges)
    }

    /// Reads a ray through the silhouette at `rim`; `inner` leads there from the middle of the top,
    /// and `outer` on to the outermost sample.
    fn samples(&self, rim: Pixel, inner: Vector2<f64>, outer: Vector2<f64>) -> Samples {
        let inner_step = inner * SAMPLE_STEP;
        let outer_step = outer / OUTSIDE_SAMPLES as f64;
        let first = rim - inner_step * INSIDE_SAMPLES as f64;
        if [first, rim, rim + outer].iter().all(|&end| self.is_in_picture(end)) {
            let along = |first: f64, inner_step: f64, rim: f64, outer_step: f64| -> [f32; SAMPLES] {
                let mut along = [0.0; SAMPLES];
                let (inside, outside) = along.split_at_mut(INSIDE_SAMPLES);
                inside
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, at)| *at = (first + inner_step * i as f64) as f32);
                outside.iter_mut().enumerate().for_each(|(i, at)| *at = (rim + outer_step * i as f64) as f32);
                along
            };
            let u = along(first.x, inner_step.x, rim.x, outer_step.x);
            let v = along(first.y, inner_step.y, rim.y, outer_step.y);
            let mut stops = [[0.0; SAMPLES]; 3];
            self.read_pixels(u, v, |i, pixel| {
                let [red, green, blue] = self.light.of_pixel(pixel);
                (stops[0][i], stops[1][i], stops[2][i]) = (red, green, blue);
            });
            return Samples { stops, whole: true };
        }
        let mut samples = Samples::none();
        for i in 0..SAMPLES {
            let along = i as f64 - INSIDE_SAMPLES as f64;
            let px = rim + if along < 0.0 { inner_step * along } else { outer_step * along };
            if let Some(stops) = self.light.at(self.picture, px.x as f32, px.y as f32) {
                for (channel, value) in samples.stops.iter_mut().zip(stops) {
                    channel[i] = value;
                }
            }
        }
        samples
    }
}

/// What is seen along one ray through the silhouette.
struct Samples {
    /// In stops, a channel; NaN where nothing is seen.
    stops: [[f32; SAMPLES]; 3],
    /// Whether all of it is seen.
    whole: bool,
}

impl Samples {
    fn none() -> Samples {
        Samples { stops: [[f32::NAN; SAMPLES]; 3], whole: false }
    }

    /// How much of an edge there is at each sample: two samples on either side are compared.
    #[allow(clippy::needless_range_loop)]
    fn strengths(&self, least: f32, full: f32, contrast: &Contrast) -> [f32; SAMPLES] {
        /// Samples that have two others on either side.
        const COMPARED: usize = SAMPLES - 4;
        let mut largest = [0.0_f32; COMPARED];
        for channel in &self.stops {
            for (i, most) in largest.iter_mut().enumerate() {
                let step = (channel[i + 3] + channel[i + 4] - channel[i + 1] - channel[i]) / 2.0;
                *most = if step.abs() > *most { step.abs() } else { *most };
            }
        }
        if let Some(outward) = contrast.outward {
            for (i, most) in largest.iter_mut().enumerate() {
                let step =
                    |channel: &[f32; SAMPLES]| channel[i + 3] + channel[i + 4] - channel[i + 1] - channel[i];
                let along: f32 =
                    self.stops.iter().zip(outward).map(|(channel, way)| way * step(channel)).sum();
                *most = if along > 0.0 || *most >= contrast.any_way { *most } else { 0.0 };
            }
        }
        let mut strengths = [f32::NAN; SAMPLES];
        for (strength, step) in strengths[2..].iter_mut().zip(largest) {
            *strength = ((step - least) / (full - least)).clamp(0.0, 1.0);
        }
        if !self.whole {
            let [red, ..] = &self.stops;
            for i in 2..SAMPLES - 2 {
                if [i - 2, i - 1, i + 1, i + 2].iter().any(|&at| red[at].is_nan()) {
                    strengths[i] = f32::NAN;
                }
            }
        }
        strengths
    }

    /// Mean of some of the samples, of those that are seen.
    fn mean(&self, range: std::ops::Range<usize>) -> Option<Stops> {
        if self.whole {
            let count = range.len() as f32;
            return Some([0, 1, 2].map(|c| self.stops[c][range.clone()].iter().sum::<f32>() / count));
        }
        let [red, ..] = &self.stops;
        let seen = red[range.clone()].iter().filter(|value| !value.is_nan()).count();
        let sum = |channel: &[f32; SAMPLES]| -> f32 {
            channel[range.clone()].iter().filter(|value| !value.is_nan()).sum()
        };
        (seen > 0).then(|| [0, 1, 2].map(|c| sum(&self.stops[c]) / seen as f32))
    }
}

/// What lies around a rim, ray after ray; see [`Rim`].
struct Around {
    at: Vec<Point>,
    within: Vec<Option<Stops>>,
    beside: Vec<Option<Stops>>,
    outside: Vec<Option<Stops>>,
}

impl Around {
    fn with_capacity(rays: usize) -> Around {
        Around {
            at: Vec::with_capacity(rays),
            within: Vec::with_capacity(rays),
            beside: Vec::with_capacity(rays),
            outside: Vec::with_capacity(rays),
        }
    }
}

/// Edge strengths of all rays.
struct Edges {
    strengths: Vec<[f32; SAMPLES]>,
    /// Whether every ray is seen as a whole.
    whole: bool,
}

impl Edges {
    /// The move of a search that brings most of the rays' edges to the silhouette, in the search's
    /// unit.
    fn best_move(&self, search: &Search) -> Vector {
        let strengths = self.strengths.as_flattened();
        let rays = self.strengths.len();
        let (mut best, mut best_move) = (f32::NEG_INFINITY, Vector::zeros());
        for (shift, places) in search.moves.iter().zip(search.places.chunks_exact(rays.max(1))) {
            let mean = match self.whole {
                true => {
                    let least = (best + shift.cost) * rays as f32 - ROUNDING;
                    let Some(sum) = sum(strengths, places, least) else { continue };
                    sum / rays as f32
                }
                false => mean(strengths, places),
            };
            // The shorter of two equally good moves.
            let score = mean - shift.cost;
            if score > best {
                (best, best_move) = (score, shift.by);
            }
        }
        best_move
    }
}

/// More than single precision loses in a sum over all rays.
const ROUNDING: f32 = 0.01;

/// Sum of the values at some places, in four lanes that do not wait for each other; `None` where half of them
/// show that it does not come up to `least`, as no value is above 1.
fn sum(values: &[f32], places: &[u16], least: f32) -> Option<f32> {
    let mut lanes = [0.0_f32; 4];
    let (fours, rest) = places.as_chunks::<4>();
    let (first, second) = fours.split_at(fours.len() / 2);
    add(values, first, &mut lanes);
    let most = lanes.iter().sum::<f32>() + (places.len() - 4 * first.len()) as f32;
    if most < least {
        return None;
    }
    add(values, second, &mut lanes);
    Some(lanes.iter().sum::<f32>() + rest.iter().map(|&place| values[usize::from(place)]).sum::<f32>())
}

#[inline]
fn add(values: &[f32], fours: &[[u16; 4]], lanes: &mut [f32; 4]) {
    for four in fours {
        for (lane, &place) in lanes.iter_mut().zip(four) {
            *lane += values[usize::from(place)];
        }
    }
}

/// Mean of the values at some places, of those that are numbers.
fn mean(values: &[f32], places: &[u16]) -> f32 {
    let seen = || places.iter().map(|&place| values[usize::from(place)]).filter(|v| v.is_finite());
    seen().sum::<f32>() / seen().count().max(1) as f32
}

/// What a move by a radius costs: enough that the shorter of two equally good ones is taken.
const SHORTER: f32 = 4.5e-3;

/// Moves that are tried, and which sample of each ray lies on the silhouette after each. Lengths are
/// parts of the radius.
#[derive(Debug, Clone)]
pub struct Search {
    moves: Vec<Move>,
    /// Move after move, ray after ray: a place in the strengths of all rays.
    places: Vec<u16>,
}

#[derive(Debug, Clone, Copy)]
struct Move {
    by: Vector,
    cost: f32,
}

impl Search {
    fn new(reach: f64, pitch: f64, rays: &[Vector]) -> Search {
        let steps = (reach / pitch).round() as i32;
        let moves: Vec<Move> = (-steps..=steps)
            .flat_map(|row| {
                (-steps..=steps).map(move |column| Vector::new(f64::from(column), f64::from(row)))
            })
            .map(|step| step * pitch)
            .map(|by| Move { by, cost: SHORTER * by.norm() as f32 })
            .collect();
        let place = |ray: usize, by: Vector| {
            let sample = sample_at(rays[ray].dot(&by) / SAMPLE_STEP);
            (ray * SAMPLES + sample) as u16
        };
        let places =
            moves.iter().flat_map(|shift| (0..rays.len()).map(move |ray| place(ray, shift.by))).collect();
        Search { moves, places }
    }

    pub fn coarse(reach: f64, rays: &[Vector]) -> Search {
        Search::new(reach, COARSE_PITCH, rays)
    }

    pub fn fine(rays: &[Vector]) -> Search {
        Search::new(FINE_REACH, FINE_PITCH, rays)
    }
}

/// Index of the sample that many steps outside the silhouette, within those that have a strength.
fn sample_at(steps: f64) -> usize {
    (INSIDE_SAMPLES as f64 + steps + 0.5).clamp(2.0, (SAMPLES - 3) as f64) as usize
}
