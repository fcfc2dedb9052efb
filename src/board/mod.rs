//! A board in millimetres: surface, painted lines, areas, pockets, rails, pieces.
//!
//! In: a board file (TOML, see `calibration/boards/`). Out: a validated [`Board`]. Nothing about a
//! particular board is in code: registration, detection, calls, rules, the simulator and the
//! drawings all read this one description.

mod assemble;
mod edit;
mod faults;
mod file;
mod form;
mod library;
mod table;
mod validate;
mod values;
mod write;

use serde::{Deserialize, Serialize};

use crate::geometry::{Paint, Point, Polygon};

pub use faults::Fault;
pub use file::{BoardError, BoardFile};
pub use library::{BrokenFile, KeepError, Kept, KnownBoard, Library, Origin, own_folder};
pub(crate) use table::closest;
pub use validate::TAG_FAMILIES;
pub use write::BoardNotes;

/// A validated board. Both ends of a two-ended board are spelled out: what the file calls
/// `mirrored` appears once for the far end and once, mirrored about the middle, for the near end.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    pub id: String,
    pub name: String,
    /// Ids of the games that are played on it.
    pub games: Vec<String>,
    /// How well the places in the file are known, one standard deviation; 0 for a maker's own drawing. Lines
    /// and rails may lie so far beside their drawing.
    pub accuracy_mm: f64,
    /// How far makers' boards of this kind differ from the drawing, one standard deviation. A board is taken to be as
    /// drawn unless its picture shows otherwise.
    pub tolerance_mm: f64,
    pub surface: Surface,
    /// Those that every board of this kind has come first.
    pub lines: Vec<Line>,
    pub areas: Vec<Area>,
    /// What a piece scores that hangs over an open end, where the board's game knows that.
    pub hanging: Option<Hanging>,
    pub pockets: Vec<Pocket>,
    pub rails: Vec<Rail>,
    pub gutters: Vec<Gutter>,
    pub pieces: Vec<PieceKind>,
    pub numerals: Vec<Numeral>,
    pub prints: Vec<Print>,
    pub tags: Vec<Tag>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    pub width_mm: f64,
    pub length_mm: f64,
    pub ends: EndKind,
    pub colour: Colour,
    /// The end that nobody has seen yet, so that the length is only assumed.
    pub unseen: Option<End>,
}

/// What lies beyond the surface's two short sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// Nothing: a piece can hang over and fall.
    Open,
    /// A gutter, lower than the surface.
    Gutter,
    /// A frame or rail (listed under `rails`).
    Frame,
}

/// One of the two ends of a two-ended board: `Far` is the one a shooter at y = 0 plays to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    #[default]
    Far,
    Near,
}

/// A side of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardSide {
    Near,
    Right,
    Far,
    Left,
}

/// Why a line is painted; decides which lines matter for which call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineRole {
    /// Bounds a scoring area; a piece touching it does not lie wholly in the area.
    AreaBorder,
    /// A piece must clear it to be live.
    Foul,
    /// The line of a striker's base line that is nearer to the player.
    BaseRear,
    /// The line of a striker's base line that is nearer to the centre.
    BaseFront,
    /// A base line that is a single line.
    Base,
    /// A circle at the end of a base line.
    Moon,
    /// Printed, but decides nothing.
    Decoration,
}

/// A painted line, circle or spot.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub name: String,
    pub role: LineRole,
    /// The end it belongs to; `None` for what exists once.
    pub end: Option<End>,
    /// The player's side whose base line it is part of.
    pub base: Option<BoardSide>,
    pub paint: Paint,
    pub colour: Colour,
    /// Colour inside a ring, where it is filled.
    pub fill: Option<Colour>,
    /// Whether it may be missing on a board of this kind: its absence never speaks against the board.
    pub optional: bool,
    /// How well its place is known, where that differs from the board's own `accuracy_mm`.
    pub accuracy_mm: Option<f64>,
}

/// A scoring area: the polygon through the middles of the lines that bound it.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    pub name: String,
    pub value: i32,
    pub end: Option<End>,
    pub polygon: Polygon,
    /// Name of the line that a piece must clear to score here (the long board's way, L4). Where
    /// it is absent a piece must touch no line at all.
    pub clears: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hanging {
    pub area: String,
    pub value: i32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pocket {
    pub centre: Point,
    pub radius_mm: f64,
}

/// A rail, bank or frame along one side, outside the playing surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Rail {
    pub side: BoardSide,
    pub width_mm: f64,
    pub height_mm: f64,
    /// Radius of its upper edges, where the board file says it.
    pub rounding_mm: Option<f64>,
    pub colour: Colour,
    /// What else makers paint it.
    pub other_colours: Vec<Colour>,
}

