//! The learned board over its photo: whether it is right is seen at a glance.

use image::RgbImage;

use crate::{board::Board, calibrate::draw_expected, camera::Camera, capture::Picture, draw::DrawError};

/// The photo with the board's lines and outline where the camera sees them.
pub fn learned_drawing(picture: &Picture, board: &Board, camera: &Camera) -> Result<RgbImage, DrawError> {
    draw_expected(picture, board, camera)
}
