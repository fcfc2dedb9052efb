//! Whether a polished camera really explains the picture.
//!
//! In: a camera for the reduced picture and how far off a mark may be. Out: a [`Verdict`]: how much of the marks in view is
//! seen, how often the same test succeeds beside the marks, and the nats that follow from both.

use nalgebra::Vector2;

use super::{
    FindOptions,
    evidence::Projector,
    pattern::{Look, Pattern},
    polish::across,
    probe::look_across,
    small::SmallPicture,
};
use crate::camera::Camera;

/// Of how many samples one is looked at by [`glance`].
const GLANCE_EVERY: usize = 2;

/// How well a camera explains the marks of a board.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Nats for this camera against chance.
    pub score: f64,
    /// Share of the paint in view that is seen; of the outlines for a board without paint.
    pub seen: f64,
    /// How often the same test succeeds beside the marks.
    pub chance: f64,
    /// Marks of which most of what is in view is seen.
    pub marks_seen: usize,
    /// Marks of which something is in view.
    pub marks_in_view: usize,
    /// Share of the outlines and rails in view that is seen.
    pub outline_seen: f64,
    /// Diagonal of the box around the marks in view, as a share of the picture's.
    pub extent: f64,
    /// Share of the straight painted lines on the surface that the board does not have.
    pub unexplained: f64,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    in_view: f64,
    seen: f64,
    decoys: f64,
    decoys_seen: f64,
}

impl Tally {
    fn share(&self) -> f64 {
        if self.in_view > 0.0 { self.seen / self.in_view } else { 0.0 }
    }

    fn chance(&self, options: &FindOptions) -> f64 {
        let (low, high) = options.chance_limits;
        (self.decoys_seen / self.decoys.max(1e-9)).clamp(low, high)
    }

    fn nats(&self, options: &FindOptions) -> f64 {
        let (hit, chance) = (options.expected_hits, self.chance(options));
        self.seen * (hit / chance).ln() + (self.in_view - self.seen) * ((1.0 - hit) / (1.0 - chance)).ln()
    }
}

/// Nats for a camera whose marks may be `reach_px` off, at a glance: every other sample, and a
/// chance that is assumed instead of measured.
pub(super) fn glance(
    small: &SmallPicture,
    pattern: &Pattern,
    camera: &Camera,
    reach_px: f64,
    options: &FindOptions,
) -> f64 {
    let projector = Projector::new(camera);
    let mut tally = Tally { decoys: 1.0, decoys_seen: options.glance_chance, ..Tally::default() };
    for sample in pattern.samples.iter().step_by(GLANCE_EVERY) {
        let Some(expected) = projector.project(&sample.at, &sample.along) else { continue };
        if !small.contains(expected.at.x, expected.at.y) {
            continue;
        }
        let normal = Vector2::new(-expected.along.y, expected.along.x);
        let look = across(sample, &expected, &projector);
        let Some(seen) = look_across(small, expected.at, normal, look, reach_px, options) else { continue };
        let weight =
            sample.weight * (expected.px_per_mm * sample.spacing_mm / options.independent_px).min(1.0);
        tally.in_view += weight;
        tally.seen += if seen.strength >= 1.0 { weight } else { 0.0 };
    }
    tally.nats(options)
}

pub(super) fn judge(
    small: &SmallPicture,
    pattern: &Pattern,
    camera: &Camera,
    reach_px: f64,
    options: &FindOptions,
) -> Verdict {
    let projector = Projector::new(camera);
    let mut paint = Tally::default();
    let mut outline = Tally::default();
    let mut marks = vec![Tally::default(); pattern.marks];
    let (mut low, mut high) = (Vector2::repeat(f64::INFINITY), Vector2::repeat(f64::NEG_INFINITY));
    for sample in &pattern.samples {
        let Some(expected) = projector.project(&sample.at, &sample.along) else { continue };
        if !small.contains(expected.at.x, expected.at.y) {
            continue;
        }
        let normal = Vector2::new(-expected.along.y, expected.along.x);
        let look = across(sample, &expected, &projector);
        let at = |offset_px: f64| {
            look_across(small, expected.at + normal * offset_px, normal, look, reach_px, options)
        };
        let Some(seen) = at(0.0) else { continue };
        (low, high) = (low.inf(&expected.at), high.sup(&expected.at));
        let weight =
            sample.weight * (expected.px_per_mm * sample.spacing_mm / options.independent_px).min(1.0);
        let tally = if matches!(sample.look, Look::Step) { &mut outline } else { &mut paint };
        let hit = if seen.strength >= 1.0 { weight } else { 0.0 };
        tally.in_view += weight;
        tally.seen += hit;
        marks[sample.mark].in_view += weight;
        marks[sample.mark].seen += hit;
        let decoy_px = reach_px + options.decoy_gap_px;
        for offset_px in [-decoy_px, decoy_px] {
            if let Some(decoy) = at(offset_px) {
                tally.decoys += weight;
                tally.decoys_seen += if decoy.strength >= 1.0 { weight } else { 0.0 };
            }
        }
    }
    let main = if paint.in_view > 0.0 { &paint } else { &outline };
    let in_view = |mark: &&Tally| mark.in_view >= options.least_mark_in_view;
    Verdict {
        score: paint.nats(options) + outline.nats(options),
        seen: main.share(),
        chance: main.chance(options),
        marks_seen: marks.iter().filter(in_view).filter(|m| m.share() > 0.5).count(),
        marks_in_view: marks.iter().filter(in_view).count(),
        outline_seen: outline.share(),
        extent: (high - low).norm().max(0.0) / (2.0 * small.half_diagonal_px()),
        unexplained: 0.0,
    }
}
