//! Whether the parts of a board file fit together: on the board, of one name only once, closed.
//!
//! In: a [`BoardForm`]. Out: faults. Every check runs on what could be read, and only there, so
//! that one mistake is not reported as several.

use std::collections::BTreeMap;

use super::faults::FaultList;
use super::form::*;
use super::table::At;
use super::values::MakeName;
use super::*;

mod areas;
mod sides;

/// Smallest and largest side of a playing surface: outside them the unit was most likely mistaken.
const SURFACE_SIDE_MM: std::ops::RangeInclusive<f64> = 50.0..=20_000.0;

/// The families of printed tags that can be found in a photo, with how many tags each has.
pub const TAG_FAMILIES: [(&str, u32); 9] = [
    ("aruco-4x4-50", 50),
    ("aruco-4x4-100", 100),
    ("aruco-4x4-250", 250),
    ("aruco-5x5-100", 100),
    ("aruco-6x6-250", 250),
    ("apriltag-16h5", 30),
    ("apriltag-25h9", 35),
    ("apriltag-36h10", 2320),
    ("apriltag-36h11", 587),
];

pub(super) fn validate(form: &BoardForm, faults: &FaultList) {
    games(form, faults);
    mark_names(form, faults);
    base_lines(form, faults);
    pieces(form, faults);
    tags(form, faults);
    if let Some(surface) = &form.surface {
        let sides_before = [&surface.width_mm, &surface.length_mm];
        let mut plausible = true;
        for (field, side) in ["width_mm", "length_mm"].iter().zip(sides_before) {
            if !SURFACE_SIDE_MM.contains(&side.value.0) {
                plausible = false;
                let (least, most) = (SURFACE_SIDE_MM.start(), SURFACE_SIDE_MM.end());
                let found = side.value.0;
                faults.add(side.line, format!("surface: {field} is {found}, expected {least} to {most} mm"));
            }
        }
        sides::check(form, surface, faults);
        hanging(form, surface, faults);
        if plausible {
            // Against a mistaken surface everything would lie outside it.
            let rectangle = Rectangle::of(surface);
            let faults_before = faults.len();
            marks(form, &rectangle, faults);
            let paint_is_sound = form.marks_complete && faults.len() == faults_before;
            areas::check(form, &rectangle, paint_is_sound, faults);
            pockets(form, &rectangle, faults);
            pieces_fit(form, &rectangle, faults);
            numerals(form, &rectangle, faults);
            prints(form, &rectangle, faults);
        }
    }
}

/// The playing surface.
struct Rectangle {
    width_mm: f64,
    length_mm: f64,
}

impl Rectangle {
    fn of(surface: &SurfaceForm) -> Self {
        Self { width_mm: surface.width_mm.value.0, length_mm: surface.length_mm.value.0 }
    }

    fn contains(&self, p: Point) -> bool {
        (0.0..=self.width_mm).contains(&p.x) && (0.0..=self.length_mm).contains(&p.y)
    }

    fn shorter_mm(&self) -> f64 {
        self.width_mm.min(self.length_mm)
    }

    fn middle_y(&self) -> f64 {
        self.length_mm / 2.0
    }

    /// How faults say where the surface is.
    fn range(&self) -> String {
        format!("x from 0 to {} and y from 0 to {}", self.width_mm, self.length_mm)
    }
}

/// Reports each name that was given before.
fn unique<'a>(names: impl Iterator<Item = (&'a str, usize, &'a str)>, faults: &FaultList) {
    let mut first_line = BTreeMap::new();
    for (name, line, called) in names {
        match first_line.get(name) {
            Some(first) => {
                faults.add(
                    line,
                    format!("{called}the name was given on line {first} already, expected another"),
                );
            }
            None => {
                first_line.insert(name, line);
            }
        }
    }
}

fn games(form: &BoardForm, faults: &FaultList) {
    let Some(At { line, value }) = &form.games else { return };
    let mut seen = Vec::new();
    for game in &value.0 {
        if seen.contains(&&game.0) {
            faults.add(*line, format!("games names {:?} twice, expected each game once", game.0));
        }
        seen.push(&game.0);
    }
}

