//! What all games share: the running score, games won, and when a match is decided.

use super::{BySide, Side};

/// How a match stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    Playing,
    TieBreak,
    Won(Side),
    /// All games are played and the totals are equal (K13).
    Undecided,
}

impl Status {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::TieBreak => "tie-break",
            Status::Won(_) => "won",
            Status::Undecided => "undecided",
        }
    }

    pub fn winner(self) -> Option<Side> {
        match self {
            Status::Won(side) => Some(side),
            _ => None,
        }
    }

    pub fn is_over(self) -> bool {
        matches!(self, Status::Won(_) | Status::Undecided)
    }
}

/// Scores of the running game and of the match.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The running game's; a finished game's until the next event.
    pub scores: BySide<i32>,
    /// Points over all finished games (K13).
    pub points: BySide<i32>,
    /// Games won.
    pub games: BySide<u32>,
    pub status: Status,
    /// Whether the game is finished and the next event starts another.
    pub between_games: bool,
}

impl Default for Standing {
    fn default() -> Self {
        Standing {
            scores: BySide::default(),
            points: BySide::default(),
            games: BySide::default(),
            status: Status::Playing,
            between_games: false,
        }
    }
}

impl Standing {
    /// The number of the running game, from 1; of the last one when the match is over.
    pub fn game_number(&self) -> u32 {
        self.games.first + self.games.second + u32::from(!self.between_games)
    }

    /// Clears a finished game's scores before the first event of the next. True if there was one.
    pub fn start_game_if_due(&mut self) -> bool {
        let due = self.between_games;
        if due {
            self.scores = BySide::default();
            self.between_games = false;
        }
        due
    }

    /// Ends the running game. The match goes on as `Playing`; the caller decides whether it is won.
    pub fn end_game(&mut self, winner: Side) {
        self.games[winner] += 1;
        self.points += self.scores;
        self.status = Status::Playing;
        self.between_games = true;
    }

    /// Ends the running game, and the match once more than half of `best_of` games are won (C9).
    /// True if it did.
    pub fn win_game(&mut self, winner: Side, best_of: u32) -> bool {
        self.end_game(winner);
        let decided = self.games[winner] > best_of / 2;
        if decided {
            self.status = Status::Won(winner);
        }
        decided
    }
}
