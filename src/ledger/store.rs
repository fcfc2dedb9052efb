//! The SQLite file: opening, appending, reading.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use rayon::prelude::*;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, params};

use super::{
    Author, Content, Entry, Hash, LedgerError, Origin, Shown, StoredView, ViewEvidence, ViewFacts, ViewId,
    chain::{self, EntryColumns},
    lock::{RecorderLock, of_io},
    noted::{self, Noted},
    schema::{self, Form},
    view,
};
use crate::{camera::PROGRAM, score::PhotoReport};

pub(super) const PAGE_BYTES: i64 = 8192;
const LOG_PAGES: i64 = 512;

#[derive(Debug, Clone)]
pub struct LedgerOptions {
    /// Largest settled frame that is stored, in bytes. Default 32 MiB: any phone's JPEG and a 4K
    /// frame packed without loss. A larger one is left out, and the view says so: it can then be
    /// neither shown nor scored again.
    pub max_frame_bytes: u64,
    /// Room for the frames around a settled one, in bytes. Default 4 MiB: some twelve JPEG frames of
    /// 1080p. More shows more of what led to a view; the nearest are kept first.
    pub max_around_bytes: u64,
    /// How long to wait for a reader that holds the file, in milliseconds. Default 2000.
    pub busy_timeout_ms: u64,
    /// The folder in which the last entry's fingerprint is noted after each batch; none by default.
    pub notes: Option<PathBuf>,
}

impl Default for LedgerOptions {
    fn default() -> Self {
        Self { max_frame_bytes: 32 << 20, max_around_bytes: 4 << 20, busy_timeout_ms: 2000, notes: None }
    }
}

/// The last entry's number and hash: everything before follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Head {
    /// 0 in an empty ledger.
    pub seq: u64,
    pub hash: Hash,
}

/// An entry to be recorded.
#[derive(Debug, Clone)]
pub struct NewEntry {
    pub match_number: u32,
    /// For events only.
    pub number: Option<usize>,
    pub at: Timestamp,
    pub author: Author,
    pub content: Content,
    pub refers: Option<u64>,
    pub view: NewView,
    pub shown: Option<Shown>,
}

/// What a new entry rests on.
#[derive(Debug, Clone, Default)]
pub enum NewView {
    #[default]
    None,
    /// A view that is in the ledger.
    Stored(ViewId),
    /// A view to be stored with the entry.
    New(Box<ViewEvidence>),
    /// A view of another ledger.
    Copied(Box<CopiedView>),
}

/// A view as it stands in another ledger, with its files.
#[derive(Debug, Clone)]
pub struct CopiedView {
    pub(super) report: String,
    pub(super) facts: String,
    pub(super) files: Vec<Vec<u8>>,
}

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    connection: Connection,
    options: LedgerOptions,
    head: Head,
    // After the connection: it is freed once SQLite has closed its files.
    _lock: Option<RecorderLock>,
}

/// Texts that one core reads at a time: fewer are read sooner by one alone.
const TEXTS_A_TASK: usize = 256;

/// Reports of views, not yet read: that needs no ledger, and can be done beside something else.
pub struct ReportTexts {
    path: PathBuf,
    texts: Vec<(ViewId, String)>,
}

impl ReportTexts {
    /// Reads them by all cores; the first that is damaged is told.
    pub fn read(&self) -> Result<HashMap<ViewId, PhotoReport>, LedgerError> {
        let read = |(view, text): &(ViewId, String)| {
            let report = serde_json::from_str(text);
            let damaged = |error| LedgerError::damaged(&self.path, format!("view {view}: {error}"));
            report.map(|report| (*view, report)).map_err(damaged)
        };
        let reports: Vec<Result<_, LedgerError>> =
            self.texts.par_iter().with_min_len(TEXTS_A_TASK).map(read).collect();
        reports.into_iter().collect()
    }
}

impl Ledger {
    /// Opens a ledger to record into; makes it if there is none. `made_at` is the time that a new
    /// one is given.
    pub fn record_into(
        path: &Path,
        made_at: Timestamp,
        options: LedgerOptions,
    ) -> Result<Ledger, LedgerError> {
        Ledger::open_or_make(path, made_at, "", options)
    }

    /// Makes a ledger from something else, which `origin` names.
    pub(super) fn make(
        path: &Path,
        made_at: Timestamp,
        origin: &str,
        options: LedgerOptions,
    ) -> Result<Ledger, LedgerError> {
        Ledger::open_or_make(path, made_at, origin, options)
    }

