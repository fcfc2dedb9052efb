//! Where a surface's colours give way to a rail's, along one line of the picture.
//!
//! In: a line across the expected border, and by what surface and rail are known. Out: how far along it the border is, to a
//! fraction of a pixel. That it is the border is told by colours, whose ratios shadows leave alone; where exactly, by
//! brightness: most pictures keep their colours at half its density.

use std::ops::RangeInclusive;

use nalgebra::{Matrix3, Vector2, Vector3};

use super::outline::OutlineOptions;
use crate::{
    board::Colour,
    camera::Pixel,
    capture::{Picture, srgb},
};

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

/// How much of what is stored at a place is the rail's: of all weighted sums of colours, the one that shading of either
/// changes least.
#[derive(Debug, Clone, Copy)]
struct Teller {
    surface: Vector3<f64>,
    weights: Vector3<f64>,
    /// How far apart surface and rail are in it, in standard deviations of shading and noise.
    apart: f64,
}

impl Teller {
    /// `None` where nothing tells them apart.
    fn between(surface: Vector3<f64>, rail: Vector3<f64>, options: &OutlineOptions) -> Option<Self> {
        let spread = surface * surface.transpose() * options.surface_shading.powi(2)
            + rail * rail.transpose() * options.rail_shading.powi(2)
            + Matrix3::identity() * options.noise.powi(2);
        let weights = spread.cholesky()?.solve(&(rail - surface));
        let whole = weights.dot(&(rail - surface));
        (whole > 0.0).then(|| Self { surface, weights: weights / whole, apart: whole.sqrt() })
    }

    /// 0 on the surface, 1 on the rail.
    fn rail_share(&self, stored: &Vector3<f64>) -> f64 {
        self.weights.dot(&(stored - self.surface))
    }
}

/// What a picture stores on either side of a rail's border.
#[derive(Debug, Clone, Copy)]
pub(super) struct BorderColours {
    teller: Teller,
    /// `None` where brightness does not tell them apart.
    brightness: Option<MixedBrightness>,
}

/// Brightness of mixtures of light from all surface to all rail.
#[derive(Debug, Clone, Copy)]
struct MixedBrightness {
    /// At even steps.
    mixed: [f64; MIXTURES],
    /// How far apart the two are, in standard deviations of shading: what is darker than any shadow is no shadow.
    apart: f64,
}

/// Between neighbours brightness is nearly straight.
const MIXTURES: usize = 17;

impl BorderColours {
    pub fn between(surface: Vector3<f64>, rail: Vector3<f64>, options: &OutlineOptions) -> Option<Self> {
        let teller = Teller::between(surface, rail, options)?;
        let mixed = |i: usize| {
            let share = i as f64 / (MIXTURES - 1) as f64;
            brightness_of(&surface.zip_map(&rail, |of_surface, of_rail| {
                let (of_surface, of_rail) = (srgb::linear(of_surface), srgb::linear(of_rail));
                srgb::encoded(of_surface + share * (of_rail - of_surface))
            }))
        };
        let mixed: [f64; MIXTURES] = std::array::from_fn(mixed);
        let (of_surface, of_rail) = (mixed[0], mixed[MIXTURES - 1]);
        let rise = of_rail - of_surface;
        let is_even = mixed.windows(2).all(|two| (two[1] - two[0]) * rise > 0.0);
        let tells = is_even && rise.abs() >= options.least_step;
        let shading = (options.surface_shading * of_surface).hypot(options.rail_shading * of_rail);
        let apart = rise.abs() / shading.hypot(options.noise);
        Some(Self { teller, brightness: tells.then_some(MixedBrightness { mixed, apart }) })
    }

    /// How far apart the two are, in standard deviations of shading and noise.
    pub fn apart(&self) -> f64 {
        self.teller.apart
    }
}

impl MixedBrightness {
    fn is_rail_brighter(&self) -> bool {
        self.mixed[MIXTURES - 1] > self.mixed[0]
    }

    /// For brightness along a profile, how much of the light is the rail's.
    fn shares(&self, brightness: &[f64]) -> Vec<f64> {
        let mixed = &self.mixed;
        let rise = if self.is_rail_brighter() { 1.0 } else { -1.0 };
        let share = |value: &f64| {
            let after = mixed.partition_point(|at| at * rise < value * rise).clamp(1, MIXTURES - 1);
            let (a, b) = (mixed[after - 1], mixed[after]);
            ((after - 1) as f64 + (value - a) / (b - a)) / (MIXTURES - 1) as f64
        };
        brightness.iter().map(share).collect()
    }

