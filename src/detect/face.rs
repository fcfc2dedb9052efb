//! The top face of a solid in the full picture.
//!
//! In: a place and a solid. Out: [`Face`]: samples in concentric rings, and the contour of what lies
//! in its middle: a cap, or the field inside a groove. Both are concentric with the piece, and
//! their edges are sharp where a metal ring's are not.

use std::{ops::Range, sync::LazyLock};

use nalgebra::{Matrix3, Vector3};

use super::{
    FieldOptions,
    light::{Stops, largest, median, minus},
    look::{Look, Solid, directions},
};
use crate::{
    camera::PlaneView,
    geometry::{Point, Vector},
};

/// Samples of a top face.
#[derive(Debug, Clone)]
pub struct Face {
    /// In soft stops, ring after ring from the middle, [`RAYS`] each.
    samples: Vec<Option<Stops>>,
    radius_mm: f64,
}

/// The outline of the middle field of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contour {
    /// Its centre, from the place that was looked at.
    pub offset: Vector,
    pub radius_mm: f64,
    /// Part of the rays whose outline lies on it.
    pub whole: f32,
}

const RAYS: usize = 24;
const RINGS: usize = 16;
/// Rings reach to this part of the radius.
const REACH: f64 = 1.12;
/// Rounds of fitting an outline without the points that are not on it.
const CONTOUR_ROUNDS: usize = 4;

impl Look<'_> {
    /// Reads the face of a solid at `centre`.
    pub fn face(&self, centre: Point, solid: Solid) -> Option<Face> {
        self.face_within(centre, solid, RINGS)
    }

    /// Reads only the middle of a face, up to a part of its radius.
    pub fn middle_of_face(&self, centre: Point, solid: Solid, part: f64) -> Option<Face> {
        let rings = (0..RINGS).take_while(|&ring| part_of(ring) <= part).count();
        self.face_within(centre, solid, rings)
    }

    fn face_within(&self, centre: Point, solid: Solid, rings: usize) -> Option<Face> {
        let middle = self.pixel(centre, solid.top_mm())?;
        let px_by_mm = PlaneView::new(self.camera, solid.top_mm()).pixel_by_point(centre);
        let outward_px = RAY_DIRECTIONS.map(|ray| px_by_mm * ray * solid.radius_mm);
        let is_inside = outward_px.iter().all(|outward| self.is_in_picture(middle + outward * REACH));
        let mut samples = Vec::with_capacity(RAYS * rings);
        for ring in 0..rings {
            let part = part_of(ring);
            let u = outward_px.map(|outward| (middle.x + outward.x * part) as f32);
            let v = outward_px.map(|outward| (middle.y + outward.y * part) as f32);
            match is_inside {
                true => samples
                    .extend(self.pixels_at(u, v).iter().map(|pixel| Some(self.light.soft_of_pixel(pixel)))),
                false => {
                    samples.extend(u.iter().zip(v).map(|(&u, v)| self.light.soft_at(self.picture, u, v)));
                }
            }
        }
        Some(Face { samples, radius_mm: solid.radius_mm })
    }
}

/// Radius of a ring as part of the piece's.
fn part_of(ring: usize) -> f64 {
    REACH * (ring as f64 + 0.7) / RINGS as f64
}

impl Face {
    /// Samples, in soft stops, between two parts of the radius that are in the picture, with their
    /// offset from the centre on the board.
    pub fn between(&self, inner: f64, outer: f64) -> impl Iterator<Item = (Vector, Stops)> {
        let (rings, _) = self.samples.as_chunks::<RAYS>();
        let within = move |(ring, _): &(usize, _)| (inner..=outer).contains(&part_of(*ring));
        rings.iter().enumerate().filter(within).flat_map(move |(ring, row)| {
            let reach = part_of(ring) * self.radius_mm;
            let rays = RAY_DIRECTIONS.iter();
            row.iter().zip(rays).filter_map(move |(s, ray)| s.map(|stops| (ray * reach, stops)))
        })
    }

