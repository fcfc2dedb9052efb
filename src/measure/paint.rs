//! The paint's edge that faces a piece, next to it.
//!
//! In: a line, a piece, and where all pieces lie. Out: how far the edge lies from the drawing. The
//! edge is looked for where it is in sight along the line on both sides of the contact point, as a
//! half-level crossing in linear light, and drawn through to the contact point. The drawing is
//! the prior.

use nalgebra::{Matrix2, Vector2};

use super::{
    MeasureOptions, PaintEdge,
    scene::Shade,
    solid::{Eye, Shadow, Solid},
    uncertainty::point_by_camera,
    view::PlaneView,
};
use crate::{
    board::Board,
    camera::BehindRail,
    capture::Picture,
    geometry::{Paint, Point, Vector},
    register::Registration,
};

/// A place on the drawn edge: where, the direction away from the paint, and how far along.
struct Station {
    at: Point,
    outward: Vector,
    along_mm: f64,
}

/// Colours across the edge at one station, from the paint outward.
struct Crossing {
    along_mm: f64,
    light: Vec<[f32; 3]>,
}

/// Measures the edge of a line's paint that faces a piece, next to it. `pieces` lists kind and
/// footprint of every piece in view; `piece` is an index into it.
pub fn measure_paint(
    picture: &Picture,
    board: &Board,
    registration: &Registration,
    line: usize,
    piece: usize,
    pieces: &[(usize, Point)],
    options: &MeasureOptions,
) -> PaintEdge {
    let drawing_sigma_mm = options.drawing_sigma_mm.hypot(board.accuracy_mm);
    let unseen = PaintEdge { sigma_mm: drawing_sigma_mm, observed: false, ..PaintEdge::default() };
    let (Some(drawn), Some(&(kind, centre))) = (board.lines.get(line), pieces.get(piece)) else {
        return unseen;
    };
    let paint = drawn.paint;
    let toward = paint.outward(centre);
    let contact = centre - toward * paint.signed_distance_mm(centre);
    let radius_mm = board.pieces.get(kind).map_or(0.0, |k| k.radius_mm());
    let Some(eye) = Eye::of(&registration.camera) else { return unseen };
    let ground = PlaneView::new(&registration.camera, 0.0);
    let neighbours: Vec<Shadow> = pieces
        .iter()
        .filter(|(_, at)| (at - contact).norm() < 2.0 * (radius_mm + options.paint_reach_mm))
        .filter_map(|&(kind, at)| Some(Shadow::new(&Solid::of(board.pieces.get(kind)?, 0.0), &eye, at)))
        .chain(
            BehindRail::all(board, registration.camera.pose.centre_mm(), 0.0).into_iter().map(Shadow::Rail),
        )
        .collect();
    let reach_mm = radius_mm + options.paint_reach_mm;
    let near = |other: &crate::board::Line| {
        other.paint.signed_distance_mm(contact) < reach_mm + options.paint_outside_mm + options.paint_clear_mm
    };
    let others: Vec<Paint> = board
        .lines
        .iter()
        .enumerate()
        .filter(|(i, other)| *i != line && near(other))
        .map(|(_, other)| other.paint)
        .collect();
    let sight = Sight { picture, ground, pieces: &neighbours, others: &others };

    let crossings: Vec<Crossing> = stations(&paint, contact, toward, reach_mm, options)
        .into_iter()
        .filter_map(|station| sight.cross(&paint, &station, options))
        .collect();
    let Some((offset_mm, sigma_mm)) = fit(&crossings, options) else { return unseen };

    // The board plane's error is in the observation, not in the drawing.
    let plane = toward.transpose() * point_by_camera(&registration.camera, contact, 0.0);
    let plane_variance = (plane * registration.covariance * plane.transpose())[(0, 0)].max(0.0);
    let prior = drawing_sigma_mm.powi(2) + plane_variance;
    let observed = sigma_mm.powi(2);
    let nearer_mm = offset_mm * prior / (prior + observed);
    let variance = prior * observed / (prior + observed);
    PaintEdge { nearer_mm, sigma_mm: variance.sqrt(), observed: true, ..PaintEdge::default() }
}

