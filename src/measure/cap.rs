//! Where a piece lies by the contour of its coloured cap.
//!
//! A cap stands proud of a lower metal ring. The ring mirrors the board and the lamps, so its own
//! outline says little; the cap's edge against the metal is sharp, and local levels follow the
//! metal's brightness around it. In: the picture around a piece. Out: the footprint, and how large
//! the cap is, which all pieces of a set share.

use super::{
    MeasureOptions,
    contour::{self, Expectation},
    estimate::Estimate,
    scene::{Scene, Shade},
    silhouette,
    solid::Solid,
};
use crate::geometry::Point;

/// The cap of a piece as a body of its own, standing on the ring.
pub(super) fn solid(piece: &Solid, radius_mm: f64, options: &MeasureOptions) -> Solid {
    Solid {
        radius_mm,
        base_mm: piece.top_mm - options.cap_proud_mm.min(piece.top_mm - piece.base_mm),
        top_mm: piece.top_mm,
        rim_mm: piece.rim_mm,
    }
}

/// A cap's rough place and radius, with the share of its contour that shows the contrast.
pub(super) struct Located {
    pub centre: Point,
    pub radius_mm: f64,
    pub score: f64,
}

/// Looks for a cap of any likely radius.
pub(super) fn locate(
    scene: &Scene,
    piece: &Solid,
    start: Point,
    shade: &Shade,
    options: &MeasureOptions,
) -> Located {
    let mut best = Located { centre: start, radius_mm: 0.0, score: f64::MIN };
    for &share in &options.cap_radius_shares {
        let radius_mm = share * piece.radius_mm;
        let found = silhouette::locate(scene, &solid(piece, radius_mm, options), start, shade, true, options);
        if found.score > best.score {
            best = Located { centre: found.centre, radius_mm, score: found.score };
        }
    }
    best
}

/// Fits the footprint to the cap's contour. `radius_sigma_mm` says how well the radius is known.
pub(super) fn fit(
    scene: &Scene,
    piece: &Solid,
    start: Point,
    (radius_mm, radius_sigma_mm): (f64, f64),
    shade: &Shade,
    options: &MeasureOptions,
) -> Option<Estimate> {
    let slope = (start - scene.eye.foot).norm() / scene.eye.height_mm;
    let expectation = Expectation {
        excess_mm: 0.0,
        excess_sigma_mm: radius_sigma_mm,
        inside_alike: Some(options.cap_alike),
        near_sigma_mm: options.near_floor_sigma_mm + options.cap_proud_sigma_mm * slope,
    };
    contour::fit(scene, &solid(piece, radius_mm, options), start, shade, &expectation, options)
}
