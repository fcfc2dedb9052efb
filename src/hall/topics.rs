//! The contract between tables and halls: topics and payloads, version 1.
//!
//! Fields may be added within a version; a payload of another version is refused. `docs/hall.md` says
//! the same for those who write another program.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    desk::Pending,
    ledger::{CarriedEntry, CarriedFile, Hash, Head, Origin},
    rules::Event,
};

/// Of every payload.
pub const VERSION: u32 = 1;

pub const ONLINE: &str = "online";
pub const OFFLINE: &str = "offline";

/// The largest packet that is taken, bytes: an entry with a large view, or a part of a file.
pub const MAX_PACKET_BYTES: usize = 8 << 20;
/// Bytes of a file in one message.
pub const PART_BYTES: usize = 512 << 10;

/// What a table tells and hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// `online` or `offline`, retained; the last will.
    Availability,
    /// [`TableState`], retained.
    State,
    /// [`EntryMessage`]: one a ledger's entry, in order.
    Entries,
    /// [`AskMessage`], retained: every open question.
    Ask,
    /// [`super::seal::Sealed`] with a [`super::command::Command`], from the hall.
    Command,
    /// [`Answer`] to a command.
    Answer,
    /// [`FilePart`] of a frame that a command asked for.
    File,
}

impl About {
    const ALL: [(About, &'static str); 7] = [
        (About::Availability, "availability"),
        (About::State, "state"),
        (About::Entries, "entries"),
        (About::Ask, "ask"),
        (About::Command, "command"),
        (About::Answer, "answer"),
        (About::File, "file"),
    ];

    fn name(self) -> &'static str {
        About::ALL.iter().find(|(about, _)| *about == self).map_or("", |(_, name)| name)
    }
}

/// A table's topic.
pub fn of_table(hall: &str, table: &str, about: About) -> String {
    format!("linecall/{hall}/{table}/{}", about.name())
}

/// Every table's topics that a hall listens to.
pub fn of_all_tables(hall: &str) -> Vec<String> {
    let heard = About::ALL.iter().filter(|(about, _)| *about != About::Command);
    heard.map(|(_, name)| format!("linecall/{hall}/+/{name}")).collect()
}

/// Which table's topic it is.
pub fn table_of<'t>(hall: &str, topic: &'t str) -> Option<(&'t str, About)> {
    let rest = topic.strip_prefix("linecall/")?.strip_prefix(hall)?.strip_prefix('/')?;
    let (table, name) = rest.split_once('/')?;
    let (about, _) = About::ALL.iter().find(|(_, known)| *known == name)?;
    super::address::is_name(table).then_some((table, *about))
}

/// A hall's machine: `online` or `offline`, retained. Three levels, so that no table can have it.
pub fn of_office(hall: &str, office: &str) -> String {
    format!("linecall/{hall}/hall/office/{office}")
}

pub fn of_all_offices(hall: &str) -> String {
    of_office(hall, "+")
}

pub fn office_of<'t>(hall: &str, topic: &'t str) -> Option<&'t str> {
    topic.strip_prefix("linecall/")?.strip_prefix(hall)?.strip_prefix("/hall/office/")
}

/// The pairings as the hall has them, sealed, retained: another machine of the same hall takes them up.
pub fn of_pairings(hall: &str) -> String {
    format!("linecall/{hall}/hall/pairings")
}

/// A pairing's result, sealed, retained.
pub fn of_result(hall: &str, pairing: &str) -> String {
    format!("linecall/{hall}/hall/result/{pairing}")
}

/// A table as it is now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableState {
    pub v: u32,
    /// For people; the topic has the name for programs.
    pub name: String,
    pub program: String,
    pub at: Timestamp,
    pub ledger: Origin,
    pub head: Head,
    /// What is played; `null` before the first match.
    #[serde(rename = "match")]
    pub playing: Option<Playing>,
    /// Whether a pairing would be taken: no match is being played.
    pub free: bool,
    /// What the camera is doing, in words; `null` where none runs.
    pub doing: Option<String>,
    /// That the camera was found moved, in words.
    pub camera_moved: Option<String>,
    /// Open questions.
    pub asks: usize,
    /// Calls that are too close and nobody has ruled on, weightiest first.
    pub close_calls: Vec<CloseCall>,
    /// The games that can be played here; empty: any.
    #[serde(default)]
    pub games: Vec<String>,
    /// Commands that were refused since the table started, and why the last one was.
    #[serde(default)]
    pub refused: Refused,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Refused {
    pub count: u64,
    pub last: Option<String>,
}

