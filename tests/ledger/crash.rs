//! Killed at any moment: what was shown as recorded is there.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use linecall::{
    desk::{Desk, Policy},
    ledger::{Author, Ledger, verify},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{COURT, FRAME, event, options, small_view};

/// Names the ledger to the child process.
pub const CHILD: &str = "LINECALL_TEST_RECORDS_INTO";

/// Not a test by itself: records as fast as it can, and says so after each event.
#[test]
fn child_that_records() {
    let Some(path) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let desk = Desk::open(&path, options(Policy::Never)).unwrap();
    if desk.state().match_info.is_none() {
        desk.new_match(event(COURT), Author::Program, None).unwrap();
    }
    for number in 0..2000 {
        match desk.append_with_view(event(FRAME), Author::Vision, small_view(number), None) {
            Ok(event) => println!("\nSHOWN {event}"),
            Err(error) => {
                println!("\nFAILED {error}");
                return;
            }
        }
    }
}

/// The last event that a child has shown.
pub fn last_shown(text: &str) -> Option<usize> {
    text.lines().filter_map(|line| line.strip_prefix("SHOWN ")).next_back()?.parse().ok()
}

fn child(path: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["ledger::crash::child_that_records", "--exact", "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_recorder_loses_nothing_that_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.ledger");
    let mut dice = ChaCha8Rng::seed_from_u64(9);
    let mut events = 0;
    for _ in 0..6 {
        let mut child = child(&path);
        let mut out = BufReader::new(child.stdout.take().unwrap());
        // Some are killed in the middle of a write, some after many.
        let after = dice.random_range(1..12);
        let mut shown = events;
        let mut lines = 0;
        let mut line = String::new();
        while lines < after && out.read_line(&mut line).unwrap() > 0 {
            if let Some(event) = last_shown(&line) {
                (shown, lines) = (event, lines + 1);
            }
            line.clear();
        }
        std::thread::sleep(std::time::Duration::from_micros(dice.random_range(0..4000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
        let shown = last_shown(&rest).unwrap_or(shown);

        let ledger = Ledger::read(&path).unwrap();
        assert!(verify(&ledger, None).unwrap().is_whole());
        drop(ledger);
        let desk = Desk::open(&path, options(Policy::Never)).unwrap();
        let found = desk.state().match_info.as_ref().unwrap().events - 1;
        // One more may have been recorded than there was time to show.
        assert!((shown..=shown + 1).contains(&found), "{shown} were shown, {found} are there");
        events = found;
    }
    assert!(events >= 6);
}
