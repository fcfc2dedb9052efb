//! What years of play leave of a board: faded and patchy lines, moons that are pale ghosts, powder.

use crate::board::{Board, Colour, LineRole};

use super::super::dice::Dice;
use super::super::dress::{Dress, Print};
use super::super::scene::LookPart;

/// Where paint has gone, the wood is often paler than the rest: it was kept from light and dirt.
const GHOST: Colour = Colour([238, 226, 212]);

pub fn wear(board: &mut Board, look: &mut LookPart, dress: &mut Dress, dice: &mut Dice) {
    let wood = board.surface.colour;
    // How much of the paint is left, of lines and of moons.
    let (lines_left, moons_left) = match dice.between(0.0, 1.0) {
        worn if worn < 0.18 => (dice.between(0.14, 0.40), dice.between(0.12, 0.45)),
        worn if worn < 0.40 => (dice.between(0.45, 0.8), dice.between(0.3, 0.8)),
        _ => (dice.between(0.85, 1.0), dice.between(0.85, 1.0)),
    };
    let ghostly = moons_left < 0.6 && dice.chance(0.7);
    for line in &mut board.lines {
        line.colour = mixed(wood, line.colour, lines_left);
        let under = if ghostly && line.role == LineRole::Moon { GHOST } else { wood };
        line.fill = line.fill.map(|fill| mixed(under, fill, moons_left));
        if line.name.starts_with("disc-") {
            line.colour = mixed(if ghostly { GHOST } else { wood }, line.colour, moons_left);
        }
    }
    for numeral in &mut board.numerals {
        numeral.colour = mixed(wood, numeral.colour, lines_left);
    }
    fade(&mut dress.prints, wood, lines_left);
    if lines_left < 0.5 {
        dress.worn_away = dice.between(0.1, 0.4);
        look.wear = dice.between(0.5, 1.0);
    } else if dice.chance(0.3) {
        dress.worn_away = dice.between(0.02, 0.15);
    }
    if board.is_two_ended() && dice.chance(0.5) {
        dress.powder = dice.between(0.1, 0.5);
    }
}

fn fade(prints: &mut [Print], wood: Colour, left: f64) {
    for print in prints {
        print.colour = mixed(wood, print.colour, left);
    }
}

/// `left` of one colour over another.
fn mixed(under: Colour, over: Colour, left: f64) -> Colour {
    let channel = |i: usize| f64::from(under.0[i]) * (1.0 - left) + f64::from(over.0[i]) * left;
    Colour([0, 1, 2].map(|i| channel(i).round() as u8))
}
