//! Why a board was not found, as plain data: what the picture does show, what of the board was missing, and
//! from both the one thing to try next. The words for people stand in `words`.

use super::find::ForeignPaint;
use crate::camera::Pixel;

/// A refusal: which board, what was missing, and what was found instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub board: String,
    pub missing: Missing,
    pub found: Found,
}

/// What was missing to take the board as found.
#[derive(Debug, Clone, PartialEq)]
pub enum Missing {
    /// A picture large enough to search.
    Picture { width: u32, height: u32 },
    /// Straight edges: nothing in the picture is as straight as a board.
    StraightLines,
    /// A painted line in view; an outline alone is not enough.
    PaintInView,
    /// Enough of the board in view.
    Room,
    /// Enough places in view where its paint could be looked for.
    PlacesInView { places: usize },
    /// Its lines: at `shown` of `looked_at` places there is paint. `None` where no single camera is worth
    /// counting for.
    Lines { shown: Option<(usize, usize)> },
    /// These lines, where the others are: some show no paint, some show it beside their place.
    SomeLines { unpainted: Vec<String>, elsewhere: Vec<LineElsewhere> },
    /// Lines as straight and as well placed as its file says.
    Exactness { rms_px: f64, limit_px: f64 },
    /// Places of its lines that agree with each other.
    Agreement { places: usize },
    /// Its sides and rails; the lines are there.
    Sides,
    /// One of its rails; the lines are there.
    OneRail,
    /// A surface without painted lines that it does not have.
    OnlyItsPaint(ForeignPaint),
    /// More evidence than chance gives.
    Certainty,
    /// Lines enough to fix the camera's place.
    Place,
    /// Any of these boards.
    EveryBoard { tried: Vec<String> },
    /// Anything else, in words.
    Other(String),
}

/// A line whose paint is seen, but not where the board file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct LineElsewhere {
    pub line: String,
    pub off_mm: f64,
}

/// What the picture shows, whatever the board.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// The corners of the plainest playing surface, by its own outline, and how many of its sides are in the
    /// picture.
    pub outline: Option<([Pixel; 4], usize)>,
    /// The shipped board whose sides and lines fit that outline best.
    pub nearest_kind: Option<String>,
    /// Whether the picture is too dark to tell paint from wood.
    pub is_dark: bool,
}

/// The one thing to try next.
#[derive(Debug, Clone, PartialEq)]
pub enum NextStep {
    /// Take the photo again from farther away, so that the surface's sides are in it.
    MoveBack,
    MoreLight,
    /// A photo with more pixels.
    LargerPicture,
    /// Write a board file from this photo, like the named board.
    Learn {
        like: String,
    },
    /// Give the surface's four corners; those of the outline where there is one.
    Corners(Option<[Pixel; 4]>),
    /// Take away what covers the lines.
    Uncover,
    /// Show both long sides.
    ShowSides,
}

impl Refusal {
    pub fn new(board: &str, missing: Missing) -> Self {
        Self { board: board.to_owned(), missing, found: Found::default() }
    }

    /// What is likeliest to help.
    pub fn next_step(&self) -> NextStep {
        let learn = || NextStep::Learn {
            like: self.found.nearest_kind.clone().unwrap_or_else(|| self.board.clone()),
        };
        let outline = self.found.outline.as_ref();
        let is_cut = outline.is_some_and(|(_, sides)| *sides < LEAST_SIDES);
        match &self.missing {
            Missing::Picture { .. } => NextStep::LargerPicture,
            _ if self.found.is_dark => NextStep::MoreLight,
            Missing::OneRail => NextStep::ShowSides,
            Missing::SomeLines { elsewhere, .. } if elsewhere.is_empty() => NextStep::Uncover,
            _ if is_cut => NextStep::MoveBack,
            Missing::StraightLines | Missing::Place | Missing::PaintInView | Missing::Certainty => {
                NextStep::Corners(outline.map(|(corners, _)| *corners))
            }
            Missing::EveryBoard { .. }
            | Missing::Room
            | Missing::PlacesInView { .. }
            | Missing::Lines { .. }
            | Missing::Agreement { .. }
                if outline.is_none() =>
            {
                NextStep::Corners(None)
            }
            _ => learn(),
        }
    }
}

/// One end of a long table shows three sides; with fewer, nothing says how large what is seen is.
const LEAST_SIDES: usize = 3;
