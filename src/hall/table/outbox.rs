//! What the broker has not acknowledged yet: read from the ledger, told in order.

use std::{
    collections::VecDeque,
    io::Write,
    path::{Path, PathBuf},
    pin::Pin,
};

use serde::{Deserialize, Serialize};

use crate::{
    hall::{
        link::{Broken, Teller},
        topics::{EntryMessage, VERSION},
    },
    ledger::{Hash, Ledger, LedgerError, Origin},
};

#[derive(Debug, thiserror::Error)]
pub enum OutboxError {
    #[error("the ledger cannot be told to the hall: {0}")]
    Ledger(#[from] LedgerError),
    #[error("the hall's thread cannot be started: {source}")]
    Thread { source: std::io::Error },
}

/// How far a ledger has been told, in a file beside it. Losing it costs nothing but telling again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutboxMark {
    /// The broker and hall that it was told to.
    pub hall: String,
    pub ledger: Hash,
    /// The last entry that the broker has acknowledged, and all before it.
    pub told: u64,
}

const MARK: &str = "-told.json";

impl OutboxMark {
    fn path(ledger: &Path) -> PathBuf {
        let mut name = ledger.file_name().unwrap_or_default().to_owned();
        name.push(MARK);
        ledger.with_file_name(name)
    }

    fn load(ledger: &Path) -> Option<OutboxMark> {
        serde_json::from_str(&std::fs::read_to_string(OutboxMark::path(ledger)).ok()?).ok()
    }

    /// Under another name first, so that a crash leaves the old one or the new one.
    fn save(&self, ledger: &Path) -> std::io::Result<()> {
        let path = OutboxMark::path(ledger);
        let fresh = path.with_extension("json.new");
        let mut file = std::fs::File::create(&fresh)?;
        file.write_all(serde_json::to_string(self)?.as_bytes())?;
        drop(file);
        std::fs::rename(&fresh, &path)
    }
}

/// One ledger's way to the broker.
struct Sending {
    ledger: Ledger,
    origin: Origin,
    /// The last entry that was handed to the connection.
    handed: u64,
    mark: OutboxMark,
    /// How far the file beside it says; none where there is no file yet.
    saved: Option<u64>,
}

type Acknowledged = Pin<Box<dyn Future<Output = Result<(), Broken>> + Send>>;

/// The ledgers of a table that are told: those of earlier evenings first, where something is left of them.
pub struct Outbox {
    topic: String,
    window: usize,
    /// The present one is the last.
    ledgers: VecDeque<Sending>,
    in_flight: VecDeque<(Hash, u64, Acknowledged)>,
}

impl Outbox {
    pub fn open(present: &Path, hall: &str, topic: String, window: usize) -> Result<Outbox, OutboxError> {
        let mut ledgers: VecDeque<Sending> = earlier(present)
            .into_iter()
            .filter_map(|path| Sending::open(&path, hall).ok())
            .filter(|sending| sending.mark.told < sending.ledger.head().seq)
            .collect();
        ledgers.push_back(Sending::open(present, hall)?);
        Ok(Outbox { topic, window: window.max(1), ledgers, in_flight: VecDeque::new() })
    }

    /// A new connection: what the old one did not acknowledge is told again.
    pub fn begin_again(&mut self) {
        self.in_flight.clear();
        for sending in &mut self.ledgers {
            sending.handed = sending.mark.told;
        }
    }

    /// Tells the entries again from this one on.
    pub fn rewind(&mut self, ledger: &Hash, from: u64) {
        for sending in self.ledgers.iter_mut().filter(|sending| sending.origin.hash == *ledger) {
            let before = from.saturating_sub(1);
            sending.handed = sending.handed.min(before);
            sending.mark.told = sending.mark.told.min(before);
        }
    }

