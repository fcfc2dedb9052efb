//! What an open proposal would bring, and its likeliest other ways: what a person is asked to choose from.

use serde::Serialize;

use super::{flip, history::event_words, inner::Inner};
use crate::{
    ledger::CallId,
    rules::{Event, Record, Side},
};

/// One way it may have been.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Way {
    /// What it brings, in words; why not, where the rules do not allow it.
    pub words: String,
    pub event: Event,
}

/// An open proposal, as it was seen and otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ways {
    /// The proposal's.
    pub id: u64,
    pub seen: Way,
    pub otherwise: Vec<Way>,
}

impl Inner {
    /// The ways of every open proposal, in order; each as if those before it are true.
    pub fn ways(&mut self) -> Vec<Ways> {
        let Some(playing) = self.playing.clone() else { return Vec::new() };
        let mut record = playing.record;
        let mut all = Vec::new();
        for pending in self.pending.clone() {
            let report = pending.view.and_then(|view| self.report(view).ok());
            let (before, event) = (record.clone(), record.next_number());
            let seen = Way { words: tried(&mut record, &pending.event), event: pending.event.clone() };
            let mut otherwise: Vec<Way> = Vec::new();
            for doubt in &pending.doubts {
                let Some(piece) = doubt.piece else { continue };
                let call = CallId { match_number: playing.number, event, piece };
                let ways = flip::other_way(&record, report.as_deref(), call, Some(&doubt.about));
                let allowed = ways.unwrap_or_default().into_iter().find_map(|event| {
                    let mut other = before.clone();
                    other.push(other.next_number(), event.clone()).ok()?;
                    Some(Way { words: brought(&other), event })
                });
                otherwise
                    .extend(allowed.filter(|way| otherwise.iter().all(|known| known.event != way.event)));
            }
            all.push(Ways { id: pending.id, seen, otherwise });
        }
        all
    }
}

/// Plays the event, and says what it brought.
fn tried(record: &mut Record, event: &Event) -> String {
    match record.push(record.next_number(), event.clone()) {
        Ok(()) if event.is_correction() => event_words(event),
        Ok(()) => format!("{}: {}", event_words(event), brought(record)),
        Err(refusal) => format!("{}, which the rules do not allow: {refusal}", event_words(event)),
    }
}

/// The points that the last event brought, by side.
fn brought(record: &Record) -> String {
    let setup = record.state().setup();
    let Some(last) = record.log().last() else { return String::new() };
    let sides = Side::BOTH.map(|side| format!("{} {:+}", setup.name(side), last.entry.points[side]));
    sides.join(", ")
}
