//! Writes a board as a board file that a person likes to read.
//!
//! In: a [`Board`] and what is to be said beside its parts. Out: TOML in the order of the shipped files. What lies
//! at both ends and mirrors itself is written once, `mirrored = true`; lengths have at most two decimals.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use super::*;

/// Two places that are written alike: lengths have two decimals.
const SAME_MM: f64 = 0.01;
/// The same of angles.
const SAME_DEG: f64 = 0.01;

/// What is said in comments.
#[derive(Debug, Clone, Default)]
pub struct BoardNotes {
    /// At the top, a line each.
    pub head: Vec<String>,
    /// Above `[surface]`, `[[rails]]`, `[[gutters]]` and other lists, by the list's name.
    pub of_part: BTreeMap<String, String>,
    /// Above a line, circle, arc, print or piece, by its name.
    pub of_named: BTreeMap<String, String>,
}

const ORIGIN: [&str; 2] = [
    "All lengths in millimetres. Origin: near left corner as the first player stands; x right, y away.",
    "A line's coordinates are those of the middle of its paint; a circle's diameter is measured to the middle of its ring.",
];
const MIRRORED: [&str; 2] = [
    "`mirrored = true`: the same again at the other end, mirrored about the middle of the board's length.",
    "Numerals and prints stand there turned half round, as a player at that end reads them.",
];

impl Board {
    /// The board as the text of a board file. Read again, it is this board up to the rounding of lengths.
    pub fn to_toml(&self, notes: &BoardNotes) -> String {
        let mut writer = Writer { text: String::new(), notes, middle: self.middle() };
        writer.head(self);
        writer.surface(self);
        writer.sides(self);
        for pocket in &self.pockets {
            writer.table("[[pockets]]", None);
            writer.field("centre", place(pocket.centre));
            writer.field("diameter_mm", length(2.0 * pocket.radius_mm));
        }
        writer.marks(self);
        writer.areas(self);
        writer.pieces(self);
        writer.numerals(self);
        writer.prints(self);
        for tag in &self.tags {
            writer.table("[[tags]]", None);
            writer.field("family", quoted(&tag.family));
            writer.field("id", tag.id);
            writer.field("centre", place(tag.centre));
            writer.field("size_mm", length(tag.size_mm));
            writer.field("angle_deg", degrees(tag.angle_deg));
        }
        writer.text
    }

    fn middle(&self) -> Point {
        Point::new(self.surface.width_mm / 2.0, self.surface.length_mm / 2.0)
    }
}

struct Writer<'a> {
    text: String,
    notes: &'a BoardNotes,
    /// Of the surface.
    middle: Point,
}

