//! A voted place as the full picture shows it.
//!
//! In: a place. Out: a [`Sight`] (rim, face and the surface around it), or nothing where there is
//! no rim to speak of.

use super::{
    FieldOptions, SurfaceOptions,
    check::{Check, Quantity},
    face::{Contour, Face},
    light::{Stops, brightness_and_hue, largest, median, minus},
    look::{Look, Solid},
    rim::{Contrast, Rim},
};
use crate::geometry::Point;

/// What is seen at a place.
#[derive(Debug, Clone)]
pub struct Sight<'a> {
    /// Index of the size that was looked for.
    pub size: usize,
    pub solid: Solid,
    pub rim: Rim,
    pub face: Face<'a>,
    /// Stops of the bare surface around it, and its linear light.
    pub surface: Stops,
    pub surface_light: [f32; 3],
    /// By how much its middle differs from that.
    pub contrast: Contrast,
}

impl<'a> Look<'a> {
    /// Looks at a place for a solid; `block` is the surface's estimate around it.
    pub fn sight(&self, place: Point, size: usize, solid: Solid, block: Stops) -> Result<Sight<'a>, Check> {
        let unseen = || Check::at_least(Quantity::FaceSamples, 0.0, 1.0, "detect.face_radii");
        let first = self.face(place, solid).ok_or_else(unseen)?;
        let contrast = self.contrast(&first, block).ok_or_else(unseen)?;
        let (rim, face) = self.best_centre(place, first, solid, contrast)?;
        let surface = surface_around(&rim, block, &self.options.surface);
        let surface_light = self.light.linear_of_stops(surface);
        Ok(Sight { size, solid, rim, face, surface, surface_light, contrast })
    }

    /// By how much a face differs from bare surface.
    fn contrast(&self, face: &Face, block: Stops) -> Option<Contrast> {
        let radii = &self.options.face_radii;
        let look = self.light.stops_from_soft(face.median_between(radii.start, radii.end)?);
        let face = self.light.between(look, block, self.options.dark_floor as f32);
        Some(Contrast::of(face, self.options))
    }

    /// The rim at the place where most speaks for a piece: its silhouette, and the outline of the
    /// field in the middle of its face, which is concentric with it. A cap's ring lies lower than
    /// the solid's top and mirrors the board, so other edges can be taken for its rim; on a face
    /// with many rings an outline can be pieced together from several. `first` is the face at `place`.
    fn best_centre(
        &self,
        place: Point,
        first: Face<'a>,
        solid: Solid,
        contrast: Contrast,
    ) -> Result<(Rim, Face<'a>), Check> {
        let unseen = || Check::at_least(Quantity::FaceSamples, 0.0, 1.0, "detect.face_radii");
        let options = &self.options.field;
        let field_of = |face: &Face| face.contour(contrast.step, &self.options.face_radii, options);
        let rails = self.rails_before(place, solid);
        let rim = self.rim(place, solid, contrast, &rails).ok_or_else(unseen)?;
        let any_rim =
            Check::at_least(Quantity::AnyRim, rim.seen(), self.options.sight_min, "detect.sight_min");
        if !any_rim.holds && solid.cap_part.is_none() {
            return Err(any_rim);
        }
        let face = self.face(rim.centre, solid).ok_or_else(unseen)?;
        let field = field_of(&face);
        let agrees = |contour: &Contour| {
            contour.whole >= options.outline_min
                && contour.offset.norm() < options.agreement * solid.radius_mm
        };
        if rim.seen() >= self.options.sure_rim_min && field.as_ref().is_some_and(agrees) {
            return Ok((rim, face));
        }
        let is_field = |field: &Contour| is_field(field, solid, options);
        let fields = [field_of(&first), first.concentric_edge(options)].map(|field| field.filter(is_field));
        if fields == [None; 2] {
            // Most faces show no field, and then there is nothing to weigh the rim's own centre against.
            return Ok((rim, face));
        }
        let mut best = (self.likeness(&rim, &face, field, solid), rim, face);
        for found in fields.into_iter().flatten() {
            let mut centre = place + found.offset;
            let mut face = self.face(centre, solid).ok_or_else(unseen)?;
            let mut field = field_of(&face);
            // Once more from there: the first fit is to first order only.
            if let Some(again) = field.filter(is_field) {
                centre += again.offset;
                face = self.face(centre, solid).ok_or_else(unseen)?;
                field = field_of(&face);
            }
            let rim = Rim { centre, ..self.rim_near(centre, solid, contrast, &rails).ok_or_else(unseen)? };
            let score = self.likeness(&rim, &face, field, solid);
            if score > best.0 + options.gain_min {
                best = (score, rim, face);
            }
        }
        Ok((best.1, best.2))
    }

    /// Whether a sight's cap is where the board file has it.
    pub fn shows_its_cap(&self, sight: &Sight) -> bool {
        let edge = |part: f64| sight.face.cap_edge(part, &self.options.field);
        sight.solid.cap_part.is_some_and(|part| edge(part) >= self.options.cap_min)
    }

    /// How much speaks for a piece at a place: its rim, an edge around its middle, and a field whose centre it
    /// is; `field` is the face's. A capped piece's ring lies lower than the solid's top, so that from the side
    /// its rim shows as well at places that are not the cap's centre.
    fn likeness(&self, rim: &Rim, face: &Face, field: Option<Contour>, solid: Solid) -> f32 {
        let options = &self.options.field;
        let centred = |field: &Contour| {
            is_field(field, solid, options) && field.offset.norm() < options.agreement * solid.radius_mm
        };
        rim.seen() + face.ring_edge(options) + field.filter(centred).map_or(0.0, |field| field.whole)
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
