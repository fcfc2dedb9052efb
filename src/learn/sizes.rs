//! How large the pieces are, as scoring will see them.
//!
//! Round things on the rectified surface take in walls, shadows and what lies beside them, so they are a little too large. In:
//! what they say. Out: the diameter whose rim the picture shows best at the places where they lie.

use super::{LearnOptions, assemble, discs::Disc, discs::LearnedPieces};
use crate::{
    board::Board,
    camera::Camera,
    capture::Picture,
    detect::{DetectOptions, Detector, Quantity},
    geometry::Point,
};

/// `pieces` with the diameter, near theirs, whose rims are seen most.
pub(super) fn with_seen_rims(
    pieces: LearnedPieces,
    picture: &Picture,
    camera: &Camera,
    board: &Board,
    discs: &[Disc],
    options: &LearnOptions,
) -> LearnedPieces {
    let Some(rough_mm) = pieces.diameter_mm else { return pieces };
    let is_alike = |disc: &&Disc| (disc.diameter_mm / rough_mm).ln().abs() < options.same_size;
    let places: Vec<Point> = discs.iter().filter(is_alike).map(|disc| disc.centre).collect();
    let tried: Vec<(f64, f64)> = options
        .tried_sizes()
        .map(|share| {
            let diameter_mm = Some(rough_mm * share);
            let sized = LearnedPieces { diameter_mm, shooter_mm: None, ..pieces.clone() };
            let mut board = board.clone();
            assemble::settle_pieces(&mut board, &sized, options.least_accuracy_mm);
            board.pieces.retain(|kind| !kind.shooter);
            (share, rims_seen(picture, camera, &board, &places))
        })
        .collect();
    let most = tried.iter().map(|(_, seen)| *seen).fold(0.0, f64::max);
    // The middle of all that are nearly as good: rims are seen over a range of sizes.
    let good = || tried.iter().filter(|(_, seen)| *seen >= options.nearly_seen * most);
    let weight: f64 = good().map(|(_, seen)| seen).sum();
    if weight <= 0.0 {
        return pieces;
    }
    let share = good().map(|(share, seen)| share * seen).sum::<f64>() / weight;
    LearnedPieces {
        diameter_mm: Some(rough_mm * share),
        shooter_mm: pieces.shooter_mm.map(|mm| mm * share),
        ..pieces
    }
}

/// Parts of rims that are seen at the places, summed.
fn rims_seen(picture: &Picture, camera: &Camera, board: &Board, places: &[Point]) -> f64 {
    let detector = Detector::new(board, camera, picture.size(), &DetectOptions::default());
    let (_, trace) = detector.detect_with_trace(picture, places);
    let best_near = |place: &Point| {
        let near = trace.looked.iter().filter(|looked| {
            let diameter_mm = board.pieces[looked.sized_like].diameter_mm;
            (looked.centre - place).norm() < diameter_mm
        });
        let rims = near.flat_map(|looked| &looked.checks).filter(|check| check.quantity == Quantity::Rim);
        rims.map(|check| check.value).fold(0.0, f64::max)
    };
    places.iter().map(best_near).sum()
}
