//! The trail: every entry of a match with the score that was shown after it.

use jiff::Timestamp;
use serde::Serialize;

use crate::{
    ledger::{CameraMoved, Content, Decided, Entry, Shown},
    rules::Event,
};

/// One line of a match's history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryLine {
    pub seq: u64,
    #[serde(rename = "match")]
    pub match_number: u32,
    /// An event's number.
    pub event: Option<usize>,
    pub at: Timestamp,
    pub author: String,
    /// What happened, in words.
    pub what: String,
    /// The score that was shown from then on; absent where it did not change.
    pub shown: Option<Shown>,
    /// Whether the view that it rests on is kept.
    pub view: bool,
}

/// The history of a match, or of all matches of a ledger.
pub fn history(entries: &[Entry], match_number: Option<u32>) -> Vec<HistoryLine> {
    entries
        .iter()
        .filter(|entry| match_number.is_none_or(|number| entry.match_number == number))
        .map(|entry| HistoryLine {
            seq: entry.seq,
            match_number: entry.match_number,
            event: entry.number,
            at: entry.at,
            author: entry.author.to_string(),
            what: what(entry),
            shown: entry.shown.clone(),
            view: entry.view.is_some(),
        })
        .collect()
}

/// An entry in words.
pub(super) fn what(entry: &Entry) -> String {
    let because = |why: &Option<String>| why.as_ref().map_or(String::new(), |why| format!(": {why}"));
    match &entry.content {
        Content::Event(event) => event_words(event),
        Content::Setting(setting) => {
            let board =
                setting.board.as_ref().map_or(String::new(), |board| format!(", board {}", board.name));
            format!("a match begins, {}{board}", setting.program)
        }
        Content::Proposal(proposed) => format!(
            "proposes {} ({:.0} % sure); asked, because {}",
            proposed.event.name(),
            proposed.confidence * 100.0,
            proposed.asks
        ),
        Content::Decision(decision) => {
            let decided = match decision.decided {
                Decided::Confirmed => "confirms",
                Decided::Corrected => "corrects",
                Decided::Rejected => "rejects",
            };
            format!("{decided} proposal {}{}", entry.refers.unwrap_or(0), because(&decision.why))
        }
        Content::Verdict(verdict) => {
            let carried = verdict.carried_out_by.map_or(String::new(), |event| format!(", by event {event}"));
            format!(
                "rules on call {}: {}{carried}{}",
                verdict.call,
                verdict.ruling.name(),
                because(&verdict.why)
            )
        }
        Content::Note(note) => format!("notes ({}): {}", note.about, note.text),
        Content::CameraMoved(moved) => camera_words(moved),
        Content::Unknown { kind, .. } => format!("{kind} (of a newer version)"),
    }
}

fn camera_words(moved: &CameraMoved) -> String {
    if moved.set_up {
        return "takes up the camera as it was set up anew".to_owned();
    }
    let how = match moved.moved_px {
        Some(px) => format!("finds the camera moved by {px:.1} px"),
        None => "does not see the board any more".to_owned(),
    };
    format!("{how}: calls after entry {} are in question", moved.last_good_seq)
}

pub(super) fn event_words(event: &Event) -> String {
    let because = |why: &Option<String>| why.as_ref().map_or(String::new(), |why| format!(": {why}"));
    match event {
        Event::Match(header) => {
            let sides: Vec<&str> = header.sides.iter().map(|side| side.name.as_str()).collect();
            format!("match of {}, {}", header.game, sides.join(" against "))
        }
        Event::Lag(lag) => format!("lag, {} and {}", lag.first, lag.second),
        Event::Choose(choose) => format!("{} chooses {}", choose.side, choose.colour),
        Event::Frame(frame) => format!("frame of {} pieces", frame.pieces.len()),
        Event::Playoff(rock) => {
            format!("play-off rock, {} in {}", rock.colour, rock.area.as_deref().unwrap_or("no area"))
        }
        Event::Strike(strike) => match strike.pocketed.len() + strike.off_board.len() {
            0 => "strike, nothing pocketed".to_owned(),
            _ => format!("strike, pocketed {}", strike.pocketed.join(", ")),
        },
        Event::Forgotten(_) => "the owed penalty was forgotten".to_owned(),
        Event::Overrule(overrule) => format!(
            "overrules event {} with {}{}",
            overrule.event,
            event_words(&overrule.with),
            because(&overrule.why)
        ),
        Event::Undo(undo) => format!("undoes event {}{}", undo.event, because(&undo.why)),
    }
}
