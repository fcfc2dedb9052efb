//! Straight painted lines near a place, whatever their number.
//!
//! In: the rectified surface and a stretch of it. Out: every [`Stroke`] that runs along the stretch: darker than what lies on
//! both sides of it, nearly all along. What is only darker on one side is a step of colour, not a line.

use super::{
    LearnOptions,
    plane::{Plane, median, median_colour},
};
use crate::{
    geometry::{Point, Vector},
    outline::Lab,
};

/// A painted line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub from: Point,
    pub to: Point,
    pub width_mm: f64,
    /// How much darker than the wood it is, as a mean over its length, in standard deviations of what wood shows here.
    pub clearness: f64,
    pub colour: Lab,
}

/// Places along a stretch that are read.
const STATIONS: usize = 96;
/// A single place never counts for more than this, in units of lightness: a black piece is not a line.
const MOST_AT_ONE_PLACE: f64 = 8.0;

/// Darkness that counts less and less the more there is of it.
fn softened(darkness: f64) -> f64 {
    darkness * MOST_AT_ONE_PLACE / (MOST_AT_ONE_PLACE + darkness.abs())
}

/// Where lines may run: beside the stretch from `from` to `to`, `reach_mm` to either side and turned by as much as
/// `turn_mm` from one end to the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub from: Point,
    pub to: Point,
    pub reach_mm: f64,
    pub turn_mm: f64,
}

/// All strokes along a stretch, the clearest first.
pub(super) fn strokes_along(plane: &Plane, stretch: &Stretch, options: &LearnOptions) -> Vec<Stroke> {
    let Some(along) = (stretch.to - stretch.from).try_normalize(f64::MIN_POSITIVE) else { return Vec::new() };
    let normal = Vector::new(-along.y, along.x);
    let cell_mm = plane.cell_mm;
    // What the wood shows by itself is learned from more of it than lines may lie on.
    let half = (stretch.reach_mm.max(options.noise_reach_mm) / cell_mm).ceil() as i64;
    // Lines of all widths: compared with what lies so far to either side of their middle.
    let gaps: Vec<i64> =
        options.line_gaps_mm.iter().map(|gap_mm| ((gap_mm / cell_mm).round() as i64).max(2)).collect();
    let margin = gaps.iter().copied().max().unwrap_or(2);
    let light: Vec<Vec<f64>> = (0..STATIONS)
        .map(|i| {
            let base = stretch.from + (stretch.to - stretch.from) * ((i as f64 + 0.5) / STATIONS as f64);
            (-half - margin..=half + margin)
                .map(|j| plane.at(base + normal * (j as f64 * cell_mm)).map_or(f64::NAN, |c| f64::from(c.x)))
                .collect()
        })
        .collect();
    let darkness = darkness_of(&light, half, margin, &gaps);
    let (scores, turns) = best_turns(&darkness, half, (stretch.turn_mm / cell_mm).round() as i64);
    let peaks = peaks_of(&scores, options, (options.line_gaps_mm[0] / cell_mm).ceil().max(2.0) as usize);
    let is_in_reach = |peak: &Peak| (peak.place - half as f64).abs() * cell_mm <= stretch.reach_mm;
    let mut strokes: Vec<Stroke> = peaks
        .into_iter()
        .filter(is_in_reach)
        .map(|peak| {
            let offset_mm = (peak.place - half as f64) * cell_mm;
            let turn_mm = turns[peak.place.round() as usize] as f64 * cell_mm;
            let from = stretch.from + normal * (offset_mm - turn_mm / 2.0);
            let to = stretch.to + normal * (offset_mm + turn_mm / 2.0);
            finished(plane, from, to, normal, &peak, options)
        })
        .collect();
    strokes.retain(|stroke| continuity(plane, stroke, normal, options) >= options.least_continuity);
    strokes.sort_by(|a, b| b.clearness.total_cmp(&a.clearness));
    strokes
}

/// Share of the places along a stroke that are darker there than on both sides: letters, wear and grain are not all along.
fn continuity(plane: &Plane, stroke: &Stroke, normal: Vector, options: &LearnOptions) -> f64 {
    let gap_mm = stroke.width_mm / 2.0 + options.line_gaps_mm.first().copied().unwrap_or(1.0);
    let light = |p: Point| plane.at(p).map(|colour| colour.x);
    let (mut dark, mut seen) = (0_usize, 0_usize);
    for i in 0..STATIONS {
        let on = stroke.from + (stroke.to - stroke.from) * ((i as f64 + 0.5) / STATIONS as f64);
        let sides = [light(on + normal * gap_mm), light(on - normal * gap_mm)];
        if let (Some(here), [Some(one), Some(other)]) = (light(on), sides) {
            dark += usize::from(here < one.min(other));
            seen += 1;
        }
    }
    dark as f64 / seen.max(1) as f64
}

/// How much darker each place is than both its sides, station by station; not a number out of the picture.
fn darkness_of(light: &[Vec<f64>], half: i64, margin: i64, gaps: &[i64]) -> Vec<Vec<f64>> {
    let at_station = |light: &Vec<f64>| {
        (0..=2 * half)
            .map(|j| {
                let middle = (j + margin) as usize;
                let by_gap = gaps.iter().map(|gap| {
                    let (one, other) = (light[middle - *gap as usize], light[middle + *gap as usize]);
                    one.min(other) - light[middle]
                });
                let darkest = by_gap.fold(f64::NAN, f64::max);
                softened(darkest)
            })
            .collect()
    };
    light.iter().map(at_station).collect()
}

