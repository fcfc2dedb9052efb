//! How a set of pieces is made: solid, or with a coloured cap on a metal ring.
//!
//! In: the pieces of one size in one picture. Out: whether they have caps. A set is made alike, so
//! its pieces vote; one piece with glare on it does not turn into a capped one.

use super::{MeasureOptions, subject::Colours};
use crate::board::Make;

/// What one piece shows of its make.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signs {
    /// How far the ring just inside the rim stands out from the face, against the board doing so.
    pub ring_contrast: f64,
    /// The same difference against the brighter of the two: grooves darken a face a little, metal is another
    /// colour.
    pub ring_change: f64,
    /// Share of the outline, and of the best cap's contour, that shows its contrast.
    pub outline_score: f64,
    pub cap_score: f64,
}

impl Signs {
    /// The ring's colour difference from the face against that of the board; 0 where the ring is
    /// the more colourful of the two: metal is grey, and it is glare that washes out a face.
    pub fn ring_contrast(colours: &Colours) -> f64 {
        if saturation(colours.ring) > saturation(colours.face) {
            return 0.0;
        }
        let distance =
            |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f32>().sqrt();
        f64::from(distance(colours.face, colours.ring) / distance(colours.face, colours.board).max(1e-6))
    }

    /// The ring's colour difference from the face against the brighter of the two.
    pub fn ring_change(colours: &Colours) -> f64 {
        let length = |light: [f32; 3]| light.iter().map(|v| v * v).sum::<f32>().sqrt();
        let difference = std::array::from_fn(|i| colours.face[i] - colours.ring[i]);
        f64::from(length(difference) / length(colours.face).max(length(colours.ring)).max(1e-6))
    }

    fn vote(&self, options: &MeasureOptions) -> f64 {
        let ring = (self.ring_contrast - options.cap_ring_contrast)
            .min(self.ring_change - options.cap_ring_change)
            .clamp(-0.5, 0.5);
        ring + (self.cap_score - self.outline_score).clamp(-0.5, 0.5) * options.cap_score_weight
    }
}

/// How colourful a light is: 0 grey, 1 without any grey in it.
fn saturation(light: [f32; 3]) -> f32 {
    let (least, most) = light.iter().fold((f32::MAX, f32::MIN), |(a, b), &v| (a.min(v), b.max(v)));
    if most > 0.0 { 1.0 - least / most } else { 0.0 }
}

/// Whether the pieces that gave these signs have caps, given what the board file says of them.
pub(super) fn is_capped(make: Make, signs: &[Signs], options: &MeasureOptions) -> bool {
    match make {
        Make::Cap { .. } => true,
        Make::Plain | Make::Groove => false,
        Make::Any => {
            let mut votes: Vec<f64> = signs.iter().map(|s| s.vote(options)).collect();
            // The lower of two middle votes: caps take a majority.
            let middle = votes.len().saturating_sub(1) / 2;
            !votes.is_empty() && *votes.select_nth_unstable_by(middle, f64::total_cmp).1 > 0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WOOD: [f32; 3] = [0.55, 0.4, 0.22];

    #[test]
    fn metal_around_a_cap_stands_out_and_a_rim_around_glare_does_not() {
        let cap = Colours { face: [0.5, 0.03, 0.03], ring: [0.4, 0.4, 0.42], board: WOOD };
        let glare = Colours { face: [0.45, 0.5, 0.7], ring: [0.05, 0.09, 0.4], board: WOOD };
        assert!(Signs::ring_contrast(&cap) > MeasureOptions::default().cap_ring_contrast);
        assert_eq!(Signs::ring_contrast(&glare), 0.0);
        assert!(Signs::ring_change(&cap) > MeasureOptions::default().cap_ring_change);
    }

    #[test]
    fn grooves_of_pale_men_are_no_caps() {
        // White men on a board that is nearly as light: the grooves darken the face, not the rim.
        let man =
            Colours { face: [0.266, 0.205, 0.148], ring: [0.308, 0.241, 0.173], board: [0.199, 0.151, 0.08] };
        let signs = Signs {
            ring_contrast: Signs::ring_contrast(&man),
            ring_change: Signs::ring_change(&man),
            outline_score: 0.85,
            cap_score: 0.97,
        };
        let options = MeasureOptions::default();
        assert!(signs.ring_contrast > options.cap_ring_contrast);
        assert!(!is_capped(Make::Any, &[signs; 3], &options));
    }

    #[test]
    fn one_glaring_piece_is_outvoted_by_its_set() {
        let plain = Signs { ring_contrast: 0.05, ring_change: 0.05, outline_score: 0.9, cap_score: 0.0 };
        let odd = Signs { ring_contrast: 0.9, ring_change: 0.6, outline_score: 0.2, cap_score: 0.9 };
        let options = MeasureOptions::default();
        assert!(!is_capped(Make::Any, &[plain, odd, plain], &options));
        assert!(is_capped(Make::Any, &[odd, plain, odd], &options));
        assert!(!is_capped(Make::Any, &[odd, plain], &options), "a tie is no majority");
        assert!(is_capped(Make::Cap { diameter_mm: None }, &[plain], &options));
    }
}
