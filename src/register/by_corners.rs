//! Whether four corners that a person gave hold: they are a hypothesis like any other.
//!
//! In: the corners, and the registration that they led to. Out: nothing, or the reason to refuse them. A
//! slip of a digit must not become a score.

use super::{
    FindOptions, RegisterError, Registration,
    find::{SearchedPicture, is_borne_out, is_seen},
};
use crate::{board::Board, camera::Pixel, capture::Picture};

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
    let [width, height] = picture.size().map(f64::from);
    let reach_px = options.corners.most_off_share * width.max(height);
    let is_outside = |corner: &Pixel| {
        let beyond = |at: f64, side: f64| !(-reach_px..=side + reach_px).contains(&at);
        beyond(corner.x, width) || beyond(corner.y, height)
    };
    let corners_of_board = board.corners();
    // Where a corner outside of the picture lies nobody has seen: only those inside are compared.
    let inside = corners_of_board.iter().zip(corners).filter(|(_, given)| !is_outside(given));
    let off_px = inside.map(|(corner, given)| {
        camera.image_from_board(corner.x, corner.y, 0.0).map_or(f64::INFINITY, |seen| (seen - given).norm())
    });
    let farthest_px = off_px.fold(0.0, f64::max);
    if farthest_px > reach_px {
        return refuse(format!(
            "the camera that fits them best sees one {farthest_px:.0} px from where it was given; check each of them"
        ));
    }
    let searched = SearchedPicture::new(picture);
    if let Some(corner) = corners.iter().find(|corner| is_outside(corner))
        && !is_seen(&searched, board, camera, options)
    {
        return refuse(format!(
            "{:.0}, {:.0} lies outside of the picture ({width} x {height} pixels), and what is in view does not bear it \
             out",
            corner.x, corner.y
        ));
    }
    if !is_borne_out(&searched, board, camera, options) {
        return refuse(
            "the board's lines are not where they would have to be; check each of them, and their order: near left, \
             near right, far right, far left"
                .to_owned(),
        );
    }
    Ok(())
}