    fn open_or_make(
        path: &Path,
        made_at: Timestamp,
        origin: &str,
        options: LedgerOptions,
    ) -> Result<Ledger, LedgerError> {
        let made_at = made_at.to_string();
        let hash = chain::genesis(&made_at, PROGRAM, origin);
        let facts = Origin { made_at, program: PROGRAM.to_owned(), origin: origin.to_owned(), hash };
        Ledger::open_with_facts(path, &facts, options)
    }

    /// Opens a ledger to write into; one that is not there yet is made with these facts.
    pub(super) fn open_with_facts(
        path: &Path,
        facts: &Origin,
        options: LedgerOptions,
    ) -> Result<Ledger, LedgerError> {
        check_kind(path)?;
        let lock = RecorderLock::take(path)?;
        let failed = |error: rusqlite::Error| LedgerError::of(&error, path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(Duration::from_millis(options.busy_timeout_ms)).map_err(failed)?;
        let from = match schema::form(&connection).map_err(failed)? {
            Form::Foreign => return Err(LedgerError::foreign(path)),
            Form::Ledger(found) if found > schema::VERSION => return Err(newer(path, found)),
            Form::Ledger(found) => found,
            Form::Empty => 0,
        };
        if from == 0 {
            // Frames are large, so that longer pages than usual mean shorter chains of them.
            connection.pragma_update(None, "page_size", PAGE_BYTES).map_err(failed)?;
        }
        let mode: String = connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
            .map_err(failed)?;
        if !mode.eq_ignore_ascii_case("wal") {
            let reason = "its file system does not allow a write-ahead log".to_owned();
            return Err(LedgerError::CannotOpen { path: path.to_owned(), reason });
        }
        // The log beside the file stays below a few megabytes.
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES).map_err(failed)?;
        // Each commit is on the disk when it returns, also after a power cut.
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
        connection.pragma_update(None, "trusted_schema", false).map_err(failed)?;
        schema::migrate(&mut connection, from, path)?;
        begin(&mut connection, facts).map_err(failed)?;
        let head = read_head(&connection, path)?;
        Ok(Ledger { path: path.to_owned(), connection, options, head, _lock: Some(lock) })
    }

