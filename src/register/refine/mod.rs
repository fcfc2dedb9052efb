//! From a camera that is good to a few pixels to one that is good to hundredths.
//!
//! In: pictures, the board, a first camera a pose, and what else is known ([`CameraPrior`]). Out:
//! a [`Registration`] a pose. Every painted line is cut across at many [`stations`]; the paint's
//! two edges are found to a fraction of a pixel ([`profile`]); then pose, focal length and lens
//! are fitted together with how far each line's paint lies beside its drawing ([`fit`]), so that
//! no single badly painted line drags the camera. Search widths shrink as the camera gets better.

mod agree;
mod bare_sides;
mod border;
mod elsewhere;
mod fit;
mod line_ends;
mod look;
mod options;
mod outline;
mod paint_seen;
mod profile;
mod sides;
mod stations;
#[cfg(test)]
mod tests;
mod watch;

use nalgebra::{Point3, Vector2, Vector3};

use super::{Method, Missing, RegisterError, Registration};
use crate::{
    board::{Board, BoardSide},
    camera::{Camera, Lens, Pixel},
    capture::Picture,
};
use fit::{Fit, FitOptions, Gaussian, Group, Kind, Observation, Priors};
use look::{Looked, OutlineUse, look};

pub use bare_sides::SideOptions;
pub(crate) use look::surface_in_view;
pub use options::{CameraPrior, LensSigmas, RefineOptions};
pub use outline::OutlineOptions;
pub use paint_seen::{PaintSeen, paint_seen};
pub use profile::ProfileOptions;
pub use watch::{CameraCheck, CameraWatch, check_camera};

/// A picture and the pose it was taken from, an index into the first cameras.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub picture: &'a Picture,
    pub pose: usize,
}

/// Fits pose, focal length and lens to the paint's edges.
pub fn refine(
    picture: &Picture,
    board: &Board,
    initial: &Camera,
    prior: &CameraPrior,
    options: &RefineOptions,
) -> Result<Registration, RegisterError> {
    let views = [View { picture, pose: 0 }];
    let mut registrations = refine_together(
        &views,
        board,
        std::slice::from_ref(initial),
        &[prior.height_mm],
        prior.lens,
        options,
    )?;
    registrations.pop().ok_or_else(|| other(board, "no picture was given"))
}

/// Fits one lens and several poses to several pictures; the result has the poses' order.
/// `initial` and `heights_mm` (by tape, with standard deviation) have an entry a pose.
pub fn refine_together(
    views: &[View],
    board: &Board,
    initial: &[Camera],
    heights_mm: &[Option<(f64, f64)>],
    lens: Option<Lens>,
    options: &RefineOptions,
) -> Result<Vec<Registration>, RegisterError> {
    let Some(first) = initial.first() else { return Ok(Vec::new()) };
    check_sizes(views, board, initial)?;
    let options = &options.for_board(board);
    // With several poses a tilted one knows the focal length; a single one may not.
    let tape = heights_mm.first().copied().flatten().filter(|_| initial.len() == 1);
    let given_lens = lens.unwrap_or_else(|| lens_for_height(first, tape));
    let initial: Vec<Camera> = initial.iter().map(|camera| with_lens(camera, given_lens)).collect();
    let priors = priors_of(&initial, heights_mm, lens, options);
    let fit_options = fit_options_of(options);
    let mut groups = groups_of(board, views, &initial, options);
    // Until the board lies where it belongs, any edge beside a rail may be taken for its border.
    for rail in groups.iter_mut().filter(|group| group.kind == Kind::Rail) {
        let usual_mm = rail.usual_mm.hypot(options.outline.unclear_offset_mm);
        *rail = Group::usual(Kind::Rail, rail.offsets, usual_mm);
    }
    let mut fit = Fit::start(initial.clone(), groups);
    let lost = || refused(board, Missing::Place);
    let expected = look::expected(views, board, &fit.cameras, options);
    let is_open = is_something_open(&expected, board, &fit, &priors, &fit_options, options);
    let outline_use = OutlineUse::of(board, is_open, options);

    let mut search = SearchPlan::new(options);
    let mut looked = Looked::default();
    while let Some(round) = search.next() {
        let search_px = round.search_px * size_scale(first.image_size);
        looked = look(views, board, &fit.cameras, search_px, outline_use, options);
        check_enough(&looked, board, options)?;
        let before = fit.cameras.clone();
        fit::solve(&mut fit, &looked.found, &initial, &priors, round.index > 0, STEPS, &fit_options)
            .ok_or_else(lost)?;
        search.report(moved_px(board, &before, &fit.cameras), options);
    }
    fit.groups = groups_of(board, views, &fit.cameras, options);
    let mut covariances = Vec::new();
    for _ in 0..LEARN_ROUNDS {
        covariances =
            fit::covariances(&mut fit, &looked.found, &initial, &priors, &fit_options).ok_or_else(lost)?;
        fit::solve(&mut fit, &looked.found, &initial, &priors, true, 1, &fit_options).ok_or_else(lost)?;
    }
    check_residual(&fit, board, options)?;
    check_lines(views, &fit, &looked, board, options)?;
    check_ends(&looked, board, options)?;
    if !bare_sides::are_looked_for(board, &options.sides) {
        check_rails(views, &fit, board, is_open, options)?;
    }
    let (rms_px, edges) = (fit.rms_px(), fit.used());
    let off_mm = off_mm(&fit, board, options);
    Ok(fit
        .cameras
        .iter()
        .zip(covariances)
        .map(|(&camera, covariance)| Registration {
            camera,
            covariance,
            method: Method::Lines,
            rms_px,
            edges,
            off_mm,
        })
        .collect())
}

