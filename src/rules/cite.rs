//! Rule ids, and sets of them.

use std::fmt;

use serde::{Serialize, Serializer};

use super::GameId;

/// A rule's id, such as C6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleId {
    pub game: GameId,
    pub number: u8,
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.game.letter(), self.number)
    }
}

/// The rules of one game that decided something, each once and in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cites {
    game: GameId,
    /// Bit n stands for rule n.
    numbers: u16,
}

impl Cites {
    pub fn none(game: GameId) -> Self {
        Self { game, numbers: 0 }
    }

    pub fn add(&mut self, number: u8) {
        self.numbers |= 1 << number;
    }

    pub fn add_if(&mut self, decided: bool, number: u8) {
        if decided {
            self.add(number);
        }
    }

    pub fn contains(&self, number: u8) -> bool {
        self.numbers & (1 << number) != 0
    }

    pub fn iter(self) -> impl Iterator<Item = RuleId> {
        (0..16u8).filter(move |n| self.contains(*n)).map(move |number| RuleId { game: self.game, number })
    }
}

impl fmt::Display for Cites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, rule) in self.iter().enumerate() {
            write!(f, "{}{rule}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl Serialize for Cites {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|rule| rule.to_string()))
    }
}
