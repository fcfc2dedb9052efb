//! Logistic regression: the weights under which what is true is likeliest.

use nalgebra::{DMatrix, DVector};

/// Steps of Newton's method; it settles in about eight.
const STEPS: usize = 30;
/// Pull toward no weight, in observations: keeps weights finite where the classes part wholly.
const PULL: f64 = 1.0;

pub(super) fn probability(nats: f64) -> f64 {
    1.0 / (1.0 + (-nats).exp())
}

/// The bias and the weights for rows of values; `None` where the equations have no solution.
pub(super) fn regress(rows: &[Vec<f64>], truths: &[bool]) -> Option<(f64, Vec<f64>)> {
    let count = rows.first()?.len() + 1;
    let mut weights = DVector::<f64>::zeros(count);
    for _ in 0..STEPS {
        let mut normal = DMatrix::<f64>::identity(count, count) * PULL;
        // How common pieces are is no weight.
        normal[(0, 0)] = 1e-6;
        let mut right = -(&normal * &weights);
        for (row, truth) in rows.iter().zip(truths) {
            let row = DVector::from_iterator(count, std::iter::once(1.0).chain(row.iter().copied()));
            let p = probability(row.dot(&weights));
            right += &row * (f64::from(u8::from(*truth)) - p);
            normal += &row * row.transpose() * (p * (1.0 - p)).max(1e-9);
        }
        let step = normal.cholesky()?.solve(&right);
        weights += &step;
        if step.norm() < 1e-9 {
            break;
        }
    }
    let values: Vec<f64> = weights.iter().copied().collect();
    let (bias, weights) = values.split_first()?;
    values.iter().all(|weight| weight.is_finite()).then(|| (*bias, weights.to_vec()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_weights_that_made_the_truth_are_found_again() {
        // A grid of values, true as often as a known curve says.
        let mut rows = Vec::new();
        let mut truths = Vec::new();
        for i in 0..200 {
            let value = f64::from(i) / 50.0 - 2.0;
            let p = probability(0.5 + 2.0 * value);
            for k in 0..50 {
                rows.push(vec![value]);
                truths.push((f64::from(k) + 0.5) / 50.0 < p);
            }
        }
        let (bias, weights) = regress(&rows, &truths).unwrap();
        assert!((bias - 0.5).abs() < 0.1 && (weights[0] - 2.0).abs() < 0.1, "{bias} {weights:?}");
    }

    #[test]
    fn classes_that_part_wholly_have_finite_weights() {
        let rows = vec![vec![-1.0], vec![-0.5], vec![0.5], vec![1.0]];
        let (_, weights) = regress(&rows, &[false, false, true, true]).unwrap();
        assert!(weights[0] > 0.5 && weights[0] < 100.0, "{weights:?}");
    }
}
