//! A voted place as the full picture shows it.
//!
//! In: a place. Out: a [`Sight`] (rim, face and the surface around it), or nothing where there is
//! no rim to speak of.

use super::{
    FieldOptions, SurfaceOptions,
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

impl Look<'_> {
    /// Looks at a place for a solid; `block` is the surface's estimate around it.
    pub fn sight(&self, place: Point, size: usize, solid: Solid, block: Stops) -> Option<Sight> {
        let contrast = self.contrast(place, solid, block)?;
        let (rim, face) = self.best_centre(place, solid, contrast)?;
        let surface = surface_around(&rim, block, &self.options.surface);
        Some(Sight { size, solid, rim, face, surface, contrast })
    }

    /// By how much a face at a place differs from bare surface.
    fn contrast(&self, place: Point, solid: Solid, block: Stops) -> Option<Contrast> {
        let radii = &self.options.face_radii;
        let face = self.middle_of_face(place, solid, radii.end)?;
        let mut looks: Vec<Stops> = face.between(radii.start, radii.end).map(|(_, stops)| stops).collect();
        let look = self.light.stops_from_soft(median(&mut looks)?);
        let face = self.light.apparent(look, block, self.options.dark_floor as f32);
        Some(Contrast::of(face, self.options))
    }

    /// The rim at the place where most speaks for a piece: its silhouette, and the outline of the
    /// field in the middle of its face, which is concentric with it. A cap's ring lies lower than
    /// the solid's top and mirrors the board, so other edges can be taken for its rim; on a face
    /// with many rings an outline can be pieced together from several.
    fn best_centre(&self, place: Point, solid: Solid, contrast: Contrast) -> Option<(Rim, Face)> {
        let (own, options) = (&self.options.face_radii, &self.options.field);
        let rim = self.rim(place, solid, contrast, &[])?;
        if rim.seen() < self.options.sight_min && solid.cap_part.is_none() {
            return None;
        }
        let face = self.face(rim.centre, solid)?;
        let agrees = |contour: Contour| {
            contour.whole >= options.outline_min
                && contour.offset.norm() < options.agreement * solid.radius_mm
        };
        let is_sure = rim.seen() >= self.options.sure_rim_min;
        if is_sure && face.contour(contrast.step, own, options).is_some_and(agrees) {
            return Some((rim, face));
        }
        let first = self.face(place, solid)?;
        let fields = [first.contour(contrast.step, own, options), first.concentric_edge(options)];
        let is_field = |field: &Contour| is_field(field, solid, options);
        let mut best = (self.likeness(&rim, &face, solid, contrast), rim, face);
        for field in fields.into_iter().flatten().filter(is_field) {
            let centre = place + field.offset;
            // Once more from there: the first fit is to first order only.
            let again = self.face(centre, solid)?.contour(contrast.step, own, options).filter(is_field);
            let centre = again.map_or(centre, |field| centre + field.offset);
            let rim = self.rim_near(centre, solid, contrast, &[])?;
            let rim = Rim { centre, ..rim };
            let face = self.face(centre, solid)?;
            let score = self.likeness(&rim, &face, solid, contrast);
            if score > best.0 + options.gain_min {
                best = (score, rim, face);
            }
        }
        Some((best.1, best.2))
    }

    /// Whether a sight's cap is where the board file has it.
    pub fn shows_its_cap(&self, sight: &Sight) -> bool {
        let edge = |part: f64| sight.face.cap_edge(part, &self.options.field);
        sight.solid.cap_part.is_some_and(|part| edge(part) >= self.options.cap_min)
    }

    /// How much speaks for a piece at a place: its rim, an edge around its middle, and a field whose centre it
    /// is. A capped piece's ring lies lower than the solid's top, so that from the side its rim shows as well at
    /// places that are not the cap's centre.
    fn likeness(&self, rim: &Rim, face: &Face, solid: Solid, contrast: Contrast) -> f32 {
        let (own, options) = (&self.options.face_radii, &self.options.field);
        let centred = |field: &Contour| {
            is_field(field, solid, options) && field.offset.norm() < options.agreement * solid.radius_mm
        };
        let field =
            face.contour(contrast.step, own, options).filter(centred).map_or(0.0, |field| field.whole);
        rim.seen() + face.ring_edge(options) + field
    }
}

fn is_field(field: &Contour, solid: Solid, options: &FieldOptions) -> bool {
    field.whole >= options.outline_min
        && options.radii.contains(&(field.radius_mm / solid.radius_mm))
        && field.offset.norm() < options.offset_max * solid.radius_mm
}

/// The surface's stops around a rim: of what is seen there where that is surface, else its block's.
fn surface_around(rim: &Rim, block: Stops, options: &SurfaceOptions) -> Stops {
    let is_surface = |stops: &&Stops| {
        let (brightness, hue) = brightness_and_hue(minus(**stops, block));
        largest(hue) < options.hue_tolerance
            && (-options.beside_darker_max..options.beside_brighter_max).contains(&brightness)
    };
    let mut around: Vec<Stops> = rim.outside.iter().flatten().filter(is_surface).copied().collect();
    if (around.len() as f32) < options.beside_min * rim.rays.len() as f32 {
        return block;
    }
    median(&mut around).unwrap_or(block)
}
