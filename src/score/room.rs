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

crate::options::options! {
    #[derive(Debug, Clone)]
    pub struct RoomOptions {
        /// How far from the middle of one piece another one's middle may be to lie on it, as part of the lower one's radius.
        /// Default 1: from there on it would fall. A piece that was taken to lie on another one and is farther from all lies on the
        /// board, if there is room for it.
        pub carried_part: f64 = 1.0,
        /// How deep two pieces on the board may overlap by their measured places, in mm and in standard deviations of their
        /// distance. Default 0.5 and 3: pieces of one set differ by tenths. Those that overlap more are not trusted: one of the two
        /// is not what it was taken for.
        pub overlap_max_mm: f64 = 0.5,
        pub overlap_max_sigmas: f64 = 3.0,
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use nalgebra::Matrix2;

    use super::*;
    use crate::{
        camera::Pixel,
        geometry::Point,
        measure::{ByCamera, Measurement},
    };

    const EYE: Point3<f64> = Point3::new(370.0, 370.0, 900.0);

    fn board() -> Board {
        Board::named_or_at("carrom-icf").unwrap()
    }

    /// A man of the first kind, 31 mm wide and 8 mm high.
    fn man(x_mm: f64, base_mm: f64, sigma_mm: f64) -> Seen {
        let (centre, px) = (Point::new(x_mm, 100.0), Pixel::new(0.0, 0.0));
        let own = Matrix2::identity() * sigma_mm.powi(2);
        let stacked = base_mm > 0.0;
        let candidate = Candidate { base_mm, stacked, ..Candidate::on_board(0, centre, px) };
        let measurement = Measurement {
            centre,
            covariance: own,
            own,
            by_camera: ByCamera::zeros(),
            px,
            px_radius: 20.0,
            trusted: true,
        };
        Seen::exact(candidate, measurement)
    }

    fn trusted(mut seen: Vec<Seen>) -> Vec<bool> {
        doubt_what_overlaps(&mut seen, &board(), &RoomOptions::default());
        seen.iter().map(|seen| seen.measurement.trusted).collect()
    }

    #[test]
    fn men_in_one_place_are_not_trusted() {
        assert_eq!(
            trusted(vec![man(100.0, 0.0, 0.1), man(128.0, 0.0, 0.1), man(200.0, 0.0, 0.1)]),
            [false, false, true]
        );
        assert_eq!(trusted(vec![man(100.0, 0.0, 0.1), man(130.9, 0.0, 0.1)]), [true, true], "they touch");
        assert_eq!(
            trusted(vec![man(100.0, 0.0, 0.1), man(128.0, 0.0, 2.0)]),
            [true, true],
            "nobody knows where"
        );
        assert_eq!(
            trusted(vec![man(100.0, 0.0, 0.1), man(105.0, 8.0, 0.1)]),
            [true, true],
            "one lies on the other"
        );
    }

    #[test]
    fn what_nothing_carries_is_put_on_the_board_where_it_is_seen() {
        let options = RoomOptions::default();
        let carried = [man(100.0, 0.0, 0.1), man(112.0, 8.0, 0.1)];
        assert!(laid_down(1, &carried, &board(), EYE, &options).is_none());
        assert!(laid_down(0, &carried, &board(), EYE, &options).is_none(), "it lies on the board");
        let beside = [man(100.0, 0.0, 0.1), man(128.0, 8.0, 0.1)];
        let lying = laid_down(1, &beside, &board(), EYE, &options).unwrap().remove(1);
        assert_eq!((lying.base_mm, lying.stacked), (0.0, false));
        // From 242 mm beside it and 900 mm above, 8 mm lower is 2.2 mm farther away.
        assert!((lying.centre - Point::new(125.83, 97.58)).norm() < 0.1, "{:?}", lying.centre);
    }
}