    /// The border as brightness along a profile shows it, as an index near where the colours change.
    fn border_near(
        &self,
        by_colours: f64,
        brightness: &[f64],
        wall_px: f64,
        options: &OutlineOptions,
    ) -> Option<f64> {
        let off_px = options.colours_off_px * self.apart.max(1.0);
        let rises = rises_in(&self.shares(brightness), options);
        if self.is_rail_brighter() {
            // Where its wall lies in the shade there are two: its foot, and its upper edge. A shadow on the surface is none.
            first_rise(&rises, by_colours - wall_px / STEP_PX..=by_colours, off_px, options)
        } else {
            // A shadow on the surface is one, and comes first.
            nearest_rise(&rises, by_colours, off_px)
        }
    }
}

fn brightness_of(stored: &Vector3<f64>) -> f64 {
    Vector3::from(srgb::BRIGHTNESS).dot(stored)
}

/// By what a border is known.
#[derive(Debug, Clone, Copy)]
pub(super) enum Border {
    /// By how the rail's ratios of colours differ from the surface's.
    Ratios(Ratios),
    /// By what is stored on either side of it.
    Colours(BorderColours),
}

/// A line across an expected border, outward.
#[derive(Debug, Clone, Copy)]
pub(super) struct Across {
    pub centre: Pixel,
    /// Unit direction in the picture.
    pub way: Vector2<f64>,
    /// How much of the rail's wall is seen beyond the border; 0 where it is the upper edge that is seen.
    pub wall_px: f64,
}

/// Distance along a line from its centre at which the surface gives way to the rail.
pub(super) fn find_border(
    picture: &Picture,
    across: &Across,
    search_px: f64,
    border: Border,
    options: &OutlineOptions,
) -> Option<f64> {
    let reach_px = search_px + options.blur_px + options.side_px;
    let lights = lights_along(picture, across, reach_px, options)?;
    let stored: Vec<Vector3<f64>> = lights.iter().map(|light| light.map(srgb::encoded)).collect();
    let brightness: Vec<f64> = stored.iter().map(brightness_of).collect();
    let even = as_dense_as_colours(&stored, &brightness, options);
    let step = match &border {
        Border::Ratios(rail_less_surface) => {
            let towards_rail = rail_less_surface.normalize();
            let ratio = |light: &Vector3<f64>| ratios(light.map(|l| l as f32).into(), options);
            let profile: Vec<f64> = lights.iter().map(|light| ratio(light).dot(&towards_rail)).collect();
            largest_step(&profile, options).filter(|step| step.height >= options.min_difference)?
        }
        Border::Colours(colours) => {
            // What is neither must not outweigh what is.
            let share = |value: &Vector3<f64>| colours.teller.rail_share(value).clamp(-0.5, 1.5);
            let profile: Vec<f64> = even.iter().map(share).collect();
            largest_step(&profile, options).filter(|step| step.height >= options.least_share)?
        }
    };
    // The step is known to be the border, but not where it is: where a bright surface and a dark rail mix, the
    // mixture has the surface's ratios until there is little of it. What pictures store mixes evenly.
    let mut by_colours = step.index as f64;
    for _ in 0..CROSSING_ROUNDS {
        by_colours = half_way(&even, by_colours, options)?;
    }
    let by_brightness = match &border {
        Border::Ratios(_) => None,
        Border::Colours(colours) => colours
            .brightness
            .and_then(|known| known.border_near(by_colours, &brightness, across.wall_px, options)),
    };
    Some(by_brightness.unwrap_or(by_colours) * STEP_PX - reach_px)
}

/// The light at even steps along a line, as far to either side of its centre; parallel profiles are averaged.
fn lights_along(
    picture: &Picture,
    across: &Across,
    reach_px: f64,
    options: &OutlineOptions,
) -> Option<Vec<Vector3<f64>>> {
    let along = Vector2::new(-across.way.y, across.way.x);
    let lanes = options.parallel_profiles.max(1);
    let count = (2.0 * reach_px / STEP_PX).ceil() as usize + 1;
    let light_at = |i: usize| {
        let middle = across.centre + across.way * (i as f64 * STEP_PX - reach_px);
        let mut sum = Vector3::zeros();
        for lane in 0..lanes {
            let at = middle + along * (lane as f64 - (lanes - 1) as f64 / 2.0);
            sum += Vector3::from(picture.sample(at.x, at.y)?.map(f64::from));
        }
        Some(sum / lanes as f64)
    };
    (0..count).map(light_at).collect()
}

