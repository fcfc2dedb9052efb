//! Printed circles near a place: discs, rings, and holes.

use std::f64::consts::TAU;

use super::plane::{Plane, median_colour};
use crate::{
    geometry::{Point, Vector},
    outline::Lab,
};

/// A circle across which the colour changes all around.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundCircle {
    pub centre: Point,
    pub radius_mm: f64,
    /// How different outside and inside are all around, in units of perceptual colour.
    pub strength: f64,
    /// The usual colour within half of its radius.
    pub inside: Lab,
}

/// Where a circle may lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    pub centre: Point,
    pub reach_mm: f64,
    pub radii_mm: [f64; 2],
}

/// The plainest circle near a place.
pub(super) fn circle_near(plane: &Plane, around: &Around) -> Option<FoundCircle> {
    let apart_mm = (1.5 * plane.cell_mm).max(1.2);
    let mut best: Option<(f64, Point, f64)> = None;
    let mut step_mm = (around.reach_mm / 8.0).clamp(plane.cell_mm, 2.5);
    let [least, most] = around.radii_mm;
    let search = |centre: Point,
                  reach_mm: f64,
                  radii: [f64; 2],
                  step_mm: f64,
                  best: &mut Option<(f64, Point, f64)>| {
        let steps = (reach_mm / step_mm).ceil() as i64;
        let sizes = ((radii[1] - radii[0]) / step_mm).ceil().max(0.0) as i64;
        for i in -steps..=steps {
            for j in -steps..=steps {
                let centre = centre + Vector::new(i as f64, j as f64) * step_mm;
                for k in 0..=sizes {
                    let radius_mm = (radii[0] + k as f64 * step_mm).min(radii[1]);
                    let Some(strength) = strength(plane, centre, radius_mm, apart_mm) else { continue };
                    if best.is_none_or(|(top, ..)| strength > top) {
                        *best = Some((strength, centre, radius_mm));
                    }
                }
            }
        }
    };
    search(around.centre, around.reach_mm, around.radii_mm, step_mm, &mut best);
    for _ in 0..3 {
        let (_, centre, radius_mm) = best?;
        let reach_mm = step_mm;
        step_mm /= 2.5;
        let radii = [(radius_mm - reach_mm).max(least), (radius_mm + reach_mm).min(most)];
        search(centre, reach_mm, radii, step_mm, &mut best);
    }
    let (strength, centre, radius_mm) = best?;
    let inner: Vec<Lab> = (0..24)
        .filter_map(|i| {
            let (angle, share) = (TAU * i as f64 / 12.0, if i < 12 { 0.2 } else { 0.5 });
            plane.at(centre + Vector::new(angle.cos(), angle.sin()) * (radius_mm * share))
        })
        .collect();
    Some(FoundCircle { centre, radius_mm, strength, inside: median_colour(&inner)? })
}

/// How much the colour changes across a circle, all around alike; `None` where too little of it is in the picture.
fn strength(plane: &Plane, centre: Point, radius_mm: f64, apart_mm: f64) -> Option<f64> {
    const ANGLES: usize = 24;
    let (mut sum, mut seen) = (Lab::zeros(), 0_usize);
    for i in 0..ANGLES {
        let angle = TAU * i as f64 / ANGLES as f64;
        let way = Vector::new(angle.cos(), angle.sin());
        let inside = plane.at(centre + way * (radius_mm - apart_mm));
        let outside = plane.at(centre + way * (radius_mm + apart_mm));
        if let (Some(inside), Some(outside)) = (inside, outside) {
            sum += outside - inside;
            seen += 1;
        }
    }
    (4 * seen >= 3 * ANGLES).then(|| f64::from((sum / seen as f32).norm()))
}

/// How much darker a thin ring is than what lies inside and outside of it, as a mean over its angles.
pub(super) fn ring_darkness(plane: &Plane, centre: Point, radius_mm: f64, gap_mm: f64) -> Option<f64> {
    const ANGLES: usize = 72;
    const MOST: f64 = 8.0;
    let (mut sum, mut seen) = (0.0, 0_usize);
    for i in 0..ANGLES {
        let angle = TAU * (i as f64 + 0.5) / ANGLES as f64;
        let way = Vector::new(angle.cos(), angle.sin());
        let light = |r: f64| plane.at(centre + way * r).map(|colour| f64::from(colour.x));
        let (Some(one), Some(here), Some(other)) =
            (light(radius_mm - gap_mm), light(radius_mm), light(radius_mm + gap_mm))
        else {
            continue;
        };
        sum += (one.min(other) - here).clamp(-MOST, MOST);
        seen += 1;
    }
    (2 * seen >= ANGLES).then(|| sum / seen as f64)
}
