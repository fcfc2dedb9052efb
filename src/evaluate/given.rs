//! Scoring with something else in place of detection: the true pieces, a little off, which leaves
//! the errors of measuring alone; or the OpenCV peer.

use std::time::Instant;

use super::{
    TruePhoto,
    peer::{Peer, PeerOptions},
    truth::TruePiece,
};
use crate::{
    board::Board,
    camera::Camera,
    capture::Picture,
    detect::Candidate,
    geometry::{Point, Vector},
    score::{Known, ScoreError, Scored, Scorer, Sight, StageTimes, look_at},
};

/// How far the given places lie off the truth: what detection promises.
const OFF_BY_MM: f64 = 1.2;

pub(super) fn score_given(
    photo: &TruePhoto,
    scorer: &Scorer,
    picture: &Picture,
    known: &Known,
    times: &mut StageTimes,
) -> Result<Scored, ScoreError> {
    let registration = scorer.register(picture, known)?;
    let candidates = photo
        .truth
        .pieces
        .iter()
        .filter(|piece| piece.in_view)
        .enumerate()
        .filter_map(|(index, piece)| candidate(index, piece, &scorer.board, &registration.camera))
        .collect();
    let pieces = look_at(picture, &scorer.board, &registration, candidates, &scorer.options, times);
    Ok(scorer.call(&photo.name, registration, Sight { pieces, ..Sight::default() }, times))
}

/// The peer's circles through the same calls and tally, with the true camera.
pub(super) fn score_by_peer(
    photo: &TruePhoto,
    scorer: &Scorer,
    picture: &Picture,
    known: &Known,
    times: &mut StageTimes,
) -> Result<Scored, String> {
    let registration = scorer.register(picture, known).map_err(|e| e.to_string())?;
    let peer = Peer::new(&scorer.board, &registration.camera, PeerOptions::default())
        .map_err(|error| format!("the peer cannot be prepared: {error}"))?;
    let started = Instant::now();
    let pieces = peer.find(picture).map_err(|error| format!("the peer failed: {error}"))?;
    times.detect_secs = started.elapsed().as_secs_f64();
    Ok(scorer.call(&photo.name, registration, Sight { pieces, ..Sight::default() }, times))
}

fn candidate(index: usize, piece: &TruePiece, board: &Board, camera: &Camera) -> Option<Candidate> {
    let kind = board.pieces.iter().position(|kind| kind.name == piece.colour)?;
    // The golden angle spreads the directions evenly, the same in every run.
    let direction = index as f64 * 2.399_963_229_728_653;
    let centre =
        Point::new(piece.x_mm, piece.y_mm) + Vector::new(direction.cos(), direction.sin()) * OFF_BY_MM;
    let top_mm = piece.z_mm + board.pieces[kind].height_mm;
    Some(Candidate {
        kind,
        centre,
        base_mm: piece.z_mm,
        base_sigma_mm: 0.0,
        stacked: piece.stacked_on.is_some(),
        kind_probability: 1.0,
        px: camera.image_from_board(centre.x, centre.y, top_mm)?,
        evidence: None,
    })
}
