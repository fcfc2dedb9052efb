//! What tells two boards apart that fit the same picture.
//!
//! In: two boards, each with the camera that fits it. Out: [`Difference`]s, the plainest first: a line that
//! one has and the other has not, where both lie as the picture shows them; sizes; pieces; what stands around
//! them.

use super::IdentifyOptions;
use crate::{
    board::Board,
    camera::{Camera, Pixel},
    geometry::{Paint, Point, Vector},
};

/// Something that one of two boards has and the other has not, or has of another size.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// A line that only this board has.
    Line { board: String, line: String },
    /// A length that both have.
    Length { what: Length, mm: [f64; 2] },
    /// Rails on one (`true`), none on the other.
    Rails { has: [bool; 2] },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Across,
    Along,
    Piece,
    PieceHeight,
    RailHeight,
}

/// The first is the likelier board.
pub fn differences(a: (&Board, &Camera), b: (&Board, &Camera), options: &IdentifyOptions) -> Vec<Difference> {
    let lines = |of: (&Board, &Camera), other: (&Board, &Camera)| {
        let only = lines_only_in(of, other, options);
        let name = |line: String| Difference::Line { board: of.0.id.clone(), line };
        only.into_iter().map(name).collect::<Vec<_>>()
    };
    let mut all = lengths(a.0, b.0, options);
    let has = [a.0, b.0].map(|board| !board.rails.is_empty());
    if has[0] != has[1] {
        all.push(Difference::Rails { has });
    }
    all.splice(0..0, lines(a, b).into_iter().chain(lines(b, a)));
    all
}

fn lengths(a: &Board, b: &Board, options: &IdentifyOptions) -> Vec<Difference> {
    type Measure = fn(&Board) -> Option<f64>;
    let measures: [(Length, Measure); 5] = [
        (Length::Across, |board| Some(board.surface.width_mm)),
        (Length::Along, |board| board.surface.unseen.is_none().then_some(board.surface.length_mm)),
        (Length::Piece, |board| board.pieces.iter().find(|kind| !kind.shooter).map(|kind| kind.diameter_mm)),
        (Length::PieceHeight, |board| {
            board.pieces.iter().find(|kind| !kind.shooter).map(|kind| kind.height_mm)
        }),
        (Length::RailHeight, |board| board.rails.iter().map(|rail| rail.height_mm).reduce(f64::max)),
    ];
    let differs = |x: f64, y: f64| (x - y).abs() > options.same_length_share * x.max(y);
    measures
        .into_iter()
        .filter_map(|(what, of)| Some((what, [of(a)?, of(b)?])))
        .filter(|(_, [x, y])| differs(*x, *y))
        .map(|(what, mm)| Difference::Length { what, mm })
        .collect()
}

/// Longer side of the picture that `same_line_px` is for.
const USUAL_PX: f64 = 960.0;
/// Places along a line that are compared.
const PLACES: usize = 9;

/// Lines of one board that lie on no line of the other, as both are seen.
fn lines_only_in(of: (&Board, &Camera), other: (&Board, &Camera), options: &IdentifyOptions) -> Vec<String> {
    let (board, camera) = of;
    let [width, height] = camera.image_size.map(f64::from);
    let near_px = options.same_line_px * (width.max(height) / USUAL_PX);
    let is_in_both = |p: Point| {
        let Some(seen) = camera.image_from_board(p.x, p.y, 0.0) else { return true };
        lies_on_a_line(seen, other, near_px)
    };
    let mut names: Vec<String> = Vec::new();
    for line in board.lines.iter().filter(|line| !line.optional) {
        let places = places_along(&line.paint);
        let shared = places.iter().filter(|p| is_in_both(**p)).count();
        if 2 * shared < places.len() && !names.contains(&line.name) {
            names.push(line.name.clone());
        }
    }
    names
}

fn lies_on_a_line(seen: Pixel, (board, camera): (&Board, &Camera), near_px: f64) -> bool {
    let Some(p) = camera.board_from_image(seen.x, seen.y, 0.0) else { return false };
    let near_mm = near_px * camera.mm_per_px(p).unwrap_or(1.0);
    board.lines.iter().any(|line| line.paint.signed_distance_mm(p) < near_mm)
}

fn places_along(paint: &Paint) -> Vec<Point> {
    let shares = (0..PLACES).map(|i| (i as f64 + 0.5) / PLACES as f64);
    let on_circle = |centre: Point, radius_mm: f64, angle: f64| {
        centre + Vector::new(angle.cos(), angle.sin()) * radius_mm
    };
    match *paint {
        Paint::Stroke { from, to, .. } => shares.map(|share| from + (to - from) * share).collect(),
        Paint::Ring { centre, radius_mm, .. } => {
            shares.map(|share| on_circle(centre, radius_mm, share * std::f64::consts::TAU)).collect()
        }
        Paint::Arc { centre, radius_mm, start_rad, sweep_rad, .. } => {
            shares.map(|share| on_circle(centre, radius_mm, start_rad + share * sweep_rad)).collect()
        }
        Paint::Spot { centre, .. } => vec![centre],
    }
}
