//! Print that looks like a piece: moons, spots and their like.
//!
//! In: the board's filled circles and a picture. Out: [`PrintedFill`]s as they look in this very
//! picture, and whether something seen is one of them.

use super::{
    DetectOptions, PrintOptions,
    kinds::GLOSSES,
    light::{Stops, largest, median, minus, stops_between, with_gloss},
    look::{Look, Solid, seen_at},
    rim::{Contrast, Rim},
};
use crate::{
    board::{Board, Colour},
    geometry::{Paint, Point, nearest_on_segment},
};

/// A filled circle of the board.
#[derive(Debug, Clone)]
pub struct PrintedFill {
    pub centre: Point,
    pub radius_mm: f64,
    /// Where it would be if it were the top of a piece: a flat disc that is taken for a solid seems
    /// to lie between there and where it is.
    as_top: Point,
    /// Against the bare surface: as all of its colour look here, or as the board file says.
    stops: Stops,
    /// Its own outline.
    rim: Rim,
}

impl PrintedFill {
    /// Whether something seen at `centre` is so near that it may be this print.
    pub fn is_at(&self, centre: Point, options: &PrintOptions) -> bool {
        (centre - nearest_on_segment(centre, self.centre, self.as_top)).norm()
            < options.same_place * self.radius_mm
    }

    /// Whether part of something seen at `centre` may be this print.
    pub fn touches(&self, centre: Point) -> bool {
        (centre - self.centre).norm() < 2.0 * self.radius_mm
    }

    /// Whether a face at `centre` that differs from the surface by `face` is this print: as large as it is, nothing lies on
    /// it. `is_hidden`: what others hide of the board.
    pub fn explains(
        &self,
        centre: Point,
        face: Stops,
        is_hidden: impl Fn(Point) -> bool,
        options: &PrintOptions,
    ) -> bool {
        self.is_at(centre, options)
            && self.rim.seen_but(is_hidden, options.visible_min) >= options.outline_min
            && GLOSSES
                .iter()
                .any(|&gloss| largest(minus(face, with_gloss(self.stops, gloss))) < options.tolerance)
    }
}

/// The board's filled circles as they look in this picture.
pub fn printed_fills(
    board: &Board,
    look: &Look,
    surface_at: &dyn Fn(Point) -> Stops,
    options: &DetectOptions,
) -> Vec<PrintedFill> {
    let floor = options.dark_floor as f32;
    let top_mm = board.pieces.iter().map(|kind| kind.height_mm).fold(0.0, f64::max);
    let circles = board.lines.iter().filter_map(|line| match (line.paint, line.fill) {
        (Paint::Ring { centre, radius_mm, .. }, Some(fill)) => Some((centre, radius_mm, fill)),
        (Paint::Spot { centre, radius_mm }, _) => Some((centre, radius_mm, line.colour)),
        _ => None,
    });
    let mut seen: Vec<(PrintedFill, Colour, Stops)> = Vec::new();
    for (centre, radius_mm, colour) in circles {
        let solid = Solid::flat(radius_mm);
        let (Some(face), Some(rim)) =
            (look.face(centre, solid), look.rim_near(centre, solid, Contrast::UNKNOWN, &[]))
        else {
            continue;
        };
        let Some(middle) = face.median_between(0.0, options.print.fill_part) else { continue };
        let stops = stops_between(colour, board.surface.colour, floor);
        let as_top = seen_at(centre, 0.0, top_mm, look.eye);
        let fill = PrintedFill { centre, radius_mm, as_top, stops, rim };
        seen.push((
            fill,
            colour,
            look.light.between(look.light.stops_from_soft(middle), surface_at(centre), floor),
        ));
    }
    seen.iter()
        .map(|(fill, colour, _)| {
            let mut alike: Vec<Stops> =
                seen.iter().filter(|(_, c, _)| c == colour).map(|(_, _, stops)| *stops).collect();
            let usual = if alike.len() < options.print.fills_min { None } else { median(&mut alike) };
            PrintedFill { stops: usual.unwrap_or(fill.stops), ..fill.clone() }
        })
        .collect()
}
