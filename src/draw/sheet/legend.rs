//! The table beside the board: what each number is, and the pieces to scale.

use super::{DARK, FAINT, badge, measure, size};
use crate::board::{Board, BoardSide, End, Line, LineRole, Make, PieceKind, PrintRegion};
use crate::draw::{Ink, Style, Svg, TextStyle, text_width};
use crate::geometry::{Paint, Point};

const ROW: f64 = 21.0;
const HEAD: f64 = 34.0;
const COLUMN_GAP: f64 = 16.0;
/// Room for a line's number before its name.
const NAME_LEFT: f64 = 28.0;

/// One line of the table.
enum Row<'b> {
    Heading(String),
    /// A numbered line or circle.
    Line(usize, &'b Line),
    /// Name and explanation.
    Fact(String, String),
    Piece(&'b PieceKind),
}

pub(super) struct Legend<'b> {
    rows: Vec<Row<'b>>,
    px_per_mm: f64,
    name_width: f64,
}

impl<'b> Legend<'b> {
    pub(super) fn of(board: &'b Board, px_per_mm: f64) -> Self {
        let mut rows = Vec::new();
        surface(board, &mut rows);
        lines(board, &mut rows);
        prints(board, &mut rows);
        areas(board, &mut rows);
        pieces(board, &mut rows);
        let name_width = rows.iter().map(|row| text_width(row.name(), size::TEXT, true)).fold(0.0, f64::max);
        Self { rows, px_per_mm, name_width }
    }

    /// The number of a line in the table.
    pub(super) fn number_of(&self, name: &str) -> Option<usize> {
        self.rows.iter().find_map(|row| match row {
            Row::Line(number, line) if line.name == name => Some(*number),
            _ => None,
        })
    }

    pub(super) fn height(&self) -> f64 {
        self.rows.iter().map(|row| row.height(self.px_per_mm)).sum()
    }

    pub(super) fn width(&self) -> f64 {
        let explained = self
            .rows
            .iter()
            .map(|row| {
                let before = match row {
                    Row::Heading(words) => {
                        let beyond_names = NAME_LEFT + self.name_width + COLUMN_GAP;
                        return text_width(words, size::TEXT + 2.0, true) - beyond_names;
                    }
                    Row::Piece(kind) => piece_width(kind, self.px_per_mm),
                    Row::Line(..) | Row::Fact(..) => 0.0,
                };
                before + text_width(&row.explanation(), size::TEXT, false)
            })
            .fold(0.0, f64::max);
        NAME_LEFT + self.name_width + COLUMN_GAP + explained
    }

    pub(super) fn draw(&self, svg: &mut Svg, [left, top]: [f64; 2]) {
        let bold = TextStyle::new(size::TEXT).ink(DARK).bold();
        let plain = TextStyle::new(size::TEXT).ink(DARK);
        let name_left = left + NAME_LEFT;
        let text_left = name_left + self.name_width + COLUMN_GAP;
        let mut y = top;
        for row in &self.rows {
            let height = row.height(self.px_per_mm);
            let baseline = y + height / 2.0 + 4.5;
            match row {
                Row::Heading(words) => {
                    let style = TextStyle::new(size::TEXT + 2.0).ink(DARK).bold();
                    svg.text([left, y + height - 9.0], words, &style);
                    let underline = [[left, y + height - 3.0], [left + self.width(), y + height - 3.0]];
                    svg.line(underline[0], underline[1], &Style::stroked(FAINT.alpha(0.5), 0.8));
                }
                Row::Line(number, _) => {
                    badge(svg, [left + 10.0, y + height / 2.0], *number);
                    svg.text([name_left, baseline], row.name(), &bold);
                    svg.text([text_left, baseline], &row.explanation(), &plain);
                }
                Row::Fact(name, explanation) => {
                    svg.text([name_left, baseline], name, &bold);
                    svg.text([text_left, baseline], explanation, &plain);
                }
                Row::Piece(kind) => {
                    svg.text([name_left, baseline], row.name(), &bold);
                    piece(svg, kind, [text_left, y + height / 2.0], self.px_per_mm);
                    let after = text_left + piece_width(kind, self.px_per_mm);
                    svg.text([after, baseline], &row.explanation(), &plain);
                }
            }
            y += height;
        }
    }
}

