//! `linecall` without a command, as a process of its own over a data folder.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Program {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub address: String,
    /// What it printed when it began.
    pub words: String,
    pub folder: TempDir,
}

/// A filmed half round.
pub fn sequence() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sequences/court")
}

impl Program {
    /// Over a fresh data folder with the filmed half round among its recordings.
    pub fn fresh(listen: &str, more: &[&str]) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let recordings = folder.path().join("recordings");
        std::fs::create_dir(&recordings).unwrap();
        std::os::unix::fs::symlink(sequence(), recordings.join("half round")).unwrap();
        Program::over(folder, listen, more)
    }

    pub fn over(folder: TempDir, listen: &str, more: &[&str]) -> Program {
        let (child, words, address) = spawn(&folder, listen, more);
        Program { child, address, words, folder }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// As a power cut would, and then on again.
    pub fn restart(&mut self, more: &[&str]) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let listen = self
            .address
            .replace("127.0.0.1", if self.words.contains("PIN") { "0.0.0.0" } else { "127.0.0.1" });
        (self.child, self.words, self.address) = spawn(&self.folder, &listen, more);
    }

    pub fn get(&self, path: &str) -> Value {
        let mut answer = ureq::get(self.url(path)).call().unwrap_or_else(|error| panic!("{path}: {error}"));
        answer.body_mut().read_json().unwrap()
    }

    /// Status and body of a change, with a cookie where one is given.
    pub fn post(&self, path: &str, body: Value, cookie: Option<&str>) -> (u16, Value, Option<String>) {
        let mut request = ureq::post(self.url(path)).config().http_status_as_error(false).build();
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie);
        }
        let mut answer = request.send_json(body).unwrap_or_else(|error| panic!("{path}: {error}"));
        let cookie = answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
        let cookie = cookie.and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
        (answer.status().as_u16(), answer.body_mut().read_json().unwrap_or(Value::Null), cookie)
    }

    /// The PIN that was printed.
    pub fn pin(&self) -> String {
        self.words.split_once("PIN").unwrap().1.split_whitespace().next().unwrap().to_owned()
    }
}

pub fn court() -> Value {
    json!({
        "event": {
            "type": "match", "game": "court", "options": {},
            "sides": [{"name": "Ann", "colour": "red"}, {"name": "Bo", "colour": "blue"}],
        },
        "by": "Dee",
    })
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have been killed before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(folder: &TempDir, listen: &str, more: &[&str]) -> (Child, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .env("XDG_DATA_HOME", folder.path())
        .arg("--data")
        .arg(folder.path())
        .args(["--listen", listen])
        .args(more)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut words = String::new();
    while !words.contains("Ctrl-C") {
        assert_ne!(out.read_line(&mut words).unwrap(), 0, "the program ended: {words}");
    }
    let address = words.split_once("://").unwrap().1.split('/').next().unwrap();
    let port = address.rsplit(':').next().unwrap();
    (child, words.clone(), format!("127.0.0.1:{port}"))
}
