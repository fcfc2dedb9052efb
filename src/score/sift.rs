//! Which of the things that were found are pieces, now that they are measured.
//!
//! In: measured pieces, and what detection left out. Out: the pieces that are likelier there than not, no more of a kind than the
//! board has, and what is left out, each with how likely it is a piece all the same. Of more than there are the most certain
//! are kept: a measurement that held is never pushed out by one that did not.

use super::Seen;
use crate::{
    board::Board,
    camera::Camera,
    detect::{Candidate, Foreign, ForeignReason},
};

/// What is one too many is never taken to be there: it would be there instead of another.
const LESS_THAN_HALF: f64 = 0.499;

/// Things that were too many of a kind of which some piece is now in doubt: they are to be measured too.
pub(super) fn worth_measuring(
    pieces: &[Seen],
    foreign: &[Foreign],
    board: &Board,
    camera: &Camera,
) -> Vec<Candidate> {
    let is_open =
        |kind: usize| pieces.iter().any(|seen| seen.candidate.kind == kind && !seen.measurement.trusted);
    let surplus = foreign.iter().filter(|thing| thing.reason == ForeignReason::TooMany);
    let candidate = |thing: &Foreign| {
        let (kind, at) = (thing.sized_like, thing.centre);
        let px = camera.image_from_board(at.x, at.y, board.pieces.get(kind)?.height_mm)?;
        Some(Candidate { existence: thing.existence, ..Candidate::on_board(kind, at, px) })
    };
    surplus.filter(|thing| is_open(thing.sized_like)).filter_map(candidate).collect()
}

/// Parts measured things into pieces and what is left out.
pub(super) fn sift(pieces: Vec<Seen>, foreign: Vec<Foreign>, board: &Board) -> (Vec<Seen>, Vec<Foreign>) {
    let mut left_out: Vec<Foreign> =
        foreign.into_iter().filter(|thing| !pieces.iter().any(|seen| is_same(seen, thing, board))).collect();
    let (mut there, doubtful): (Vec<Seen>, Vec<Seen>) =
        pieces.into_iter().partition(|seen| seen.p_exists() >= 0.5);
    let reason = |seen: &Seen| match seen.existence().is_rather_print() {
        true => ForeignReason::Print,
        false => ForeignReason::Unclear,
    };
    let worth_a_word = doubtful.iter().filter(|seen| seen.existence().is_worth_a_word());
    left_out.extend(worth_a_word.map(|seen| as_foreign(seen, reason(seen))));
    for (kind, allowed) in board.pieces.iter().map(|kind| kind.count).enumerate() {
        let certain = |i: &usize| there[*i].p_exists();
        let mut of_kind: Vec<usize> = (0..there.len()).filter(|&i| there[i].candidate.kind == kind).collect();
        if of_kind.len() <= allowed {
            continue;
        }
        of_kind.sort_by(|a, b| certain(b).total_cmp(&certain(a)).then(a.cmp(b)));
        let mut too_many = of_kind.split_off(allowed);
        too_many.sort_unstable();
        for i in too_many.into_iter().rev() {
            left_out.push(as_foreign(&there.remove(i), ForeignReason::TooMany));
        }
    }
    (there, left_out)
}

/// How likely something that was left out is a piece all the same: one too many of a kind only instead of the least certain of
/// those that were kept.
pub(super) fn p_left_out(thing: &Foreign, pieces: &[Seen], board: &Board) -> f64 {
    let p = thing.existence.probability();
    if thing.reason != ForeignReason::TooMany {
        return p;
    }
    let of_kind = || pieces.iter().filter(|seen| seen.candidate.kind == thing.sized_like);
    let weakest = of_kind().map(Seen::p_exists).fold(1.0, f64::min);
    let is_full = board.pieces.get(thing.sized_like).is_some_and(|kind| of_kind().count() >= kind.count);
    match is_full {
        false => 0.0,
        true => {
            // Either may be the one that is none, and there are no more.
            let (instead, as_kept) = (p * (1.0 - weakest), weakest * (1.0 - p));
            let sum = instead + as_kept;
            if sum > 0.0 { (instead / sum).min(LESS_THAN_HALF) } else { LESS_THAN_HALF }
        }
    }
}

fn is_same(seen: &Seen, thing: &Foreign, board: &Board) -> bool {
    let radius_mm = board.pieces[seen.candidate.kind].radius_mm();
    (seen.measurement.centre - thing.centre).norm() < radius_mm
}

fn as_foreign(seen: &Seen, reason: ForeignReason) -> Foreign {
    Foreign {
        centre: seen.measurement.centre,
        reason,
        sized_like: seen.candidate.kind,
        face_stops: [0.0; 3],
        existence: seen.existence(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use nalgebra::Matrix2;

    use super::*;
    use crate::{
        camera::Pixel,
        detect::Existence,
        geometry::Point,
        measure::{ByCamera, Measurement},
    };

    fn queen(x_mm: f64, against_clutter: f64, trusted: bool) -> Seen {
        let (centre, px) = (Point::new(x_mm, 200.0), Pixel::new(0.0, 0.0));
        let own = Matrix2::identity();
        let by_camera = ByCamera::zeros();
        let measurement =
            Measurement { centre, covariance: own, own, by_camera, px, px_radius: 20.0, trusted };
        let existence = Existence { against_clutter, ..Existence::CERTAIN };
        Seen::exact(Candidate { existence, ..Candidate::on_board(2, centre, px) }, measurement)
    }

    #[test]
    fn one_that_is_not_trusted_never_pushes_a_trusted_one_out() {
        let board = Board::named_or_at("carrom-icf").unwrap();
        for (first, second) in [(true, false), (false, true)] {
            let (there, left_out) =
                sift(vec![queen(100.0, 4.0, first), queen(300.0, 4.0, second)], Vec::new(), &board);
            assert_eq!(there.len(), 1);
            assert!(there[0].measurement.trusted);
            assert_eq!(left_out[0].reason, ForeignReason::TooMany);
            let p = p_left_out(&left_out[0], &there, &board);
            assert!((0.0..0.1).contains(&p), "{p}");
        }
    }

    #[test]
    fn of_two_as_certain_either_may_be_the_one() {
        let board = Board::named_or_at("carrom-icf").unwrap();
        let (there, left_out) =
            sift(vec![queen(100.0, 4.0, true), queen(300.0, 4.0, true)], Vec::new(), &board);
        assert!((p_left_out(&left_out[0], &there, &board) - 0.5).abs() < 0.01);
    }

    #[test]
    fn what_is_likelier_none_is_left_out_with_its_reason() {
        let board = Board::named_or_at("carrom-icf").unwrap();
        let (there, left_out) =
            sift(vec![queen(100.0, 1.0, false), queen(300.0, -9.0, false)], Vec::new(), &board);
        assert!(there.is_empty());
        assert_eq!(left_out.len(), 1, "one with no chance is not worth a word");
        assert_eq!(left_out[0].reason, ForeignReason::Unclear);
    }
}
