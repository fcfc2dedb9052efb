//! Getting out of a damaged ledger what is whole.
//!
//! In: a file that SQLite can read at least in part. Out: a new ledger with every entry that is as it
//! was recorded, and a list of what was lost. Entries get new places and hashes there; event numbers
//! stay, so that corrections still name the right events.

mod first_page;

use std::{collections::HashMap, path::Path};

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;

use super::{
    Content, Entry, Finding, Hash, Ledger, LedgerError, LedgerOptions, NewEntry, NewView, Note, ViewFacts,
    ViewId, chain,
    schema::{self, Form},
    store::{CopiedView, ENTRY_COLUMNS, RawEntry, RawView, open_untouched},
    verify::place,
};

/// Entries that are copied in one transaction.
const BATCH: usize = 64;

/// Places without an entry after which nothing more is looked for, when nothing says where the end is.
const BLANKS_AT_END: i64 = 1000;

/// What came out.
#[derive(Debug, Clone, Serialize)]
pub struct Salvage {
    pub entries: u64,
    pub views: u64,
    /// What was not whole.
    pub lost: Vec<Finding>,
}

/// Copies what is whole of the ledger at `from` into a new one at `to`. `playable` is asked of every
/// event in order; one that cannot be played any more, because one before it was lost, is kept as a
/// note with its text.
pub fn salvage(
    from: &Path,
    to: &Path,
    made_at: Timestamp,
    mut playable: impl FnMut(&Entry, &dyn Fn(&Hash) -> Option<String>) -> Result<(), String>,
) -> Result<Salvage, LedgerError> {
    if !from.exists() {
        return Err(LedgerError::Missing { path: from.to_owned() });
    }
    if std::fs::metadata(from).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0) {
        return Err(LedgerError::Empty { path: from.to_owned() });
    }
    if to.exists() {
        let reason = "it exists already: name a new file to salvage into".to_owned();
        return Err(LedgerError::CannotOpen { path: to.to_owned(), reason });
    }
    let source = Source::open(from, to)?;
    let origin = format!("salvaged from {}", from.display());
    let mut target = Ledger::make(to, made_at, &origin, LedgerOptions::default())?;
    let mut copy = Copy { source: &source, places: HashMap::new(), views: HashMap::new(), lost: Vec::new() };
    let mut before = source.genesis();
    let mut batch = Vec::new();
    let (mut count, mut next) = (0, target.head().seq + 1);
    let text = |hash: &Hash| source.file(hash).and_then(|bytes| String::from_utf8(bytes).ok());
    for seq in source.places() {
        let (entry, raw, hash) = match copy.entry(seq, before) {
            Ok(Some(read)) => read,
            Ok(None) => {
                before = None;
                continue;
            }
            Err((finding, hash)) => {
                copy.lost.push(finding);
                before = hash;
                continue;
            }
        };
        before = Some(hash);
        copy.places.insert(entry.seq, next);
        next += 1;
        count += 1;
        let refused = playable(&entry, &text).err();
        let new = copy.new_entry(entry, &raw, refused);
        // A view that is copied has its number only once its batch is written.
        let brings_view = matches!(new.view, NewView::Copied(_));
        let old_view = raw.view;
        batch.push(new);
        if brings_view || batch.len() == BATCH {
            let written = target.append(std::mem::take(&mut batch))?;
            if let (Some(old), Some(new)) = (old_view, written.last().and_then(|entry| entry.view)) {
                copy.views.insert(old, new);
            }
        }
    }
    target.append(batch)?;
    if count == 0 {
        // A ledger without an entry would look like a match that never was.
        drop(target);
        let _ = std::fs::remove_file(to);
        return Err(LedgerError::NothingWhole { path: from.to_owned() });
    }
    Ok(Salvage { entries: count, views: copy.views.len() as u64, lost: copy.lost })
}

/// A damaged ledger.
struct Source {
    connection: Connection,
    /// No entry can have a higher number: the file has room for no more hashes.
    most_entries: i64,
    // After the connection: removed once SQLite has closed it.
    _repaired: Option<first_page::Repaired>,
}

