//! Set-up's first step: which table it is. One that is known is chosen; another is learned from a photo.
//!
//! The way of a new table: a picture (`setup::take`), its outline, the board learned from it, changes by hand, a name; then
//! it is a board file among the person's own and the table of the next match.

use std::sync::{Arc, PoisonError};

use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site,
    failure::{WebError, blocking},
    learned::LearnedTable,
    setup::{SetupPicture, near_places, tenths},
};
use crate::{
    board::{Board, KnownBoard, Library, Origin},
    camera::Pixel,
    geometry::Vector,
    learn::{LearnError, LearnOptions, LearnRequest, Tape, learn},
    outline::{OutlineSearch, SurfaceOutline, surface_outlines},
};

#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    board: String,
}

/// The next match is played on this board.
pub(super) async fn choose(
    State(site): State<Arc<Site>>,
    Json(Choice { board }): Json<Choice>,
) -> Result<Json<Value>, WebError> {
    blocking(move || set_table(&site, &board)).await
}

fn set_table(site: &Site, id: &str) -> Result<Json<Value>, WebError> {
    let board = site.board(id)?;
    // Where the page is the whole program, the camera is set up for whichever table is chosen.
    let watched = site.options.take_camera.as_ref().and_then(|_| site.table());
    if let Some(watched) = watched.filter(|watched| watched.id != board.id) {
        return Err(WebError::Unusable(format!(
            "the running camera watches {}: end the program and start it with a camera file for {}",
            watched.name, board.name
        )));
    }
    site.desk.set_board(site.board_file(id)?);
    Ok(Json(json!({ "board": board.id, "name": board.name, "games": board.games })))
}

#[derive(Debug, Deserialize)]
pub(super) struct OfPicture {
    id: String,
}

/// Where the playing surface seems to lie, and what kind of table it may be.
pub(super) async fn outline(
    State(site): State<Arc<Site>>,
    Json(OfPicture { id }): Json<OfPicture>,
) -> Result<Json<Value>, WebError> {
    let setup = site.setup_picture(&id)?;
    let boards = site.boards();
    let _turn = site.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    blocking(move || {
        let found = surface_outlines(&setup.picture, &OutlineSearch::default());
        let best = found.first();
        let corners = best.map(|best| from_near_left(best.corners));
        let kind = likeliest(&boards, corners.as_ref());
        Ok(Json(json!({
            "corners": corners.map(|corners| corners.map(tenths)),
            "sides_seen": best.map_or(0, SurfaceOutline::sides_seen),
            "kind": kind,
        })))
    })
    .await
}

/// The corners from the near left one on, anticlockwise as the photo shows them: near is the lower side, or of a surface
/// that lies across the photo the left one, which is then a short one.
fn from_near_left(clockwise: [Pixel; 4]) -> [Pixel; 4] {
    let mut corners = clockwise;
    corners.reverse();
    let side = |i: usize| corners[(i + 1) % 4] - corners[i % 4];
    // Lower in the picture is nearer; the first and third sides are the short ones.
    let lies_across = |turn: usize| {
        let ends = side(turn).norm() + side(turn + 2).norm();
        let sides = side(turn + 1).norm() + side(turn + 3).norm();
        ends > LONG_RATIO * sides
    };
    let height = |turn: usize| corners[turn].y + corners[(turn + 1) % 4].y;
    let mut near = 0;
    for turn in 1..4 {
        if height(turn) > height(near) {
            near = turn;
        }
    }
    if lies_across(near) {
        near = (near + 3) % 4;
    }
    std::array::from_fn(|i| corners[(near + i) % 4])
}

/// A surface so many times as long as wide in the picture is that of a long board.
const LONG_RATIO: f64 = 1.5;

