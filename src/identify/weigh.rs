//! How probable each board is that fits, against the others and against a table that nobody described.
//!
//! A mark that is seen where a board has it speaks for it, one that is not there speaks against it, and paint
//! that only another board explains is that board's. The unknown table has whatever is seen and lacks
//! whatever is not: it loses by every agreement that would be chance, and gains by every mark that is missing
//! and all paint that is left over.

use super::{Fitting, IdentifyOptions, Possible, fit::Fit};

/// Boards with their probabilities, the likeliest first. `more`: what else speaks for a board, by its index.
pub(super) fn weigh(
    fits: &[Fit],
    best: &Fit,
    possible: &[Possible],
    options: &IdentifyOptions,
    more: impl Fn(usize) -> f64,
) -> Vec<Fitting> {
    let prior = |fit: &Fit| if possible[fit.index].is_own { options.own_prior } else { 1.0 };
    let weight = |fit: &Fit| prior(fit) * (fit.nats() - best.nats() + more(fit.index)).exp();
    let weights: Vec<f64> = fits.iter().map(weight).collect();
    let known: f64 = weights.iter().sum();
    let unknown = options.unknown_prior * unknown_nats(best, options).exp();
    let mut weighed: Vec<Fitting> = fits
        .iter()
        .zip(&weights)
        .map(|(fit, weight)| Fitting {
            index: fit.index,
            board: possible[fit.index].scorer.board.id.clone(),
            registration: fit.registration.clone(),
            probability: weight / (known + unknown).max(f64::MIN_POSITIVE),
        })
        .collect();
    weighed.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    weighed
}

/// What speaks for a table that nobody described, against the board that explains most.
fn unknown_nats(best: &Fit, options: &IdentifyOptions) -> f64 {
    let (seen, missed): (Vec<f64>, Vec<f64>) = best.mark_nats().partition(|nats| *nats > 0.0);
    let agreeing = seen.len().saturating_sub(options.placing_marks) as f64;
    let share = best.explained.unexplained.clamp(0.0, 0.99);
    // The paint that is left over, in marks like those that were explained.
    let left_over = seen.len() as f64 * share / (1.0 - share);
    let missing: f64 = -missed.iter().sum::<f64>();
    let agreement = (agreeing * options.agreement_nats).min(options.most_agreement_nats);
    let left_over = (left_over * options.most_mark_nats).min(options.most_left_over_nats);
    missing + left_over - agreement
}
