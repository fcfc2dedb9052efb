//! The board to scale with all pieces, lying on its side: where the call is on the board.

use super::{Evidence, Plan, PlanDisc, Question, place, words};
use crate::{
    annotate::seen_range,
    geometry::{Point, Vector},
};

/// What is shown around the surface: pieces hang over its ends.
const MARGIN_MM: f64 = 22.0;

pub(super) fn plan(evidence: &Evidence, question: &Question) -> Plan {
    let board = evidence.board;
    let (low, high) = seen_range(board, &evidence.scored.registration.camera);
    let margin = Vector::repeat(MARGIN_MM);
    let (surface, low, high) = ([low, high], low - margin, high + margin);
    // Lying down, unless it is square, and turned as the photo shows it.
    let lies = board.surface.length_mm > 1.5 * board.surface.width_mm;
    let size_mm = if lies { [high.y - low.y, high.x - low.x] } else { [high.x - low.x, high.y - low.y] };
    let is_turned = is_upside_down(evidence, nalgebra::center(&low, &high), lies);
    let at = |p: Point| {
        let [x, y] = if lies { [p.y - low.y, p.x - low.x] } else { [p.x - low.x, high.y - p.y] };
        if is_turned { [size_mm[0] - x, size_mm[1] - y] } else { [x, y] }
    };
    let paint = board
        .lines
        .iter()
        .flat_map(|line| place::outlines(&line.paint, 0.0))
        .map(|outline| coarse(&outline).into_iter().map(at).collect())
        .collect();
    let pockets = board
        .pockets
        .iter()
        .map(|pocket| PlanDisc {
            centre: at(pocket.centre),
            radius_mm: pocket.radius_mm,
            colour: [0; 3],
            name: String::new(),
            marked: false,
        })
        .collect();
    let about = |index: usize| match *question {
        Question::Order { piece, against } => index == piece || index == against,
        _ => index == question.piece(),
    };
    let pieces = evidence
        .scored
        .seen
        .iter()
        .enumerate()
        .map(|(index, seen)| {
            let kind = &board.pieces[seen.candidate.kind];
            PlanDisc {
                centre: at(seen.measurement.centre),
                radius_mm: kind.radius_mm(),
                colour: kind.colour.0,
                name: words::piece(evidence, index),
                marked: about(index),
            }
        })
        .collect();
    let surface = surface.map(at);
    Plan { size_mm, surface, paint, pockets, pieces }
}

/// Whether the photo shows the far end to the left of the near one, or below it where the plan stands.
fn is_upside_down(evidence: &Evidence, middle: Point, lies: bool) -> bool {
    let camera = &evidence.scored.registration.camera;
    let pixel = |p: Point| camera.image_from_board(p.x, p.y, 0.0);
    let Some((here, farther)) = pixel(middle).zip(pixel(middle + Vector::y())) else { return false };
    let along = farther - here;
    if lies { along.x < 0.0 } else { along.y > 0.0 }
}

/// Straight stretches need no points between their ends.
fn coarse(outline: &[Point]) -> Vec<Point> {
    const BEND_MM: f64 = 0.05;
    let mut kept: Vec<Point> = Vec::new();
    for (index, point) in outline.iter().enumerate() {
        let straight = match (kept.last(), outline.get(index + 1)) {
            (Some(before), Some(after)) => {
                (crate::geometry::nearest_on_segment(*point, *before, *after) - point).norm() < BEND_MM
            }
            _ => false,
        };
        if !straight {
            kept.push(*point);
        }
    }
    kept
}
