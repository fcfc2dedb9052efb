//! How large the pockets are.
//!
//! In: the rectified surface and a board. Out: the factor by which its pockets are larger than the board says. All pockets
//! of a board are alike and touch both sides of their corner, so one number says it all.

use super::{LearnOptions, plane::Plane};
use crate::{
    board::{Board, Pocket},
    geometry::{Point, Vector},
    outline::Lab,
};

/// The board's pockets as they are seen; as they are where nothing is seen of them.
pub(super) fn learned(plane: &Plane, board: &Board, options: &LearnOptions) -> Vec<Pocket> {
    const STEP: f64 = 0.02;
    let [least, most] = options.pocket_range;
    let count = ((most - least) / STEP) as usize;
    let sizes = (0..=count).map(|i| least + i as f64 * STEP);
    let steps: Vec<(f64, f64)> = sizes.map(|scale| (step_at(plane, board, scale), scale)).collect();
    let best = steps.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0));
    match best.filter(|(step, _)| *step > options.least_pocket) {
        Some((_, scale)) => board.pockets.iter().map(|pocket| grown(board, pocket, scale)).collect(),
        None => board.pockets.clone(),
    }
}

/// A pocket of another size at the same corner.
fn grown(board: &Board, pocket: &Pocket, scale: f64) -> Pocket {
    let corner = Point::new(
        if pocket.centre.x < board.surface.width_mm / 2.0 { 0.0 } else { board.surface.width_mm },
        if pocket.centre.y < board.surface.length_mm / 2.0 { 0.0 } else { board.surface.length_mm },
    );
    Pocket { centre: corner + (pocket.centre - corner) * scale, radius_mm: pocket.radius_mm * scale }
}

/// How much darker all is within than beyond the pockets' edges toward the middle of the board, in units of lightness, as a
/// mean over the pockets in view.
fn step_at(plane: &Plane, board: &Board, scale: f64) -> f64 {
    const ANGLES: usize = 15;
    const MOST: f64 = 40.0;
    let middle = Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0);
    let apart_mm = 1.5 * plane.cell_mm.max(1.0);
    let (mut sum, mut seen) = (0.0, 0_usize);
    for pocket in &board.pockets {
        let pocket = grown(board, pocket, scale);
        let inward = middle - pocket.centre;
        let inward_rad = inward.y.atan2(inward.x);
        for i in 0..ANGLES {
            let angle = inward_rad + ((i as f64 + 0.5) / ANGLES as f64 - 0.5) * std::f64::consts::FRAC_PI_2;
            let way = Vector::new(angle.cos(), angle.sin());
            let at = |r: f64| plane.at(pocket.centre + way * r);
            let sides: [Option<Lab>; 2] = [at(pocket.radius_mm - apart_mm), at(pocket.radius_mm + apart_mm)];
            if let [Some(inside), Some(outside)] = sides {
                sum += f64::from(outside.x - inside.x).clamp(-MOST, MOST);
                seen += 1;
            }
        }
    }
    sum / seen.max(1) as f64
}