impl Rail {
    /// Every colour that makers give it, the usual one first.
    pub fn colours(&self) -> impl Iterator<Item = Colour> + '_ {
        std::iter::once(self.colour).chain(self.other_colours.iter().copied())
    }
}

/// A sunken strip along one side, outside the playing surface and lower than it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gutter {
    pub side: BoardSide,
    pub width_mm: f64,
    /// How far its floor lies below the surface.
    pub depth_mm: f64,
    pub colour: Colour,
}

/// A kind of piece: all pieces of one colour, or the queen, striker, green one or shooter.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceKind {
    /// What match files and output call it: a colour, `queen`, `striker`, `green`, `shooter`.
    pub name: String,
    pub diameter_mm: f64,
    /// How well the diameter is known, one standard deviation; `None` for a maker's own figure.
    pub accuracy_mm: Option<f64>,
    pub height_mm: f64,
    pub count: usize,
    /// What its top face looks like under white light; a prior only.
    pub colour: Colour,
    /// Radius of the rounding between top face and side wall.
    pub rim_mm: f64,
    pub make: Make,
    /// Whether the player shoots with it (a striker or shooter is not scored).
    pub shooter: bool,
}

impl PieceKind {
    pub fn radius_mm(&self) -> f64 {
        self.diameter_mm / 2.0
    }
}

/// How a piece's top is made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Make {
    /// Differs from set to set, or unknown.
    #[default]
    Any,
    Plain,
    /// A concentric groove in the top face.
    Groove,
    /// A coloured cap that stands proud of a lower metal ring.
    Cap {
        diameter_mm: Option<f64>,
    },
}

/// A printed numeral or maker's mark: decoration.
#[derive(Debug, Clone, PartialEq)]
pub struct Numeral {
    pub text: String,
    pub centre: Point,
    pub height_mm: f64,
    /// Counter-clockwise turn of the reading direction from the x axis.
    pub angle_deg: f64,
    pub colour: Colour,
    /// Whether it may be missing on a board of this kind.
    pub optional: bool,
}

/// Print whose shape is not described: a star, a mandala, a maker's words, a logo. Decoration.
#[derive(Debug, Clone, PartialEq)]
pub struct Print {
    pub name: String,
    /// What it lies within.
    pub region: PrintRegion,
    pub colours: Vec<Colour>,
    /// Whether it may be missing on a board of this kind.
    pub optional: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PrintRegion {
    Disc { centre: Point, radius_mm: f64 },
    Polygon(Polygon),
}

impl PrintRegion {
    /// Distance from `p` to the region's border, negative inside it.
    pub fn signed_distance_mm(&self, p: Point) -> f64 {
        match self {
            PrintRegion::Disc { centre, radius_mm } => (p - centre).norm() - radius_mm,
            PrintRegion::Polygon(polygon) => polygon.signed_distance_mm(p),
        }
    }

    /// The least and greatest coordinates of the region and `margin_mm` around it.
    pub fn bounds(&self, margin_mm: f64) -> (Point, Point) {
        let (low, high) = match self {
            PrintRegion::Disc { centre, radius_mm } => {
                let reach = nalgebra::Vector2::repeat(*radius_mm);
                (centre - reach, centre + reach)
            }
            PrintRegion::Polygon(polygon) => {
                let first = polygon.vertices().first().copied().unwrap_or_default();
                polygon.vertices().iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)))
            }
        };
        let margin = nalgebra::Vector2::repeat(margin_mm);
        (low - margin, high + margin)
    }

    /// The same region turned half round about a place.
    fn turned_about(&self, middle: Point) -> PrintRegion {
        self.moved(|p| Point::from(2.0 * middle.coords - p.coords), 1.0)
    }

    /// The same region with every place moved, and discs so many times as large.
    pub fn moved(&self, place: impl Fn(Point) -> Point, scale: f64) -> PrintRegion {
        match self {
            PrintRegion::Disc { centre, radius_mm } => {
                PrintRegion::Disc { centre: place(*centre), radius_mm: radius_mm * scale }
            }
            PrintRegion::Polygon(polygon) => {
                PrintRegion::Polygon(Polygon::new(polygon.vertices().iter().map(|p| place(*p)).collect()))
            }
        }
    }
}

