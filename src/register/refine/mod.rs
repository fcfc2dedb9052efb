//! From a camera that is good to a few pixels to one that is good to hundredths.
//!
//! In: pictures, the board, a first camera a pose, and what else is known ([`CameraPrior`]). Out:
//! a [`Registration`] a pose. Every painted line is cut across at many [`stations`]; the paint's
//! two edges are found to a fraction of a pixel ([`profile`]); then pose, focal length and lens
//! are fitted together with how far each line's paint lies beside its drawing ([`fit`]), so that
//! no single badly painted line drags the camera. Search widths shrink as the camera gets better.

mod fit;
mod outline;
mod profile;
mod stations;

use nalgebra::{Point3, Vector2, Vector3};

use super::{Method, RegisterError, Registration};
use crate::{
    board::Board,
    camera::{Camera, Lens},
    capture::Picture,
};
use fit::{Fit, FitOptions, Gaussian, Group, Observation, Priors};
use profile::{Cut, Profile};
use stations::Station;

pub use outline::OutlineOptions;
pub use profile::ProfileOptions;

/// What is known of the camera besides the picture.
#[derive(Debug, Clone, Default)]
pub struct CameraPrior {
    /// The camera's height above the board by tape, and its standard deviation.
    pub height_mm: Option<(f64, f64)>,
    /// A calibrated lens (a lens file): kept as it is, but for what
    /// [`RefineOptions::lens_file`] allows.
    pub lens: Option<Lens>,
}

/// How uncertain a lens is before the board's lines are looked at, one standard deviation each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LensSigmas {
    /// Of the focal length, as a share of it.
    pub focal_share: f64,
    /// Of the principal point, as a share of the picture's longer side.
    pub centre_share: f64,
    pub k1: f64,
    pub k2: f64,
    /// Of p1 and p2.
    pub tangential: f64,
}

/// How the fine registration looks for paint and what it trusts.
#[derive(Debug, Clone, PartialEq)]
pub struct RefineOptions {
    /// Search to either side of the expected line, px, a round; the last is repeated until nothing
    /// moves (24, 10, 5, 3). The first must cover the first camera's error; wider finds the wrong
    /// line sooner.
    pub search_px: Vec<f64>,
    /// Rounds at the last search width, at most (4).
    pub last_rounds: usize,
    /// Nothing moves: the step of the camera in the picture, px (0.01).
    pub settled_px: f64,
    /// Distance of stations along a line, px (4). Denser costs time and gains little: neighbours
    /// share their errors.
    pub spacing_px: f64,
    /// Stations, at most (1500): large pictures get a wider spacing.
    pub max_stations: usize,
    /// Length along a line over which errors are shared (grain, wear, JPEG blocks), px (12).
    pub correlation_px: f64,
    /// What a profile must look like to count as paint.
    pub profile: ProfileOptions,
    /// When and how rails are used besides the lines.
    pub outline: OutlineOptions,
    /// Least standard deviation of a single crossing, px (0.04).
    pub residual_floor_px: f64,
    /// Residuals beyond this many standard deviations do not count (4.7, Tukey's usual).
    pub outlier_sigmas: f64,
    /// How far paint usually lies beside its drawing at either end of a line, mm (0.1).
    pub paint_offset_mm: f64,
    /// Trust in `paint_offset_mm`, as a number of line ends, against what this board's own lines
    /// show (4). Less: boards with few lines judge themselves by them.
    pub paint_offset_weight: f64,
    /// The lens when nothing is known of it: focal length as a share of the picture's longer side
    /// (1.2), and its standard deviations (focal length within a factor of 1.5).
    pub usual_focal_share: f64,
    pub usual_lens: LensSigmas,
    /// The lens when a lens file is given.
    pub lens_file: LensSigmas,
    /// Fewest crossings a registration may rest on (40).
    pub min_edges: usize,
    /// Of the stations in view, the share that must be found (0.25); pieces, hands and wear take
    /// the rest.
    pub min_found_share: f64,
    /// Largest root mean square of the used residuals, as a share of the picture's longer side
    /// (0.0008: 1.5 px of 1920).
    pub max_rms_share: f64,
}

