//! From what is known of a surface to a board of the template's structure.

use super::{
    LearnOptions, consensus::Known, discs::LearnedPieces, joints::Joints, lines::Warp, plane::colour_of,
};
use crate::{
    board::{Board, Line, LineRole},
    geometry::{Paint, Point, Polygon, Vector},
    outline::Lab,
};

/// `board` with every line where it is known to be; what is not known moves with what lies around it.
pub(super) fn moved_board(board: &Board, known: &[Option<Known>]) -> Board {
    let found: Vec<Option<(Point, Point)>> = known
        .iter()
        .map(|known| match known.as_ref().map(|known| known.paint) {
            Some(Paint::Stroke { from, to, .. }) => Some((from, to)),
            _ => None,
        })
        .collect();
    let warp = Warp::of(board, &found);
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let place = |p: Point| {
        let moved = warp.place(p);
        Point::new(moved.x.clamp(0.0, w), moved.y.clamp(0.0, l))
    };
    let mut moved = board.clone();
    for (line, known) in moved.lines.iter_mut().zip(known) {
        line.paint = match known {
            Some(known) => with_places(&known.paint, |p| Point::new(p.x.clamp(0.0, w), p.y.clamp(0.0, l))),
            None => with_places(&line.paint, place),
        };
    }
    let is_seen: Vec<bool> = known.iter().map(Option::is_some).collect();
    let joints = Joints::of(board, &moved.lines, &is_seen, place);
    for (line, before) in moved.lines.iter_mut().zip(&board.lines) {
        if let (Paint::Stroke { from, to, .. }, Paint::Stroke { from: a, to: b, .. }) =
            (&mut line.paint, before.paint)
        {
            (*from, *to) = between_joints([*from, *to], [joints.place(a), joints.place(b)]);
        }
    }
    for area in &mut moved.areas {
        let corners = area.polygon.vertices().iter().map(|p| joints.place(*p).unwrap_or_else(|| place(*p)));
        area.polygon = Polygon::new(corners.collect());
    }
    for numeral in &mut moved.numerals {
        numeral.centre = place(numeral.centre);
    }
    for print in &mut moved.prints {
        print.region = print.region.moved(place, 1.0);
    }
    moved
}

/// A line from joint to joint. Where only one of its ends is a joint, the other goes as far beside itself.
fn between_joints([from, to]: [Point; 2], joints: [Option<Point>; 2]) -> (Point, Point) {
    let across = |by: Vector| {
        let along = (to - from).try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vector::x);
        by - along * along.dot(&by)
    };
    match joints {
        [Some(a), Some(b)] => (a, b),
        [Some(a), None] => (a, to + across(a - from)),
        [None, Some(b)] => (from + across(b - to), b),
        [None, None] => (from, to),
    }
}

fn with_places(paint: &Paint, place: impl Fn(Point) -> Point) -> Paint {
    match *paint {
        Paint::Stroke { from, to, width_mm } => Paint::Stroke { from: place(from), to: place(to), width_mm },
        Paint::Ring { centre, radius_mm, width_mm } => {
            Paint::Ring { centre: place(centre), radius_mm, width_mm }
        }
        Paint::Spot { centre, radius_mm } => Paint::Spot { centre: place(centre), radius_mm },
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            Paint::Arc { centre: place(centre), radius_mm, width_mm, start_rad, sweep_rad }
        }
    }
}

/// Whether play needs a line: it bounds an area, or belongs to a base line. The others may go where they are not painted.
pub(super) fn is_needed(line: &Line) -> bool {
    match line.role {
        LineRole::AreaBorder | LineRole::Foul | LineRole::BaseRear | LineRole::BaseFront | LineRole::Base => {
            true
        }
        LineRole::Moon | LineRole::Decoration => false,
    }
}

/// Gives lines the colours that were seen, and takes out those that the photo shows not to be there. Lines that play needs
/// stay, as ones that may be missing.
pub(super) fn settle_lines(
    board: &mut Board,
    known: &[Option<Known>],
    in_view: &[bool],
    wood: Lab,
    options: &LearnOptions,
) {
    let mut keep = Vec::new();
    for ((line, known), in_view) in board.lines.iter_mut().zip(known).zip(in_view) {
        match known {
            Some(known) => {
                line.accuracy_mm = Some(known.spread_mm.max(options.least_accuracy_mm));
                if let Some(colour) = known.colour {
                    line.colour = colour_of(colour);
                }
                if let (Paint::Ring { .. }, Some(fill)) = (line.paint, known.fill) {
                    let is_filled = (fill - wood).norm() > options.least_fill;
                    line.fill = is_filled.then(|| colour_of(fill));
                }
                line.optional |= 2 * known.seen < known.in_view;
                keep.push(true);
            }
            None => {
                line.accuracy_mm = None;
                line.optional = true;
                keep.push(is_needed(line) || !in_view);
            }
        }
    }
    let mut keep = keep.into_iter();
    board.lines.retain(|_| keep.next().unwrap_or(true));
}

/// Gives pieces the sizes and colours that were seen.
pub(super) fn settle_pieces(board: &mut Board, learned: &LearnedPieces, accuracy_mm: f64) {
    for (kind, colour) in board.pieces.iter_mut().zip(&learned.colours) {
        let diameter_mm = if kind.shooter { learned.shooter_mm } else { learned.diameter_mm };
        if let Some(diameter_mm) = diameter_mm {
            let scale = diameter_mm / kind.diameter_mm;
            kind.diameter_mm = diameter_mm;
            kind.accuracy_mm = Some(accuracy_mm);
            kind.height_mm *= scale.powf(HEIGHT_FOLLOWS);
            kind.rim_mm = kind.rim_mm.min(kind.height_mm).min(kind.diameter_mm / 2.0);
            kind.make = match kind.make {
                crate::board::Make::Cap { diameter_mm } => {
                    crate::board::Make::Cap { diameter_mm: diameter_mm.map(|mm| mm * scale) }
                }
                other => other,
            };
        }
        if let Some(colour) = colour {
            kind.colour = colour_of(*colour);
        }
    }
    // Two kinds of one colour and size could not be told apart.
    for index in 1..board.pieces.len() {
        let (before, rest) = board.pieces.split_at_mut(index);
        if let Some(kind) = rest.first_mut() {
            while before
                .iter()
                .any(|other| other.colour == kind.colour && other.diameter_mm == kind.diameter_mm)
            {
                kind.colour.0[2] ^= 1;
            }
        }
    }
}

/// Larger pieces are higher, as a rule: a power of the diameter.
const HEIGHT_FOLLOWS: f64 = 1.0;

/// How the template's colours would look in the light of the photo: as much darker and redder as its wood is.
pub(super) fn expected_colours(template: &Board, wood: Lab) -> Vec<Lab> {
    use super::plane::lab_of;
    let shift = wood - lab_of(template.surface.colour);
    let part = 0.5;
    template.pieces.iter().map(|kind| lab_of(kind.colour) + shift * part).collect()
}
