//! A board on paper: to scale, with every measure that a tape can check.
//!
//! In: a [`Board`]. Out: an [`Svg`]: the board seen from above with its far end up, a ruler along
//! two sides with the place of everything painted, numbers on the lines, and a table that says
//! what each number is. It is how an owner compares a board file with the real board.

mod legend;
mod plan;
mod rulers;

use super::{Align, Ink, Style, Svg, TextStyle};
use crate::board::Board;
use crate::geometry::Point;

/// Ink of text and measures.
const DARK: Ink = Ink::rgb(38, 36, 31);
const FAINT: Ink = Ink::rgb(120, 116, 108);
const ACCENT: Ink = Ink::rgb(22, 84, 140);
const PAPER: Ink = Ink::rgb(252, 251, 248);

/// Sizes of the sheet in its own units, one of which is a pixel when it is rasterised at scale 1.
mod size {
    /// Shorter side of a board that is about as long as it is wide, and of one that is much longer.
    pub const SQUARE_BOARD: f64 = 880.0;
    pub const LONG_BOARD: f64 = 350.0;
    /// A board is long if it is this many times as long as wide.
    pub const LONG_RATIO: f64 = 2.0;
    pub const MARGIN: f64 = 36.0;
    pub const TITLE: f64 = 26.0;
    pub const TEXT: f64 = 13.0;
    pub const SMALL: f64 = 11.0;
    /// Room for a ruler: its labels and the lines that lead to them.
    pub const RULER: f64 = 118.0;
    /// Between board and table.
    pub const GUTTER: f64 = 44.0;
}

/// Draws the sheet of a board.
pub fn board_sheet(board: &Board) -> Svg {
    let scale = Scale::of(board);
    let table = legend::Legend::of(board, scale.px_per_mm);
    let rails = plan::rail_widths_px(board, scale.px_per_mm);
    let [board_width, board_length] = scale.surface_px;
    let left = size::MARGIN + size::RULER + rails.left;
    let top = size::MARGIN + size::TITLE + 64.0 + rails.far;
    let table_left = left + board_width + rails.right + size::GUTTER;
    let width = table_left + table.width() + size::MARGIN;
    let below_board = top + board_length + rails.near + size::RULER;
    let height = below_board.max(top - rails.far + table.height()) + size::MARGIN;
    let view = View { scale, left, top };

    let mut svg = Svg::new(width, height);
    svg.rectangle([0.0, 0.0], [width, height], &Style::filled(PAPER));
    title(&mut svg, board);
    plan::draw(&mut svg, board, &view, &table);
    rulers::draw(&mut svg, board, &view, &rails);
    table.draw(&mut svg, [table_left, top - rails.far]);
    svg
}

fn title(svg: &mut Svg, board: &Board) {
    let baseline = size::MARGIN + size::TITLE;
    svg.text([size::MARGIN, baseline], &board.name, &TextStyle::new(size::TITLE).ink(DARK).bold());
    let games = match board.games.as_slice() {
        [] => String::new(),
        games => format!("  ·  games: {}", games.join(", ")),
    };
    let line = format!("{}{games}  ·  all measures in mm, lines to the middle of their paint", board.id);
    svg.text([size::MARGIN, baseline + 22.0], &line, &TextStyle::new(size::TEXT).ink(FAINT));
}

/// How large the board is drawn.
#[derive(Clone, Copy)]
struct Scale {
    px_per_mm: f64,
    surface_px: [f64; 2],
}

impl Scale {
    fn of(board: &Board) -> Self {
        let (width, length) = (board.surface.width_mm, board.surface.length_mm);
        let shorter = width.min(length);
        let long = width.max(length) > size::LONG_RATIO * shorter;
        let px_per_mm = if long { size::LONG_BOARD } else { size::SQUARE_BOARD } / shorter;
        Self { px_per_mm, surface_px: [width * px_per_mm, length * px_per_mm] }
    }
}

/// Where the board lies on the sheet: far end up.
struct View {
    scale: Scale,
    left: f64,
    top: f64,
}

impl View {
    fn at(&self, p: Point) -> [f64; 2] {
        let px_per_mm = self.scale.px_per_mm;
        [self.left + p.x * px_per_mm, self.top + self.scale.surface_px[1] - p.y * px_per_mm]
    }

    fn px(&self, mm: f64) -> f64 {
        mm * self.scale.px_per_mm
    }
}

/// A measure as a board file would have it: no more decimals than it needs, at most two.
fn measure(mm: f64) -> String {
    let text = format!("{mm:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number in a circle, as it stands on a line and in the table.
fn badge(svg: &mut Svg, centre: [f64; 2], number: usize) {
    svg.circle(centre, BADGE_RADIUS, &Style::filled(ACCENT).with_stroke(Ink::WHITE, 1.2));
    let style = TextStyle::new(size::SMALL - 1.0).ink(Ink::WHITE).bold().align(Align::Middle);
    svg.text([centre[0], centre[1] + 3.7], &number.to_string(), &style);
}

const BADGE_RADIUS: f64 = 9.0;

#[cfg(test)]
mod tests {
    use super::super::rasterise;
    use super::*;

    #[test]
    fn measures_are_short() {
        let texts = [22.25, 1720.0, 0.0, -0.001, 49.4975, 101.5].map(measure);
        assert_eq!(texts, ["22.25", "1720", "0", "0", "49.5", "101.5"]);
    }

    #[test]
    fn every_line_area_and_piece_of_every_shipped_board_is_on_its_sheet() {
        for board in Board::shipped().unwrap() {
            let text = board_sheet(&board).to_string();
            let names = board.lines.iter().map(|l| &l.name);
            let names = names.chain(board.areas.iter().map(|a| &a.name));
            for name in names.chain(board.pieces.iter().map(|p| &p.name)) {
                assert!(text.contains(&format!(">{name}<")), "{name} is not on the sheet of {}", board.id);
            }
            let length = format!(">{}<", measure(board.surface.length_mm));
            assert!(text.contains(&length), "no length on the sheet of {}", board.id);
        }
    }

    #[test]
    fn the_surface_is_drawn_to_scale_in_its_colour() {
        let board = Board::named_or_at("carroms-ludington").unwrap();
        let picture = rasterise(&board_sheet(&board), 1.0).unwrap();
        let colour = board.surface.colour.0;
        let of_surface = picture.pixels().filter(|p| p.0[..3] == colour).count() as f64;
        let whole = (size::SQUARE_BOARD * size::SQUARE_BOARD).round();
        assert!((0.9..1.0).contains(&(of_surface / whole)), "{}", of_surface / whole);
    }
}