impl Default for RefineOptions {
    fn default() -> Self {
        Self {
            search_px: vec![24.0, 10.0, 5.0, 3.0],
            last_rounds: 4,
            settled_px: 0.01,
            spacing_px: 4.0,
            max_stations: 1500,
            correlation_px: 12.0,
            profile: ProfileOptions::default(),
            outline: OutlineOptions::default(),
            residual_floor_px: 0.04,
            outlier_sigmas: 4.7,
            paint_offset_mm: 0.1,
            paint_offset_weight: 4.0,
            usual_focal_share: 1.2,
            usual_lens: LensSigmas {
                focal_share: 0.4,
                centre_share: 0.003,
                k1: 0.15,
                k2: 0.05,
                tangential: 0.0006,
            },
            lens_file: LensSigmas {
                focal_share: 0.003,
                centre_share: 0.0005,
                k1: 0.002,
                k2: 0.002,
                tangential: 0.0001,
            },
            min_edges: 40,
            min_found_share: 0.25,
            max_rms_share: 0.0008,
        }
    }
}

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
    registrations.pop().ok_or_else(|| refused(board, "no picture was given"))
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
    let initial: Vec<Camera> =
        initial.iter().map(|camera| Camera { lens: lens.unwrap_or(first.lens), ..*camera }).collect();
    let priors = priors_of(&initial, heights_mm, lens, options);
    let fit_options = FitOptions {
        residual_floor_px: options.residual_floor_px,
        outlier_sigmas: options.outlier_sigmas,
        paint_offset_mm: options.paint_offset_mm,
        paint_offset_weight: options.paint_offset_weight,
    };
    let mut fit = Fit::start(initial.clone(), groups_of(board, options));
    let lost = || refused(board, "its lines leave the camera's place open");
    let use_rails = lines_leave_something_open(views, board, &fit, &priors, &fit_options, options);

    let mut search = SearchPlan::new(options);
    let mut looked = Looked::default();
    while let Some(round) = search.next() {
        looked = look(views, board, &fit.cameras, round.search_px, use_rails, options);
        check_enough(&looked, board, options)?;
        let before = fit.cameras.clone();
        fit::solve(&mut fit, &looked.found, &initial, &priors, round.index > 0, FIT_ROUNDS, &fit_options)
            .ok_or_else(lost)?;
        search.report(moved_px(board, &before, &fit.cameras), options);
    }
    let mut covariances = Vec::new();
    for _ in 0..LEARN_ROUNDS {
        covariances =
            fit::covariances(&mut fit, &looked.found, &initial, &priors, &fit_options).ok_or_else(lost)?;
        fit::solve(&mut fit, &looked.found, &initial, &priors, true, 1, &fit_options).ok_or_else(lost)?;
    }
    check_residual(&fit, board, options)?;
    let (rms_px, edges) = (fit.rms_px(), fit.used());
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
        })
        .collect())
}

/// Least-squares rounds on the same crossings; weights settle within a few.
const FIT_ROUNDS: usize = 5;
/// Rounds in which the paint's usual offset is learned; it settles within a few.
const LEARN_ROUNDS: usize = 4;

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

/// What was looked for and what was found.
#[derive(Default)]
struct Looked {
    found: Vec<Observation>,
    /// Stations in view, whether paint was found there or not.
    in_view: usize,
}

fn look(
    views: &[View],
    board: &Board,
    cameras: &[Camera],
    search_px: f64,
    use_rails: bool,
    options: &RefineOptions,
) -> Looked {
    let mut looked = Looked::default();
    let mut profile = Profile::default();
    let weights: Vec<_> =
        board.lines.iter().map(|line| stations::contrast_weights(board.surface.colour, line)).collect();
    for view in views {
        let camera = &cameras[view.pose];
        let (stations, spacing_px) = stations_in_view(board, camera, options);
        for station in stations {
            let Some(sight) = Sight::of(camera, &station) else { continue };
            looked.in_view += 1;
            let crossing = profile.find_paint(
                view.picture,
                &sight.cut,
                weights[station.line],
                search_px,
                &options.profile,
            );
            let Some(crossing) = crossing else { continue };
            let share = (spacing_px / options.correlation_px).min(1.0);
            looked.found.push(sight.observation(view.pose, &station, crossing.middle_px(), share));
        }
        if use_rails {
            looked.found.extend(outline::look_for_rails(
                view,
                board,
                camera,
                board.lines.len(),
                search_px,
                options.correlation_px,
                &options.outline,
            ));
        }
    }
    looked
}