    /// Hands over what there is room for.
    pub async fn pump(&mut self, teller: &Teller) -> Result<(), OutboxError> {
        while self.in_flight.len() < self.window {
            let room = self.window - self.in_flight.len();
            let Some((ledger, entries)) = self.next(room)? else { return Ok(()) };
            for message in entries {
                let seq = message.entry.seq;
                // It is made of strings and numbers only.
                let payload = serde_json::to_vec(&message).unwrap_or_default();
                let Ok(told) = teller.tell(&self.topic, payload).await else { return Ok(()) };
                self.in_flight.push_back((ledger, seq, Box::pin(told.wait())));
                if let Some(sending) = self.ledgers.iter_mut().find(|sending| sending.origin.hash == ledger) {
                    sending.handed = seq;
                }
            }
        }
        Ok(())
    }

    /// The next entries of the first ledger that has some; later ledgers wait for it.
    fn next(&self, limit: usize) -> Result<Option<(Hash, Vec<EntryMessage>)>, OutboxError> {
        for sending in &self.ledgers {
            let entries = sending.ledger.carried_after(sending.handed, limit)?;
            if entries.is_empty() {
                continue;
            }
            let message = |entry| EntryMessage { v: VERSION, ledger: sending.origin.clone(), entry };
            return Ok(Some((sending.origin.hash, entries.into_iter().map(message).collect())));
        }
        Ok(None)
    }

    /// Waits until the broker acknowledges the oldest entry that is on its way; for ever where none is.
    pub async fn acknowledged(&mut self) -> Result<(), Broken> {
        let Some((ledger, seq, told)) = self.in_flight.front_mut() else {
            return std::future::pending().await;
        };
        let result = told.await;
        let (ledger, seq) = (*ledger, *seq);
        self.in_flight.pop_front();
        if result.is_ok()
            && let Some(sending) = self.ledgers.iter_mut().find(|sending| sending.origin.hash == ledger)
            // After a rewind, what comes in between is on its way again.
            && seq == sending.mark.told + 1
        {
            sending.mark.told = seq;
        }
        result
    }

    /// Notes how far it has come, so that a restart need not tell everything again.
    pub fn note(&mut self) {
        for sending in self.ledgers.iter_mut().filter(|sending| sending.saved != Some(sending.mark.told)) {
            // Without the note everything is told again, which the hall takes once.
            if sending.mark.save(sending.ledger.path()).is_ok() {
                sending.saved = Some(sending.mark.told);
            }
        }
    }

    /// The present ledger, to read from.
    pub fn present(&self) -> Option<(&Ledger, &Origin)> {
        self.ledgers.back().map(|sending| (&sending.ledger, &sending.origin))
    }

    /// The ledger of that name, to read from.
    pub fn ledger(&self, name: &Hash) -> Option<&Ledger> {
        self.ledgers.iter().find(|sending| sending.origin.hash == *name).map(|sending| &sending.ledger)
    }
}

impl Sending {
    fn open(path: &Path, hall: &str) -> Result<Sending, OutboxError> {
        let ledger = Ledger::read(path)?;
        let origin = ledger.origin()?;
        let fresh = || OutboxMark { hall: hall.to_owned(), ledger: origin.hash, told: 0 };
        let known = OutboxMark::load(path)
            .filter(|mark| mark.hall == hall && mark.ledger == origin.hash && mark.told <= ledger.head().seq);
        let saved = known.as_ref().map(|mark| mark.told);
        let mark = known.unwrap_or_else(fresh);
        Ok(Sending { handed: mark.told, saved, ledger, origin, mark })
    }
}

/// Other ledgers in the folder that were told to a hall before.
fn earlier(present: &Path) -> Vec<PathBuf> {
    let folder = present.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut ledgers: Vec<PathBuf> = files
        .filter_map(|file| {
            let path = file.ok()?.path();
            let name = path.file_name()?.to_str()?.strip_suffix(MARK)?.to_owned();
            Some(path.with_file_name(name))
        })
        .filter(|path| path.is_file() && path.file_name() != present.file_name())
        .collect();
    ledgers.sort();
    ledgers
}