/// A name may be given once for each end; what exists once is at both.
fn mark_names(form: &BoardForm, faults: &FaultList) {
    for end in [End::Far, End::Near] {
        let at_end = form.marks.iter().filter(|mark| mark.ends.includes(end));
        unique(at_end.map(|m| (m.name.value.0.as_str(), m.name.line, m.called.as_str())), faults);
        let at_end = form.areas.iter().filter(|area| area.ends.includes(end));
        unique(at_end.map(|a| (a.name.value.0.as_str(), a.name.line, a.called.as_str())), faults);
    }
}

fn base_lines(form: &BoardForm, faults: &FaultList) {
    for mark in &form.marks {
        let (role, called) = (mark.role.value, &mark.called);
        let straight = matches!(mark.paint, Paint::Stroke { .. });
        let of_base_line = match role {
            LineRole::BaseRear | LineRole::BaseFront | LineRole::Base | LineRole::Moon => true,
            LineRole::AreaBorder | LineRole::Foul | LineRole::Decoration => false,
        };
        match (&mark.base, of_base_line) {
            (None, true) => faults.add(
                mark.line,
                format!("{called}base is missing, expected the side whose base line it is part of"),
            ),
            (Some(base), false) => faults.add(
                base.line,
                format!("{called}base is for base lines and moons, expected none with this role"),
            ),
            _ => {}
        }
        let wrong_shape = match role {
            LineRole::Moon => straight,
            LineRole::BaseRear | LineRole::BaseFront | LineRole::Base | LineRole::Foul => !straight,
            LineRole::AreaBorder | LineRole::Decoration => false,
        };
        if wrong_shape {
            let list = if straight { "[[circles]]" } else { "[[lines]]" };
            faults.add(mark.role.line, format!("{called}a thing of this role belongs under {list}"));
        }
    }
    if form.marks_complete {
        base_lines_in_pairs(form, faults);
    }
}

/// A striker's placement is judged between a rear and a front line, so one alone is a mistake.
fn base_lines_in_pairs(form: &BoardForm, faults: &FaultList) {
    let on = |side: BoardSide, role: LineRole| {
        form.marks.iter().any(|m| m.role.value == role && m.base.as_ref().is_some_and(|b| b.value == side))
    };
    for mark in &form.marks {
        let Some(At { value: side, .. }) = mark.base else { continue };
        let (partner, word) = match mark.role.value {
            LineRole::BaseRear => (LineRole::BaseFront, "base-front"),
            LineRole::BaseFront => (LineRole::BaseRear, "base-rear"),
            _ => continue,
        };
        if !on(side, partner) {
            faults.add(
                mark.line,
                format!("{}its partner is missing, expected a {word} line on the same side", mark.called),
            );
        }
    }
}

fn marks(form: &BoardForm, surface: &Rectangle, faults: &FaultList) {
    for mark in &form.marks {
        let called = &mark.called;
        let mut inside = true;
        for (field, At { line, value: p }) in &mark.places {
            if !surface.contains(*p) {
                inside = false;
                let range = surface.range();
                faults.add(
                    *line,
                    format!("{called}{field} [{}, {}] is off the surface, expected {range}", p.x, p.y),
                );
            }
        }
        match mark.paint {
            Paint::Stroke { from, to, width_mm } => {
                if from == to {
                    faults.add(mark.line, format!("{called}from and to are the same, expected a length"));
                }
                if width_mm >= surface.shorter_mm() {
                    faults.add(
                        mark.size_line,
                        format!("{called}width_mm is {width_mm}, expected less than the board's own width"),
                    );
                }
            }
            Paint::Ring { centre, radius_mm, width_mm } => {
                if width_mm >= 2.0 * radius_mm {
                    faults.add(
                        mark.size_line,
                        format!(
                            "{called}width_mm is {width_mm}, expected less than the diameter {} (leave it \
                             out for a filled spot)",
                            2.0 * radius_mm
                        ),
                    );
                } else if inside {
                    circle_fits(mark, centre, radius_mm + width_mm / 2.0, surface, faults);
                }
            }
            Paint::Spot { centre, radius_mm } => {
                if let Some(fill) = &mark.fill {
                    faults.add(
                        fill.line,
                        format!("{called}fill is for rings, expected a width_mm too, or no fill"),
                    );
                }
                if inside {
                    circle_fits(mark, centre, radius_mm, surface, faults);
                }
            }
            Paint::Arc { radius_mm, width_mm, .. } => {
                if width_mm >= 2.0 * radius_mm {
                    faults.add(
                        mark.size_line,
                        format!(
                            "{called}width_mm is {width_mm}, expected less than the diameter {}",
                            2.0 * radius_mm
                        ),
                    );
                }
            }
        }
        let mirrored_onto_itself = mark.ends == Ends::Mirrored
            && same_paint(&mark.paint, &mark.paint.mirrored_y(surface.middle_y()));
        if mirrored_onto_itself {
            faults.add(
                mark.line,
                format!("{called}its mirror image is itself, expected no mirrored = true on the middle"),
            );
        }
    }
}

