//! What a hall can ask of a table.
//!
//! A command is for one table's one ledger and is done at most once: its id is recorded in that ledger
//! before it is done. The same command that comes again is answered again, and not done again.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    ledger::{CallId, Hash, Ruling},
    rules::{Event, event::MatchEvent},
};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Command {
    pub v: u32,
    /// 32 hexadecimal digits that no other command has.
    pub id: String,
    /// The ledger that it is for.
    pub ledger: Hash,
    pub at: Timestamp,
    /// The person who says so.
    pub by: String,
    /// The last entry that they saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<u64>,
    #[serde(flatten)]
    pub order: Order,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Order {
    /// Begins a match.
    Pairing {
        pairing: String,
        #[serde(rename = "match")]
        header: MatchEvent,
        /// Even if one is being played.
        #[serde(default)]
        replace: bool,
    },
    /// Records what was asked about, as it was seen or as `event` says.
    Confirm {
        question: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<Event>,
    },
    /// It did not happen.
    Reject {
        question: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A ruling on a call.
    Ruling {
        call: CallId,
        ruling: Ruling,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Tells its entries again, from this one on.
    Entries { from: u64 },
    /// Tells a frame.
    File { hash: Hash },
}

impl Order {
    /// Whether it changes the match, and so is recorded.
    pub fn changes(&self) -> bool {
        !matches!(self, Order::Entries { .. } | Order::File { .. })
    }

    /// In words, for the record.
    pub fn words(&self) -> String {
        match self {
            Order::Pairing { pairing, .. } => format!("pairing {pairing}"),
            Order::Confirm { question, event: None } => format!("question {question} confirmed"),
            Order::Confirm { question, event: Some(_) } => format!("question {question} corrected"),
            Order::Reject { question, .. } => format!("question {question} rejected"),
            Order::Ruling { call, ruling, .. } => format!("call {call} {}", ruling.name()),
            Order::Entries { from } => format!("entries from {from}"),
            Order::File { hash } => format!("file {}", hash.short()),
        }
    }
}

/// An id that no other command has.
pub fn new_id() -> String {
    format!("{:032x}", rand::random::<u128>())
}