    /// The outline of the field that the face shows at the radii `own`; `None` where there is none to speak
    /// of. `contrast`: by how much the face differs from what is around it, in stops.
    pub fn contour(&self, contrast: f32, own: &Range<f64>, options: &FieldOptions) -> Option<Contour> {
        let step = options.step.min(options.pale_step * contrast);
        let look_of = |inner: f64, outer: f64| {
            let mut looks: Vec<Stops> = self.between(inner, outer).map(|(_, stops)| stops).collect();
            median(&mut looks)
        };
        // The middle is the field's own even where the place is off its centre; but a label is not.
        let (centre, around) = (look_of(0.0, own.start)?, look_of(own.start, own.end)?);
        let middle = if largest(minus(centre, around)) > step { around } else { centre };
        let first_ring = (1..RINGS).find(|&ring| part_of(ring) > own.start)?;
        let differs = |ring: usize, ray: usize| {
            self.samples[ring * RAYS + ray].is_none_or(|s| largest(minus(s, middle)) > step)
        };
        let mut points: Vec<(Vector, f64)> = Vec::with_capacity(RAYS);
        for (ray, &outward) in RAY_DIRECTIONS.iter().enumerate() {
            let first = (first_ring..RINGS - 1).find(|&r| differs(r, ray) && differs(r + 1, ray));
            if let Some(ring) = first {
                points.push((outward, (part_of(ring) + part_of(ring - 1)) / 2.0 * self.radius_mm));
            }
        }
        let tolerance_mm = options.tolerance * self.radius_mm;
        let mut used: Vec<bool> = vec![true; points.len()];
        let mut fit = (Vector::zeros(), 0.0);
        for _ in 0..CONTOUR_ROUNDS {
            fit = fit_circle(&points, &used)?;
            let reach = |outward: &Vector| fit.1 + outward.dot(&fit.0);
            // Start from the median miss, so that one bad side cannot keep the good one out.
            let mut misses: Vec<f64> = points.iter().map(|(o, r)| (r - reach(o)).abs()).collect();
            for (use_it, miss) in used.iter_mut().zip(&misses) {
                *use_it = *miss <= tolerance_mm;
            }
            if used.iter().filter(|&&u| u).count() * 2 < points.len() {
                misses.sort_by(f64::total_cmp);
                let half = misses[misses.len() / 2];
                for (use_it, (o, r)) in used.iter_mut().zip(&points) {
                    *use_it = (r - reach(o)).abs() <= half;
                }
            }
        }
        let on = points.iter().filter(|(o, r)| (r - fit.1 - o.dot(&fit.0)).abs() <= tolerance_mm).count();
        Some(Contour { offset: fit.0, radius_mm: fit.1, whole: on as f32 / RAYS as f32 })
    }
}

impl Face {
    /// Part of the face that differs by more than `tolerance` stops from what lies at the same distance
    /// from its centre. Grooves, caps and labels are round; print that happens to have a round outline is
    /// not. `is_hidden` tells by its offset from the centre what is not the face's own.
    pub fn uneven(&self, tolerance: f32, is_hidden: impl Fn(Vector) -> bool) -> f32 {
        let (mut uneven, mut count) = (0.0_f32, 0.0_f32);
        for ring in (0..RINGS).filter(|&ring| EVEN_PARTS.contains(&part_of(ring))) {
            let reach = part_of(ring) * self.radius_mm;
            let row = self.samples[ring * RAYS..(ring + 1) * RAYS].iter().zip(RAY_DIRECTIONS.iter());
            let mut samples: Vec<Stops> =
                row.filter_map(|(sample, ray)| sample.filter(|_| !is_hidden(ray * reach))).collect();
            let Some(middle) = median(&mut samples) else { continue };
            count += samples.len() as f32;
            uneven += samples.iter().filter(|s| largest(minus(**s, middle)) > tolerance).count() as f32;
        }
        if count > 0.0 { uneven / count } else { 0.0 }
    }

