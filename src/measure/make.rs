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
    /// Share of the outline, and of the best cap's contour, that shows its contrast.
    pub outline_score: f64,
    pub cap_score: f64,
}

impl Signs {
    /// The ring's colour difference from the face against that of the board.
    pub fn ring_contrast(colours: &Colours) -> f64 {
        let distance =
            |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f32>().sqrt();
        f64::from(distance(colours.face, colours.ring) / distance(colours.face, colours.board).max(1e-6))
    }

    fn vote(&self, options: &MeasureOptions) -> f64 {
        let ring = (self.ring_contrast - options.cap_ring_contrast).clamp(-0.5, 0.5);
        ring + (self.cap_score - self.outline_score).clamp(-0.5, 0.5) * options.cap_score_weight
    }
}

/// Whether the pieces that gave these signs have caps, given what the board file says of them.
pub(super) fn is_capped(make: Make, signs: &[Signs], options: &MeasureOptions) -> bool {
    match make {
        Make::Cap { .. } => true,
        Make::Plain | Make::Groove => false,
        Make::Any => {
            let mut votes: Vec<f64> = signs.iter().map(|s| s.vote(options)).collect();
            let middle = votes.len() / 2;
            !votes.is_empty() && *votes.select_nth_unstable_by(middle, f64::total_cmp).1 > 0.0
        }
    }
}
