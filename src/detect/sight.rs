//! A voted place as the full picture shows it.
//!
//! In: a place. Out: a [`Sight`] (rim, face and the surface around it), or nothing where there is
//! no rim to speak of.

use super::{
    face::{Contour, Face},
    light::{Stops, brightness_and_hue, largest, median, minus},
    look::{Look, Solid},
    rim::Rim,
};
use crate::geometry::Point;

/// What is seen at a place.
#[derive(Debug, Clone)]
pub struct Sight {
    /// Index of the size that was looked for.
    pub size: usize,
    pub solid: Solid,
    pub rim: Rim,
    pub face: Face,
    /// Whether the face's middle field is a cap's: its outline whole and concentric.
    pub cap: Option<Contour>,
    /// Stops of the bare surface around it.
    pub surface: Stops,
}

/// Part of an outline that must be there for a place to be moved to its centre.
const CONTOUR_MIN: f32 = 0.6;
/// Radii that a field inside a piece can have, as parts of the piece's.
const CONTOUR_RADII: std::ops::Range<f64> = 0.3..0.95;
/// How far a cap's centre may seem to be off its piece's, for a piece of 30 mm.
const CAP_OFFSET_MM: f64 = 1.5;
/// Part of a rim that must be seen at all.
const SIGHT_MIN: f32 = 0.2;
/// How far surface beside a place may differ from its block's estimate, in stops.
const HUE_TOLERANCE: f32 = 0.4;
const DARKER_MAX: f32 = 2.0;
const BRIGHTER_MAX: f32 = 1.0;
/// Part of the rays that must show surface for it to be taken from them.
const SURFACE_MIN: f32 = 0.25;

impl Look<'_> {
    /// Looks at a place for a solid; `block` is the surface's estimate around it.
    pub fn sight(&self, place: Point, size: usize, solid: Solid, block: Stops) -> Option<Sight> {
        let face = self.face(place, solid)?;
        let is_inside = |c: &Contour| {
            c.whole >= CONTOUR_MIN
                && CONTOUR_RADII.contains(&(c.radius_mm / solid.radius_mm))
                && c.offset.norm() < self.options.place_tolerance_mm * solid.scale()
        };
        let by_contour = match face.contour().filter(is_inside) {
            Some(contour) => self
                .rim(place + contour.offset, solid, 0.0, &[])
                .filter(|rim| rim.seen() >= self.options.capped_rim_min),
            None => None,
        };
        let rim = match by_contour {
            Some(rim) => rim,
            None => self.rim(place, solid, self.options.place_tolerance_mm, &[])?,
        };
        if rim.seen() < SIGHT_MIN {
            return None;
        }
        let face = self.face(rim.centre, solid)?;
        let cap = face.contour().filter(|c| is_inside(c) && c.offset.norm() < CAP_OFFSET_MM * solid.scale());
        let surface = surface_around(&rim, block);
        Some(Sight { size, solid, rim, face, cap, surface })
    }
}

/// The surface's stops around a rim: of what is seen there where that is surface, else its block's.
fn surface_around(rim: &Rim, block: Stops) -> Stops {
    let is_surface = |stops: &&Stops| {
        let (brightness, hue) = brightness_and_hue(minus(**stops, block));
        largest(hue) < HUE_TOLERANCE && (-DARKER_MAX..BRIGHTER_MAX).contains(&brightness)
    };
    let mut around: Vec<Stops> = rim.outside.iter().flatten().filter(is_surface).copied().collect();
    if (around.len() as f32) < SURFACE_MIN * rim.rays.len() as f32 {
        return block;
    }
    median(&mut around).unwrap_or(block)
}
