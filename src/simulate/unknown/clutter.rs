//! What is on a table that is no piece in play: men on the frame, in pockets and gutters, arms, a gantry,
//! cups at the edge.

use crate::board::{Board, BoardSide, Colour, EndKind};
use crate::geometry::Point;

use super::super::dice::Dice;
use super::super::random::tinted;
use super::super::scene::{ObjectKind, ObjectPart, Parked, PiecePart, SceneFile};
use super::super::view::region_of_play;
use super::parked_piece;

/// A man in a pocket lies on its net, this far below the surface.
const IN_NET_MM: f64 = 30.0;

/// Pieces out of play.
pub fn parked(board: &Board, dice: &mut Dice) -> Vec<PiecePart> {
    let mut pieces: Vec<PiecePart> = Vec::new();
    let kinds: Vec<_> = board.pieces.iter().filter(|kind| !kind.shooter).collect();
    let Some(kind) = dice.pick(&kinds).copied() else { return pieces };
    let r = kind.radius_mm();
    for pocket in &board.pockets {
        if dice.chance(0.25) && pocket.radius_mm > r {
            let free = pocket.radius_mm - r;
            let at = [pocket.centre.x + dice.between(-0.6, 0.6) * free, pocket.centre.y];
            let colour = dice.pick(&kinds).map_or(&kind.name, |kind| &kind.name);
            pieces.push(parked_piece(colour, at, -IN_NET_MM, Parked::InPocket));
        }
    }
    let beside: Vec<(BoardSide, f64, f64, Parked)> = board
        .rails
        .iter()
        .map(|rail| (rail.side, rail.width_mm, rail.height_mm, Parked::OnFrame))
        .chain(board.gutters.iter().map(|g| (g.side, g.width_mm, -g.depth_mm, Parked::InGutter)))
        .collect();
    if beside.is_empty() || dice.chance(0.4) {
        return pieces;
    }
    let from_y = region_of_play(board).from.y.max(0.0);
    for _ in 0..1 + dice.index(4) {
        let (side, width, z, parked) = beside[dice.index(beside.len())];
        let Some(kind) = dice.pick(&kinds).copied() else { continue };
        let slack = width / 2.0 - kind.radius_mm();
        if slack < 0.0 {
            continue;
        }
        let (w, l) = (board.surface.width_mm, board.surface.length_mm);
        let out = width / 2.0 + dice.between(-0.8, 0.8) * slack;
        let (x, y) = (dice.between(0.1, 0.9) * w, from_y + dice.between(0.1, 0.95) * (l - from_y));
        let at = match side {
            BoardSide::Left => [-out, y],
            BoardSide::Right => [w + out, y],
            BoardSide::Near => [x, -out],
            BoardSide::Far => [x, l + out],
        };
        let apart =
            |other: &PiecePart| (other.x_mm - at[0]).hypot(other.y_mm - at[1]) > 2.2 * kind.radius_mm();
        if pieces.iter().all(apart) {
            pieces.push(parked_piece(&kind.name, at, z, parked));
        }
    }
    pieces
}

/// Arms, a gantry, cups and other things.
pub fn objects(board: &Board, file: &SceneFile, dice: &mut Dice) -> Vec<ObjectPart> {
    let mut objects = Vec::new();
    let carrom = !board.is_two_ended();
    if dice.chance(if carrom { 0.4 } else { 0.2 }) {
        objects.push(arm(board, dice));
    }
    if dice.chance(0.14) {
        objects.extend(gantry(board, file.camera.height_mm.unwrap_or(1500.0), dice));
    }
    if dice.chance(0.25) {
        objects.push(cup(board, dice));
    }
    objects
}

fn part(kind: ObjectKind, at: [f64; 2], z_mm: Option<f64>) -> ObjectPart {
    let [x_mm, y_mm] = at.map(|v| (v * 1e2).round() / 1e2);
    ObjectPart { kind, x_mm, y_mm, z_mm, angle_deg: 0.0, diameter_mm: None, colour: None, sleeve: None }
}

fn beyond(board: &Board, side: BoardSide) -> (f64, f64) {
    let rail = board.rails.iter().find(|rail| rail.side == side);
    rail.map_or((0.0, 0.0), |rail| (rail.width_mm, rail.height_mm))
}

