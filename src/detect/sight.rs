//! A voted place as the full picture shows it.
//!
//! In: a place. Out: a [`Sight`] (rim, face and the surface around it), or nothing where there is
//! no rim to speak of.

use super::{
    face::{Contour, Face},
    light::{Stops, brightness_and_hue, largest, median, minus},
    look::{Look, Solid},
    rim::{Contrast, Rim},
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
    /// Stops of the bare surface around it.
    pub surface: Stops,
    /// By how much its middle differs from that.
    pub contrast: Contrast,
}

/// Part of the radius within which a place's own look is taken.
const MIDDLE_PART: f64 = 0.5;
/// Part of a field's outline that must be there.
const FIELD_MIN: f32 = 0.7;
/// Radii that a cap or the field inside a groove can have, as parts of the piece's.
pub const FIELD_RADII: std::ops::Range<f64> = 0.6..0.93;
/// How far a place may be off its field's centre, for a piece of 30 mm.
const FIELD_OFFSET_MM: f64 = 4.5;
/// By how much a field's centre must be better than the rim's own to be taken.
const FIELD_GAIN: f32 = 0.05;
/// Part of a rim, and nearness of its centre to that of the face's outline (for a piece of 30 mm),
/// from which a centre needs no second thought.
const SURE: f32 = 0.9;
const AGREEMENT_MM: f64 = 0.9;
/// Part of a rim that must be seen at all.
const SIGHT_MIN: f32 = 0.35;
/// How far surface beside a place may differ from its block's estimate, in stops.
const HUE_TOLERANCE: f32 = 0.4;
const DARKER_MAX: f32 = 2.0;
const BRIGHTER_MAX: f32 = 1.0;
/// Part of the rays that must show surface for it to be taken from them.
const SURFACE_MIN: f32 = 0.25;

impl Look<'_> {
    /// Looks at a place for a solid; `block` is the surface's estimate around it.
    pub fn sight(&self, place: Point, size: usize, solid: Solid, block: Stops) -> Option<Sight> {
        let contrast = self.contrast(place, solid, block)?;
        let (rim, face) = self.best_centre(place, solid, contrast)?;
        let surface = surface_around(&rim, block);
        Some(Sight { size, solid, rim, face, surface, contrast })
    }

    /// By how much the middle of a place differs from bare surface.
    fn contrast(&self, place: Point, solid: Solid, block: Stops) -> Option<Contrast> {
        let face = self.middle_of_face(place, solid, MIDDLE_PART)?;
        let mut middle: Vec<Stops> = face.between(0.0, MIDDLE_PART).map(|(_, stops)| stops).collect();
        let middle = self.light.stops_from_soft(median(&mut middle)?);
        let face = self.light.between(middle, block, self.options.dark_floor as f32);
        Some(Contrast::of(face, self.options))
    }

    /// The rim at the place where most speaks for a piece: its silhouette, and the outline of the
    /// field in the middle of its face, which is concentric with it. A cap's ring lies lower than
    /// the solid's top and mirrors the board, so other edges can be taken for its rim; on a face
    /// with many rings an outline can be pieced together from several.
    fn best_centre(&self, place: Point, solid: Solid, contrast: Contrast) -> Option<(Rim, Face)> {
        let rim = self.rim(place, solid, contrast, &[])?;
        if rim.seen() < SIGHT_MIN {
            return None;
        }
        let face = self.face(rim.centre, solid)?;
        let agrees = |contour: Contour| {
            contour.whole >= FIELD_MIN && contour.offset.norm() < AGREEMENT_MM * solid.scale()
        };
        if rim.seen() >= SURE && face.contour(contrast.step).is_some_and(agrees) {
            return Some((rim, face));
        }
        let first = self.face(place, solid)?;
        let fields = [first.contour(contrast.step), first.concentric_edge(FIELD_RADII)];
        let mut best = (self.likeness(&rim, &face, solid, contrast), rim, face);
        for field in fields.into_iter().flatten().filter(|field| is_field(field, solid)) {
            let centre = place + field.offset;
            // Once more from there: the first fit is to first order only.
            let again =
                self.face(centre, solid)?.contour(contrast.step).filter(|field| is_field(field, solid));
            let centre = again.map_or(centre, |field| centre + field.offset);
            let rim = self.rim_near(centre, solid, contrast, &[])?;
            let rim = Rim { centre, ..rim };
            let face = self.face(centre, solid)?;
            let score = self.likeness(&rim, &face, solid, contrast);
            if score > best.0 + FIELD_GAIN {
                best = (score, rim, face);
            }
        }
        Some((best.1, best.2))
    }

    /// How much speaks for a piece at a place: its rim, an edge around its middle, and a field whose centre it
    /// is. A capped piece's ring lies lower than the solid's top, so that from the side its rim shows as well at
    /// places that are not the cap's centre.
    fn likeness(&self, rim: &Rim, face: &Face, solid: Solid, contrast: Contrast) -> f32 {
        let centred =
            |field: &Contour| is_field(field, solid) && field.offset.norm() < AGREEMENT_MM * solid.scale();
        let field = face.contour(contrast.step).filter(centred).map_or(0.0, |field| field.whole);
        rim.seen() + face.ring_edge(FIELD_RADII) + field
    }
}

fn is_field(field: &Contour, solid: Solid) -> bool {
    field.whole >= FIELD_MIN
        && FIELD_RADII.contains(&(field.radius_mm / solid.radius_mm))
        && field.offset.norm() < FIELD_OFFSET_MM * solid.scale()
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
