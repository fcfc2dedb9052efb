//! The boards, as pages draw them. Asked for by id only: a request names no file.

use std::{io::Cursor, path::PathBuf, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    Site,
    failure::{WebError, blocking},
};
use crate::{
    board::{Board, BoardFile, KnownBoard, Library, Origin, PrintRegion},
    draw::{board_picture, rasterise},
    geometry::{Paint, Point},
};

impl Site {
    /// A board by its id: of the match, given when the program was started, a person's own, or shipped.
    pub(super) fn board(&self, id: &str) -> Result<Arc<Board>, WebError> {
        let of_match = self.desk.with_record(|record| record.state().setup().board.clone());
        if let Some(board) = of_match.filter(|board| board.id == id) {
            return Ok(board);
        }
        let known = self.boards().into_iter().find(|known| known.board.id == id);
        known
            .map(|known| Arc::new(known.board))
            .ok_or_else(|| WebError::NotFound(format!("no board is called {id:?}")))
    }

    /// The text of a board, to be kept beside what is measured with it.
    pub(super) fn board_file(&self, id: &str) -> Result<BoardFile, WebError> {
        let given = self.options.boards.iter().find(|file| file.board().is_ok_and(|board| board.id == id));
        if let Some(file) = given {
            return Ok(file.clone());
        }
        let known = self.boards().into_iter().find(|known| known.board.id == id);
        let known = known.ok_or_else(|| WebError::NotFound(format!("no board is called {id:?}")))?;
        let name = match &known.origin {
            Origin::Own(path) => path.display().to_string(),
            Origin::Shipped => id.to_owned(),
        };
        BoardFile::named_or_at(&name).map_err(|error| WebError::Broken(error.to_string()))
    }

    /// Every board that can be chosen; of two with one id the first stands: given, own, shipped.
    pub(super) fn boards(&self) -> Vec<KnownBoard> {
        let given = self.options.boards.iter().filter_map(|file| file.board().ok());
        let given = given.map(|board| KnownBoard { board, origin: Origin::Own(PathBuf::new()) });
        let library = Library::of_person().unwrap_or_default();
        let mut known: Vec<KnownBoard> = Vec::new();
        for next in given.chain(library.boards) {
            if known.iter().all(|before| before.board.id != next.board.id) {
                known.push(next);
            }
        }
        known
    }

    /// The board that a running camera is set up for.
    pub(super) fn watched_board(&self) -> Option<String> {
        match &self.options.home {
            Some(home) => home.watcher.view().board,
            None => {
                self.options.take_camera.as_ref().and_then(|_| self.table()).map(|table| table.id.clone())
            }
        }
    }

    /// The table that the next match is played on, where one was chosen.
    pub(super) fn table(&self) -> Option<Arc<Board>> {
        self.desk.board().and_then(|file| file.board().ok()).map(Arc::new)
    }
}

pub(super) async fn list(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(json!({ "boards": names(&site) }))
}

/// The boards by name, for a choice.
pub(super) fn names(site: &Site) -> Vec<Value> {
    let name = |known: &KnownBoard| {
        let board = &known.board;
        json!({
            "id": board.id, "name": board.name, "games": board.games, "two_ended": board.is_two_ended(),
            "own": known.origin != Origin::Shipped, "width_mm": board.surface.width_mm, "length_mm": board.surface.length_mm,
            "picture": format!("/api/boards/{}/picture", board.id),
        })
    };
    site.boards().iter().map(name).collect()
}

/// A board's picture is so many pixels along its longer side: sharp on a tile, small to send.
const PICTURE_PX: f64 = 640.0;
/// Boards so many times as long as wide are shown lying.
const LYING_RATIO: f64 = 1.6;

/// The board seen from above, for people who look for theirs.
pub(super) async fn picture(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let board = site.board(&id)?;
    blocking(move || {
        let broken = |error: &dyn std::fmt::Display| WebError::Broken(error.to_string());
        let drawn = board_picture(&board);
        // Whole pixels: parts of one would be rounded up.
        let scale = (PICTURE_PX - 0.01) / drawn.width().max(drawn.height());
        let mut picture = rasterise(&drawn, scale).map_err(|error| broken(&error))?;
        if drawn.height() > LYING_RATIO * drawn.width() {
            picture = image::imageops::rotate90(&picture);
        }
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).map_err(|error| broken(&error))?;
        Ok(([(header::CONTENT_TYPE, "image/png")], bytes.into_inner()).into_response())
    })
    .await
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
