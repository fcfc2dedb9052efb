//! Many watchers at once: how soon each of them has what was recorded, while a loop of 30 frames a
//! second goes on showing where the pieces lie.
//!
//! Every watcher is a connection of its own over loopback that reads the stream as a browser does.
//! The time runs from the moment the desk is asked to record until a watcher has read the state
//! whole: the disk, the JSON, the network and the reading are all in it.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use linecall::{
    desk::{Desk, DeskOptions},
    ledger::Author,
    rules::Event,
    web::{Access, WebOptions, start},
};
use serde_json::json;

const WATCHERS: usize = 200;
const CHANGES: usize = 60;
const BETWEEN: Duration = Duration::from_millis(150);
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 30);
/// What the page must keep, at the 99th percentile.
const ASKED_MS: f64 = 250.0;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let desk = Desk::open(&folder.path().join("match.ledger"), DeskOptions::default()).expect("a ledger");
    let event = |value| serde_json::from_value::<Event>(value).expect("an event");
    let begin = json!({"type": "match", "game": "court", "sides": [{"name": "Ann"}, {"name": "Bo"}]});
    desk.new_match(event(begin), Author::referee("bench"), None).expect("a match");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let server = start(listener, desk.clone(), WebOptions::default(), Access::Loopback).expect("a server");

    let ready = Arc::new(Barrier::new(WATCHERS + 1));
    let first = desk.revision();
    let last = first + CHANGES as u64;
    let watchers: Vec<_> = (0..WATCHERS)
        .map(|_| {
            let (address, ready) = (server.address(), ready.clone());
            thread::spawn(move || watch(address, &ready, last))
        })
        .collect();
    ready.wait();

    let stop = Arc::new(AtomicBool::new(false));
    let camera = {
        let (desk, stop) = (desk.clone(), stop.clone());
        thread::spawn(move || camera_loop(&desk, &stop))
    };
    let mut asked = Vec::with_capacity(CHANGES);
    for change in 0..CHANGES {
        thread::sleep(BETWEEN);
        let pieces = json!([{"colour": "red", "area": "10-off"}, {"colour": "blue", "x_mm": 120.0 + change as f64, "y_mm": 1500.0}]);
        let frame = event(json!({"type": "frame", "pieces": pieces}));
        asked.push(Instant::now());
        desk.append(frame, Author::referee("bench"), None).expect("a frame");
    }
    let mut delays_ms: Vec<f64> = Vec::with_capacity(WATCHERS * CHANGES);
    for watcher in watchers {
        let read = watcher.join().expect("a watcher");
        for (change, at) in asked.iter().enumerate() {
            let revision = first + 1 + change as u64;
            // A watcher that was given a newer state at once has this one with it.
            let arrived = read.iter().find(|(seen, _)| *seen >= revision).expect("every change arrives").1;
            delays_ms.push(arrived.duration_since(*at).as_secs_f64() * 1e3);
        }
    }
    stop.store(true, Ordering::Relaxed);
    let (rate, longest_ms) = camera.join().expect("the loop");
    server.stop().expect("the server's end");

    delays_ms.sort_by(f64::total_cmp);
    let at = |share: f64| delays_ms[((delays_ms.len() - 1) as f64 * share) as usize];
    println!("{WATCHERS} watchers, {CHANGES} changes: {} updates", delays_ms.len());
    println!(
        "  median {:.1} ms, 99 % {:.1} ms, longest {:.1} ms (asked: 99 % within {ASKED_MS} ms)",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    println!(
        "  the loop kept {rate:.2} of 30 frames/s; its longest call to the desk took {longest_ms:.1} ms"
    );
    if at(0.99) > ASKED_MS {
        eprintln!("watchers: too slow");
        std::process::exit(1);
    }
}

/// Reads states until the last is there: each revision with the moment it was read.
fn watch(address: SocketAddr, ready: &Barrier, last: u64) -> Vec<(u64, Instant)> {
    let mut socket = TcpStream::connect(address).expect("a connection");
    write!(socket, "GET /api/stream HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("a request");
    let mut lines = BufReader::new(socket);
    let mut seen = Vec::new();
    let mut line = String::new();
    loop {
        line.clear();
        assert_ne!(lines.read_line(&mut line).expect("the stream"), 0, "the stream ended");
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let state: serde_json::Value = serde_json::from_str(data).expect("a state");
        let Some(revision) = state["revision"].as_u64() else { continue };
        if seen.is_empty() {
            ready.wait();
        }
        seen.push((revision, Instant::now()));
        if revision >= last {
            return seen;
        }
    }
}

/// Shows the camera's status at 30 frames a second. Gives the rate it kept and its longest call.
fn camera_loop(desk: &Desk, stop: &AtomicBool) -> (f64, f64) {
    let begun = Instant::now();
    let mut frames = 0u32;
    let mut longest = Duration::ZERO;
    while !stop.load(Ordering::Relaxed) {
        let called = Instant::now();
        desk.show_status(json!({"frame": frames, "motion": "settled", "rate": 30.0}));
        longest = longest.max(called.elapsed());
        frames += 1;
        let due = begun + FRAME * frames;
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    (f64::from(frames) / begun.elapsed().as_secs_f64(), longest.as_secs_f64() * 1e3)
}