/// The board whose shape is most like the outline's, the first of equals.
fn likeliest(boards: &[KnownBoard], corners: Option<&[Pixel; 4]>) -> Option<String> {
    let Some([a, b, c, d]) = corners else { return boards.first().map(|known| known.board.id.clone()) };
    let shape =
        (((d - a).norm() + (c - b).norm()) / ((b - a).norm() + (c - d).norm())).max(f64::EPSILON).ln();
    let apart = |board: &Board| ((board.surface.length_mm / board.surface.width_mm).ln() - shape).abs();
    let mut best: Option<&Board> = None;
    for known in boards.iter().filter(|known| known.origin == Origin::Shipped) {
        if best.is_none_or(|best| apart(&known.board) < apart(best) - 1e-9) {
            best = Some(&known.board);
        }
    }
    best.map(|board| board.id.clone())
}

#[derive(Debug, Deserialize)]
pub(super) struct ToLearn {
    id: String,
    /// The board that it is most like.
    kind: String,
    /// Near left, near right, far right, far left, in the picture's pixels; none: where the outline is found.
    #[serde(default)]
    corners: Option<[[f64; 2]; 4]>,
    /// The playing surface, across, by tape.
    #[serde(default)]
    width_mm: Option<f64>,
}

/// Widths that tables have, mm.
const WIDTHS_MM: std::ops::RangeInclusive<f64> = 100.0..=3000.0;

/// Learns the table from its photo.
pub(super) async fn learn_table(
    State(site): State<Arc<Site>>,
    Json(asked): Json<ToLearn>,
) -> Result<Json<Value>, WebError> {
    let setup = site.setup_picture(&asked.id)?;
    let template = site.board(&asked.kind)?;
    if asked.width_mm.is_some_and(|mm| !WIDTHS_MM.contains(&mm)) {
        return Err(WebError::Unusable(format!(
            "the width of a playing surface is between {} and {} mm",
            WIDTHS_MM.start(),
            WIDTHS_MM.end()
        )));
    }
    let _turn = site.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    blocking(move || {
        let request = LearnRequest {
            tape: asked.width_mm.map(Tape::Width),
            corners: asked.corners.map(|corners| near_places(&setup, corners)).transpose()?,
            id: "new-table".to_owned(),
            name: template.name.clone(),
        };
        let pictures = std::slice::from_ref(&setup.picture);
        let learned = learn(pictures, &template, &request, &LearnOptions::default()).map_err(not_learned)?;
        let table = LearnedTable::of(learned).ok_or_else(|| {
            WebError::Unusable("the photo does not show how it was taken: try another one".to_owned())
        })?;
        let shown = table.shown();
        *setup.learned.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
        Ok(Json(shown))
    })
    .await
}

/// What the page's person can do about it; reasons may name what to do at the command line behind a semicolon.
fn not_learned(error: LearnError) -> WebError {
    WebError::Unusable(match error {
        LearnError::NoSurface { reason } => {
            let reason = reason.split(';').next().unwrap_or_default();
            format!(
                "no playing surface was found: {reason}. Drag the four rings to its corners and try again"
            )
        }
        other => other.to_string(),
    })
}

/// A change by hand.
#[derive(Debug, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub(super) enum Act {
    /// Dragged in the picture, from one of its pixels to another.
    Drag {
        line: usize,
        from: [f64; 2],
        to: [f64; 2],
        screen_px: f64,
    },
    Shift {
        line: usize,
        by_mm: [f64; 2],
    },
    Remove {
        line: usize,
    },
    Undo,
}

#[derive(Debug, Deserialize)]
pub(super) struct Changed {
    id: String,
    #[serde(flatten)]
    act: Act,
}

pub(super) async fn change(
    State(site): State<Arc<Site>>,
    Json(Changed { id, act }): Json<Changed>,
) -> Result<Json<Value>, WebError> {
    let setup = site.setup_picture(&id)?;
    blocking(move || {
        with_learned(&setup, |table| {
            let done = match act {
                Act::Drag { line, from, to, screen_px } => {
                    let [from, to] = near_places(&setup, [from, to])?;
                    table.drag(line, from, to, screen_px)
                }
                Act::Shift { line, by_mm: [x, y] } => table.shift(line, Vector::new(x, y), 0.0),
                Act::Remove { line } => table.remove(line),
                Act::Undo => table.undo(),
            };
            done.map_err(WebError::Unusable)?;
            Ok(Json(table.shown()))
        })
    })
    .await
}