/// How far the lines lie beside their drawing, beyond what careful paint does. Only a file that leaves that open asks.
fn off_mm(fit: &Fit, board: &Board, options: &RefineOptions) -> f64 {
    if board.tolerance_mm <= 0.0 {
        return 0.0;
    }
    let sure = board.lines.iter().take(board.sure_lines());
    let of_lines = fit.groups.iter().zip(sure).filter(|(_, line)| line.accuracy_mm.is_none());
    let learned_mm = of_lines.map(|(group, _)| group.sigma_mm).fold(0.0, f64::max);
    let careful_mm = options.paint_offset_mm.min(RefineOptions::default().paint_offset_mm);
    (learned_mm.powi(2) - careful_mm.powi(2)).max(0.0).sqrt()
}

/// No file knows its lines better than this: paint has edges of its own.
const LEAST_OFFSET_MM: f64 = 0.05;

/// Linearisations a search: with one end of a table in view a single step can overshoot, and the next, narrower search
/// would lose the lines.
const STEPS: usize = 3;

/// Rounds in which the paint's usual offset is learned; it settles within a few.
const LEARN_ROUNDS: usize = 4;

/// The camera with another lens, moved along its axis so that the board stays as large as it was.
pub(crate) fn with_lens(camera: &Camera, lens: Lens) -> Camera {
    let depth_mm = camera
        .board_from_image(camera.lens.cx, camera.lens.cy, 0.0)
        .map_or(camera.pose.translation_mm.z, |p| {
            camera.pose.camera_from_board(Point3::new(p.x, p.y, 0.0)).z
        });
    let mut moved = Camera { lens, ..*camera };
    moved.pose.translation_mm.z += (lens.fx / camera.lens.fx - 1.0) * depth_mm;
    moved
}

/// The first camera's lens, its focal length scaled to the height by tape: from straight above a
/// first camera knows nothing of either.
fn lens_for_height(first: &Camera, height_mm: Option<(f64, f64)>) -> Lens {
    let found_mm = first.pose.centre_mm().z;
    match height_mm {
        Some((height_mm, _)) if found_mm > 0.0 && height_mm > 0.0 => {
            let scale = height_mm / found_mm;
            Lens { fx: first.lens.fx * scale, fy: first.lens.fy * scale, ..first.lens }
        }
        _ => first.lens,
    }
}

/// Whether the lines, even if all of them in view were found, would leave a place on the surface
/// open.
fn is_something_open(
    expected: &[Observation],
    board: &Board,
    fit: &Fit,
    priors: &Priors,
    fit_options: &FitOptions,
    options: &RefineOptions,
) -> bool {
    let mut ideal = fit.clone();
    let Some(covariances) = fit::covariances(&mut ideal, expected, &fit.cameras, priors, fit_options) else {
        return true;
    };
    fit.cameras.iter().zip(&covariances).any(|(camera, covariance)| {
        super::worst_sigma_mm(board, camera, covariance, 0.0) > options.outline.needed_from_mm
    })
}

