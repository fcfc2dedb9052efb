//! What lies around the surface: frames black or brown, rails, or a gutter all round.

use crate::board::{Board, BoardSide, Colour, EndKind, Gutter};

use super::super::dice::Dice;
use super::super::dress::Dress;
use super::super::random::tinted;
use super::super::scene::LookPart;

pub fn vary(board: &mut Board, look: &mut LookPart, dress: &mut Dress, dice: &mut Dice) {
    let woods = if board.is_two_ended() {
        [Colour([222, 190, 146]), Colour([200, 150, 96]), Colour([231, 210, 184])]
    } else {
        [Colour([228, 206, 164]), Colour([196, 156, 106]), Colour([222, 220, 196])]
    };
    board.surface.colour = tinted(*dice.pick(&woods).unwrap_or(&woods[0]), 0.1, 0.03, dice);
    look.wood = None;
    look.rails = None;
    look.gloss = dice.between(0.15, 0.9);
    if board.surface.ends == EndKind::Frame {
        frame(board, dress, dice);
    } else if board.gutters.is_empty() && board.surface.ends == EndKind::Open && dice.chance(0.4) {
        board.rails.clear();
        board.surface.ends = EndKind::Gutter;
        let colour = carpet(dice);
        let (width_mm, depth_mm) = (dice.between(40.0, 80.0).round(), dice.between(20.0, 45.0).round());
        let sides = [BoardSide::Left, BoardSide::Right, BoardSide::Near, BoardSide::Far];
        board.gutters = sides.map(|side| Gutter { side, width_mm, depth_mm, colour }).to_vec();
    } else {
        let (wider, deeper, colour) = (dice.between(0.8, 1.25), dice.between(0.8, 1.2), carpet(dice));
        for gutter in &mut board.gutters {
            gutter.width_mm = (gutter.width_mm * wider).round();
            gutter.depth_mm = (gutter.depth_mm * deeper).round();
            gutter.colour = colour;
        }
        rails(board, dice);
    }
    if board.is_two_ended() {
        look.strip_mm = if dice.chance(0.75) { dice.between(25.0, 48.0) } else { 0.0 };
        look.grain = dice.between(0.7, 1.6);
    }
}

fn carpet(dice: &mut Dice) -> Colour {
    let colours = [Colour([58, 62, 66]), Colour([34, 34, 36]), Colour([40, 58, 52]), Colour([196, 178, 140])];
    tinted(*dice.pick(&colours).unwrap_or(&colours[0]), 0.2, 0.04, dice)
}

/// Frames are lacquered black as often as they are brown.
fn frame(board: &mut Board, dress: &mut Dress, dice: &mut Dice) {
    let colours = [
        (Colour([30, 29, 28]), 5.0),
        (Colour([104, 58, 38]), 2.5),
        (Colour([66, 40, 30]), 2.0),
        (Colour([150, 104, 66]), 1.0),
    ];
    let colour = tinted(dice.weighted(&colours, colours[0].0), 0.2, 0.03, dice);
    let width_mm = (63.0 + dice.between(0.0, 13.0)).round();
    let width_mm = if board.surface.width_mm < 680.0 { width_mm - 20.0 } else { width_mm };
    let height_mm = dice.between(17.0, 25.5).round();
    for rail in &mut board.rails {
        (rail.width_mm, rail.height_mm, rail.colour) = (width_mm, height_mm, colour);
        rail.rounding_mm = Some(dice.between(2.0, 5.0).round());
        rail.other_colours.clear();
    }
    let rounding = board.rails.first().and_then(|rail| rail.rounding_mm);
    board.rails.iter_mut().for_each(|rail| rail.rounding_mm = rounding);
    dress.lacquer = Some(dice.between(0.3, 1.0));
}

fn rails(board: &mut Board, dice: &mut Dice) {
    let (wider, higher) = (dice.between(0.9, 1.1), dice.between(0.9, 1.1));
    let colours =
        [Colour([143, 91, 58]), Colour([52, 40, 34]), Colour([206, 172, 128]), Colour([31, 74, 56])];
    let colour = tinted(*dice.pick(&colours).unwrap_or(&colours[0]), 0.2, 0.05, dice);
    for rail in &mut board.rails {
        rail.width_mm = (rail.width_mm * wider).round();
        rail.height_mm = (rail.height_mm * higher).round();
        rail.colour = colour;
        rail.other_colours.clear();
    }
}
