//! `linecall serve` as a process of its own, which can be killed and started again.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub address: String,
    /// What it printed when it began.
    pub words: String,
    pub folder: TempDir,
}

impl Server {
    /// A server over a new ledger on a free port of this machine.
    pub fn start() -> Server {
        Server::start_with("127.0.0.1:0", &[])
    }

    pub fn start_with(listen: &str, more: &[&str]) -> Server {
        Server::over(tempfile::tempdir().unwrap(), listen, more)
    }

    /// Over the ledger `match.ledger` of a folder.
    pub fn over(folder: TempDir, listen: &str, more: &[&str]) -> Server {
        let (child, words, address) = spawn(&folder, listen, more);
        Server { child, address, words, folder }
    }

    /// `linecall live` with a page, over a recording, with the camera file `camera.toml` of the folder.
    pub fn live(folder: TempDir, recording: &Path, fps: &str, more: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linecall"));
        command
            .args(["live", "--listen", "127.0.0.1:0", "--game", "court", "--sides", "Ann,Bo", "--fps", fps])
            .arg("--recording")
            .arg(recording)
            .arg("--camera")
            .arg(folder.path().join("camera.toml"))
            .arg("--match")
            .arg(folder.path().join("match.ledger"))
            .args(more)
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut out = BufReader::new(child.stderr.take().unwrap());
        let (words, address) = announced(&mut out);
        // What it says later goes where it would have gone.
        std::thread::spawn(move || out.lines().map_while(Result::ok).for_each(|line| eprintln!("{line}")));
        Server { child, address, words, folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// As a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Over the same ledger, at the same address.
    pub fn start_again(&mut self) {
        let (child, words, address) = spawn(&self.folder, &self.address, &[]);
        (self.child, self.words, self.address) = (child, words, address);
    }

    pub fn get(&self, path: &str) -> Value {
        let mut answer = ureq::get(self.url(path)).call().unwrap_or_else(|error| panic!("{path}: {error}"));
        answer.body_mut().read_json().unwrap()
    }

    pub fn state(&self) -> Value {
        self.get("/api/state")
    }

    /// Status and body of a change.
    pub fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.post_with(path, body, &[])
    }

    pub fn post_with(&self, path: &str, body: Value, headers: &[(&str, &str)]) -> (u16, Value) {
        let mut request = ureq::post(self.url(path)).config().http_status_as_error(false).build();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut answer = request.send_json(body).unwrap_or_else(|error| panic!("{path}: {error}"));
        (answer.status().as_u16(), answer.body_mut().read_json().unwrap_or(Value::Null))
    }

    /// A change that must succeed.
    pub fn record(&self, path: &str, mut body: Value) -> Value {
        body["by"] = json!("Dee");
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub fn begin_court(&self) {
        self.record(
            "/api/match",
            json!({ "event": {
            "type": "match", "game": "court", "options": {"target": 50, "best_of": 3},
            "sides": [{"name": "Ann", "colour": "red"}, {"name": "Bo", "colour": "blue"}],
        } }),
        );
    }

    /// A half round with so many red pucks in the 10, and a blue one in the 7.
    pub fn half_round(&self, red_tens: usize) {
        let mut pieces = vec![json!({"colour": "red", "area": "10"}); red_tens];
        pieces.push(json!({"colour": "blue", "area": "7-left"}));
        self.record("/api/events", json!({ "event": {"type": "frame", "pieces": pieces} }));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been killed before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(folder: &TempDir, listen: &str, more: &[&str]) -> (Child, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .args(["serve", "--match"])
        .arg(folder.path().join("match.ledger"))
        .args(["--listen", listen, "--camera"])
        .arg(folder.path().join("camera.toml"))
        .args(more)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (words, address) = announced(&mut out);
    (child, words, address)
}

/// What a server says when it begins, and its address.
fn announced(out: &mut impl BufRead) -> (String, String) {
    let mut words = String::new();
    while !words.contains("Ctrl-C") {
        assert_ne!(out.read_line(&mut words).unwrap(), 0, "the server ended: {words}");
    }
    let address = words.split_once("http://").unwrap().1.split('/').next().unwrap();
    let address = address.replace("THIS-MACHINE", "127.0.0.1");
    (words, address)
}
