//! From a camera that is good to a few pixels to one that is good to hundredths.

use super::{RegisterError, Registration};
use crate::{board::Board, camera::Camera, capture::Picture};

/// What is known of the camera besides the picture.
#[derive(Debug, Clone, Default)]
pub struct CameraPrior {
    /// The camera's height above the board by tape, and its standard deviation.
    pub height_mm: Option<(f64, f64)>,
    /// A calibrated lens (a lens file): kept as it is.
    pub lens: Option<crate::camera::Lens>,
}

#[derive(Debug, Clone, Default)]
pub struct RefineOptions {}

/// Fits pose, focal length and lens to the paint's edges.
pub fn refine(
    _picture: &Picture,
    board: &Board,
    _initial: &Camera,
    _prior: &CameraPrior,
    _options: &RefineOptions,
) -> Result<Registration, RegisterError> {
    Err(RegisterError::NotFound { board: board.id.clone(), reason: "not built yet".into() })
}
