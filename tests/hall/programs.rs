//! The real programs as processes: a table and a hall that are killed with -9, a photo's frame on demand.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use linecall::hall::office::copy_path;
use linecall::ledger::{Ledger, verify};
use serde_json::{Value, json};

use super::{
    broker::{Broker, free_port},
    club::{copy_is_whole, court, event, until},
};

/// A program that is killed in the end.
struct Process(Child);

impl Process {
    fn start(arguments: &[&str], log: &Path) -> Process {
        let log = std::fs::File::create(log).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_linecall"))
            .args(arguments)
            .env("XDG_DATA_HOME", std::env::temp_dir().join("linecall-hall-test"))
            .stdout(log)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Process(child)
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(address: &str) -> Option<Value> {
    ureq::get(address).call().ok()?.body_mut().read_json().ok()
}

struct Club {
    _broker: Broker,
    folder: tempfile::TempDir,
    hall_port: u16,
    table_port: u16,
    address: String,
}

impl Club {
    fn new() -> Club {
        let broker = Broker::mosquitto();
        let address = format!("mqtt://127.0.0.1:{}/club", broker.port);
        let folder = tempfile::tempdir().unwrap();
        Club { _broker: broker, folder, hall_port: free_port(), table_port: free_port(), address }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("hall")
    }

    fn ledger(&self) -> PathBuf {
        self.folder.path().join("t1.ledger")
    }

    fn hall(&self) -> Process {
        let listen = format!("127.0.0.1:{}", self.hall_port);
        let data = self.data();
        let arguments =
            ["hall", "--broker", &self.address, "--data", data.to_str().unwrap(), "--listen", &listen];
        let process = Process::start(&arguments, &self.folder.path().join("hall.log"));
        until("the hall serves", || get(&format!("http://{listen}/api/hall")).is_some());
        process
    }

    fn table(&self) -> Process {
        let mut key = None;
        until("the hall has said its key", || {
            let said = std::fs::read_to_string(self.folder.path().join("hall.log")).unwrap();
            key = said.lines().find_map(|line| Some(line.strip_prefix("Key")?.trim().to_owned()));
            key.is_some()
        });
        let key = key.unwrap();
        let listen = format!("127.0.0.1:{}", self.table_port);
        let ledger = self.ledger();
        let arguments = [
            "serve",
            "--match",
            ledger.to_str().unwrap(),
            "--listen",
            &listen,
            "--hall",
            &self.address,
            "--table-name",
            "t1",
            "--hall-key",
            &key,
        ];
        let process = Process::start(&arguments, &self.folder.path().join("table.log"));
        until("the table serves", || get(&format!("http://{listen}/api/state")).is_some());
        process
    }

    fn post(&self, path: &str, body: Value) {
        ureq::post(format!("http://127.0.0.1:{}{path}", self.table_port)).send_json(body).unwrap();
    }

    fn frames(&self, count: usize) {
        for _ in 0..count {
            let frame = json!({ "type": "frame", "pieces": [] });
            self.post("/api/events", json!({ "event": frame, "by": "Cy" }));
        }
    }
}

#[test]
fn a_table_and_a_hall_are_killed_and_take_up_where_they_stood() {
    let club = Club::new();
    let hall = club.hall();
    let table = club.table();
    club.post("/api/match", json!({ "event": event(&court("Ann", "Bo")), "by": "Cy" }));
    club.frames(10);
    table.kill();
    until("the hall sees that the table is silent", || {
        let hall = get(&format!("http://127.0.0.1:{}/api/hall", club.hall_port)).unwrap();
        hall["tables"][0]["online"] == false
    });
    let table = club.table();
    club.frames(10);
    hall.kill();
    club.frames(10);
    let _hall = club.hall();
    assert!(copy_is_whole(&club.data(), "t1", &club.ledger()) >= 30);
    drop(table);
}

#[test]
fn a_photos_view_is_copied_and_its_frame_follows_when_somebody_looks() {
    let club = Club::new();
    let _hall = club.hall();
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead/000.jpg");
    let ledger = club.ledger();
    let scored = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .args([
            "score",
            photo.to_str().unwrap(),
            "--board",
            "carrom-court",
            "--match",
            ledger.to_str().unwrap(),
        ])
        .args(["--sides", "Ann,Bo"])
        .env("XDG_DATA_HOME", std::env::temp_dir().join("linecall-hall-test"))
        .output()
        .unwrap();
    assert!(scored.status.success(), "{}", String::from_utf8_lossy(&scored.stderr));
    let _table = club.table();
    let entries = Ledger::read(&ledger).unwrap().entries().unwrap();
    let call = entries.iter().find(|entry| entry.view.is_some()).unwrap();
    copy_is_whole(&club.data(), "t1", &ledger);
    let origin = Ledger::read(&ledger).unwrap().origin().unwrap().hash;
    let copy = copy_path(&club.data(), "t1", &origin);
    let found = verify(&Ledger::read(&copy).unwrap(), None).unwrap();
    assert!(found.is_whole() && found.elsewhere == 1, "{found:?}");
    let number = call.number.expect("the photo's frame is recorded");
    let page = format!("http://127.0.0.1:{}/calls/t1/{origin}/{number}.1", club.hall_port);
    let text = ureq::get(&page).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(text.contains("Rule on this call"), "{text}");
    let found = verify(&Ledger::read(&copy).unwrap(), None).unwrap();
    assert!(found.is_whole() && found.elsewhere == 0, "{found:?}");
}
