//! Of the places where a line was seen, those that stand on one smooth curve.
//!
//! In: how far beside its expected place a line was seen, place by place along it. Out: which places agree. A wide search
//! for faint paint finds grain, numerals and wax as often as the line; but where paint was found, it runs on, and what is
//! found by chance does not.

use nalgebra::{Matrix3, Vector3};

/// A place on a line: what its own shifts do to it here, and how far beside the expected middle paint was seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub shape: [f64; 3],
    pub offset_px: f64,
}

impl Place {
    /// `basis`: how a line's own offsets move it here. A straight line may also be bent, by a lens that is not known yet.
    pub fn new(basis: [f64; 3], offset_px: f64) -> Self {
        let [a, b, c] = basis;
        Self { shape: if c == 0.0 { [a, b, a * b] } else { basis }, offset_px }
    }
}

/// Curves that are tried: with one place in three true, one in thirty of them is.
const CURVES: usize = 200;
/// Places that a curve goes through, and the fewest of a line that can be told apart by it.
const THROUGH: usize = 3;
const LEAST_PLACES: usize = 2 * THROUGH;

/// For each place whether it lies within `within_px` of the curve that most places agree on.
pub(super) fn agreeing(places: &[Place], within_px: f64) -> Vec<bool> {
    if places.len() < LEAST_PLACES {
        return vec![true; places.len()];
    }
    let off = |curve: &Vector3<f64>, place: &Place| Vector3::from(place.shape).dot(curve) - place.offset_px;
    let agreement = |curve: &Vector3<f64>| -> f64 {
        places.iter().map(|place| (1.0 - (off(curve, place) / within_px).powi(2)).max(0.0)).sum()
    };
    let mut next = 1_u64;
    let mut pick = |count: usize| {
        // The usual numbers of Knuth's generator; the same every time.
        next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((next >> 33) as usize) % count
    };
    let mut best: Option<(f64, Vector3<f64>)> = None;
    for _ in 0..CURVES {
        let through = [(); THROUGH].map(|()| places[pick(places.len())]);
        let shapes = Matrix3::from_rows(&through.map(|place| Vector3::from(place.shape).transpose()));
        let offsets = Vector3::from(through.map(|place| place.offset_px));
        let Some(curve) = shapes.lu().solve(&offsets) else { continue };
        let agreement = agreement(&curve);
        if best.is_none_or(|(most, _)| agreement > most) {
            best = Some((agreement, curve));
        }
    }
    let Some((_, curve)) = best else { return vec![true; places.len()] };
    places.iter().map(|place| off(&curve, place).abs() <= within_px).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faint_line_is_told_from_twice_as_many_places_of_grain() {
        let places: Vec<Place> = (0..120)
            .map(|i| {
                let share = f64::from(i) / 119.0;
                let on_line = i % 3 == 0;
                let line_px = 6.0 - 9.0 * share + 5.0 * share * (1.0 - share);
                let grain_px = 40.0 * (f64::from(i) * 2.7).sin();
                let offset_px = if on_line { line_px + (f64::from(i) * 1.3).sin() } else { grain_px };
                Place::new([1.0 - share, share, 0.0], offset_px)
            })
            .collect();
        let agree = agreeing(&places, 3.0);
        let (mut of_line, mut of_grain) = (0, 0);
        for (i, agrees) in agree.iter().enumerate() {
            let list = if i % 3 == 0 { &mut of_line } else { &mut of_grain };
            *list += usize::from(*agrees);
        }
        assert!(of_line >= 38, "{of_line} of 40");
        assert!(of_grain <= 12, "{of_grain} of 80");
    }

    #[test]
    fn all_places_of_a_ring_that_lies_elsewhere_agree() {
        let places: Vec<Place> = (0..40)
            .map(|i| {
                let (sin, cos) = (f64::from(i) / 40.0 * std::f64::consts::TAU).sin_cos();
                Place::new([cos, sin, 1.0], 4.0 * cos - 7.0 * sin + 1.0)
            })
            .collect();
        assert!(agreeing(&places, 3.0).iter().all(|agrees| *agrees));
    }
}
