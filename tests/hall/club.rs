//! A club: tables around real desks and ledgers, and the hall's office, all on one broker.

use std::{
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use linecall::{
    desk::{Desk, DeskOptions},
    hall::{
        HallAddress, HallKey,
        office::{self, OfficeOptions, Running, copy_path},
        table::{self, TableLink, TableOptions},
    },
    ledger::{Author, Hash, Ledger, verify},
    rules::{Event, Status, match_file},
};
use rand_chacha::ChaCha8Rng;

use super::play;

pub const RETRY: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(200));

/// What tables and halls said to people.
pub static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

pub fn say(words: &str) {
    SAID.lock().unwrap().push(words.to_owned());
}

pub fn address(ports: &[u16], hall: &str) -> HallAddress {
    let brokers: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    format!("mqtt://{}/{hall}", brokers.join(",")).parse().unwrap()
}

/// A table with its desk.
pub struct SimTable {
    pub name: String,
    pub path: PathBuf,
    pub desk: Desk,
    pub link: Option<TableLink>,
    rng: ChaCha8Rng,
}

impl SimTable {
    pub fn open(
        folder: &Path,
        name: &str,
        address: HallAddress,
        key: Option<&HallKey>,
        seed: u64,
    ) -> SimTable {
        let path = folder.join(format!("{name}.ledger"));
        let desk = Desk::open(&path, DeskOptions::default()).unwrap();
        let options = TableOptions {
            keys: key.map(HallKey::public).into_iter().collect(),
            retry: RETRY,
            say,
            calm: Duration::from_millis(200),
            ..TableOptions::new(address, name)
        };
        let link = table::join(desk.clone(), options).unwrap();
        SimTable { name: name.to_owned(), path, desk, link: Some(link), rng: play::dice(seed) }
    }

    pub fn begin(&self, header: &str) {
        self.desk.new_match(event(header), Author::Program, None).unwrap();
    }

    /// Plays one event. Gives whether the match goes on.
    pub fn play_one(&mut self) -> bool {
        let Some(game) = self.desk.game() else { return false };
        if matches!(game.standing().status, Status::Won(_) | Status::Undecided) {
            return false;
        }
        let tried = play::next(&game, &mut self.rng);
        assert!(
            tried.into_iter().any(|event| self.desk.append(event, Author::Vision, None).is_ok()),
            "the rules allow nothing of what was tried"
        );
        true
    }

    pub fn ledger(&self) -> Hash {
        self.desk.with_ledger(|ledger| ledger.origin().unwrap().hash)
    }
}

pub fn event(line: &str) -> Event {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// A match of the court by two names.
pub fn court(first: &str, second: &str) -> String {
    let header = format!(
        r#"{{"type":"match","game":"court","options":{{"best_of":3}},"sides":[{{"name":"{first}","colour":"red"}},{{"name":"{second}","colour":"blue"}}]}}"#
    );
    assert!(match_file::parse(header.as_bytes()).is_ok());
    header
}

pub fn open_office(address: HallAddress, data: &Path) -> Running {
    office::open(OfficeOptions { retry: RETRY, say, ..OfficeOptions::new(address, data) }).unwrap()
}

/// Waits until something holds; fails after a time in which it should have long been so.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(
            begun.elapsed() < Duration::from_secs(180),
            "still not so: {what}; said: {:?}",
            SAID.lock().unwrap()
        );
        std::thread::sleep(Duration::from_millis(25));
    }
}

/// The rows of a ledger's entries as they stand in the file.
fn rows(path: &Path) -> Vec<Vec<rusqlite::types::Value>> {
    let connection = rusqlite::Connection::open(path).unwrap();
    let mut statement = connection.prepare("SELECT * FROM entries ORDER BY seq").unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| (0..columns).map(|i| row.get(i)).collect()).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Waits for the hall's copy, then compares it with the table's own ledger: byte by byte of its entries.
pub fn copy_is_whole(data: &Path, table: &str, ledger: &Path) -> usize {
    let own = Ledger::read(ledger).unwrap();
    let (origin, head) = (own.origin().unwrap(), own.head());
    let copy = copy_path(data, table, &origin.hash);
    until(&format!("the copy of {table} goes to entry {}", head.seq), || {
        copy.exists() && Ledger::read(&copy).is_ok_and(|copy| copy.head() == head)
    });
    let verified = verify(&Ledger::read(&copy).unwrap(), Some(&head.hash)).unwrap();
    assert!(verified.is_whole(), "{table}: {:?}", verified.findings);
    let (there, here) = (rows(ledger), rows(&copy));
    assert_eq!(there.len() as u64, head.seq);
    assert!(there == here, "{table}: the copy's entries are not the table's");
    here.len()
}
