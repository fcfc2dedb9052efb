//! A chain of halls on a NATS JetStream cluster, which speaks MQTT 3.1.1: no other code.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::{
    breaks::play_on,
    broker::Broker,
    club::{SimTable, address, copy_is_whole, open_office, until},
    sized,
};

#[test]
fn one_node_of_three_is_killed_in_the_middle() {
    let count = sized("HALL_TABLES", 6);
    let mut nodes = Broker::nats_cluster();
    let ports: Vec<u16> = nodes.iter().map(|node| node.port).collect();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("hall");
    let club = address(&ports, "club");
    let hall = open_office(club.clone(), &data);
    until("the hall is on the cluster", || hall.office.look(|floor| floor.offices.len() == 1));
    let key = hall.office.key().clone();
    let stop = Arc::new(AtomicBool::new(false));
    let playing: Vec<_> = (0..count)
        .map(|n| {
            let table = SimTable::open(folder.path(), &format!("t{n}"), club.clone(), Some(&key), n as u64);
            play_on(table, stop.clone(), Duration::from_millis(200))
        })
        .collect();
    until("every table is heard", || {
        hall.office.look(|floor| floor.tables.values().filter(|table| table.state.is_some()).count() == count)
    });
    std::thread::sleep(Duration::from_secs(2));
    nodes[0].kill();
    std::thread::sleep(Duration::from_secs(5));
    stop.store(true, Ordering::Relaxed);
    let tables: Vec<SimTable> = playing.into_iter().map(|thread| thread.join().unwrap()).collect();
    let entries: usize = tables.iter().map(|table| copy_is_whole(&data, &table.name, &table.path)).sum();
    println!("{count} tables, one of three nodes killed: {entries} entries, all there once, in order");
}
