//! The copies' own thread: every entry is checked before it is written, many in one go.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::mpsc,
};

use tokio::sync::mpsc::UnboundedSender;

use crate::{
    desk::record_of,
    hall::{
        table_standing,
        topics::{EntryMessage, Playing},
    },
    ledger::{CarriedEntry, Hash, Head, Ledger, LedgerCopy, NotTaken, Origin},
};

/// What is to be done.
pub enum Job {
    /// How far the copy of this ledger goes.
    Know {
        table: String,
        origin: Origin,
    },
    Entry {
        table: String,
        message: Box<EntryMessage>,
    },
    Frame {
        table: String,
        ledger: Hash,
        bytes: Vec<u8>,
    },
    /// How a match stands in the copy.
    Standing {
        pairing: String,
        table: String,
        ledger: Hash,
        match_number: u32,
    },
}

/// What came of it.
pub enum News {
    Head {
        table: String,
        ledger: Hash,
        head: Head,
        gap: bool,
        lacking: Vec<Hash>,
        fault: Option<String>,
    },
    /// Nothing could be opened or written.
    Failed {
        table: String,
        why: String,
    },
    Standing {
        pairing: String,
        table: String,
        ledger: Hash,
        head: Head,
        playing: Box<Playing>,
    },
}

/// Entries that are taken in one go at most.
const BATCH: usize = 512;

/// Where the copy of a table's ledger is.
pub fn copy_path(data: &Path, table: &str, ledger: &Hash) -> PathBuf {
    data.join("tables").join(table).join(format!("{}.ledger", ledger.short()))
}

/// Works until nobody has a job any more.
pub fn work(data: &Path, jobs: &mpsc::Receiver<Job>, news: &UnboundedSender<News>) {
    let mut desk = Copies { data, open: HashMap::new() };
    while let Ok(first) = jobs.recv() {
        let mut entries: BTreeMap<(String, Hash), (Origin, Vec<CarriedEntry>)> = BTreeMap::new();
        let mut others = Vec::new();
        let waiting = std::iter::once(first).chain(std::iter::from_fn(|| jobs.try_recv().ok()));
        for job in waiting.take(BATCH) {
            match job {
                Job::Entry { table, message } => {
                    let EntryMessage { ledger, entry, .. } = *message;
                    entries.entry((table, ledger.hash)).or_insert_with(|| (ledger, Vec::new())).1.push(entry);
                }
                other => others.push(other),
            }
        }
        let mut told = Vec::new();
        for ((table, _), (origin, entries)) in entries {
            told.push(desk.take(table, &origin, &entries));
        }
        told.extend(others.into_iter().filter_map(|job| desk.other(job)));
        for one in told {
            if news.send(one).is_err() {
                return;
            }
        }
    }
}

struct Copies<'d> {
    data: &'d Path,
    open: HashMap<(String, Hash), LedgerCopy>,
}

impl Copies<'_> {
    fn copy(&mut self, table: &str, origin: &Origin) -> Result<&mut LedgerCopy, NotTaken> {
        use std::collections::hash_map::Entry;
        match self.open.entry((table.to_owned(), origin.hash)) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let path = copy_path(self.data, table, &origin.hash);
                if let Some(folder) = path.parent() {
                    // What is wrong with it is said when the copy is opened.
                    let _ = std::fs::create_dir_all(folder);
                }
                Ok(place.insert(LedgerCopy::open(&path, origin)?))
            }
        }
    }

    fn take(&mut self, table: String, origin: &Origin, entries: &[CarriedEntry]) -> News {
        match self.copy(&table, origin) {
            Ok(copy) => {
                let (mut done, mut fault) = copy.take(entries);
                // What comes after a gap, or after an entry that lies, is looked at all the same.
                if fault.is_some() {
                    done.gap = false;
                }
                let why = fault.take().map(|fault| fault.to_string());
                head_of(table, origin.hash, copy, done.gap, why)
            }
            Err(error) => News::Failed { table, why: error.to_string() },
        }
    }

    fn other(&mut self, job: Job) -> Option<News> {
        match job {
            Job::Know { table, origin } => Some(match self.copy(&table, &origin) {
                Ok(copy) => head_of(table, origin.hash, copy, false, None),
                Err(error) => News::Failed { table, why: error.to_string() },
            }),
            Job::Frame { table, ledger, bytes } => {
                let copy = self.open.get_mut(&(table.clone(), ledger))?;
                Some(match copy.keep(&bytes) {
                    Ok(_) => head_of(table, ledger, copy, false, None),
                    Err(error) => News::Failed { table, why: error.to_string() },
                })
            }
            Job::Standing { pairing, table, ledger, match_number } => {
                let copy = self.open.get(&(table.clone(), ledger))?;
                let (path, head) = (copy.path(), copy.head());
                let read = || -> Result<Playing, String> {
                    let ledger = Ledger::read(&path).map_err(|error| error.to_string())?;
                    let entries = ledger.entries().map_err(|error| error.to_string())?;
                    let record =
                        record_of(&ledger, &entries, match_number).map_err(|error| error.to_string())?;
                    Ok(Playing { number: match_number, ..table_standing(&record) })
                };
                Some(match read() {
                    Ok(playing) => {
                        News::Standing { pairing, table, ledger, head, playing: Box::new(playing) }
                    }
                    Err(why) => News::Failed { table, why },
                })
            }
            Job::Entry { .. } => None,
        }
    }
}

fn head_of(table: String, ledger: Hash, copy: &LedgerCopy, gap: bool, fault: Option<String>) -> News {
    let lacking = copy.lacking().unwrap_or_default();
    News::Head { table, ledger, head: copy.head(), gap, lacking, fault }
}
