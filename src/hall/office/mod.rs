//! The hall's side: verified copies of every table's ledger, what every table is doing, the questions,
//! the pairings.
//!
//! In: what tables tell on the broker. Out: a [`Floor`] that pages show, commands to tables, results.
//! Everything that matters is in the tables' ledgers or on this disk: an office can be stopped and
//! started, and two of them can run for one hall, without anybody noticing at the tables.

mod assign;
mod copies;
mod deliver;
mod floor;
mod history;
mod session;

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
    time::Duration,
};

use tokio::sync::{oneshot, watch};

pub use copies::copy_path;
pub use deliver::check_webhook;
pub use floor::{CopyView, Floor, Given, TableView};
pub use history::{History, MatchLine, history};

use super::{
    HallAddress, HallKey, SealError,
    command::{Command, Order, new_id},
    topics::{About, Answer, VERSION, of_table},
    tournament::Book,
};
use crate::ledger::Hash;

#[derive(Debug, thiserror::Error)]
pub enum OfficeError {
    #[error("the hall's folder {} cannot be used: {source}", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("another linecall hall is using {}: stop it first, or give this one another folder with --data", path.display())]
    Busy { path: PathBuf },
    #[error(transparent)]
    Key(#[from] SealError),
    #[error("the pairings in {} cannot be read: {why}; move the file away to begin without them", path.display())]
    Book { path: PathBuf, why: String },
    #[error("there is no table {0}")]
    NoTable(String),
    #[error("table {0} has not told which ledger it records into yet")]
    NoLedger(String),
    #[error(transparent)]
    Pairing(#[from] super::tournament::BookError),
}

/// How an office works.
#[derive(Debug, Clone)]
pub struct OfficeOptions {
    pub address: HallAddress,
    /// Where copies, pairings and the hall's key are.
    pub data: PathBuf,
    /// Whether every frame is fetched, not only those that somebody looks at.
    pub fetch_frames: bool,
    /// Where results are sent, each as JSON by POST.
    pub webhook: Option<String>,
    /// The shortest and the longest wait before the broker is tried again.
    pub retry: (Duration, Duration),
    pub say: fn(&str),
}

impl OfficeOptions {
    pub fn new(address: HallAddress, data: &Path) -> OfficeOptions {
        OfficeOptions {
            address,
            data: data.to_owned(),
            fetch_frames: false,
            webhook: None,
            retry: (Duration::from_millis(200), Duration::from_secs(5)),
            say: |words| eprintln!("linecall: {words}"),
        }
    }
}

/// A handle: clone it, use it from threads and from async code alike.
#[derive(Clone)]
pub struct Office {
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    floor: Mutex<Floor>,
    changed: watch::Sender<u64>,
    pub key: HallKey,
    pub options: OfficeOptions,
}

/// An office that runs until it is dropped.
pub struct Running {
    pub office: Office,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    // Freed last.
    _lock: std::fs::File,
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It has nothing to say any more.
            let _ = thread.join();
        }
    }
}

/// Opens the hall's folder and goes to work, in a thread of its own.
pub fn open(options: OfficeOptions) -> Result<Running, OfficeError> {
    let folder = options.data.clone();
    let failed = |source| OfficeError::Folder { path: folder.clone(), source };
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let lock = std::fs::File::create(folder.join("hall-lock")).map_err(failed)?;
    if lock.try_lock().is_err() {
        return Err(OfficeError::Busy { path: folder });
    }
    let key = HallKey::load_or_make(&folder.join("hall.key"))?;
    let book = load_book(&folder)?;
    let floor = Floor { book, ..Floor::default() };
    let (changed, _) = watch::channel(0);
    let shared = Arc::new(Shared { floor: Mutex::new(floor), changed, key, options });
    let office = Office { shared };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (stop, stopped) = oneshot::channel();
    let session = session::Session::new(office.clone());
    let thread = std::thread::Builder::new()
        .name("office".to_owned())
        .spawn(move || runtime.block_on(session.run(stopped)))
        .map_err(failed)?;
    Ok(Running { office, stop: Some(stop), thread: Some(thread), _lock: lock })
}

fn book_path(folder: &Path) -> PathBuf {
    folder.join("pairings.json")
}

fn load_book(folder: &Path) -> Result<Book, OfficeError> {
    let path = book_path(folder);
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            serde_json::from_str(&text).map_err(|error| OfficeError::Book { path, why: error.to_string() })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Book::default()),
        Err(error) => Err(OfficeError::Book { path, why: error.to_string() }),
    }
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let fresh = path.with_extension("new");
    let mut file = std::fs::File::create(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&fresh, path)
}