fn circle_fits(mark: &MarkForm, centre: Point, radius_mm: f64, surface: &Rectangle, faults: &FaultList) {
    let room_mm = [centre.x, centre.y, surface.width_mm - centre.x, surface.length_mm - centre.y]
        .into_iter()
        .fold(f64::INFINITY, f64::min);
    if radius_mm > room_mm {
        let called = &mark.called;
        faults.add(
            mark.size_line,
            format!("{called}the circle reaches over the surface's border, expected a smaller diameter_mm"),
        );
    }
}

fn same_paint(a: &Paint, b: &Paint) -> bool {
    match (a, b) {
        (Paint::Stroke { from, to, .. }, Paint::Stroke { from: c, to: d, .. }) => {
            (from == c && to == d) || (from == d && to == c)
        }
        _ => a == b,
    }
}

fn hanging(form: &BoardForm, surface: &SurfaceForm, faults: &FaultList) {
    let Some(hanging) = &form.hanging else { return };
    if surface.ends.value == EndKind::Frame {
        let what = "hanging: nothing hangs over these ends, expected ends = \"open\" or \"gutter\"";
        faults.add(hanging.line, what);
    }
    if form.areas.iter().any(|area| area.name.value.0 == hanging.area.value.0) {
        let name = &hanging.area.value.0;
        faults.add(
            hanging.area.line,
            format!("hanging: area {name:?} is an area on the board, expected another name"),
        );
    }
}

fn prints(form: &BoardForm, surface: &Rectangle, faults: &FaultList) {
    unique(form.prints.iter().map(|p| (p.name.value.0.as_str(), p.name.line, p.called.as_str())), faults);
    for print in &form.prints {
        let (At { line, value: region }, called) = (&print.region, &print.called);
        let corners = match region {
            PrintRegion::Disc { centre, .. } => vec![*centre],
            PrintRegion::Polygon(polygon) => polygon.vertices().to_vec(),
        };
        if matches!(region, PrintRegion::Polygon(_)) && corners.len() < 3 {
            let count = corners.len();
            faults.add(*line, format!("{called}polygon has {count} corners, expected 3 or more"));
        }
        if let Some(p) = corners.iter().find(|p| !surface.contains(**p)) {
            let range = surface.range();
            faults.add(*line, format!("{called}[{}, {}] is off the surface, expected {range}", p.x, p.y));
        }
    }
}

fn pockets(form: &BoardForm, surface: &Rectangle, faults: &FaultList) {
    for (index, pocket) in form.pockets.iter().enumerate() {
        let (centre, diameter_mm) = (pocket.centre.value, pocket.diameter_mm.value.0);
        let called = &pocket.called;
        if !surface.contains(centre) {
            let range = surface.range();
            faults.add(
                pocket.centre.line,
                format!("{called}centre [{}, {}] is off the surface, expected {range}", centre.x, centre.y),
            );
        }
        if diameter_mm > surface.shorter_mm() / 2.0 {
            faults.add(
                pocket.diameter_mm.line,
                format!("{called}diameter_mm is {diameter_mm}, expected at most half the board's width"),
            );
        }
        let overlaps = form.pockets[..index].iter().position(|other| {
            let apart_mm = (other.centre.value - centre).norm();
            apart_mm < (other.diameter_mm.value.0 + diameter_mm) / 2.0
        });
        if let Some(other) = overlaps {
            faults.add(
                pocket.centre.line,
                format!("{called}it overlaps pocket number {}, expected them apart", other + 1),
            );
        }
    }
}

