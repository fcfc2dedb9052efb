//! A ledger's entries as they stand in its file, to be carried elsewhere, and a copy that takes them in.
//!
//! In: entries of another machine's ledger, in any order and as often as they come. Out: the same
//! ledger, byte by byte of its entries: each is taken only if its hash follows from the one before it.
//! Pictures are large and follow when they are asked for; until then the copy says which it lacks, and
//! [`super::verify`] counts them instead of missing them.

use std::path::{Path, PathBuf};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{
    Content, Entry, Hash, Head, Ledger, LedgerError, LedgerOptions, ViewFacts, ViewId,
    chain::{self, EntryColumns},
    schema::LACKING,
    store::{ENTRY_COLUMNS, RawEntry, RawView},
};

/// A ledger's own facts. Their hash names it for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub made_at: String,
    pub program: String,
    /// What it was made from; nothing: an empty text.
    pub origin: String,
    pub hash: Hash,
}

impl Origin {
    /// Whether the hash is that of the facts.
    pub fn is_whole(&self) -> bool {
        self.hash == chain::genesis(&self.made_at, &self.program, &self.origin)
    }
}

/// An entry with what it brings into the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CarriedEntry {
    pub seq: u64,
    pub hash: Hash,
    pub kind: String,
    #[serde(rename = "match")]
    pub match_number: i64,
    pub number: Option<i64>,
    pub at: String,
    pub author: String,
    pub refers: Option<i64>,
    pub view: Option<ViewId>,
    pub body: String,
    pub shown: Option<String>,
    /// The view, with the first entry that rests on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_view: Option<CarriedView>,
    /// Board, camera and colours files and options that it or its view names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<CarriedFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CarriedView {
    pub hash: Hash,
    pub report: String,
    pub facts: String,
}

/// Bytes, in base64 where they are carried as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedFile(pub Vec<u8>);

impl Serialize for CarriedFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for CarriedFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64.decode(text).map(CarriedFile).map_err(D::Error::custom)
    }
}

impl CarriedEntry {
    fn columns(&self) -> Option<EntryColumns<'_>> {
        Some(EntryColumns {
            seq: i64::try_from(self.seq).ok()?,
            kind: &self.kind,
            match_number: self.match_number,
            number: self.number,
            at: &self.at,
            author: &self.author,
            body: &self.body,
            shown: self.shown.as_deref(),
            refers: self.refers,
            view_id: self.view,
        })
    }

    fn raw(&self) -> Option<RawEntry> {
        Some(RawEntry {
            seq: i64::try_from(self.seq).ok()?,
            hash: self.hash.0.to_vec(),
            kind: self.kind.clone(),
            match_number: self.match_number,
            number: self.number,
            at: self.at.clone(),
            author: self.author.clone(),
            refers: self.refers,
            view: self.view,
            body: self.body.clone(),
            shown: self.shown.clone(),
        })
    }

    /// What it says.
    pub fn entry(&self) -> Result<Entry, String> {
        self.raw().ok_or("its number is too large")?.entry()
    }
}

impl Ledger {
    /// The facts that name this ledger.
    pub fn origin(&self) -> Result<Origin, LedgerError> {
        let (made_at, program, origin) = self.made()?;
        let hash =
            self.genesis().ok_or_else(|| LedgerError::damaged(self.path(), "its first hash is cut"))?;
        Ok(Origin { made_at, program, origin, hash })
    }

    /// Entries after `seq`, at most so many, to be carried elsewhere.
    pub fn carried_after(&self, seq: u64, limit: usize) -> Result<Vec<CarriedEntry>, LedgerError> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        let sql = format!("SELECT {ENTRY_COLUMNS} FROM entries WHERE seq > ?1 ORDER BY seq LIMIT ?2");
        let mut statement = self.connection().prepare_cached(&sql).map_err(failed)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![seq as i64, limit], RawEntry::read).map_err(failed)?;
        let raws: Vec<RawEntry> = rows.collect::<Result<_, _>>().map_err(failed)?;
        raws.into_iter().map(|raw| self.carried(raw)).collect()
    }

    fn carried(&self, raw: RawEntry) -> Result<CarriedEntry, LedgerError> {
        let damaged = |what: &str| LedgerError::damaged(self.path(), format!("entry {}: {what}", raw.seq));
        let hash = Hash::from_slice(&raw.hash).ok_or_else(|| damaged("its hash is cut"))?;
        let seq = u64::try_from(raw.seq).map_err(|_| damaged("its number is negative"))?;
        let mut files = Vec::new();
        if let Ok(Entry { content: Content::Setting(setting), .. }) = raw.entry() {
            files.extend(setting.board.map(|board| board.hash));
        }
        let with_view = match raw.view {
            Some(view) if self.is_first_of(view, raw.seq)? => {
                let view = self.raw_view(view)?;
                let facts: ViewFacts = serde_json::from_str(&view.facts)
                    .map_err(|_| damaged("its view's facts cannot be read"))?;
                let frames: Vec<Hash> = facts.frames.iter().filter_map(|frame| frame.hash).collect();
                files.extend(facts.files().into_iter().filter(|file| !frames.contains(file)));
                let hash = Hash::from_slice(&view.hash).ok_or_else(|| damaged("its view's hash is cut"))?;
                Some(CarriedView { hash, report: view.report, facts: view.facts })
            }
            _ => None,
        };
        let files =
            files.iter().map(|file| self.file(file).map(CarriedFile)).collect::<Result<Vec<_>, _>>()?;
        let RawEntry { kind, match_number, number, at, author, refers, view, body, shown, .. } = raw;
        Ok(CarriedEntry {
            seq,
            hash,
            kind,
            match_number,
            number,
            at,
            author,
            refers,
            view,
            body,
            shown,
            with_view,
            files,
        })
    }

    fn is_first_of(&self, view: ViewId, seq: i64) -> Result<bool, LedgerError> {
        let sql = "SELECT min(seq) FROM entries WHERE view = ?1";
        let first: Option<i64> = self
            .connection()
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row([view], |row| row.get(0)))
            .map_err(|error| self.failed(&error))?;
        Ok(first == Some(seq))
    }

    fn raw_view(&self, id: ViewId) -> Result<RawView, LedgerError> {
        self.connection()
            .prepare_cached("SELECT id, hash, report, facts FROM views WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([id], RawView::read))
            .map_err(|error| self.failed(&error))
    }
}