/// Whether the lines, even if all of them in view were found, would leave a place on the surface
/// open.
fn lines_leave_something_open(
    views: &[View],
    board: &Board,
    fit: &Fit,
    priors: &Priors,
    fit_options: &FitOptions,
    options: &RefineOptions,
) -> bool {
    let mut expected = Vec::new();
    for view in views {
        let camera = &fit.cameras[view.pose];
        let (stations, spacing_px) = stations_in_view(board, camera, options);
        let share = (spacing_px / options.correlation_px).min(1.0);
        expected.extend(stations.iter().filter_map(|station| {
            Some(Sight::of(camera, station)?.observation(view.pose, station, 0.0, share))
        }));
    }
    let mut ideal = fit.clone();
    let Some(covariances) = fit::covariances(&mut ideal, &expected, &fit.cameras, priors, fit_options) else {
        return true;
    };
    fit.cameras.iter().zip(&covariances).any(|(camera, covariance)| {
        super::worst_sigma_mm(board, camera, covariance, 0.0) > options.outline.needed_from_mm
    })
}

/// A station as a camera sees it.
struct Sight {
    cut: Cut,
    edges: [Point3<f64>; 2],
}

impl Sight {
    /// Paint seen `offset_px` beside its expected place.
    fn observation(&self, pose: usize, station: &Station, offset_px: f64, share: f64) -> Observation {
        Observation {
            pose,
            edges: self.edges,
            seen: self.cut.centre + self.cut.across * offset_px,
            across: self.cut.across,
            group: station.line,
            normal: Vector3::new(station.normal.x, station.normal.y, 0.0),
            offset_basis: station.offset_basis,
            share,
        }
    }

    fn of(camera: &Camera, station: &Station) -> Option<Sight> {
        let half = station.normal * (station.width_mm / 2.0);
        let edges = [station.middle - half, station.middle + half].map(|p| Point3::new(p.x, p.y, 0.0));
        let [a, b] = [camera.project(edges[0])?, camera.project(edges[1])?];
        let centre = nalgebra::center(&a.pixel, &b.pixel);
        let along_board = Vector3::new(-station.normal.y, station.normal.x, 0.0);
        let along: Vector2<f64> = a.by_point * along_board;
        let across = Vector2::new(-along.y, along.x).try_normalize(f64::MIN_POSITIVE)?;
        // From the first edge to the second, whichever way the picture is turned.
        let width_px = across.dot(&(b.pixel - a.pixel));
        let across = if width_px < 0.0 { -across } else { across };
        let [w, h] = camera.image_size.map(f64::from);
        let inside = centre.x >= 0.0 && centre.y >= 0.0 && centre.x < w && centre.y < h;
        inside.then_some(Sight { cut: Cut { centre, across, width_px: width_px.abs() }, edges })
    }
}

/// Stations that the camera sees, and their distance along the lines in pixels.
fn stations_in_view(board: &Board, camera: &Camera, options: &RefineOptions) -> (Vec<Station>, f64) {
    let Some(scale_mm) = typical_mm_per_px(board, camera) else { return (Vec::new(), options.spacing_px) };
    let clearance_px = options.profile.side_px + options.profile.blur_px;
    let place = |spacing_px: f64| {
        let mut all = stations::stations(board, spacing_px * scale_mm, clearance_px * scale_mm);
        all.retain(|station| {
            camera.image_from_board(station.middle.x, station.middle.y, 0.0).is_some_and(|p| {
                p.x >= 0.0
                    && p.y >= 0.0
                    && p.x < f64::from(camera.image_size[0])
                    && p.y < f64::from(camera.image_size[1])
            })
        });
        all
    };
    let stations = place(options.spacing_px);
    if stations.len() <= options.max_stations {
        return (stations, options.spacing_px);
    }
    let wider_px = options.spacing_px * stations.len() as f64 / options.max_stations as f64;
    (place(wider_px), wider_px)
}