/// How much wider a search must be in a larger picture: first cameras come from a reduced one.
fn size_scale([width, height]: [u32; 2]) -> f64 {
    /// Longer side of the pictures that search widths are given for.
    const USUAL_PX: f64 = 1920.0;
    (f64::from(width.max(height)) / USUAL_PX).max(1.0)
}

/// Which search width comes next.
struct SearchPlan {
    widths: Vec<f64>,
    round: usize,
    last_rounds_left: usize,
}

struct Round {
    index: usize,
    search_px: f64,
}

impl SearchPlan {
    fn new(options: &RefineOptions) -> Self {
        Self { widths: options.search_px.clone(), round: 0, last_rounds_left: options.last_rounds.max(1) }
    }

    fn next(&mut self) -> Option<Round> {
        let index = self.round;
        let last = self.widths.len().checked_sub(1)?;
        if index >= last {
            self.last_rounds_left = self.last_rounds_left.checked_sub(1)?;
        }
        self.round += 1;
        Some(Round { index, search_px: self.widths[index.min(last)] })
    }

    /// Ends the last rounds early once nothing moves.
    fn report(&mut self, moved_px: f64, options: &RefineOptions) {
        if self.round >= self.widths.len() && moved_px < options.settled_px {
            self.last_rounds_left = 0;
        }
    }
}

/// The largest step between two sets of cameras over the surface in view, px.
pub(crate) fn moved_px(board: &Board, before: &[Camera], after: &[Camera]) -> f64 {
    let mut largest = 0.0_f64;
    for (old, new) in before.iter().zip(after) {
        for p in surface_in_view(board, old) {
            if let (Some(a), Some(b)) =
                (old.image_from_board(p.x, p.y, 0.0), new.image_from_board(p.x, p.y, 0.0))
            {
                largest = largest.max((a - b).norm());
            }
        }
    }
    largest
}

fn fit_options_of(options: &RefineOptions) -> FitOptions {
    FitOptions {
        residual_floor_px: options.residual_floor_px,
        outlier_sigmas: options.outlier_sigmas,
        paint_offset_weight: options.paint_offset_weight,
        rail_offset_weight: options.outline.offset_weight,
    }
}

/// The lines, then the rails, as clear as they are in these views, then the surface's four sides.
fn groups_of(board: &Board, views: &[View], cameras: &[Camera], options: &RefineOptions) -> Vec<Group> {
    let lines = board.lines.iter().take(board.sure_lines()).map(|line| {
        // A line that is known by itself is known so well, whatever else the board's file leaves open.
        let offset_mm = line.accuracy_mm.map_or(options.paint_offset_mm, |own| own.max(LEAST_OFFSET_MM));
        Group::usual(Kind::Line, stations::offsets_of(&line.paint), offset_mm)
    });
    let unclear_mm = outline::unclear_mm(views, board, cameras, &options.outline);
    let rails = board.rails.iter().zip(unclear_mm).map(|(rail, unclear_mm)| {
        let sigma_mm = outline::usual_offset_mm(board, rail, cameras, &options.outline);
        Group::usual(Kind::Rail, outline::RAIL_OFFSETS, sigma_mm.hypot(unclear_mm))
    });
    let side_mm = board.accuracy_mm.max(options.outline.offset_mm);
    let sides = bare_sides::SIDES.map(|_| Group::usual(Kind::Rail, bare_sides::SIDE_OFFSETS, side_mm));
    lines.chain(rails).chain(sides).collect()
}

fn priors_of(
    initial: &[Camera],
    heights_mm: &[Option<(f64, f64)>],
    lens: Option<Lens>,
    options: &RefineOptions,
) -> Priors {
    let longer_side = initial.first().map_or(1, |c| c.image_size[0].max(c.image_size[1]));
    let image_size = initial.first().map_or([1, 1], |c| c.image_size);
    let usual = Lens::ideal(options.usual_focal_share * f64::from(longer_side), image_size);
    let mean = lens.unwrap_or(usual);
    let sigmas = if lens.is_some() { options.lens_file } else { options.usual_lens };
    let centre_px = sigmas.centre_share * f64::from(longer_side);
    Priors {
        log_focal: Gaussian { mean: mean.fx.ln(), sigma: sigmas.focal_share },
        lens: fit::lens_priors(
            &mean,
            [centre_px, centre_px, sigmas.k1, sigmas.k2, sigmas.tangential, sigmas.tangential],
        ),
        height_mm: heights_mm.iter().map(|h| h.map(|(mean, sigma)| Gaussian { mean, sigma })).collect(),
        rotation_sigma: POSE_ROTATION_SIGMA,
        translation_sigma_mm: POSE_TRANSLATION_SIGMA_MM,
    }
}

