//! A first camera for a picture of which only the board's id is known.
//!
//! In: a picture and a board. Out: cameras good to a few pixels, or why there is none. The steps:
//! a reduced picture ([`small`]); its straight edges ([`segments`]); directions at right angles
//! among them ([`vanishing`]); for each, where the board's parallel lines fit ([`align`]); every
//! such camera scored against the edges ([`evidence`]); the best polished on the marks themselves
//! ([`polish`]), judged ([`verdict`]), and read the way a person would ([`reading`]).

mod align;
mod corners;
mod evidence;
mod options;
mod pattern;
mod polish;
mod probe;
mod reading;
mod segments;
mod small;
mod trace;
mod unexplained;
mod vanishing;
mod verdict;

use nalgebra::{Vector2, Vector3};

use self::{
    align::Placement,
    evidence::{EdgeMap, small_camera},
    pattern::Pattern,
    segments::Segment,
    small::SmallPicture,
};
use super::RegisterError;
use crate::{
    board::Board,
    camera::{Camera, Lens},
    capture::Picture,
};

pub use corners::{CornerOptions, cameras_from_corners, registration_from_corners};
pub use options::FindOptions;
pub use trace::FindTrace;
pub use verdict::Verdict;

/// A hypothesis on its way, for the reduced picture.
struct Candidate {
    camera: Camera,
    score: f64,
}

/// Finds the board by its outline and lines. The cameras are ordered by how well they explain the
/// paint, the best first; each is good to a few pixels, enough for [`super::refine`].
///
/// A board that looks the same turned by 180 or 90 degrees is read with `prefer_end` in view, or
/// upright where that does not decide.
pub fn find_board(
    picture: &Picture,
    board: &Board,
    options: &FindOptions,
) -> Result<Vec<Camera>, RegisterError> {
    find_board_with_trace(picture, board, options, &mut FindTrace::default())
}

/// [`find_board`], which also tells what each step saw and how long it took.
pub fn find_board_with_trace(
    picture: &Picture,
    board: &Board,
    options: &FindOptions,
    trace: &mut FindTrace,
) -> Result<Vec<Camera>, RegisterError> {
    let not_found = |reason: &str| RegisterError::NotFound { board: board.id.clone(), reason: reason.into() };
    let [width, height] = picture.size();
    if width.min(height) < options.min_picture_px {
        return Err(not_found("the picture is too small"));
    }
    let broken = |error: opencv::Error| not_found(&format!("the picture could not be searched ({error})"));
    trace.start();
    let small = SmallPicture::reduce(picture, options.working_px).map_err(broken)?;
    trace.stamp("reduce");
    let segments = segments::detect(&small, options).map_err(broken)?;
    trace.segments = segments.len();
    trace.stamp("edges");
    let pattern = Pattern::of(board, options.samples, options.outline_weight);
    let dense = Pattern::of(board, options.final_samples, options.outline_weight);
    let map = EdgeMap::draw(&small, &segments, options.edge_reach_px, options);
    trace.stamp("map");
    let mut judged: Vec<(Camera, Verdict)> = Vec::new();
    for &bend in &options.bends {
        let candidates = hypotheses(&small, &segments, &pattern, &map, bend, options, trace);
        let candidates = best_at_a_glance(&small, &dense, candidates, options);
        trace.stamp("look");
        trace.coarse_scores.extend(candidates.iter().map(|candidate| candidate.score));
        let polished = candidates.iter().filter_map(|candidate| {
            polish::polish(&small, &pattern.samples, &candidate.camera, &options.polish_reaches_px, options)
        });
        judged.extend(polished.map(|camera| {
            (camera, verdict::judge(&small, &dense, &camera, options.verdict_reach_px, options))
        }));
        judged.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
        let alike = judged.partition_point(|(_, verdict)| is_as_good(verdict, &judged[0].1, options));
        judged[..alike].sort_by(|a, b| a.1.missed.total_cmp(&b.1.missed));
        judged.truncate(options.max_found);
        for (camera, verdict) in &mut judged {
            verdict.unexplained = unexplained::share(&small, &segments, board, &pattern, camera, options);
        }
        prefer_what_explains_all(&mut judged, options);
        trace.stamp("polish");
        // A straight lens that explains nearly everything leaves nothing for a bent one to better.
        if judged.first().is_some_and(|(_, verdict)| convincing(verdict, options)) {
            break;
        }
    }
    if judged.is_empty() {
        return Err(not_found(
            "there are too few straight lines: it may be out of view, too blurred or too dark",
        ));
    }
    trace.best = judged.first().map(|(camera, _)| small.full_camera(camera));
    trace.verdicts = judged.iter().map(|(_, verdict)| verdict.clone()).collect();
    let mut kept: Vec<Camera> = Vec::new();
    // Where the best explanation is refused, a worse one that passes is chance.
    for (camera, _) in judged.iter().take_while(|(_, verdict)| accepted(verdict, options)) {
        let camera = polish::finish(&small, &dense.samples, camera, options).unwrap_or(*camera);
        let reading = reading::preferred(&camera, board, &pattern, options);
        if !kept.iter().any(|old| alike(old, &reading, board)) {
            kept.push(reading);
        }
    }
    trace.stamp("finish");
    if kept.is_empty() {
        let reason = judged.first().map_or("no such board", |(_, verdict)| reason(verdict, options));
        return Err(not_found(reason));
    }
    Ok(kept.iter().map(|camera| small.full_camera(camera)).collect())
}