/// Median scale over the part of the surface that is in view.
fn typical_mm_per_px(board: &Board, camera: &Camera) -> Option<f64> {
    let mut scales: Vec<f64> = surface_in_view(board, camera)
        .into_iter()
        .filter_map(|p| camera.mm_per_px(p))
        .filter(|scale| scale.is_finite())
        .collect();
    scales.sort_by(f64::total_cmp);
    scales.get(scales.len() / 2).copied()
}

/// A grid over the surface, as far as it is in the picture.
pub(super) fn surface_in_view(board: &Board, camera: &Camera) -> Vec<crate::geometry::Point> {
    /// Grid places along the shorter side.
    const ACROSS: usize = 8;
    let (width, length) = (board.surface.width_mm, board.surface.length_mm);
    let cell_mm = width.min(length) / ACROSS as f64;
    let places = |size_mm: f64| {
        let count = ((size_mm / cell_mm).round() as usize).max(1);
        (0..=count).map(move |i| size_mm * i as f64 / count as f64)
    };
    let [w, h] = camera.image_size.map(f64::from);
    places(length)
        .flat_map(|y| places(width).map(move |x| crate::geometry::Point::new(x, y)))
        .filter(|p| {
            camera
                .image_from_board(p.x, p.y, 0.0)
                .is_some_and(|at| at.x >= 0.0 && at.y >= 0.0 && at.x <= w - 1.0 && at.y <= h - 1.0)
        })
        .collect()
}

/// The largest step between two sets of cameras over the surface in view, px.
fn moved_px(board: &Board, before: &[Camera], after: &[Camera]) -> f64 {
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

/// The lines, then the rails.
fn groups_of(board: &Board, options: &RefineOptions) -> Vec<Group> {
    let lines = board.lines.iter().map(|line| Group {
        offsets: stations::offsets_of(&line.paint),
        sigma_mm: options.paint_offset_mm,
        learned: true,
    });
    let rail = Group { offsets: outline::RAIL_OFFSETS, sigma_mm: options.outline.offset_mm, learned: false };
    lines.chain(board.rails.iter().map(|_| rail)).collect()
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

fn refused(board: &Board, reason: impl Into<String>) -> RegisterError {
    RegisterError::NotFound { board: board.id.clone(), reason: reason.into() }
}

fn check_sizes(views: &[View], board: &Board, initial: &[Camera]) -> Result<(), RegisterError> {
    for view in views {
        let Some(camera) = initial.get(view.pose) else {
            return Err(refused(board, "a picture has no first camera"));
        };
        let ([w, h], [cw, ch]) = (view.picture.size(), camera.image_size);
        if [w, h] != [cw, ch] {
            return Err(refused(
                board,
                format!("the picture is {w} x {h} pixels but the camera is for {cw} x {ch}"),
            ));
        }
    }
    Ok(())
}

fn check_enough(looked: &Looked, board: &Board, options: &RefineOptions) -> Result<(), RegisterError> {
    let (found, in_view) = (looked.found.len(), looked.in_view);
    if in_view < options.min_edges {
        return Err(refused(board, format!("too little of its lines is in view ({in_view} places to look)")));
    }
    if found < options.min_edges || (found as f64) < options.min_found_share * in_view as f64 {
        return Err(refused(
            board,
            format!("its lines are not where they would have to be ({found} of {in_view} places show paint)"),
        ));
    }
    Ok(())
}

fn check_residual(fit: &Fit, board: &Board, options: &RefineOptions) -> Result<(), RegisterError> {
    let [w, h] = fit.cameras.first().map_or([1, 1], |c| c.image_size);
    let limit_px = options.max_rms_share * f64::from(w.max(h));
    let rms_px = fit.rms_px();
    if !(rms_px <= limit_px) {
        return Err(refused(
            board,
            format!("the paint lies {rms_px:.2} px beside the expected lines (at most {limit_px:.2} px)"),
        ));
    }
    if fit.used() < options.min_edges {
        return Err(refused(board, format!("only {} places of its lines agree", fit.used())));
    }
    Ok(())
}