/// A step of a profile.
struct Step {
    index: usize,
    height: f64,
}

/// Where a profile is most higher on the outer side than on the inner one.
fn largest_step(profile: &[f64], options: &OutlineOptions) -> Option<Step> {
    let (side, blur) = (steps(options.side_px), steps(options.blur_px));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let mut best: Option<Step> = None;
    for index in (side + blur)..profile.len().saturating_sub(side + blur) {
        let inside = mean(&profile[index - blur - side..index - blur]);
        let outside = mean(&profile[index + blur..index + blur + side]);
        let height = outside - inside;
        if best.as_ref().is_none_or(|best| height > best.height) {
            best = Some(Step { index, height });
        }
    }
    best
}

/// The levels beside a better crossing are better levels.
const CROSSING_ROUNDS: usize = 2;

fn steps(px: f64) -> usize {
    (px / STEP_PX).round() as usize
}

/// The profile with its brightness blurred as its colours are. Sharp brightness with blurred colours has hues of
/// neither side: a bright surface takes on the rail's hue pixels before the rail begins.
fn as_dense_as_colours(
    stored: &[Vector3<f64>],
    brightness: &[f64],
    options: &OutlineOptions,
) -> Vec<Vector3<f64>> {
    /// What a bell curve has beyond does not matter.
    const BELL_SIGMAS: f64 = 3.0;
    let sigma = options.colour_blur_px / STEP_PX;
    let reach = (BELL_SIGMAS * sigma).ceil() as isize;
    let bell: Vec<f64> = (-reach..=reach)
        .map(|k| if k == 0 { 1.0 } else { (-0.5 * (k as f64 / sigma).powi(2)).exp() })
        .collect();
    let whole: f64 = bell.iter().sum();
    let last = brightness.len().saturating_sub(1);
    let blurred = |i: usize| {
        let at = |k: isize| brightness[i.saturating_add_signed(k).min(last)];
        (-reach..=reach).zip(&bell).map(|(k, weight)| weight * at(k)).sum::<f64>() / whole
    };
    stored.iter().enumerate().map(|(i, value)| value.add_scalar(blurred(i) - brightness[i])).collect()
}

/// Where a profile is half the surface's and half the rail's, as an index near `from`. Both are read beside it.
fn half_way(stored: &[Vector3<f64>], from: f64, options: &OutlineOptions) -> Option<f64> {
    let (near, blur) = (steps(options.near_px), steps(options.blur_px + options.colour_blur_px));
    let at = from.round() as usize;
    let mean = |values: &[Vector3<f64>]| values.iter().sum::<Vector3<f64>>() / values.len().max(1) as f64;
    let surface = mean(stored.get(at.checked_sub(blur + near)?..at - blur)?);
    let rail = mean(stored.get(at + blur..at + blur + near)?);
    let teller = Teller::between(surface, rail, options)?;
    let rail_share = |i: usize| stored.get(i).map(|value| teller.rail_share(value));
    let crossing = |i: usize| {
        let (a, b) = (rail_share(i)?, rail_share(i + 1)?);
        (a < 0.5 && b >= 0.5).then(|| i as f64 + (0.5 - a) / (b - a))
    };
    (0..=2 * blur).find_map(|k| crossing(at.saturating_sub(k)).or_else(|| crossing(at + k)))
}

/// A place along a profile where the rail's share of the light rises faster than right beside it.
#[derive(Debug, Clone, Copy)]
struct Rise {
    index: f64,
    /// A pixel.
    slope: f64,
}

impl Rise {
    /// The clearer it is and the nearer to where it is expected, the more.
    fn worth(&self, expected: &RangeInclusive<f64>, off_px: f64) -> f64 {
        let beside = self.index - self.index.clamp(*expected.start(), *expected.end());
        let sigmas = beside * STEP_PX / off_px;
        let is_within = sigmas.abs() <= FARTHEST_SIGMAS;
        if is_within { self.slope * (-0.5 * sigmas * sigmas).exp() } else { 0.0 }
    }
}

/// Steps farther from where the colours change belong to something else.
const FARTHEST_SIGMAS: f64 = 1.5;

