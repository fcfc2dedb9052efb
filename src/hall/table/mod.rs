//! A table on a broker: what it records is told, and commands of its hall are done.
//!
//! In: a [`Desk`]. Out: its state, every entry of its ledger in order, its open questions. The ledger
//! is the outbox: nothing waits in memory, and after a break of any length it goes on where the broker
//! last said that it has it. Nothing here can hold up the desk.

mod ask;
mod discovery;
mod execute;
mod outbox;
mod session;
mod state;

use std::{path::PathBuf, thread::JoinHandle, time::Duration};

use tokio::sync::oneshot;

pub use outbox::{OutboxError, OutboxMark};
pub use state::standing as table_standing;

use super::{HallAddress, PublicKey};
use crate::{desk::Desk, rules::GameId};

/// How a table takes part in a hall.
#[derive(Debug, Clone)]
pub struct TableOptions {
    pub address: HallAddress,
    /// Its name in topics.
    pub table: String,
    /// Its name for people.
    pub name: String,
    /// Whose commands it takes; none: nobody's.
    pub keys: Vec<PublicKey>,
    /// Games that can be played here; empty: any.
    pub games: Vec<GameId>,
    /// What is not recorded is told at most once in this time. Default 1 s.
    pub calm: Duration,
    /// Entries that are told before the broker has acknowledged the first of them. Default 32.
    pub window: usize,
    /// The shortest and the longest wait before the broker is tried again.
    pub retry: (Duration, Duration),
    /// Told, in a sentence, what a person at the table should know.
    pub say: fn(&str),
}

impl TableOptions {
    pub fn new(address: HallAddress, table: &str) -> TableOptions {
        TableOptions {
            address,
            table: table.to_owned(),
            name: table.to_owned(),
            keys: Vec::new(),
            games: Vec::new(),
            calm: Duration::from_secs(1),
            window: 32,
            retry: (Duration::from_millis(200), Duration::from_secs(5)),
            say: |words| eprintln!("linecall: {words}"),
        }
    }
}

/// A table's part in a hall, until it is dropped.
#[derive(Debug)]
pub struct TableLink {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for TableLink {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It has nothing to say any more.
            let _ = thread.join();
        }
    }
}

/// Takes part in a hall beside whatever else runs, in a thread of its own.
pub fn join(desk: Desk, options: TableOptions) -> Result<TableLink, OutboxError> {
    let ledger: PathBuf = desk.with_ledger(|ledger| ledger.path().to_owned());
    let session = session::Session::new(desk, options, &ledger)?;
    let failed = |source| OutboxError::Thread { source };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new()
        .name("hall".to_owned())
        .spawn(move || runtime.block_on(session.run(stopped)))
        .map_err(failed)?;
    Ok(TableLink { stop: Some(stop), thread: Some(thread) })
}
