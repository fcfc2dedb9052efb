//! Brokers, halls and tables that stop in the middle.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::{
    broker::Broker,
    club::{SimTable, address, copy_is_whole, court, open_office, until},
    sized,
};

/// Plays matches until told to stop, so that something happens in every break.
pub fn play_on(
    mut table: SimTable,
    stop: Arc<AtomicBool>,
    pace: Duration,
) -> std::thread::JoinHandle<SimTable> {
    std::thread::spawn(move || {
        let mut number = 0;
        while !stop.load(Ordering::Relaxed) {
            if !table.play_one() {
                number += 1;
                table.begin(&court(&format!("A{number}"), &format!("B{number}")));
            }
            std::thread::sleep(pace);
        }
        table
    })
}

#[test]
fn nothing_is_lost_doubled_or_reordered_whatever_stops() {
    let (count, kills) = (sized("HALL_TABLES", 8), sized("HALL_KILLS", 3));
    let mut broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("hall");
    let club = address(&[broker.port], "club");
    let mut hall = Some(open_office(club.clone(), &data));
    let key = hall.as_ref().unwrap().office.key().clone();
    let stop = Arc::new(AtomicBool::new(false));
    let playing: Vec<_> = (0..count)
        .map(|n| {
            let table = SimTable::open(folder.path(), &format!("t{n}"), club.clone(), Some(&key), n as u64);
            play_on(table, stop.clone(), Duration::from_millis(60))
        })
        .collect();
    for kill in 0..kills {
        std::thread::sleep(Duration::from_millis(700));
        broker.kill();
        // The hall's machine goes down with it now and then, and comes back later than the broker.
        if kill % 3 == 1 {
            hall = None;
        }
        std::thread::sleep(Duration::from_millis(300));
        broker.start();
        std::thread::sleep(Duration::from_millis(300));
        if hall.is_none() {
            hall = Some(open_office(club.clone(), &data));
        }
    }
    stop.store(true, Ordering::Relaxed);
    let tables: Vec<SimTable> = playing.into_iter().map(|thread| thread.join().unwrap()).collect();
    let entries: usize = tables.iter().map(|table| copy_is_whole(&data, &table.name, &table.path)).sum();
    println!("{count} tables, broker killed {kills} times: {entries} entries, all there once, in order");
    let faults: Vec<String> = hall
        .as_ref()
        .unwrap()
        .office
        .look(|floor| floor.tables.values().filter_map(|table| table.fault.clone()).collect());
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn two_halls_run_and_either_may_stop() {
    let broker = Broker::mosquitto();
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    std::fs::create_dir_all(&two).unwrap();
    let club = address(&[broker.port], "club");
    let first = open_office(club.clone(), &one);
    // The second machine has the same key.
    std::fs::copy(one.join("hall.key"), two.join("hall.key")).unwrap();
    let second = open_office(club.clone(), &two);
    until("the halls see each other", || {
        [&first, &second].iter().all(|hall| hall.office.look(|floor| floor.offices.len() == 2))
    });
    let mut table = SimTable::open(folder.path(), "t1", club, Some(first.office.key()), 1);
    table.begin(&court("Ann", "Bo"));
    (0..5).for_each(|_| {
        table.play_one();
    });
    copy_is_whole(&one, "t1", &table.path);
    copy_is_whole(&two, "t1", &table.path);
    drop(first);
    (0..5).for_each(|_| {
        table.play_one();
    });
    copy_is_whole(&two, "t1", &table.path);
    until("the other hall is gone", || second.office.look(|floor| floor.offices.len() == 1));
}
