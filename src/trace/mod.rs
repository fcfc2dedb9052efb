//! What every stage saw of one photo, for people who ask why.
//!
//! In: a photo, and what it is scored by. Out: a [`SearchTrace`] of how the board was looked for, and a [`PiecesTrace`] of what was
//! looked at on it; both as pictures and JSON in a folder ([`write_search`], [`write_pieces`]), and an [`Answer`] to what
//! was seen at a place of the photo. The stages are asked again for it: nothing here changes a score.

mod draw;
mod files;
mod why;

pub use files::{TraceTo, write_pieces, write_search};
pub use why::Answer;

use crate::{
    board::Board,
    camera::Pixel,
    capture::Picture,
    detect::{DetectTrace, Detector},
    geometry::Point,
    measure::{EdgeSeen, measure_with_edges},
    outline::{SurfaceOutline, surface_outlines},
    register::{FindTrace, PaintSeen, Registration, find_board_with_trace, paint_seen},
    score::{Scorer, Sight, StageTimes, look},
};

/// How the board was looked for.
pub struct SearchTrace {
    /// What has the outline of a playing surface, the plainest first.
    pub outlines: Vec<SurfaceOutline>,
    /// By its lines.
    pub lines: FindTrace,
    /// Why its lines did not find it.
    pub refused: Option<String>,
}

impl SearchTrace {
    pub fn of(picture: &Picture, scorer: &Scorer) -> Self {
        let find = &scorer.options.find;
        let mut lines = FindTrace::default();
        let found = find_board_with_trace(picture, &scorer.board, find, &mut lines);
        Self {
            outlines: surface_outlines(picture, &find.outline),
            lines,
            refused: found.err().map(|error| error.to_string()),
        }
    }
}

/// What was looked at on a board that was found.
pub struct PiecesTrace {
    /// As it was found to be.
    pub board: Board,
    pub registration: Registration,
    /// Where its paint was expected, and where it is.
    pub paint: Vec<PaintSeen>,
    pub detect: DetectTrace,
    pub sight: Sight,
    /// The edges that each piece was measured by, in the order of the sight's pieces.
    pub edges: Vec<Vec<EdgeSeen>>,
}

impl PiecesTrace {
    /// `asked`: places of the photo that are looked at whatever is seen there.
    pub fn of(picture: &Picture, scorer: &Scorer, registration: &Registration, asked: &[Pixel]) -> Self {
        let as_found = scorer.as_found(registration);
        let Scorer { board, options, .. } = as_found.as_ref().unwrap_or(scorer);
        let camera = &registration.camera;
        let places: Vec<Point> =
            asked.iter().filter_map(|px| camera.board_from_image(px.x, px.y, 0.0)).collect();
        let detector = Detector::new(board, camera, camera.image_size, &options.detect);
        let (_, detect) = detector.detect_with_trace(picture, &places);
        let sight = look(picture, board, registration, &detector, options, &mut StageTimes::default());
        let candidates: Vec<_> = sight.pieces.iter().map(|seen| seen.candidate.clone()).collect();
        let (_, edges) = measure_with_edges(picture, board, registration, &candidates, &options.measure);
        Self {
            paint: paint_seen(picture, board, camera, &options.refine),
            board: board.clone(),
            registration: registration.clone(),
            detect,
            sight,
            edges,
        }
    }
}
