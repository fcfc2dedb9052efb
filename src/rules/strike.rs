//! What the two carrom games share: checking which pieces a strike took, and whose turn it is.

use super::{
    BySide, Seat, Setup, Side,
    event::{Play, StrikeEvent},
    reason::{Reason, Reasons},
};

/// Pieces that a strike took off the board: each side's, and the queen or the green one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Taken {
    pub pieces: BySide<u32>,
    pub special: bool,
}

/// Pieces by colour: `special` names the queen or the green one, where it is used.
pub(super) struct Pieces<'a> {
    pub setup: &'a Setup,
    pub special: Option<&'static str>,
    pub on_board: BySide<u32>,
    pub special_on_board: bool,
}

impl Pieces<'_> {
    /// Counts what a strike pocketed and what it sent off the board, which together cannot be more
    /// than what was there.
    pub fn check(&self, event: &StrikeEvent, reasons: &mut Reasons<'_>) -> (Taken, Taken) {
        let (pocketed, specials_in) = self.count(&event.pocketed, reasons);
        let (off_board, specials_off) = self.count(&event.off_board, reasons);
        for side in Side::BOTH {
            let wanted = pocketed[side] as usize + off_board[side] as usize;
            self.check_left(&self.setup.colours[side], wanted, self.on_board[side] as usize, reasons);
        }
        if let Some(name) = self.special {
            let left = usize::from(self.special_on_board);
            self.check_left(name, specials_in + specials_off, left, reasons);
        }
        let taken = |pieces, specials: usize| Taken { pieces, special: specials > 0 };
        (taken(pocketed, specials_in), taken(off_board, specials_off))
    }

    fn count(&self, colours: &[String], reasons: &mut Reasons<'_>) -> (BySide<u32>, usize) {
        let mut pieces = BySide::default();
        let mut specials = 0;
        for colour in colours {
            if let Some(side) = self.setup.colours.find(|c| c == colour) {
                pieces[side] += 1;
            } else if self.special == Some(colour) {
                specials += 1;
            } else {
                let BySide { first, second } = &self.setup.colours;
                let special = self.special.map_or(String::new(), |name| format!(" or {name:?}"));
                let expected = format!(
                    "{first:?}, {second:?}{special} (what became of the striker goes in \"striker\")"
                );
                reasons.add(Reason::UnknownColour { found: colour.clone(), expected });
            }
        }
        (pieces, specials)
    }

    fn check_left(&self, colour: &str, wanted: usize, left: usize, reasons: &mut Reasons<'_>) {
        if wanted > left {
            reasons.add(Reason::NoneLeft { colour: colour.to_owned(), wanted, left });
        }
    }
}

/// Turns go first side, second side, first side's partner, second side's partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Turn(u32);

impl Turn {
    pub fn is_first(self) -> bool {
        self.0 == 0
    }

    pub fn next(self) -> Turn {
        Turn(self.0.wrapping_add(1))
    }

    pub fn seat(self, play: Play) -> Seat {
        let side = if self.0.is_multiple_of(2) { Side::First } else { Side::Second };
        let partner = if play == Play::Doubles { (self.0 / 2 % 2) as usize } else { 0 };
        Seat { side, partner }
    }
}
