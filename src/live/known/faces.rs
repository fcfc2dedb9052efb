//! Men by their faces alone: discs of a man's size that look like one of a kind, wherever they lie.
//!
//! In: a frame's cells, and which of them belong to pieces that were found. Out: further men. What is around them may
//! be print that was never seen bare, a hand or another man: it only has to look otherwise.

use super::{
    found::{Found, Looks, View},
    plan::Plan,
};
use crate::geometry::{Point, Vector};

/// Share of a face that must look like its kind.
const FACE_SHARE: f64 = 0.8;
/// And the most of what is around it that may.
const AROUND_SHARE: f64 = 0.4;
/// Around it, in its radii: a man may be larger than his board file says, and is blurred.
const AROUND: std::ops::Range<f64> = 1.5..1.9;
/// Men of one kind that are looked for, at most: a sleeve may look like them.
const MOST: usize = 40;

/// The men among the cells that are nobody's yet.
pub fn men_by_face(view: &View<'_>, looks: &Looks, own: &[bool]) -> Vec<Found> {
    let mut men: Vec<Found> = Vec::new();
    let plan = view.plan;
    let like_a_man: Vec<Option<usize>> = (0..plan.len())
        .map(|cell| {
            let is_open = view.strange[cell] && !own[cell] && plan.on_surface[cell] && !plan.in_pocket[cell];
            is_open.then(|| looks.like_a_man(view, cell)).flatten()
        })
        .collect();
    for kind in (0..view.board.pieces.len()).filter(|kind| !view.board.pieces[*kind].shooter) {
        let radius_mm = view.board.pieces[kind].radius_mm();
        let mut like: Vec<bool> = like_a_man.iter().map(|of| *of == Some(kind)).collect();
        for _ in 0..MOST {
            let Some(at) = fullest(plan, &like, radius_mm) else { break };
            let share = |at: Point, out: f64, beyond: f64| {
                let is_like = |cell: usize| like[cell] && (plan.point_at(cell) - at).norm() >= beyond;
                plan.share(at, out, is_like).unwrap_or(0.0)
            };
            // Of the whole disc's cells, those in the ring are so many.
            let ring = 1.0 - (AROUND.start / AROUND.end).powi(2);
            let around = share(at, AROUND.end * radius_mm, AROUND.start * radius_mm) / ring;
            let is_face = share(at, 0.9 * radius_mm, 0.0) >= FACE_SHARE && around <= AROUND_SHARE;
            let taken_mm = if is_face { AROUND.start } else { 1.0 } * radius_mm;
            plan.cells_around(at, taken_mm).for_each(|cell| like[cell] = false);
            let man = Found { kind, at };
            let is_free = men.iter().all(|other| !other.is_in_place_of(&man, view.board));
            if is_face && is_free && !view.is_over_pocket(at) {
                men.push(man);
            }
        }
    }
    men
}

/// The middle of the place where most of a disc is so; nothing where it is much less than a face.
fn fullest(plan: &Plan, like: &[bool], radius_mm: f64) -> Option<Point> {
    let (width, height) = (plan.width, plan.height);
    let mut sums = vec![0u32; (width + 1) * (height + 1)];
    for row in 0..height {
        let mut line = 0;
        for column in 0..width {
            line += u32::from(like[row * width + column]);
            sums[(row + 1) * (width + 1) + column + 1] = sums[row * (width + 1) + column + 1] + line;
        }
    }
    // The square in a disc.
    let half = (radius_mm / std::f64::consts::SQRT_2 / plan.cell_mm).floor().max(1.0) as usize;
    let mut best = (0u32, 0usize);
    for row in half..height.saturating_sub(half) {
        for column in half..width.saturating_sub(half) {
            let at = |row: usize, column: usize| sums[row * (width + 1) + column];
            let (low, high, left, right) = (row - half, row + half + 1, column - half, column + half + 1);
            let count = at(high, right) + at(low, left) - at(low, right) - at(high, left);
            if count > best.0 {
                best = (count, row * width + column);
            }
        }
    }
    let whole = (2 * half + 1).pow(2) as f64;
    if f64::from(best.0) < FACE_SHARE * whole {
        return None;
    }
    let at = plan.point_at(best.1);
    let (mut sum, mut count) = (Vector::zeros(), 0.0);
    for cell in plan.cells_around(at, radius_mm).filter(|cell| like[*cell]) {
        sum += plan.point_at(cell) - at;
        count += 1.0;
    }
    Some(if count > 0.0 { at + sum / count } else { at })
}