impl Writer<'_> {
    fn comment(&mut self, words: &str) {
        for line in words.lines() {
            let _ = writeln!(self.text, "# {line}");
        }
    }

    /// Begins a table, with what is said of it above.
    fn table(&mut self, head: &str, name: Option<&str>) {
        let notes = self.notes;
        self.text.push('\n');
        let part = notes.of_part.get(head.trim_matches(['[', ']']));
        if let Some(words) = part.filter(|_| !self.text.contains(&format!("\n{head}\n"))) {
            self.comment(words);
        }
        if let Some(words) = name.and_then(|name| notes.of_named.get(name)) {
            self.comment(words);
        }
        let _ = writeln!(self.text, "{head}");
    }

    fn field(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.text, "{name} = {value}");
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            self.field(name, true);
        }
    }

    fn optional(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.field(name, value);
        }
    }

    fn head(&mut self, board: &Board) {
        for line in &self.notes.head {
            self.comment(line);
        }
        ORIGIN.iter().for_each(|line| self.comment(line));
        if board.is_two_ended() {
            MIRRORED.iter().for_each(|line| self.comment(line));
        }
        self.field("id", quoted(&board.id));
        self.field("name", quoted(&board.name));
        self.field("games", list(board.games.iter().map(quoted)));
        if board.accuracy_mm > 0.0 {
            self.field("accuracy_mm", length(board.accuracy_mm));
        }
        if board.tolerance_mm > 0.0 {
            self.field("tolerance_mm", length(board.tolerance_mm));
        }
    }

    fn surface(&mut self, board: &Board) {
        let surface = &board.surface;
        self.table("[surface]", None);
        self.field("width_mm", length(surface.width_mm));
        self.field("length_mm", length(surface.length_mm));
        self.field("ends", word(surface.ends));
        self.field("colour", quoted(surface.colour));
        self.optional("unseen", surface.unseen.map(word));
    }

    /// Rails and gutters; neighbours in the list that are alike are one table.
    fn sides(&mut self, board: &Board) {
        let alike = |a: &Rail, b: &Rail| *a == Rail { side: a.side, ..b.clone() };
        for rails in board.rails.chunk_by(alike) {
            self.table("[[rails]]", None);
            self.field("sides", list(rails.iter().map(|rail| word(rail.side))));
            self.field("width_mm", length(rails[0].width_mm));
            self.field("height_mm", length(rails[0].height_mm));
            self.optional("rounding_mm", rails[0].rounding_mm.map(length));
            if rails[0].other_colours.is_empty() {
                self.field("colour", quoted(rails[0].colour));
            } else {
                self.field("colours", list(rails[0].colours().map(quoted)));
            }
        }
        let alike = |a: &Gutter, b: &Gutter| *a == Gutter { side: a.side, ..*b };
        for gutters in board.gutters.chunk_by(alike) {
            self.table("[[gutters]]", None);
            self.field("sides", list(gutters.iter().map(|gutter| word(gutter.side))));
            self.field("width_mm", length(gutters[0].width_mm));
            self.field("depth_mm", length(gutters[0].depth_mm));
            self.field("colour", quoted(gutters[0].colour));
        }
    }

    fn marks(&mut self, board: &Board) {
        let is_stroke = |line: &&Line| matches!(line.paint, Paint::Stroke { .. });
        let is_arc = |line: &&Line| matches!(line.paint, Paint::Arc { .. });
        let (strokes, round): (Vec<&Line>, Vec<&Line>) = board.lines.iter().partition(is_stroke);
        let (arcs, circles): (Vec<&Line>, Vec<&Line>) = round.into_iter().partition(is_arc);
        for (head, marks) in [("[[lines]]", strokes), ("[[circles]]", circles), ("[[arcs]]", arcs)] {
            let axis_y_mm = self.middle.y;
            for (line, mirrored) in once_of_pairs(marks, |a, b| mirror(a, b, axis_y_mm)) {
                self.table(head, Some(&line.name));
                self.mark(line, mirrored);
            }
        }
    }

    fn mark(&mut self, line: &Line, mirrored: bool) {
        self.field("name", quoted(&line.name));
        self.field("role", word(line.role));
        self.optional("base", line.base.map(word));
        match line.paint {
            Paint::Stroke { from, to, width_mm } => {
                self.field("from", place(from));
                self.field("to", place(to));
                self.field("width_mm", length(width_mm));
            }
            Paint::Ring { centre, radius_mm, width_mm } => {
                self.field("centre", place(centre));
                self.field("diameter_mm", length(2.0 * radius_mm));
                self.field("width_mm", length(width_mm));
            }
            Paint::Spot { centre, radius_mm } => {
                self.field("centre", place(centre));
                self.field("diameter_mm", length(2.0 * radius_mm));
            }
            Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
                self.field("centre", place(centre));
                self.field("diameter_mm", length(2.0 * radius_mm));
                self.field("width_mm", length(width_mm));
                self.field("from_deg", degrees(start_rad.to_degrees().rem_euclid(360.0)));
                self.field("sweep_deg", degrees(sweep_rad.to_degrees()));
            }
        }
        self.flag("mirrored", mirrored);
        self.optional("end", line.end.filter(|_| !mirrored).map(word));
        self.flag("optional", line.optional);
        self.optional("accuracy_mm", line.accuracy_mm.map(length));
        self.field("colour", quoted(line.colour));
        self.optional("fill", line.fill.map(quoted));
    }

    fn areas(&mut self, board: &Board) {
        let axis_y_mm = self.middle.y;
        let is_mirror = |a: &Area, b: &Area| {
            a.end == Some(End::Far)
                && b.end == Some(End::Near)
                && (&a.name, a.value, &a.clears) == (&b.name, b.value, &b.clears)
                && same_outline(&a.polygon.mirrored_y(axis_y_mm), &b.polygon)
        };
        for (area, mirrored) in once_of_pairs(board.areas.iter().collect(), is_mirror) {
            self.table("[[areas]]", None);
            self.field("name", quoted(&area.name));
            self.field("value", area.value);
            self.field("polygon", list(area.polygon.vertices().iter().map(|p| place(*p))));
            self.flag("mirrored", mirrored);
            self.optional("end", area.end.filter(|_| !mirrored).map(word));
            self.optional("clears", area.clears.as_ref().map(quoted));
        }
        if let Some(hanging) = &board.hanging {
            self.table("[hanging]", None);
            self.field("area", quoted(&hanging.area));
            self.field("value", hanging.value);
        }
    }

    fn pieces(&mut self, board: &Board) {
        for kind in &board.pieces {
            self.table("[[pieces]]", Some(&kind.name));
            self.field("name", quoted(&kind.name));
            self.field("diameter_mm", length(kind.diameter_mm));
            self.optional("accuracy_mm", kind.accuracy_mm.map(length));
            self.field("height_mm", length(kind.height_mm));
            self.field("count", kind.count);
            self.field("colour", quoted(kind.colour));
            self.field("rim_mm", length(kind.rim_mm));
            let (make, cap_mm) = match kind.make {
                Make::Any => ("any", None),
                Make::Plain => ("plain", None),
                Make::Groove => ("groove", None),
                Make::Cap { diameter_mm } => ("cap", diameter_mm),
            };
            self.field("make", quoted(make));
            self.optional("cap_diameter_mm", cap_mm.map(length));
            self.flag("shooter", kind.shooter);
        }
    }

    fn numerals(&mut self, board: &Board) {
        let middle = self.middle;
        // The turned one stands before the one that the file gives.
        let is_turned = |turned: &Numeral, given: &Numeral| {
            let turn = (turned.angle_deg - given.angle_deg - 180.0).rem_euclid(360.0);
            turn.min(360.0 - turn) < SAME_DEG
                && same_place(turned.centre, Point::from(2.0 * middle.coords - given.centre.coords))
                && *given == Numeral { centre: given.centre, angle_deg: given.angle_deg, ..turned.clone() }
        };
        let reversed = board.numerals.iter().rev().collect();
        let mut written = once_of_pairs(reversed, |given, turned| is_turned(turned, given));
        written.reverse();
        for (numeral, mirrored) in written {
            self.table("[[numerals]]", None);
            self.field("text", quoted(&numeral.text));
            self.field("centre", place(numeral.centre));
            self.field("height_mm", length(numeral.height_mm));
            self.field("angle_deg", degrees(numeral.angle_deg));
            self.field("colour", quoted(numeral.colour));
            self.flag("optional", numeral.optional);
            self.flag("mirrored", mirrored);
        }
    }

    fn prints(&mut self, board: &Board) {
        let middle = self.middle;
        let is_turned = |given: &Print, turned: &Print| {
            same_region(&given.region.turned_about(middle), &turned.region)
                && *given == Print { region: given.region.clone(), ..turned.clone() }
        };
        for (print, mirrored) in once_of_pairs(board.prints.iter().collect(), is_turned) {
            self.table("[[prints]]", Some(&print.name));
            self.field("name", quoted(&print.name));
            match &print.region {
                PrintRegion::Disc { centre, radius_mm } => {
                    self.field("centre", place(*centre));
                    self.field("diameter_mm", length(2.0 * radius_mm));
                }
                PrintRegion::Polygon(polygon) => {
                    self.field("polygon", list(polygon.vertices().iter().map(|p| place(*p))));
                }
            }
            self.field("colours", list(print.colours.iter().map(quoted)));
            if !print.optional {
                self.field("optional", false);
            }
            self.flag("mirrored", mirrored);
        }
    }
}

