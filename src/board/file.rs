//! The form of a board file, and the way from it to a [`Board`].

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::*;

#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    #[error("cannot read board file {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("board file {path}: {reasons}")]
    Invalid { path: PathBuf, reasons: String },
    #[error("no board is called {wanted:?}; there is {known}, or give the path of a board file")]
    Unknown { wanted: String, known: String },
}

#[derive(Debug, Deserialize)]
struct BoardFile {
    id: String,
    name: String,
    games: Vec<String>,
    surface: SurfaceEntry,
    #[serde(default)]
    lines: Vec<LineEntry>,
    #[serde(default)]
    circles: Vec<CircleEntry>,
    #[serde(default)]
    areas: Vec<AreaEntry>,
    hanging: Option<HangingEntry>,
    #[serde(default)]
    pockets: Vec<PocketEntry>,
    #[serde(default)]
    rails: Vec<RailEntry>,
    #[serde(default)]
    pieces: Vec<PieceEntry>,
    #[serde(default)]
    numerals: Vec<NumeralEntry>,
    #[serde(default)]
    tags: Vec<TagEntry>,
}

#[derive(Debug, Deserialize)]
struct SurfaceEntry {
    width_mm: f64,
    length_mm: f64,
    ends: EndKind,
    colour: String,
}

#[derive(Debug, Deserialize)]
struct LineEntry {
    name: String,
    role: LineRole,
    from: [f64; 2],
    to: [f64; 2],
    width_mm: f64,
    #[serde(default)]
    mirrored: bool,
    base: Option<BoardSide>,
    colour: Option<String>,
}

#[derive(Debug, Deserialize)]
struct CircleEntry {
    name: String,
    role: LineRole,
    centre: [f64; 2],
    diameter_mm: f64,
    /// Absent: a filled spot.
    width_mm: Option<f64>,
    #[serde(default)]
    mirrored: bool,
    base: Option<BoardSide>,
    colour: Option<String>,
    fill: Option<String>,
}

#[derive(Debug, Deserialize)]
struct AreaEntry {
    name: String,
    value: i32,
    polygon: Vec<[f64; 2]>,
    #[serde(default)]
    mirrored: bool,
    clears: Option<String>,
}

#[derive(Debug, Deserialize)]
struct HangingEntry {
    area: String,
    value: i32,
}

#[derive(Debug, Deserialize)]
struct PocketEntry {
    centre: [f64; 2],
    diameter_mm: f64,
}

#[derive(Debug, Deserialize)]
struct RailEntry {
    sides: Vec<BoardSide>,
    width_mm: f64,
    height_mm: f64,
    colour: String,
}

#[derive(Debug, Deserialize)]
struct PieceEntry {
    name: String,
    diameter_mm: f64,
    height_mm: f64,
    count: usize,
    colour: String,
    rim_mm: f64,
    make: Option<MakeEntry>,
    cap_diameter_mm: Option<f64>,
    #[serde(default)]
    shooter: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MakeEntry {
    Any,
    Plain,
    Groove,
    Cap,
}

#[derive(Debug, Deserialize)]
struct NumeralEntry {
    text: String,
    centre: [f64; 2],
    height_mm: f64,
    #[serde(default)]
    angle_deg: f64,
    colour: String,
    #[serde(default)]
    mirrored: bool,
}

#[derive(Debug, Deserialize)]
struct TagEntry {
    family: String,
    id: u32,
    centre: [f64; 2],
    size_mm: f64,
    #[serde(default)]
    angle_deg: f64,
}

const SHIPPED: [&str; 5] = [
    include_str!("../../calibration/boards/carrom-court.toml"),
    include_str!("../../calibration/boards/carrom-long-board.toml"),
    include_str!("../../calibration/boards/association-table.toml"),
    include_str!("../../calibration/boards/carrom-icf.toml"),
    include_str!("../../calibration/boards/carroms-ludington.toml"),
];

const DEFAULT_PAINT: &str = "#26241f";

impl Board {
    /// A shipped board by its id, or the board file at a path.
    pub fn named_or_at(id_or_path: &str) -> Result<Board, BoardError> {
        let shipped = Board::shipped()?;
        if let Some(board) = shipped.iter().find(|board| board.id == id_or_path) {
            return Ok(board.clone());
        }
        if id_or_path.ends_with(".toml") || Path::new(id_or_path).exists() {
            return Board::load(Path::new(id_or_path));
        }
        let known: Vec<_> = shipped.iter().map(|board| board.id.as_str()).collect();
        Err(BoardError::Unknown { wanted: id_or_path.to_owned(), known: known.join(", ") })
    }

    /// Every board that ships with the program.
    pub fn shipped() -> Result<Vec<Board>, BoardError> {
        SHIPPED.iter().map(|text| Board::parse(text, Path::new("(shipped)"))).collect()
    }

