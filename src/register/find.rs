//! A first camera for a picture of which only the board's id is known.

use super::RegisterError;
use crate::{board::Board, camera::Camera, capture::Picture};

#[derive(Debug, Clone, Default)]
pub struct FindOptions {}

/// Finds the board by its outline and lines. The cameras are ordered by how well they explain the
/// paint, the best first; each is good to a few pixels, enough for [`super::refine`].
pub fn find_board(
    _picture: &Picture,
    board: &Board,
    _options: &FindOptions,
) -> Result<Vec<Camera>, RegisterError> {
    Err(RegisterError::NotFound { board: board.id.clone(), reason: "not built yet".into() })
}
