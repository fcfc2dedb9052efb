//! The knowing half of the loop: settled views in, findings out.
//!
//! In: settled views and the state of the match. Out: [`Finding`]s. What has been seen so far is
//! plain data ([`Bookkeeping`]), written beside the record, so that a loop that was killed goes on
//! where it stood.

use serde::{Deserialize, Serialize};

use super::{
    UmpireOptions,
    finding::Finding,
    half_round::{HalfRound, Order, Seen},
    lying::Lying,
    observer::SettledView,
    strikes::{Due, Strikes},
};
use crate::{
    board::{Board, End},
    rules::{AnyGame, GameId, Side},
};

/// What was seen so far, by the kind of game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bookkeeping {
    HalfRound(HalfRound),
    Strikes(Strikes),
}

impl Bookkeeping {
    /// Nothing seen yet.
    pub fn of(game: GameId) -> Self {
        match game {
            GameId::Court | GameId::LongBoard | GameId::Association => {
                Bookkeeping::HalfRound(HalfRound::default())
            }
            GameId::Kagw | GameId::Ludington => Bookkeeping::Strikes(Strikes::default()),
        }
    }

    /// The pieces of the last settled view.
    pub fn pieces(&self) -> Vec<Lying> {
        match self {
            Bookkeeping::HalfRound(half_round) => half_round.pieces(),
            Bookkeeping::Strikes(strikes) => strikes.pieces(),
        }
    }

    /// In a word or two, for a status line.
    pub fn progress(&self) -> String {
        match self {
            Bookkeeping::HalfRound(half_round) => format!("shot {}", half_round.shots()),
            Bookkeeping::Strikes(strikes) => format!("strike {}", strikes.strikes()),
        }
    }
}

/// Watches over a match.
#[derive(Debug, Clone)]
pub struct Umpire {
    pub books: Bookkeeping,
    board: Board,
    end: End,
    options: UmpireOptions,
}

impl Umpire {
    pub fn new(game: GameId, board: &Board, end: End, options: &UmpireOptions) -> Self {
        Self { books: Bookkeeping::of(game), board: board.clone(), end, options: options.clone() }
    }

    /// Takes a settled view. `game` is the match as it stands.
    pub fn settled(&mut self, view: &SettledView, game: &AnyGame) -> Vec<Finding> {
        if game.standing().status.is_over() {
            return Vec::new();
        }
        let seen = Seen {
            pieces: &view.pieces,
            report: &view.scored.report,
            episode: &view.episode,
            contradictions: &view.contradictions,
        };
        match &mut self.books {
            Bookkeeping::HalfRound(half_round) => {
                let order = order(game, self.end);
                half_round.settled(&seen, &order, &self.board, &self.options)
            }
            Bookkeeping::Strikes(strikes) => strikes.settled(&seen, &due(game), &self.board, &self.options),
        }
    }
}

/// Who plays which puck, as the rules have it.
fn order(game: &AnyGame, end: End) -> Order {
    let setup = game.setup();
    let leader = game.to_play().map_or(Side::First, |seat| seat.side);
    let colours = game.colours();
    let each = setup.kind_of(leader, &colours[leader]).count;
    Order {
        colours: [colours[leader].clone(), colours[leader.other()].clone()],
        each,
        end,
        bank: setup.options.bank,
    }
}

fn due(game: &AnyGame) -> Due {
    let setup = game.setup();
    let side = game.to_play().map_or(Side::First, |seat| seat.side);
    let standing = game.standing();
    Due {
        game: setup.game,
        player: setup.name(side).to_owned(),
        // A finished game's number stands until the next event.
        game_number: standing.game_number() + u32::from(standing.between_games),
        side: usize::from(side == Side::Second),
        cushion: setup.options.cushion,
    }
}
