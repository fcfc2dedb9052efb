//! Tournaments without being tournament software: pairings in, matches begun at tables, results out.
//!
//! A [`Book`] is plain data with a revision. It knows which pairings are ready and what a result makes
//! ready; who plays where and when is for the office. Draws are made in the same form, for a club that
//! has nothing else.

mod book;
mod draw;
mod read;
mod standings;
mod write;

pub use book::{Book, BookError, Form, Outcome, Pairing, Seat, Stage};
pub use draw::{Draw, DrawError, Entrant};
pub use read::{ReadError, read_entrants, read_pairings};
pub use standings::{Place, standings};
pub use write::{ResultRow, results, results_csv};
