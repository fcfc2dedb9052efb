//! From a picture of which nothing is known to a registration: hypotheses, refined until one holds.
//!
//! In: a picture and a board. Out: the [`Registration`] of the best hypothesis that its paint bears out, or
//! why the best one was refused.

use super::{
    CameraPrior, FindOptions, Method, RefineOptions, RegisterError, Registration,
    by_outline::cameras_from_outline,
    find::{find_board, is_borne_out},
    refine::{refine, sides_are_bare},
};
use crate::{
    board::Board,
    camera::Camera,
    capture::Picture,
    learn::{LearnOptions, register_by_print},
    outline::surface_outlines,
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
    by_lines(picture, board, prior, find, options).or_else(|refused| {
        by_print(picture, board, prior, find, options)
            .or_else(|| by_outline(picture, board, prior, find, options))
            .ok_or(refused)
    })
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

/// Finds the board by the outline of its surface, where that alone is plain enough.
fn by_outline(
    picture: &Picture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Option<Registration> {
    // A board whose lines and rails are known exactly, and were not found, is another one.
    if !sides_are_bare(board, &options.sides) {
        return None;
    }
    let outlines = surface_outlines(picture, &find.outline);
    let cameras =
        outlines.iter().flat_map(|outline| cameras_from_outline(picture.size(), board, outline, find));
    let refined = cameras.filter_map(|camera| refine(picture, board, &camera, prior, options).ok());
    let borne_out = refined.filter(|found| is_borne_out(picture, board, &found.camera, find));
    let best = borne_out.max_by(|a, b| explained(a).total_cmp(&explained(b)))?;
    Some(Registration { method: Method::Outline, ..best })
}

/// How well a registration explains its picture: many places that agree closely.
fn explained(registration: &Registration) -> f64 {
    registration.edges as f64 / registration.rms_px.max(1e-3)
}

fn by_lines(
    picture: &Picture,
    board: &Board,
    prior: &CameraPrior,
    find: &FindOptions,
    options: &RefineOptions,
) -> Result<Registration, RegisterError> {
    let hypotheses = find_board(picture, board, find)?;
    refine_first(picture, board, &hypotheses, prior, options).or_else(|refused| {
        let bends: Vec<f64> = find.bends.iter().copied().filter(|bend| *bend != 0.0).collect();
        if prior.lens.is_some() || bends.is_empty() {
            return Err(refused);
        }
        find_board(picture, board, &FindOptions { bends, ..find.clone() })
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
    for hypothesis in hypotheses {
        match refine(picture, board, hypothesis, prior, options) {
            Ok(registration) => return Ok(registration),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| RegisterError::NotFound {
        board: board.id.clone(),
        reason: "nothing in the picture looks like its lines".into(),
    }))
}