/// Each thing once: of two that mirror each other the first, and whether there is a second.
fn once_of_pairs<T>(all: Vec<&T>, is_pair: impl Fn(&T, &T) -> bool) -> Vec<(&T, bool)> {
    let mut left = all;
    let mut once = Vec::new();
    while !left.is_empty() {
        let first = left.remove(0);
        let second = left.iter().position(|other| is_pair(first, other));
        if let Some(second) = second {
            left.remove(second);
        }
        once.push((first, second.is_some()));
    }
    once
}

/// Whether `near` is what `mirrored = true` would make of `far`.
pub(super) fn mirror(far: &Line, near: &Line, axis_y_mm: f64) -> bool {
    let rest_is_the_same = *far == Line { end: far.end, paint: far.paint, ..near.clone() };
    let ends = far.end == Some(End::Far) && near.end == Some(End::Near);
    ends && rest_is_the_same && same_paint(&far.paint.mirrored_y(axis_y_mm), &near.paint)
}

fn same_paint(a: &Paint, b: &Paint) -> bool {
    let same = |a: f64, b: f64| (a - b).abs() < SAME_MM;
    match (*a, *b) {
        (Paint::Stroke { from, to, width_mm }, Paint::Stroke { from: c, to: d, width_mm: w }) => {
            same_place(from, c) && same_place(to, d) && same(width_mm, w)
        }
        (
            Paint::Ring { centre, radius_mm, width_mm },
            Paint::Ring { centre: c, radius_mm: r, width_mm: w },
        ) => same_place(centre, c) && same(radius_mm, r) && same(width_mm, w),
        (Paint::Spot { centre, radius_mm }, Paint::Spot { centre: c, radius_mm: r }) => {
            same_place(centre, c) && same(radius_mm, r)
        }
        (
            Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad },
            Paint::Arc { centre: c, radius_mm: r, width_mm: w, start_rad: s, sweep_rad: t },
        ) => {
            let turn = (start_rad - s).to_degrees().rem_euclid(360.0);
            let sweep = (sweep_rad - t).to_degrees().abs();
            same_place(centre, c)
                && same(radius_mm, r)
                && same(width_mm, w)
                && turn.min(360.0 - turn).max(sweep) < SAME_DEG
        }
        _ => false,
    }
}