impl Source {
    fn open(path: &Path, beside: &Path) -> Result<Source, LedgerError> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let most_entries = ((bytes(path) + bytes(Path::new(&log))) / size_of::<Hash>() as u64) as i64;
        let readable = open_untouched(path).and_then(|connection| {
            let count =
                connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
            match (count, schema::form(&connection)) {
                (Ok(1..), Ok(Form::Ledger(_))) => Ok(connection),
                (_, Ok(Form::Foreign)) => Err(LedgerError::foreign(path)),
                (Err(error), _) | (_, Err(error)) => Err(LedgerError::of(&error, path)),
                _ => Err(LedgerError::damaged(path, "it has no tables")),
            }
        });
        let unreadable = match readable {
            Ok(connection) => return Ok(Source { connection, most_entries, _repaired: None }),
            Err(error) => error,
        };
        // The first page says what the others are; it is the same in every ledger, but for counters.
        let Some(repaired) = first_page::replaced(path, beside) else { return Err(unreadable) };
        let connection = open_untouched(&repaired.path)?;
        let source = Source { connection, most_entries, _repaired: Some(repaired) };
        // What has none of a ledger's rows was no ledger.
        if source.genesis().is_none() && !matches!(source.raw_entry(1), Ok(Some(_))) {
            return Err(unreadable);
        }
        Ok(source)
    }

    fn genesis(&self) -> Option<Hash> {
        let hash = self.connection.query_row("SELECT hash FROM ledger", [], |row| row.get::<_, Vec<u8>>(0));
        hash.ok().and_then(|hash| Hash::from_slice(&hash))
    }

    /// The places to look for entries at.
    fn places(&self) -> impl Iterator<Item = i64> + '_ {
        // A damaged number would have places without end looked at.
        let number = |sql: &str| {
            let number = self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
            number.ok().filter(|number| *number <= self.most_entries)
        };
        let marked = number("SELECT seq FROM head");
        let highest = number("SELECT max(seq) FROM entries");
        let known = marked.max(highest).unwrap_or(0);
        let mut blanks = 0;
        (1..).take_while(move |seq| {
            let there = *seq <= known || self.raw_entry(*seq).is_ok_and(|raw| raw.is_some());
            blanks = if there { 0 } else { blanks + 1 };
            blanks <= if known > 0 { 0 } else { BLANKS_AT_END }
        })
    }

    fn raw_entry(&self, seq: i64) -> rusqlite::Result<Option<RawEntry>> {
        let sql = format!("SELECT {ENTRY_COLUMNS} FROM entries WHERE seq = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([seq])?;
        rows.next()?.map(RawEntry::read).transpose()
    }

    fn raw_view(&self, id: ViewId) -> rusqlite::Result<RawView> {
        let sql = "SELECT id, hash, report, facts FROM views WHERE id = ?1";
        self.connection.prepare_cached(sql)?.query_row([id], RawView::read)
    }

    /// A file, if it is whole.
    fn file(&self, hash: &Hash) -> Option<Vec<u8>> {
        let by_index = "SELECT bytes FROM files WHERE hash = ?1";
        // The index may be what is damaged.
        let by_scan = "SELECT bytes FROM files NOT INDEXED WHERE hash = ?1";
        [by_index, by_scan].into_iter().find_map(|sql| {
            let mut statement = self.connection.prepare_cached(sql).ok()?;
            let bytes: Vec<u8> = statement.query_row([hash.0], |row| row.get(0)).ok()?;
            (Hash::of_bytes(&bytes) == *hash).then_some(bytes)
        })
    }
}

/// What has been copied so far.
struct Copy<'s> {
    source: &'s Source,
    /// New places of entries, by their old ones.
    places: HashMap<u64, u64>,
    views: HashMap<ViewId, ViewId>,
    lost: Vec<Finding>,
}

