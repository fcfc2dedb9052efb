//! The top face of a solid in the full picture.
//!
//! In: a place and a solid. Out: [`Face`]: samples in concentric rings, and the contour of what lies
//! in its middle: a cap, or the field inside a groove. Both are concentric with the piece, and
//! their edges are sharp where a metal ring's are not.

use std::{ops::Range, sync::LazyLock};

use nalgebra::{Matrix3, Vector3};

use super::{
    FieldOptions,
    light::{Light, Stops, pixel_at},
    look::{Look, Solid, directions},
    values::Values,
};
use crate::{
    camera::PlaneView,
    geometry::{Point, Vector},
};

/// Samples of a top face.
#[derive(Debug, Clone)]
pub struct Face<'a> {
    light: &'a Light,
    /// From the middle.
    rings: Vec<Ring>,
    radius_mm: f64,
}

/// What is seen along a circle, ray after ray.
#[derive(Debug, Clone)]
struct Ring {
    /// Values of the pixels, a channel.
    values: [[u8; RAYS]; 3],
    is_seen: [bool; RAYS],
}

/// Soft stops of a ring's pixels, a channel.
type RingStops = [[f32; RAYS]; 3];

impl Ring {
    fn pixel(&self, ray: usize) -> [u8; 3] {
        self.values.each_ref().map(|channel| channel[ray])
    }

    /// Adds some of the ring's pixels.
    fn gather(&self, is_wanted: &[bool; RAYS], values: &mut Values) {
        if *is_wanted == [true; RAYS] {
            values.extend(&self.values);
            return;
        }
        for (ray, _) in is_wanted.iter().enumerate().filter(|(_, is_wanted)| **is_wanted) {
            values.extend(&self.pixel(ray).map(|value| [value]));
        }
    }
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

impl<'a> Look<'a> {
    /// Reads the face of a solid at `centre`.
    pub fn face(&self, centre: Point, solid: Solid) -> Option<Face<'a>> {
        let middle = self.pixel(centre, solid.top_mm())?;
        let px_by_mm = PlaneView::new(self.camera, solid.top_mm()).pixel_by_point(centre);
        let outward_px = RAY_DIRECTIONS.map(|ray| px_by_mm * ray * solid.radius_mm);
        let is_inside = outward_px.iter().all(|outward| self.is_in_picture(middle + outward * REACH));
        let mut rings = Vec::with_capacity(RINGS);
        for ring in 0..RINGS {
            let part = part_of(ring);
            let u = outward_px.map(|outward| (middle.x + outward.x * part) as f32);
            let v = outward_px.map(|outward| (middle.y + outward.y * part) as f32);
            let mut ring = Ring { values: [[0; RAYS]; 3], is_seen: [is_inside; RAYS] };
            if is_inside {
                self.read_pixels(u, v, |ray, pixel| (0..3).for_each(|c| ring.values[c][ray] = pixel[c]));
            } else {
                for (ray, (&u, &v)) in u.iter().zip(&v).enumerate() {
                    if let Some(pixel) = pixel_at(self.picture, u, v) {
                        (0..3).for_each(|c| ring.values[c][ray] = pixel[c]);
                        ring.is_seen[ray] = true;
                    }
                }
            }
            rings.push(ring);
        }
        Some(Face { light: self.light, rings, radius_mm: solid.radius_mm })
    }
}

/// Radius of a ring as part of the piece's.
fn part_of(ring: usize) -> f64 {
    REACH * (ring as f64 + 0.7) / RINGS as f64
}