    /// Opens a ledger to look at it. Works while another program records, and on a read-only disk.
    pub fn read(path: &Path) -> Result<Ledger, LedgerError> {
        check_kind(path)?;
        if !path.exists() {
            return Err(LedgerError::Missing { path: path.to_owned() });
        }
        let failed = |error: rusqlite::Error| LedgerError::of(&error, path);
        let connection = open_to_look(path)?;
        match schema::form(&connection).map_err(failed)? {
            Form::Ledger(found) if found > schema::VERSION => return Err(newer(path, found)),
            // Reading needs no migration as long as there is only one form.
            Form::Ledger(_) => {}
            Form::Empty | Form::Foreign => return Err(LedgerError::foreign(path)),
        }
        let head = read_head(&connection, path)?;
        let options = LedgerOptions::default();
        Ok(Ledger { path: path.to_owned(), connection, options, head, _lock: None })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn head(&self) -> Head {
        self.head
    }

    /// When it was made, by which program, and from what (nothing: an empty text).
    pub fn made(&self) -> Result<(String, String, String), LedgerError> {
        self.connection
            .query_row("SELECT made_at, program, origin FROM ledger", [], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .map_err(|error| self.failed(&error))
    }

    /// Records a batch: all of it or nothing. When it returns, the batch is on the disk.
    pub fn append(&mut self, batch: Vec<NewEntry>) -> Result<Vec<Entry>, LedgerError> {
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        let path = &self.path;
        let failed = |error: rusqlite::Error| LedgerError::of(&error, path);
        let transaction = self
            .connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(failed)?;
        if read_head(&transaction, path)? != self.head {
            return Err(LedgerError::Overtaken { path: path.clone() });
        }
        let mut head = self.head;
        let mut entries = Vec::with_capacity(batch.len());
        for new in batch {
            let view = match &new.view {
                NewView::None => None,
                NewView::Stored(id) => Some((*id, view_hash(&transaction, *id, path)?)),
                NewView::New(evidence) => {
                    Some(store_view(&transaction, evidence, new.at, &self.options, path)?)
                }
                NewView::Copied(copied) => Some(copy_view(&transaction, copied, path)?),
            };
            let entry = store_entry(&transaction, new, view, head, path)?;
            head = Head { seq: entry.seq, hash: entry.hash };
            entries.push(entry);
        }
        transaction
            .execute("UPDATE head SET seq = ?1, hash = ?2", params![head.seq as i64, head.hash.0])
            .map_err(failed)?;
        transaction.commit().map_err(failed)?;
        self.head = head;
        if let (Some(folder), Some(last)) = (&self.options.notes, entries.last()) {
            // A note more, not the record: what is recorded counts without it.
            let _ = noted::note(self, head, last.at, folder);
        }
        Ok(entries)
    }

    /// Every entry, in order.
    pub fn entries(&self) -> Result<Vec<Entry>, LedgerError> {
        self.entries_after(0)
    }

    /// The entries that were recorded after `seq`.
    pub fn entries_after(&self, seq: u64) -> Result<Vec<Entry>, LedgerError> {
        let sql = format!("SELECT {ENTRY_COLUMNS} FROM entries WHERE seq > ?1 ORDER BY seq");
        let mut statement = self.connection.prepare(&sql).map_err(|e| self.failed(&e))?;
        let mut rows = statement.query([seq as i64]).map_err(|e| self.failed(&e))?;
        let mut raws = Vec::new();
        while let Some(row) = rows.next().map_err(|e| self.failed(&e))? {
            raws.push(RawEntry::read(row).map_err(|e| self.failed(&e))?);
        }
        // Texts are read by all cores; the first that is damaged is told.
        let path = &self.path;
        let read = |raw: &RawEntry| {
            raw.entry().map_err(|reason| LedgerError::damaged(path, format!("entry {}: {reason}", raw.seq)))
        };
        let entries: Vec<Result<Entry, LedgerError>> =
            raws.par_iter().with_min_len(TEXTS_A_TASK).map(read).collect();
        entries.into_iter().collect()
    }

    /// A view without the bytes of its frames.
    pub fn view(&self, id: ViewId) -> Result<StoredView, LedgerError> {
        let sql = "SELECT id, hash, report, facts FROM views WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(|e| self.failed(&e))?;
        let raw = statement.query_row([id], RawView::read).optional().map_err(|e| self.failed(&e))?;
        let raw = raw.ok_or_else(|| self.no_such(format!("view {id}")))?;
        raw.view().map_err(|reason| LedgerError::damaged(&self.path, format!("view {id}: {reason}")))
    }

    /// Every view's report as it was written, in the order of the views: what lists are made of.
    pub fn report_texts(&self) -> Result<ReportTexts, LedgerError> {
        let mut statement = self
            .connection
            .prepare("SELECT id, report FROM views ORDER BY id")
            .map_err(|e| self.failed(&e))?;
        let rows =
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(|e| self.failed(&e))?;
        let texts = rows.collect::<Result<_, _>>().map_err(|e| self.failed(&e))?;
        Ok(ReportTexts { path: self.path.clone(), texts })
    }

    /// The bytes of a frame or file.
    pub fn file(&self, hash: &Hash) -> Result<Vec<u8>, LedgerError> {
        let sql = "SELECT bytes FROM files WHERE hash = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(|e| self.failed(&e))?;
        let bytes: Option<Vec<u8>> =
            statement.query_row([hash.0], |row| row.get(0)).optional().map_err(|e| self.failed(&e))?;
        let bytes = bytes.ok_or_else(|| self.no_such(format!("file {}", hash.short())))?;
        // What is shown or measured again is what was recorded, or nothing.
        if Hash::of_bytes(&bytes) != *hash {
            let reason = format!("the file {} was changed", hash.short());
            return Err(LedgerError::damaged(&self.path, reason));
        }
        Ok(bytes)
    }

    /// A text file's content.
    pub fn text(&self, hash: &Hash) -> Result<String, LedgerError> {
        String::from_utf8(self.file(hash)?)
            .map_err(|_| LedgerError::damaged(&self.path, format!("the file {} is no text", hash.short())))
    }

    /// Stores a file outside of a view; the entry that names it follows.
    pub fn keep_file(&mut self, bytes: &[u8]) -> Result<Hash, LedgerError> {
        let path = &self.path;
        let failed = |error: rusqlite::Error| LedgerError::of(&error, path);
        let transaction = self.connection.transaction().map_err(failed)?;
        let hash = store_file(&transaction, bytes, path)?;
        transaction.commit().map_err(failed)?;
        Ok(hash)
    }

    /// What the notes say about this ledger; nothing where none are kept.
    pub fn noted(&self) -> Noted {
        self.options.notes.as_deref().map_or(Noted::Nothing, |folder| noted::noted(self, folder))
    }

    /// The ledger's own first hash, which names it for ever.
    pub(super) fn genesis(&self) -> Option<Hash> {
        let hash = self.connection.query_row("SELECT hash FROM ledger", [], |row| row.get::<_, Vec<u8>>(0));
        Hash::from_slice(&hash.ok()?)
    }

    /// The hash of an entry, as it stands there.
    pub(super) fn hash_of(&self, seq: u64) -> Option<Hash> {
        let seq = i64::try_from(seq).ok()?;
        let hash = self
            .connection
            .query_row("SELECT hash FROM entries WHERE seq = ?1", [seq], |row| row.get::<_, Vec<u8>>(0));
        Hash::from_slice(&hash.ok()?)
    }

    pub(super) fn set_head(&mut self, head: Head) {
        self.head = head;
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(super) fn failed(&self, error: &rusqlite::Error) -> LedgerError {
        LedgerError::of(error, &self.path)
    }

    fn no_such(&self, what: String) -> LedgerError {
        LedgerError::NoSuch { path: self.path.clone(), what }
    }
}

fn newer(path: &Path, found: i64) -> LedgerError {
    LedgerError::Newer { path: path.to_owned(), found, known: schema::VERSION }
}

fn check_kind(path: &Path) -> Result<(), LedgerError> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(LedgerError::Folder { path: path.to_owned() }),
        Ok(metadata) if !metadata.is_file() => Err(LedgerError::Foreign { path: path.to_owned() }),
        _ => Ok(()),
    }
}

/// A connection that changes nothing. Opened as if to write where that is possible, because only then
/// SQLite takes its helper files away again when it closes.
fn open_to_look(path: &Path) -> Result<Connection, LedgerError> {
    let looked = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | NO_MUTEX)
        .and_then(prepared_to_look);
    match looked {
        Ok(connection) => Ok(connection),
        Err(error) if cannot_write(&error) => open_untouched(path),
        Err(error) => Err(LedgerError::of(&error, path)),
    }
}

