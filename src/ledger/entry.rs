//! What stands in a ledger, an entry each.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{FileRef, Hash, ViewId};
use crate::rules::Event;

/// An entry as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its place in the ledger, from 1 without gaps.
    pub seq: u64,
    /// The match it belongs to, from 1.
    pub match_number: u32,
    /// An event's number in its match file: that of its line, counted from 0. `None` for everything
    /// that is not an event of the contract.
    pub number: Option<usize>,
    pub at: Timestamp,
    pub author: Author,
    pub content: Content,
    /// The entry that it is about: an event's or a decision's proposal.
    pub refers: Option<u64>,
    /// The view that it rests on.
    pub view: Option<ViewId>,
    /// The score that was shown once it was recorded.
    pub shown: Option<Shown>,
    pub hash: Hash,
}

impl Entry {
    /// The event, where it is one that counts.
    pub fn event(&self) -> Option<(usize, &Event)> {
        match (&self.content, self.number) {
            (Content::Event(event), Some(number)) => Some((number, event)),
            _ => None,
        }
    }
}

/// Who says so.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Author {
    /// The camera.
    Vision,
    /// This program, on nobody's word.
    Program,
    /// A person by name.
    Referee(String),
}

const REFEREE: &str = "referee ";

impl Author {
    pub fn referee(name: &str) -> Author {
        Author::Referee(name.to_owned())
    }

    /// The person's name.
    pub fn person(&self) -> Option<&str> {
        match self {
            Author::Referee(name) => Some(name),
            Author::Vision | Author::Program => None,
        }
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Author::Vision => f.write_str("vision"),
            Author::Program => f.write_str("program"),
            Author::Referee(name) => write!(f, "{REFEREE}{name}"),
        }
    }
}

impl From<Author> for String {
    fn from(author: Author) -> String {
        author.to_string()
    }
}

impl From<String> for Author {
    fn from(text: String) -> Author {
        match text.as_str() {
            "vision" => Author::Vision,
            "program" => Author::Program,
            other => Author::referee(other.strip_prefix(REFEREE).unwrap_or(other)),
        }
    }
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// An event of the contract: the only kind that counts in the score and in match files.
    Event(Event),
    /// What holds from here on: written before a match's first event.
    Setting(Setting),
    /// What vision saw and did not record by itself.
    Proposal(Proposed),
    /// What a person made of a proposal.
    Decision(Decision),
    /// A person's ruling on a disputed call.
    Verdict(Verdict),
    Note(Note),
    /// The camera was found moved.
    CameraMoved(CameraMoved),
    /// Of a kind that this version does not know.
    Unknown {
        kind: String,
        body: String,
    },
}

/// The kinds of entries, by the names they have in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Event,
    Setting,
    Proposal,
    Decision,
    Verdict,
    Note,
    CameraMoved,
    Unknown,
}

impl Content {
    pub fn kind(&self) -> Kind {
        match self {
            Content::Event(_) => Kind::Event,
            Content::Setting(_) => Kind::Setting,
            Content::Proposal(_) => Kind::Proposal,
            Content::Decision(_) => Kind::Decision,
            Content::Verdict(_) => Kind::Verdict,
            Content::Note(_) => Kind::Note,
            Content::CameraMoved(_) => Kind::CameraMoved,
            Content::Unknown { .. } => Kind::Unknown,
        }
    }

    /// Its kind and body as they stand in the file.
    pub(super) fn columns(&self) -> Result<(String, String), serde_json::Error> {
        let (kind, body) = match self {
            Content::Event(event) => ("event", serde_json::to_string(event)?),
            Content::Setting(setting) => ("setting", serde_json::to_string(setting)?),
            Content::Proposal(proposed) => ("proposal", serde_json::to_string(proposed)?),
            Content::Decision(decision) => ("decision", serde_json::to_string(decision)?),
            Content::Verdict(verdict) => ("verdict", serde_json::to_string(verdict)?),
            Content::Note(note) => ("note", serde_json::to_string(note)?),
            Content::CameraMoved(moved) => ("camera-moved", serde_json::to_string(moved)?),
            Content::Unknown { kind, body } => (kind.as_str(), body.clone()),
        };
        Ok((kind.to_owned(), body))
    }

    pub(super) fn parse(kind: &str, body: &str) -> Result<Content, serde_json::Error> {
        Ok(match kind {
            "event" => Content::Event(event_of(body)?),
            "setting" => Content::Setting(serde_json::from_str(body)?),
            "proposal" => Content::Proposal(serde_json::from_str(body)?),
            "decision" => Content::Decision(serde_json::from_str(body)?),
            "verdict" => Content::Verdict(serde_json::from_str(body)?),
            "note" => Content::Note(serde_json::from_str(body)?),
            "camera-moved" => Content::CameraMoved(serde_json::from_str(body)?),
            _ => Content::Unknown { kind: kind.to_owned(), body: body.to_owned() },
        })
    }
}

/// An event as it was written. Nearly all are frames with their tag in front: what follows it is read
/// straight into the frame, without first keeping all of it until the tag is found.
fn event_of(body: &str) -> Result<Event, serde_json::Error> {
    match body.strip_prefix(r#"{"type":"frame","#) {
        Some(rest) => serde_json::from_str(&format!("{{{rest}")).map(Event::Frame),
        None => serde_json::from_str(body),
    }
}

