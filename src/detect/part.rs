//! Pieces that something else, such as a hand, lies over in part.
//!
//! In: a sight that is no piece as a whole. Out: the edge beyond which its face is something else's, where one side of
//! it has a kind's colour and the other has not. What lies beyond does not count then.

use super::{
    DetectOptions,
    judge::Judge,
    kinds::square_apart,
    light::{Stops, brightness_and_hue, largest, minus},
    look::{Cover, directions},
    rim::Contrast,
    sight::Sight,
};
use crate::geometry::Vector;

/// What hides part of a face.
#[derive(Debug, Clone, Copy)]
pub struct Hidden {
    pub by: Cover,
    /// By how much the rest of the face differs from the surface.
    pub contrast: Contrast,
}

/// Directions in which an edge is tried, and its distances from the centre as parts of the radius.
const DIRECTIONS: usize = 24;
const OFFSETS: [f64; 9] = [-0.6, -0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.45, 0.6];
/// Rounds in which samples are parted into two sorts.
const ROUNDS: usize = 5;

impl Judge<'_> {
    /// What hides part of a sight's face, if the rest has a kind's colour.
    pub fn hidden_part(&self, sight: &Sight) -> Option<Hidden> {
        let options = self.options;
        let samples = sight.face.between(options.face_radii.start, options.sure_face_reach);
        let (offsets, looks): (Vec<Vector>, Vec<Stops>) = samples
            .map(|(offset, stops)| {
                (offset, self.against_surface(self.look.light.stops_from_soft(stops), sight))
            })
            .unzip();
        // Most sights show no hue to speak of, and need no closer look: half of the own side has what its median has.
        let has_hue = |look: &&Stops| largest(brightness_and_hue(**look).1) >= options.part_hue_min;
        let hued = looks.iter().filter(has_hue).count() as f32;
        if hued < options.part_face_min / 2.0 * looks.len() as f32 {
            return None;
        }
        let of_second = two_sorts(&looks, options)?;
        let edge =
            straight_edge(&offsets.into_iter().zip(of_second).collect::<Vec<_>>(), sight.solid.radius_mm)?;
        if edge.agreeing < options.part_straight_min {
            return None;
        }
        let at = sight.rim.centre + edge.outward * edge.offset_mm;
        // Which side is the piece's own, its colour tells.
        let sides = [(edge.outward, edge.first), (-edge.outward, 1.0 - edge.first)];
        let can_be_own = sides.into_iter().filter(|(_, part)| *part >= options.part_face_min);
        let own = can_be_own.filter_map(|(outward, _)| {
            let by = Cover::Beyond { at, outward };
            let look = self.look_beside(sight, &[by])?;
            let beyond = self.look_beside(sight, &[Cover::Beyond { at, outward: -outward }])?;
            let (distance, contrast) = (self.distance(sight.size, look), Contrast::of(look, options));
            // Shadows, pockets and wear have round edges too, but no hue; what shows the board beyond is a half disc.
            let (_, hue) = brightness_and_hue(look);
            let is_of_piece = largest(hue) >= options.part_hue_min && distance <= options.kind_distance_max;
            let is_other = largest(minus(look, beyond)) >= options.uneven_step;
            let is_hidden = is_other && largest(beyond) >= options.face_step_min;
            (is_of_piece && is_hidden).then_some((distance, Hidden { by, contrast }))
        });
        own.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, hidden)| hidden)
    }
}

/// Which of two sorts each look is of, whether of the second: those that are nearer to its mean. None where all are alike.
fn two_sorts(looks: &[Stops], options: &DetectOptions) -> Option<Vec<bool>> {
    let apart = |a: Stops, b: Stops| square_apart(a, b, options);
    let farthest_from =
        |from: Stops| looks.iter().copied().max_by(|a, b| apart(*a, from).total_cmp(&apart(*b, from)));
    let first = farthest_from(*looks.first()?)?;
    let mut means = [first, farthest_from(first)?];
    let mut of_second = vec![false; looks.len()];
    for _ in 0..ROUNDS {
        for (sort, look) in of_second.iter_mut().zip(looks) {
            *sort = apart(*look, means[1]) < apart(*look, means[0]);
        }
        for (which, mean) in means.iter_mut().enumerate() {
            let own = || looks.iter().zip(&of_second).filter(|(_, sort)| usize::from(**sort) == which);
            let count = own().count();
            if count == 0 {
                return None;
            }
            *mean = std::array::from_fn(|c| own().map(|(look, _)| look[c]).sum::<f32>() / count as f32);
        }
    }
    Some(of_second)
}

/// A straight edge between samples of two sorts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Edge {
    /// Toward the second sort.
    outward: Vector,
    /// From the centre.
    offset_mm: f64,
    /// Part of the samples that lie on their sort's side of it.
    agreeing: f32,
    /// Part of the samples that lie on the first sort's side.
    first: f32,
}

/// The edge that best parts samples, each with whether it is of the second sort.
fn straight_edge(samples: &[(Vector, bool)], radius_mm: f64) -> Option<Edge> {
    let count = samples.len() as f32;
    let tried = directions(DIRECTIONS).flat_map(|outward| OFFSETS.map(|part| (outward, part * radius_mm)));
    let edges = tried.map(|(outward, offset_mm)| {
        let (mut agreeing, mut first) = (0, 0);
        for (at, is_second) in samples {
            let is_beyond = at.dot(&outward) > offset_mm;
            agreeing += usize::from(is_beyond == *is_second);
            first += usize::from(!is_beyond);
        }
        Edge { outward, offset_mm, agreeing: agreeing as f32 / count, first: first as f32 / count }
    });
    edges.max_by(|a, b| a.agreeing.total_cmp(&b.agreeing))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const RADIUS_MM: f64 = 30.0;

    fn disc(is_second: impl Fn(Vector) -> bool) -> Vec<(Vector, bool)> {
        let rings =
            (1..8).flat_map(|ring| directions(24).map(move |outward| outward * (f64::from(ring) / 8.0)));
        rings.map(|at| (at * RADIUS_MM, is_second(at))).collect()
    }

    #[test]
    fn a_straight_edge_is_found_where_it_is() {
        let outward = Vector::new(0.6, 0.8);
        let edge = straight_edge(&disc(|at| at.dot(&outward) > 0.2), RADIUS_MM).unwrap();
        assert!(edge.outward.dot(&outward) > 0.95 && (edge.offset_mm - 6.0).abs() < 5.0, "{edge:?}");
        assert!(edge.agreeing > 0.95 && (0.5..0.7).contains(&edge.first), "{edge:?}");
    }

    #[test]
    fn a_spotted_face_has_none_to_speak_of() {
        let spotted =
            straight_edge(&disc(|at| (at.x * 9.0).sin() * (at.y * 9.0).sin() > 0.0), RADIUS_MM).unwrap();
        assert!(spotted.agreeing < 0.75, "{spotted:?}");
    }

    #[test]
    fn looks_are_parted_by_what_they_are_nearer_to() {
        let looks = [[-2.0, -2.1, -1.0], [0.5, 0.4, 0.3], [-2.5, -2.2, -1.4], [0.2, 0.3, 0.6]];
        let options = DetectOptions::default();
        let sorts = two_sorts(&looks, &options).unwrap();
        assert!(sorts == [false, true, false, true] || sorts == [true, false, true, false], "{sorts:?}");
        assert_eq!(two_sorts(&[[0.5; 3]; 4], &options), None);
        assert_eq!(two_sorts(&[], &options), None);
    }
}