/// A connection that does not touch the file, nor what lies beside it, as far as SQLite can: for files
/// that are damaged, or where nothing can be written.
pub(super) fn open_untouched(path: &Path) -> Result<Connection, LedgerError> {
    let failed = |error: rusqlite::Error| LedgerError::of(&error, path);
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | NO_MUTEX;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if std::fs::metadata(&log).is_ok_and(|metadata| metadata.len() > 0) {
        let opened = Connection::open_with_flags(path, read_only).and_then(prepared_to_look);
        return opened.map_err(|error| match cannot_write(&error) {
            true => LedgerError::UnreadableWal { path: path.to_owned() },
            false => failed(error),
        });
    }
    // Without a log nobody is writing, so the file can be read as one that does not change.
    let absolute = std::path::absolute(path).map_err(|error| of_io(&error, path))?;
    let uri = format!("file:{}?immutable=1", uri_path(&absolute));
    Connection::open_with_flags(uri, read_only | OpenFlags::SQLITE_OPEN_URI)
        .and_then(prepared_to_look)
        .map_err(failed)
}

const NO_MUTEX: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;

fn prepared_to_look(connection: Connection) -> rusqlite::Result<Connection> {
    connection.busy_timeout(Duration::from_millis(LedgerOptions::default().busy_timeout_ms))?;
    // Else a file that was cut off could not even be looked into.
    connection.pragma_update(None, "writable_schema", true)?;
    connection.pragma_update(None, "query_only", true)?;
    schema::form(&connection)?;
    Ok(connection)
}

fn cannot_write(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | ReadOnly | PermissionDenied))
}

/// A path with everything escaped that has a meaning in a URI.
fn uri_path(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// Writes the first row of a new ledger.
fn begin(connection: &mut Connection, facts: &Origin) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let begun: i64 = transaction.query_row("SELECT count(*) FROM ledger", [], |row| row.get(0))?;
    if begun == 0 {
        let Origin { made_at, program, origin, hash } = facts;
        transaction.execute(
            "INSERT INTO ledger (one, made_at, program, origin, hash) VALUES (1, ?1, ?2, ?3, ?4)",
            params![made_at, program, origin, hash.0],
        )?;
        transaction.execute("INSERT INTO head (one, seq, hash) VALUES (1, 0, ?1)", [hash.0])?;
    }
    transaction.commit()
}

