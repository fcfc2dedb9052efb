//! Where on the board paint is looked for.
//!
//! In: a board and the spacing that the picture's scale asks for. Out: [`Station`]s, places on the
//! middle of a painted line that are far enough from other paint, pockets, tags and the border
//! for the profile across the line to show that line alone.

use std::f64::consts::{PI, TAU};

use crate::{
    board::{Board, Colour, Line},
    capture::srgb,
    geometry::{Paint, Point, Vector, nearest_on_segment},
};

/// How many numbers describe how a line's paint lies beside its drawing, at most.
pub(super) const MAX_OFFSETS: usize = 3;

/// A place on the middle of a painted line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Station {
    /// Index of the line in the board.
    pub line: usize,
    pub middle: Point,
    /// Unit direction across the paint.
    pub normal: Vector,
    pub width_mm: f64,
    /// How each of the line's own offsets (see [`offsets_of`]) moves the paint here, along the
    /// normal.
    pub offset_basis: [f64; MAX_OFFSETS],
}

/// How many numbers describe how this line's paint lies beside its drawing: a stroke shifts at
/// either end, a ring shifts in x and y and in radius, a spot shifts in x and y.
pub(super) fn offsets_of(paint: &Paint) -> usize {
    match paint {
        Paint::Stroke { .. } | Paint::Spot { .. } => 2,
        Paint::Ring { .. } | Paint::Arc { .. } => 3,
    }
}

/// Stations every `spacing_mm` along all lines, at least `clearance_mm` of bare surface beside
/// the paint on both sides. Paint that may be missing takes no station away: where it is there, it spoils few of them, and
/// those do not agree with the others.
pub(super) fn stations(board: &Board, spacing_mm: f64, clearance_mm: f64) -> Vec<Station> {
    let mut all = Vec::new();
    // Nothing rests on paint that may not be there.
    for (index, line) in board.lines.iter().enumerate().filter(|(_, line)| !line.optional) {
        let along_line = match line.paint {
            Paint::Stroke { from, to, width_mm } => stroke_stations(index, from, to, width_mm, spacing_mm),
            Paint::Ring { centre, radius_mm, width_mm } => {
                arc_stations(index, centre, radius_mm, width_mm, (0.0, TAU), spacing_mm)
            }
            Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
                arc_stations(index, centre, radius_mm, width_mm, (start_rad, sweep_rad), spacing_mm)
            }
            Paint::Spot { centre, radius_mm } => spot_stations(index, centre, radius_mm, spacing_mm),
        };
        all.extend(along_line.into_iter().filter(|station| is_clear(board, station, clearance_mm)));
    }
    all
}

/// Distance between the middles of a straight line and of the nearest one that runs beside it; infinite
/// without one, and for what is not straight.
pub(super) fn nearest_parallel_mm(board: &Board, line: usize) -> f64 {
    let Paint::Stroke { from, to, .. } = board.lines[line].paint else { return f64::INFINITY };
    let Some(along) = (to - from).try_normalize(f64::MIN_POSITIVE) else { return f64::INFINITY };
    let middle = nalgebra::center(&from, &to);
    let apart = |other: &Paint| match *other {
        Paint::Stroke { from, to, .. } => {
            let runs_along =
                (to - from).try_normalize(f64::MIN_POSITIVE).is_some_and(|o| o.dot(&along).abs() > PARALLEL);
            let nearest = nearest_on_segment(middle, from, to);
            let is_beside = (nearest - middle).dot(&along).abs() < SAME_PLACE_MM;
            (runs_along && is_beside).then(|| (nearest - middle).norm())
        }
        _ => None,
    };
    let others = board.lines.iter().enumerate().filter(|(i, _)| *i != line);
    others.filter_map(|(_, other)| apart(&other.paint)).fold(f64::INFINITY, f64::min)
}

/// Cosine of the angle up to which two lines are parallel, and how far along one of them the other's
/// nearest point may lie.
const PARALLEL: f64 = 0.99;
const SAME_PLACE_MM: f64 = 1.0;

fn stroke_stations(line: usize, from: Point, to: Point, width_mm: f64, spacing_mm: f64) -> Vec<Station> {
    let length_mm = (to - from).norm();
    let Some(along) = (to - from).try_normalize(f64::MIN_POSITIVE) else { return Vec::new() };
    let normal = Vector::new(-along.y, along.x);
    let count = (length_mm / spacing_mm).floor() as usize;
    (0..count)
        .map(|i| {
            let share = (i as f64 + 0.5) / count as f64;
            Station {
                line,
                middle: from + along * (length_mm * share),
                normal,
                width_mm,
                offset_basis: [1.0 - share, share, 0.0],
            }
        })
        .collect()
}

fn arc_stations(
    line: usize,
    centre: Point,
    radius_mm: f64,
    width_mm: f64,
    (start_rad, sweep_rad): (f64, f64),
    spacing_mm: f64,
) -> Vec<Station> {
    let count = (radius_mm * sweep_rad / spacing_mm).floor() as usize;
    (0..count)
        .map(|i| {
            let angle = start_rad + sweep_rad * (i as f64 + 0.5) / count as f64;
            let normal = Vector::new(angle.cos(), angle.sin());
            Station {
                line,
                middle: centre + normal * radius_mm,
                normal,
                width_mm,
                offset_basis: [normal.x, normal.y, 1.0],
            }
        })
        .collect()
}

/// A spot is crossed through its centre in all directions: the middle of each chord is the centre.
fn spot_stations(line: usize, centre: Point, radius_mm: f64, spacing_mm: f64) -> Vec<Station> {
    let count = (radius_mm * PI / spacing_mm).floor() as usize;
    (0..count)
        .map(|i| {
            let angle = PI * (i as f64 + 0.5) / count as f64;
            let normal = Vector::new(angle.cos(), angle.sin());
            Station {
                line,
                middle: centre,
                normal,
                width_mm: 2.0 * radius_mm,
                offset_basis: [normal.x, normal.y, 0.0],
            }
        })
        .collect()
}

fn is_clear(board: &Board, station: &Station, clearance_mm: f64) -> bool {
    let p = station.middle;
    let reach_mm = station.width_mm / 2.0 + clearance_mm;
    let (width, length) = (board.surface.width_mm, board.surface.length_mm);
    let within_surface = [p.x, width - p.x, p.y, length - p.y].iter().all(|&d| d >= reach_mm);
    within_surface
        && board.lines.iter().enumerate().all(|(i, other)| {
            i == station.line || other.optional || other.paint.signed_distance_mm(p) >= reach_mm
        })
        && board.pockets.iter().all(|pocket| (p - pocket.centre).norm() - pocket.radius_mm >= reach_mm)
        && board.tags.iter().all(|tag| (p - tag.centre).norm() - tag.size_mm >= reach_mm)
}

/// Weights of the colour channels, in linear light, in which the surface is brighter than the
/// paint; they sum to one in absolute value.
pub(super) fn contrast_weights(surface: Colour, line: &Line) -> [f32; 3] {
    let difference: [f64; 3] =
        std::array::from_fn(|i| linear_light(surface.0[i]) - linear_light(line.colour.0[i]));
    let total: f64 = difference.iter().map(|d| d.abs()).sum();
    if total == 0.0 {
        return [0.0; 3];
    }
    difference.map(|d| (d / total) as f32)
}

pub(super) fn linear_light(value: u8) -> f64 {
    srgb::linear(f64::from(value) / 255.0)
}