/// The first camera is a guess, not a measurement: these only keep the equations regular.
const POSE_ROTATION_SIGMA: f64 = 0.5;
const POSE_TRANSLATION_SIGMA_MM: f64 = 1e4;

fn refused(board: &Board, missing: Missing) -> RegisterError {
    RegisterError::refused(board, missing)
}

fn other(board: &Board, reason: impl Into<String>) -> RegisterError {
    refused(board, Missing::Other(reason.into()))
}

fn check_sizes(views: &[View], board: &Board, initial: &[Camera]) -> Result<(), RegisterError> {
    for view in views {
        let Some(camera) = initial.get(view.pose) else {
            return Err(other(board, "a picture has no first camera"));
        };
        let ([w, h], [cw, ch]) = (view.picture.size(), camera.image_size);
        if [w, h] != [cw, ch] {
            return Err(other(
                board,
                format!("the picture is {w} x {h} pixels but the camera is for {cw} x {ch}"),
            ));
        }
    }
    Ok(())
}

fn check_enough(looked: &Looked, board: &Board, options: &RefineOptions) -> Result<(), RegisterError> {
    let (found, in_view) = (looked.found.len(), looked.places() + looked.side_places());
    // The first, wide searches look at fewer places.
    let least = options.min_edges as f64 / looked.thinned;
    if (in_view as f64) < least {
        return Err(refused(board, Missing::PlacesInView { places: in_view }));
    }
    if (found as f64) < least.max(options.min_found_share * in_view as f64) {
        return Err(refused(board, Missing::Lines { shown: Some((found, in_view)) }));
    }
    Ok(())
}

/// Boards of the same lines may differ in their sides and rails; and what rails say of the board's place must come from them.
/// A board whose rails are of another colour than its file's is this one if its sides are where they would have to be.
fn check_rails(
    views: &[View],
    fit: &Fit,
    board: &Board,
    use_rails: bool,
    options: &RefineOptions,
) -> Result<(), RegisterError> {
    let outline = &options.outline;
    for view in views {
        let camera = &fit.cameras[view.pose];
        let sights = outline::rail_sights(board, camera, outline);
        if use_rails && sides::is_on_an_outer_edge(&sights, board, view.picture, outline) {
            return Err(refused(board, Missing::OneRail));
        }
        let Some(seen) = sides::rail_colours(&sights, view.picture, outline) else { continue };
        let are_of_another_colour = seen.usual < outline.least_rail_colour;
        if are_of_another_colour
            || use_rails && seen.least < outline.least_used_rail_colour
            || line_ends::end_elsewhere(board, camera, view.picture, outline)
        {
            let seen = sides::sides_shown(&sights, board, camera, view.picture, outline);
            let are_enough = if use_rails { seen.shown == seen.asked } else { 2 * seen.shown > seen.asked };
            if !are_enough || seen.sharp == 0 {
                let is_one_rail = use_rails && !are_of_another_colour;
                return Err(refused(board, if is_one_rail { Missing::OneRail } else { Missing::Sides }));
            }
        }
    }
    Ok(())
}

fn check_residual(fit: &Fit, board: &Board, options: &RefineOptions) -> Result<(), RegisterError> {
    let [w, h] = fit.cameras.first().map_or([1, 1], |c| c.image_size);
    let limit_px = options.max_rms_share * f64::from(w.max(h));
    let rms_px = fit.rms_px();
    if rms_px.is_nan() || rms_px > limit_px {
        return Err(refused(board, Missing::Exactness { rms_px, limit_px }));
    }
    if fit.used() < options.min_edges {
        return Err(refused(board, Missing::Agreement { places: fit.used() }));
    }
    Ok(())
}

