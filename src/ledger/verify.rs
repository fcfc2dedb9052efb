//! Whether a ledger is as it was recorded: every hash computed anew, and what does not fit named.
//!
//! In: a ledger, opened for reading. Out: a [`Verification`]: how much was checked, and every
//! [`Finding`]. Changes of any byte of an entry, a view, a frame or a file are found, as are entries
//! that were removed, added or put in another order. What the chain alone cannot show is a ledger that
//! was made anew as a whole: for that, the head's hash is kept elsewhere (it is on the score sheet)
//! and given as `expected`.

use std::collections::{HashMap, HashSet};

use rusqlite::types::ValueRef;
use serde::Serialize;

use super::{
    Content, Entry, Hash, Head, Ledger, LedgerError, ViewFacts, chain, schema,
    store::{ENTRY_COLUMNS, RawEntry, RawView, read_head},
};

/// What was checked, and what is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verification {
    pub entries: u64,
    pub views: u64,
    pub files: u64,
    /// The hash of the last entry.
    pub head: Hash,
    /// In the order of the ledger; empty when nothing was changed.
    pub findings: Vec<Finding>,
    /// Frames that a copy lacks, because they are at the table that recorded them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub elsewhere: u64,
    /// What is there and belongs to no entry: a crash between storing a file and its entry can leave it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<Finding>,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Verification {
    pub fn is_whole(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Something that is not as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// `entry 12`, `event 3 of match 1 (entry 12)`, `view 4`, `frame a1b2… of view 4` …
    #[serde(rename = "where")]
    pub place: String,
    pub what: String,
}

impl Finding {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Finding {
        Finding { place: place.into(), what: what.into() }
    }
}

/// Checks a whole ledger. `expected` is a hash that was noted when some entry was the last one.
pub fn verify(ledger: &Ledger, expected: Option<&Hash>) -> Result<Verification, LedgerError> {
    // One moment of a ledger that may be recorded into meanwhile.
    let moment = ledger.connection().unchecked_transaction().map_err(|error| ledger.failed(&error))?;
    let head = read_head(&moment, ledger.path())?;
    let mut check = Check {
        ledger,
        findings: Vec::new(),
        of_views: HashSet::new(),
        lacking: HashSet::new(),
        elsewhere: 0,
    };
    check.structure();
    check.schema();
    let genesis = check.genesis();
    let (files, file_count) = check.files();
    let (views, view_count) = check.views(&files);
    let chain = check.entries(genesis, &views);
    check.views_without_entry(&views, &chain);
    let unused = check.unused_files(&files, &chain);
    check.head(&chain, head, expected);
    let (entries, head) = (chain.entries, head.hash);
    let Check { findings, elsewhere, .. } = check;
    Ok(Verification { entries, views: view_count, files: file_count, head, findings, elsewhere, unused })
}

struct Check<'l> {
    ledger: &'l Ledger,
    findings: Vec<Finding>,
    /// Frames and files that views name.
    of_views: HashSet<Hash>,
    /// Frames that a copy says it lacks.
    lacking: HashSet<Hash>,
    elsewhere: u64,
}

/// What the entries came to.
struct Chain {
    entries: u64,
    last: Hash,
    hashes: HashSet<Hash>,
    /// Views that entries rest on, and files that they name themselves.
    views: HashSet<i64>,
    files: HashSet<Hash>,
}

impl<'l> Check<'l> {
    fn find(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.findings.push(Finding::new(place, what));
    }

