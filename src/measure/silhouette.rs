//! Where a piece lies by its outline against the board.
//!
//! In: the picture around a piece, its solid, and a start good to millimetres. Out: the footprint.

use super::{
    MeasureOptions,
    contour::{self, Expectation, Profile, directions},
    estimate::Estimate,
    scene::Scene,
    solid::Solid,
    view::ShadedPatch,
};
use crate::geometry::{Point, Vector};

/// The best place for an outline, and how much of it shows the contrast (1: all).
#[derive(Debug, Clone, Copy)]
pub(super) struct Located {
    pub centre: Point,
    pub score: f64,
}

/// What a direction with the wrong contrast counts.
const OPPOSED: f64 = -0.3;

/// Finds the place near `start` where the outline's contrast is strongest all around. With
/// `must_look_alike` the inside must have the face's colour up to the edge.
pub(super) fn locate(
    scene: &Scene,
    solid: &Solid,
    start: Point,
    shaded: &ShadedPatch,
    must_look_alike: bool,
    options: &MeasureOptions,
) -> Located {
    let profiles: Vec<Profile> = directions(options.coarse_directions)
        .filter_map(|n| Profile::read(scene, solid, start, n, shaded, options.search_mm, options))
        .collect();
    let steps = (options.search_mm / options.search_step_mm).ceil() as i32;
    let reach = options.level_near_samples as i64;
    // By how many samples the outline moves along each profile when the place moves by a millimetre.
    let by_shift: Vec<Vector> = profiles.iter().map(|p| p.n * (p.support.by_centre / p.step_mm)).collect();
    let shade = &shaded.shade;
    let by_contrast = 1.0 / shade.contrast();
    let score_at = |p: &Profile, at: i64| {
        let (Some(inner), Some(outer)) = (p.at(at - reach), p.at(at + reach)) else { return 0.0 };
        if must_look_alike && shade.away_from_face(inner) > options.cap_alike {
            return OPPOSED;
        }
        // Clipped, so that one strong edge of paint does not outvote the rim.
        f64::from(((outer - inner) * by_contrast).clamp(OPPOSED as f32, 1.0))
    };
    // Every move looks at the same samples: what each is worth.
    let scores: Vec<Vec<f64>> =
        profiles.iter().map(|p| (0..p.len()).map(|at| score_at(p, at as i64)).collect()).collect();
    let mut best = Located { centre: start, score: f64::MIN };
    for iy in -steps..=steps {
        for ix in -steps..=steps {
            let shift = Vector::new(f64::from(ix), f64::from(iy)) * options.search_step_mm;
            if shift.norm() > options.search_mm {
                continue;
            }
            let mut score = 0.0;
            for ((p, by_shift), scores) in profiles.iter().zip(&by_shift).zip(&scores) {
                // Rounded: whatever falls short of the profile's start is worth nothing anyway.
                let at = (p.inside as f64 + by_shift.dot(&shift) + 0.5) as i32;
                score += scores.get(at as usize).copied().unwrap_or(0.0);
            }
            // Few free directions can be misled; then the start has a say.
            let score = score / options.coarse_directions as f64
                - options.search_shyness * (shift.norm() / options.search_mm).powi(2);
            if score > best.score {
                best = Located { centre: start + shift, score };
            }
        }
    }
    best
}

/// What an outline shows at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// Mean contrast across it, of the piece's own: about 1 where it is, about 0 elsewhere.
    pub score: f64,
    /// Share of it that can be seen.
    pub free: f64,
}

/// Whether a piece's outline is to be seen at a place: faces with rings have centres of symmetry that are
/// none of the piece.
pub(super) fn shown(
    scene: &Scene,
    solid: &Solid,
    centre: Point,
    shaded: &ShadedPatch,
    options: &MeasureOptions,
) -> Shown {
    let reach = options.level_near_samples as i64;
    let steps: Vec<f64> = directions(options.coarse_directions)
        .filter_map(|n| {
            let p = Profile::read(scene, solid, centre, n, shaded, options.edge_reach_mm / 2.0, options)?;
            let (inner, outer) = (p.at(p.inside as i64 - reach)?, p.at(p.inside as i64 + reach)?);
            Some(f64::from(((outer - inner) / shaded.shade.contrast()).clamp(OPPOSED as f32, 1.0)))
        })
        .collect();
    let free = steps.len() as f64 / options.coarse_directions as f64;
    Shown { score: steps.iter().sum::<f64>() / steps.len().max(1) as f64, free }
}

/// Fits the footprint to the outline.
pub(super) fn fit(
    scene: &Scene,
    solid: &Solid,
    start: Point,
    shaded: &ShadedPatch,
    options: &MeasureOptions,
) -> Option<Estimate> {
    let expectation = Expectation {
        excess_mm: 0.0,
        excess_sigma_mm: options.excess_sigma_mm + options.excess_sigma_by_glow_mm * shaded.shade.glow(),
        inside_alike: None,
        ring: None,
        light: None,
        near_sigma_mm: near_sigma_mm(scene, solid, start, options),
    };
    contour::fit(scene, solid, start, shaded, &expectation, options)
}

/// Expected deviation of what the near side adds to an outline, by how much of its wall is seen.
pub(super) fn near_sigma_mm(scene: &Scene, solid: &Solid, at: Point, options: &MeasureOptions) -> f64 {
    let slope = (at - scene.eye.foot).norm() / scene.eye.height_mm;
    let wall_mm = slope * (solid.top_mm - solid.base_mm);
    options.near_floor_sigma_mm + options.near_sigma_by_wall * wall_mm
}
