//! A place looked at in the full picture: its rim along rays, and its face.
//!
//! In: a picture, a camera and the solid that may lie at a place. Out: [`Rim`] (which rays show an
//! edge where the solid's silhouette is, after moving the place to where most do) and [`Face`].

use super::{
    DetectOptions,
    light::{Light, Stops, largest},
};
use crate::{
    board::PieceKind,
    camera::Camera,
    capture::Picture,
    geometry::{Point, Vector},
};

/// The solid that is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Solid {
    pub radius_mm: f64,
    pub height_mm: f64,
    pub base_mm: f64,
}

impl Solid {
    pub fn of(kind: &PieceKind, base_mm: f64) -> Solid {
        Solid { radius_mm: kind.radius_mm(), height_mm: kind.height_mm, base_mm }
    }

    pub fn top_mm(&self) -> f64 {
        self.base_mm + self.height_mm
    }
}

/// What is read, and how.
pub struct Look<'a> {
    pub picture: &'a Picture,
    pub camera: &'a Camera,
    pub light: &'a Light,
    pub options: &'a DetectOptions,
}

/// Edge strengths along rays through a silhouette.
#[derive(Debug, Clone)]
pub struct Rim {
    pub centre: Point,
    /// For each ray: how much of an edge there is at the silhouette (0 to 1), or `None` where the
    /// ray leaves the picture.
    pub rays: Vec<Option<f32>>,
    /// For each ray: stops just outside the silhouette.
    pub outside: Vec<Option<Stops>>,
}

/// A ray counts as a seen rim from this part of a full edge.
pub const SEEN: f32 = 0.5;

/// Samples a ray: from inside to outside the rim.
const INSIDE_SAMPLES: usize = 9;
const OUTSIDE_SAMPLES: usize = 11;
const SAMPLES: usize = INSIDE_SAMPLES + OUTSIDE_SAMPLES;
/// Distance of samples along a ray, as a part of the radius (half a millimetre for a 30 mm piece).
const SAMPLE_STEP: f64 = 1.0 / 30.0;

impl Look<'_> {
    /// Moves a place to where most of a rim is seen and says what is seen there.
    pub fn rim(&self, place: Point, solid: Solid) -> Option<Rim> {
        let first = self.edges(place, solid)?;
        let step_mm = SAMPLE_STEP * solid.radius_mm;
        let scale = solid.radius_mm / 15.0;
        let coarse =
            search(&first, Vector::zeros(), self.options.place_tolerance_mm * scale, 0.75 * scale, step_mm);
        let second = self.edges(place + coarse, solid)?;
        let fine = search(&second, Vector::zeros(), 1.2 * scale, 0.3 * scale, step_mm);
        let centre = place + coarse + fine;
        let last = self.edges(centre, solid)?;
        let reach = (self.options.rim_tolerance_mm * scale / step_mm).round() as usize;
        let rays = last
            .strengths
            .iter()
            .map(|ray| {
                let around = &ray[INSIDE_SAMPLES - reach..=INSIDE_SAMPLES + reach];
                around.iter().copied().filter(|s| s.is_finite()).reduce(f32::max)
            })
            .collect();
        Some(Rim { centre, rays, outside: last.outside })
    }

    fn edges(&self, centre: Point, solid: Solid) -> Option<Edges> {
        let top = self.camera.image_from_board(centre.x, centre.y, solid.top_mm())?;
        let eye = self.camera.pose.centre_mm();
        let away = Vector::new(centre.x - eye.x, centre.y - eye.y);
        let step_mm = SAMPLE_STEP * solid.radius_mm;
        let outer_mm = solid.radius_mm + OUTSIDE_SAMPLES as f64 * step_mm;
        let mut strengths = Vec::with_capacity(self.options.rays);
        let mut directions = Vec::with_capacity(self.options.rays);
        let mut outside = Vec::with_capacity(self.options.rays);
        for ray in 0..self.options.rays {
            let angle = std::f64::consts::TAU * ray as f64 / self.options.rays as f64;
            let outward = Vector::new(angle.cos(), angle.sin());
            // Towards the camera the silhouette is the base, away from it the top rim.
            let z = if outward.dot(&away) > 0.0 { solid.top_mm() } else { solid.base_mm };
            let [rim, outer] = [solid.radius_mm, outer_mm].map(|reach| {
                let p = centre + outward * reach;
                self.camera.image_from_board(p.x, p.y, z)
            });
            let mut samples = [[f32::NAN; 3]; SAMPLES];
            if let (Some(rim), Some(outer)) = (rim, outer) {
                let inward_step = (rim - top) * SAMPLE_STEP;
                let outward_step = (outer - rim) / OUTSIDE_SAMPLES as f64;
                for (i, sample) in samples.iter_mut().enumerate() {
                    let at = i as f64 - INSIDE_SAMPLES as f64;
                    let px = rim + if at < 0.0 { inward_step * at } else { outward_step * at };
                    if let Some(stops) = self.light.at(self.picture, px.x as f32, px.y as f32) {
                        *sample = stops;
                    }
                }
            }
            strengths.push(self.strengths(&samples));
            outside.push(mean(&samples[INSIDE_SAMPLES + 3..]));
            directions.push(outward);
        }
        Some(Edges { strengths, directions, outside })
    }

    /// How much of an edge there is at each sample: two samples on either side are compared.
    fn strengths(&self, samples: &[Stops; SAMPLES]) -> [f32; SAMPLES] {
        let mut strengths = [f32::NAN; SAMPLES];
        let (least, full) = (self.options.rim_step_min, self.options.rim_step_full);
        for i in 2..SAMPLES - 2 {
            let step = largest(std::array::from_fn(|c| {
                (samples[i + 1][c] + samples[i + 2][c] - samples[i - 1][c] - samples[i - 2][c]) / 2.0
            }));
            let finite = samples[i - 2..=i + 2].iter().all(|s| s[0].is_finite());
            if finite {
                strengths[i] = ((step - least) / (full - least)).clamp(0.0, 1.0);
            }
        }
        strengths
    }

    /// Stops on the face of a solid at `centre`.
    pub fn face(&self, centre: Point, solid: Solid) -> Option<Face> {
        let at = nalgebra::Point3::new(centre.x, centre.y, solid.top_mm());
        let projection = self.camera.project(at)?;
        let mut samples = Vec::with_capacity(FACE_RAYS * FACE_RINGS);
        for ring in 0..FACE_RINGS {
            let part = (ring as f64 + 0.7) / FACE_RINGS as f64;
            for ray in 0..FACE_RAYS {
                let angle = std::f64::consts::TAU * (ray as f64 + 0.5 * (ring % 2) as f64) / FACE_RAYS as f64;
                let offset = Vector::new(angle.cos(), angle.sin()) * (part * solid.radius_mm);
                let px = projection.pixel + projection.by_point.fixed_columns::<2>(0) * offset;
                let stops = self.light.at(self.picture, px.x as f32, px.y as f32);
                samples.push(FaceSample { offset, ring, stops });
            }
        }
        Some(Face { samples })
    }
}

