//! The five games: events in, tally out. Knows no pixels.
//!
//! In: [`Event`]s, raw as a match file or a person gives them. Out: the state of the match, a score
//! sheet, and what a measurement leaves in doubt. The way of an event:
//!
//! 1. [`match_file::parse`] reads its shape ([`event`]).
//! 2. [`Game::validate`] checks it against the rules in the present state: a move, or a [`Refusal`]
//!    with every [`Reason`]. Pucks by position are called by [`crate::calls`], as in photos.
//! 3. [`Game::apply`] plays the move: the state is a fold over events, one step each.
//! 4. [`Record`] keeps the events; an overrule or an undo folds anew what then stands.
//! 5. [`report`] and [`sheet`] put it into JSON and words; [`photo_tally`] tallies one photo.
//!
//! One file a game: [`Court`], [`LongBoard`], [`Association`], [`Kagw`], [`Ludington`].
//!
#![doc = include_str!("README.md")]

mod association;
pub mod catalogue;
mod cite;
mod colour_choice;
mod court;
pub mod event;
mod frame;
mod game;
mod half_round;
mod kagw;
mod long_board;
mod ludington;
pub mod match_file;
mod photo;
mod pucks;
mod reason;
mod record;
pub mod report;
mod setup;
pub mod sheet;
mod side;
mod standing;
mod strike;

pub use association::Association;
pub use cite::{Cites, RuleId};
pub use court::Court;
pub use event::Event;
pub use game::{AnyGame, Entry, Game, Special, Table};
pub use kagw::Kagw;
pub use long_board::LongBoard;
pub use ludington::Ludington;
pub use photo::{ColourTally, PhotoDoubt, PhotoTally, photo_tally};
pub use pucks::{Doubt, FrameDoubts};
pub use reason::{Reason, Refusal, WAIVERS};
pub use record::{Logged, Record, Recorded};
pub use setup::{GameId, Options, Seat, Setup, SideInfo, shipped};
pub use side::{BySide, Side};
pub use standing::{Standing, Status};
