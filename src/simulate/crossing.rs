//! How an outline crosses a pixel: the share of the pixel on either side of it.
//!
//! In: what is shown at any place of the pixel. Out: whether something begins or ends in it, and if
//! one outline parts it in two, how much each part covers. The pixel's border is walked; where what
//! it shows changes, the outline enters or leaves, and is found by halving. Between the two places
//! it is a shallow arc.

use super::trace::PART_BITS;

/// Corners and middles of the sides of a pixel, in order around it.
pub const PX_CORNERS: [[f64; 2]; 8] =
    [[-0.5, -0.5], [0.0, -0.5], [0.5, -0.5], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5], [-0.5, 0.5], [-0.5, 0.0]];
/// Halvings of half a pixel's side: to 0.001 px.
const SIDE_HALVINGS: usize = 8;
/// The outline's arc rises no more than this above its chord, in pixels; one that does is tangled.
const MOST_RISE_PX: f64 = 0.15;
/// Halvings of that rise, to 0.002 px.
const RISE_HALVINGS: usize = 7;
/// Arcs over shorter chords than this, in pixels, are straight to 0.001 px.
const SHORT_CHORD_PX: f64 = 0.3;

/// What crosses a pixel. Things are told apart by a key without its part bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Crossing {
    /// One thing, one part of it.
    Missed,
    /// One thing, several parts of it.
    Creased,
    /// Two things with one outline between them; the corners are places where each is seen.
    Parted { inner: u32, outer: u32, inner_share: f64, inner_corner: usize, outer_corner: usize },
    /// More than that.
    Tangled,
}

