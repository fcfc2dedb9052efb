//! The games and their rules in the project's own words, by id, so that calls can cite them.

mod carrom;
mod shuffleboard;

use super::{GameId, RuleId};

/// Who decides a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// Follows from a settled view of the board: a camera decides it.
    Camera,
    /// A camera can propose it from what moved; a person confirms.
    Proposal,
    /// Only a person can know it.
    Referee,
    /// Follows from the events so far: the program keeps count.
    Program,
}

impl DecidedBy {
    pub fn words(self) -> &'static str {
        match self {
            DecidedBy::Camera => "seen",
            DecidedBy::Proposal => "proposed",
            DecidedBy::Referee => "told",
            DecidedBy::Program => "counted",
        }
    }
}

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct RuleText {
    pub number: u8,
    pub text: &'static str,
    pub decided_by: DecidedBy,
    /// What a person must tell, where that is not all or nothing.
    pub told: &'static str,
}

/// One option with its values and default.
#[derive(Debug, Clone, Copy)]
pub struct OptionText {
    pub name: &'static str,
    pub values: &'static str,
    pub default: &'static str,
}

/// One game.
#[derive(Debug, Clone, Copy)]
pub struct GameText {
    pub game: GameId,
    pub name: &'static str,
    pub summary: &'static str,
    pub options: &'static [OptionText],
    pub rules: &'static [RuleText],
}

impl GameText {
    pub fn of(game: GameId) -> &'static GameText {
        match game {
            GameId::Court => &shuffleboard::COURT,
            GameId::LongBoard => &shuffleboard::LONG_BOARD,
            GameId::Association => &shuffleboard::ASSOCIATION,
            GameId::Kagw => &carrom::KAGW,
            GameId::Ludington => &carrom::LUDINGTON,
        }
    }
}

impl RuleId {
    /// The rule in words.
    pub fn text(self) -> Option<&'static str> {
        GameText::of(self.game).rules.iter().find(|rule| rule.number == self.number).map(|rule| rule.text)
    }
}

const fn option(name: &'static str, values: &'static str, default: &'static str) -> OptionText {
    OptionText { name, values, default }
}

const fn rule(number: u8, decided_by: DecidedBy, text: &'static str, told: &'static str) -> RuleText {
    RuleText { number, text, decided_by, told }
}

const PLAY: OptionText = option("play", "singles, doubles", "singles");