impl Office {
    fn lock(&self) -> MutexGuard<'_, Floor> {
        // Every change is made in one go.
        self.shared.floor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn options(&self) -> &OfficeOptions {
        &self.shared.options
    }

    pub fn key(&self) -> &HallKey {
        &self.shared.key
    }

    fn hall(&self) -> &str {
        &self.shared.options.address.hall
    }

    /// Looks at the floor as it is.
    pub fn look<T>(&self, look: impl FnOnce(&Floor) -> T) -> T {
        look(&self.lock())
    }

    /// Told a number that changes whenever the floor does.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.shared.changed.subscribe()
    }

    fn change<T>(&self, change: impl FnOnce(&mut Floor) -> T) -> T {
        let mut floor = self.lock();
        let result = change(&mut floor);
        floor.revision += 1;
        // Nobody may be watching.
        self.shared.changed.send_replace(floor.revision);
        result
    }

    /// Tells a table to do something, by a person's name. Gives the command's id; its answer comes when it comes.
    pub fn command(
        &self,
        table: &str,
        by: &str,
        based_on: Option<u64>,
        order: Order,
    ) -> Result<String, OfficeError> {
        let view = self.look(|floor| floor.tables.get(table).map(TableView::ledger));
        let ledger = view.ok_or_else(|| OfficeError::NoTable(table.to_owned()))?;
        let ledger = ledger.ok_or_else(|| OfficeError::NoLedger(table.to_owned()))?;
        Ok(self.give(table, ledger, by, based_on, order))
    }

    fn give(&self, table: &str, ledger: Hash, by: &str, based_on: Option<u64>, order: Order) -> String {
        let given = self.prepared(table, ledger, by, based_on, order);
        let id = given.command.id.clone();
        self.change(|floor| floor.orders.push(given));
        id
    }

    /// A command, signed and ready to be given.
    fn prepared(&self, table: &str, ledger: Hash, by: &str, based_on: Option<u64>, order: Order) -> Given {
        let at = jiff::Timestamp::now();
        let command = Command { v: VERSION, id: new_id(), ledger, at, by: by.to_owned(), based_on, order };
        let topic = of_table(self.hall(), table, About::Command);
        // It is made of strings and numbers only.
        let text = serde_json::to_string(&command).unwrap_or_default();
        let payload = serde_json::to_vec(&self.shared.key.seal(&topic, text)).unwrap_or_default();
        Given::new(table, command, topic, payload)
    }

    /// The answer to a command, as soon as it is there; `None` when it takes longer.
    pub async fn answer(&self, id: &str, within: Duration) -> Option<Answer> {
        let mut watch = self.watch();
        let wait = async {
            loop {
                let answer = self.look(|floor| floor.answer(id).cloned());
                if answer.is_some() || watch.changed().await.is_err() {
                    return answer;
                }
            }
        };
        tokio::time::timeout(within, wait).await.ok().flatten()
    }

    /// Changes the pairings.
    pub fn with_book<T, E>(&self, change: impl FnOnce(&mut Book) -> Result<T, E>) -> Result<T, E> {
        self.change(|floor| change(&mut floor.book))
    }

    /// Sends a pairing to a table.
    pub fn assign(&self, pairing: &str, table: &str, by: &str, replace: bool) -> Result<String, OfficeError> {
        assign::assign(self, pairing, table, by, replace)
    }

    /// Fetches a frame that a copy lacks, and waits for it. Whether it is there.
    pub async fn fetch(&self, table: &str, ledger: Hash, frame: Hash, within: Duration) -> bool {
        let lacks = |floor: &Floor| {
            let copy = floor.tables.get(table).and_then(|view| view.copies.get(&ledger));
            copy.is_some_and(|copy| copy.lacking.contains(&frame))
        };
        if !self.look(lacks) {
            return true;
        }
        let id = self.give(table, ledger, "the hall", None, Order::File { hash: frame });
        let mut watch = self.watch();
        let wait = async {
            while self.look(lacks) && self.look(|floor| floor.answer(&id).is_none()) {
                if watch.changed().await.is_err() {
                    break;
                }
            }
        };
        // Without it the page says so.
        let _ = tokio::time::timeout(within, wait).await;
        self.change(|floor| floor.orders.retain(|given| given.command.id != id));
        !self.look(lacks)
    }
}
