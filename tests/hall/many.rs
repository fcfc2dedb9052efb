//! Many tables at once, and many who watch.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use linecall::{hall::page, web::Access};

use super::{
    broker::Broker,
    club::{SimTable, address, copy_is_whole, court, open_office, until},
    sized,
};

/// When each table recorded which entry.
type Recorded = HashMap<String, Vec<(u64, Instant)>>;

/// Reads the page's stream; tells every piece that came.
pub fn watch(address: SocketAddr, ended: &AtomicBool, mut piece: impl FnMut(&str, &str)) {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    write!(socket, "GET /api/stream HTTP/1.1\r\nhost: {address}\r\n\r\n").unwrap();
    let mut reader = BufReader::with_capacity(1 << 16, socket);
    let mut line = String::new();
    while !ended.load(Ordering::Relaxed) {
        match reader.read_line(&mut line) {
            Ok(0) => return,
            Ok(_) => {}
            // What was read of the line so far stays in it.
            Err(_) => continue,
        }
        if let Some(data) = line.trim_end().strip_prefix("data: ")
            && let Ok(pieces) = serde_json::from_str::<HashMap<String, String>>(data)
        {
            pieces.iter().for_each(|(id, html)| piece(id, html));
        }
        line.clear();
    }
}

/// The number of the last entry that a table's card shows.
fn entry_of(card: &str) -> Option<u64> {
    card.split_once("data-entry=\"")?.1.split_once('"')?.0.parse().ok()
}

#[test]
fn tables_play_at_once_and_the_hall_has_it_all() {
    let (count, watchers) = (sized("HALL_TABLES", 8), sized("HALL_WATCHERS", 20));
    let broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("hall");
    let club = address(&[broker.port], "club");
    let hall = open_office(club.clone(), &data);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let served = page::serve(listener, hall.office.clone(), Access::Loopback).unwrap();
    let at = served.address();

    let ended = Arc::new(AtomicBool::new(false));
    // When which entry was recorded, until the page shows it.
    let recorded: Arc<Mutex<Recorded>> = Arc::default();
    let delays: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let received = Arc::new(AtomicUsize::new(0));
    let mut threads = Vec::new();
    for number in 0..watchers {
        let (ended, recorded, delays, received) =
            (ended.clone(), recorded.clone(), delays.clone(), received.clone());
        let watching = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
            watch(at, &ended, |id, html| {
                received.fetch_add(1, Ordering::Relaxed);
                // One of them takes the time; the others are only there.
                if number > 0 {
                    return;
                }
                let (Some(table), Some(entry)) = (id.strip_prefix("table-"), entry_of(html)) else { return };
                let now = Instant::now();
                if let Some(waiting) = recorded.lock().unwrap().get_mut(table) {
                    let shown = waiting.iter().filter(|(seq, _)| *seq <= entry).map(|(_, at)| now - *at);
                    delays.lock().unwrap().extend(shown);
                    waiting.retain(|(seq, _)| *seq > entry);
                }
            });
        });
        threads.push(watching.unwrap());
    }

    let tables: Vec<SimTable> = (0..count)
        .map(|n| {
            SimTable::open(folder.path(), &format!("t{n}"), club.clone(), Some(hall.office.key()), n as u64)
        })
        .collect();
    let playing: Vec<_> = tables
        .into_iter()
        .map(|mut table| {
            let recorded = recorded.clone();
            std::thread::spawn(move || {
                table.begin(&court(&format!("{} red", table.name), &format!("{} blue", table.name)));
                loop {
                    let before = Instant::now();
                    let goes_on = table.play_one();
                    if !goes_on {
                        return table;
                    }
                    let seq = table.desk.revision();
                    recorded.lock().unwrap().entry(table.name.clone()).or_default().push((seq, before));
                    std::thread::sleep(Duration::from_millis(250));
                }
            })
        })
        .collect();
    let tables: Vec<SimTable> = playing.into_iter().map(|thread| thread.join().unwrap()).collect();

    let entries: usize = tables.iter().map(|table| copy_is_whole(&data, &table.name, &table.path)).sum();
    until("the page shows every table's last entry", || {
        let all = recorded.lock().unwrap();
        all.values().all(Vec::is_empty)
    });
    // Every card shows the winner of its match.
    let shown: HashMap<String, String> = hall.office.look(|floor| {
        let winner =
            |view: &linecall::hall::office::TableView| view.state.as_ref()?.playing.as_ref()?.winner.clone();
        floor.tables.iter().filter_map(|(name, view)| Some((name.clone(), winner(view)?))).collect()
    });
    assert_eq!(shown.len(), count);
    ended.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let mut delays = delays.lock().unwrap().clone();
    delays.sort();
    let share = |p: f64| delays[((delays.len() - 1) as f64 * p) as usize];
    println!(
        "{count} tables, {entries} entries, {watchers} watchers, {} pieces sent; on the page after {:?} (median), {:?} (99 %), {:?} (last)",
        received.load(Ordering::Relaxed),
        share(0.5),
        share(0.99),
        share(1.0)
    );
    assert!(delays.len() >= entries - 3 * count, "every entry was shown: {} of {entries}", delays.len());
    drop(served);
}
