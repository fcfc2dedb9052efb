//! `linecall live` on a disk that is full when an event is due, and has room again later.
//!
//! By default the disk is full by a limit on the size of files, put on the running program from outside.
//! `LINECALL_SMALL_DISK` names a folder on a small file system, which is then filled in truth.
#![cfg(target_os = "linux")]

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use linecall::{
    desk::{Desk, DeskOptions},
    ledger::{Ledger, verify},
};

use crate::count;

fn sequence() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sequences/court")
}

/// The filmed half round over and over; in between the board lies still for a while, in which a frame may be
/// missed.
fn film(folder: &Path, times: usize) -> PathBuf {
    const STILL: usize = 16;
    let frames = folder.join("frames");
    std::fs::create_dir(&frames).unwrap();
    let files = std::fs::read_dir(sequence()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "jpg")).collect();
    names.sort();
    let last = names.last().unwrap().clone();
    names.extend(std::iter::repeat_n(last, STILL));
    for (index, name) in std::iter::repeat_n(&names, times).flatten().enumerate() {
        std::os::unix::fs::symlink(name, frames.join(format!("{index:05}.jpg"))).unwrap();
    }
    frames
}

/// A disk that can be full.
enum Disk {
    Limited,
    Small(PathBuf),
}

impl Disk {
    fn fill(&self, live: &Child) {
        match self {
            Disk::Limited => limit(live, "1:unlimited"),
            Disk::Small(folder) => {
                let mut file = std::fs::File::create(folder.join("filler")).unwrap();
                let error = (0..).find_map(|_| file.write_all(&[7; 4096]).err()).unwrap();
                assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
            }
        }
    }

    fn make_room(&self, live: &Child) {
        match self {
            Disk::Limited => limit(live, "unlimited:unlimited"),
            Disk::Small(folder) => std::fs::remove_file(folder.join("filler")).unwrap(),
        }
    }
}

fn limit(live: &Child, sizes: &str) {
    let pid = live.id().to_string();
    let done = Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={sizes}")]).status().unwrap();
    assert!(done.success());
}

/// Waits for a line with these words, and gives all that came before.
fn wait_for(lines: &Receiver<String>, words: &str) {
    let mut before = Vec::new();
    // Nothing is judged by the time; it only ends a test that would wait for ever.
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(120)) {
        if line.contains(words) {
            return;
        }
        before.push(line);
    }
    panic!("{words:?} was not said, but:\n{}", before.join("\n"));
}

#[test]
fn a_disk_that_is_full_for_a_while_ends_no_match_that_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let (small, disk) = match std::env::var_os("LINECALL_SMALL_DISK").map(PathBuf::from) {
        Some(small) => (small.clone(), Disk::Small(small)),
        None => (folder.path().to_owned(), Disk::Limited),
    };
    let camera = folder.path().join("camera.toml");
    let program = env!("CARGO_BIN_EXE_linecall");
    let made = Command::new(program)
        .arg("calibrate")
        .arg(sequence().join("000.jpg"))
        .args(["--board", "carrom-court", "--height", "1731", "-o"])
        .arg(&camera)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let half_rounds = count(1);
    // In doubles red leads both ends of a round, as it does in the film (C4).
    let start = folder.path().join("start.jsonl");
    let sides = r#"[{"name":"Ann","colour":"red","players":["Ann","Cy"]},{"name":"Bo","colour":"blue","players":["Bo","Di"]}]"#;
    let options = r#"{"play":"doubles","best_of":99}"#;
    let header = format!(r#"{{"type":"match","game":"court","options":{options},"sides":{sides}}}"#);
    std::fs::write(&start, header).unwrap();
    let ledger = small.join("match.ledger");
    let mut live = Command::new("bash")
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", program, "live", "--fps", "4", "--recording"])
        .arg(film(folder.path(), half_rounds))
        .arg("--camera")
        .arg(&camera)
        .arg("--start")
        .arg(&start)
        .arg("--match")
        .arg(&ledger)
        .env("XDG_DATA_HOME", folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, lines) = channel();
    let stderr = live.stderr.take().unwrap();
    std::thread::spawn(move || {
        let read = BufReader::new(stderr).lines().map_while(Result::ok);
        read.take_while(|line| sender.send(line.clone()).is_ok()).count()
    });
    for half_round in 1..=half_rounds {
        wait_for(&lines, "shot 7");
        disk.fill(&live);
        wait_for(&lines, "waiting for it");
        let shown = Ledger::read(&ledger).unwrap().entries().unwrap();
        let events = shown.iter().filter(|entry| entry.number.is_some()).count();
        assert_eq!(events, half_round, "what was recorded before is there, and no more");
        disk.make_room(&live);
        wait_for(&lines, "there is room again");
        wait_for(&lines, &format!("recorded as event {half_round}"));
    }
    assert!(live.wait().unwrap().success());
    let read = Ledger::read(&ledger).unwrap();
    assert!(verify(&read, None).unwrap().is_whole());
    drop(read);
    let desk = Desk::open(&ledger, DeskOptions::default()).unwrap();
    let state = desk.state();
    assert_eq!(state.match_info.as_ref().unwrap().events, 1 + half_rounds);
    println!("{half_rounds} full disks that got room again");
}