/// A hand that reaches over the surface from one side, in a sleeve or bare.
fn arm(board: &Board, dice: &mut Dice) -> ObjectPart {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let sides = [BoardSide::Left, BoardSide::Right, BoardSide::Near, BoardSide::Far];
    let usual = if board.is_two_ended() { &sides[..2] } else { &sides[..] };
    let side = usual[dice.index(usual.len())];
    let from_y = region_of_play(board).from.y.max(0.0);
    let reach = dice.between(-60.0, 0.45 * w.min(l));
    let (x, y) = (dice.between(0.1, 0.9) * w, from_y + dice.between(0.1, 0.9) * (l - from_y));
    let (at, inward) = match side {
        BoardSide::Left => ([reach, y], 0.0),
        BoardSide::Right => ([w - reach, y], 180.0),
        BoardSide::Near => ([x, reach], 90.0),
        BoardSide::Far => ([x, l - reach], 270.0),
    };
    let skins =
        [Colour([204, 150, 118]), Colour([150, 98, 70]), Colour([98, 62, 46]), Colour([224, 178, 152])];
    let sleeves = [
        Colour([40, 46, 62]),
        Colour([160, 110, 50]),
        Colour([196, 196, 190]),
        Colour([120, 36, 40]),
        Colour([70, 100, 70]),
    ];
    let skin = tinted(*dice.pick(&skins).unwrap_or(&skins[0]), 0.12, 0.03, dice);
    let bare = dice.chance(0.4);
    let sleeve = if bare { skin } else { *dice.pick(&sleeves).unwrap_or(&sleeves[0]) };
    let (_, rail_mm) = beyond(board, side);
    ObjectPart {
        angle_deg: inward + dice.between(-35.0, 35.0),
        diameter_mm: Some(dice.between(76.0, 92.0)),
        colour: Some(skin.to_string()),
        sleeve: Some(sleeve.to_string()),
        ..part(ObjectKind::Hand, at, Some((rail_mm - 6.0).max(6.0) + dice.between(0.0, 40.0)))
    }
}

/// Dark bars across the table above the surface, with round things on them.
fn gantry(board: &Board, camera_mm: f64, dice: &mut Dice) -> Vec<ObjectPart> {
    let region = region_of_play(board);
    let (w, [_, length]) = (board.surface.width_mm, region.size_mm());
    let z = dice.between(60.0, 0.35 * camera_mm).min(320.0);
    let y = region.from.y + dice.between(0.25, 0.8) * length;
    let along = dice.chance(0.5) && !board.is_two_ended();
    let mut objects = Vec::new();
    let apart = dice.between(50.0, 110.0);
    for off in [0.0, apart] {
        let (at, angle_deg) =
            if along { ([y + off, region.middle().y], 90.0) } else { ([w / 2.0, y + off], 0.0) };
        let thick = Some(dice.between(14.0, 30.0));
        objects.push(ObjectPart { angle_deg, diameter_mm: thick, ..part(ObjectKind::Beam, at, Some(z)) });
    }
    for _ in 0..2 + dice.index(4) {
        let place = dice.between(0.0, 1.0) * w;
        let beside = y + dice.between(-0.2, 1.2) * apart;
        let at = if along { [beside, place] } else { [place, beside] };
        let metal = if dice.chance(0.4) { Some("#b4b6ba".to_owned()) } else { None };
        objects.push(ObjectPart {
            diameter_mm: Some(dice.between(18.0, 46.0)),
            colour: metal,
            ..part(ObjectKind::Knob, at, Some(z + 20.0))
        });
    }
    objects
}

/// A cup that stands at the edge, over a rail or the gutter's wall as likely as beside.
fn cup(board: &Board, dice: &mut Dice) -> ObjectPart {
    let region = region_of_play(board);
    let diameter = dice.between(66.0, 92.0);
    let side = if dice.chance(0.5) { BoardSide::Left } else { BoardSide::Right };
    let (rail_mm, high_mm) = beyond(board, side);
    let gutter = board.gutters.iter().find(|g| g.side == side).map_or(0.0, |g| g.width_mm);
    let out = dice.between(0.3, 1.0) * (rail_mm + gutter) + diameter / 2.0 * dice.between(0.3, 1.0);
    let x = if side == BoardSide::Left { -out } else { board.surface.width_mm + out };
    let at = Point::new(x, region.from.y + dice.between(0.1, 0.9) * region.size_mm()[1]);
    let on_table = board.surface.ends != EndKind::Frame && gutter > 0.0;
    let z = if out - diameter / 2.0 < rail_mm {
        high_mm
    } else if on_table {
        12.0
    } else {
        -20.0
    };
    let colours = ["#c8c6be", "#8a2c28", "#20242c", "#d8b040"];
    ObjectPart {
        angle_deg: dice.between(0.0, 360.0),
        diameter_mm: Some(diameter),
        colour: Some(colours[dice.index(colours.len())].to_owned()),
        ..part(ObjectKind::Cup, [at.x, at.y], Some(z))
    }
}
