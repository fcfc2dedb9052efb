//! Why the desk refuses something.

use serde::Serialize;

use crate::{
    board::BoardError,
    ledger::{CallId, LedgerError},
    rules::Refusal,
};

#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("{0}")]
    Refused(#[from] Refusal),
    #[error("no match has begun: begin one first")]
    NoMatch,
    #[error(
        "this was based on revision {based_on}, but since then {}: look again, and repeat it if it still holds",
        since_words(since)
    )]
    Stale { based_on: u64, now: u64, since: Vec<Since> },
    #[error("there is no open proposal {id}: {what}")]
    NotOpen { id: u64, what: String },
    #[error("proposals are decided in their order: {first} comes first")]
    OutOfOrder { first: u64 },
    #[error("there is no call {call}: {why}")]
    NoSuchCall { call: CallId, why: String },
    #[error("the other way of call {call} does not follow from its line: {why}; give the corrected event")]
    NeedsCorrection { call: CallId, why: String },
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("a person's name is needed: who says so?")]
    NoName,
    #[error("{what} has {found} characters: at most {most} are recorded")]
    LongName { what: &'static str, found: usize, most: usize },
    #[error("the board file that the ledger keeps cannot be used: {0}")]
    Board(#[from] BoardError),
    #[error("the match in the ledger cannot be played by this version's rules: {0}")]
    Unplayable(Refusal),
}

/// Something that was recorded since.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Since {
    pub seq: u64,
    pub author: String,
    /// In words: `frame`, `undo of event 3`, `verdict upheld on 12.3` …
    pub what: String,
}

fn since_words(since: &[Since]) -> String {
    let words: Vec<String> = since.iter().map(|s| format!("{} recorded {}", s.author, s.what)).collect();
    words.join(", ")
}
