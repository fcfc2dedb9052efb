//! How the light of a frame differs over the board: a smooth change, fitted robustly.
//!
//! In: by how much brighter places are than they were, in factors of two. Out: a quadratic over the
//! board. What lies on the board is an outlier of it.

use nalgebra::{SMatrix, SVector};

/// A change of light by the polynomial 1, x, y, x², xy, y².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lamp([f32; 6]);

/// Rounds of the robust fit.
const ROUNDS: usize = 3;
/// Residuals beyond so many times their median have no weight.
const CUT: f32 = 4.0;
/// Noise of a cell, in factors of two.
const NOISE: f32 = 0.03;
/// Fewer places say nothing about a lamp.
const LEAST_PLACES: usize = 60;

impl Lamp {
    /// `places`: each from -1 to 1 over the board.
    pub fn fit(places: &[[f32; 2]], brighter: &[f32]) -> Self {
        let mut lamp = Self([0.0; 6]);
        if places.len() < LEAST_PLACES {
            return lamp;
        }
        lamp.0[0] = middle(&mut brighter.to_vec());
        for _ in 0..ROUNDS {
            let residuals: Vec<f32> =
                places.iter().zip(brighter).map(|(place, bright)| bright - lamp.at(*place)).collect();
            let mut sizes: Vec<f32> = residuals.iter().map(|residual| residual.abs()).collect();
            let cut = CUT * middle(&mut sizes).max(NOISE);
            let Some(step) = step(places, &residuals, cut) else { break };
            lamp.0.iter_mut().zip(step.iter()).for_each(|(number, step)| *number += *step as f32);
        }
        lamp
    }

    pub fn at(&self, place: [f32; 2]) -> f32 {
        terms(place).iter().zip(&self.0).map(|(term, number)| term * number).sum()
    }
}

fn terms([x, y]: [f32; 2]) -> [f32; 6] {
    [1.0, x, y, x * x, x * y, y * y]
}

fn step(places: &[[f32; 2]], residuals: &[f32], cut: f32) -> Option<SVector<f64, 6>> {
    let mut normal = SMatrix::<f64, 6, 6>::identity();
    let mut right = SVector::<f64, 6>::zeros();
    for (place, residual) in places.iter().zip(residuals) {
        let share = residual / cut;
        if share.abs() >= 1.0 {
            continue;
        }
        let weight = f64::from((1.0 - share * share).powi(2));
        let row = SVector::<f64, 6>::from(terms(*place).map(f64::from));
        normal += row * row.transpose() * weight;
        right += row * (weight * f64::from(*residual));
    }
    normal.cholesky().map(|factor| factor.solve(&right))
}

fn middle(values: &mut [f32]) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lamp_beside_the_board_is_found_past_a_hand() {
        let unit = |index: usize| index as f32 / 14.5 - 1.0;
        let places: Vec<[f32; 2]> = (0..900).map(|i| [unit(i % 30), unit(i / 30)]).collect();
        let light = |[x, y]: [f32; 2]| 0.4 + 0.3 * x - 0.1 * y + 0.1 * x * x;
        let is_hand = |place: &[f32; 2]| place[0] < -0.6;
        let seen: Vec<f32> =
            places.iter().map(|place| if is_hand(place) { -1.5 } else { light(*place) }).collect();
        let lamp = Lamp::fit(&places, &seen);
        for place in [[0.0, 0.0], [0.9, 0.9], [0.9, -0.9], [-0.4, 0.2]] {
            assert!((lamp.at(place) - light(place)).abs() < 0.08, "{place:?}: {}", lamp.at(place));
        }
    }
}
