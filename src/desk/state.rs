//! What everyone may see of a desk.

use serde::Serialize;
use serde_json::Value;

use super::CallSummary;
use crate::{
    board::End,
    ledger::{Author, CameraMoved, Doubtful, Note, ViewId},
    rules::Event,
    score::PieceReport,
};

/// A snapshot, as JSON for pages and programs.
#[derive(Debug, Clone, Serialize)]
pub struct DeskState {
    /// The number of the ledger's last entry.
    pub revision: u64,
    /// Counts every change, also of what is not recorded.
    pub tick: u64,
    #[serde(rename = "match")]
    pub match_info: Option<MatchInfo>,
    /// The state of the match, as `tally --json` prints it.
    pub standing: Option<Value>,
    /// The same if every open proposal is true; `None` where none is open.
    pub provisional: Option<Value>,
    /// The last frame, play-off rock or strike that stands.
    pub last: Option<LastTally>,
    /// What lies on the board, as last seen.
    pub lying: Option<Lying>,
    /// What a person has to decide, first things first.
    pub pending: Vec<Pending>,
    /// Calls of this match that are too close and nobody has ruled on, weightiest first.
    pub close_calls: Vec<CallSummary>,
    /// Notes since the last event.
    pub notes: Vec<Note>,
    /// That the camera was found moved, since the last event.
    pub camera_moved: Option<CameraMoved>,
    /// Which proposals are put to a person.
    pub policy: super::Policy,
    /// The camera's status, whatever the loop shows of it.
    pub camera: Option<Value>,
}

#[derive(Debug, Clone, Serialize)]
pub struct MatchInfo {
    /// Its number in the ledger, from 1.
    pub number: u32,
    pub game: String,
    /// Id of the board.
    pub board: String,
    /// The match file's first line as it stands.
    pub header: Event,
    /// How many events the match has: the next one's number.
    pub events: usize,
}

#[derive(Debug, Clone, Serialize)]
pub struct LastTally {
    /// As in the state's `frames`.
    #[serde(flatten)]
    pub frame: Value,
    pub view: Option<ViewId>,
}

/// Pieces on the board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lying {
    /// Id of the board.
    pub board: String,
    pub end: End,
    /// The stored view, where it is one.
    pub view: Option<ViewId>,
    pub pieces: Vec<PieceReport>,
}

/// A proposal that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pending {
    /// Names it in [`super::Desk::confirm`] and [`super::Desk::reject`].
    pub id: u64,
    pub at: jiff::Timestamp,
    pub event: Event,
    pub confidence: f64,
    pub doubts: Vec<Doubtful>,
    /// Why a person is asked.
    pub asks: String,
    /// Whether it only waits for an earlier proposal.
    pub waits: bool,
    pub view: Option<ViewId>,
    pub author: Author,
}
