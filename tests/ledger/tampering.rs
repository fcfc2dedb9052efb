//! One changed byte in any event, view or frame is found.

use linecall::ledger::{Ledger, verify};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rusqlite::Connection;

use super::{recorded, recorded_photos};

/// What `verify` finds, or why the file cannot even be opened.
fn findings(path: &std::path::Path) -> Vec<String> {
    match Ledger::read(path).and_then(|ledger| verify(&ledger, None)) {
        Ok(found) => found.findings.into_iter().map(|f| format!("{}: {}", f.place, f.what)).collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// Changes a ledger by SQL as somebody would who knows SQLite: triggers off, change, triggers on.
fn change(path: &std::path::Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    let triggers: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (name, _) in &triggers {
        connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON").unwrap();
    connection.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
}

#[test]
fn an_untouched_ledger_is_whole() {
    let (_folder, path) = recorded(5);
    assert_eq!(findings(&path), Vec::<String>::new());
    let found = verify(&Ledger::read(&path).unwrap(), None).unwrap();
    // The setting, the match and five frames.
    assert_eq!((found.entries, found.views), (7, 3));
}

#[test]
fn nothing_can_be_edited_or_removed() {
    let (_folder, path) = recorded(3);
    let connection = Connection::open(&path).unwrap();
    for table in ["entries", "views", "files", "ledger", "head"] {
        let removed = connection.execute(&format!("DELETE FROM {table}"), []);
        assert!(removed.unwrap_err().to_string().contains("append-only"), "{table}");
        let column = if table == "ledger" || table == "head" { "one" } else { "hash" };
        let edited = connection.execute(&format!("UPDATE {table} SET {column} = {column}"), []);
        assert!(edited.unwrap_err().to_string().contains("append-only"), "{table}");
    }
    assert_eq!(findings(&path), Vec::<String>::new());
}

#[test]
fn a_change_of_any_column_is_found_and_named() {
    let (folder, path) = recorded(5);
    let cases = [
        ("UPDATE entries SET body = replace(body, '7-left', '8-left') WHERE seq = 4", "event 2 of match 1"),
        ("UPDATE entries SET author = 'referee Cx' WHERE seq = 4", "event 2 of match 1"),
        ("UPDATE entries SET at = replace(at, '2026', '2025') WHERE seq = 2", "event 0 of match 1"),
        ("UPDATE entries SET shown = replace(shown, '10', '11') WHERE seq = 3", "event 1 of match 1"),
        ("UPDATE entries SET shown = NULL WHERE seq = 3", "event 1 of match 1"),
        ("UPDATE entries SET number = 9 WHERE seq = 7", "event 9 of match 1"),
        ("UPDATE entries SET match = 2 WHERE seq = 7", "event 5 of match 2"),
        ("UPDATE entries SET kind = 'note', number = NULL WHERE seq = 7", "entry 7"),
        ("UPDATE entries SET view = 2 WHERE seq = 3", "event 1 of match 1"),
        ("UPDATE entries SET view = NULL WHERE seq = 3", "event 1 of match 1"),
        ("UPDATE entries SET refers = 1 WHERE seq = 4", "event 2 of match 1"),
        ("UPDATE entries SET hash = zeroblob(32) WHERE seq = 4", "event 2 of match 1"),
        ("UPDATE views SET report = replace(report, 'red', 'rad') WHERE id = 2", "view 2"),
        ("UPDATE views SET facts = replace(facts, 'frame 2', 'frame 3') WHERE id = 2", "view 2"),
        ("UPDATE views SET hash = zeroblob(32) WHERE id = 2", "view 2"),
        ("UPDATE files SET bytes = CAST(bytes || x'00' AS BLOB) WHERE id = 1", "frame or file"),
        ("UPDATE files SET hash = zeroblob(32) WHERE id = 1", "frame or file"),
        ("DELETE FROM files WHERE id = 1", "view 1"),
        ("DELETE FROM views WHERE id = 1", "its view is gone"),
        ("DELETE FROM entries WHERE seq = 4", "entries between were removed"),
        ("DELETE FROM entries WHERE seq = 7", "the last entry"),
        ("DELETE FROM entries", "the last entry"),
        (
            "UPDATE head SET seq = 6, hash = (SELECT hash FROM entries WHERE seq = 6); DELETE FROM entries WHERE seq = 5",
            "removed",
        ),
        ("UPDATE ledger SET program = 'linecall 9'", "the ledger's own facts"),
        ("UPDATE ledger SET made_at = '2020-01-01T00:00:00Z'", "the ledger's own facts"),
        (
            "UPDATE entries SET seq = 100 WHERE seq = 3; UPDATE entries SET seq = 3 WHERE seq = 4; UPDATE entries SET seq = 4 WHERE seq = 100",
            "match 1",
        ),
    ];
    for (number, (sql, named)) in cases.into_iter().enumerate() {
        let copy = folder.path().join(format!("{number}.ledger"));
        std::fs::copy(&path, &copy).unwrap();
        change(&copy, sql);
        let found = findings(&copy).join("\n");
        assert!(found.contains(named), "{sql}: found {found:?}");
    }
}

#[test]
fn a_ledger_without_its_guards_is_found() {
    let (_folder, path) = recorded(1);
    Connection::open(&path).unwrap().execute_batch("DROP TRIGGER entries_keep").unwrap();
    assert!(findings(&path).join("\n").contains("trigger entries_keep: is missing"));
}

#[test]
fn a_ledger_made_anew_does_not_have_the_noted_fingerprint() {
    let (_folder, path) = recorded(3);
    let (_other, other) = recorded(4);
    let ledger = Ledger::read(&path).unwrap();
    let noted = ledger.head().hash;
    assert!(verify(&ledger, Some(&noted)).unwrap().is_whole());
    // The other one begins with the same entries, so it has the hash on its way.
    assert!(verify(&Ledger::read(&other).unwrap(), Some(&noted)).unwrap().is_whole());
    let longer = Ledger::read(&other).unwrap().head().hash;
    let found = verify(&ledger, Some(&longer)).unwrap();
    assert!(found.findings[0].what.contains("is not in it"), "{found:?}");
}

/// Every column of every row that a ledger is made of.
fn content(path: &std::path::Path) -> Option<Vec<String>> {
    let connection = Connection::open(path).ok()?;
    let mut rows = Vec::new();
    for table in ["ledger", "head", "entries", "views", "files"] {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1")).ok()?;
        let columns = statement.column_count();
        let mut found = statement.query([]).ok()?;
        while let Some(row) = found.next().ok()? {
            let values: Vec<_> = (0..columns).map(|i| row.get_ref(i).map(|v| format!("{v:?}"))).collect();
            rows.push(values.into_iter().collect::<Result<Vec<_>, _>>().ok()?.join("|"));
        }
    }
    Some(rows)
}

/// Bytes flipped at random places of the file itself. A flip that goes unfound has changed nothing:
/// it hit a part of the file that holds no data.
#[test]
fn a_flipped_byte_of_the_file_is_found_or_changes_nothing() {
    let (folder, path) = recorded_photos();
    let whole = std::fs::read(&path).unwrap();
    let as_recorded = content(&path).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let mut found = 0;
    const FLIPS: usize = 120;
    for number in 0..FLIPS {
        let mut bytes = whole.clone();
        let at = dice.random_range(0..bytes.len());
        bytes[at] ^= dice.random_range(1..=255_u8);
        let copy = folder.path().join(format!("{number}.ledger"));
        std::fs::write(&copy, bytes).unwrap();
        match findings(&copy).is_empty() {
            false => found += 1,
            true => assert_eq!(content(&copy), Some(as_recorded.clone()), "byte {at} was changed unfound"),
        }
        std::fs::remove_file(&copy).unwrap();
    }
    assert!(found > FLIPS / 2, "only {found} of {FLIPS} flips hit data");
}