    /// Reads rows until one cannot be read, which is a finding.
    fn each_row(
        &mut self,
        table: &str,
        sql: &str,
        mut take: impl FnMut(&mut Self, &rusqlite::Row<'_>) -> rusqlite::Result<()>,
    ) {
        let mut statement = match self.ledger.connection().prepare(sql) {
            Ok(statement) => statement,
            Err(error) => return self.find(format!("table of {table}"), error.to_string()),
        };
        let mut rows = match statement.query([]) {
            Ok(rows) => rows,
            Err(error) => return self.find(format!("table of {table}"), error.to_string()),
        };
        loop {
            match rows.next() {
                Ok(None) => return,
                Ok(Some(row)) => {
                    if let Err(error) = take(self, row) {
                        let id: i64 = row.get(0).unwrap_or(-1);
                        self.find(format!("{table} {id}"), format!("cannot be read: {error}"));
                    }
                }
                Err(error) => {
                    return self.find(format!("table of {table}"), format!("cannot be read on: {error}"));
                }
            }
        }
    }

    /// SQLite's own check of its pages and indexes.
    fn structure(&mut self) {
        let connection = self.ledger.connection();
        let lines = connection.prepare("PRAGMA integrity_check(20)").and_then(|mut statement| {
            let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        match lines {
            Ok(lines) => {
                for line in lines.into_iter().filter(|line| line != "ok") {
                    self.find("the SQLite file", line);
                }
            }
            Err(error) => self.find("the SQLite file", error.to_string()),
        }
    }

    /// Tables and the triggers that keep them append-only.
    fn schema(&mut self) {
        let connection = self.ledger.connection();
        match (schema::objects(connection), schema::expected_objects()) {
            (Ok(found), Ok(expected)) => {
                for (name, _) in expected.iter().filter(|(name, _)| !found.iter().any(|(n, _)| n == name)) {
                    self.find(name.clone(), "is missing: somebody opened the ledger for changes");
                }
                for (name, sql) in &found {
                    match expected.iter().find(|(expected, _)| expected == name) {
                        None if sql == schema::LACKING => self.read_lacking(),
                        // The index that comes with its unique column.
                        None if sql.is_empty() && name.contains("autoindex_lacking") => {}
                        None => self.find(name.clone(), "does not belong in a ledger"),
                        Some((_, expected)) if expected != sql => self.find(name.clone(), "was changed"),
                        Some(_) => {}
                    }
                }
            }
            (Err(error), _) | (_, Err(error)) => self.find("the schema", error.to_string()),
        }
    }

    fn read_lacking(&mut self) {
        self.each_row("lacking frame", "SELECT id, hash FROM lacking", |check, row| {
            check.lacking.extend(Hash::from_slice(row.get_ref(1)?.as_blob()?));
            Ok(())
        });
    }

    fn genesis(&mut self) -> Option<Hash> {
        let row = self.ledger.connection().query_row(
            "SELECT made_at, program, origin, hash FROM ledger",
            [],
            |row| {
                let text = |i| row.get::<_, String>(i);
                Ok((text(0)?, text(1)?, text(2)?, row.get::<_, Vec<u8>>(3)?))
            },
        );
        match row {
            Ok((made_at, program, origin, hash)) => {
                let computed = chain::genesis(&made_at, &program, &origin);
                let stored = Hash::from_slice(&hash);
                if stored != Some(computed) {
                    self.find("the ledger's own facts", "when and by what it was made was changed");
                }
                stored
            }
            Err(error) => {
                self.find("the ledger's own facts", format!("cannot be read: {error}"));
                None
            }
        }
    }

    /// Every file's bytes against its name. Gives those that are whole.
    fn files(&mut self) -> (HashSet<Hash>, u64) {
        let mut whole = HashSet::new();
        let mut count = 0;
        self.each_row("file", "SELECT id, hash, bytes FROM files ORDER BY id", |check, row| {
            count += 1;
            let stored = Hash::from_slice(row.get_ref(1)?.as_blob()?);
            let bytes = match row.get_ref(2)? {
                ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
                _ => &[],
            };
            match stored.filter(|stored| *stored == Hash::of_bytes(bytes)) {
                Some(hash) => {
                    whole.insert(hash);
                }
                None => {
                    let name = stored.map_or("of no name".to_owned(), |hash| hash.short());
                    check.find(format!("frame or file {name}"), "its bytes were changed");
                }
            }
            Ok(())
        });
        (whole, count)
    }

    /// Every view against its hash, and its files. Gives the views' hashes, as stored.
    fn views(&mut self, files: &HashSet<Hash>) -> (HashMap<i64, Option<Hash>>, u64) {
        let mut hashes = HashMap::new();
        let mut count = 0;
        self.each_row("view", "SELECT id, hash, report, facts FROM views ORDER BY id", |check, row| {
            count += 1;
            let raw = RawView::read(row)?;
            let (id, stored) = (raw.id, Hash::from_slice(&raw.hash));
            hashes.insert(id, stored);
            if stored != Some(chain::view(&raw.report, &raw.facts)) {
                check.find(format!("view {id}"), "its report or its facts were changed");
                return Ok(());
            }
            match serde_json::from_str::<ViewFacts>(&raw.facts) {
                Ok(facts) => {
                    check.of_views.extend(facts.files());
                    for hash in facts.files().into_iter().filter(|hash| !files.contains(hash)) {
                        let is_frame = facts.frames.iter().any(|frame| frame.hash == Some(hash));
                        if is_frame && check.lacking.contains(&hash) {
                            check.elsewhere += 1;
                            continue;
                        }
                        let what = if is_frame { "frame" } else { "file" };
                        check.find(format!("view {id}"), format!("its {what} {} is not whole", hash.short()));
                    }
                }
                Err(error) => check.find(format!("view {id}"), format!("cannot be understood: {error}")),
            }
            Ok(())
        });
        (hashes, count)
    }

    /// The chain itself.
    fn entries(&mut self, genesis: Option<Hash>, views: &HashMap<i64, Option<Hash>>) -> Chain {
        let zero = Hash([0; 32]);
        let mut before = genesis.unwrap_or(zero);
        let mut chain = Chain {
            entries: 0,
            last: before,
            hashes: HashSet::new(),
            views: HashSet::new(),
            files: HashSet::new(),
        };
        let mut due = 1;
        let sql = format!("SELECT {ENTRY_COLUMNS} FROM entries ORDER BY seq");
        self.each_row("entry", &sql, |check, row| {
            let raw = RawEntry::read(row)?;
            chain.entries += 1;
            let place = place(&raw);
            if raw.seq != due {
                check.find(place.clone(), format!("follows entry {}: entries between were removed", due - 1));
            }
            due = raw.seq + 1;
            let view = raw.view.and_then(|id| views.get(&id).copied().flatten());
            if raw.view.is_some_and(|id| !views.contains_key(&id)) {
                check.find(place.clone(), "its view is gone");
            }
            chain.views.extend(raw.view);
            if let Ok(Entry { content: Content::Setting(setting), .. }) = raw.entry() {
                chain.files.extend(setting.board.map(|file| file.hash));
            }
            let stored = Hash::from_slice(&raw.hash);
            if stored != Some(chain::entry(&raw.columns(), view.as_ref(), &before)) {
                check.find(place.clone(), "it, its view's hash, or the entry before it was changed");
            } else if let Err(error) = raw.entry() {
                check.find(place.clone(), format!("cannot be understood: {error}"));
            }
            before = stored.unwrap_or(zero);
            chain.hashes.insert(before);
            Ok(())
        });
        chain.last = before;
        chain
    }

    /// A view is stored with the entry that rests on it, in one go: one without an entry was put in, or its
    /// entry was taken out.
    fn views_without_entry(&mut self, views: &HashMap<i64, Option<Hash>>, chain: &Chain) {
        let mut alone: Vec<i64> = views.keys().copied().filter(|id| !chain.views.contains(id)).collect();
        alone.sort_unstable();
        for id in alone {
            self.find(format!("view {id}"), "no entry rests on it: it was put in, or its entry was removed");
        }
    }

    fn unused_files(&self, files: &HashSet<Hash>, chain: &Chain) -> Vec<Finding> {
        let is_unused = |hash: &&Hash| !self.of_views.contains(hash) && !chain.files.contains(hash);
        let mut unused: Vec<String> = files.iter().filter(is_unused).map(Hash::short).collect();
        unused.sort_unstable();
        let finding = |name: String| Finding::new(format!("frame or file {name}"), "belongs to no entry");
        unused.into_iter().map(finding).collect()
    }

    fn head(&mut self, chain: &Chain, head: Head, expected: Option<&Hash>) {
        if head.seq != chain.entries || head.hash != chain.last {
            let what = format!(
                "should be number {} ({}), but the last one found is number {} ({})",
                head.seq,
                head.hash.short(),
                chain.entries,
                chain.last.short()
            );
            self.find("the last entry", what);
        }
        if let Some(expected) = expected.filter(|expected| !chain.hashes.contains(expected)) {
            let what = format!("{expected} is not in it: this is another ledger, or it was made anew");
            self.find("the expected hash", what);
        }
    }
}

/// An entry in words.
pub(super) fn place(raw: &RawEntry) -> String {
    match raw.number {
        Some(number) => format!("event {number} of match {} (entry {})", raw.match_number, raw.seq),
        None => format!("entry {} ({})", raw.seq, raw.kind),
    }
}
