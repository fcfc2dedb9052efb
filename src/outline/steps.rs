//! Sides moved to where the colour changes most, all along.

use nalgebra::Vector2;

use super::{
    OutlineSearch, OutlineSide, SurfaceOutline,
    colours::{ColourPicture, Lab, apart},
    quadrilateral::{ImageLine, Quadrilateral},
};
use crate::camera::Pixel;

/// A quadrilateral whose sides lie on steps of colour.
#[derive(Debug, Clone)]
pub(super) struct Stepped {
    quadrilateral: Quadrilateral,
    sides: [OutlineSide; 4],
}

impl Stepped {
    /// The same in a picture that is `scale` times as large.
    pub fn scaled(&self, scale: f64) -> Quadrilateral {
        let place = |p: Pixel| Pixel::new((p.x + 0.5) * scale - 0.5, (p.y + 0.5) * scale - 0.5);
        Quadrilateral { corners: self.quadrilateral.corners.map(place), ..self.quadrilateral }
    }

    pub fn outline(&self, reduction: f64) -> SurfaceOutline {
        let Quadrilateral { corners, overlap } = self.scaled(reduction);
        SurfaceOutline { corners, sides: self.sides, overlap }
    }
}

/// Moves every side to the strongest step near it. `None` where the sides then no longer make a quadrilateral.
pub(super) fn fitted(
    picture: &ColourPicture,
    quadrilateral: &Quadrilateral,
    options: &OutlineSearch,
) -> Option<Stepped> {
    let corners = &quadrilateral.corners;
    let mut lines = [ImageLine { normal: Vector2::x(), offset: 0.0 }; 4];
    let mut sides = [OutlineSide::PictureBorder; 4];
    for i in 0..4 {
        let (line, side) = fitted_side(picture, corners[i], corners[(i + 1) % 4], options)?;
        (lines[i], sides[i]) = (line, side);
    }
    let corner = |i: usize| lines[(i + 3) % 4].crossing(&lines[i]);
    let corners = [corner(0)?, corner(1)?, corner(2)?, corner(3)?];
    Some(Stepped { quadrilateral: Quadrilateral { corners, ..*quadrilateral }, sides })
}

/// How many places along a side are looked at, and the share of it at either end that is left out: corners are rounded,
/// hidden and have pockets.
const PLACES: usize = 90;
const END_SHARE: f64 = 0.04;
/// Distance of samples across a side, and half the distance over which a step is taken, px.
const ACROSS_PX: f64 = 0.5;
const HALF_STEP_PX: f64 = 2.0;
/// A step that is stronger than this counts no more, so that a few places do not decide for all.
const MOST_STEP: f64 = 25.0;

/// A side from `from` to `to`, clockwise as seen: where it lies, and what it rests on.
fn fitted_side(
    picture: &ColourPicture,
    from: Pixel,
    to: Pixel,
    options: &OutlineSearch,
) -> Option<(ImageLine, OutlineSide)> {
    let as_given = ImageLine::through(from, to)?;
    let along = to - from;
    let outward = Vector2::new(along.y, -along.x).normalize();
    let share = |i: usize| END_SHARE + (1.0 - 2.0 * END_SHARE) * i as f64 / (PLACES - 1) as f64;
    let places: Vec<(f64, Pixel)> = (0..PLACES)
        .map(|i| (share(i), from + along * share(i)))
        .filter(|(_, p)| picture.contains(p.x, p.y))
        .collect();
    let border_px = |p: &Pixel| {
        let (w, h) = ((picture.width - 1) as f64, (picture.height - 1) as f64);
        p.x.min(p.y).min(w - p.x).min(h - p.y)
    };
    let at_border = places.iter().filter(|(_, p)| border_px(p) < options.border_px).count();
    if places.len() < PLACES / 4 || 2 * at_border > places.len() {
        return Some((as_given, OutlineSide::PictureBorder));
    }
    let steps: Vec<Vec<f64>> =
        places.iter().map(|(_, p)| steps_across(picture, *p, outward, options)).collect();
    let (step, near, far) = strongest(&places, &steps, options);
    if step < options.least_step {
        return Some((as_given, OutlineSide::Step(step)));
    }
    let line = ImageLine::through(from + outward * near, to + outward * far)?;
    Some((line, OutlineSide::Step(step)))
}

/// How strong a step is at each offset across a side, inward to outward; 0 where the picture ends.
fn steps_across(
    picture: &ColourPicture,
    place: Pixel,
    outward: Vector2<f64>,
    options: &OutlineSearch,
) -> Vec<f64> {
    let count = (2.0 * options.step_reach_px / ACROSS_PX) as usize + 1;
    let colour = |offset_px: f64| -> Option<Lab> {
        let p = place + outward * offset_px;
        picture.sample(p.x, p.y)
    };
    (0..count)
        .map(|i| {
            let offset_px = i as f64 * ACROSS_PX - options.step_reach_px;
            // Two places on either side, so that a line one pixel wide is no step.
            let mean = |way: f64| {
                Some(
                    (colour(offset_px + way * HALF_STEP_PX)? + colour(offset_px + way * 2.0 * HALF_STEP_PX)?)
                        / 2.0,
                )
            };
            match (mean(-1.0), mean(1.0)) {
                (Some(inside), Some(outside)) => {
                    f64::from(apart(inside, outside, options.lightness_weight)).min(MOST_STEP)
                }
                _ => 0.0,
            }
        })
        .collect()
}

/// The straight line across all places with the strongest mean step: its strength, and its offsets outward at the
/// side's beginning and end.
fn strongest(places: &[(f64, Pixel)], steps: &[Vec<f64>], options: &OutlineSearch) -> (f64, f64, f64) {
    let count = steps.first().map_or(0, Vec::len);
    let most_turn = (options.step_turn_px / ACROSS_PX) as usize;
    let mut best = (0.0, 0.0, 0.0);
    for near in 0..count {
        for far in near.saturating_sub(most_turn)..(near + most_turn + 1).min(count) {
            let (a, b) = (near as f64, far as f64);
            let sum: f64 = places
                .iter()
                .zip(steps)
                .map(|((share, _), steps)| steps[(a + (b - a) * share).round() as usize])
                .sum();
            let mean = sum / places.len() as f64;
            if mean > best.0 {
                let offset = |index: f64| index * ACROSS_PX - options.step_reach_px;
                best = (mean, offset(a), offset(b));
            }
        }
    }
    best
}
