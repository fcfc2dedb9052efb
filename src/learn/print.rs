//! What the template prints, as the picture shows it.
//!
//! In: the rectified surface and a board of its size. Out: for each line of the board what is seen of it.

use super::{
    LearnOptions,
    circles::{Around, circle_near, ring_darkness},
    lines::{Reach, Sought, Warp, match_lines},
    plane::Plane,
};
use crate::{
    board::{Board, Line},
    geometry::{Paint, Point},
    outline::Lab,
};

/// A printed part as it is seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub paint: Paint,
    /// How plain it is: the more, the more it counts.
    pub clearness: f64,
    pub colour: Option<Lab>,
    /// Inside a circle.
    pub fill: Option<Lab>,
}

/// What is seen of each line of `board`.
pub(super) fn look(plane: &Plane, board: &Board, reach: Reach, options: &LearnOptions) -> Vec<Sought<Seen>> {
    let (strokes, warp) = match_lines(plane, board, reach, options);
    let each = board.lines.iter().zip(strokes).map(|(line, stroke)| match (line.paint, stroke) {
        (Paint::Stroke { .. }, Sought::Found(stroke)) => Sought::Found(Seen {
            paint: Paint::Stroke { from: stroke.from, to: stroke.to, width_mm: stroke.width_mm },
            clearness: stroke.clearness,
            colour: Some(stroke.colour),
            fill: None,
        }),
        (Paint::Stroke { .. }, Sought::Missing) => Sought::Missing,
        (Paint::Stroke { .. }, Sought::NotInView) => Sought::NotInView,
        _ => circle(plane, board, line, &warp, reach, options),
    });
    each.collect()
}

fn circle(
    plane: &Plane,
    board: &Board,
    line: &Line,
    warp: &Warp,
    reach: Reach,
    options: &LearnOptions,
) -> Sought<Seen> {
    let (Paint::Ring { centre, radius_mm, .. }
    | Paint::Spot { centre, radius_mm }
    | Paint::Arc { centre, radius_mm, .. }) = line.paint
    else {
        return Sought::NotInView;
    };
    let centre = warp.place(centre);
    if plane.at(centre).is_none() {
        return Sought::NotInView;
    }
    let [least, most] = match reach {
        Reach::Wide => options.radius_range,
        Reach::Known | Reach::Near => [0.85, 1.15],
    };
    let around = Around {
        centre,
        reach_mm: reach.share(options) * board.surface.width_mm,
        radii_mm: [least * radius_mm, most * radius_mm],
    };
    let Some(found) = circle_near(plane, &around) else { return Sought::NotInView };
    if found.strength < options.least_circle {
        return Sought::Missing;
    }
    let (radius_mm, paint_colour) = ring_of(plane, found.centre, found.radius_mm, line, options);
    let paint = match line.paint {
        Paint::Ring { width_mm, .. } => Paint::Ring { centre: found.centre, radius_mm, width_mm },
        Paint::Arc { width_mm, start_rad, sweep_rad, .. } => {
            Paint::Arc { centre: found.centre, radius_mm, width_mm, start_rad, sweep_rad }
        }
        _ => Paint::Spot { centre: found.centre, radius_mm: found.radius_mm },
    };
    Sought::Found(Seen { paint, clearness: found.strength, colour: paint_colour, fill: Some(found.inside) })
}

/// Radius and colour of the ring nearest to a step of colour: a ring has a step at either edge.
fn ring_of(
    plane: &Plane,
    centre: Point,
    radius_mm: f64,
    line: &Line,
    options: &LearnOptions,
) -> (f64, Option<Lab>) {
    let gap_mm = options.line_gaps_mm[0];
    let width_mm = line.paint.width_mm().min(2.0 * gap_mm);
    let step_mm = plane.cell_mm / 2.0;
    let count = ((1.5 * width_mm.max(gap_mm)) / step_mm).ceil() as i64;
    let radii = (-count..=count).map(|i| radius_mm + i as f64 * step_mm).filter(|r| *r > gap_mm);
    let darkest = radii
        .filter_map(|r| Some((ring_darkness(plane, centre, r, gap_mm)?, r)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match darkest.filter(|(darkness, _)| *darkness > options.least_line) {
        Some((_, ring_mm)) => {
            let colours: Vec<Lab> = (0..48)
                .filter_map(|i| {
                    let angle = std::f64::consts::TAU * f64::from(i) / 48.0;
                    plane.at(centre + crate::geometry::Vector::new(angle.cos(), angle.sin()) * ring_mm)
                })
                .collect();
            (ring_mm, super::plane::median_colour(&colours))
        }
        None => (radius_mm, None),
    }
}
