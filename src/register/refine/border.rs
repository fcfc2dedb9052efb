//! Where a surface's colours give way to a rail's, along one line of the picture.
//!
//! In: a place in the picture, the way across, and by how much the rail's colours differ from the surface's. Out: how far
//! from there the border is, to a fraction of a pixel. That it is the border is told by the ratios of the colours, which
//! shadows leave alone; where exactly, by the light itself.

use nalgebra::{Matrix3, Vector2, Vector3};

use super::outline::OutlineOptions;
use crate::{board::Colour, camera::Pixel, capture::Picture};

/// Sample distance along a profile, px.
const STEP_PX: f64 = 0.5;

/// Logarithms of red to green and of blue to green.
pub(super) type Ratios = Vector2<f64>;

pub(super) fn ratios_of(colour: Colour, options: &OutlineOptions) -> Ratios {
    ratios(colour.0.map(|value| super::stations::linear_light(value) as f32), options)
}

pub(super) fn ratios(rgb: [f32; 3], options: &OutlineOptions) -> Ratios {
    let [r, g, b] = rgb.map(|value| f64::from(value + options.dark_light).ln());
    Ratios::new(r - g, b - g)
}

/// How much of an expected difference is seen: 1 all of it, 0 nothing, or where none is expected.
pub(super) fn share_of(seen: &Ratios, expected: &Ratios) -> f64 {
    seen.dot(expected) / expected.norm_squared().max(f64::MIN_POSITIVE)
}

pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// Distance from `centre` along `across` at which the surface's ratios give way to the rail's.
pub(super) fn find_border(
    picture: &Picture,
    centre: Pixel,
    across: Vector2<f64>,
    search_px: f64,
    rail_less_surface: Ratios,
    options: &OutlineOptions,
) -> Option<f64> {
    let reach = search_px + options.blur_px + options.side_px;
    let count = (2.0 * reach / STEP_PX).ceil() as usize + 1;
    let along = Vector2::new(-across.y, across.x);
    let towards_rail = rail_less_surface.normalize();
    let lanes = options.parallel_profiles.max(1);
    let mut lights: Vec<Vector3<f64>> = Vec::with_capacity(count);
    for i in 0..count {
        let t = -reach + i as f64 * STEP_PX;
        let mut sum = Vector3::zeros();
        for lane in 0..lanes {
            let at = centre + across * t + along * (lane as f64 - (lanes - 1) as f64 / 2.0);
            sum += Vector3::from(picture.sample(at.x, at.y)?.map(f64::from));
        }
        lights.push(sum / lanes as f64);
    }
    let profile: Vec<f64> = lights
        .iter()
        .map(|light| ratios(light.map(|l| l as f32).into(), options).dot(&towards_rail))
        .collect();
    let side = (options.side_px / STEP_PX).round() as usize;
    let blur = (options.blur_px / STEP_PX).round() as usize;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let mut best: Option<(f64, usize)> = None;
    for i in (side + blur)..count.saturating_sub(side + blur) {
        let inside = mean(&profile[i - blur - side..i - blur]);
        let outside = mean(&profile[i + blur..i + blur + side]);
        let step = outside - inside;
        if best.is_none_or(|(top, _)| step > top) {
            best = Some((step, i));
        }
    }
    let (step, at) = best?;
    if step < options.min_difference {
        return None;
    }
    // The ratios know that it is the border, but not where: where a bright surface and a dark rail mix, the
    // mixture has the surface's ratios until there is little of it. The light itself mixes evenly.
    let mut crossing = at as f64;
    for _ in 0..CROSSING_ROUNDS {
        crossing = half_way(&lights, crossing, options)?;
    }
    Some(-reach + crossing * STEP_PX)
}

/// The levels beside a better crossing are better levels.
const CROSSING_ROUNDS: usize = 2;

