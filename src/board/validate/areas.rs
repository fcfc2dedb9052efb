//! Areas: simple outlines on the board, apart from each other, with paint or the board's border
//! along every side.

use super::super::faults::FaultList;
use super::super::form::*;
use super::super::*;
use super::Rectangle;
use crate::geometry::Vector;

/// More corners than any real area has; keeps the pairwise checks short.
const MOST_CORNERS: usize = 64;
/// Outlines are typed to the millimetre or better; what is closer together is the same place.
const SAME_PLACE_MM: f64 = 0.05;
/// How far apart a side is looked at for paint.
const STEP_MM: f64 = 2.0;

pub(super) fn check(form: &BoardForm, surface: &Rectangle, paint_is_sound: bool, faults: &FaultList) {
    let mut sound = Vec::new();
    for area in &form.areas {
        let before = outline_faults(&area.outline.value, surface);
        for what in &before {
            faults.add(area.outline.line, format!("{}{what}", area.called));
        }
        if before.is_empty() {
            sound.push(area);
        }
        cleared_line(area, form, faults);
    }
    overlaps(&sound, surface, faults);
    if paint_is_sound {
        for area in sound {
            closed(area, form, surface, faults);
        }
    }
}

fn outline_faults(corners: &[Point], surface: &Rectangle) -> Vec<String> {
    let mut faults = Vec::new();
    let count = corners.len();
    if !(3..=MOST_CORNERS).contains(&count) {
        faults.push(format!("polygon has {count} corners, expected 3 to {MOST_CORNERS}"));
        return faults;
    }
    for p in corners.iter().filter(|p| !surface.contains(**p)) {
        faults.push(format!("corner [{}, {}] is off the surface, expected {}", p.x, p.y, surface.range()));
    }
    for (i, p) in corners.iter().enumerate() {
        let next = (i + 1) % count;
        if (corners[next] - p).norm() > SAME_PLACE_MM {
            continue;
        }
        faults.push(if next == 0 {
            "the last corner repeats the first, expected it left out: an area closes by itself".to_owned()
        } else {
            format!("corner [{}, {}] stands there twice, expected it once", p.x, p.y)
        });
    }
    if faults.is_empty() {
        let polygon = Polygon::new(corners.to_vec());
        if crosses_itself(&polygon) {
            faults
                .push("the outline crosses or touches itself, expected corners in order round it".to_owned());
        } else if polygon.area_mm2() < SAME_PLACE_MM {
            faults.push("polygon encloses nothing, expected corners that are not all in one line".to_owned());
        }
    }
    faults
}

fn crosses_itself(polygon: &Polygon) -> bool {
    let sides: Vec<_> = polygon.sides().collect();
    let count = sides.len();
    let folds_back = (0..count).any(|i| {
        let (a, b) = sides[i];
        let (_, c) = sides[(i + 1) % count];
        cross(b - a, c - b) == 0.0 && (b - a).dot(&(c - b)) < 0.0
    });
    let meets = (0..count).any(|i| {
        // Neighbours share a corner; every other pair must stay apart.
        (i + 2..count).filter(|j| !(i == 0 && *j == count - 1)).any(|j| segments_meet(sides[i], sides[j]))
    });
    folds_back || meets
}

fn cross(a: Vector, b: Vector) -> f64 {
    a.x * b.y - a.y * b.x
}