fn with_learned<T>(
    setup: &SetupPicture,
    act: impl FnOnce(&mut LearnedTable) -> Result<T, WebError>,
) -> Result<T, WebError> {
    let mut learned = setup.learned.lock().unwrap_or_else(PoisonError::into_inner);
    let none = || WebError::Unusable("find the table's lines first".to_owned());
    act(learned.as_mut().ok_or_else(none)?)
}

#[derive(Debug, Deserialize)]
pub(super) struct Keep {
    id: String,
    name: String,
}

/// Longest name of a board, in characters.
const LONGEST_NAME: usize = 60;

/// Keeps the learned board among the person's own, and plays the next match on it.
pub(super) async fn keep(
    State(site): State<Arc<Site>>,
    Json(Keep { id, name }): Json<Keep>,
) -> Result<Json<Value>, WebError> {
    let setup = site.setup_picture(&id)?;
    blocking(move || {
        let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        let name = name.trim();
        if name.is_empty() {
            return Err(WebError::Unusable("give the table a name".to_owned()));
        }
        let known: Vec<String> = site.boards().into_iter().map(|known| known.board.id).collect();
        let board_id = free_id(name, &known);
        let (_, text) =
            with_learned(&setup, |table| table.named(&board_id, name).map_err(WebError::Unusable))?;
        let broken = |error: &dyn std::fmt::Display| WebError::Broken(error.to_string());
        let library = Library::of_person().map_err(|error| broken(&error))?;
        let named = std::path::Path::new(&board_id);
        let (_, path, _) = library.keep_text(&text, named, false).map_err(|error| broken(&error))?;
        // A running camera stays with its table; the file is kept all the same.
        let refused = set_table(&site, &board_id).err().map(|refused| refused.to_string());
        Ok(Json(json!({
            "board": board_id, "saved": path.display().to_string(), "is_table": refused.is_none(), "why_not": refused,
        })))
    })
    .await
}

/// An id that no board has, from the name's letters and digits.
fn free_id(name: &str, known: &[String]) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let id = if words.is_empty() { "table".to_owned() } else { words.join("-") };
    let is_free = |id: &String| known.iter().all(|known| known != id);
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    std::iter::once(id.clone()).chain(numbered).find(is_free).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain_and_free() {
        let known = ["kitchen".to_owned(), "kitchen-2".to_owned()];
        assert_eq!(free_id("Bob\u{2019}s table (new)", &known), "bob-s-table-new");
        assert_eq!(free_id("Kitchen", &known), "kitchen-3");
        assert_eq!(free_id("../..", &known), "table");
    }

    #[test]
    fn the_near_side_is_the_lower_one_or_the_left_end_of_what_lies_across() {
        let corners = |all: [[f64; 2]; 4]| all.map(|[x, y]| Pixel::new(x, y));
        // Clockwise as seen, from any corner on.
        let square = corners([[500.0, 90.0], [510.0, 490.0], [100.0, 500.0], [110.0, 100.0]]);
        assert_eq!(from_near_left(square)[0], Pixel::new(100.0, 500.0));
        assert_eq!(from_near_left(square)[1], Pixel::new(510.0, 490.0));
        let across = corners([[0.0, 100.0], [900.0, 100.0], [900.0, 200.0], [0.0, 200.0]]);
        let [near_left, near_right, far_right, _] = from_near_left(across);
        assert_eq!(near_left, Pixel::new(0.0, 100.0));
        assert_eq!(near_right, Pixel::new(0.0, 200.0));
        assert_eq!(far_right, Pixel::new(900.0, 200.0));
    }
}
