//! Files that are no ledgers, newer ones, cut ones; and getting out what is whole.

use linecall::{
    desk::record_of,
    ledger::{Ledger, LedgerError, LedgerOptions, Salvage, salvage, verify},
    rules::Record,
};

use super::{now, recorded};

fn record(path: &std::path::Path) -> Result<Ledger, LedgerError> {
    Ledger::record_into(path, now(), LedgerOptions::default())
}

#[test]
fn what_is_no_ledger_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let other_database = {
        let path = folder.path().join("other.db");
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
        drop(connection);
        std::fs::read(path).unwrap()
    };
    let jpeg = include_bytes!("../../fixtures/photos/court-overhead/001.jpg").to_vec();
    for content in [b"hello".to_vec(), vec![0; 4096], other_database, jpeg] {
        std::fs::write(&path, &content).unwrap();
        for opened in [Ledger::read(&path), record(&path)] {
            let error = opened.unwrap_err();
            assert!(matches!(error, LedgerError::Foreign { .. }), "{error}");
            assert!(error.to_string().contains("is not a ledger of linecall"), "{error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), content);
    }
    assert!(matches!(Ledger::read(folder.path()), Err(LedgerError::Folder { .. })));
    assert!(matches!(record(folder.path()), Err(LedgerError::Folder { .. })));
    let missing = folder.path().join("none");
    assert!(matches!(Ledger::read(&missing), Err(LedgerError::Missing { .. })));
    assert!(!missing.exists());
    let nowhere = record(&folder.path().join("none/a.ledger")).unwrap_err().to_string();
    assert!(nowhere.contains("its folder does not exist"), "{nowhere}");
}

#[test]
fn an_empty_file_becomes_a_ledger() {
    // What a crash in the very first moment leaves behind.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    std::fs::write(&path, b"").unwrap();
    drop(record(&path).unwrap());
    assert!(verify(&Ledger::read(&path).unwrap(), None).unwrap().is_whole());
}

#[test]
fn a_newer_ledger_is_refused_unchanged() {
    let (_folder, path) = recorded(1);
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = std::fs::read(&path).unwrap();
    for opened in [Ledger::read(&path), record(&path)] {
        let words = opened.unwrap_err().to_string();
        assert!(words.contains("made by a newer linecall (its schema is 99"), "{words}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

/// Plays what is salvaged, as the command does.
fn salvaged(from: &std::path::Path, to: &std::path::Path) -> Result<Salvage, LedgerError> {
    let mut record: Option<Record> = None;
    salvage(from, to, now(), |entry, _| {
        let Some((number, event)) = entry.event() else { return Ok(()) };
        match &mut record {
            Some(record) => record.push(number, event.clone()).map_err(|refusal| refusal.to_string()),
            None => {
                record = Some(Record::open(number, event.clone(), None).map_err(|r| r.to_string())?);
                Ok(())
            }
        }
    })
}

#[test]
fn a_whole_ledger_is_salvaged_whole() {
    let (folder, path) = recorded(5);
    let out = folder.path().join("out.ledger");
    let result = salvaged(&path, &out).unwrap();
    assert_eq!((result.entries, result.views, result.lost.len()), (7, 3, 0));
    let (old, new) = (Ledger::read(&path).unwrap(), Ledger::read(&out).unwrap());
    assert!(verify(&new, None).unwrap().is_whole());
    assert!(new.made().unwrap().2.contains("salvaged from"));
    let (old_entries, new_entries) = (old.entries().unwrap(), new.entries().unwrap());
    for (old_entry, new_entry) in old_entries.iter().zip(&new_entries) {
        assert_eq!((&old_entry.content, &old_entry.shown), (&new_entry.content, &new_entry.shown));
        let frame = |ledger: &Ledger, view: Option<i64>| {
            let hash = ledger.view(view?).unwrap().facts.settled()?.hash?;
            Some(ledger.file(&hash).unwrap())
        };
        assert_eq!(frame(&old, old_entry.view), frame(&new, new_entry.view));
    }
    let again = salvaged(&path, &out).unwrap_err().to_string();
    assert!(again.contains("exists already"), "{again}");
}

/// A ledger cut off at any size is refused in words or found changed, and what is whole comes out.
#[test]
fn a_cut_ledger_is_noticed_and_salvaged() {
    let (folder, path) = recorded(9);
    let whole = std::fs::read(&path).unwrap();
    let (cut, out) = (folder.path().join("cut.ledger"), folder.path().join("out.ledger"));
    let mut most = 0;
    for tenths in 1..10 {
        std::fs::write(&cut, &whole[..whole.len() * tenths / 10]).unwrap();
        let noticed = match Ledger::read(&cut).and_then(|ledger| verify(&ledger, None)) {
            Ok(found) => !found.is_whole(),
            Err(error) => error.to_string().contains("damaged"),
        };
        assert!(noticed, "cut to {tenths} tenths");
        if let Ok(result) = salvaged(&cut, &out) {
            let ledger = Ledger::read(&out).unwrap();
            assert!(verify(&ledger, None).unwrap().is_whole());
            assert_eq!(ledger.head().seq, result.entries);
            most = most.max(result.entries);
            let _ = std::fs::remove_file(&out);
        }
    }
    assert!(most > 3, "at most {most} entries came out");
}

#[test]
fn a_ledger_without_its_first_page_is_salvaged() {
    let (folder, path) = recorded(9);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[..4096].fill(0);
    std::fs::write(&path, bytes).unwrap();
    assert!(Ledger::read(&path).is_err());
    let out = folder.path().join("out.ledger");
    let result = salvaged(&path, &out).unwrap();
    assert_eq!((result.entries, result.views, result.lost.len()), (11, 5, 0), "{:?}", result.lost);
    assert!(verify(&Ledger::read(&out).unwrap(), None).unwrap().is_whole());
    let mut files: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["match.ledger", "out.ledger"], "nothing is left lying about");
    // What never was a ledger does not become one.
    let photo = include_bytes!("../../fixtures/photos/court-overhead/001.jpg");
    std::fs::write(&path, photo).unwrap();
    let none = folder.path().join("none.ledger");
    assert!(matches!(salvaged(&path, &none), Err(LedgerError::Foreign { .. })));
    assert!(!none.exists());
}

#[test]
fn a_changed_event_is_lost_and_what_builds_on_it_becomes_a_note() {
    let (folder, path) = recorded(0);
    {
        let desk = linecall::desk::Desk::open(&path, super::options(Default::default())).unwrap();
        let append =
            |json: &str| desk.append(super::event(json), super::Author::referee("Cy"), None).unwrap();
        append(super::FRAME);
        append(super::FRAME);
        desk.undo(Some(1), "Cy", None, None).unwrap();
    }
    let connection = rusqlite::Connection::open(&path).unwrap();
    let change = "DROP TRIGGER entries_keep; UPDATE entries SET author = 'referee X' WHERE number = 1";
    connection.execute_batch(change).unwrap();
    drop(connection);
    let out = folder.path().join("out.ledger");
    let result = salvaged(&path, &out).unwrap();
    let lost: Vec<String> = result.lost.iter().map(|f| format!("{}: {}", f.place, f.what)).collect();
    assert!(lost[0].contains("event 1 of match 1 (entry 3): it was changed"), "{lost:?}");
    assert!(lost[1].contains("event 3 of match 1") && lost[1].contains("kept as a note"), "{lost:?}");
    let ledger = Ledger::read(&out).unwrap();
    let record = record_of(&ledger, &ledger.entries().unwrap(), 1).unwrap();
    assert_eq!(record.events().iter().map(|e| e.number).collect::<Vec<_>>(), [0, 2]);
    // The number of the lost one is a blank line in the match file.
    let text = linecall::desk::match_file(&record).unwrap();
    assert_eq!(text.lines().nth(1), Some(""));
    assert!(linecall::rules::match_file::play(text.as_bytes(), None).is_ok());
}

/// The number of the last entry was damaged: every place up to it was looked at, until memory was gone.
#[test]
fn a_ledger_that_claims_entries_without_end_is_salvaged() {
    let (folder, path) = recorded(4);
    let whole = Ledger::read(&path).unwrap().entries().unwrap().len();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("UPDATE head SET seq = 1 << 40").unwrap();
    drop(connection);
    let found = salvaged(&path, &folder.path().join("new.ledger")).unwrap();
    assert_eq!((found.entries as usize, found.lost.len()), (whole, 0));
}
