//! The loop that a table runs all evening: frames in, events out.
//!
//! In: frames of a fixed camera, a board, a game and a camera file. Out: settled views, what
//! happened between them, and events for the record with their doubts. The way of a frame:
//!
//! 1. [`Observer`] watches for motion ([`crate::motion`]); when everything is at rest it fuses the
//!    still frames ([`fuse()`]), checks the camera and scores the view.
//!    Of a board that is struck on every piece is followed from frame to frame ([`KnownState`]): hands are in the
//!    picture nearly all the time, and what is under them stays as it was last seen. A strike is a launch that was
//!    seen; its outcome is told when everything that matters was seen after it.
//! 2. The umpire compares settled views ([`changes`]) and what moved between them ([`side_touch`], [`fate`]) with what
//!    the rules expect: a half round of pucks ([`HalfRound`]), or strikes ([`Strikes`]).
//! 3. What it finds ([`Finding`]) is a remark, or a draft of an event, which a [`Book`] takes
//!    ([`Session`] holds all three together).
//!
//! Vision decides no points: a draft is an event of the contract, and the rules take it from there.

mod camera_place;
mod desk_book;
mod doing;
mod finding;
mod fuse;
mod half_round;
mod known;
mod lag;
mod lying;
mod observer;
mod options;
mod persist;
mod session;
mod strikes;
mod umpire;
mod way;

pub use desk_book::{DeskBook, DeskBookError, Ground, Mark};
pub use doing::{Diary, Doing, Spent};
pub use finding::{Draft, Finding, LiveDoubt, Remark, RestsOn};
pub use fuse::fuse;
pub use half_round::{HalfRound, Order, Seen};
pub use known::{
    Change, Hands, KnownOptions, KnownState, Launch, Man, Presence, Run, ShooterOptions, VerdictOptions,
};
pub use lying::{Changes, Lying, changes, lying};
pub use observer::{Episode, Moved, ObserveError, Observed, Observer, SettledView, Watching};
pub use options::{LiveOptions, SettleOptions, Trust, UmpireOptions};
pub use session::{Book, Report, Session, SessionError, Sheet, Taken};
pub use strikes::{Due, Strikes};
pub use umpire::{Bookkeeping, Umpire};
pub use way::{Fate, SideTouch, fastest_mm_s, fate, side_touch};
