//! The power goes, or the disk is full: what was shown as recorded is there, and the match goes on.
//!
//! A process of its own records through a file layer that notes every write and sync. From its notes the
//! disk is made as a power cut may leave it: what was synced is there; of what was not, any part, in any
//! order, torn at any sector.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex},
    time::Duration,
};

use linecall::{
    desk::{Desk, DeskOptions, Policy, Proposal, Taken, WaitForRoom},
    ledger::{Author, Ledger, verify},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{
    COURT, FRAME, event, options, small_view,
    vfs::{self, Deed},
};

/// Names a folder to a child process.
const FOLDER: &str = "LINECALL_TEST_NOTES_INTO";

fn child(name: &str, folder: &Path) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn folder_of_child() -> Option<PathBuf> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from)?;
    vfs::install();
    Some(folder)
}

/// Enough for the log beside the ledger to be written back into it on the way.
const EVENTS: usize = 260;

/// Not a test by itself: records, and leaves its notes as a file.
#[test]
fn child_that_notes() {
    let Some(folder) = folder_of_child() else { return };
    let desk = Desk::open(&folder.join("noted.ledger"), options(Policy::Never)).unwrap();
    desk.new_match(event(COURT), Author::Program, None).unwrap();
    for number in 0..EVENTS {
        let shown = desk.append_with_view(event(FRAME), Author::Vision, small_view(number), None).unwrap();
        vfs::note(Deed::Shown(shown));
    }
    drop(desk);
    let deeds: Vec<u8> = vfs::take_deeds().iter().flat_map(written).collect();
    std::fs::write(folder.join("deeds"), deeds).unwrap();
}

fn written(deed: &Deed) -> Vec<u8> {
    let (kind, file, number, bytes): (u8, &str, u64, &[u8]) = match deed {
        Deed::Write { file, at, bytes } => (0, file, *at, bytes),
        Deed::Truncate { file, length } => (1, file, *length, &[]),
        Deed::Sync { file } => (2, file, 0, &[]),
        Deed::Delete { file } => (3, file, 0, &[]),
        Deed::Shown(event) => (4, "", *event as u64, &[]),
    };
    let mut out = vec![kind, file.len() as u8];
    out.extend(file.as_bytes());
    out.extend(number.to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
    out
}

fn read_deeds(mut bytes: &[u8]) -> Vec<Deed> {
    let mut deeds = Vec::new();
    let take = |bytes: &mut &[u8], count: usize| -> Vec<u8> {
        let (taken, rest) = bytes.split_at(count);
        *bytes = rest;
        taken.to_vec()
    };
    while !bytes.is_empty() {
        let head = take(&mut bytes, 2);
        let file = String::from_utf8(take(&mut bytes, head[1].into())).unwrap();
        let number = u64::from_le_bytes(take(&mut bytes, 8).try_into().unwrap());
        let length = u32::from_le_bytes(take(&mut bytes, 4).try_into().unwrap());
        let content = take(&mut bytes, length as usize);
        deeds.push(match head[0] {
            0 => Deed::Write { file, at: number, bytes: content },
            1 => Deed::Truncate { file, length: number },
            2 => Deed::Sync { file },
            3 => Deed::Delete { file },
            _ => Deed::Shown(number as usize),
        });
    }
    deeds
}

/// A file as the disk has it, and what was done to it since it was last synced.
#[derive(Default)]
struct OnDisk {
    content: Vec<u8>,
    unsynced: Vec<Deed>,
}

fn apply(content: &mut Vec<u8>, deed: &Deed, dice: Option<&mut ChaCha8Rng>) {
    match deed {
        Deed::Write { at, bytes, .. } => {
            const SECTOR: usize = 512;
            let at = *at as usize;
            if content.len() < at + bytes.len() {
                content.resize(at + bytes.len(), 0);
            }
            match dice {
                None => content[at..at + bytes.len()].copy_from_slice(bytes),
                Some(dice) => {
                    // Sectors arrive or not, each by itself.
                    for (index, sector) in bytes.chunks(SECTOR).enumerate() {
                        if dice.random_bool(0.5) {
                            let from = at + index * SECTOR;
                            content[from..from + sector.len()].copy_from_slice(sector);
                        }
                    }
                }
            }
        }
        Deed::Truncate { length, .. } => content.resize(*length as usize, 0),
        _ => {}
    }
}

/// The disk after the power went at deed `end`.
fn after_power_cut(deeds: &[Deed], end: usize, dice: &mut ChaCha8Rng, into: &Path) -> usize {
    let mut files: HashMap<String, OnDisk> = HashMap::new();
    let mut shown = 0;
    for deed in &deeds[..end] {
        match deed {
            Deed::Write { file, .. } | Deed::Truncate { file, .. } => {
                files.entry(file.clone()).or_default().unsynced.push(deed.clone());
            }
            Deed::Sync { file } => {
                let file = files.entry(file.clone()).or_default();
                for deed in std::mem::take(&mut file.unsynced) {
                    apply(&mut file.content, &deed, None);
                }
            }
            Deed::Delete { file } => {
                files.remove(file);
            }
            Deed::Shown(event) => shown = *event,
        }
    }
    for (name, mut file) in files {
        for deed in &file.unsynced {
            match dice.random_range(0..3) {
                0 => {}
                1 => apply(&mut file.content, deed, None),
                _ => apply(&mut file.content, deed, Some(dice)),
            }
        }
        std::fs::write(into.join(name), file.content).unwrap();
    }
    shown
}

#[test]
fn a_power_cut_loses_nothing_that_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    child("ledger::power::child_that_notes", folder.path());
    let deeds = read_deeds(&std::fs::read(folder.path().join("deeds")).unwrap());
    let first_shown = deeds.iter().position(|deed| matches!(deed, Deed::Shown(_))).unwrap();
    // The log is written back into the ledger only here and there: half of the cuts fall there.
    let into_ledger = |deed: &Deed| matches!(deed, Deed::Write { file, .. } if file == "noted.ledger");
    let back: Vec<usize> = (first_shown..deeds.len()).filter(|&index| into_ledger(&deeds[index])).collect();
    assert!(back.len() > 20, "the log was written back {} pages only", back.len());
    let mut dice = ChaCha8Rng::seed_from_u64(17);
    const CUTS: usize = 40;
    for cut in 0..CUTS {
        let end = match cut % 2 {
            0 => dice.random_range(first_shown..deeds.len()),
            _ => back[dice.random_range(0..back.len())],
        };
        let disk = tempfile::tempdir().unwrap();
        let shown = after_power_cut(&deeds, end, &mut dice, disk.path());
        let path = disk.path().join("noted.ledger");
        let desk = Desk::open(&path, options(Policy::Never)).unwrap();
        let found = desk.state().match_info.as_ref().unwrap().events - 1;
        assert!((shown..=shown + 1).contains(&found), "cut at {end}: {shown} were shown, {found} are there");
        desk.append(event(FRAME), Author::Vision, None).unwrap();
        drop(desk);
        let found = verify(&Ledger::read(&path).unwrap(), None).unwrap();
        assert!(found.is_whole(), "cut at {end}: {:?}", found.findings);
    }
}