/// For each offset the mean darkness along the best turned line through its middle, and that turn.
fn best_turns(darkness: &[Vec<f64>], half: i64, most_turn: i64) -> (Vec<f64>, Vec<i64>) {
    let count = (2 * half + 1) as usize;
    let (mut scores, mut turns) = (vec![f64::NEG_INFINITY; count], vec![0_i64; count]);
    for turn in -most_turn..=most_turn {
        for j in 0..count {
            let (mut sum, mut seen) = (0.0, 0_usize);
            for (i, station) in darkness.iter().enumerate() {
                let share = (i as f64 + 0.5) / STATIONS as f64 - 0.5;
                let place = j as i64 + (turn as f64 * share).round() as i64;
                let value = usize::try_from(place).ok().and_then(|place| station.get(place).copied());
                if let Some(value) = value.filter(|value| value.is_finite()) {
                    sum += value;
                    seen += 1;
                }
            }
            let mean = sum / seen.max(1) as f64;
            if seen * 4 >= STATIONS && mean > scores[j] {
                (scores[j], turns[j]) = (mean, turn);
            }
        }
    }
    (scores, turns)
}

struct Peak {
    /// In cells, to a fraction.
    place: f64,
    strength: f64,
    clearness: f64,
}

/// Places darker than all within `apart` of them, and than grain makes them.
fn peaks_of(scores: &[f64], options: &LearnOptions, apart: usize) -> Vec<Peak> {
    let usual = median(scores.iter().copied()).unwrap_or(0.0);
    let spread = median(scores.iter().map(|score| (score - usual).abs())).unwrap_or(0.0);
    let noise = (1.4826 * spread).max(options.least_noise);
    let is_top = |i: usize| {
        let near = i.saturating_sub(apart)..(i + apart + 1).min(scores.len());
        scores[i].is_finite() && near.clone().all(|j| scores[j] < scores[i] || j == i)
    };
    (1..scores.len().saturating_sub(1))
        .filter(|&i| is_top(i))
        .map(|i| {
            let (before, here, after) = (scores[i - 1], scores[i], scores[i + 1]);
            let bend = before - 2.0 * here + after;
            let part = if bend < 0.0 && bend.is_finite() {
                (0.5 * (before - after) / bend).clamp(-0.5, 0.5)
            } else {
                0.0
            };
            Peak { place: i as f64 + part, strength: here, clearness: (here - usual) / noise }
        })
        .filter(|peak| peak.strength >= options.least_line && peak.clearness >= options.least_clearness)
        .collect()
}

/// The stroke's width and colour, from the profile that its stations have in common; its middle is that of both edges.
fn finished(
    plane: &Plane,
    from: Point,
    to: Point,
    normal: Vector,
    peak: &Peak,
    options: &LearnOptions,
) -> Stroke {
    let step_mm = plane.cell_mm / 2.0;
    let reach_mm = options.line_gaps_mm.iter().copied().fold(0.0, f64::max) * 1.5;
    let count = (reach_mm / step_mm).ceil() as i64;
    let usual_at = |j: i64| -> Option<Lab> {
        let across: Vec<Lab> = (0..STATIONS)
            .filter_map(|i| {
                let on = from + (to - from) * ((i as f64 + 0.5) / STATIONS as f64);
                plane.at(on + normal * (j as f64 * step_mm))
            })
            .collect();
        median_colour(&across)
    };
    let profile: Vec<Option<Lab>> = (-count..=count).map(usual_at).collect();
    let light = |j: i64| profile[(j + count) as usize].map_or(f64::NAN, |c| f64::from(c.x));
    let beside = median([light(-count), light(-count + 1), light(count), light(count - 1)].into_iter());
    let colour = profile[count as usize].unwrap_or_else(Lab::zeros);
    let Some(beside) = beside else {
        return Stroke { from, to, width_mm: 2.0 * step_mm, clearness: peak.clearness, colour };
    };
    let half_level = (beside + light(0)) / 2.0;
    let edge = |way: i64| {
        (1..=count).find(|j| light(way * j) >= half_level).map_or(step_mm, |j| {
            let (inside, outside) = (light(way * (j - 1)), light(way * j));
            let part = if outside > inside { (half_level - inside) / (outside - inside) } else { 0.5 };
            ((j - 1) as f64 + part) * step_mm
        })
    };
    let (left_mm, right_mm) = (edge(-1), edge(1));
    let shift = normal * ((right_mm - left_mm) / 2.0);
    // The picture's own blur widens thin lines.
    let blur_mm = options.blur_px * plane.cell_mm;
    let seen_mm = left_mm + right_mm;
    let width_mm = (seen_mm * seen_mm - blur_mm * blur_mm).max(0.25 * seen_mm * seen_mm).sqrt();
    Stroke { from: from + shift, to: to + shift, width_mm, clearness: peak.clearness, colour }
}