pub(super) fn read_head(connection: &Connection, path: &Path) -> Result<Head, LedgerError> {
    let row = connection
        .query_row("SELECT seq, hash FROM head", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .map_err(|error| LedgerError::of(&error, path))?;
    let read = |(seq, hash): (i64, Vec<u8>)| {
        Some(Head { seq: u64::try_from(seq).ok()?, hash: Hash::from_slice(&hash)? })
    };
    row.and_then(read).ok_or_else(|| LedgerError::damaged(path, "its last entry is not marked"))
}

fn store_file(transaction: &Transaction<'_>, bytes: &[u8], path: &Path) -> Result<Hash, LedgerError> {
    let hash = Hash::of_bytes(bytes);
    transaction
        .prepare_cached("INSERT INTO files (hash, bytes) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING")
        .and_then(|mut statement| statement.execute(params![hash.0, bytes]))
        .map_err(|error| LedgerError::of(&error, path))?;
    Ok(hash)
}

fn store_view(
    transaction: &Transaction<'_>,
    evidence: &ViewEvidence,
    at: Timestamp,
    options: &LedgerOptions,
    path: &Path,
) -> Result<(ViewId, Hash), LedgerError> {
    let store = |bytes: &[u8]| store_file(transaction, bytes, path);
    let file = |(name, text): &(String, String)| {
        Ok::<_, LedgerError>(super::FileRef { name: name.clone(), hash: store(text.as_bytes())? })
    };
    let mut frames = Vec::new();
    for (stored, frame) in view::kept(evidence, options) {
        if let Some(frame) = frame {
            store(&frame.0)?;
        }
        frames.push(stored);
    }
    let facts = ViewFacts {
        at,
        source: evidence.source.clone(),
        program: PROGRAM.to_owned(),
        known: evidence.known,
        board: file(&(evidence.board.name.clone(), evidence.board.text.clone()))?,
        camera: evidence.camera.as_ref().map(&file).transpose()?,
        colours: evidence.colours.as_ref().map(&file).transpose()?,
        options: store(evidence.options.as_bytes())?,
        frames,
        registration: (&evidence.registration).into(),
    };
    let json = |error: serde_json::Error| LedgerError::Other {
        path: path.to_owned(),
        reason: format!("a view cannot be written as JSON: {error}"),
    };
    let report = serde_json::to_string(&evidence.report).map_err(json)?;
    let facts = serde_json::to_string(&facts).map_err(json)?;
    insert_view(transaction, &report, &facts, path)
}

fn copy_view(
    transaction: &Transaction<'_>,
    copied: &CopiedView,
    path: &Path,
) -> Result<(ViewId, Hash), LedgerError> {
    for bytes in &copied.files {
        store_file(transaction, bytes, path)?;
    }
    insert_view(transaction, &copied.report, &copied.facts, path)
}

fn insert_view(
    transaction: &Transaction<'_>,
    report: &str,
    facts: &str,
    path: &Path,
) -> Result<(ViewId, Hash), LedgerError> {
    let hash = chain::view(report, facts);
    transaction
        .prepare_cached("INSERT INTO views (hash, report, facts) VALUES (?1, ?2, ?3)")
        .and_then(|mut statement| statement.insert(params![hash.0, report, facts]))
        .map(|id| (id, hash))
        .map_err(|error| LedgerError::of(&error, path))
}

fn view_hash(transaction: &Transaction<'_>, id: ViewId, path: &Path) -> Result<Hash, LedgerError> {
    let hash: Option<Vec<u8>> = transaction
        .query_row("SELECT hash FROM views WHERE id = ?1", [id], |row| row.get(0))
        .optional()
        .map_err(|error| LedgerError::of(&error, path))?;
    let hash = hash.and_then(|hash| Hash::from_slice(&hash));
    hash.ok_or_else(|| LedgerError::NoSuch { path: path.to_owned(), what: format!("view {id}") })
}

fn store_entry(
    transaction: &Transaction<'_>,
    new: NewEntry,
    view: Option<(ViewId, Hash)>,
    head: Head,
    path: &Path,
) -> Result<Entry, LedgerError> {
    let json = |error: serde_json::Error| LedgerError::Other {
        path: path.to_owned(),
        reason: format!("an entry cannot be written as JSON: {error}"),
    };
    let (kind, body) = new.content.columns().map_err(json)?;
    let shown = new.shown.as_ref().map(serde_json::to_string).transpose().map_err(json)?;
    let seq = head.seq + 1;
    let (at, author) = (new.at.to_string(), new.author.to_string());
    let columns = EntryColumns {
        seq: seq as i64,
        kind: &kind,
        match_number: i64::from(new.match_number),
        number: new.number.map(|number| number as i64),
        at: &at,
        author: &author,
        body: &body,
        shown: shown.as_deref(),
        refers: new.refers.map(|seq| seq as i64),
        view_id: view.map(|(id, _)| id),
    };
    let hash = chain::entry(&columns, view.as_ref().map(|(_, hash)| hash), &head.hash);
    let sql = "INSERT INTO entries (seq, hash, kind, match, number, at, author, refers, view, body, shown) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let EntryColumns { seq: row, match_number, number, refers, view_id, .. } = columns;
    transaction
        .prepare_cached(sql)
        .and_then(|mut statement| {
            statement.execute(params![
                row,
                hash.0,
                kind,
                match_number,
                number,
                at,
                author,
                refers,
                view_id,
                body,
                shown
            ])
        })
        .map_err(|error| LedgerError::of(&error, path))?;
    Ok(Entry {
        seq,
        match_number: new.match_number,
        number: new.number,
        at: new.at,
        author: new.author,
        content: new.content,
        refers: new.refers,
        view: view.map(|(id, _)| id),
        shown: new.shown,
        hash,
    })
}

pub(super) const ENTRY_COLUMNS: &str =
    "seq, hash, kind, match, number, at, author, refers, view, body, shown";

/// An entry's columns as they stand in the file.
#[derive(Debug, Clone)]
pub(super) struct RawEntry {
    pub seq: i64,
    pub hash: Vec<u8>,
    pub kind: String,
    pub match_number: i64,
    pub number: Option<i64>,
    pub at: String,
    pub author: String,
    pub refers: Option<i64>,
    pub view: Option<i64>,
    pub body: String,
    pub shown: Option<String>,
}

impl RawEntry {
    /// Reads [`ENTRY_COLUMNS`].
    pub fn read(row: &Row<'_>) -> rusqlite::Result<RawEntry> {
        Ok(RawEntry {
            seq: row.get(0)?,
            hash: row.get(1)?,
            kind: row.get(2)?,
            match_number: row.get(3)?,
            number: row.get(4)?,
            at: row.get(5)?,
            author: row.get(6)?,
            refers: row.get(7)?,
            view: row.get(8)?,
            body: row.get(9)?,
            shown: row.get(10)?,
        })
    }

    pub fn columns(&self) -> EntryColumns<'_> {
        EntryColumns {
            seq: self.seq,
            kind: &self.kind,
            match_number: self.match_number,
            number: self.number,
            at: &self.at,
            author: &self.author,
            body: &self.body,
            shown: self.shown.as_deref(),
            refers: self.refers,
            view_id: self.view,
        }
    }

    pub fn entry(&self) -> Result<Entry, String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        let number = |number: i64| usize::try_from(number).map_err(|e| words(&e));
        Ok(Entry {
            seq: u64::try_from(self.seq).map_err(|e| words(&e))?,
            match_number: u32::try_from(self.match_number).map_err(|e| words(&e))?,
            number: self.number.map(number).transpose()?,
            at: self.at.parse().map_err(|e: jiff::Error| words(&e))?,
            author: Author::from(self.author.clone()),
            content: Content::parse(&self.kind, &self.body).map_err(|e| words(&e))?,
            refers: self.refers.map(|seq| u64::try_from(seq).map_err(|e| words(&e))).transpose()?,
            view: self.view,
            shown: self.shown.as_deref().map(serde_json::from_str).transpose().map_err(|e| words(&e))?,
            hash: Hash::from_slice(&self.hash).ok_or("its hash is cut")?,
        })
    }
}

/// A view's columns as they stand in the file.
#[derive(Debug, Clone)]
pub(super) struct RawView {
    pub id: ViewId,
    pub hash: Vec<u8>,
    pub report: String,
    pub facts: String,
}

impl RawView {
    /// Reads id, hash, report, facts.
    pub fn read(row: &Row<'_>) -> rusqlite::Result<RawView> {
        Ok(RawView { id: row.get(0)?, hash: row.get(1)?, report: row.get(2)?, facts: row.get(3)? })
    }

    pub fn view(&self) -> Result<StoredView, String> {
        let json = |error: serde_json::Error| error.to_string();
        Ok(StoredView {
            id: self.id,
            hash: Hash::from_slice(&self.hash).ok_or("its hash is cut")?,
            report: serde_json::from_str(&self.report).map_err(json)?,
            facts: serde_json::from_str(&self.facts).map_err(json)?,
        })
    }
}
