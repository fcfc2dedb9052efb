//! Places of photos with truth that were looked at: what each shows, and whether a piece lies there.

use super::Thing;
use crate::{
    board::Board,
    capture::Picture,
    detect::{Candidate, Detector, Glance, Looked, Outcome},
    evaluate::{TruePiece, Truth},
    geometry::Point,
    register::Registration,
    score::{Scorer, StageTimes, look_at},
};

/// A place that was looked at.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    pub thing: Thing,
    /// Whether it was taken for a piece.
    pub is_taken: bool,
    /// Whether a piece lies there.
    pub is_piece: bool,
}

/// Things nearer to each other than this part of the radius are one.
const SAME_PART: f64 = 0.5;
/// Pieces of which less is visible may be seen or not: they say nothing.
const LEAST_VISIBLE: f64 = 0.3;
/// Diameters that differ by less are the same, in mm.
const SAME_SIZE_MM: f64 = 1.0;

/// All places of a photo that say something.
pub fn samples_of(picture: &Picture, scorer: &Scorer, truth: &Truth) -> Vec<Sample> {
    let (board, registration) = (&scorer.board, Registration::exact(truth.camera()));
    let camera = &registration.camera;
    let detector = Detector::new(board, camera, camera.image_size, &scorer.options.detect);
    let (_, trace) = detector.detect_with_trace(picture, &[]);
    let places = one_a_place(&trace.looked, board);
    let of = |looked: &Looked| {
        let evidence = looked.evidence?;
        let is_piece = is_piece_there(looked, board, truth)?;
        let candidate = Candidate::on_board(looked.nearest?.0, looked.centre, looked.px?);
        let mut times = StageTimes::default();
        let seen =
            look_at(picture, board, &registration, vec![candidate], &scorer.options, &mut times).pop()?;
        let is_trusted = seen.measured && seen.measurement.trusted;
        Some(Sample {
            thing: Thing { evidence, is_trusted },
            is_taken: looked.outcome == Outcome::Piece,
            is_piece,
        })
    };
    places.into_iter().filter_map(of).collect()
}

/// Of looks at one place and size the one that found a piece, or else the last.
fn one_a_place<'a>(looked: &'a [Looked], board: &Board) -> Vec<&'a Looked> {
    let mut places: Vec<&Looked> = Vec::new();
    let with_face = looked.iter().filter(|look| look.glance != Glance::Voted && look.evidence.is_some());
    for look in with_face {
        let reach_mm = SAME_PART * board.pieces[look.sized_like].radius_mm();
        let is_same = |other: &&mut &Looked| (other.centre - look.centre).norm() < reach_mm;
        match places.iter_mut().find(is_same) {
            Some(other) if other.outcome != Outcome::Piece => *other = look,
            Some(_) => {}
            None => places.push(look),
        }
    }
    places
}

/// `None` where neither yes nor no is right: a piece lies there in part, or moves, or is hidden.
fn is_piece_there(looked: &Looked, board: &Board, truth: &Truth) -> Option<bool> {
    let kind = &board.pieces[looked.sized_like];
    let off_mm = |piece: &TruePiece| (Point::new(piece.x_mm, piece.y_mm) - looked.centre).norm();
    let near: Vec<&TruePiece> = truth
        .pieces
        .iter()
        .filter(|piece| off_mm(piece) < kind.radius_mm() + piece.diameter_mm / 2.0)
        .collect();
    let is_plain = |piece: &&TruePiece| {
        piece.in_view && !piece.moving && piece.visible_fraction.is_none_or(|part| part >= LEAST_VISIBLE)
    };
    let is_it = |piece: &&TruePiece| {
        off_mm(piece) < SAME_PART * kind.radius_mm()
            && (piece.diameter_mm - kind.diameter_mm).abs() < SAME_SIZE_MM
    };
    if near.iter().any(|piece| is_it(piece) && is_plain(piece)) {
        return Some(true);
    }
    near.is_empty().then_some(false)
}
