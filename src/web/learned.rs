//! A board that is being learned from a photo: what the page shows of it, and what people change by hand.
//!
//! Every change makes a new version, which must hold as a board file before it is shown; the last one can be taken back.

use std::path::Path;

use serde_json::{Value, json};

use super::setup::tenths;
use crate::{
    board::{Board, BoardError, BoardNotes, End, Line},
    camera::{Camera, Pixel},
    geometry::{Paint, Point, Vector},
    learn::Learned,
};

/// A learned board with its history.
pub(super) struct LearnedTable {
    notes: BoardNotes,
    camera: Camera,
    said: Vec<String>,
    /// As it was learned, and after each change.
    versions: Vec<Board>,
    now: Board,
}

/// Why a change was not made, for people.
pub(super) type Refused = String;

/// Versions that are kept: more than anybody takes back.
const MOST_VERSIONS: usize = 100;
/// Steps along a line or a circle; a lens bends them.
const STEPS: usize = 32;
/// A line turned by less runs along a side, as people see it.
const STRAIGHT_RAD: f64 = 0.03;

impl LearnedTable {
    /// `None` where the learner does not say how the photo was taken.
    pub fn of(learned: Learned) -> Option<LearnedTable> {
        let camera = learned.cameras.into_iter().next().flatten()?;
        let Learned { board, notes, said, .. } = learned;
        Some(LearnedTable { notes, camera, said, versions: Vec::new(), now: board })
    }

    /// Moves a line as it was dragged in the picture. `screen_px` is how many of the photo's pixels one of the
    /// screen's covers: no hand is more exact.
    pub fn drag(&mut self, line: usize, from: Pixel, to: Pixel, screen_px: f64) -> Result<(), Refused> {
        let place = |p: Pixel| self.camera.board_from_image(p.x, p.y, 0.0);
        let (Some(from), Some(to)) = (place(from), place(to)) else {
            return Err("this place is not on the board".to_owned());
        };
        let hand_mm = self.camera.mm_per_px(to).map_or(0.0, |mm| mm * screen_px.clamp(0.0, 100.0));
        self.shift(line, to - from, hand_mm)
    }

    /// Moves a line by so many mm. `hand_mm`: how exactly.
    pub fn shift(&mut self, line: usize, by_mm: Vector, hand_mm: f64) -> Result<(), Refused> {
        let size_mm = self.now.surface.width_mm.max(self.now.surface.length_mm);
        if !by_mm.norm().is_finite() || by_mm.norm() > size_mm {
            return Err("a line moves by a length that is on the board".to_owned());
        }
        let twin = self.now.mirrored_twin(line);
        let mut moved = self.now.with_line_moved(line, by_mm).ok_or_else(gone)?;
        for index in std::iter::once(line).chain(twin) {
            let known_mm = moved.accuracy_of_mm(&moved.lines[index]);
            if hand_mm > known_mm {
                moved.lines[index].accuracy_mm = Some((hand_mm * 100.0).round() / 100.0);
            }
        }
        let name = moved.lines[line].name.clone();
        self.take(moved)?;
        self.notes.of_named.insert(name, "Placed by hand.".to_owned());
        Ok(())
    }

    pub fn remove(&mut self, line: usize) -> Result<(), Refused> {
        let name = self.now.lines.get(line).map(words_of).ok_or_else(gone)?;
        let without = self.now.without_line(line).ok_or_else(gone)?;
        self.take(without).map_err(|why| {
            format!("The {name} cannot be removed, because play on this kind of table needs it. ({why})")
        })
    }

    pub fn undo(&mut self) -> Result<(), Refused> {
        self.now = self.versions.pop().ok_or_else(|| "there is nothing to take back".to_owned())?;
        Ok(())
    }

    /// Takes a changed board up, if it still holds.
    fn take(&mut self, changed: Board) -> Result<(), Refused> {
        let board = self.held(&changed)?;
        self.versions.push(std::mem::replace(&mut self.now, board));
        if self.versions.len() > MOST_VERSIONS {
            self.versions.remove(0);
        }
        Ok(())
    }

    /// The board as its file will be read.
    fn held(&self, board: &Board) -> Result<Board, Refused> {
        Board::parse(&board.to_toml(&self.notes), Path::new(&board.id)).map_err(|error| match error {
            BoardError::Invalid { faults, .. } => {
                faults.first().map_or_else(|| "it does not hold".to_owned(), |fault| fault.what.clone())
            }
            other => other.to_string(),
        })
    }

    /// The board file under a name of its own, its board and its text.
    pub fn named(&self, id: &str, name: &str) -> Result<(Board, String), Refused> {
        let named = Board { id: id.to_owned(), name: name.to_owned(), ..self.now.clone() };
        Ok((self.held(&named)?, named.to_toml(&self.notes)))
    }

