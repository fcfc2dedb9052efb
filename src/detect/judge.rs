//! Whether a sight is a piece, and of which kind.
//!
//! In: a sight, and what may cover part of it. Out: a [`Verdict`]. A piece has the size, the rim
//! and the face of a piece; what lacks one of them is foreign or nothing.

use super::{
    DetectOptions, ForeignReason,
    kinds::{KindColours, KindFit},
    light::{Stops, brightness_and_hue, largest, median},
    look::{Cover, Look},
    print::PrintedFill,
    sight::Sight,
};
use crate::{
    board::{Board, BoardSide},
    geometry::Point,
};

pub struct Judge<'a> {
    pub board: &'a Board,
    pub look: &'a Look<'a>,
    /// Kinds of each size.
    pub sizes: &'a [Vec<usize>],
    pub colours: &'a KindColours,
    pub fills: &'a [PrintedFill],
    pub options: &'a DetectOptions,
}

/// What a sight turned out to be.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// With the kinds it can be, the best first.
    Piece(Vec<KindFit>),
    Foreign(ForeignReason),
    Nothing,
}

/// Part of the radius within which a face's colour is taken: inside any cap.
const FACE_PART: f64 = 0.6;
/// Fewest face samples for a colour.
const FACE_SAMPLES_MIN: usize = 8;
/// How far a centre may seem to be off the surface, in millimetres: a place is only rough.
const EDGE_TOLERANCE_MM: f64 = 1.5;
/// How far a rim may seem to be inside a rail, in millimetres.
const RAIL_TOLERANCE_MM: f64 = 3.0;
/// How far a centre may seem to be inside a pocket, in millimetres.
const POCKET_TOLERANCE_MM: f64 = 2.0;

/// How dark a piece's shadow can be, how much darker or brighter it may still seem, and how far its
/// hue may be from the surface's, in stops.
const SHADOW_MAX: f32 = 1.8;
const SHADOW_SIGMA: f32 = 0.4;
const SHADOW_TINT_SIGMA: f32 = 0.4;

impl Judge<'_> {
    pub fn judge(&self, sight: &Sight, covers: &[Cover]) -> Verdict {
        let seen = sight.rim.seen_beside(sight.solid.radius_mm, covers, self.options.visible_min);
        let is_capped = sight.cap.is_some_and(|whole| whole >= self.options.cap_min);
        let rim_min = match (covers.is_empty(), is_capped) {
            (false, _) => self.options.stacked_rim_min,
            (true, true) => self.options.capped_rim_min,
            (true, false) => self.options.rim_min,
        };
        if seen < rim_min {
            return Verdict::Nothing;
        }
        let Some(face) = self.face(sight, covers) else { return Verdict::Nothing };
        let centre = sight.rim.centre;
        let is_bare = largest(face) < self.options.face_step_min;
        let is_print = self.fills.iter().any(|fill| match covers.is_empty() {
            true => fill.explains(centre, face, self.options),
            // What is left of a fill beside a piece on it shows too little to tell them apart.
            false => fill.is_at(centre),
        });
        if is_bare || is_print {
            return Verdict::Nothing;
        }
        let fits = self.fits(sight.size, face);
        match fits.first() {
            Some(best) if !covers.is_empty() && !self.is_kind_not_shadow(best, face) => Verdict::Nothing,
            Some(best) if best.distance <= self.options.kind_distance_max => Verdict::Piece(fits),
            _ => Verdict::Foreign(ForeignReason::Colour),
        }
    }

    /// How well the kinds of a size fit a face.
    pub fn fits(&self, size: usize, face: Stops) -> Vec<KindFit> {
        self.colours.fits(face, self.sizes[size].iter().copied(), self.options)
    }

    /// The look of a face against the surface around it, where covers leave it visible.
    fn face(&self, sight: &Sight, covers: &[Cover]) -> Option<Stops> {
        let visible = |outer: f64| -> Vec<Stops> {
            sight
                .face
                .between(0.0, outer)
                .filter(|(offset, _)| !covers.iter().any(|cover| cover.hides(sight.rim.centre + offset)))
                .map(|(_, stops)| stops)
                .collect()
        };
        let mut samples = visible(FACE_PART);
        if samples.len() < FACE_SAMPLES_MIN {
            samples = visible(1.0);
        }
        if samples.len() < FACE_SAMPLES_MIN {
            return None;
        }
        Some(self.against_surface(self.look.light.from_soft(median(&mut samples)?), sight))
    }

    /// By how much a look differs from the surface around a sight.
    pub fn against_surface(&self, stops: Stops, sight: &Sight) -> Stops {
        self.look.light.between(stops, sight.surface, self.options.dark_floor as f32)
    }

    /// Whether what shows of something under a piece is of a kind, and not the piece's own shadow,
    /// which is as round as it: dark, of the surface's hue, or tinted by light from the piece.
    pub fn is_kind_not_shadow(&self, fit: &KindFit, look: Stops) -> bool {
        let (brightness, hue) = brightness_and_hue(look);
        let too_dark = (-brightness - SHADOW_MAX).max(0.0) / SHADOW_SIGMA;
        let too_bright = brightness.max(0.0) / SHADOW_SIGMA;
        let tint = hue.map(|v| v * v).iter().sum::<f32>().sqrt() / SHADOW_TINT_SIGMA;
        let shadow_distance = f64::from((too_dark * too_dark + too_bright * too_bright + tint * tint).sqrt());
        fit.distance <= self.options.stacked_distance_max && fit.distance < shadow_distance
    }

    /// Whether a rough place can turn out to be one where a piece rests.
    pub fn rests_near_board(&self, place: Point) -> bool {
        let surface = &self.board.surface;
        let near = |v: f64, side: f64| {
            v > -self.options.place_tolerance_mm && v < side + self.options.place_tolerance_mm
        };
        near(place.x, surface.width_mm) && near(place.y, surface.length_mm)
    }

    /// Whether a piece of this radius can rest with its centre there: on the surface, as far from
    /// a rail as it is wide, and not over a pocket.
    pub fn rests_on_board(&self, centre: Point, radius_mm: f64) -> bool {
        let (w, l) = (self.board.surface.width_mm, self.board.surface.length_mm);
        let from_sides = [
            (BoardSide::Left, centre.x),
            (BoardSide::Right, w - centre.x),
            (BoardSide::Near, centre.y),
            (BoardSide::Far, l - centre.y),
        ];
        let is_inside = from_sides.iter().all(|(side, distance_mm)| {
            let has_rail = self.board.rails.iter().any(|rail| rail.side == *side);
            *distance_mm > if has_rail { radius_mm - RAIL_TOLERANCE_MM } else { -EDGE_TOLERANCE_MM }
        });
        let over_pocket = self
            .board
            .pockets
            .iter()
            .any(|pocket| (centre - pocket.centre).norm() < pocket.radius_mm - POCKET_TOLERANCE_MM);
        is_inside && !over_pocket
    }
}
