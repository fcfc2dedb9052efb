//! Whether four corners that a person gave hold: they are a hypothesis like any other.
//!
//! In: the corners, and the registration that they led to. Out: nothing, or the reason to refuse them. A
//! slip of a digit must not become a score.

use super::{FindOptions, RegisterError, Registration, find::is_borne_out};
use crate::{board::Board, camera::Pixel, capture::Picture};

/// Whether all corners are places in the picture, as far as a person can click.
pub fn corners_are_in_picture(
    picture_size: [u32; 2],
    corners: &[Pixel; 4],
    options: &FindOptions,
) -> Result<(), RegisterError> {
    let [width, height] = picture_size.map(|side| f64::from(side) - 1.0);
    let reach_px = options.corners.most_off_share * width.max(height);
    let is_outside = |corner: &&Pixel| {
        let beyond = |at: f64, side: f64| !(-reach_px..=side + reach_px).contains(&at);
        beyond(corner.x, width) || beyond(corner.y, height)
    };
    match corners.iter().find(is_outside) {
        None => Ok(()),
        Some(corner) => Err(RegisterError::Corners {
            reason: format!(
                "{:.0}, {:.0} lies outside of the picture, which is {} x {} pixels",
                corner.x, corner.y, picture_size[0], picture_size[1]
            ),
        }),
    }
}

/// Whether the camera that was found sees the corners where they were given, and the picture bears it out.
pub fn corners_hold(
    picture: &Picture,
    board: &Board,
    corners: &[Pixel; 4],
    found: &Registration,
    options: &FindOptions,
) -> Result<(), RegisterError> {
    let refuse = |reason: String| Err(RegisterError::Corners { reason });
    let camera = &found.camera;
    let off_px = board.corners().into_iter().zip(corners).map(|(corner, given)| {
        camera.image_from_board(corner.x, corner.y, 0.0).map_or(f64::INFINITY, |seen| (seen - given).norm())
    });
    let farthest_px = off_px.fold(0.0, f64::max);
    let [width, height] = picture.size().map(f64::from);
    if farthest_px > options.corners.most_off_share * width.max(height) {
        return refuse(format!(
            "the camera that fits them best sees one {farthest_px:.0} px from where it was given; check each of them"
        ));
    }
    if !is_borne_out(picture, board, camera, options) {
        return refuse(
            "the board's lines are not where they would have to be; check each of them, and their order: near left, \
             near right, far right, far left"
                .to_owned(),
        );
    }
    Ok(())
}