impl Row<'_> {
    fn name(&self) -> &str {
        match self {
            Row::Heading(_) => "",
            Row::Line(_, line) => &line.name,
            Row::Fact(name, _) => name,
            Row::Piece(kind) => &kind.name,
        }
    }

    fn explanation(&self) -> String {
        match self {
            Row::Heading(_) => String::new(),
            Row::Line(_, line) => {
                let known = line.accuracy_mm.map(|mm| format!(", known to {}", measure(mm)));
                let optional = if line.optional { ", may be missing" } else { "" };
                let known = known.unwrap_or_default();
                format!("{}  ·  {}{optional}{known}", paint_words(&line.paint), role_words(line))
            }
            Row::Fact(_, explanation) => explanation.clone(),
            Row::Piece(kind) => piece_words(kind),
        }
    }

    fn height(&self, px_per_mm: f64) -> f64 {
        match self {
            Row::Heading(_) => HEAD,
            Row::Line(..) | Row::Fact(..) => ROW,
            Row::Piece(kind) => (kind.diameter_mm * px_per_mm + 8.0).max(ROW),
        }
    }
}

fn surface<'b>(board: &'b Board, rows: &mut Vec<Row<'b>>) {
    rows.push(Row::Heading("Surface".to_owned()));
    let (width, length) = (measure(board.surface.width_mm), measure(board.surface.length_mm));
    rows.push(Row::Fact("surface".to_owned(), format!("{width} wide, {length} long")));
    for rail in &board.rails {
        let size = format!("{} wide, {} high", measure(rail.width_mm), measure(rail.height_mm));
        rows.push(Row::Fact(format!("rail {}", side_word(rail.side)), size));
    }
    for gutter in &board.gutters {
        let size = format!("{} wide, {} deep", measure(gutter.width_mm), measure(gutter.depth_mm));
        rows.push(Row::Fact(format!("gutter {}", side_word(gutter.side)), size));
    }
    if board.surface.unseen.is_some() {
        rows.push(Row::Fact("length".to_owned(), "assumed: one end has not been seen".to_owned()));
    }
    if board.accuracy_mm > 0.0 {
        rows.push(Row::Fact("places".to_owned(), format!("known to {}", measure(board.accuracy_mm))));
    }
    for pocket in &board.pockets {
        let words = format!("⌀ {} at {}", measure(2.0 * pocket.radius_mm), place(pocket.centre));
        rows.push(Row::Fact("pocket".to_owned(), words));
    }
    for tag in &board.tags {
        let words = format!("{}, {} wide at {}", tag.family, measure(tag.size_mm), place(tag.centre));
        rows.push(Row::Fact(format!("tag {}", tag.id), words));
    }
}

fn lines<'b>(board: &'b Board, rows: &mut Vec<Row<'b>>) {
    if board.lines.is_empty() {
        return;
    }
    let heading = if board.is_two_ended() { "Lines (where mirrored: those at the far end)" } else { "Lines" };
    rows.push(Row::Heading(heading.to_owned()));
    let mut number = 0;
    for line in &board.lines {
        let twin_at_far_end = line.end == Some(End::Near)
            && board.lines.iter().any(|other| other.end == Some(End::Far) && other.name == line.name);
        if !twin_at_far_end {
            number += 1;
            rows.push(Row::Line(number, line));
        }
    }
}

fn prints<'b>(board: &'b Board, rows: &mut Vec<Row<'b>>) {
    if board.prints.is_empty() {
        return;
    }
    rows.push(Row::Heading("Print of any shape".to_owned()));
    let mut names: Vec<&str> = Vec::new();
    for print in &board.prints {
        if names.contains(&print.name.as_str()) {
            continue;
        }
        names.push(&print.name);
        let within = match &print.region {
            PrintRegion::Disc { centre, radius_mm } => {
                format!("within ⌀ {} at {}", measure(2.0 * radius_mm), place(*centre))
            }
            PrintRegion::Polygon(_) => {
                let (low, high) = print.region.bounds(0.0);
                format!("within {} to {}", place(low), place(high))
            }
        };
        let optional = if print.optional { "  ·  may be missing" } else { "" };
        rows.push(Row::Fact(print.name.clone(), format!("{within}{optional}")));
    }
}

fn areas<'b>(board: &'b Board, rows: &mut Vec<Row<'b>>) {
    let cleared: Vec<_> =
        board.areas.iter().filter(|area| area.end != Some(End::Near) && area.clears.is_some()).collect();
    if cleared.is_empty() && board.hanging.is_none() {
        return;
    }
    rows.push(Row::Heading("Areas".to_owned()));
    for area in cleared {
        let line = area.clears.as_deref().unwrap_or_default();
        let words = format!("{}, once clear of {line}", points(area.value));
        rows.push(Row::Fact(format!("area {}", area.name), words));
    }
    if let Some(hanging) = &board.hanging {
        rows.push(Row::Fact(hanging.area.clone(), format!("{}, over an end", points(hanging.value))));
    }
}

