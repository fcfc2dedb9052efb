//! One ledger whatever it is called, its end noted elsewhere, and what does not belong to it.

use std::process::Command;

use linecall::{
    desk::{Desk, DeskOptions, Policy},
    ledger::{Author, Ledger, LedgerError, LedgerOptions, Noted, noted, salvage, verify},
};

use super::{FRAME, event, now, options, recorded};

fn review(path: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .arg("review")
        .arg(path)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[cfg(unix)]
#[test]
fn through_a_link_it_is_the_same_recorder() {
    let (folder, path) = recorded(1);
    let link = folder.path().join("link.ledger");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for (first, second) in [(&path, &link), (&link, &path)] {
        let desk = Desk::open(first, options(Policy::Never)).unwrap();
        let refused = Ledger::record_into(second, now(), LedgerOptions::default()).unwrap_err();
        assert!(matches!(refused, LedgerError::Locked { .. }), "{refused}");
        drop(desk);
    }
    // A folder that is reached through a link.
    let other = tempfile::tempdir().unwrap();
    let folder_link = other.path().join("folder");
    std::os::unix::fs::symlink(folder.path(), &folder_link).unwrap();
    let _desk = Desk::open(&path, options(Policy::Never)).unwrap();
    let through = folder_link.join("match.ledger");
    let refused = Ledger::record_into(&through, now(), LedgerOptions::default()).unwrap_err();
    assert!(matches!(refused, LedgerError::Locked { .. }), "{refused}");
}

#[cfg(unix)]
#[test]
fn a_ledger_with_two_names_is_refused() {
    let (folder, path) = recorded(1);
    let second = folder.path().join("second.ledger");
    std::fs::hard_link(&path, &second).unwrap();
    for name in [&path, &second] {
        let refused = Ledger::record_into(name, now(), LedgerOptions::default()).unwrap_err();
        assert!(refused.to_string().contains("second name"), "{refused}");
    }
    std::fs::remove_file(second).unwrap();
    assert!(Ledger::record_into(&path, now(), LedgerOptions::default()).is_ok());
}

#[test]
fn an_empty_file_has_nothing_to_salvage() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, new) = (folder.path().join("a.ledger"), folder.path().join("new.ledger"));
    std::fs::write(&empty, b"").unwrap();
    let (status, _, words) = review(&empty, &["--salvage", new.to_str().unwrap()]);
    assert_eq!(status, Some(1));
    assert!(words.contains("is empty") && !words.contains("--salvage"), "{words}");
    assert!(!new.exists());
}

#[test]
fn a_cut_ledger_never_becomes_an_empty_one() {
    let (folder, path) = recorded(6);
    let whole = std::fs::read(&path).unwrap();
    let (cut, new) = (folder.path().join("cut.ledger"), folder.path().join("new.ledger"));
    let mut came_out = 0;
    for part in 0..40 {
        std::fs::write(&cut, &whole[..whole.len() * part / 40]).unwrap();
        match salvage(&cut, &new, now(), |_, _| Ok(())) {
            Ok(found) => {
                assert!(found.entries > 0, "an empty ledger at {part} fortieths");
                came_out += 1;
                std::fs::remove_file(&new).unwrap();
            }
            Err(_) => assert!(!new.exists(), "a new ledger stays behind at {part} fortieths"),
        }
    }
    assert!(came_out > 5, "{came_out} only");
    let mut left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["cut.ledger", "match.ledger"], "nothing is left lying about");
}

/// One bit of the header, and SQLite calls the file no database: salvage gets out all of it, and is named.
#[test]
fn a_flipped_bit_of_the_header_is_told_as_damage() {
    let (folder, path) = recorded(4);
    let whole = std::fs::read(&path).unwrap();
    let flipped = folder.path().join("flipped.ledger");
    let mut unreadable = 0;
    for bit in (0..100 * 8).step_by(3) {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&flipped, bytes).unwrap();
        if let Err(error) = Ledger::read(&flipped) {
            unreadable += 1;
            let words = error.to_string();
            assert!(words.contains("--salvage"), "bit {bit}: {words}");
        }
    }
    assert!(unreadable > 10, "{unreadable} only");
    let mut bytes = whole;
    bytes[3] ^= 4;
    std::fs::write(&flipped, bytes).unwrap();
    let (status, _, words) = review(&flipped, &["--verify"]);
    assert_eq!(status, Some(1));
    assert!(words.contains("is damaged") && words.contains("--salvage NEW"), "{words}");
    let found = salvage(&flipped, &folder.path().join("new.ledger"), now(), |_, _| Ok(())).unwrap();
    assert_eq!((found.entries, found.lost.len()), (6, 0));
}

