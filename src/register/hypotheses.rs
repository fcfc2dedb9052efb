//! From a picture of which nothing is known to a registration: hypotheses, refined until one holds.
//!
//! In: a picture and a board. Out: the [`Registration`] of the best hypothesis that its paint bears out, or
//! why the best one was refused.

use super::{
    CameraPrior, FindOptions, RefineOptions, RegisterError, Registration, find::find_board, refine::refine,
};
use crate::{board::Board, camera::Camera, capture::Picture};

/// Finds the board without hints, and refines it. Where a straight lens seemed to explain the lines and does
/// not hold when they are looked at closely, bent ones are tried.
pub fn register_by_lines(
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
