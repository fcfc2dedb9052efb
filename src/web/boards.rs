//! The boards, as pages draw them. Asked for by id only: a request names no file.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
};
use serde_json::{Value, json};

use super::{Site, failure::WebError};
use crate::{
    board::{Board, BoardFile, PrintRegion},
    geometry::{Paint, Point},
};

impl Site {
    /// A board by its id: of the match, given when the program was started, or shipped.
    pub(super) fn board(&self, id: &str) -> Result<Arc<Board>, WebError> {
        let of_match = self.desk.with_record(|record| record.state().setup().board.clone());
        if let Some(board) = of_match.filter(|board| board.id == id) {
            return Ok(board);
        }
        let unknown = || WebError::NotFound(format!("no board is called {id:?}"));
        self.boards().into_iter().find(|board| board.id == id).map(Arc::new).ok_or_else(unknown)
    }

    /// The text of a board, to be kept beside what is measured with it.
    pub(super) fn board_file(&self, id: &str) -> Result<BoardFile, WebError> {
        let given = self.options.boards.iter().find(|file| file.board().is_ok_and(|board| board.id == id));
        if let Some(file) = given {
            return Ok(file.clone());
        }
        let shipped = self.boards().iter().any(|board| board.id == id);
        if !shipped {
            return Err(WebError::NotFound(format!("no board is called {id:?}")));
        }
        BoardFile::named_or_at(id).map_err(|error| WebError::Broken(error.to_string()))
    }

    /// Every board that can be chosen; one that was given stands before a shipped one of its id.
    pub(super) fn boards(&self) -> Vec<Board> {
        let given: Vec<Board> = self.options.boards.iter().filter_map(|file| file.board().ok()).collect();
        let shipped = Board::shipped().unwrap_or_default();
        let others = shipped.into_iter().filter(|board| given.iter().all(|known| known.id != board.id));
        given.iter().cloned().chain(others).collect()
    }
}

pub(super) async fn list(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(json!({ "boards": names(&site) }))
}

/// The boards by name, for a choice.
pub(super) fn names(site: &Site) -> Vec<Value> {
    let name = |board: &Board| json!({ "id": board.id, "name": board.name, "games": board.games, "two_ended": board.is_two_ended() });
    site.boards().iter().map(name).collect()
}

pub(super) async fn board(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, WebError> {
    Ok(Json(drawn(&*site.board(&id)?)))
}

/// Everything that is painted, in mm.
fn drawn(board: &Board) -> Value {
    let surface = &board.surface;
    let lines = board.lines.iter().map(|line| {
        json!({
            "name": line.name, "role": line.role, "end": line.end, "colour": line.colour.to_string(),
            "fill": line.fill.map(|fill| fill.to_string()), "optional": line.optional, "paint": paint(&line.paint),
        })
    });
    let areas = board.areas.iter().map(|area| {
        json!({
            "name": area.name, "value": area.value, "end": area.end, "clears": area.clears,
            "polygon": area.polygon.vertices().iter().map(place).collect::<Vec<_>>(),
        })
    });
    let pieces = board.pieces.iter().map(|kind| {
        json!({
            "name": kind.name, "diameter_mm": kind.diameter_mm, "height_mm": kind.height_mm, "count": kind.count,
            "colour": kind.colour.to_string(), "shooter": kind.shooter,
        })
    });
    let numerals = board.numerals.iter().map(|numeral| {
        json!({
            "text": numeral.text, "centre": place(&numeral.centre), "height_mm": numeral.height_mm,
            "angle_deg": numeral.angle_deg, "colour": numeral.colour.to_string(), "optional": numeral.optional,
        })
    });
    let prints = board.prints.iter().map(|print| {
        let colours: Vec<_> = print.colours.iter().map(|colour| colour.to_string()).collect();
        json!({ "name": print.name, "region": region(&print.region), "colours": colours, "optional": print.optional })
    });
    let gutters = board.gutters.iter().map(|gutter| {
        json!({
            "side": gutter.side, "width_mm": gutter.width_mm, "depth_mm": gutter.depth_mm,
            "colour": gutter.colour.to_string(),
        })
    });
    let rails = board.rails.iter().map(|rail| {
        json!({ "side": rail.side, "width_mm": rail.width_mm, "height_mm": rail.height_mm, "colour": rail.colour.to_string() })
    });
    let pockets =
        board.pockets.iter().map(|p| json!({ "centre": place(&p.centre), "radius_mm": p.radius_mm }));
    json!({
        "id": board.id,
        "name": board.name,
        "games": board.games,
        "surface": {
            "width_mm": surface.width_mm, "length_mm": surface.length_mm, "ends": surface.ends,
            "colour": surface.colour.to_string(), "unseen": surface.unseen,
        },
        "lines": lines.collect::<Vec<_>>(),
        "areas": areas.collect::<Vec<_>>(),
        "hanging": board.hanging.as_ref().map(|hanging| json!({ "area": hanging.area, "value": hanging.value })),
        "pockets": pockets.collect::<Vec<_>>(),
        "rails": rails.collect::<Vec<_>>(),
        "gutters": gutters.collect::<Vec<_>>(),
        "pieces": pieces.collect::<Vec<_>>(),
        "numerals": numerals.collect::<Vec<_>>(),
        "prints": prints.collect::<Vec<_>>(),
    })
}

fn place(point: &Point) -> [f64; 2] {
    [point.x, point.y]
}

fn region(region: &PrintRegion) -> Value {
    match region {
        PrintRegion::Disc { centre, radius_mm } => {
            json!({ "shape": "disc", "centre": place(centre), "radius_mm": radius_mm })
        }
        PrintRegion::Polygon(polygon) => {
            json!({ "shape": "polygon", "polygon": polygon.vertices().iter().map(place).collect::<Vec<_>>() })
        }
    }
}

fn paint(paint: &Paint) -> Value {
    match paint {
        Paint::Stroke { from, to, width_mm } => {
            json!({ "shape": "stroke", "from": place(from), "to": place(to), "width_mm": width_mm })
        }
        Paint::Ring { centre, radius_mm, width_mm } => {
            json!({ "shape": "ring", "centre": place(centre), "radius_mm": radius_mm, "width_mm": width_mm })
        }
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => json!({
            "shape": "arc", "centre": place(centre), "radius_mm": radius_mm, "width_mm": width_mm,
            "start_rad": start_rad, "sweep_rad": sweep_rad,
        }),
        Paint::Spot { centre, radius_mm } => {
            json!({ "shape": "spot", "centre": place(centre), "radius_mm": radius_mm })
        }
    }
}