/// What holds for a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    pub program: String,
    /// The board file that the rules play on; the game's own where none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<FileRef>,
    /// Which proposals are put to a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
}

/// An event that vision proposes and a person has to decide about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    pub event: Event,
    /// How likely the event is right, all doubts together, 0 to 1.
    pub confidence: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubtful>,
    /// Why it was not recorded by itself, in words.
    pub asks: String,
    /// Whether it asks only because an earlier proposal is still open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
}

/// One thing that vision is not sure of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Doubtful {
    /// The line that is too close, `end`, `order`, `edge`, `colour …`, `bank`, `cushion`, `pocketed` …
    pub about: String,
    /// How likely it is the other way.
    pub probability: f64,
    /// The piece's id in the view's report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<usize>,
    /// What to ask a person, where the above does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub decided: Decided,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decided {
    /// Recorded as proposed.
    Confirmed,
    /// Recorded as a person corrected it.
    Corrected,
    /// Not recorded.
    Rejected,
}

/// A person's ruling on a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    pub call: CallId,
    pub ruling: Ruling,
    /// What about the piece was ruled on, where it was said: a line, `end`, `order`, `colour …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The number of the event that carries it out, where the score changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_out_by: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// The call stands.
    Upheld,
    /// The call is the other way.
    Overruled,
    /// What was called is played again: the event is undone.
    Replay,
}

impl Ruling {
    pub fn name(self) -> &'static str {
        match self {
            Ruling::Upheld => "upheld",
            Ruling::Overruled => "overruled",
            Ruling::Replay => "replay",
        }
    }
}

/// A remark that counts for nothing in the score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// `dead-piece`, `striker-placement`, `hand`, `remark` …
    pub about: String,
    pub text: String,
    /// How sure vision is, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// The camera no longer stands where its file says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CameraMoved {
    /// How far the board has moved in the picture; `None` where it is not seen any more.
    pub moved_px: Option<f64>,
    /// The ledger's last entry when the camera was last seen in its place: calls of later entries,
    /// up to this one, are in question.
    pub last_good_seq: u64,
    /// Whether the board was found again at once.
    pub registered_again: bool,
    /// A person has set the camera up anew: no call is in question by this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub set_up: bool,
}

/// The score as people saw it after an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// By side's name, as in the match's final state.
    pub scores: serde_json::Value,
    pub games: serde_json::Value,
    pub status: String,
}

/// A call's name for good: the piece of a view's report (or, without a view, of the event's list),
/// counted from 1, in an event of a match. `12.3` in a ledger's first match, `2:12.3` in its second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CallId {
    pub match_number: u32,
    pub event: usize,
    pub piece: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no call: expected EVENT.PIECE, for example 12.3, as linecall review LEDGER lists them")]
pub struct CallIdError(pub String);

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.match_number != 1 {
            write!(f, "{}:", self.match_number)?;
        }
        write!(f, "{}.{}", self.event, self.piece)
    }
}

impl std::str::FromStr for CallId {
    type Err = CallIdError;

    fn from_str(text: &str) -> Result<CallId, CallIdError> {
        let read = || {
            let (match_number, rest) = match text.split_once(':') {
                Some((number, rest)) => (number.parse().ok().filter(|n| *n > 0)?, rest),
                None => (1, text),
            };
            let (event, piece) = rest.split_once('.')?;
            let piece = piece.parse().ok().filter(|piece| *piece > 0)?;
            Some(CallId { match_number, event: event.parse().ok()?, piece })
        };
        read().ok_or_else(|| CallIdError(text.to_owned()))
    }
}

impl From<CallId> for String {
    fn from(id: CallId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for CallId {
    type Error = CallIdError;

    fn try_from(text: String) -> Result<CallId, CallIdError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_as_the_rules_read_it() {
        let bodies = [
            r#"{"type":"frame","pieces":[{"colour":"red","x_mm":12.25,"y_mm":1333.125,"sigma_mm":0.1}],"end":"near"}"#,
            r#"{"type":"frame","pieces":[],"by":"Cy"}"#,
            r#"{"pieces":[{"colour":"red","area":null}],"type":"frame"}"#,
            r#"{"type":"undo","event":3}"#,
            r#"{"type":"frame","pieces":[],"colour":"red"}"#,
            r#"{"type":"frame"}"#,
            r#"{"type":"frames","pieces":[]}"#,
        ];
        for body in bodies {
            let by_rules = serde_json::from_str::<Event>(body).ok();
            assert_eq!(event_of(body).ok(), by_rules, "{body}");
        }
        assert!(event_of(bodies[0]).is_ok() && event_of(bodies[4]).is_err());
    }

    #[test]
    fn a_call_is_named_for_good() {
        let call = CallId { match_number: 1, event: 12, piece: 3 };
        assert_eq!(call.to_string(), "12.3");
        assert_eq!("12.3".parse(), Ok(call));
        assert_eq!("2:12.3".parse(), Ok(CallId { match_number: 2, ..call }));
        for wrong in ["", "12", "12.", ".3", "12.0", "0:1.1", "a.b", "1.2.3", "-1.2"] {
            assert!(wrong.parse::<CallId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_author_survives_its_text() {
        for author in [Author::Vision, Author::Program, Author::referee("Ann"), Author::referee("vision")] {
            assert_eq!(Author::from(author.to_string()), author);
        }
    }
}
