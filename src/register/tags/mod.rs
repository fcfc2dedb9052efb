//! A first camera from printed tags at known places of the board.
//!
//! In: a picture and a board whose file lists tags. Out: a camera good to a pixel or two, for
//! [`super::refine`]. Tags are AprilTags or ArUco markers; OpenCV finds them.

pub(crate) mod markers;

use nalgebra::{Point3, Rotation3, Vector3};
use opencv::{
    calib3d,
    core::{Mat, Point2d, Point3d, Vector},
    prelude::*,
};

use super::{RegisterError, refine};
use crate::{
    board::{Board, Tag},
    camera::{Camera, Lens, Pixel, Pose},
    capture::Picture,
};

/// Focal lengths that are tried first, as shares of the picture's longer side: from a wide phone
/// lens to a long one.
const FOCAL_SHARES: [f64; 4] = [0.6, 0.9, 1.4, 2.2];

/// Finds the board by its printed tags.
pub fn cameras_from_tags(picture: &Picture, board: &Board) -> Result<Vec<Camera>, RegisterError> {
    let refused = |reason: String| RegisterError::NotFound { board: board.id.clone(), reason };
    if board.tags.is_empty() {
        return Err(refused("its board file lists no tags".into()));
    }
    let seen = seen_corners(picture, board)?;
    if seen.is_empty() {
        return Err(refused(format!("none of its {} printed tags is in view", board.tags.len())));
    }
    let failed = |error: opencv::Error| refused(format!("OpenCV could not use its tags ({error})"));
    let [w, h] = picture.size();
    let mut best: Option<(f64, Camera)> = None;
    for share in FOCAL_SHARES {
        let lens = Lens::ideal(share * f64::from(w.max(h)), [w, h]);
        let Some(pose) = pose_of(&seen, &lens).map_err(failed)? else { continue };
        let start = Camera { image_size: [w, h], lens, pose };
        if let Some((camera, rms_px)) = refine::fit_points(&seen, &start)
            && best.as_ref().is_none_or(|(top, _)| rms_px < *top)
        {
            best = Some((rms_px, camera));
        }
    }
    best.map(|(_, camera)| vec![camera])
        .ok_or_else(|| refused("its printed tags do not lie as the board file says".into()))
}

/// Corners of the board's tags, each where it is on the board and where it is seen.
fn seen_corners(picture: &Picture, board: &Board) -> Result<Vec<(Point3<f64>, Pixel)>, RegisterError> {
    let refused = |reason: String| RegisterError::NotFound { board: board.id.clone(), reason };
    let grey = image::imageops::grayscale(picture.rgb());
    let mut families: Vec<&str> = board.tags.iter().map(|tag| tag.family.as_str()).collect();
    families.sort_unstable();
    families.dedup();
    let mut seen = Vec::new();
    for family in families {
        let number = markers::family_number(family).ok_or_else(|| {
            refused(format!("the tag family {family:?} is unknown, expected {}", markers::family_names()))
        })?;
        let found = markers::find_markers(&grey, number)
            .map_err(|error| refused(format!("OpenCV could not look for tags ({error})")))?;
        for tag in board.tags.iter().filter(|tag| tag.family == family) {
            // A tag that is seen twice is a copy of it somewhere; neither can be trusted.
            let mut same = found.iter().filter(|marker| marker.id == tag.id);
            if let (Some(marker), None) = (same.next(), same.next()) {
                seen.extend(corners_of(tag).into_iter().zip(marker.corners));
            }
        }
    }
    Ok(seen)
}

/// A tag's corners on the board, clockwise from the top left of its print.
fn corners_of(tag: &Tag) -> [Point3<f64>; 4] {
    let (sin, cos) = tag.angle_deg.to_radians().sin_cos();
    let half = tag.size_mm / 2.0;
    [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)].map(|(right, up)| {
        let (x, y) = (right * half, up * half);
        Point3::new(tag.centre.x + cos * x - sin * y, tag.centre.y + sin * x + cos * y, 0.0)
    })
}

fn pose_of(seen: &[(Point3<f64>, Pixel)], lens: &Lens) -> opencv::Result<Option<Pose>> {
    let on_board: Vector<Point3d> = seen.iter().map(|(p, _)| Point3d::new(p.x, p.y, p.z)).collect();
    let in_picture: Vector<Point2d> = seen.iter().map(|(_, p)| Point2d::new(p.x, p.y)).collect();
    let matrix = Mat::from_slice_2d(&[[lens.fx, 0.0, lens.cx], [0.0, lens.fy, lens.cy], [0.0, 0.0, 1.0]])?;
    let (mut rotation, mut translation) = (Mat::default(), Mat::default());
    let solved = calib3d::solve_pnp(
        &on_board,
        &in_picture,
        &matrix,
        &Mat::default(),
        &mut rotation,
        &mut translation,
        false,
        calib3d::SOLVEPNP_IPPE,
    )?;
    if !solved {
        return Ok(None);
    }
    let vector = |mat: &Mat| -> opencv::Result<Vector3<f64>> {
        Ok(Vector3::new(*mat.at::<f64>(0)?, *mat.at::<f64>(1)?, *mat.at::<f64>(2)?))
    };
    let pose = Pose { rotation: Rotation3::new(vector(&rotation)?), translation_mm: vector(&translation)? };
    // Seen from below the board would be a mirror image; no camera is there.
    Ok((pose.centre_mm().z > 0.0).then_some(pose))
}

#[cfg(test)]
mod tests;
