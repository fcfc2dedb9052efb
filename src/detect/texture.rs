//! How rough the bare surface itself looks, at the scale of a rim.
//!
//! In: a picture and its view. Out: the step, in stops, that most places of the bare surface stay below.
//! Grain, wear and a small camera's noise are full of edges; a rim must be more than they are.

use super::{
    light::{Light, largest},
    view::View,
};
use crate::capture::Picture;

/// The step that all but the roughest of bare places stay below, read as a rim is: two samples on either
/// side, `spacing_px` apart. `share` of the places lie below it.
pub fn texture_step(picture: &Picture, view: &View, light: &Light, spacing_px: f32, share: f64) -> f32 {
    let width = picture.size()[0];
    let mut steps: Vec<f32> = view
        .bare_pixels()
        .iter()
        .flat_map(|pixel| {
            let at = ((pixel % width) as f32, (pixel / width) as f32);
            [(spacing_px, 0.0), (0.0, spacing_px)].map(|along| step(picture, light, at, along))
        })
        .flatten()
        .collect();
    if steps.is_empty() {
        return 0.0;
    }
    let index = ((steps.len() - 1) as f64 * share.clamp(0.0, 1.0)).round() as usize;
    *steps.select_nth_unstable_by(index, f32::total_cmp).1
}

fn step(picture: &Picture, light: &Light, (u, v): (f32, f32), (du, dv): (f32, f32)) -> Option<f32> {
    let at = |along: f32| light.at(picture, u + along * du, v + along * dv);
    let (a, b, c, d) = (at(-2.0)?, at(-1.0)?, at(1.0)?, at(2.0)?);
    Some(largest(std::array::from_fn(|i| (c[i] + d[i] - a[i] - b[i]) / 2.0)))
}