fn rises_in(shares: &[f64], options: &OutlineOptions) -> Vec<Rise> {
    // Over two pixels: between two, a picture is straight, and every slope the same.
    let wide = steps(1.0);
    let slope = |i: usize| {
        let rise = shares.get(i + wide)? - shares.get(i.checked_sub(wide)?)?;
        Some(rise / (2.0 * wide as f64 * STEP_PX))
    };
    let peak = |i: usize| {
        let (before, here, after) = (slope(i.checked_sub(1)?)?, slope(i)?, slope(i + 1)?);
        let is_peak = here >= options.least_slope && here >= before && here > after;
        let index = i as f64 + 0.5 * (before - after) / (before - 2.0 * here + after);
        is_peak.then_some(Rise { index, slope: here })
    };
    (0..shares.len()).filter_map(peak).collect()
}

/// The clearest one about `off_px` from where it is expected.
fn nearest_rise(rises: &[Rise], expected: f64, off_px: f64) -> Option<f64> {
    let worth = |rise: &&Rise| rise.worth(&(expected..=expected), off_px);
    let best = rises.iter().max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
    (worth(&best) > 0.0).then_some(best.index)
}

/// The first one in or about `off_px` beside where it is expected that is nearly as clear as the clearest there.
fn first_rise(
    rises: &[Rise],
    expected: RangeInclusive<f64>,
    off_px: f64,
    options: &OutlineOptions,
) -> Option<f64> {
    let worth = |rise: &Rise| rise.worth(&expected, off_px);
    let best = rises.iter().map(worth).fold(0.0, f64::max);
    let is_clear = |rise: &&Rise| worth(rise) > 0.0 && worth(rise) >= options.first_step * best;
    rises.iter().find(is_clear).map(|rise| rise.index)
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
        let image = RgbImage::from_fn(80, 24, |x, _| {
            let (mut sum, mut weights) = (Vector3::zeros(), 0.0);
            for i in -40..=40 {
                let off_px = f64::from(i) / 10.0;
                let weight = (-off_px * off_px / 2.0).exp();
                sum += bright(f64::from(x) + off_px) * weight;
                weights += weight;
            }
            let light: Vector3<f64> = sum / weights;
            Rgb(light.map(srgb::encoded_byte).into())
        });
        Picture::new(image)
    }

    fn found_px(picture: &Picture, surface: Vector3<f64>, rail: Vector3<f64>) -> f64 {
        let options = OutlineOptions::default();
        let [surface, rail] = [surface, rail].map(|light| light.map(srgb::encoded));
        let border = Border::Colours(BorderColours::between(surface, rail, &options).unwrap());
        let across = Across { centre: Pixel::new(40.0, 12.0), way: Vector2::x(), wall_px: 0.0 };
        40.0 + find_border(picture, &across, 5.0, border, &options).unwrap()
    }

    /// The same picture as most cameras store it: a colour for every four pixels, brightness for each.
    fn with_halved_colours(picture: &Picture) -> Picture {
        let stored = |x: u32, y: u32| Vector3::from(picture.rgb().get_pixel(x, y).0).map(f64::from);
        let rgb = RgbImage::from_fn(80, 24, |x, y| {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| stored(x / 2 * 2 + i, y / 2 * 2 + j));
            let mean = four.iter().sum::<Vector3<f64>>() / 4.0;
            let value = mean.add_scalar(brightness_of(&stored(x, y)) - brightness_of(&mean));
            Rgb(value.map(|v| v.round().clamp(0.0, 255.0) as u8).into())
        });
        Picture::new(rgb)
    }

    #[test]
    fn the_border_of_a_dark_rail_is_where_the_light_is_half_and_half() {
        let (maple, green) = (Vector3::new(0.69, 0.38, 0.15), Vector3::new(0.014, 0.069, 0.039));
        for at_px in [38.3, 40.0, 41.6] {
            let whole = border(maple, green, at_px, 0.0, 0.0);
            let halved = with_halved_colours(&whole);
            for (colours, picture) in [("whole", whole), ("halved", halved)] {
                let off_px = found_px(&picture, maple, green) - at_px;
                assert!(off_px.abs() < 0.25, "{off_px:.2} px beside {at_px}, {colours} colours");
            }
        }
    }

    #[test]
    fn a_shadow_along_the_rail_is_not_its_border() {
        let (maple, walnut) = (Vector3::new(0.69, 0.48, 0.26), Vector3::new(0.27, 0.105, 0.042));
        for shadow_px in [6.0, 12.0] {
            let whole = border(maple, walnut, 40.0, 0.6, shadow_px);
            let halved = with_halved_colours(&whole);
            for (colours, picture) in [("whole", whole), ("halved", halved)] {
                let off_px = found_px(&picture, maple, walnut) - 40.0;
                assert!(off_px.abs() < 0.3, "{off_px:.2} px, shadow of {shadow_px} px, {colours} colours");
            }
        }
    }
}