    pub fn load(path: &Path) -> Result<Board, BoardError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| BoardError::Read { path: path.to_owned(), source })?;
        Board::parse(&text, path)
    }

    /// Reads a board file's text; `path` is named in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Board, BoardError> {
        let invalid = |reasons: String| BoardError::Invalid { path: path.to_owned(), reasons };
        let file: BoardFile = toml::from_str(text).map_err(|e| invalid(e.to_string()))?;
        file.into_board().map_err(invalid)
    }
}

fn point([x, y]: [f64; 2]) -> Point {
    Point::new(x, y)
}

fn colour(text: Option<&str>) -> Result<Colour, String> {
    text.unwrap_or(DEFAULT_PAINT).parse()
}

impl BoardFile {
    fn into_board(self) -> Result<Board, String> {
        let middle_y = self.surface.length_mm / 2.0;
        let mut lines = Vec::new();
        let mut push = |line: Line, mirrored: bool| {
            if mirrored {
                let paint = line.paint.mirrored_y(middle_y);
                let near = Line { end: Some(End::Near), paint, ..line.clone() };
                lines.push(Line { end: Some(End::Far), ..line });
                lines.push(near);
            } else {
                lines.push(line);
            }
        };
        for entry in self.lines {
            let paint =
                Paint::Stroke { from: point(entry.from), to: point(entry.to), width_mm: entry.width_mm };
            let colour = colour(entry.colour.as_deref())?;
            let line = Line {
                name: entry.name,
                role: entry.role,
                end: None,
                base: entry.base,
                paint,
                colour,
                fill: None,
            };
            push(line, entry.mirrored);
        }
        for entry in self.circles {
            let (centre, radius_mm) = (point(entry.centre), entry.diameter_mm / 2.0);
            let paint = match entry.width_mm {
                Some(width_mm) => Paint::Ring { centre, radius_mm, width_mm },
                None => Paint::Spot { centre, radius_mm },
            };
            let fill = entry.fill.as_deref().map(str::parse).transpose()?;
            let colour = colour(entry.colour.as_deref())?;
            let line =
                Line { name: entry.name, role: entry.role, end: None, base: entry.base, paint, colour, fill };
            push(line, entry.mirrored);
        }
        let mut areas = Vec::new();
        for entry in self.areas {
            let polygon = Polygon::new(entry.polygon.into_iter().map(point).collect());
            let area =
                Area { name: entry.name, value: entry.value, end: None, polygon, clears: entry.clears };
            if entry.mirrored {
                let polygon = area.polygon.mirrored_y(middle_y);
                areas.push(Area { end: Some(End::Far), ..area.clone() });
                areas.push(Area { end: Some(End::Near), polygon, ..area });
            } else {
                areas.push(area);
            }
        }
        let mut rails = Vec::new();
        for entry in self.rails {
            let colour: Colour = entry.colour.parse()?;
            for side in entry.sides {
                rails.push(Rail { side, width_mm: entry.width_mm, height_mm: entry.height_mm, colour });
            }
        }
        let mut numerals = Vec::new();
        for entry in self.numerals {
            let colour: Colour = entry.colour.parse()?;
            let numeral = Numeral {
                text: entry.text,
                centre: point(entry.centre),
                height_mm: entry.height_mm,
                angle_deg: entry.angle_deg,
                colour,
            };
            if entry.mirrored {
                let centre =
                    Point::new(self.surface.width_mm - numeral.centre.x, 2.0 * middle_y - numeral.centre.y);
                numerals.push(Numeral { centre, angle_deg: numeral.angle_deg + 180.0, ..numeral.clone() });
            }
            numerals.push(numeral);
        }
        let pieces = self
            .pieces
            .into_iter()
            .map(|entry| {
                Ok(PieceKind {
                    colour: entry.colour.parse()?,
                    name: entry.name,
                    diameter_mm: entry.diameter_mm,
                    height_mm: entry.height_mm,
                    count: entry.count,
                    rim_mm: entry.rim_mm,
                    make: match entry.make {
                        None | Some(MakeEntry::Any) => Make::Any,
                        Some(MakeEntry::Plain) => Make::Plain,
                        Some(MakeEntry::Groove) => Make::Groove,
                        Some(MakeEntry::Cap) => Make::Cap { diameter_mm: entry.cap_diameter_mm },
                    },
                    shooter: entry.shooter,
                })
            })
            .collect::<Result<_, String>>()?;
        Ok(Board {
            id: self.id,
            name: self.name,
            games: self.games,
            surface: Surface {
                width_mm: self.surface.width_mm,
                length_mm: self.surface.length_mm,
                ends: self.surface.ends,
                colour: self.surface.colour.parse()?,
            },
            lines,
            areas,
            hanging: self.hanging.map(|h| Hanging { area: h.area, value: h.value }),
            pockets: self
                .pockets
                .into_iter()
                .map(|p| Pocket { centre: point(p.centre), radius_mm: p.diameter_mm / 2.0 })
                .collect(),
            rails,
            pieces,
            numerals,
            tags: self
                .tags
                .into_iter()
                .map(|t| Tag {
                    family: t.family,
                    id: t.id,
                    centre: point(t.centre),
                    size_mm: t.size_mm,
                    angle_deg: t.angle_deg,
                })
                .collect(),
        })
    }
}
