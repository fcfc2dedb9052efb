//! One trait for the five games, and one type that dispatches to them.

use std::sync::Arc;

use super::{
    BySide, Cites, GameId, Seat, Setup, Side, Standing,
    association::Association,
    court::Court,
    event::Event,
    kagw::Kagw,
    long_board::LongBoard,
    ludington::Ludington,
    pucks::{FrameDoubts, FrameScore},
    reason::{Reason, Refusal},
};

/// What an event did, for the score sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Who led the frame, shot the rock or struck.
    pub by: Option<Seat>,
    /// The event's own points.
    pub points: BySide<i32>,
    /// The running game's score after it.
    pub totals: BySide<i32>,
    /// The game's number in the match, from 1.
    pub game: u32,
    pub cites: Cites,
    /// What happened beside the points.
    pub remarks: Vec<&'static str>,
    /// Who won a game with it.
    pub game_won_by: Option<Side>,
    /// How likely `points` is, given the positions' uncertainty.
    pub probability: f64,
    pub doubts: Option<Box<FrameDoubts>>,
}

impl Entry {
    pub(super) fn new(game: GameId, standing: &Standing, by: Option<Seat>) -> Entry {
        Entry {
            by,
            points: BySide::default(),
            totals: standing.scores,
            game: standing.game_number(),
            cites: Cites::none(game),
            remarks: Vec::new(),
            game_won_by: None,
            probability: 1.0,
            doubts: None,
        }
    }

    pub(super) fn set_score(&mut self, score: FrameScore) {
        self.points = score.tally;
        self.probability = score.probability;
        self.doubts = score.doubts;
    }
}

/// What a carrom game has on the board beside its scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The sides' pieces on the board.
    pub on_board: BySide<u32>,
    /// The queen or the green one; `None` where it is not used.
    pub special: Option<Special>,
    pub owed: BySide<u32>,
}

/// The life of the queen or the green one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    OnBoard,
    /// Pocketed, and to be covered by the next strike (K6).
    ToCover,
    /// Pocketed too early; it returns when the turn ends (K5).
    ToReturn,
    /// Covered (K6) or pocketed (U7) by the side.
    Taken(Side),
}

/// A game's rules as a state machine: `state = fold(events)`.
pub trait Game {
    /// An event that has been found possible in the present state.
    type Move;

    /// Checks an event against the rules. Gives every reason that speaks against it.
    fn validate(&self, event: &Event) -> Result<Self::Move, Refusal>;

    /// Plays a validated move.
    fn apply(&mut self, play: Self::Move) -> Entry;

    fn setup(&self) -> &Setup;

    fn standing(&self) -> &Standing;

    /// Who plays next; `None` once the match is over.
    fn to_play(&self) -> Option<Seat>;

    /// The colours that the sides play.
    fn colours(&self) -> &BySide<String>;

    /// The side that has to choose a colour (C1).
    fn to_choose(&self) -> Option<Side> {
        None
    }

    /// The pieces that the next strike of a carrom game meets: a full set after a finished game.
    fn next_table(&self) -> Option<Table> {
        None
    }

    /// The pieces on the table of a carrom game; a finished game's stand until the next event.
    fn table(&self) -> Option<Table> {
        None
    }

    /// Plays an event, or gives the reasons against it and leaves the state as it was.
    fn play(&mut self, event: &Event) -> Result<Entry, Refusal> {
        self.validate(event).map(|play| self.apply(play))
    }
}

/// Refuses everything once a match is over, and what the game has no such event for.
pub(super) fn check_open(standing: &Standing, setup: &Setup) -> Result<(), Refusal> {
    if !standing.status.is_over() {
        return Ok(());
    }
    let how = match standing.status.winner() {
        Some(side) => format!("won by {}", setup.name(side)),
        None => "undecided".to_owned(),
    };
    Err(Reason::MatchOver(how).into())
}

/// Any of the five games.
#[derive(Debug, Clone)]
pub enum AnyGame {
    Court(Court),
    LongBoard(LongBoard),
    Association(Association),
    Kagw(Kagw),
    Ludington(Ludington),
}

/// Calls the same method on whichever game it is.
macro_rules! dispatch {
    ($game:expr, $it:ident => $call:expr) => {
        match $game {
            AnyGame::Court($it) => $call,
            AnyGame::LongBoard($it) => $call,
            AnyGame::Association($it) => $call,
            AnyGame::Kagw($it) => $call,
            AnyGame::Ludington($it) => $call,
        }
    };
}

impl AnyGame {
    /// The match before its first event.
    pub fn new(setup: Arc<Setup>) -> AnyGame {
        match setup.game {
            GameId::Court => AnyGame::Court(Court::new(setup)),
            GameId::LongBoard => AnyGame::LongBoard(LongBoard::new(setup)),
            GameId::Association => AnyGame::Association(Association::new(setup)),
            GameId::Kagw => AnyGame::Kagw(Kagw::new(setup)),
            GameId::Ludington => AnyGame::Ludington(Ludington::new(setup)),
        }
    }

    /// Plays an event, or gives every reason against it and leaves the state as it was.
    pub fn play(&mut self, event: &Event) -> Result<Entry, Refusal> {
        dispatch!(self, game => game.play(event))
    }

    pub fn setup(&self) -> &Setup {
        dispatch!(self, game => game.setup())
    }

    pub fn standing(&self) -> &Standing {
        dispatch!(self, game => game.standing())
    }

    pub fn to_play(&self) -> Option<Seat> {
        dispatch!(self, game => game.to_play())
    }

    pub fn to_choose(&self) -> Option<Side> {
        dispatch!(self, game => game.to_choose())
    }

    pub fn colours(&self) -> &BySide<String> {
        dispatch!(self, game => game.colours())
    }

    pub fn table(&self) -> Option<Table> {
        dispatch!(self, game => game.table())
    }

    /// How many pieces of each kind a carrom game has on the table.
    pub fn on_board(&self) -> Option<Vec<(String, u32)>> {
        self.table().map(|table| self.kinds_on(&table))
    }

    /// The same for the table that the next strike meets.
    pub fn next_on_board(&self) -> Option<Vec<(String, u32)>> {
        dispatch!(self, game => game.next_table()).map(|table| self.kinds_on(&table))
    }

    fn kinds_on(&self, table: &Table) -> Vec<(String, u32)> {
        let colours = self.colours();
        let mut kinds: Vec<_> =
            Side::BOTH.iter().map(|side| (colours[*side].clone(), table.on_board[*side])).collect();
        if let Some((special, name)) = table.special.zip(self.setup().game.special()) {
            kinds.push((name.to_owned(), u32::from(special == Special::OnBoard)));
        }
        kinds
    }
}
