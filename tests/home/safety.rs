//! What was found by trying to keep others out, each as a test.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    time::Duration,
};

use linecall::{
    desk::{Desk, DeskOptions},
    web::{Access, ConnectionLimits, Running, WebOptions, start},
};
use serde_json::{Value, json};

use super::server::{Program, court};

fn small(folder: &tempfile::TempDir, connections: ConnectionLimits) -> Running {
    let desk = Desk::open(&folder.path().join("match.ledger"), DeskOptions::default()).unwrap();
    let options = WebOptions { connections, ..WebOptions::default() };
    start(TcpListener::bind("127.0.0.1:0").unwrap(), desk, options, Access::Loopback).unwrap()
}

fn ask(server: &Running, path: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let host = server.address();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut head = [0; 256];
    let read = stream.read(&mut head).unwrap_or(0);
    (stream, String::from_utf8_lossy(&head[..read]).into_owned())
}

#[test]
fn streams_of_one_address_keep_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ConnectionLimits { at_once: 64, at_once_here: 32, streams_share: 0.5, ..Default::default() };
    let server = small(&folder, limits);
    let held: Vec<_> = (0..24).map(|_| ask(&server, "/api/stream")).collect();
    let open = held.iter().filter(|(_, head)| head.starts_with("HTTP/1.1 200")).count();
    assert_eq!(open, 16, "half of an address's connections may stay open");
    assert!(held.iter().skip(16).all(|(_, head)| head.starts_with("HTTP/1.1 429")));
    // The same address still gets what ends by itself.
    assert!(ask(&server, "/api/state").1.starts_with("HTTP/1.1 200"));
}

#[test]
fn sixty_wrong_pins_do_not_lock_the_referee_out_and_are_told() {
    let program = Program::fresh("0.0.0.0:0", &[]);
    let cookie = program.post("/api/session", json!({ "pin": program.pin() }), None).2;
    let wrong = |pin: &str| program.post("/api/session", json!({ "pin": pin }), None).0;
    for _ in 0..60 {
        wrong("no pin");
    }
    // From the very same address the log-in goes on, and it is told to whoever is in.
    let mut asked =
        ureq::get(program.url("/api/session")).header("cookie", cookie.clone().unwrap()).call().unwrap();
    let told: Value = asked.body_mut().read_json().unwrap();
    assert_eq!(told["may_change"], true);
    assert_eq!(told["wrong_pins"]["last_hour"], 5, "{told}");
    // A referee who is in lets a phone in that has no PIN.
    let (status, invitation, _) = program.post("/api/session/invitation", json!({}), cookie.as_deref());
    assert_eq!(status, 200, "{invitation}");
    let path = invitation["path"].as_str().unwrap();
    let joined = ureq::get(program.url(path)).config().max_redirects(0).build().call().unwrap();
    let joined = joined.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(program.post("/api/match", court(), Some(&joined)).0, 200);
}

#[test]
fn names_of_100_000_characters_are_refused() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let long = "x".repeat(100_000);
    let mut event = court();
    event["event"]["sides"][0]["name"] = json!(long);
    let (status, refused, _) = program.post("/api/match", event, None);
    assert_eq!(status, 422, "{refused}");
    let mut by = court();
    by["by"] = json!(long);
    let (status, refused, _) = program.post("/api/match", by, None);
    assert_eq!(status, 422, "{refused}");
    assert!(refused["error"].as_str().unwrap().contains("100000 characters"), "{refused}");
}

#[test]
fn bodies_that_cannot_be_read_are_answered_in_json() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    for (path, body, kind) in [
        ("/api/match", "{", "application/json"),
        ("/api/match", "[]", "application/json"),
        ("/api/match", "{}", "text/plain"),
        ("/api/photo", "x", "multipart/form-data"),
        ("/api/events/none/undo", "{}", "application/json"),
        ("/api/state", "{}", "application/json"),
    ] {
        let request = ureq::post(program.url(path)).config().http_status_as_error(false).build();
        let mut answer = request.header("content-type", kind).send(body).unwrap();
        let status = answer.status().as_u16();
        let told: Value =
            answer.body_mut().read_json().unwrap_or_else(|error| panic!("{path} {body}: {error}"));
        assert!((400..500).contains(&status) && told["error"].is_string(), "{path} {body}: {status} {told}");
    }
}

#[test]
fn a_page_that_is_not_there_is_a_page_for_people_and_json_for_programs() {
    let program = Program::fresh("127.0.0.1:0", &[]);
    let ask = |accept: &str| {
        let request = ureq::get(program.url("/nowhere")).config().http_status_as_error(false).build();
        let mut answer = request.header("accept", accept).call().unwrap();
        assert_eq!(answer.status().as_u16(), 404);
        answer.body_mut().read_to_string().unwrap()
    };
    assert!(ask("text/html,application/xhtml+xml").contains("<h1>Not found</h1>"));
    assert!(ask("*/*").starts_with("{\"error\""));
}