/// Places along the drawn edge around the contact point.
fn stations(
    paint: &Paint,
    contact: Point,
    toward: Vector,
    reach_mm: f64,
    options: &MeasureOptions,
) -> Vec<Station> {
    let count = (reach_mm / options.paint_step_mm).floor() as i32;
    let steps = (-count..=count).map(|i| f64::from(i) * options.paint_step_mm);
    // Around a round edge: a ring, a spot, or the round end of a stroke.
    let round = |centre: Point, reach_rad: f64| -> Vec<Station> {
        let radius = (contact - centre).norm();
        let sign = if (contact - centre).dot(&toward) < 0.0 { -1.0 } else { 1.0 };
        let from = contact - centre;
        steps
            .clone()
            .filter(|along| along.abs() <= reach_rad * radius)
            .map(|along_mm| {
                let turned = nalgebra::Rotation2::new(along_mm / radius) * from;
                Station { at: centre + turned, outward: turned / radius * sign, along_mm }
            })
            .collect()
    };
    match *paint {
        Paint::Stroke { from, to, .. } => {
            let Some(along) = (to - from).try_normalize(1e-9) else {
                return round(from, options.paint_arc_rad);
            };
            let middle = paint.nearest_on_middle(contact);
            if toward.dot(&along).abs() > 1e-6 {
                return round(middle, options.paint_arc_rad);
            }
            let (back, ahead) = ((from - middle).dot(&along), (to - middle).dot(&along));
            steps
                .filter(|s| *s >= back && *s <= ahead)
                .map(|along_mm| Station { at: contact + along * along_mm, outward: toward, along_mm })
                .collect()
        }
        Paint::Ring { centre, .. } | Paint::Spot { centre, .. } => round(centre, options.paint_arc_rad),
        Paint::Arc { centre, start_rad, sweep_rad, .. } => {
            let mut places = round(centre, options.paint_arc_rad);
            places.retain(|s| {
                let v = s.at - centre;
                (v.y.atan2(v.x) - start_rad).rem_euclid(std::f64::consts::TAU) <= sweep_rad
            });
            places
        }
    }
}

/// What can be seen of the board beside a piece.
struct Sight<'a> {
    picture: &'a Picture,
    ground: PlaneView,
    pieces: &'a [Shadow],
    /// Other paint near by.
    others: &'a [Paint],
}

impl Sight<'_> {
    fn is_near_other_paint(&self, p: Point, clear_mm: f64) -> bool {
        let is_near = |other: &Paint| !other.is_beyond(p, clear_mm) && other.signed_distance_mm(p) < clear_mm;
        self.others.iter().any(is_near)
    }

    /// Reads the colours across the edge at a station; `None` where something is in the way.
    fn cross(&self, paint: &Paint, station: &Station, options: &MeasureOptions) -> Option<Crossing> {
        let (inside, outside) = (inside_mm(paint, options), options.paint_outside_mm);
        for p in [station.at, station.at + station.outward * outside] {
            let covered = self.pieces.iter().any(|shadow| shadow.is_within(p, options.paint_mask_mm));
            if covered || self.is_near_other_paint(p, options.paint_clear_mm) {
                return None;
            }
        }
        let count = ((inside + outside) / options.paint_sample_mm).round() as usize;
        let light = (0..=count)
            .map(|k| {
                let t = k as f64 * options.paint_sample_mm - inside;
                let pixel = self.ground.pixel(station.at + station.outward * t);
                self.picture.sample(pixel.x, pixel.y)
            })
            .collect::<Option<_>>()?;
        Some(Crossing { along_mm: station.along_mm, light })
    }
}