/// Lines run to the sides of a table with gutters, and beyond a gutter there are edges too: where no line reaches a side,
/// that is not its own. And a long table's lines stand so evenly that it can be read the wrong way round; then no end is
/// seen where one would be.
fn check_ends(looked: &Looked, board: &Board, options: &RefineOptions) -> Result<(), RegisterError> {
    let is_unseen = |count: &bare_sides::SideCount| {
        count.places >= options.telling_places
            && (count.seen as f64) < options.line_missing * count.places as f64
    };
    if looked.at_sides.iter().any(is_unseen) {
        return Err(refused(board, Missing::Other(LINES_END_ELSEWHERE.to_owned())));
    }
    let is_end = |side: &BoardSide| matches!(side, BoardSide::Near | BoardSide::Far);
    let mut ends = bare_sides::SIDES.iter().zip(&looked.of_sides).filter(|(side, _)| is_end(side));
    match ends.any(|(_, count)| is_unseen(count)) {
        true => Err(refused(board, Missing::Other(END_ELSEWHERE.to_owned()))),
        false => Ok(()),
    }
}

const LINES_END_ELSEWHERE: &str =
    "its lines end before its sides: what was taken for its sides lies beyond them, give four corners";
const END_ELSEWHERE: &str =
    "its end is not to be seen where it would have to be: show the end, or give four corners";

/// Where some lines show their paint nearly all along, others that show none are not hidden or worn: they are elsewhere, and
/// so is the board.
fn check_lines(
    views: &[View],
    fit: &Fit,
    looked: &Looked,
    board: &Board,
    options: &RefineOptions,
) -> Result<(), RegisterError> {
    let used = fit.used_of_lines(&looked.found, board.sure_lines());
    let shares: Vec<(usize, f64)> = looked
        .in_view
        .iter()
        .zip(&used)
        .enumerate()
        .filter(|(_, (in_view, _))| **in_view >= options.telling_places)
        .map(|(line, (in_view, used))| (line, *used as f64 / *in_view as f64))
        .collect();
    let (missing, shown): (Vec<_>, Vec<_>) =
        shares.into_iter().partition(|(_, share)| *share < options.line_missing);
    let places =
        |lines: &[(usize, f64)]| -> f64 { lines.iter().map(|(line, _)| looked.in_view[*line] as f64).sum() };
    let used_of_shown: f64 = shown.iter().map(|(line, _)| used[*line] as f64).sum();
    let is_well_painted = used_of_shown >= options.line_shown * places(&shown);
    if is_well_painted && places(&missing) > options.most_missing * (places(&missing) + places(&shown)) {
        let lines: Vec<usize> = missing.iter().map(|(line, _)| *line).collect();
        let elsewhere = elsewhere::lines_elsewhere(views, board, &fit.cameras, &lines, options);
        let names = lines.iter().map(|&line| board.lines[line].name.clone());
        let unpainted = names.filter(|name| !elsewhere.iter().any(|at| at.line == *name)).collect();
        return Err(refused(board, Missing::SomeLines { unpainted, elsewhere }));
    }
    Ok(())
}

/// Fits pose and focal length to single places of the board, each where it is on the board and
/// where it is seen; with the root mean square of what is left, in pixels.
pub(super) fn fit_points(points: &[(Point3<f64>, Pixel)], start: &Camera) -> Option<(Camera, f64)> {
    /// A corner of a tag is found to about this, px.
    const POINT_FLOOR_PX: f64 = 0.2;
    /// Steps of least squares from a start that may be far off.
    const STEPS: usize = 15;
    let options = RefineOptions::default();
    let observations: Vec<Observation> = points
        .iter()
        .flat_map(|&(at, seen)| {
            [Vector2::x(), Vector2::y()].map(|across| Observation {
                pose: 0,
                edges: [at; 2],
                seen,
                across,
                group: 0,
                normal: Vector3::x(),
                offset_basis: [0.0; stations::MAX_OFFSETS],
                share: 1.0,
            })
        })
        .collect();
    let fit_options = FitOptions { residual_floor_px: POINT_FLOOR_PX, ..fit_options_of(&options) };
    let initial = [*start];
    let priors = priors_of(&initial, &[None], None, &options);
    let group = Group::usual(Kind::Line, 0, 1.0);
    let mut fit = Fit::start(initial.to_vec(), vec![group]);
    fit::solve(&mut fit, &observations, &initial, &priors, false, STEPS, &fit_options)?;
    let rms_px = fit.rms_px();
    let camera = fit.cameras.first().copied()?;
    rms_px.is_finite().then_some((camera, rms_px))
}