    /// Which samples lie at an edge across their ring.
    fn edges(&self, step: f32) -> [[bool; RAYS]; RINGS] {
        let mut is_edge = [[false; RAYS]; RINGS];
        for (ring, row) in is_edge.iter_mut().enumerate().take(RINGS - 1).skip(1) {
            for (ray, edge) in row.iter_mut().enumerate() {
                let at = |ring: usize| self.samples[ring * RAYS + ray];
                if let (Some(inner), Some(outer)) = (at(ring - 1), at(ring + 1)) {
                    *edge = largest(minus(inner, outer)) > step;
                }
            }
        }
        is_edge
    }

    /// Largest part of a concentric circle that shows an edge.
    pub fn ring_edge(&self, options: &FieldOptions) -> f32 {
        self.edge_within(&options.radii, options)
    }

    /// Part of the circle about its centre at `part` of the radius that shows an edge: of a cap whose size is
    /// known.
    pub fn cap_edge(&self, part: f64, options: &FieldOptions) -> f32 {
        self.edge_within(&(part - options.cap_tolerance..part + options.cap_tolerance), options)
    }

    fn edge_within(&self, radii: &Range<f64>, options: &FieldOptions) -> f32 {
        let edges = self.edges(options.step);
        (1..RINGS - 1)
            .filter(|&ring| radii.contains(&part_of(ring)))
            .map(|ring| edges[ring].iter().filter(|edge| **edge).count() as f32 / RAYS as f32)
            .fold(0.0, f32::max)
    }

    /// The circle within the face along which most of it shows an edge: the outline of a field
    /// that gloss or a numeral has spoilt.
    pub fn concentric_edge(&self, options: &FieldOptions) -> Option<Contour> {
        let ring_mm = REACH / RINGS as f64 * self.radius_mm;
        let mut edges = [[0_u8; EDGE_PAD + RINGS + EDGE_PAD]; RAYS];
        for (ring, row) in self.edges(options.step).iter().enumerate() {
            for (ray, is_edge) in row.iter().enumerate() {
                edges[ray][EDGE_PAD + ring] = u8::from(*is_edge);
            }
        }
        let (first, last) = (
            (options.radii.start * self.radius_mm / ring_mm) as usize,
            (options.radii.end * self.radius_mm / ring_mm) as usize,
        );
        let mut best: Option<(u8, i32, Contour)> = None;
        for search in EDGE_MOVES.iter() {
            // For every ring, how many rays have an edge where the moved circle meets them.
            let mut on = 0_u128;
            for (ray, &first) in edges.iter().zip(&search.first) {
                let moved = ray[usize::from(first)..].first_chunk::<RINGS>();
                // All sixteen rings at once, a byte each: there are fewer rays than a byte can count.
                on += moved.map_or(0, |rings| u128::from_le_bytes(*rings));
            }
            for (ring, &on) in on.to_le_bytes().iter().enumerate().take(last.min(RINGS - 2) + 1).skip(first) {
                let is_better = best.as_ref().is_none_or(|(most, shortest, _)| {
                    on > *most || (on == *most && search.length < *shortest)
                });
                if is_better {
                    let contour = Contour {
                        offset: search.rings * ring_mm,
                        radius_mm: part_of(ring) * self.radius_mm,
                        whole: f32::from(on) / RAYS as f32,
                    };
                    best = Some((on, search.length, contour));
                }
            }
        }
        best.map(|(_, _, contour)| contour)
    }
}

/// Where a face is looked at for evenness, as parts of the radius: outside a label in its middle, inside
/// its rim.
const EVEN_PARTS: std::ops::Range<f64> = 0.2..0.85;
/// How far and how finely a concentric edge is searched for, in rings.
const EDGE_REACH_RINGS: i32 = 5;
const EDGE_PITCH_RINGS: f64 = 0.7;
/// More rings than any move takes an edge along a ray.
const EDGE_PAD: usize = 6;

/// A move of the centre that is tried for a concentric edge.
struct EdgeMove {
    rings: Vector,
    /// Grows with the move's length.
    length: i32,
    /// For each ray, where the innermost ring of a moved circle lies in its padded edges.
    first: [u8; RAYS],
}