/// Whether the picture's paint bears a camera out that was found in another way. Where too little paint is in view to
/// tell, nothing speaks against it.
pub(super) fn is_borne_out(picture: &Picture, board: &Board, camera: &Camera, options: &FindOptions) -> bool {
    let Ok(small) = SmallPicture::reduce(picture, options.working_px) else { return false };
    let Ok(segments) = segments::detect(&small, options) else { return false };
    let pattern = Pattern::of(board, options.samples, options.outline_weight);
    let dense = Pattern::of(board, options.final_samples, options.outline_weight);
    let camera = small.reduced_camera(camera);
    let mut verdict = verdict::judge(&small, &dense, &camera, options.verdict_reach_px, options);
    verdict.unexplained = unexplained::share(&small, &segments, board, &pattern, &camera, options);
    !verdict.has_paint
        || verdict.marks_in_view < least_marks(&verdict, options)
        || accepted(&verdict, options)
}

/// Cameras that put the board's levels on the picture's edges, the best explained first.
fn hypotheses(
    small: &SmallPicture,
    segments: &[Segment],
    pattern: &Pattern,
    map: &EdgeMap,
    bend: f64,
    options: &FindOptions,
    trace: &mut FindTrace,
) -> Vec<Candidate> {
    let unit = small.half_diagonal_px();
    let middle = Vector2::new(small.width as f64 - 1.0, small.height as f64 - 1.0) / 2.0;
    // Where the edges would be without the lens's bend; half the diagonal is the unit.
    let unbend = Lens { fx: unit, fy: unit, k1: bend, ..Lens::ideal(unit, small.size()) };
    let straight = |s: &Segment| {
        let (from, to) = (unbend.ray_from_pixel(s.from.x, s.from.y)?, unbend.ray_from_pixel(s.to.x, s.to.y)?);
        Some(Segment { from: Vector2::new(from.0, from.1), to: Vector2::new(to.0, to.1) })
    };
    let lines: Vec<Segment> =
        segments::join(segments, options).iter().filter_map(|(line, _)| straight(line)).collect();
    let edges: Vec<Segment> = segments.iter().filter_map(straight).collect();
    let mut candidates = Vec::new();
    let orientations = vanishing::orientations(&lines, &edges, options);
    trace.orientations += orientations.len();
    trace.stamp("directions");
    for orientation in orientations {
        for &turn in pattern.distinct_turns() {
            for placement in align::placements(&orientation, turn, pattern, &edges, middle / unit, options) {
                let camera = camera_of(small, &placement, unit, bend);
                let score = map.score(&camera, &pattern.samples);
                candidates.push(Candidate { camera, score });
            }
        }
    }
    trace.hypotheses += candidates.len();
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if kept.len() == options.max_looked_at {
            break;
        }
        if !kept.iter().any(|old| close(&old.camera, &candidate.camera, pattern, options.close_px)) {
            kept.push(candidate);
        }
    }
    trace.stamp("align");
    kept
}

