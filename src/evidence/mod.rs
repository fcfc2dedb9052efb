//! How likely a thing is a piece, by what it shows.
//!
//! In: the [`Evidence`] of a thing that was found, and whether it could be measured well. Out: a probability that is
//! calibrated on photos with truth: of the things that are given 0.9, nine in ten are there. The numbers are fitted, not
//! typed ([`fit`]); what they rest on is written into their file.

mod fit;
mod logistic;
mod reliability;
mod samples;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::detect::Evidence;

pub use fit::{FitError, FitReport, fit};
pub use reliability::{Bin, diagram, reliability};
pub use samples::{Sample, samples_of};

/// The fitted numbers that ship.
const SHIPPED: &str = include_str!("../../calibration/evidence.toml");

/// A thing that may be a piece.
#[derive(Debug, Clone, Copy)]
pub struct Thing {
    pub evidence: Evidence,
    /// Whether it could be measured well as a piece.
    pub is_trusted: bool,
}

/// A quantity's value.
type ValueOf = fn(&Thing) -> f64;

/// What is asked of a thing: a name, and its value.
const QUANTITIES: [(&str, ValueOf); 7] = [
    ("rim", |thing| thing.evidence.rim),
    ("unevenness", |thing| thing.evidence.unevenness),
    ("over-texture", |thing| thing.evidence.over_texture.clamp(-MOST_STOPS, MOST_STOPS)),
    ("kind-distance", |thing| thing.evidence.kind_distance.min(MOST_DISTANCE)),
    ("kind-distance-squared", |thing| thing.evidence.kind_distance.min(MOST_DISTANCE).powi(2)),
    ("own-hue", |thing| f64::from(u8::from(thing.evidence.has_hue))),
    ("measured-well", |thing| f64::from(u8::from(thing.is_trusted))),
];

/// Beyond these a quantity says no more.
const MOST_STOPS: f64 = 6.0;
const MOST_DISTANCE: f64 = 6.0;

/// Fitted weights, and what they rest on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Of the program that fitted them.
    pub version: String,
    /// The sets of photos, with their seeds where they are simulated.
    pub sets: Vec<String>,
    pub photos: usize,
    /// Places that were looked at, and those of them where a piece lies.
    pub places: usize,
    pub pieces: usize,
    /// Natural logarithm of the likelihood of what is true, a place: of photos that the fit did not see, and of a guess that
    /// knows only how many places have a piece.
    pub held_out_nats: f64,
    pub guess_nats: f64,
    /// Log odds of a thing that is usual in everything.
    pub usual_nats: f64,
    pub quantities: Vec<Weight>,
}

/// What a quantity says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    pub name: String,
    /// Its mean and its standard deviation over all places.
    pub usual: f64,
    pub spread: f64,
    /// What a standard deviation more adds to the log odds.
    pub nats: f64,
}

impl Weights {
    /// Those that ship with the program; `None` where their file is not of this version's quantities.
    pub fn shipped() -> Option<&'static Weights> {
        static WEIGHTS: OnceLock<Option<Weights>> = OnceLock::new();
        WEIGHTS.get_or_init(|| toml::from_str(SHIPPED).ok().filter(Weights::is_complete)).as_ref()
    }

    fn is_complete(&self) -> bool {
        self.quantities.iter().map(|weight| weight.name.as_str()).eq(QUANTITIES.iter().map(|(name, _)| *name))
    }

    /// How likely a piece lies there.
    pub fn p_exists(&self, thing: &Thing) -> f64 {
        let each = self.quantities.iter().zip(values(thing));
        let nats = each.map(|(weight, value)| weight.nats * (value - weight.usual) / weight.spread);
        logistic::probability(self.usual_nats + nats.sum::<f64>())
    }
}

/// The values of all quantities.
fn values(thing: &Thing) -> [f64; QUANTITIES.len()] {
    QUANTITIES.map(|(_, value)| value(thing))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const PLAIN: Evidence =
        Evidence { rim: 1.0, unevenness: 0.02, over_texture: 3.0, kind_distance: 0.6, has_hue: true };

    #[test]
    fn the_shipped_weights_are_of_this_version() {
        let weights = Weights::shipped().unwrap();
        assert!(weights.photos > 100 && weights.pieces > 500, "{weights:?}");
        assert!(weights.held_out_nats > weights.guess_nats, "they know more than a guess");
    }

    #[test]
    fn a_plain_piece_is_sure_and_what_lacks_something_is_less_so() {
        let weights = Weights::shipped().unwrap();
        let thing = |evidence: Evidence| Thing { evidence, is_trusted: true };
        let plain = weights.p_exists(&thing(PLAIN));
        assert!(plain > 0.99, "{plain}");
        for worse in [
            Evidence { rim: 0.6, ..PLAIN },
            Evidence { kind_distance: 3.5, ..PLAIN },
            Evidence { unevenness: 0.6, ..PLAIN },
        ] {
            assert!(weights.p_exists(&thing(worse)) < plain, "{worse:?}");
        }
        let unmeasured = Thing { is_trusted: false, ..thing(PLAIN) };
        assert!(weights.p_exists(&unmeasured) < plain, "it could not be measured well");
    }
}
