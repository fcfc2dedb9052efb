//! The loop that a table runs all evening: frames in, events out.
//!
//! In: frames of a fixed camera, a board, a game and a camera file. Out: settled views, what
//! happened between them, and events for the record with their doubts. The way of a frame:
//!
//! 1. [`Observer`] watches for motion ([`crate::motion`]); when everything is at rest it fuses the
//!    still frames ([`fuse`]), checks the camera and scores the view.
//! 2. The umpire compares settled views ([`lying`]) and what moved between them ([`way`]) with what
//!    the rules expect: a half round of pucks ([`half_round`]).
//! 3. What it finds ([`Finding`]) is a remark, or a draft of an event.
//!
//! Vision decides no points: a draft is an event of the contract, and the rules take it from there.

mod finding;
mod fuse;
mod half_round;
mod lying;
mod observer;
mod options;
mod way;

pub use finding::{Draft, Finding, LiveDoubt, Remark, RestsOn};
pub use fuse::fuse;
pub use half_round::{HalfRound, Order, Seen};
pub use lying::{Changes, Lying, changes};
pub use observer::{Episode, Moved, ObserveError, Observed, Observer, SettledView, Watching};
pub use options::{LiveOptions, SettleOptions, UmpireOptions};
pub use way::{SideTouch, side_touch};