fn segments_meet((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    if segments_cross((a, b), (c, d)) {
        return true;
    }
    let touches = |p: Point, from: Point, to: Point| {
        (p - crate::geometry::nearest_on_segment(p, from, to)).norm() <= SAME_PLACE_MM
    };
    touches(a, c, d) || touches(b, c, d) || touches(c, a, b) || touches(d, a, b)
}

/// Whether each segment has the other's ends strictly on its two sides.
fn segments_cross((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let apart = |from: Point, to: Point, p: Point, q: Point| {
        let along = to - from;
        let length = along.norm();
        let (s, t) = (cross(along, p - from) / length, cross(along, q - from) / length);
        (s > SAME_PLACE_MM && t < -SAME_PLACE_MM) || (s < -SAME_PLACE_MM && t > SAME_PLACE_MM)
    };
    apart(a, b, c, d) && apart(c, d, a, b)
}

fn cleared_line(area: &AreaForm, form: &BoardForm, faults: &FaultList) {
    let Some(clears) = &area.clears else { return };
    let wanted = &clears.value.0;
    let there = |mark: &MarkForm| mark.name.value.0 == *wanted && area.ends.within(mark.ends);
    if form.marks_complete && !form.marks.iter().any(there) {
        faults.add(
            clears.line,
            format!("{}clears is {wanted:?}, expected the name of a line at the same end", area.called),
        );
    }
}

/// A piece in two areas would score twice.
fn overlaps(areas: &[&AreaForm], surface: &Rectangle, faults: &FaultList) {
    let middle_y = surface.middle_y();
    for (index, area) in areas.iter().enumerate() {
        let overlapped = areas[..index].iter().find(|other| {
            area.polygons(middle_y).any(|(_, a)| other.polygons(middle_y).any(|(_, b)| overlap(&a, &b)))
        });
        if let Some(other) = overlapped {
            let name = &other.name.value.0;
            faults.add(
                area.outline.line,
                format!("{}it overlaps area {name:?}, expected them apart", area.called),
            );
        }
    }
    for area in areas.iter().filter(|area| area.ends == Ends::Mirrored) {
        let polygon = Polygon::new(area.outline.value.clone());
        if overlap(&polygon, &polygon.mirrored_y(middle_y)) {
            faults.add(
                area.outline.line,
                format!("{}it overlaps its mirror image, expected it within one half", area.called),
            );
        }
    }
}

/// Exact for outlines whose corners or sides' middles show the overlap, as areas' do.
fn overlap(a: &Polygon, b: &Polygon) -> bool {
    let inside = |of: &Polygon, p: Point| of.signed_distance_mm(p) < -SAME_PLACE_MM;
    let shows = |a: &Polygon, b: &Polygon| {
        a.sides().any(|(p, q)| inside(b, p) || inside(b, nalgebra::center(&p, &q)))
            || (inner_point(a).is_some_and(|p| inside(b, p)))
    };
    let cross = || a.sides().any(|side| b.sides().any(|other| segments_cross(side, other)));
    shows(a, b) || shows(b, a) || cross()
}

/// Some point well inside a polygon: the middle of a corner's triangle that lies within it.
fn inner_point(polygon: &Polygon) -> Option<Point> {
    let corners = polygon.vertices();
    let count = corners.len();
    (0..count)
        .map(|i| {
            let [a, b, c] = [corners[i], corners[(i + 1) % count], corners[(i + 2) % count]];
            Point::from((a.coords + b.coords + c.coords) / 3.0)
        })
        .find(|p| polygon.signed_distance_mm(*p) < -SAME_PLACE_MM)
}

/// Along every side there must be paint or the board's border: else a piece could leave the area
/// without touching anything, most likely because line and area were typed differently.
fn closed(area: &AreaForm, form: &BoardForm, surface: &Rectangle, faults: &FaultList) {
    let middle_y = surface.middle_y();
    for (end, polygon) in area.polygons(middle_y) {
        let paints: Vec<Paint> = form
            .marks
            .iter()
            .flat_map(|mark| mark.paints(middle_y))
            .filter(|(at, _)| end.is_none() || at.is_none() || *at == end)
            .map(|(_, paint)| paint)
            .collect();
        let covered = |p: Point| {
            let to_border = p.x.min(p.y).min(surface.width_mm - p.x).min(surface.length_mm - p.y);
            to_border <= SAME_PLACE_MM
                || paints.iter().any(|paint| paint.signed_distance_mm(p) <= SAME_PLACE_MM)
        };
        for (from, to) in polygon.sides() {
            let steps = ((to - from).norm() / STEP_MM).ceil().max(1.0) as usize;
            let gap =
                (0..=steps).map(|i| from + (to - from) * (i as f64 / steps as f64)).find(|p| !covered(*p));
            if let Some(p) = gap {
                let end = end.map_or("", |end| if end == End::Near { " (near end)" } else { "" });
                faults.add(
                    area.outline.line,
                    format!(
                        "{}the area is not closed: its side from [{}, {}] to [{}, {}]{end} has no paint at \
                         [{:.1}, {:.1}], expected a line along it",
                        area.called, from.x, from.y, to.x, to.y, p.x, p.y
                    ),
                );
                // One open side tells what is wrong; its mirror image would say it again.
                return;
            }
        }
    }
}
