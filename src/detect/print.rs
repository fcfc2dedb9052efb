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
    geometry::{Paint, Point, Vector, nearest_on_segment},
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
    /// How far it may lie beside its drawing, where the board is only roughly known.
    off_mm: f64,
    /// Whether every board of this kind has it.
    is_sure: bool,
}

impl PrintedFill {
    /// Whether it can be taken for granted where its outline cannot be told from a piece's.
    pub fn is_sure(&self) -> bool {
        self.is_sure
    }

    /// Whether something seen at `centre` is so near that it may be this print.
    pub fn is_at(&self, centre: Point, options: &PrintOptions) -> bool {
        self.away_mm(centre) < self.reach_mm(options)
    }

    /// How far something seen at `centre` is from where this print would be seen.
    pub fn away_mm(&self, centre: Point) -> f64 {
        (centre - nearest_on_segment(centre, self.centre, self.as_top)).norm()
    }

    /// Within what distance it may be this print.
    pub fn reach_mm(&self, options: &PrintOptions) -> f64 {
        options.same_place * self.radius_mm + self.off_mm
    }

    /// Whether part of something seen at `centre` may be this print.
    pub fn touches(&self, centre: Point) -> bool {
        (centre - self.centre).norm() < 2.0 * self.radius_mm
    }

    /// Whether a face at `centre` that differs from the surface by `face` is this print, or a piece of its colour on it.
    pub fn is_of_its_colour(&self, centre: Point, face: Stops, options: &PrintOptions) -> bool {
        self.is_at(centre, options)
            && GLOSSES
                .iter()
                .any(|&gloss| largest(minus(face, with_gloss(self.stops, gloss))) < options.tolerance)
    }

    /// Part of its outline that is seen, of what `is_hidden` by others leaves: a whole one has nothing on it.
    pub fn outline_seen(&self, is_hidden: impl Fn(Point) -> bool, options: &PrintOptions) -> f32 {
        self.rim.seen_but(is_hidden, options.visible_min)
    }
}

/// The outline of a printed circle, where it is drawn, or where most of it is seen near there if the board is only roughly
/// known.
fn outline(drawn: Point, solid: Solid, look: &Look, off_mm: f64, options: &PrintOptions) -> Option<Rim> {
    let seen_near = |place: Point| look.rim_near(place, solid, Contrast::UNKNOWN, &[]);
    if off_mm <= 0.0 {
        return seen_near(drawn);
    }
    let pitch_mm = options.rough_pitch * solid.radius_mm;
    let steps = (off_mm / pitch_mm).ceil() as i32;
    let moves = (-steps..=steps).flat_map(|row| (-steps..=steps).map(move |column| (row, column)));
    let rims = moves.filter_map(|(row, column)| {
        let rim = seen_near(drawn + Vector::new(f64::from(column), f64::from(row)) * pitch_mm)?;
        Some((rim.seen(), -(row * row + column * column), rim))
    });
    rims.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, _, rim)| rim)
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
        (Paint::Ring { centre, radius_mm, .. }, Some(fill)) => Some((line, centre, radius_mm, fill)),
        (Paint::Spot { centre, radius_mm }, _) => Some((line, centre, radius_mm, line.colour)),
        _ => None,
    });
    let mut seen: Vec<(PrintedFill, Colour, Stops)> = Vec::new();
    for (line, centre, radius_mm, colour) in circles {
        let off_mm = options.print.rough_reach * board.accuracy_of_mm(line);
        let solid = Solid::flat(radius_mm);
        let Some(rim) = outline(centre, solid, look, off_mm, &options.print) else { continue };
        let Some(face) = look.face(rim.centre, solid) else { continue };
        let Some(middle) = face.median_between(0.0, options.print.fill_part) else { continue };
        let stops = stops_between(colour, board.surface.colour, floor);
        let as_top = seen_at(centre, 0.0, top_mm, look.eye);
        let fill = PrintedFill { centre, radius_mm, as_top, stops, rim, off_mm, is_sure: !line.optional };
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