struct Edges {
    strengths: Vec<[f32; SAMPLES]>,
    directions: Vec<Vector>,
    outside: Vec<Option<Stops>>,
}

/// The move within `reach_mm` that brings most of the rays' edges to the silhouette.
fn search(edges: &Edges, start: Vector, reach_mm: f64, pitch_mm: f64, step_mm: f64) -> Vector {
    let steps = (reach_mm / pitch_mm).floor() as i32;
    let (mut best, mut best_move) = (f32::NEG_INFINITY, start);
    for row in -steps..=steps {
        for column in -steps..=steps {
            let shift = start + Vector::new(f64::from(column), f64::from(row)) * pitch_mm;
            let (mut sum, mut count) = (0.0_f32, 0.0_f32);
            for (ray, outward) in edges.strengths.iter().zip(&edges.directions) {
                let at = INSIDE_SAMPLES as f64 + outward.dot(&shift) / step_mm;
                let at = (at + 0.5).clamp(2.0, (SAMPLES - 3) as f64) as usize;
                if ray[at].is_finite() {
                    sum += ray[at];
                    count += 1.0;
                }
            }
            // The shorter of two equally good moves.
            let score = sum / count.max(1.0) - 1e-3 * (shift.norm() / reach_mm) as f32;
            if score > best {
                (best, best_move) = (score, shift);
            }
        }
    }
    best_move
}

fn mean(samples: &[Stops]) -> Option<Stops> {
    let finite: Vec<&Stops> = samples.iter().filter(|s| s[0].is_finite()).collect();
    let count = finite.len() as f32;
    (count > 0.0).then(|| std::array::from_fn(|c| finite.iter().map(|s| s[c]).sum::<f32>() / count))
}

/// Samples of a top face in concentric rings.
#[derive(Debug, Clone)]
pub struct Face {
    pub samples: Vec<FaceSample>,
}

#[derive(Debug, Clone, Copy)]
pub struct FaceSample {
    /// From the face's centre, on the board.
    pub offset: Vector,
    pub ring: usize,
    pub stops: Option<Stops>,
}

const FACE_RAYS: usize = 24;
const FACE_RINGS: usize = 12;

impl Face {
    /// Samples within a part of the radius that are in the picture.
    pub fn within(&self, part: f64) -> impl Iterator<Item = &FaceSample> {
        let rings = (part * FACE_RINGS as f64).round() as usize;
        self.samples.iter().filter(move |s| s.ring < rings && s.stops.is_some())
    }

    /// Largest part of a circle that shows an edge, over circles where a cap's rim can be.
    pub fn cap_rim(&self, options: &DetectOptions) -> f32 {
        let at = |ring: usize, ray: usize| self.samples[ring * FACE_RAYS + ray].stops;
        let half = (options.rim_step_min + options.rim_step_full) / 2.0;
        (FACE_RINGS * 6 / 10..FACE_RINGS - 1)
            .map(|ring| {
                let (mut seen, mut valid) = (0.0_f32, 0.0_f32);
                for ray in 0..FACE_RAYS {
                    if let (Some(inner), Some(outer)) = (at(ring - 1, ray), at(ring + 1, ray)) {
                        valid += 1.0;
                        seen += f32::from(largest(super::light::minus(inner, outer)) > half);
                    }
                }
                seen / valid.max(1.0)
            })
            .fold(0.0, f32::max)
    }
}
