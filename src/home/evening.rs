//! Earlier evenings: which matches a ledger holds, and how they stand.

use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::{
    desk::record_of,
    ledger::{Entry, Ledger, LedgerError},
    rules::{Record, report},
};

/// A ledger in a line.
#[derive(Debug, Clone, Serialize)]
pub struct Evening {
    /// The file's name without its ending: the evening's date.
    pub name: String,
    pub matches: Vec<MatchLine>,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// A match in a line.
#[derive(Debug, Clone, Serialize)]
pub struct MatchLine {
    pub number: u32,
    pub game: String,
    pub begun: Option<Timestamp>,
    pub sides: Vec<String>,
    /// As `tally --json` prints it.
    pub standing: Value,
}

/// What a ledger holds; one that cannot be read says why.
pub fn evening_of(path: &Path) -> Evening {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match matches_of(path) {
        Ok(matches) => {
            let matches = matches.iter().map(|(number, entries, record)| line(*number, entries, record));
            Evening { name, matches: matches.collect(), problem: None }
        }
        Err(error) => Evening { name, matches: Vec::new(), problem: Some(error.to_string()) },
    }
}

/// The matches of a ledger, in order; one that this version's rules cannot play is left out.
pub fn matches_of(path: &Path) -> Result<Vec<(u32, Vec<Entry>, Record)>, LedgerError> {
    let ledger = Ledger::read(path)?;
    let entries = ledger.entries()?;
    let mut numbers: Vec<u32> =
        entries.iter().filter(|entry| entry.event().is_some()).map(|entry| entry.match_number).collect();
    numbers.dedup();
    let one = |number: u32| {
        let record = record_of(&ledger, &entries, number).ok()?;
        let own = entries.iter().filter(|entry| entry.match_number == number).cloned().collect();
        Some((number, own, record))
    };
    Ok(numbers.into_iter().filter_map(one).collect())
}

fn line(number: u32, entries: &[Entry], record: &Record) -> MatchLine {
    let setup = record.state().setup();
    let sides = [crate::rules::Side::First, crate::rules::Side::Second];
    MatchLine {
        number,
        game: setup.game.id().to_owned(),
        begun: entries.first().map(|entry| entry.at),
        sides: sides.map(|side| setup.name(side).to_owned()).to_vec(),
        standing: report::json(record),
    }
}