impl Face<'_> {
    /// Rings between two parts of the radius, with their own.
    fn rings_between(&self, inner: f64, outer: f64) -> impl Iterator<Item = (f64, &Ring)> {
        let rings = self.rings.iter().enumerate().map(|(ring, samples)| (part_of(ring), samples));
        rings.filter(move |(part, _)| (inner..=outer).contains(part))
    }

    /// Samples, in soft stops, between two parts of the radius that are in the picture, with their
    /// offset from the centre on the board.
    pub fn between(&self, inner: f64, outer: f64) -> impl Iterator<Item = (Vector, Stops)> {
        self.rings_between(inner, outer).flat_map(move |(part, ring)| {
            let reach = part * self.radius_mm;
            let seen = RAY_DIRECTIONS.iter().enumerate().filter(|(ray, _)| ring.is_seen[*ray]);
            seen.map(move |(ray, outward)| (outward * reach, self.light.soft_of_pixel(&ring.pixel(ray))))
        })
    }

    /// Median, in soft stops, between two parts of the radius.
    pub fn median_between(&self, inner: f64, outer: f64) -> Option<Stops> {
        let mut values = Values::new();
        self.rings_between(inner, outer).for_each(|(_, ring)| ring.gather(&ring.is_seen, &mut values));
        self.median_of(&values)
    }

    /// The same of what is not hidden, by its offset from the centre, and how many samples that are.
    pub fn median_of_visible(
        &self,
        inner: f64,
        outer: f64,
        is_hidden: impl Fn(Vector) -> bool,
    ) -> (usize, Option<Stops>) {
        let mut values = Values::new();
        for (part, ring) in self.rings_between(inner, outer) {
            ring.gather(&self.visible(part, ring, &is_hidden), &mut values);
        }
        (values.len(), self.median_of(&values))
    }

    fn median_of(&self, values: &Values) -> Option<Stops> {
        values.median().map(|pixel| self.light.soft_of_pixel(&pixel))
    }

    /// Which samples of a ring at `part` of the radius are seen and not hidden.
    fn visible(&self, part: f64, ring: &Ring, is_hidden: impl Fn(Vector) -> bool) -> [bool; RAYS] {
        let (rays, reach) = (&*RAY_DIRECTIONS, part * self.radius_mm);
        std::array::from_fn(|ray| ring.is_seen[ray] && !is_hidden(rays[ray] * reach))
    }

    /// Soft stops of a ring's pixels, a channel.
    #[inline]
    fn stops_of(&self, ring: &Ring) -> RingStops {
        let tables = self.light.soft_tables();
        std::array::from_fn(|c| ring.values[c].map(|value| tables[c][usize::from(value)]))
    }

    /// The outline of the field that the face shows at the radii `own`; `None` where there is none to speak
    /// of. `contrast`: by how much the face differs from what is around it, in stops.
    pub fn contour(&self, contrast: f32, own: &Range<f64>, options: &FieldOptions) -> Option<Contour> {
        let step = options.step.min(options.pale_step * contrast);
        // The middle is the field's own even where the place is off its centre; but a label is not.
        let centre = self.median_between(0.0, own.start)?;
        let around = self.median_between(own.start, own.end)?;
        let middle = if differs(centre, around, step) { around } else { centre };
        let first_ring = (1..RINGS).find(|&ring| part_of(ring) > own.start)?;
        let differs = |ring: usize, ray: usize| {
            let ring = &self.rings[ring];
            !ring.is_seen[ray] || differs(self.light.soft_of_pixel(&ring.pixel(ray)), middle, step)
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

impl Face<'_> {
    /// Part of the face that differs by more than `tolerance` stops from what lies at the same distance
    /// from its centre. Grooves, caps and labels are round; print that happens to have a round outline is
    /// not. `is_hidden` tells by its offset from the centre what is not the face's own.
    pub fn uneven(&self, tolerance: f32, is_hidden: impl Fn(Vector) -> bool) -> f32 {
        let (mut uneven, mut count) = (0.0_f32, 0.0_f32);
        let rings = self.rings.iter().enumerate().map(|(ring, samples)| (part_of(ring), samples));
        for (part, ring) in rings.filter(|(part, _)| EVEN_PARTS.contains(part)) {
            let is_own = self.visible(part, ring, &is_hidden);
            let mut values = Values::new();
            ring.gather(&is_own, &mut values);
            let Some(middle) = self.median_of(&values) else { continue };
            let is_uneven = differing(&self.stops_of(ring), &middle.map(|stops| [stops; RAYS]), tolerance);
            count += values.len() as f32;
            uneven += is_own.iter().zip(is_uneven).filter(|(own, uneven)| **own && *uneven).count() as f32;
        }
        if count > 0.0 { uneven / count } else { 0.0 }
    }

    /// Which samples of a ring lie at an edge across it.
    fn edges_of(&self, ring: usize, step: f32) -> [bool; RAYS] {
        let stops = [ring - 1, ring + 1].map(|beside| self.stops_of(&self.rings[beside]));
        self.edges_between(ring, stops.each_ref(), step)
    }

    /// The same where the soft stops of the rings on either side are known.
    #[inline]
    fn edges_between(&self, ring: usize, stops: [&RingStops; 2], step: f32) -> [bool; RAYS] {
        let (inner, outer) = (&self.rings[ring - 1], &self.rings[ring + 1]);
        let is_edge = differing(stops[0], stops[1], step);
        std::array::from_fn(|ray| is_edge[ray] & inner.is_seen[ray] & outer.is_seen[ray])
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
        (1..RINGS - 1)
            .filter(|&ring| radii.contains(&part_of(ring)))
            .map(|ring| self.edges_of(ring, options.step).iter().filter(|edge| **edge).count())
            .fold(0.0, |most, edges| (edges as f32 / RAYS as f32).max(most))
    }

    /// The circle within the face along which most of it shows an edge: the outline of a field
    /// that gloss or a numeral has spoilt.
    pub fn concentric_edge(&self, options: &FieldOptions) -> Option<Contour> {
        let ring_mm = REACH / RINGS as f64 * self.radius_mm;
        let mut edges = [[0_u8; EDGE_PAD + RINGS + EDGE_PAD]; RAYS];
        // Each ring lies beside two others.
        let stops: Vec<RingStops> = self.rings.iter().map(|ring| self.stops_of(ring)).collect();
        for ring in 1..RINGS - 1 {
            let beside = [&stops[ring - 1], &stops[ring + 1]];
            for (ray, is_edge) in self.edges_between(ring, beside, options.step).into_iter().enumerate() {
                edges[ray][EDGE_PAD + ring] = u8::from(is_edge);
            }
        }
        let first = (options.radii.start * self.radius_mm / ring_mm) as usize;
        let last = ((options.radii.end * self.radius_mm / ring_mm) as usize).min(RINGS - 2);
        let mut best: Option<(u8, i32, Contour)> = None;
        for search in EDGE_MOVES.iter() {
            // For every ring, how many rays have an edge where the moved circle meets them.
            let mut on = [0_u8; RINGS];
            for (ray, &first) in edges.iter().zip(&search.first) {
                if let Some(moved) = ray[usize::from(first)..].first_chunk::<RINGS>() {
                    on.iter_mut().zip(moved).for_each(|(on, edge)| *on += edge);
                }
            }
            let rings = || on.iter().copied().enumerate().take(last + 1).skip(first);
            // Most moves can be told from their best ring.
            let most_here = rings().map(|(_, on)| on).max().unwrap_or(0);
            if best.as_ref().is_some_and(|(most, ..)| most_here < *most) {
                continue;
            }
            for (ring, on) in rings() {
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

/// Whether two looks differ by more than `step` stops in a channel.
#[inline]
fn differs(a: Stops, b: Stops, step: f32) -> bool {
    (0..3).fold(false, |differs, c| differs | ((a[c] - b[c]).abs() > step))
}

/// The same for many looks.
#[inline]
fn differing(a: &RingStops, b: &RingStops, step: f32) -> [bool; RAYS] {
    std::array::from_fn(|ray| {
        differs([a[0][ray], a[1][ray], a[2][ray]], [b[0][ray], b[1][ray], b[2][ray]], step)
    })
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

    /// Colours of a board, of a cap on it, and of a label on that.
    const BOARD: [u8; 3] = [140, 140, 140];
    const CAP: [u8; 3] = [140, 30, 30];
    const LABEL: [u8; 3] = [200, 230, 230];

    fn light() -> Light {
        Light::new([0.26; 3], 0.06)
    }

    /// A face whose pixels are told by ring and ray.
    fn face(light: &Light, pixel: impl Fn(usize, usize) -> [u8; 3]) -> Face<'_> {
        let ring = |ring: usize| Ring {
            values: std::array::from_fn(|c| std::array::from_fn(|ray| pixel(ring, ray)[c])),
            is_seen: [true; RAYS],
        };
        Face { light, rings: (0..RINGS).map(ring).collect(), radius_mm: 15.0 }
    }

    #[test]
    fn a_field_is_outlined_though_one_side_is_spoilt() {
        let light = light();
        let face = face(&light, |ring, ray| {
            let at = RAY_DIRECTIONS[ray] * (part_of(ring) * 15.0);
            let is_field = (at - Vector::new(1.0, 0.5)).norm() < 11.0 && ray > 4;
            if is_field { CAP } else { BOARD }
        });
        let contour = face.contour(2.0, &(0.25..0.55), &FieldOptions::default()).unwrap();
        assert!((contour.offset - Vector::new(1.0, 0.5)).norm() < 0.5, "{contour:?}");
        assert!((contour.radius_mm - 11.0).abs() < 0.6 && contour.whole > 0.7, "{contour:?}");
    }

    /// A face with a cap out to `cap_mm`, and a label on it out to `label_mm`.
    fn face_with_label(light: &Light, cap_mm: f64, label_mm: f64) -> Face<'_> {
        face(light, |ring, _| match part_of(ring) * 15.0 {
            reach if reach < label_mm => LABEL,
            reach if reach < cap_mm => CAP,
            _ => BOARD,
        })
    }

    #[test]
    fn a_label_in_the_middle_is_not_taken_for_the_field() {
        let options = FieldOptions::default();
        let light = light();
        let contour = face_with_label(&light, 12.0, 4.5).contour(2.0, &(0.25..0.55), &options).unwrap();
        assert!((contour.radius_mm - 12.0).abs() < 1.0 && contour.whole > 0.9, "{contour:?}");
    }

    #[test]
    fn a_cap_shows_its_edge_where_the_board_file_has_it() {
        let options = FieldOptions::default();
        let light = light();
        let face = face_with_label(&light, 12.9, 0.0);
        assert!(face.cap_edge(0.86, &options) > 0.9);
        assert!(face.cap_edge(0.65, &options) < 0.1, "a cap of another size");
    }
}
