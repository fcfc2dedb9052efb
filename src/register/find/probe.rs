//! What the picture shows across a mark: is it there, and how far beside the expected place.
//!
//! In: a place and direction in the reduced picture and what the mark looks like. Out: the offset
//! across the mark where the picture looks most like it, and the contrast there.

use nalgebra::Vector2;

use super::{FindOptions, small::SmallPicture};

/// Profile points per pixel, and how many there can be.
const PER_PX: f64 = 2.0;
const MAX_POINTS: usize = 128;

#[derive(Debug, Clone, Copy)]
pub(super) enum Across {
    /// A line of this width, darker than both sides (or lighter).
    Bar { width_px: f64, dark: bool },
    /// A step up or down.
    Step,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Along the normal, from the expected place.
    pub offset_px: f64,
    /// Contrast relative to what noise alone would show; 1 is the threshold.
    pub strength: f64,
    /// Width of a bar at half its contrast; 0 for a step.
    pub width_px: f64,
}

/// Looks up to `reach_px` to both sides along `normal`; `None` where that leaves the picture. The
/// profile is the mean of `lines` parallel ones, which evens out texture and noise along a straight
/// mark.
pub(super) fn look_across(
    small: &SmallPicture,
    at: Vector2<f64>,
    normal: Vector2<f64>,
    across: Across,
    reach_px: f64,
    lines: usize,
    options: &FindOptions,
) -> Option<Seen> {
    let half_width = match across {
        Across::Bar { width_px, .. } => (width_px / 2.0).clamp(0.5, 12.0),
        Across::Step => 0.5,
    };
    let margin = half_width + options.beside_px;
    let half_points = ((reach_px + margin) * PER_PX).ceil() as usize;
    let points = 2 * half_points + 1;
    if points > MAX_POINTS {
        return None;
    }
    let mut profile = [0f32; MAX_POINTS];
    let along = Vector2::new(normal.y, -normal.x);
    for line in 0..lines {
        let start = at + along * ((line as f64 - (lines as f64 - 1.0) / 2.0) * options.line_gap_px);
        for (i, value) in profile[..points].iter_mut().enumerate() {
            let p = start + normal * ((i as f64 - half_points as f64) / PER_PX);
            *value += small.sample(p.x, p.y)?;
        }
    }
    for value in &mut profile[..points] {
        *value /= lines as f32;
    }
    let beside = (margin * PER_PX).round() as usize;
    let inside = ((half_width - 0.5).max(0.0) * PER_PX).round() as usize;
    let response = |i: usize| -> (f32, f32) {
        let (left, right) = (profile[i - beside], profile[i + beside]);
        match across {
            Across::Bar { dark, .. } => {
                let core = (profile[i - inside] + profile[i] + profile[i + inside]) / 3.0;
                if dark { (left.min(right) - core, left.min(right)) } else { (core - left.max(right), core) }
            }
            Across::Step => ((left - right).abs(), left.max(right)),
        }
    };
    let reach = (reach_px * PER_PX).floor() as usize;
    let mut best = (half_points, f32::NEG_INFINITY);
    for i in half_points - reach..=half_points + reach {
        // Of equals the one nearer to the expected place.
        let off = (i as f32 - half_points as f32) / (reach as f32 + 1.0);
        let value = response(i).0 * (1.0 - 0.3 * off * off);
        if value > best.1 {
            best = (i, value);
        }
    }
    let i = best.0;
    let (contrast, level) = response(i);
    let threshold = options.noise_sigmas * f64::from(small.noise) / (lines as f64).sqrt()
        + options.least_contrast
        + options.least_relative_contrast * f64::from(level);
    let mut offset = i as f64 - half_points as f64;
    if i > beside && i + beside + 1 < points {
        let (before, after) = (response(i - 1).0, response(i + 1).0);
        let curvature = before - 2.0 * contrast + after;
        if curvature < 0.0 {
            offset += f64::from((0.5 * (before - after) / curvature).clamp(-1.0, 1.0));
        }
    }
    let width_px = match across {
        Across::Bar { dark, .. } => {
            let (sign, beside_level) = if dark { (1.0, level) } else { (-1.0, level - contrast) };
            let half = beside_level - sign * contrast / 2.0;
            let within = |j: usize| sign * (half - profile[j]) > 0.0;
            let left = (i - beside..i).rev().take_while(|&j| within(j)).count();
            let right = (i + 1..=i + beside).take_while(|&j| within(j)).count();
            (left + right + 1) as f64 / PER_PX
        }
        Across::Step => 0.0,
    };
    Some(Seen { offset_px: offset / PER_PX, strength: f64::from(contrast) / threshold, width_px })
}