/// Edges cannot tell a painted line from a rail or a shadow; the grey values can.
fn best_at_a_glance(
    small: &SmallPicture,
    dense: &Pattern,
    mut candidates: Vec<Candidate>,
    options: &FindOptions,
) -> Vec<Candidate> {
    for candidate in &mut candidates {
        candidate.score = verdict::glance(small, dense, &candidate.camera, options.look_reach_px, options);
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates.truncate(options.max_polished);
    candidates
}

fn camera_of(small: &SmallPicture, placement: &Placement, unit: f64, bend: f64) -> Camera {
    let r = &placement.rotation;
    let (offset, height) = (placement.offset_mm, placement.height_mm);
    let translation: Vector3<f64> = -(r.column(0) * offset.x + r.column(1) * offset.y + r.column(2) * height);
    small_camera(small, *r, translation, placement.focal * unit, bend * placement.focal.powi(2))
}

/// Whether two cameras see the board's marks in nearly the same places.
fn close(a: &Camera, b: &Camera, pattern: &Pattern, close_px: f64) -> bool {
    let every = (pattern.samples.len() / 12).max(1);
    let mut compared = 0;
    for sample in pattern.samples.iter().step_by(every) {
        let pixel = |camera: &Camera| camera.image_from_board(sample.at.x, sample.at.y, sample.at.z);
        let [width, height] = a.image_size.map(f64::from);
        let (Some(p), Some(q)) = (pixel(a), pixel(b)) else { continue };
        if p.x < 0.0 || p.y < 0.0 || p.x > width || p.y > height {
            continue;
        }
        if (p - q).norm() > close_px {
            return false;
        }
        compared += 1;
    }
    compared > 0
}

fn alike(a: &Camera, b: &Camera, board: &Board) -> bool {
    board.corners().iter().all(|corner| {
        let pixel = |camera: &Camera| camera.image_from_board(corner.x, corner.y, 0.0);
        match (pixel(a), pixel(b)) {
            (Some(p), Some(q)) => (p - q).norm() < 3.0,
            (None, None) => true,
            _ => false,
        }
    })
}

/// A board drawn too large shows few of its marks, at great length, and leaves lines of the picture unexplained:
/// a camera that explains them too comes before it.
fn prefer_what_explains_all(judged: &mut [(Camera, Verdict)], options: &FindOptions) {
    let leaves_lines = |(_, verdict): &(Camera, Verdict)| verdict.unexplained > options.most_unexplained;
    let explains = |(_, verdict): &(Camera, Verdict)| convincing(verdict, options);
    if judged.first().is_some_and(leaves_lines)
        && let Some(better) = judged.iter().position(explains)
    {
        judged[..=better].rotate_right(1);
    }
}

/// Whether a verdict leaves nothing to search on for.
fn convincing(verdict: &Verdict, options: &FindOptions) -> bool {
    accepted(verdict, options)
        && verdict.seen >= options.convincing_share
        && verdict.marks_seen as f64 >= options.convincing_share * verdict.marks_in_view as f64
}

fn accepted(verdict: &Verdict, options: &FindOptions) -> bool {
    verdict.score >= options.least_score
        && verdict.seen >= options.least_seen
        && verdict.seen - verdict.chance >= options.least_over_chance
        && verdict.marks_seen >= least_marks(verdict, options)
        && verdict.marks_seen as f64 >= options.least_marks_share * verdict.marks_in_view as f64
        && has_its_outline(verdict, options)
        && verdict.extent >= options.least_extent
        && verdict.unexplained <= options.most_unexplained
}

/// Whether a verdict's score is so near to the best one that it does not decide.
fn is_as_good(verdict: &Verdict, best: &Verdict, options: &FindOptions) -> bool {
    verdict.score >= (1.0 - options.alike_scores) * best.score
}

fn has_its_outline(verdict: &Verdict, options: &FindOptions) -> bool {
    !verdict.has_paint || verdict.outline_seen.is_none_or(|seen| seen >= options.least_outline_seen)
}

fn least_marks(verdict: &Verdict, options: &FindOptions) -> usize {
    if verdict.has_paint { options.least_marks } else { options.least_outline_marks }
}

fn reason(verdict: &Verdict, options: &FindOptions) -> &'static str {
    if !verdict.has_paint && verdict.marks_in_view < options.least_outline_marks {
        "no painted line of it is in view, and an outline alone is not enough; give its four corners"
    } else if verdict.marks_in_view < options.least_marks || verdict.extent < options.least_extent {
        "too little of it is in view"
    } else if verdict.seen < options.least_seen {
        "its lines are not where they would have to be: another board, or too blurred or covered"
    } else if verdict.unexplained > options.most_unexplained {
        "there are painted lines on the surface that this board does not have: it may be another board"
    } else if !has_its_outline(verdict, options) {
        "its lines are there, but not its sides and rails: it may be another board"
    } else {
        "what can be seen could as well be something else"
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Rotation3;

    use super::*;
    use crate::camera::Pose;

    fn judged(focal_px: f64, seen: f64, unexplained: f64) -> (Camera, Verdict) {
        let camera = Camera {
            image_size: [720, 720],
            lens: Lens::ideal(focal_px, [720, 720]),
            pose: Pose { rotation: Rotation3::identity(), translation_mm: Vector3::zeros() },
        };
        let verdict = Verdict {
            score: focal_px,
            seen,
            chance: 0.03,
            marks_seen: 12,
            marks_in_view: 12,
            outline_seen: Some(1.0),
            missed: 1.0 - seen,
            extent: 0.9,
            has_paint: true,
            unexplained,
        };
        (camera, verdict)
    }

    fn first_focal_px(mut judged: Vec<(Camera, Verdict)>) -> f64 {
        prefer_what_explains_all(&mut judged, &FindOptions::default());
        judged[0].0.lens.fx
    }

    #[test]
    fn a_board_drawn_too_large_gives_way_to_one_that_explains_its_lines_too() {
        assert_eq!(first_focal_px(vec![judged(700.0, 0.97, 0.67), judged(470.0, 1.0, 0.0)]), 470.0);
        // One that only just passes may be chance.
        assert_eq!(first_focal_px(vec![judged(700.0, 0.97, 0.67), judged(470.0, 0.65, 0.0)]), 700.0);
        assert_eq!(first_focal_px(vec![judged(700.0, 0.97, 0.1), judged(470.0, 1.0, 0.0)]), 700.0);
    }
}
