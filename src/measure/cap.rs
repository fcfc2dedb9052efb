//! Where a piece lies by the contour of its coloured cap.
//!
//! A cap stands proud of a lower metal ring. The ring mirrors the board and the lamps, so its own
//! outline says little; the cap's edge against the metal is sharp, and local levels follow the
//! metal's brightness around it. From the side the far half of that edge is the cap's top, the near
//! half the foot of its wall. In: the picture around a piece. Out: the footprint, and how large the
//! cap is and how high it stands, which all pieces of a set share.

use super::{
    MeasureOptions,
    contour::{self, Expectation},
    estimate::Estimate,
    scene::Scene,
    silhouette,
    solid::Solid,
    view::ShadedPatch,
};
use crate::geometry::Point;

/// How a cap is made: its radius and how high it stands above the ring, each with its standard
/// deviation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub radius_mm: f64,
    pub radius_sigma_mm: f64,
    pub proud_mm: f64,
    pub proud_sigma_mm: f64,
}

impl Shape {
    /// A cap of a rough radius and height, given as a share of the piece's.
    fn rough(piece: &Solid, radius_mm: f64, proud_share: f64, options: &MeasureOptions) -> Self {
        let height_mm = piece.top_mm - piece.base_mm;
        Self {
            radius_mm,
            radius_sigma_mm: options.cap_radius_sigma_mm,
            proud_mm: proud_share * height_mm,
            proud_sigma_mm: options.cap_proud_sigma_share * height_mm,
        }
    }

    /// The cap as a body of its own, standing on the ring.
    fn solid(&self, piece: &Solid, options: &MeasureOptions) -> Solid {
        let proud_mm = self.proud_mm.clamp(0.0, piece.top_mm - piece.base_mm);
        Solid {
            radius_mm: self.radius_mm,
            base_mm: piece.top_mm - proud_mm,
            top_mm: piece.top_mm,
            rim_mm: piece.rim_mm.min(options.cap_rim_share * proud_mm),
        }
    }
}

/// A cap's rough place and radius, with the share of its contour that shows the contrast.
pub(super) struct Located {
    pub centre: Point,
    pub shape: Shape,
    pub score: f64,
}

/// Looks for a cap of any likely radius and height; `None` when the options name none.
pub(super) fn locate(
    scene: &Scene,
    piece: &Solid,
    start: Point,
    shaded: &ShadedPatch,
    options: &MeasureOptions,
) -> Option<Located> {
    let slope = (start - scene.eye.foot).norm() / scene.eye.height_mm;
    // From above all heights look alike: the usual one will do.
    let heights = if slope > options.cap_proud_slope { options.cap_proud_shares.len() } else { 1 };
    let mut best: Option<Located> = None;
    for &proud_share in options.cap_proud_shares.iter().take(heights) {
        for &share in &options.cap_radius_shares {
            let shape = Shape::rough(piece, share * piece.radius_mm, proud_share, options);
            let cap = shape.solid(piece, options);
            let found = silhouette::locate(scene, &cap, start, shaded, true, options);
            if best.as_ref().is_none_or(|best| found.score > best.score) {
                best = Some(Located { centre: found.centre, shape, score: found.score });
            }
        }
    }
    best
}

/// Fits the footprint to the cap's contour.
pub(super) fn fit(
    scene: &Scene,
    piece: &Solid,
    start: Point,
    shape: &Shape,
    shaded: &ShadedPatch,
    light: Option<&ShadedPatch>,
    options: &MeasureOptions,
) -> Option<Estimate> {
    let slope = (start - scene.eye.foot).norm() / scene.eye.height_mm;
    let cap = shape.solid(piece, options);
    let expectation = Expectation {
        excess_mm: 0.0,
        excess_sigma_mm: shape.radius_sigma_mm,
        inside_alike: Some(options.cap_alike),
        ring: Some(Solid { base_mm: cap.base_mm, top_mm: cap.base_mm, rim_mm: 0.0, ..*piece }),
        near_sigma_mm: options.near_floor_sigma_mm + shape.proud_sigma_mm * slope,
        light,
    };
    contour::fit(scene, &cap, start, shaded, &expectation, options)
}
