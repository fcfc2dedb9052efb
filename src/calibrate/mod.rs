//! Calibration: photos become a camera file or a lens file.
//!
//! In: photos of the board (or of a chessboard), and what a person knows besides: the camera's
//! height by tape, a lens file, corners. Out: a [`CameraFile`](crate::camera::CameraFile) with what
//! it rests on and how good it is, or a [`LensFile`](crate::camera::LensFile).

mod camera;
mod lens;
mod overlay;

pub use camera::{CalibrateError, CalibrateOptions, Calibration, Given, PhotoUse, Place, calibrate_camera};
pub use lens::{LensError, Pattern, calibrate_lens};
pub use overlay::{Expected, draw_expected, expected_curves};
