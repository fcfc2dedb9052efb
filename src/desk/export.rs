//! A match out of its ledger: as a match file, as comma-separated values, as a score sheet.

use crate::{
    ledger::{Entry, Head},
    rules::{Event, Record},
};

mod html;

pub use html::score_sheet;

/// The match file: a line an event. A number that has no event, as after a salvage, is a blank line,
/// so that every line keeps its number.
pub fn match_file(record: &Record) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    let mut due = 0;
    for recorded in record.events() {
        while due < recorded.number {
            text.push('\n');
            due += 1;
        }
        text.push_str(&serde_json::to_string(&recorded.event)?);
        text.push('\n');
        due += 1;
    }
    Ok(text)
}

/// What a score sheet says beside the record.
#[derive(Debug, Clone, Copy)]
pub struct SheetSource<'a> {
    pub record: &'a Record,
    /// Of the match.
    pub entries: &'a [Entry],
    /// The ledger's last entry, printed so that the ledger can be checked against the sheet.
    pub head: Head,
    /// The ledger file's name.
    pub ledger: &'a str,
}

impl SheetSource<'_> {
    fn began(&self) -> Option<jiff::Timestamp> {
        self.entries.iter().find(|e| matches!(e.event(), Some((0, Event::Match(_))))).map(|entry| entry.at)
    }
}
