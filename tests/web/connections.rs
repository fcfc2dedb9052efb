//! Clients that are slow, or many.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use linecall::{
    desk::{Desk, DeskOptions},
    web::{Access, ConnectionLimits, Running, WebOptions, start},
};

/// Long enough for any machine: a server that never hangs up is what fails.
const PATIENCE: Duration = Duration::from_secs(60);
const AT_ONCE: usize = 4;

fn server(folder: &tempfile::TempDir) -> Running {
    let desk = Desk::open(&folder.path().join("match.ledger"), DeskOptions::default()).unwrap();
    let connections = ConnectionLimits {
        at_once: AT_ONCE,
        at_once_each: 2,
        head_secs: 1,
        body_secs: 1,
        ..ConnectionLimits::default()
    };
    let options = WebOptions { connections, ..WebOptions::default() };
    start(TcpListener::bind("127.0.0.1:0").unwrap(), desk, options, Access::Loopback).unwrap()
}

fn connect(address: SocketAddr) -> TcpStream {
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket
}

/// Everything the server says until it hangs up.
fn rest(mut socket: TcpStream) -> String {
    let mut told = Vec::new();
    match socket.read_to_end(&mut told) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => {
            panic!("the server does not hang up: {error}")
        }
        _ => String::from_utf8_lossy(&told).into_owned(),
    }
}

#[test]
fn who_never_ends_a_request_is_hung_up_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder);
    let address = server.address();
    let silent = connect(address);
    let mut half = connect(address);
    write!(half, "GET /api/state HTTP/1.1\r\nHost: {address}\r\nX-Slow: ").unwrap();
    let mut body = connect(address);
    write!(
        body,
        "POST /api/policy HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{\"by\":"
    )
    .unwrap();
    assert!(!rest(silent).contains("200 OK"));
    assert!(!rest(half).contains("200 OK"));
    let refused = rest(body);
    assert!(refused.starts_with("HTTP/1.1 4"), "{refused}");
    server.stop().unwrap();
}

/// More connections than there is room for: the others wait, and are answered once the silent ones
/// were hung up on.
#[test]
fn many_silent_connections_do_not_keep_others_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder);
    let address = server.address();
    let silent: Vec<TcpStream> = (0..2 * AT_ONCE).map(|_| connect(address)).collect();
    let mut asks = connect(address);
    write!(asks, "GET /api/state HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let answer = rest(asks);
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    drop(silent);
    server.stop().unwrap();
}

/// A stream that is read goes on, however long ago its request was.
#[test]
fn a_stream_is_not_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder);
    let address = server.address();
    let mut stream = connect(address);
    write!(stream, "GET /api/stream HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut told = Vec::new();
    let mut chunk = [0; 4096];
    // The state, then a beat ten seconds later: both limits have passed by then.
    while !String::from_utf8_lossy(&told).contains("event: beat") {
        let read = stream.read(&mut chunk).unwrap();
        assert_ne!(read, 0, "{}", String::from_utf8_lossy(&told));
        told.extend_from_slice(&chunk[..read]);
    }
    server.stop().unwrap();
}