/// How far into the paint a profile starts: not beyond its middle.
fn inside_mm(paint: &Paint, options: &MeasureOptions) -> f64 {
    let samples = (paint.width_mm() / 2.0).min(options.paint_outside_mm) / options.paint_sample_mm;
    samples.round().max(1.0) * options.paint_sample_mm
}

/// The edge's distance outward from its drawing at the contact point, with its deviation.
fn fit(crossings: &[Crossing], options: &MeasureOptions) -> Option<(f64, f64)> {
    if crossings.len() < options.least_paint_stations {
        return None;
    }
    let median = |pick: &dyn Fn(&Crossing) -> [f32; 3]| -> [f32; 3] {
        std::array::from_fn(|channel| {
            let mut values: Vec<f32> = crossings.iter().map(|c| pick(c)[channel]).collect();
            let middle = values.len() / 2;
            *values.select_nth_unstable_by(middle, f32::total_cmp).1
        })
    };
    let length = crossings[0].light.len();
    let shade = Shade::between(median(&|c| c.light[0]), median(&|c| c.light[length - 1]))?;
    let outside = (options.paint_outside_mm / options.paint_sample_mm).round() as usize;
    let zero = (length - 1 - outside) as f64;
    let level_samples = (options.paint_level_mm / options.paint_sample_mm).round() as usize;
    let edges: Vec<(f64, f64)> = crossings
        .iter()
        .filter_map(|c| {
            let values: Vec<f32> = c.light.iter().map(|&l| shade.of(l)).collect();
            let inner =
                values[..=level_samples.min(length - 1)].iter().copied().fold(f32::INFINITY, f32::min);
            let outer = values[length - 1 - level_samples.min(length - 1)..].iter().sum::<f32>()
                / (level_samples.min(length - 1) + 1) as f32;
            if outer - inner < options.least_contrast as f32 * shade.contrast() {
                return None;
            }
            let level = (inner + outer) / 2.0;
            let k = (0..length - 1)
                .filter(|&k| values[k] < level && values[k + 1] >= level)
                .min_by(|&a, &b| (a as f64 - zero).abs().total_cmp(&(b as f64 - zero).abs()))?;
            let part = f64::from((level - values[k]) / (values[k + 1] - values[k]));
            Some((c.along_mm, (k as f64 + part - zero) * options.paint_sample_mm))
        })
        .collect();
    straight_through(&edges, options)
}

/// Robust straight line through (along, offset), read at 0.
fn straight_through(edges: &[(f64, f64)], options: &MeasureOptions) -> Option<(f64, f64)> {
    if edges.len() < options.least_paint_stations {
        return None;
    }
    let mut x = Vector2::zeros();
    let mut scale = options.paint_first_scale_mm;
    let mut variance = 0.0;
    for _ in 0..options.robust_rounds {
        let slope_prior = options.paint_slope_sigma.powi(-2);
        let mut normal = Matrix2::zeros();
        let (mut right, mut sum, mut weights) = (Vector2::zeros(), 0.0, 0.0);
        for &(along, offset) in edges {
            let row = Vector2::new(1.0, along);
            let miss = offset - row.dot(&x);
            let weight = 1.0 / (1.0 + (miss / scale).powi(2)).powi(2);
            normal += row * row.transpose() * weight;
            right += row * (weight * offset);
            sum += weight * miss * miss;
            weights += weight;
        }
        let noise = (sum / weights).max(options.paint_noise_mm.powi(2));
        normal[(1, 1)] += slope_prior * noise;
        let inverse = normal.try_inverse()?;
        x = inverse * right;
        // Neighbouring stations share pixels and wear.
        variance = inverse[(0, 0)] * noise * options.paint_correlation;
        scale = (2.0 * noise.sqrt()).clamp(options.paint_noise_mm, scale);
    }
    Some((x[0], (variance + options.paint_floor_mm.powi(2)).sqrt()))
}
