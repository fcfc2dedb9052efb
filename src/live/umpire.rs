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
    lag::Lag,
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
    HalfRound {
        #[serde(default)]
        lag: Lag,
        half_round: HalfRound,
    },
    Strikes(Strikes),
}

impl Bookkeeping {
    /// Nothing seen yet.
    pub fn of(game: GameId) -> Self {
        match game {
            GameId::Court | GameId::LongBoard | GameId::Association => {
                Bookkeeping::HalfRound { lag: Lag::default(), half_round: HalfRound::default() }
            }
            GameId::Kagw | GameId::Ludington => Bookkeeping::Strikes(Strikes::default()),
        }
    }

    /// The pieces of the last settled view.
    pub fn pieces(&self) -> Vec<Lying> {
        match self {
            Bookkeeping::HalfRound { half_round, .. } => half_round.pieces(),
            Bookkeeping::Strikes(strikes) => strikes.pieces(),
        }
    }

    /// In a word or two, for a status line.
    pub fn progress(&self) -> String {
        match self {
            Bookkeeping::HalfRound { half_round, .. } => format!("shot {}", half_round.shots()),
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
        self.see(
            &Seen {
                pieces: &view.pieces,
                report: &view.scored.report,
                episode: &view.episode,
                overlooked: &view.overlooked,
                contradictions: &view.contradictions,
            },
            game,
        )
    }

    /// [`Umpire::settled`] for a view without a picture.
    pub fn see(&mut self, seen: &Seen<'_>, game: &AnyGame) -> Vec<Finding> {
        if game.standing().status.is_over() {
            return Vec::new();
        }
        match &mut self.books {
            Bookkeeping::HalfRound { lag, half_round } => {
                let order = order(game, self.end);
                let number = game_number(game);
                let is_lagged = self.options.lag && game.setup().game != GameId::Association;
                if is_lagged && half_round.shots() == 0 && lag.is_due(number) {
                    let sides = sides(game);
                    let found = lag.settled(seen, &order, sides, number, &self.board, &self.options);
                    if found.is_some() {
                        half_round.wait_for_clear_board(seen.pieces);
                    }
                    return found.into_iter().collect();
                }
                half_round.settled(seen, &order, &self.board, &self.options)
            }
            Bookkeeping::Strikes(strikes) => strikes.settled(seen, &due(game), &self.board, &self.options),
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
        dead_are_taken: setup.game != GameId::LongBoard,
    }
}

/// The sides' names, the one to play first.
fn sides(game: &AnyGame) -> [&str; 2] {
    let first = game.to_play().map_or(Side::First, |seat| seat.side);
    [game.setup().name(first), game.setup().name(first.other())]
}

/// The running game's number; a finished game's stands until the next event.
fn game_number(game: &AnyGame) -> u32 {
    let standing = game.standing();
    standing.game_number() + u32::from(standing.between_games)
}

fn due(game: &AnyGame) -> Due {
    let setup = game.setup();
    let side = game.to_play().map_or(Side::First, |seat| seat.side);
    Due {
        game: setup.game,
        player: setup.name(side).to_owned(),
        game_number: game_number(game),
        side: usize::from(side == Side::Second),
        cushion: setup.options.cushion,
        in_play: game.next_on_board().unwrap_or_default(),
    }
}
