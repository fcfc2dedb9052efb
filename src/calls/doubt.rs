//! How likely a measured length is on one side of zero.

use std::f64::consts::PI;

use super::{CallOptions, ContactCall};

/// Probability that the true value is at or below zero, when `value` was measured with the scale
/// `sigma`. Without doubt (`sigma` 0) a value of exactly zero is at zero: touching counts.
pub fn probability_below(value: f64, sigma: f64, tail_freedom: u32) -> f64 {
    if sigma > 0.0 {
        student_t_cdf(-value / sigma, tail_freedom)
    } else if value <= 0.0 {
        1.0
    } else {
        0.0
    }
}

/// How many sigmas a length must be away from zero to be called.
pub fn called_from_sigmas(options: &CallOptions) -> f64 {
    // Beyond any distribution that is of use; a `sure` of 1 is never reached.
    const MOST_SIGMAS: f64 = 1e6;
    let (mut low, mut high) = (0.0, MOST_SIGMAS);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if probability_below(middle, 1.0, options.tail_freedom) > 1.0 - options.sure {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The call that a probability of contact allows.
pub(super) fn contact_call(p_touching: f64, options: &CallOptions) -> ContactCall {
    if p_touching >= options.sure {
        ContactCall::Touching
    } else if p_touching <= 1.0 - options.sure {
        ContactCall::Clear
    } else {
        ContactCall::TooClose
    }
}

/// Cumulative Student t distribution for whole degrees of freedom, by its finite series
/// (Abramowitz and Stegun 26.7.3 and 26.7.4).
fn student_t_cdf(t: f64, freedom: u32) -> f64 {
    let freedom = freedom.max(1);
    let angle = (t / f64::from(freedom).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    // Both series multiply by (k / (k + 1)) cos² from term to term; they differ in where they start.
    let (mut term, mut k) = if odd { (cos, 2.0) } else { (1.0, 1.0) };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    for _ in 1..freedom / 2 {
        term *= k / (k + 1.0) * cos * cos;
        sum += term;
        k += 2.0;
    }
    let central = if odd { 2.0 / PI * (angle + sin * sum) } else { sin * sum };
    (0.5 + 0.5 * central).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_student_t_distribution_agrees_with_published_tables() {
        // One-sided quantiles as printed in every table of the distribution.
        let table = [
            (1, 0.975, 12.706),
            (1, 0.95, 6.314),
            (2, 0.99, 6.965),
            (3, 0.99, 4.541),
            (4, 0.995, 4.604),
            (5, 0.99, 3.365),
            (5, 0.975, 2.571),
            (6, 0.99, 3.143),
            (9, 0.99, 2.821),
            (10, 0.975, 2.228),
            (30, 0.99, 2.457),
        ];
        for (freedom, probability, quantile) in table {
            assert!((student_t_cdf(quantile, freedom) - probability).abs() < 1e-4, "{freedom} {probability}");
            assert!((student_t_cdf(-quantile, freedom) - (1.0 - probability)).abs() < 1e-4);
        }
        assert_eq!(student_t_cdf(0.0, 5), 0.5);
    }

    #[test]
    fn a_length_is_called_from_the_quantile_of_its_distribution_on() {
        let options = CallOptions::default();
        let sigmas = called_from_sigmas(&options);
        assert!((sigmas - 3.365).abs() < 1e-3, "{sigmas}");
        assert_eq!(contact_call(probability_below(sigmas + 1e-9, 1.0, 5), &options), ContactCall::Clear);
        assert_eq!(contact_call(probability_below(sigmas - 1e-6, 1.0, 5), &options), ContactCall::TooClose);
        assert_eq!(contact_call(probability_below(-sigmas - 1e-9, 1.0, 5), &options), ContactCall::Touching);
    }

    #[test]
    fn a_length_without_doubt_is_below_zero_or_not() {
        assert_eq!(probability_below(0.0, 0.0, 5), 1.0);
        assert_eq!(probability_below(1e-12, 0.0, 5), 0.0);
        assert_eq!(probability_below(f64::INFINITY, 0.1, 5), 0.0);
    }
}