fn same_place(a: Point, b: Point) -> bool {
    (a - b).norm() < SAME_MM
}

fn same_outline(a: &Polygon, b: &Polygon) -> bool {
    let (a, b) = (a.vertices(), b.vertices());
    a.len() == b.len() && a.iter().zip(b).all(|(p, q)| same_place(*p, *q))
}

fn same_region(a: &PrintRegion, b: &PrintRegion) -> bool {
    match (a, b) {
        (PrintRegion::Disc { centre: c, radius_mm: r }, PrintRegion::Disc { centre: d, radius_mm: s }) => {
            same_place(*c, *d) && (r - s).abs() < SAME_MM
        }
        (PrintRegion::Polygon(a), PrintRegion::Polygon(b)) => same_outline(a, b),
        _ => false,
    }
}

/// At most two decimals, and no more than it needs.
fn length(mm: f64) -> String {
    let text = format!("{mm:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn degrees(degrees: f64) -> String {
    length(degrees)
}

fn place(p: Point) -> String {
    format!("[{}, {}]", length(p.x), length(p.y))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn quoted(text: impl Display) -> String {
    toml::Value::String(text.to_string()).to_string()
}

/// The word that files have for one of several kinds.
fn word(kind: impl Serialize) -> String {
    toml::Value::try_from(kind).map(|word| word.to_string()).unwrap_or_default()
}