/// Why a copy does not take an entry.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    #[error("entry {seq} does not follow from entry {}: it, or one before it, was changed", seq - 1)]
    Broken { seq: u64 },
    #[error("entry {seq} came before with another content: one of the two is not as it was recorded")]
    Contradicts { seq: u64 },
    #[error("entry {seq} cannot be understood: {why}")]
    Unreadable { seq: u64, why: String },
    #[error("entry {seq} came without the view that it rests on")]
    NoView { seq: u64 },
    #[error("the facts that name the ledger do not fit its name")]
    Nameless,
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What became of entries that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyHead {
    pub head: Head,
    /// Entries that were new.
    pub taken: usize,
    /// Whether entries between the last and the next one are not there yet.
    pub gap: bool,
}

/// A verified copy of a ledger that another machine records.
#[derive(Debug)]
pub struct LedgerCopy {
    ledger: Ledger,
}

impl LedgerCopy {
    /// Opens the copy at `path`, or begins it.
    pub fn open(path: &Path, origin: &Origin) -> Result<LedgerCopy, NotTaken> {
        if !origin.is_whole() {
            return Err(NotTaken::Nameless);
        }
        let ledger = Ledger::begin_as(path, origin, LedgerOptions::default())?;
        if ledger.origin()? != *origin {
            return Err(NotTaken::Nameless);
        }
        Ok(LedgerCopy { ledger })
    }

    pub fn head(&self) -> Head {
        self.ledger.head()
    }

    pub fn path(&self) -> PathBuf {
        self.ledger.path().to_owned()
    }

    /// Takes in what is new and follows, up to the first that does not.
    pub fn take(&mut self, entries: &[CarriedEntry]) -> (CopyHead, Option<NotTaken>) {
        let before = self.head().seq;
        let mut gap = false;
        let result = self.ledger.take_carried(entries, &mut gap);
        let head = self.head();
        let taken = usize::try_from(head.seq - before).unwrap_or(usize::MAX);
        (CopyHead { head, taken, gap }, result.err())
    }

    /// Frames that are elsewhere, in the order in which they were named.
    pub fn lacking(&self) -> Result<Vec<Hash>, LedgerError> {
        let failed = |error: rusqlite::Error| self.ledger.failed(&error);
        let mut statement = self
            .ledger
            .connection()
            .prepare_cached("SELECT hash FROM lacking ORDER BY id")
            .map_err(failed)?;
        let rows = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).map_err(failed)?;
        let hashes: Vec<Vec<u8>> = rows.collect::<Result<_, _>>().map_err(failed)?;
        Ok(hashes.iter().filter_map(|hash| Hash::from_slice(hash)).collect())
    }

    /// Takes in a frame that was lacking. Gives whether it was.
    pub fn keep(&mut self, bytes: &[u8]) -> Result<bool, LedgerError> {
        let hash = Hash::of_bytes(bytes);
        self.ledger.fill(&hash, bytes)
    }
}

impl Ledger {
    /// Makes a ledger with the facts of another, or opens it.
    fn begin_as(path: &Path, origin: &Origin, options: LedgerOptions) -> Result<Ledger, LedgerError> {
        let ledger = Ledger::open_with_facts(path, origin, options)?;
        let connection = ledger.connection();
        // What a power cut takes from a copy is asked for again.
        let prepared = connection.pragma_update(None, "synchronous", "NORMAL").and_then(|()| {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'lacking'";
            let is_there: i64 = connection.query_row(sql, [], |row| row.get(0))?;
            if is_there == 0 { connection.execute_batch(LACKING) } else { Ok(()) }
        });
        prepared.map_err(|error| ledger.failed(&error))?;
        Ok(ledger)
    }

