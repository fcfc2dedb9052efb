//! From a picture of which nothing is known to a registration: hypotheses, refined until one holds.
//!
//! In: a picture and a board. Out: the [`Registration`] of the best hypothesis that its paint bears out, or
//! why the best one was refused.

use super::{
    CameraPrior, FindOptions, Found, Method, Missing, RefineOptions, RegisterError, Registration,
    by_outline::cameras_from_outline,
    find::{FindTrace, SearchedPicture, best_nats, explained, find_in, glances, is_borne_out},
    refine::refine,
};
use crate::{
    board::Board,
    camera::Camera,
    capture::Picture,
    learn::{LearnOptions, register_by_print},
};

/// Finds the board without hints, and refines it. Where a straight lens seemed to explain the lines and does
/// not hold when they are looked at closely, bent ones are tried.
pub fn register_by_lines(
    picture: &Picture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Result<Registration, RegisterError> {
    register_in(&SearchedPicture::new(picture), board, prior, find, options)
}

/// The same in a picture that other boards are looked for in as well.
pub fn register_in(
    searched: &SearchedPicture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Result<Registration, RegisterError> {
    let by_lines = by_lines(searched, board, prior, find, options);
    let by_print = by_print(searched.picture, board, prior, find, options);
    let found = match (by_lines, by_print) {
        (Ok(one), Some(other)) => Ok(likelier(searched, board, [one, other], find, options)),
        (by_lines, by_print) => by_lines.or_else(|refused| by_print.ok_or(refused)),
    };
    found.or_else(|refused| {
        by_outline(searched, board, prior, find, options).ok_or_else(|| described(searched, refused, find))
    })
}

/// Of two ways to see a board that is known roughly, the one that more marks speak for, through the more usual lens: a bent
/// one soon explains the few lines of a plank.
fn likelier(
    searched: &SearchedPicture,
    board: &Board,
    found: [Registration; 2],
    find: &FindOptions,
    options: &RefineOptions,
) -> Registration {
    let speaks_for = |found: &Registration| {
        let marks: f64 = explained(searched, board, &found.camera, find)
            .map_or(0.0, |explained| explained.marks.iter().sum());
        let lens = &found.camera.lens;
        marks - ((lens.k1 / options.usual_lens.k1).powi(2) + (lens.k2 / options.usual_lens.k2).powi(2)) / 2.0
    };
    let [one, other] = found;
    if speaks_for(&one) > speaks_for(&other) { one } else { other }
}

/// Finds a board that its lines did not find: by its print or its outline.
pub(crate) fn without_lines(
    searched: &SearchedPicture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Option<Registration> {
    by_print(searched.picture, board, prior, find, options)
        .or_else(|| by_outline(searched, board, prior, find, options))
}

/// Boards that are known roughly are found as they are learned.
fn by_print(
    picture: &Picture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Option<Registration> {
    if board.accuracy_mm < options.sides.rough_from_mm {
        return None;
    }
    let learning = LearnOptions { find: find.clone(), refine: options.clone(), ..LearnOptions::default() };
    register_by_print(picture, board, prior, &learning)
}

/// A refusal with what the picture does show.
pub(crate) fn described(
    searched: &SearchedPicture,
    refused: RegisterError,
    find: &FindOptions,
) -> RegisterError {
    let RegisterError::NotFound(mut refusal) = refused else { return refused };
    let plainest = searched.outlines(find).first();
    refusal.found = Found {
        outline: plainest.map(|outline| (outline.corners, outline.sides_seen())),
        nearest_kind: nearest_kind(searched, find),
        is_dark: searched.is_dark(find),
    };
    RegisterError::NotFound(refusal)
}

/// The shipped board whose sides and lines fit the picture's outlines best, where any fits at all.
fn nearest_kind(searched: &SearchedPicture, find: &FindOptions) -> Option<String> {
    let of = |board: Board| {
        let cameras = outline_cameras(searched, &board, find);
        let best = best_nats(searched, &board, &cameras, find)?;
        (best > 0.0).then_some((best, board.id))
    };
    let boards = Board::shipped().ok()?;
    boards.into_iter().filter_map(of).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
}

/// Cameras for every outline in the picture, as far as such a view is looked for at all: an outline of other
/// proportions than the board's is explained only by a camera that looks along the surface, or from out of
/// reach.
fn outline_cameras(searched: &SearchedPicture, board: &Board, find: &FindOptions) -> Vec<Camera> {
    let size = searched.picture.size();
    let outlines = searched.outlines(find).iter();
    let cameras = outlines.flat_map(|outline| cameras_from_outline(size, board, outline, find));
    cameras.filter(|camera| find.is_likely_view(camera)).collect()
}

/// The board as drawn; then as far beside its drawing as makers' boards lie. A board that is as drawn is so found with all
/// that its drawing says, and one that is not is found too.
fn as_drawn_or_as_made(board: &Board) -> impl Iterator<Item = Board> + '_ {
    let as_made = (board.tolerance_mm > 0.0).then(|| board.known_to(board.tolerance_mm));
    std::iter::once(board.clone()).chain(as_made)
}

/// Finds the board by the outline of its surface, where that alone is plain enough.
fn by_outline(
    searched: &SearchedPicture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Option<Registration> {
    let mut cameras = outline_cameras(searched, board, find);
    if cameras.len() > find.most_outline_cameras {
        let glances = glances(searched, board, &cameras, find);
        let mut order: Vec<usize> = (0..cameras.len()).collect();
        order.sort_by(|&a, &b| glances[b].total_cmp(&glances[a]));
        cameras = order.into_iter().take(find.most_outline_cameras).map(|i| cameras[i]).collect();
    }
    as_drawn_or_as_made(board).find_map(|board| {
        let refined =
            cameras.iter().filter_map(|camera| refine(searched.picture, &board, camera, prior, options).ok());
        let borne_out = refined.filter(|found| is_borne_out(searched, &board, &found.camera, find));
        let best = borne_out.max_by(|a, b| plainness(a).total_cmp(&plainness(b)))?;
        Some(Registration { method: Method::Outline, ..best })
    })
}

/// How well a registration explains its picture: many places that agree closely.
fn plainness(registration: &Registration) -> f64 {
    registration.edges as f64 / registration.rms_px.max(1e-3)
}

pub(crate) fn by_lines(
    searched: &SearchedPicture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Result<Registration, RegisterError> {
    let picture = searched.picture;
    let found = |find: &FindOptions| find_in(searched, board, find, &mut FindTrace::default());
    let hypotheses = found(find)?;
    refine_first(picture, board, &hypotheses, prior, options).or_else(|refused| {
        let bends: Vec<f64> = find.bends.iter().copied().filter(|bend| *bend != 0.0).collect();
        if prior.lens.is_some() || bends.is_empty() {
            return Err(refused);
        }
        found(&FindOptions { bends, ..find.clone() })
            .and_then(|bent| refine_first(picture, board, &bent, prior, options))
            .map_err(|_| refused)
    })
}

/// Refines hypotheses, the best first, until one holds. When none does, the best one's error says
/// why.
pub fn refine_first(
    picture: &Picture,
    board: &Board,
    hypotheses: &[Camera],
    prior: &CameraPrior,
    options: &RefineOptions,
) -> Result<Registration, RegisterError> {
    let mut first_error = None;
    for board in as_drawn_or_as_made(board) {
        for hypothesis in hypotheses {
            match refine(picture, &board, hypothesis, prior, options) {
                Ok(registration) => return Ok(registration),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
    }
    Err(first_error.unwrap_or_else(|| RegisterError::refused(board, Missing::Lines { shown: None })))
}