/// Where the light is half the surface's and half the rail's, as an index near `from`. Both are read beside
/// it; of all colours' weighted sums, the one is asked that shading of either changes least.
fn half_way(lights: &[Vector3<f64>], from: f64, options: &OutlineOptions) -> Option<f64> {
    let steps = |px: f64| (px / STEP_PX).round() as usize;
    let (near, blur) = (steps(options.near_px), steps(options.blur_px));
    let at = from.round() as usize;
    let mean = |lights: &[Vector3<f64>]| lights.iter().sum::<Vector3<f64>>() / lights.len().max(1) as f64;
    let surface = mean(lights.get(at.checked_sub(blur + near)?..at - blur)?);
    let rail = mean(lights.get(at + blur..at + blur + near)?);
    let spread = surface * surface.transpose() * options.surface_shading.powi(2)
        + rail * rail.transpose() * options.rail_shading.powi(2)
        + Matrix3::identity() * options.noise_light.powi(2);
    let weights = spread.cholesky()?.solve(&(rail - surface));
    let whole = weights.dot(&(rail - surface));
    let rail_share = |i: usize| Some(weights.dot(&(lights.get(i)? - surface)) / whole);
    let crossing = |i: usize| {
        let (a, b) = (rail_share(i)?, rail_share(i + 1)?);
        (a < 0.5 && b >= 0.5).then(|| i as f64 + (0.5 - a) / (b - a))
    };
    (0..=2 * blur).find_map(|k| crossing(at.saturating_sub(k)).or_else(|| crossing(at + k)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use image::{Rgb, RgbImage};

    use super::*;

    /// A picture whose left part is a surface and whose right part a rail, blurred as a lens does in light;
    /// `shadow` of the surface's light is missing from `shadow_px` before the border on.
    fn border(surface: Vector3<f64>, rail: Vector3<f64>, at_px: f64, shadow: f64, shadow_px: f64) -> Picture {
        let bright = |x: f64| {
            let lit = if x > at_px - shadow_px { 1.0 - shadow } else { 1.0 };
            if x < at_px { surface * lit } else { rail }
        };
        let encoded = |light: f64| {
            let value =
                if light <= 0.0031308 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
            (255.0 * value).round() as u8
        };
        let image = RgbImage::from_fn(80, 24, |x, _| {
            let (mut sum, mut weights) = (Vector3::zeros(), 0.0);
            for i in -40..=40 {
                let off_px = f64::from(i) / 10.0;
                let weight = (-off_px * off_px / 2.0).exp();
                sum += bright(f64::from(x) + off_px) * weight;
                weights += weight;
            }
            let light: Vector3<f64> = sum / weights;
            Rgb([encoded(light.x), encoded(light.y), encoded(light.z)])
        });
        Picture::new(image)
    }

    fn found_px(picture: &Picture, surface: Vector3<f64>, rail: Vector3<f64>) -> f64 {
        let options = OutlineOptions::default();
        let of = |light: Vector3<f64>| ratios(light.map(|l| l as f32).into(), &options);
        let centre = Pixel::new(40.0, 12.0);
        let across = Vector2::new(1.0, 0.0);
        40.0 + find_border(picture, centre, across, 5.0, of(rail) - of(surface), &options).unwrap()
    }

    #[test]
    fn the_border_of_a_dark_rail_is_where_the_light_is_half_and_half() {
        let (maple, green) = (Vector3::new(0.69, 0.38, 0.15), Vector3::new(0.014, 0.069, 0.039));
        for at_px in [38.3, 40.0, 41.6] {
            let off_px = found_px(&border(maple, green, at_px, 0.0, 0.0), maple, green) - at_px;
            assert!(off_px.abs() < 0.25, "{off_px:.2} px beside {at_px}");
        }
    }

    #[test]
    fn a_shadow_along_the_rail_is_not_its_border() {
        let (maple, walnut) = (Vector3::new(0.69, 0.48, 0.26), Vector3::new(0.27, 0.105, 0.042));
        for shadow_px in [6.0, 12.0] {
            let off_px = found_px(&border(maple, walnut, 40.0, 0.6, shadow_px), maple, walnut) - 40.0;
            assert!(off_px.abs() < 0.4, "{off_px:.2} px, shadow of {shadow_px} px");
        }
    }
}