    /// What the page shows.
    pub fn shown(&self) -> Value {
        let board = &self.now;
        let corners = board.corners();
        let sides = (0..corners.len()).flat_map(|i| straight(corners[i], corners[(i + 1) % corners.len()]));
        let lines = board.lines.iter().enumerate().map(|(index, line)| self.line(index, line));
        json!({
            "outline": self.seen(sides.collect()).concat(),
            "lines": lines.collect::<Vec<_>>(),
            "said": self.said.iter().map(|said| sentence(said)).collect::<Vec<_>>(),
            "surface": { "width_mm": board.surface.width_mm, "length_mm": board.surface.length_mm },
            "name": board.name,
            "can_undo": !self.versions.is_empty(),
        })
    }

    fn line(&self, index: usize, line: &Line) -> Value {
        let curves = self.seen(middle_of(&line.paint));
        let in_view = curves.iter().flatten().any(|p| self.is_in_picture(*p));
        json!({
            "index": index,
            "name": words_of(line),
            "place": place_words(&self.now, line),
            "moves": moves(&line.paint),
            "accuracy_mm": self.now.accuracy_of_mm(line),
            "optional": line.optional,
            "in_view": in_view,
            "curves": curves,
        })
    }

    fn is_in_picture(&self, [x, y]: [f64; 2]) -> bool {
        let [width, height] = self.camera.image_size.map(f64::from);
        x >= 0.0 && y >= 0.0 && x < width && y < height
    }

    /// Places of the board in the picture, in pieces where they go out of the lens's reach.
    fn seen(&self, curve: Vec<Point>) -> Vec<Vec<[f64; 2]>> {
        let mut runs = vec![Vec::new()];
        for p in curve {
            match (self.camera.image_from_board(p.x, p.y, 0.0), runs.last_mut()) {
                (Some(at), Some(run)) => run.push(tenths(at)),
                _ => runs.push(Vec::new()),
            }
        }
        runs.retain(|run| run.len() > 1);
        runs
    }
}

fn gone() -> Refused {
    "this line is not there any more".to_owned()
}

/// What the learner says, as a sentence of the page.
fn sentence(said: &str) -> String {
    let mut letters = said.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if said.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// A line's name for people.
fn words_of(line: &Line) -> String {
    let name = line.name.replace('-', " ");
    match line.end {
        Some(End::Far) => format!("{name}, far end"),
        Some(End::Near) => format!("{name}, near end"),
        None => name,
    }
}

/// The directions in which people move a line: along x, along y, both, or across its slant.
fn moves(paint: &Paint) -> &'static str {
    match paint {
        Paint::Stroke { from, to, .. } => {
            let along = to - from;
            if along.y.abs() <= STRAIGHT_RAD * along.norm() {
                "y"
            } else if along.x.abs() <= STRAIGHT_RAD * along.norm() {
                "x"
            } else {
                "slant"
            }
        }
        _ => "both",
    }
}

/// Where a line lies, as a person with a tape would say it: from the nearer edge of the surface.
fn place_words(board: &Board, line: &Line) -> String {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let from_x = |x: f64| {
        if x <= w / 2.0 {
            format!("{x:.1} mm from the left side")
        } else {
            format!("{:.1} mm from the right side", w - x)
        }
    };
    let from_y = |y: f64| {
        if y <= l / 2.0 {
            format!("{y:.1} mm from the near side")
        } else {
            format!("{:.1} mm from the far side", l - y)
        }
    };
    match line.paint {
        Paint::Stroke { from, to, width_mm } => {
            let middle = nalgebra::center(&from, &to);
            let place = match moves(&line.paint) {
                "y" => from_y(middle.y),
                "x" => from_x(middle.x),
                _ => format!("{:.1} mm long, aslant", (to - from).norm()),
            };
            format!("{place}, {width_mm:.1} mm wide")
        }
        Paint::Ring { centre, radius_mm, .. }
        | Paint::Spot { centre, radius_mm }
        | Paint::Arc { centre, radius_mm, .. } => {
            format!("{:.1} mm across, {}, {}", 2.0 * radius_mm, from_x(centre.x), from_y(centre.y))
        }
    }
}

fn straight(from: Point, to: Point) -> Vec<Point> {
    (0..=STEPS).map(|i| from + (to - from) * (i as f64 / STEPS as f64)).collect()
}

/// The middle of a line's paint; a spot's border.
fn middle_of(paint: &Paint) -> Vec<Point> {
    let arc = |centre: Point, radius_mm: f64, start_rad: f64, sweep_rad: f64| {
        let at = |i: usize| start_rad + sweep_rad * i as f64 / STEPS as f64;
        (0..=STEPS).map(|i| centre + Vector::new(at(i).cos(), at(i).sin()) * radius_mm).collect()
    };
    let full = std::f64::consts::TAU;
    match *paint {
        Paint::Stroke { from, to, .. } => straight(from, to),
        Paint::Ring { centre, radius_mm, .. } | Paint::Spot { centre, radius_mm } => {
            arc(centre, radius_mm, 0.0, full)
        }
        Paint::Arc { centre, radius_mm, start_rad, sweep_rad, .. } => {
            arc(centre, radius_mm, start_rad, sweep_rad)
        }
    }
}
