//! Seeded chance: the same seed gives the same scene on every machine.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub struct Dice(ChaCha8Rng);

impl Dice {
    /// `purpose` keeps apart what is drawn from one seed for different ends.
    pub fn new(seed: u64, purpose: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(purpose);
        Self(rng)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.random::<f64>() < probability
    }

    /// An index below `count`, which is at least 1.
    pub fn index(&mut self, count: usize) -> usize {
        ((self.0.random::<f64>() * count as f64) as usize).min(count.saturating_sub(1))
    }

    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        if choices.is_empty() { None } else { choices.get(self.index(choices.len())) }
    }

    /// One of the choices, as likely as its weight says.
    pub fn weighted<T: Copy>(&mut self, choices: &[(T, f64)], otherwise: T) -> T {
        let whole: f64 = choices.iter().map(|choice| choice.1).sum();
        let mut left = self.between(0.0, whole);
        for (choice, weight) in choices {
            left -= weight;
            if left < 0.0 {
                return *choice;
            }
        }
        otherwise
    }

    /// Bell-shaped about 0, never beyond three times `sigma`.
    pub fn bell(&mut self, sigma: f64) -> f64 {
        let sum: f64 = (0..12).map(|_| self.0.random::<f64>()).sum();
        ((sum - 6.0) * sigma).clamp(-3.0 * sigma, 3.0 * sigma)
    }
}
