//! Pieces are solid: what that says of those that were measured.
//!
//! In: measured pieces. Out: a piece put on the board where nothing carries it, and less trust in two that would be in one
//! place. Detection only has rough places; here they are exact.

use nalgebra::Point3;

use super::Seen;
use crate::{
    board::Board,
    detect::{Candidate, seen_at},
};

#[derive(Debug, Clone)]
pub struct RoomOptions {
    /// How far from the middle of one piece another one's middle may be to lie on it, as part of the lower one's radius.
    /// Default 1: from there on it would fall. A piece that was taken to lie on another one and is farther from all lies on the
    /// board, if there is room for it.
    pub carried_part: f64,
    /// How deep two pieces on the board may overlap by their measured places, in mm and in standard deviations of their
    /// distance. Default 0.5 and 3: pieces of one set differ by tenths. Those that overlap more are not trusted: one of the two
    /// is not what it was taken for.
    pub overlap_max_mm: f64,
    pub overlap_max_sigmas: f64,
}

impl Default for RoomOptions {
    fn default() -> Self {
        Self { carried_part: 1.0, overlap_max_mm: 0.5, overlap_max_sigmas: 3.0 }
    }
}

/// All pieces, with one that was taken to lie on another one put on the board in the same place of the picture: the rough
/// places of pieces that touch may overlap. `None` for one that lies on the board or is carried.
pub(super) fn laid_down(
    piece: usize,
    seen: &[Seen],
    board: &Board,
    eye: Point3<f64>,
    options: &RoomOptions,
) -> Option<Vec<Candidate>> {
    let (candidate, centre) = (&seen[piece].candidate, seen[piece].measurement.centre);
    let is_carried_by = |other: usize| {
        let off_mm = (seen[other].measurement.centre - centre).norm();
        other != piece && off_mm <= options.carried_part * radius_mm(&seen[other], board)
    };
    if !candidate.stacked || (0..seen.len()).any(is_carried_by) {
        return None;
    }
    let height_mm = board.pieces[candidate.kind].height_mm;
    let lying = Candidate {
        centre: seen_at(centre, candidate.base_mm + height_mm, height_mm, eye),
        base_mm: 0.0,
        stacked: false,
        ..candidate.clone()
    };
    let mut candidates: Vec<Candidate> = seen.iter().map(|seen| seen.candidate.clone()).collect();
    candidates[piece] = lying;
    Some(candidates)
}

/// Two pieces on the board cannot be in one place: where they would be, neither is trusted.
pub(super) fn doubt_what_overlaps(seen: &mut [Seen], board: &Board, options: &RoomOptions) {
    let doubtful: Vec<usize> = (0..seen.len()).filter(|&i| !is_free(i, seen, board, options)).collect();
    doubtful.into_iter().for_each(|i| seen[i].measurement.trusted = false);
}

/// Whether no two pieces on the board, one of them this, overlap by more than their places are uncertain.
pub(super) fn is_free(piece: usize, seen: &[Seen], board: &Board, options: &RoomOptions) -> bool {
    let is_other = |i: usize| i != piece && !seen[i].candidate.stacked;
    seen[piece].candidate.stacked
        || !(0..seen.len()).any(|i| is_other(i) && overlap(&seen[piece], &seen[i], board, options))
}

fn overlap(a: &Seen, b: &Seen, board: &Board, options: &RoomOptions) -> bool {
    let between = b.measurement.centre - a.measurement.centre;
    let deep_mm = radius_mm(a, board) + radius_mm(b, board) - between.norm();
    if deep_mm <= options.overlap_max_mm {
        return false;
    }
    let Some(way) = between.try_normalize(f64::MIN_POSITIVE) else { return true };
    // What the camera adds moves both alike.
    let variance = way.dot(&((a.measurement.own + b.measurement.own) * way));
    deep_mm > options.overlap_max_mm + options.overlap_max_sigmas * variance.max(0.0).sqrt()
}

fn radius_mm(seen: &Seen, board: &Board) -> f64 {
    board.pieces[seen.candidate.kind].radius_mm()
}