    fn take_carried(&mut self, entries: &[CarriedEntry], gap: &mut bool) -> Result<(), NotTaken> {
        let path = self.path().to_owned();
        let failed = |error: rusqlite::Error| NotTaken::Ledger(LedgerError::of(&error, &path));
        let (mut head, mut refused) = (self.head(), None);
        let transaction = self.connection().unchecked_transaction().map_err(failed)?;
        for entry in entries {
            if entry.seq <= head.seq {
                if self.hash_of(entry.seq) != Some(entry.hash) {
                    refused = Some(NotTaken::Contradicts { seq: entry.seq });
                    break;
                }
            } else if entry.seq > head.seq + 1 {
                *gap = true;
                break;
            } else {
                match self.take_one(entry, head).map_err(failed)? {
                    Ok(next) => head = next,
                    Err(not_taken) => {
                        refused = Some(not_taken);
                        break;
                    }
                }
            }
        }
        if head.seq > self.head().seq {
            transaction
                .execute("UPDATE head SET seq = ?1, hash = ?2", params![head.seq as i64, head.hash.0])
                .map_err(failed)?;
        }
        transaction.commit().map_err(failed)?;
        self.set_head(head);
        refused.map_or(Ok(()), Err)
    }

    /// Checks and writes the next entry, within a transaction. Nothing is written of one that is not taken.
    fn take_one(&self, entry: &CarriedEntry, head: Head) -> rusqlite::Result<Result<Head, NotTaken>> {
        let seq = entry.seq;
        let broken = Ok(Err(NotTaken::Broken { seq }));
        let Some(columns) = entry.columns() else { return broken };
        if let Err(why) = entry.entry() {
            return Ok(Err(NotTaken::Unreadable { seq, why }));
        }
        let connection = self.connection();
        let known: Option<Vec<u8>> = match entry.view {
            Some(view) => connection
                .query_row("SELECT hash FROM views WHERE id = ?1", [view], |row| row.get(0))
                .optional()?,
            None => None,
        };
        let known = known.and_then(|hash| Hash::from_slice(&hash));
        let brought = entry.with_view.as_ref().filter(|_| known.is_none());
        let view = match (entry.view, known, brought) {
            (None, ..) => None,
            (Some(_), Some(hash), _) => Some(hash),
            (Some(_), None, Some(view)) if chain::view(&view.report, &view.facts) == view.hash => {
                Some(view.hash)
            }
            (Some(_), None, Some(_)) => return broken,
            (Some(_), None, None) => return Ok(Err(NotTaken::NoView { seq })),
        };
        if chain::entry(&columns, view.as_ref(), &head.hash) != entry.hash {
            return broken;
        }
        let facts = match brought.map(|view| serde_json::from_str::<ViewFacts>(&view.facts)) {
            Some(Ok(facts)) => Some(facts),
            Some(Err(error)) => return Ok(Err(NotTaken::Unreadable { seq, why: error.to_string() })),
            None => None,
        };
        for CarriedFile(bytes) in &entry.files {
            connection
                .prepare_cached(
                    "INSERT INTO files (hash, bytes) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING",
                )?
                .execute(params![Hash::of_bytes(bytes).0, bytes])?;
        }
        if let (Some(view), Some(facts)) = (brought, facts) {
            connection
                .prepare_cached("INSERT INTO views (id, hash, report, facts) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![entry.view, view.hash.0, view.report, view.facts])?;
            for frame in facts.frames.iter().filter_map(|frame| frame.hash) {
                connection
                    .prepare_cached(
                        "INSERT INTO lacking (hash) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM files WHERE hash = ?1) \
                         ON CONFLICT (hash) DO NOTHING",
                    )?
                    .execute([frame.0])?;
            }
        }
        let sql = "INSERT INTO entries (seq, hash, kind, match, number, at, author, refers, view, body, shown) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        connection.prepare_cached(sql)?.execute(params![
            columns.seq,
            entry.hash.0,
            entry.kind,
            entry.match_number,
            entry.number,
            entry.at,
            entry.author,
            entry.refers,
            entry.view,
            entry.body,
            entry.shown
        ])?;
        Ok(Ok(Head { seq, hash: entry.hash }))
    }

    fn fill(&self, hash: &Hash, bytes: &[u8]) -> Result<bool, LedgerError> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        let transaction = self.connection().unchecked_transaction().map_err(failed)?;
        let lacked = transaction.execute("DELETE FROM lacking WHERE hash = ?1", [hash.0]).map_err(failed)?;
        if lacked > 0 {
            transaction
                .execute(
                    "INSERT INTO files (hash, bytes) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING",
                    params![hash.0, bytes],
                )
                .map_err(failed)?;
        }
        transaction.commit().map_err(failed)?;
        Ok(lacked > 0)
    }
}
