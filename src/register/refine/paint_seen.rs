//! Where a camera expects the board's paint in a picture, and where it is.

use serde::Serialize;

use super::{
    RefineOptions, View,
    fit::Observation,
    look::{self, OutlineUse},
    size_scale,
};
use crate::{
    board::Board,
    camera::{Camera, Pixel},
    capture::Picture,
};

/// A place of a painted line, as a camera expects it and as a picture shows it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PaintSeen {
    /// Index into [`Board::lines`].
    pub line: usize,
    pub expected: Pixel,
    /// `None` where no paint of that width was found.
    pub seen: Option<Pixel>,
    /// How far beside its expected place, across the line.
    pub off_px: Option<f64>,
}

/// Looks along every line in view.
pub fn paint_seen(
    picture: &Picture,
    board: &Board,
    camera: &Camera,
    options: &RefineOptions,
) -> Vec<PaintSeen> {
    let options = &options.for_board(board);
    let views = [View { picture, pose: 0 }];
    let narrowest_px = options.search_px.last().copied().unwrap_or_default();
    let search_px = narrowest_px * size_scale(camera.image_size);
    let looked = look::look(&views, board, &[*camera], search_px, OutlineUse::Nothing, options);
    let expected = look::expected_by(0, camera, board, options);
    expected.iter().map(|expected| of_place(expected, &looked.found)).collect()
}

fn of_place(expected: &Observation, found: &[Observation]) -> PaintSeen {
    let is_there = |seen: &&Observation| seen.group == expected.group && seen.edges == expected.edges;
    let seen = found.iter().find(is_there);
    PaintSeen {
        line: expected.group,
        expected: expected.seen,
        seen: seen.map(|seen| seen.seen),
        off_px: seen.map(|seen| (seen.seen - expected.seen).dot(&expected.across)),
    }
}