fn pieces(form: &BoardForm, faults: &FaultList) {
    if !form.has_pieces {
        faults.add(1, "there are no pieces, expected at least one [[pieces]]");
    }
    unique(form.pieces.iter().map(|p| (p.name.value.0.as_str(), p.name.line, p.called.as_str())), faults);
    for (index, piece) in form.pieces.iter().enumerate() {
        let (diameter_mm, height_mm) = (piece.diameter_mm.value.0, piece.height_mm.value.0);
        let (rim_mm, called) = (piece.rim_mm.value.0, &piece.called);
        if height_mm > diameter_mm {
            faults.add(
                piece.height_mm.line,
                format!("{called}height_mm is {height_mm}, expected at most the diameter {diameter_mm}"),
            );
        }
        let most_mm = height_mm.min(diameter_mm / 2.0);
        if rim_mm > most_mm {
            faults.add(piece.rim_mm.line, format!("{called}rim_mm is {rim_mm}, expected at most {most_mm}"));
        }
        if let Some(cap) = &piece.cap_diameter_mm {
            if piece.make != MakeName::Cap {
                faults.add(cap.line, format!("{called}cap_diameter_mm is for caps, expected make = \"cap\""));
            }
            if cap.value.0 >= diameter_mm {
                let found = cap.value.0;
                faults.add(
                    cap.line,
                    format!("{called}cap_diameter_mm is {found}, expected less than {diameter_mm}"),
                );
            }
        }
        let twin = form.pieces[..index].iter().find(|other| {
            other.colour.value == piece.colour.value && other.diameter_mm.value.0 == diameter_mm
        });
        if let Some(twin) = twin {
            let name = &twin.name.value.0;
            faults.add(
                piece.colour.line,
                format!("{called}it cannot be told from {name:?}, expected another colour or diameter_mm"),
            );
        }
    }
}

fn pieces_fit(form: &BoardForm, surface: &Rectangle, faults: &FaultList) {
    for piece in &form.pieces {
        let diameter_mm = piece.diameter_mm.value.0;
        if diameter_mm >= surface.shorter_mm() {
            faults.add(
                piece.diameter_mm.line,
                format!(
                    "{}diameter_mm is {diameter_mm}, expected less than the board's {}",
                    piece.called,
                    surface.shorter_mm()
                ),
            );
        }
    }
}

fn numerals(form: &BoardForm, surface: &Rectangle, faults: &FaultList) {
    for numeral in &form.numerals {
        let At { line, value: p } = numeral.centre;
        if !surface.contains(p) {
            let range = surface.range();
            faults.add(
                line,
                format!("{}centre [{}, {}] is off the surface, expected {range}", numeral.called, p.x, p.y),
            );
        }
    }
}

fn tags(form: &BoardForm, faults: &FaultList) {
    for (index, tag) in form.tags.iter().enumerate() {
        let (family, id, called) = (&tag.family.value.0, tag.id.value.0, &tag.called);
        match TAG_FAMILIES.iter().find(|(name, _)| name == family) {
            None => {
                let known: Vec<_> = TAG_FAMILIES.iter().map(|(name, _)| *name).collect();
                faults.add(
                    tag.family.line,
                    format!("{called}family is {family:?}, expected one of {}", known.join(", ")),
                );
            }
            Some((_, count)) if id >= *count => {
                let last = count - 1;
                faults.add(
                    tag.id.line,
                    format!("{called}id is {id}, expected 0 to {last} in family {family:?}"),
                );
            }
            Some(_) => {}
        }
        let same = |other: &TagForm| other.family.value.0 == *family && other.id.value.0 == id;
        if form.tags[..index].iter().any(same) {
            faults.add(tag.id.line, format!("{called}id {id} was given before, expected each tag once"));
        }
    }
}
