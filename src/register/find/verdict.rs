//! Whether a polished camera really explains the picture.
//!
//! In: a camera for the reduced picture and how far off a mark may be. Out: a [`Verdict`]: how much of the marks in view is
//! seen, how often the same test succeeds beside the marks, and the nats that follow from both.

use nalgebra::Vector2;

use super::{
    FindOptions,
    evidence::{Projected, Projector, spread},
    pattern::{Look, Pattern, Sample},
    polish::across,
    probe::{Across, look_across},
    small::SmallPicture,
};
use crate::camera::Camera;

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
    /// Share of the outlines and rails in view that is seen; `None` where none is in view.
    pub outline_seen: Option<f64>,
    /// Share of all marks in view that is not seen.
    pub missed: f64,
    /// Diagonal of the box around the marks in view, as a share of the picture's.
    pub extent: f64,
    /// Whether the board has painted lines in view; without any its outline must do.
    pub has_paint: bool,
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

/// Nats for a camera whose marks may be `reach_px` off, at a glance: fewer places, and a chance that is
/// assumed instead of measured.
pub(super) fn glance(
    small: &SmallPicture,
    pattern: &Pattern,
    camera: &Camera,
    reach_px: f64,
    options: &FindOptions,
) -> f64 {
    let projector = Projector::new(camera);
    let mut tally = Tally { decoys: 1.0, decoys_seen: options.glance_chance, ..Tally::default() };
    for (sample, expected) in spread(&pattern.samples, &projector, small, options.glance_px) {
        let normal = Vector2::new(-expected.along.y, expected.along.x);
        let look = across(sample, &expected, &projector);
        let Some(seen) = look_across(small, expected.at, normal, look, reach_px, 1, options) else {
            continue;
        };
        tally.in_view += sample.weight;
        tally.seen += if seen.strength >= 1.0 { sample.weight } else { 0.0 };
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
    let views = look_at_marks(small, pattern, camera, reach_px, options);
    let has_paint = views.iter().any(|view| !view.is_outline);
    let mut marks = vec![Tally::default(); pattern.marks];
    let mut paint = Tally::default();
    let mut outline = Tally::default();
    for is_outline in [false, true] {
        let views = || views.iter().filter(|view| view.is_outline == is_outline);
        // On a textured surface every place looks a little like a mark: more than most is asked.
        // Beside an outline there are rails and gutters with edges of their own, so next to paint
        // outlines are asked no more than contrast.
        let mut decoys: Vec<f64> = views().flat_map(|view| view.decoys).flatten().collect();
        decoys.sort_by(f64::total_cmp);
        let usual = decoys.get((decoys.len() as f64 * options.usual_decoys) as usize).copied().unwrap_or(0.0);
        let asked = if is_outline && has_paint { 1.0 } else { usual.max(1.0) };
        let tally = if is_outline { &mut outline } else { &mut paint };
        for view in views() {
            let hit = if view.strength >= asked { view.weight } else { 0.0 };
            for tally in [&mut *tally, &mut marks[view.mark]] {
                tally.in_view += view.weight;
                tally.seen += hit;
            }
            for decoy in view.decoys.into_iter().flatten() {
                tally.decoys += view.weight;
                tally.decoys_seen += if decoy >= asked { view.weight } else { 0.0 };
            }
        }
    }
    let main = if paint.in_view > 0.0 { &paint } else { &outline };
    let in_view = |mark: &&Tally| mark.in_view >= options.least_mark_in_view;
    let none = Vector2::repeat(f64::NAN);
    let low = views.iter().map(|view| view.at).reduce(|a, b| a.inf(&b)).unwrap_or(none);
    let high = views.iter().map(|view| view.at).reduce(|a, b| a.sup(&b)).unwrap_or(none);
    Verdict {
        score: paint.nats(options) + outline.nats(options),
        seen: main.share(),
        chance: main.chance(options),
        marks_seen: marks.iter().filter(in_view).filter(|m| m.share() > 0.5).count(),
        marks_in_view: marks.iter().filter(in_view).count(),
        outline_seen: (outline.in_view > 0.0).then(|| outline.share()),
        missed: 1.0 - (paint.seen + outline.seen) / (paint.in_view + outline.in_view).max(1e-9),
        has_paint,
        extent: (high - low).norm() / (2.0 * small.half_diagonal_px()),
        unexplained: 0.0,
    }
}

/// A sample in view: how strongly its mark shows there, and beside it.
struct View {
    at: Vector2<f64>,
    mark: usize,
    is_outline: bool,
    weight: f64,
    strength: f64,
    decoys: [Option<f64>; 2],
}

fn look_at_marks(
    small: &SmallPicture,
    pattern: &Pattern,
    camera: &Camera,
    reach_px: f64,
    options: &FindOptions,
) -> Vec<View> {
    let projector = Projector::new(camera);
    let view = |(sample, expected): (&Sample, Projected)| {
        let normal = Vector2::new(-expected.along.y, expected.along.x);
        let look = across(sample, &expected, &projector);
        let lines = if sample.straight { options.verdict_lines } else { 1 };
        let strength = |offset_px: f64| {
            let at = expected.at + normal * offset_px;
            let seen = look_across(small, at, normal, look, reach_px, lines, options)?;
            // A line much wider than expected belongs to a board of another size.
            let too_wide = match look {
                Across::Bar { width_px, .. } => {
                    seen.width_px > options.widest * width_px + options.widened_px
                }
                Across::Step => false,
            };
            Some(if too_wide { 0.0 } else { seen.strength })
        };
        let decoy_px = reach_px + options.decoy_gap_px;
        Some(View {
            at: expected.at,
            mark: sample.mark,
            is_outline: matches!(sample.look, Look::Step),
            weight: sample.weight,
            strength: strength(0.0)?,
            decoys: [strength(-decoy_px), strength(decoy_px)],
        })
    };
    spread(&pattern.samples, &projector, small, options.independent_px).into_iter().filter_map(view).collect()
}