impl Crossing {
    /// `middle`: the key of the pixel's middle; `shown`: that of any place, relative to it.
    pub fn of_pixel(middle: u32, shown: impl Fn([f64; 2]) -> Option<u32>) -> Self {
        let mut corners = [0; 8];
        for (key, place) in corners.iter_mut().zip(PX_CORNERS) {
            let Some(seen) = shown(place) else { return Self::Tangled };
            *key = seen;
        }
        let thing = |key: u32| key >> PART_BITS;
        if corners.iter().all(|key| thing(*key) == thing(middle)) {
            return if corners.iter().all(|key| *key == middle) { Self::Missed } else { Self::Creased };
        }
        let changes = || (0..8).filter(|i| thing(corners[*i]) != thing(corners[(i + 1) % 8]));
        let [Some(enters), Some(leaves), None] = ({
            let mut changes = changes();
            [changes.next(), changes.next(), changes.next()]
        }) else {
            return Self::Tangled;
        };
        let (inner_corner, outer_corner) = ((enters + 1) % 8, enters);
        let (inner, outer) = (thing(corners[inner_corner]), thing(corners[outer_corner]));
        let others = |key: u32| thing(key) != inner && thing(key) != outer;
        if others(middle) || corners.iter().any(|key| others(*key)) {
            return Self::Tangled;
        }
        let is_inner = |place: [f64; 2]| shown(place).is_some_and(|key| thing(key) == inner);
        let between = |from: [f64; 2], to: [f64; 2], halvings: usize| {
            let (mut low, mut high) = (0.0, 1.0);
            let at = |t: f64| [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
            for _ in 0..halvings {
                let half = (low + high) / 2.0;
                if is_inner(at(half)) { high = half } else { low = half }
            }
            at((low + high) / 2.0)
        };
        let first = between(PX_CORNERS[enters], PX_CORNERS[inner_corner], SIDE_HALVINGS);
        let last = between(PX_CORNERS[(leaves + 1) % 8], PX_CORNERS[leaves], SIDE_HALVINGS);
        let mut outline = vec![first];
        outline.extend((inner_corner..=leaves).map(|i| PX_CORNERS[i]));
        outline.push(last);
        let mut inner_share = polygon_area(&outline);
        let (dx, dy) = (last[0] - first[0], last[1] - first[1]);
        let chord = (dx * dx + dy * dy).sqrt();
        if chord > SHORT_CHORD_PX {
            let (ox, oy) = (dy / chord * MOST_RISE_PX, -dx / chord * MOST_RISE_PX);
            let (mx, my) = ((first[0] + last[0]) / 2.0, (first[1] + last[1]) / 2.0);
            let (far, near) = ([mx + ox, my + oy], [mx - ox, my - oy]);
            let (far, near) = if is_inner(far) { (near, far) } else { (far, near) };
            if is_inner(far) || !is_inner(near) {
                return Self::Tangled;
            }
            let top = between(far, near, RISE_HALVINGS);
            let rise = ((top[0] - mx) * (far[0] - mx) + (top[1] - my) * (far[1] - my)) / MOST_RISE_PX;
            inner_share += 2.0 / 3.0 * chord * rise;
        }
        Self::Parted { inner, outer, inner_share: inner_share.clamp(0.0, 1.0), inner_corner, outer_corner }
    }
}

fn polygon_area(corners: &[[f64; 2]]) -> f64 {
    let mut twice = 0.0;
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    twice.abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSIDE: u32 = 9 << PART_BITS;
    const OUTSIDE: u32 = 1 << PART_BITS;

    /// The share of a disc in the pixel, by brute force.
    fn brute_share(centre: [f64; 2], radius: f64) -> f64 {
        let n = 600;
        let place = |i: usize| (i as f64 + 0.5) / n as f64 - 0.5;
        let inside = |i: usize| (place(i % n) - centre[0]).hypot(place(i / n) - centre[1]) < radius;
        (0..n * n).filter(|i| inside(*i)).count() as f64 / (n * n) as f64
    }

    #[test]
    fn the_share_of_a_disc_is_exact() {
        let mut parted = 0;
        for i in 0..200 {
            let f = f64::from(i);
            let radius = 8.0 + 0.2 * f;
            let angle = 0.71 * f;
            let away = radius + 0.9 * (1.3 * f).sin();
            let centre = [away * angle.cos(), away * angle.sin()];
            let shown = |[u, v]: [f64; 2]| {
                Some(if (u - centre[0]).hypot(v - centre[1]) < radius { INSIDE } else { OUTSIDE })
            };
            let middle = shown([0.0, 0.0]).expect("always seen");
            let share = match Crossing::of_pixel(middle, shown) {
                Crossing::Missed => f64::from(u8::from(middle == INSIDE)),
                Crossing::Parted { inner, inner_share, inner_corner, outer_corner, .. } => {
                    parted += 1;
                    assert_eq!(shown(PX_CORNERS[inner_corner]).map(|key| key >> PART_BITS), Some(inner));
                    assert_ne!(shown(PX_CORNERS[outer_corner]).map(|key| key >> PART_BITS), Some(inner));
                    if inner == INSIDE >> PART_BITS { inner_share } else { 1.0 - inner_share }
                }
                other => panic!("case {i}: one disc is {other:?}"),
            };
            assert!((share - brute_share(centre, radius)).abs() < 4e-3, "case {i}");
        }
        assert!(parted > 60, "{parted}");
    }

    #[test]
    fn three_things_are_tangled_and_parts_of_one_creased() {
        let quarters = |[u, v]: [f64; 2]| {
            Some(match (u > 0.1, v > 0.1) {
                (true, _) => INSIDE,
                (false, true) => OUTSIDE,
                (false, false) => 5 << PART_BITS,
            })
        };
        assert_eq!(Crossing::of_pixel(5 << PART_BITS, quarters), Crossing::Tangled);
        let creased = |[u, _]: [f64; 2]| Some(if u > 0.0 { INSIDE } else { INSIDE | 2 });
        assert_eq!(Crossing::of_pixel(INSIDE, creased), Crossing::Creased);
        assert_eq!(Crossing::of_pixel(INSIDE, |_| Some(INSIDE)), Crossing::Missed);
    }
}