/// Not a test by itself: the disk is full again and again, and each time there is room once it was told.
#[test]
fn child_whose_disk_is_full() {
    let Some(folder) = folder_of_child() else { return };
    let told = Arc::new(Mutex::new(Vec::new()));
    let said = told.clone();
    let tell = move |reason: &str| {
        said.lock().unwrap().push(reason.to_owned());
        vfs::set_full(false);
    };
    let wait = WaitForRoom { every: Duration::from_millis(1), tell: Arc::new(tell) };
    let options = DeskOptions { wait_for_room: Some(wait), ..options(Policy::Never) };
    let desk = Desk::open(&folder.join("full.ledger"), options).unwrap();
    desk.new_match(event(COURT), Author::Program, None).unwrap();
    for number in 1..=20 {
        vfs::set_full(true);
        // A person is told at once, and nothing of it stays behind.
        let refused = desk.append(event(FRAME), Author::referee("Cy"), None).unwrap_err().to_string();
        assert!(refused.contains("disk is full"), "{refused}");
        let proposal = Proposal {
            event: event(FRAME),
            evidence: Some(small_view(number)),
            confidence: 1.0,
            doubts: Vec::new(),
        };
        assert_eq!(desk.propose(proposal).unwrap(), Taken::Recorded { number });
    }
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 40, "told once, and once that it is over");
    assert!(told.iter().step_by(2).all(|reason| reason.contains("disk is full")), "{told:?}");
    assert!(told.iter().skip(1).step_by(2).all(String::is_empty), "{told:?}");
}

#[test]
fn a_full_disk_that_gets_room_again_ends_no_match() {
    let folder = tempfile::tempdir().unwrap();
    child("ledger::power::child_whose_disk_is_full", folder.path());
    let path = folder.path().join("full.ledger");
    assert!(verify(&Ledger::read(&path).unwrap(), None).unwrap().is_whole());
    let desk = Desk::open(&path, options(Policy::Never)).unwrap();
    assert_eq!(desk.state().match_info.as_ref().unwrap().events, 21);
}
