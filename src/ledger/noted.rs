//! The last entry's fingerprint, noted outside of the ledger.
//!
//! A ledger whose last entries were cut off, or an older copy of it, is whole by itself. So every recorder
//! notes, after each batch, how far the ledger goes, in a small file of a folder of its own, by the
//! ledger's first hash. Whoever opens the ledger there again is told if it is behind. A copy that lacks
//! entries which are still in the file that they were recorded into has lost nothing.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Finding, Hash, Head, Ledger};

/// How far a ledger went at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedHead {
    /// The file that it was recorded into.
    pub ledger: PathBuf,
    pub seq: u64,
    pub hash: Hash,
    pub at: Timestamp,
}

/// What is noted about one ledger and its copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    head: NotedHead,
    /// Heads that were not in the ledger when it was recorded into again.
    #[serde(default)]
    missing: Vec<NotedHead>,
}

/// What a folder of notes says about a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Noted {
    /// Nothing: it was recorded elsewhere.
    Nothing,
    /// It is as long as it was, or went on elsewhere since entry `seq`.
    Holds { seq: u64 },
    /// It is a copy: what it lacks is in another file.
    InAnotherFile(NotedHead),
    /// Entries that were recorded are nowhere any more.
    Behind(Vec<NotedHead>),
}

impl Noted {
    /// What is not in the ledger any more, as findings.
    pub fn findings(&self) -> Vec<Finding> {
        let Noted::Behind(lost) = self else { return Vec::new() };
        lost.iter()
            .map(|head| Finding {
                place: format!("entry {}", head.seq),
                what: format!(
                    "was recorded on this computer at {} ({}) and is not in it any more: its end was cut off, or this is \
                     an older copy",
                    head.at,
                    head.hash.short()
                ),
            })
            .collect()
    }
}

/// Where a person's programs keep what they know; `None` where the system does not say.
pub fn notes_folder() -> Option<PathBuf> {
    Some(crate::output::data_folder()?.join("heads"))
}

/// Compares a ledger with what a folder says about it.
pub fn noted(ledger: &Ledger, folder: &Path) -> Noted {
    let Some(note) = read(ledger, folder) else { return Noted::Nothing };
    let seq = note.head.seq;
    let own = place(ledger);
    let (elsewhere, lost): (Vec<NotedHead>, Vec<NotedHead>) =
        missing(ledger, note).into_iter().partition(|head| head.ledger != own && is_there(head));
    match elsewhere.into_iter().next_back() {
        _ if !lost.is_empty() => Noted::Behind(lost),
        Some(head) => Noted::InAnotherFile(head),
        None => Noted::Holds { seq },
    }
}

/// Notes a ledger's head. What is noted about entries that it lacks stays noted.
pub(super) fn note(ledger: &Ledger, head: Head, at: Timestamp, folder: &Path) -> std::io::Result<()> {
    let Some(name) = name(ledger, folder) else { return Ok(()) };
    let missing = read(ledger, folder).map_or(Vec::new(), |note| missing(ledger, note));
    let head = NotedHead { ledger: place(ledger), seq: head.seq, hash: head.hash, at };
    let text = serde_json::to_string(&Note { head, missing })?;
    std::fs::create_dir_all(folder)?;
    let beside = name.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::write(&beside, text + "\n").and_then(|()| std::fs::rename(&beside, &name)).inspect_err(|_| {
        let _ = std::fs::remove_file(&beside);
    })
}

/// The noted heads that a ledger lacks.
fn missing(ledger: &Ledger, note: Note) -> Vec<NotedHead> {
    let lacks = |head: &NotedHead| head.seq > 0 && ledger.hash_of(head.seq) != Some(head.hash);
    note.missing.into_iter().chain([note.head]).filter(lacks).collect()
}

/// Whether a head is still in the file that it was recorded into.
fn is_there(head: &NotedHead) -> bool {
    Ledger::read(&head.ledger).is_ok_and(|ledger| ledger.hash_of(head.seq) == Some(head.hash))
}

/// Where a ledger lies, whatever links lead there.
fn place(ledger: &Ledger) -> PathBuf {
    ledger.path().canonicalize().unwrap_or_else(|_| ledger.path().to_owned())
}

fn name(ledger: &Ledger, folder: &Path) -> Option<PathBuf> {
    Some(folder.join(format!("{}.json", ledger.genesis()?)))
}

fn read(ledger: &Ledger, folder: &Path) -> Option<Note> {
    let text = std::fs::read_to_string(name(ledger, folder)?).ok()?;
    serde_json::from_str(&text).ok()
}