#[test]
fn what_no_entry_rests_on_is_told() {
    let (_folder, path) = recorded(2);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "INSERT INTO views (hash, report, facts) SELECT hash, report, facts FROM views LIMIT 1;\
             INSERT INTO files (hash, bytes) VALUES (zeroblob(32), x'00')",
        )
        .unwrap();
    drop(connection);
    let found = verify(&Ledger::read(&path).unwrap(), None).unwrap();
    let alone = found.findings.iter().find(|finding| finding.what.contains("no entry rests on it"));
    assert!(alone.is_some(), "{:?}", found.findings);
    let (_folder, path) = recorded(2);
    let mut ledger = Ledger::record_into(&path, now(), LedgerOptions::default()).unwrap();
    ledger.keep_file(b"left by a crash").unwrap();
    drop(ledger);
    let found = verify(&Ledger::read(&path).unwrap(), None).unwrap();
    assert!(found.is_whole());
    assert_eq!(found.unused.len(), 1);
    let (status, out, _) = review(&path, &["--verify"]);
    assert_eq!(status, Some(0));
    assert!(out.contains("belongs to no entry"), "{out}");
}

#[test]
fn entries_that_were_cut_off_are_missed() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let path = folder.path().join("match.ledger");
    let open = || {
        let ledger = LedgerOptions { notes: Some(notes.clone()), ..LedgerOptions::default() };
        Desk::open(&path, DeskOptions { ledger, ..options(Policy::Never) }).unwrap()
    };
    let looked = || noted(&Ledger::read(&path).unwrap(), &notes);
    let desk = open();
    desk.new_match(event(super::COURT), Author::Program, None).unwrap();
    desk.append(event(FRAME), Author::Vision, None).unwrap();
    drop(desk);
    let older = std::fs::read(&path).unwrap();
    let desk = open();
    desk.append(event(FRAME), Author::Vision, None).unwrap();
    let seq = desk.revision();
    drop(desk);
    assert_eq!(looked(), Noted::Holds { seq });
    // An older copy is put back: whole by itself.
    std::fs::write(&path, older).unwrap();
    assert!(verify(&Ledger::read(&path).unwrap(), None).unwrap().is_whole());
    let gone = looked();
    assert!(matches!(&gone, Noted::Behind(lost) if lost.len() == 1 && lost[0].seq == seq), "{gone:?}");
    assert!(gone.findings()[0].what.contains("is not in it any more"));
    // Recorded on over it, what was lost is still known.
    let desk = open();
    desk.append(event(FRAME), Author::Program, None).unwrap();
    desk.append(event(FRAME), Author::Program, None).unwrap();
    drop(desk);
    assert!(matches!(looked(), Noted::Behind(lost) if lost.len() == 1));
}

/// A copy that was kept before the match went on has lost nothing as long as the rest is where it was recorded.
#[test]
fn an_older_copy_is_no_loss_while_the_ledger_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("match.ledger"), folder.path().join("copy.ledger"));
    let notes = folder.path().join("linecall").join("heads");
    let record = |path: &std::path::Path, author: Author| {
        let ledger = LedgerOptions { notes: Some(notes.clone()), ..LedgerOptions::default() };
        let desk = Desk::open(path, DeskOptions { ledger, ..options(Policy::Never) }).unwrap();
        match desk.state().match_info.is_some() {
            false => desk.new_match(event(super::COURT), Author::Program, None).unwrap(),
            true => desk.append(event(FRAME), author, None).unwrap(),
        };
        desk.revision()
    };
    record(&path, Author::Vision);
    std::fs::copy(&path, &copy).unwrap();
    let seq = record(&path, Author::Vision);
    let looked = |path: &std::path::Path| noted(&Ledger::read(path).unwrap(), &notes);
    assert!(matches!(looked(&copy), Noted::InAnotherFile(head) if head.seq == seq));
    let verified = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .arg("review")
        .arg(&copy)
        .arg("--verify")
        .env("XDG_DATA_HOME", folder.path())
        .output()
        .unwrap();
    assert_eq!(verified.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&verified.stdout).contains("a copy: "));
    // Recorded into by itself, it is a branch of its own; neither has lost anything.
    record(&copy, Author::Program);
    assert!(matches!(looked(&copy), Noted::InAnotherFile(_)));
    assert!(matches!(looked(&path), Noted::InAnotherFile(_)));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(looked(&copy), Noted::Behind(lost) if lost.len() == 1 && lost[0].seq == seq));
}