/// A printed tag at a known place of the board.
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    pub family: String,
    pub id: u32,
    pub centre: Point,
    /// Side of the black square.
    pub size_mm: f64,
    pub angle_deg: f64,
}

/// An sRGB colour, written `"#rrggbb"` in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Colour(pub [u8; 3]);

impl std::str::FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a colour like \"#c03020\", found {text:?}");
        let hexadecimal = |d: &&str| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit());
        let digits = text.strip_prefix('#').filter(hexadecimal).ok_or_else(wrong)?;
        let byte = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).map_err(|_| wrong());
        Ok(Colour([byte(0)?, byte(2)?, byte(4)?]))
    }
}

impl TryFrom<String> for Colour {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

impl Board {
    /// Whether the board has two ends that mirror each other.
    pub fn is_two_ended(&self) -> bool {
        self.lines.iter().any(|line| line.end == Some(End::Near))
    }

    /// How many of the lines hold all that every board of this kind has; those beyond may be missing, and nothing rests
    /// on them.
    pub fn sure_lines(&self) -> usize {
        self.lines.iter().rposition(|line| !line.optional).map_or(0, |last| last + 1)
    }

    /// Names of the lines and prints, and texts of the numerals, that may be missing on a board of this kind.
    pub fn optional_names(&self) -> Vec<String> {
        let lines = self.lines.iter().filter(|line| line.optional).map(|line| &line.name);
        let prints = self.prints.iter().filter(|print| print.optional).map(|print| &print.name);
        let numerals = self.numerals.iter().filter(|numeral| numeral.optional).map(|numeral| &numeral.text);
        let mut names: Vec<String> = lines.chain(prints).chain(numerals).cloned().collect();
        // What is mirrored stands there twice.
        names.sort();
        names.dedup();
        names
    }

    /// The board as one looks on which these lines, prints and numerals (by their text) are missing.
    pub fn without(&self, absent: &[String]) -> Board {
        let is_there = |name: &String| !absent.contains(name);
        let mut board = self.clone();
        board.lines.retain(|line| is_there(&line.name));
        board.prints.retain(|print| is_there(&print.name));
        board.numerals.retain(|numeral| is_there(&numeral.text));
        board
    }

    /// Whether a side lies where nobody has seen it, at an end that is only assumed.
    pub fn is_unseen(&self, side: BoardSide) -> bool {
        let end = match side {
            BoardSide::Near => End::Near,
            BoardSide::Far => End::Far,
            BoardSide::Left | BoardSide::Right => return false,
        };
        self.surface.unseen == Some(end)
    }

    /// How well the place of one of its lines is known, one standard deviation.
    pub fn accuracy_of_mm(&self, line: &Line) -> f64 {
        line.accuracy_mm.unwrap_or(self.accuracy_mm)
    }

    /// The board as a picture of it was found to be: its places are known no better than what the picture showed to lie
    /// beside the drawing.
    pub fn known_to(&self, off_mm: f64) -> Board {
        Board { accuracy_mm: self.accuracy_mm.hypot(off_mm), ..self.clone() }
    }

    /// Whether print that may or may not be there covers `p`, or lies within `reach_mm` of it.
    pub fn may_be_printed(&self, p: Point, reach_mm: f64) -> bool {
        let covers = |line: &Line| {
            let inside_fill = match (line.paint, line.fill) {
                (Paint::Ring { centre, radius_mm, .. }, Some(_)) => {
                    (p - centre).norm() < radius_mm + reach_mm
                }
                _ => false,
            };
            inside_fill || line.paint.signed_distance_mm(p) < reach_mm
        };
        self.lines.iter().filter(|line| line.optional).any(covers)
            || self.prints.iter().any(|print| print.region.signed_distance_mm(p) < reach_mm)
    }

    pub fn piece(&self, name: &str) -> Option<&PieceKind> {
        self.pieces.iter().find(|kind| kind.name == name)
    }

    /// Lines that count for play at `end`: its own and those that exist once.
    pub fn lines_at(&self, end: End) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.end.is_none_or(|e| e == end))
    }

    pub fn areas_at(&self, end: End) -> impl Iterator<Item = &Area> {
        self.areas.iter().filter(move |area| area.end.is_none_or(|e| e == end))
    }

    /// The corners of the playing surface: near left, near right, far right, far left.
    pub fn corners(&self) -> [Point; 4] {
        let (w, l) = (self.surface.width_mm, self.surface.length_mm);
        [Point::new(0.0, 0.0), Point::new(w, 0.0), Point::new(w, l), Point::new(0.0, l)]
    }
}