static EDGE_MOVES: LazyLock<Vec<EdgeMove>> = LazyLock::new(|| {
    let steps = EDGE_REACH_RINGS;
    let moves = (-steps..=steps).flat_map(|row| (-steps..=steps).map(move |column| (row, column)));
    moves
        .map(|(row, column)| {
            let rings = Vector::new(f64::from(column), f64::from(row)) * EDGE_PITCH_RINGS;
            let first = RAY_DIRECTIONS.map(|ray| (EDGE_PAD as f64 + ray.dot(&rings)).round() as u8);
            EdgeMove { rings, length: row * row + column * column, first }
        })
        .collect()
});

/// Directions of a face's rays.
static RAY_DIRECTIONS: LazyLock<[Vector; RAYS]> = LazyLock::new(|| {
    let mut rays = directions(RAYS);
    std::array::from_fn(|_| rays.next().unwrap_or_else(Vector::zeros))
});

/// Centre and radius of the circle through points at given distances along rays (to first order
/// in the centre's offset).
fn fit_circle(points: &[(Vector, f64)], used: &[bool]) -> Option<(Vector, f64)> {
    let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for ((outward, reach), _) in points.iter().zip(used).filter(|(_, used)| **used) {
        let row = Vector3::new(outward.x, outward.y, 1.0);
        normal += row * row.transpose();
        right += row * *reach;
    }
    let fit = normal.cholesky()?.solve(&right);
    Some((Vector::new(fit.x, fit.y), fit.z))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_circle_is_found_from_its_distances_along_rays() {
        let points: Vec<(Vector, f64)> =
            directions(24).map(|ray| (ray, 11.0 + ray.dot(&Vector::new(0.8, -0.3)))).collect();
        let mut used = vec![true; points.len()];
        used[3] = false;
        let (offset, radius_mm) = fit_circle(&points, &used).unwrap();
        assert!((offset - Vector::new(0.8, -0.3)).norm() < 1e-9 && (radius_mm - 11.0).abs() < 1e-9);
    }

    #[test]
    fn a_field_is_outlined_though_one_side_is_spoilt() {
        let radius_mm = 15.0;
        let samples = (0..RINGS)
            .flat_map(|ring| {
                directions(RAYS).enumerate().map(move |(ray, outward)| {
                    let reach = part_of(ring) * radius_mm;
                    let is_field = (outward * reach - Vector::new(1.0, 0.5)).norm() < 11.0 && ray > 4;
                    Some(if is_field { [0.0, -2.0, -2.0] } else { [0.0; 3] })
                })
            })
            .collect();
        let contour =
            Face { samples, radius_mm }.contour(2.0, &(0.25..0.55), &FieldOptions::default()).unwrap();
        assert!((contour.offset - Vector::new(1.0, 0.5)).norm() < 0.5, "{contour:?}");
        assert!((contour.radius_mm - 11.0).abs() < 0.6 && contour.whole > 0.7, "{contour:?}");
    }

    /// A face that is `[0, -2, -2]` out to `cap_mm`, with a label of another colour out to `label_mm`.
    fn face_with_label(cap_mm: f64, label_mm: f64) -> Face {
        let radius_mm = 15.0;
        let samples = (0..RINGS)
            .flat_map(|ring| {
                let reach = part_of(ring) * radius_mm;
                let look = match reach {
                    _ if reach < label_mm => [0.5, 1.0, 1.0],
                    _ if reach < cap_mm => [0.0, -2.0, -2.0],
                    _ => [0.0; 3],
                };
                [Some(look); RAYS]
            })
            .collect();
        Face { samples, radius_mm }
    }

    #[test]
    fn a_label_in_the_middle_is_not_taken_for_the_field() {
        let options = FieldOptions::default();
        let contour = face_with_label(12.0, 4.5).contour(2.0, &(0.25..0.55), &options).unwrap();
        assert!((contour.radius_mm - 12.0).abs() < 1.0 && contour.whole > 0.9, "{contour:?}");
    }

    #[test]
    fn a_cap_shows_its_edge_where_the_board_file_has_it() {
        let options = FieldOptions::default();
        let face = face_with_label(12.9, 0.0);
        assert!(face.cap_edge(0.86, &options) > 0.9);
        assert!(face.cap_edge(0.65, &options) < 0.1, "a cap of another size");
    }
}
