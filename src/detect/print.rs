//! Print that looks like a piece: moons, spots and their like.
//!
//! In: the board's filled circles and a picture. Out: [`PrintedFill`]s as they look in this very
//! picture, and whether something seen is one of them.

use super::{
    DetectOptions, PrintOptions,
    light::{Stops, median, stops_between},
    look::{Look, Solid, seen_at},
    outline::DrawnCircle,
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
    pub stops: Stops,
    /// Whether it marks the surface's middle, where pieces are put to start a game.
    pub marks_the_start: bool,
    /// The radii of its edges.
    edges_mm: [Option<f64>; 2],
    /// How far it may lie beside its drawing, where the board is only roughly known.
    off_mm: f64,
}

impl PrintedFill {
    /// What its edges are drawn like.
    pub fn drawn(&self) -> DrawnCircle {
        let sigma_mm = DRAWN_SIGMA_MM.hypot(self.off_mm / 2.0);
        DrawnCircle { centre: self.centre, radii_mm: self.edges_mm, sigma_mm }
    }

    /// How far from it something may be seen that may be this print.
    pub fn reach_mm(&self, options: &PrintOptions) -> f64 {
        options.same_place * self.radius_mm + self.off_mm
    }

    /// Whether something seen at `centre` is so near that it may be this print.
    pub fn is_at(&self, centre: Point, options: &PrintOptions) -> bool {
        (centre - nearest_on_segment(centre, self.centre, self.as_top)).norm() < self.reach_mm(options)
    }

    /// Whether part of something seen at `centre` may be this print.
    pub fn touches(&self, centre: Point) -> bool {
        (centre - self.centre).norm() < 2.0 * self.radius_mm
    }
}

/// How far print lies off its drawing on a well-made board, and edges of a ring that is narrower than this look like one, in
/// millimetres.
const DRAWN_SIGMA_MM: f64 = 0.6;
const ONE_EDGE_MM: f64 = 1.5;
/// How near the surface's middle a print is that marks it, as a part of its radius.
const MIDDLE_PART: f64 = 0.25;

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
    let of_surface = Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0);
    let circles = board.lines.iter().filter_map(|line| match (line.paint, line.fill) {
        (Paint::Ring { centre, radius_mm, width_mm }, Some(fill)) => {
            let edges_mm = match width_mm < ONE_EDGE_MM {
                true => [Some(radius_mm), None],
                false => [1.0, -1.0].map(|side| Some(radius_mm + side * width_mm / 2.0)),
            };
            Some((line, centre, radius_mm, fill, edges_mm))
        }
        (Paint::Spot { centre, radius_mm }, _) => {
            Some((line, centre, radius_mm, line.colour, [Some(radius_mm), None]))
        }
        _ => None,
    });
    let mut seen: Vec<(PrintedFill, Colour, Stops)> = Vec::new();
    for (line, centre, radius_mm, colour, edges_mm) in circles {
        let off_mm = options.print.rough_reach * board.accuracy_of_mm(line);
        let solid = Solid::flat(radius_mm);
        let Some(rim) = outline(centre, solid, look, off_mm, &options.print) else { continue };
        let Some(face) = look.face(rim.centre, solid) else { continue };
        let Some(middle) = face.median_between(0.0, options.print.fill_part) else { continue };
        let stops = stops_between(colour, board.surface.colour, floor);
        let as_top = seen_at(centre, 0.0, top_mm, look.eye);
        let marks_the_start = (centre - of_surface).norm() < MIDDLE_PART * radius_mm;
        let fill = PrintedFill { centre, radius_mm, as_top, stops, marks_the_start, edges_mm, off_mm };
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
