//! The hall: many tables on an MQTT broker that exists already, and the page over them.
//!
//! A table works alone; its ledger is the record. On a broker it tells what it records ([`table`]),
//! and takes signed commands. The hall's side ([`office`]) keeps a verified copy of every table's
//! ledger, one queue of questions and the pairings, and serves all of it from its own copy ([`page`]).
//!
//! - [`topics`]: the contract: topics and payloads, versioned. `docs/hall.md` describes it.
//! - [`address`]: a broker's address, and names that a topic can hold.
//! - [`link`]: the connection: what is heard, what is told, and coming back after a break.
//! - [`seal`]: what a hall signs, and how it is checked.
//! - [`command`]: what a hall can ask of a table.
//! - [`tournament`]: pairings in, results out; draws for a club that has nothing else.

pub mod address;
pub mod command;
pub mod link;
pub mod office;
pub mod page;
pub mod seal;
pub mod table;
pub mod topics;
pub mod tournament;

pub use address::{AddressError, HallAddress, name_of};
pub use seal::{HallKey, PublicKey, SealError};
pub use table::table_standing;