fn pieces<'b>(board: &'b Board, rows: &mut Vec<Row<'b>>) {
    rows.push(Row::Heading("Pieces (to the board's scale)".to_owned()));
    rows.extend(board.pieces.iter().map(Row::Piece));
}

fn points(value: i32) -> String {
    let noun = if value.abs() == 1 { "point" } else { "points" };
    format!("{value} {noun}").replace('-', "−")
}

fn place(p: Point) -> String {
    format!("({}, {})", measure(p.x), measure(p.y))
}

fn paint_words(paint: &Paint) -> String {
    let span = |a: f64, b: f64| format!("{} to {}", measure(a.min(b)), measure(a.max(b)));
    match *paint {
        Paint::Stroke { from, to, width_mm } => {
            let course = if from.y == to.y {
                format!("y {}, x {}", measure(from.y), span(from.x, to.x))
            } else if from.x == to.x {
                format!("x {}, y {}", measure(from.x), span(from.y, to.y))
            } else {
                format!("{} to {}", place(from), place(to))
            };
            format!("{course}  ·  {} wide", measure(width_mm))
        }
        Paint::Ring { centre, radius_mm, width_mm } => {
            format!("ring ⌀ {} at {}  ·  {} wide", measure(2.0 * radius_mm), place(centre), measure(width_mm))
        }
        Paint::Arc { centre, radius_mm, width_mm, .. } => {
            format!("arc ⌀ {} at {}  ·  {} wide", measure(2.0 * radius_mm), place(centre), measure(width_mm))
        }
        Paint::Spot { centre, radius_mm } => {
            format!("spot ⌀ {} at {}", measure(2.0 * radius_mm), place(centre))
        }
    }
}

fn role_words(line: &Line) -> &'static str {
    match line.role {
        LineRole::AreaBorder => "border",
        LineRole::Foul => "foul line",
        LineRole::BaseRear => "base line, rear",
        LineRole::BaseFront => "base line, front",
        LineRole::Base => "base line",
        LineRole::Moon => "moon",
        LineRole::Decoration => "decoration",
    }
}

fn side_word(side: BoardSide) -> &'static str {
    match side {
        BoardSide::Near => "near",
        BoardSide::Right => "right",
        BoardSide::Far => "far",
        BoardSide::Left => "left",
    }
}

fn piece_words(kind: &PieceKind) -> String {
    let make = match kind.make {
        Make::Any => String::new(),
        Make::Plain => ", plain".to_owned(),
        Make::Groove => ", with a groove".to_owned(),
        Make::Cap { diameter_mm: None } => ", with a cap".to_owned(),
        Make::Cap { diameter_mm: Some(mm) } => format!(", with a cap ⌀ {}", measure(mm)),
    };
    let (diameter, height) = (measure(kind.diameter_mm), measure(kind.height_mm));
    format!("{} of ⌀ {diameter}, {height} high{make}", kind.count)
}

/// Room that a piece's two views take, with the space after them.
fn piece_width(kind: &PieceKind, px_per_mm: f64) -> f64 {
    2.0 * kind.diameter_mm * px_per_mm + 26.0
}

/// From above, and from the side with its rounded rim.
fn piece(svg: &mut Svg, kind: &PieceKind, [left, middle]: [f64; 2], px_per_mm: f64) {
    let (radius, height) = (kind.radius_mm() * px_per_mm, kind.height_mm * px_per_mm);
    let ink = Ink::from(kind.colour);
    let edge = ink.mixed(Ink::BLACK, 0.45);
    let style = Style::filled(ink).with_stroke(edge, 1.0);
    svg.circle([left + radius, middle], radius, &style);
    let face = radius - kind.rim_mm * px_per_mm;
    svg.circle([left + radius, middle], face.max(0.0), &Style::stroked(edge.alpha(0.5), 0.7));
    let side = left + 2.0 * radius + 10.0;
    let rim = kind.rim_mm * px_per_mm;
    let (top, bottom) = (middle - height / 2.0, middle + height / 2.0);
    let right = side + 2.0 * radius;
    let path = format!(
        "M {side} {bottom} L {side} {:.3} A {rim} {rim} 0 0 1 {:.3} {top} L {:.3} {top} \
         A {rim} {rim} 0 0 1 {right} {:.3} L {right} {bottom} Z",
        top + rim,
        side + rim,
        right - rim,
        top + rim
    );
    svg.path(&path, &style);
}
