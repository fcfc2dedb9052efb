//! The ledger: a match's record in one SQLite file, and what every event rests on.
//!
//! In: [`NewEntry`]s, each with an author, a time and, where vision saw it, a [`ViewEvidence`]: the
//! frame, the report with its calls, the board and camera files in force. Out: the same again, years
//! later, with proof that nothing was changed since. Knows no rules: what an event means for the
//! score is for [`crate::desk`].
//!
//! - Entries are only ever appended, a batch in one transaction, and are on the disk before
//!   [`Ledger::append`] returns.
//! - Every entry holds a SHA-256 hash over itself, its view's hash and the hash before it; a view's
//!   hash covers its report and the hashes of its frames and files ([`chain`]). [`verify`] computes
//!   all of them again and names what was changed; [`salvage`] gets out what is whole.
//! - Files (frames, board files, camera files) are stored once, by the hash of their bytes.
//! - [`LedgerCopy`] is a verified copy of a ledger that another machine records.
//! - The schema has a number and migrations; a newer one is refused, not guessed at.

pub mod chain;
mod copy;
mod entry;
mod error;
mod lock;
mod noted;
mod salvage;
mod schema;
mod store;
mod verify;
mod view;

pub use chain::Hash;
pub use copy::{CarriedEntry, CarriedFile, CarriedView, CopyHead, LedgerCopy, NotTaken, Origin};
pub use entry::{
    Author, CallId, CallIdError, CameraMoved, Content, Decided, Decision, Doubtful, Entry, Kind, Note,
    Proposed, Ruling, Setting, Shown, Verdict,
};
pub use error::LedgerError;
pub use noted::{Noted, NotedHead, noted, notes_folder};
pub use salvage::{Salvage, salvage};
pub use store::{CopiedView, Head, Ledger, LedgerOptions, NewEntry, NewView, ReportTexts};
pub use verify::{Finding, Verification, verify};
pub use view::{
    EncodedFrame, FileRef, FrameRole, FrameTooLarge, KnownPlace, StoredFrame, StoredRegistration, StoredView,
    TimedFrame, ViewEvidence, ViewFacts, ViewId,
};

/// The time as the ledger writes it. Injected, so that a replayed recording gives the same bytes.
pub type Clock = std::sync::Arc<dyn Fn() -> jiff::Timestamp + Send + Sync>;

/// The machine's clock.
pub fn system_clock() -> Clock {
    std::sync::Arc::new(jiff::Timestamp::now)
}
