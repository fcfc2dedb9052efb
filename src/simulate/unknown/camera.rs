//! Where people stand with a phone, and where they hang a camera, for tables that are often longer than
//! what a picture shows.

use nalgebra::Point2;

use crate::board::Board;
use crate::geometry::Point;

use super::super::dice::Dice;
use super::super::random::{Aim, View, centring_aim, fitting_height_mm};
use super::super::scene::{CameraPart, SceneFile};
use super::super::view::{Region, fitting_focal_px, looking_pose, looking_rotation, region_of_play, resolve};

const LONG_PX: u32 = 1600;
const SHORT_PX: u32 = 1200;

/// A camera that sees the whole of a square board, or the scored end of a long one.
pub fn random(board: &Board, view: View, dice: &mut Dice) -> CameraPart {
    let region = seen_region(board, dice);
    // Now and then corners are cut off by the picture's border.
    let (closer, aside) = if dice.chance(0.35) { (dice.between(1.05, 1.2), 20.0) } else { (1.0, 6.0) };
    match view {
        View::Overhead => overhead(&region, closer, aside, dice),
        View::Phone => phone(board, &region, closer, aside, dice),
    }
}

/// Of long tables one end; how much of it differs.
fn seen_region(board: &Board, dice: &mut Dice) -> Region {
    let whole = region_of_play(board);
    if !board.is_two_ended() {
        return whole;
    }
    let gutter = board.gutters.iter().map(|gutter| gutter.width_mm).fold(0.0, f64::max);
    let [width, length] = whole.size_mm();
    // At least the lines of the scored end that lie within two widths of it.
    let least = (1.5 * width).min(length);
    let shown = if dice.chance(0.35) { length } else { dice.between(least, length.min(2.6 * width)) };
    Region {
        from: Point::new(whole.from.x - gutter, whole.to.y - shown),
        to: Point::new(whole.to.x + gutter, whole.to.y + gutter),
    }
}

fn overhead(region: &Region, closer: f64, aside: f64, dice: &mut Dice) -> CameraPart {
    let image_size = [LONG_PX, SHORT_PX];
    let [width, length] = region.size_mm();
    let quarter = if length > width { [90.0, 270.0] } else { [0.0, 90.0] }[dice.index(2)];
    let (tilt_deg, turn_deg) = (dice.between(0.0, 7.0), dice.between(0.0, 360.0));
    let roll_deg = quarter - turn_deg + dice.bell(1.5);
    let middle = region.middle();
    let look_at = [middle.x + dice.bell(aside), middle.y + dice.bell(aside)];
    let height_mm = dice.between(1200.0, 2200.0);
    let pose = looking_pose(looking_rotation(tilt_deg, turn_deg, roll_deg), height_mm, Point2::from(look_at));
    let focal_px = fitting_focal_px(&pose, image_size, region) * dice.between(0.85, 1.0) * closer;
    let k1 = dice.between(-0.16, 0.05);
    Aim { height_mm, look_at, tilt_deg, turn_deg, roll_deg, focal_px }.with_lens(image_size, k1, dice)
}

fn phone(board: &Board, region: &Region, closer: f64, aside: f64, dice: &mut Dice) -> CameraPart {
    let long = board.is_two_ended();
    // Long tables are taken upright from their end.
    let upright = dice.chance(if long { 0.75 } else { 0.4 });
    let image_size = if upright { [SHORT_PX, LONG_PX] } else { [LONG_PX, SHORT_PX] };
    let tilt_deg = dice.between(8.0, if long { 40.0 } else { 45.0 });
    let turn_deg = match (long, upright) {
        (true, true) => [0.0, 180.0][dice.index(2)] + dice.bell(8.0),
        (true, false) => [90.0, 270.0][dice.index(2)] + dice.bell(8.0),
        _ => dice.between(0.0, 4.0).floor() * 90.0 + dice.bell(12.0),
    };
    let roll_deg = dice.bell(2.0);
    let focal_px = dice.between(1150.0, 1330.0);
    let wanted = focal_px / dice.between(0.9, 1.06) / closer;
    let rotation = looking_rotation(tilt_deg, turn_deg, roll_deg);
    let mut look_at = region.middle();
    let mut height_mm = 1500.0;
    for _ in 0..5 {
        height_mm = fitting_height_mm(rotation, look_at, image_size, region, wanted);
        let pose = looking_pose(rotation, height_mm, look_at);
        look_at = centring_aim(&pose, region).unwrap_or(look_at);
    }
    let look_at = [look_at.x + dice.bell(aside), look_at.y + dice.bell(aside)];
    let k1 = dice.between(-0.08, 0.10);
    Aim { height_mm, look_at, tilt_deg, turn_deg, roll_deg, focal_px }.with_lens(image_size, k1, dice)
}

/// Pieces whose middle is outside the picture are left out: no photo says that they are there. Those
/// that the border cuts stay.
pub fn keep_what_is_in_view(board: &Board, file: &mut SceneFile) {
    let mut faults = Default::default();
    let Some(camera) = resolve(&file.camera, board, &mut faults) else { return };
    let [width, height] = camera.image_size.map(f64::from);
    let seen = |x: f64, y: f64| {
        camera
            .image_from_board(x, y, 0.0)
            .is_some_and(|p| p.x >= 0.0 && p.y >= 0.0 && p.x <= width - 1.0 && p.y <= height - 1.0)
    };
    let kept: Vec<bool> = file.pieces.iter().map(|piece| seen(piece.x_mm, piece.y_mm)).collect();
    let mut new_index = vec![None; kept.len()];
    let mut pieces = Vec::new();
    for (index, mut piece) in std::mem::take(&mut file.pieces).into_iter().enumerate() {
        let support = piece.stacked_on.map(|below| new_index[below]);
        if !kept[index] || support == Some(None) {
            continue;
        }
        piece.stacked_on = support.flatten();
        new_index[index] = Some(pieces.len());
        pieces.push(piece);
    }
    file.pieces = pieces;
}