/// A match's standing, as far as a hall shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Playing {
    /// Its number in the ledger.
    pub number: u32,
    pub game: String,
    pub game_name: String,
    pub best_of: u32,
    /// The match file's first line.
    pub header: Event,
    /// `playing`, `tie-break`, `won` or `undecided`.
    pub status: String,
    /// In the sides' order.
    pub sides: Vec<SideStanding>,
    pub winner: Option<String>,
    /// Whose turn it is.
    pub to_play: Option<String>,
    /// The number of the last event.
    pub events: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SideStanding {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    pub colour: String,
    /// Of the running game.
    pub score: i64,
    pub games: i64,
    /// Of the whole match (K13).
    pub points: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloseCall {
    /// As `linecall review` names it.
    pub id: String,
    pub words: String,
    pub swing: i32,
}

/// One entry of a table's ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntryMessage {
    pub v: u32,
    pub ledger: Origin,
    pub entry: CarriedEntry,
}

/// Every open question of a table, first things first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskMessage {
    pub v: u32,
    pub ledger: Hash,
    pub revision: u64,
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What a command names it by.
    pub id: u64,
    pub at: Timestamp,
    /// What was seen, in words.
    pub words: String,
    /// Why a person is asked.
    pub asks: String,
    pub confidence: f64,
    /// The event as it would be recorded.
    pub event: Event,
    /// Other ways it may have been, each with what it says: for questions whose answer is one of few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<OtherWay>,
    /// A small JPEG of the view, base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<CarriedFile>,
    /// Whether it only waits for one before it.
    #[serde(default)]
    pub waits: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OtherWay {
    pub words: String,
    pub event: Event,
}

impl Question {
    pub fn of(pending: &Pending, words: String, picture: Option<CarriedFile>) -> Question {
        Question {
            id: pending.id,
            at: pending.at,
            words,
            asks: pending.asks.clone(),
            confidence: pending.confidence,
            event: pending.event.clone(),
            otherwise: Vec::new(),
            picture,
            waits: pending.waits,
        }
    }
}

/// What became of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub v: u32,
    /// The command's.
    pub id: String,
    pub done: bool,
    /// Why not, or what was done.
    pub words: String,
    /// Of a pairing: the match that it began.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_number: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FilePart {
    pub v: u32,
    pub ledger: Hash,
    pub hash: Hash,
    pub size: u64,
    pub offset: u64,
    pub bytes: CarriedFile,
}

/// Why a payload is not taken.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    #[error("it is of version {0} of the contract, this program speaks version {VERSION}")]
    Version(u32),
    #[error("it is not what the contract says: {0}")]
    Form(String),
}

/// Reads a payload of this version.
pub fn read<T: serde::de::DeserializeOwned>(payload: &[u8]) -> Result<T, PayloadError> {
    #[derive(Deserialize)]
    struct Versioned {
        v: u32,
    }
    let form = |error: serde_json::Error| PayloadError::Form(error.to_string());
    match serde_json::from_slice::<Versioned>(payload).map_err(form)? {
        Versioned { v: VERSION } => serde_json::from_slice(payload).map_err(form),
        Versioned { v } => Err(PayloadError::Version(v)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_read_as_they_are_written() {
        let topic = of_table("club", "t-1", About::Entries);
        assert_eq!(topic, "linecall/club/t-1/entries");
        assert_eq!(table_of("club", &topic), Some(("t-1", About::Entries)));
        assert_eq!(table_of("other", &topic), None);
        assert_eq!(table_of("club", "linecall/club/hall/office/a"), None);
        assert_eq!(table_of("club", "linecall/club/A B/state"), None);
        assert_eq!(office_of("club", &of_office("club", "k")), Some("k"));
    }
}