impl Copy<'_> {
    /// The entry at a place, with the hash it has there. `None` where there is none; the finding, and
    /// the hash if that at least can be read, where it is not whole.
    #[allow(clippy::type_complexity)]
    fn entry(
        &mut self,
        seq: i64,
        before: Option<Hash>,
    ) -> Result<Option<(Entry, RawEntry, Hash)>, (Finding, Option<Hash>)> {
        let lost = |what: String| Finding { place: format!("entry {seq}"), what };
        let raw = match self.source.raw_entry(seq) {
            Ok(Some(raw)) => raw,
            Ok(None) => return Err((lost("is missing".to_owned()), None)),
            Err(error) => return Err((lost(format!("cannot be read: {error}")), None)),
        };
        let stored = Hash::from_slice(&raw.hash);
        let lost = |what: String| (Finding { place: place(&raw), what }, stored);
        let entry = raw.entry().map_err(|error| lost(format!("cannot be understood: {error}")))?;
        let view_hash = raw.view.and_then(|id| self.source.raw_view(id).ok());
        let view_hash = view_hash.and_then(|view| Hash::from_slice(&view.hash));
        // Without the entry before, or without the view, the hash proves nothing either way.
        let provable = before.filter(|_| raw.view.is_none() || view_hash.is_some());
        if let Some(before) = provable
            && stored != Some(chain::entry(&raw.columns(), view_hash.as_ref(), &before))
        {
            return Err(lost("it was changed".to_owned()));
        }
        match stored {
            Some(hash) => Ok(Some((entry, raw, hash))),
            None => Err(lost("its hash was cut".to_owned())),
        }
    }

    fn new_entry(&mut self, entry: Entry, raw: &RawEntry, refused: Option<String>) -> NewEntry {
        let view = entry.view.map_or(NewView::None, |id| self.view(id, raw));
        let refers = entry.refers.and_then(|seq| self.places.get(&seq).copied());
        let (number, content) = match refused {
            None => (entry.number, entry.content),
            Some(why) => {
                let text = format!("{} cannot be played any more ({why}): {}", place(raw), raw.body);
                self.lost.push(Finding { place: place(raw), what: format!("kept as a note only: {why}") });
                (None, Content::Note(Note { about: "salvaged".to_owned(), text, confidence: None }))
            }
        };
        NewEntry {
            match_number: entry.match_number,
            number,
            at: entry.at,
            author: entry.author,
            content,
            refers,
            view,
            shown: entry.shown,
        }
    }

    /// A view with those of its frames and files that are whole.
    fn view(&mut self, id: ViewId, raw: &RawEntry) -> NewView {
        if let Some(new) = self.views.get(&id) {
            return NewView::Stored(*new);
        }
        let mut lost =
            |what: String| self.lost.push(Finding { place: format!("view {id} of {}", place(raw)), what });
        let view = match self.source.raw_view(id) {
            Ok(view) => view,
            Err(error) => {
                lost(format!("cannot be read: {error}"));
                return NewView::None;
            }
        };
        if Hash::from_slice(&view.hash) != Some(chain::view(&view.report, &view.facts)) {
            lost("it was changed".to_owned());
            return NewView::None;
        }
        let Ok(mut facts) = serde_json::from_str::<ViewFacts>(&view.facts) else {
            lost("cannot be understood".to_owned());
            return NewView::None;
        };
        let mut files = Vec::new();
        for frame in &mut facts.frames {
            if let Some(hash) = frame.hash {
                match self.source.file(&hash) {
                    Some(bytes) => files.push(bytes),
                    None => {
                        lost(format!("its frame {} is not whole", hash.short()));
                        frame.hash = None;
                        frame.left_out = Some("it was damaged when the ledger was salvaged".to_owned());
                    }
                }
            }
        }
        let named = [Some(&mut facts.board), facts.camera.as_mut(), facts.colours.as_mut()];
        let named = named.into_iter().flatten().map(|file| (file.name.as_str(), &mut file.hash));
        for (name, hash) in named.chain([("the options", &mut facts.options)]) {
            let bytes = self.source.file(hash).unwrap_or_else(|| {
                lost(format!("the file {name} is not whole"));
                // In its place stands what became of it, so that the view still has all it names.
                format!("# {name}: damaged when the ledger was salvaged\n").into_bytes()
            });
            *hash = Hash::of_bytes(&bytes);
            files.push(bytes);
        }
        match serde_json::to_string(&facts) {
            Ok(facts) => NewView::Copied(Box::new(CopiedView { report: view.report, facts, files })),
            Err(_) => NewView::None,
        }
    }
}
