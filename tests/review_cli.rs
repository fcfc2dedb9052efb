//! `linecall score --match` and `linecall review LEDGER` as a user meets them.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::score::fixture;

fn linecall<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A copy of a ledger of two court photos, made once by the program.
fn ledger() -> (TempDir, PathBuf) {
    static MADE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, made) = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.ledger");
        let photos = [fixture("court-close-calls/001.jpg"), fixture("court-overhead/001.jpg")];
        let output = linecall([
            "score",
            photos[0].to_str().unwrap(),
            photos[1].to_str().unwrap(),
            "--board",
            "carrom-court",
            "--json",
            "--match",
            path.to_str().unwrap(),
            "--sides",
            "Ann,Bo",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", error(&output));
        assert_eq!(out(&output).lines().count(), 2);
        assert!(error(&output).contains("recorded as event 2"), "{}", error(&output));
        (folder, path)
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.ledger");
    std::fs::copy(made, &path).unwrap();
    (folder, path)
}

/// Reviews a ledger on a computer of its own: copies of one ledger in other tests are not noted there.
fn review(path: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall"))
        .arg("review")
        .arg(path)
        .args(arguments)
        .env("XDG_DATA_HOME", path.parent().unwrap())
        .output()
        .unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    assert_eq!(output.status.code(), Some(0), "{}", error(output));
    out(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn calls_are_listed_close_ones_first_and_filtered() {
    let (_folder, path) = ledger();
    let all = lines(&review(&path, &["--all", "--json"]));
    assert!(all.len() > 8);
    let close: Vec<bool> = all.iter().map(|call| call["close"].as_bool().unwrap()).collect();
    assert!(close.is_sorted_by(|a, b| a >= b), "close ones come first: {close:?}");
    for call in &all {
        let id = call["id"].as_str().unwrap();
        assert_eq!(id, format!("{}.{}", call["event"], call["piece"]));
    }
    let usual = lines(&review(&path, &["--json"]));
    assert_eq!(usual.len(), close.iter().filter(|close| **close).count());
    let touching = lines(&review(&path, &["--call", "touching", "--json"]));
    assert!(touching.iter().all(|call| call["contact"]["call"] == "touching"));
    let ann = lines(&review(&path, &["--side", "Ann", "--event", "2", "--json"]));
    assert!(!ann.is_empty() && ann.iter().all(|call| call["colour"] == "red" && call["event"] == 2));
    let csv = out(&review(&path, &["--all", "--csv"]));
    assert_eq!(csv.lines().count(), all.len() + 1);
    let table = out(&review(&path, &["--all"]));
    assert!(table.starts_with("call") && table.contains("cross-"), "{table}");
}

#[test]
fn a_verdict_on_the_command_line_moves_the_score() {
    let (_folder, path) = ledger();
    let all = lines(&review(&path, &["--all", "--json"]));
    let scoring = all.iter().find(|call| call["points"].as_i64().is_some_and(|points| points > 0)).unwrap();
    let id = scoring["id"].as_str().unwrap();
    let ruled = review(&path, &[id, "--verdict", "overruled", "--by", "Cy", "--why", "it touches"]);
    assert_eq!(ruled.status.code(), Some(0), "{}", error(&ruled));
    assert!(out(&ruled).contains("carried out by event 3"), "{}", out(&ruled));
    let shown = out(&review(&path, &[id]));
    assert!(shown.contains("overruled by Cy") && shown.contains("it touches"), "{shown}");
    assert!(out(&review(&path, &[])).contains("overruled by Cy"));
    let history = out(&review(&path, &["--history"]));
    assert!(history.contains(&format!("rules on call {id}: overruled, by event 3: it touches")), "{history}");
    let nameless = review(&path, &[id, "--verdict", "upheld"]);
    assert_eq!(nameless.status.code(), Some(2));
    let nothing = review(&path, &["9.9"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(error(&nothing).contains("there is no call 9.9"), "{}", error(&nothing));
}

#[test]
fn proof_is_given_and_changes_are_named() {
    let (_folder, path) = ledger();
    let whole = review(&path, &["--verify"]);
    assert_eq!(whole.status.code(), Some(0), "{}", error(&whole));
    let fingerprint = out(&whole).lines().nth(1).unwrap().strip_prefix("fingerprint ").unwrap().to_owned();
    assert_eq!(review(&path, &["--verify", "--head", &fingerprint]).status.code(), Some(0));
    let other = review(&path, &["--verify", "--head", &"0".repeat(64)]);
    assert_eq!(other.status.code(), Some(1));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "DROP TRIGGER files_keep; UPDATE files SET bytes = CAST(substr(bytes, 1, 999) || x'07' || substr(bytes, 1001) AS BLOB) \
             WHERE id = 1; CREATE TRIGGER files_keep BEFORE UPDATE ON files BEGIN SELECT \
             raise(ABORT, 'a ledger is append-only'); END;",
        )
        .unwrap();
    drop(connection);
    let changed = review(&path, &["--verify", "--json"]);
    assert_eq!(changed.status.code(), Some(1));
    let found: Value = serde_json::from_str(&out(&changed)).unwrap();
    let places: Vec<&str> =
        found["findings"].as_array().unwrap().iter().map(|f| f["where"].as_str().unwrap()).collect();
    assert!(places.iter().any(|place| place.starts_with("frame or file")), "{places:?}");
    assert!(places.contains(&"view 1"), "{places:?}");
    // A changed frame is not scored again as if nothing were.
    let rerun = review(&path, &["--rerun", "--event", "1"]);
    assert_eq!(rerun.status.code(), Some(1));
    assert!(out(&rerun).contains("was changed"), "{}", out(&rerun));
}

#[test]
fn the_same_program_gives_the_same_calls_again() {
    let (_folder, path) = ledger();
    let again = review(&path, &["--rerun"]);
    assert_eq!(again.status.code(), Some(0), "{}{}", out(&again), error(&again));
    assert!(out(&again).contains("2 views scored again: 0 differ"), "{}", out(&again));
    assert!(out(&again).contains("none moved by more than 0.000 mm"), "{}", out(&again));
}

#[test]
fn a_corrected_board_file_shows_its_difference_call_by_call() {
    let (folder, path) = ledger();
    let board = include_str!("../calibration/boards/carrom-court.toml");
    let corrected = folder.path().join("court.toml");
    std::fs::write(&corrected, board.replace("value = 7\n", "value = 6\n")).unwrap();
    let before = std::fs::read(&path).unwrap();
    let again = review(&path, &["--rerun", "--board", corrected.to_str().unwrap(), "--json"]);
    assert_eq!(again.status.code(), Some(1), "{}", out(&again));
    let views: Vec<Value> = out(&again).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let changed = views
        .iter()
        .flat_map(|view| view["calls"].as_array().unwrap())
        .filter(|call| call["differs"] == true);
    let points: Vec<(i64, i64)> = changed
        .map(|call| (call["then"]["points"].as_i64().unwrap(), call["now"]["points"].as_i64().unwrap()))
        .collect();
    assert!(!points.is_empty() && points.iter().all(|(then, now)| (*then, *now) == (7, 6)), "{points:?}");
    assert!(error(&again).contains("have other calls than were recorded"), "{}", error(&again));
    assert_eq!(std::fs::read(&path).unwrap(), before, "a re-analysis changes nothing");
}

#[test]
fn a_match_is_exported_and_read_back_to_the_same_score() {
    let (folder, path) = ledger();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["match.jsonl", "match.csv", "sheet.html"] {
        let exported = review(&path, &["--export", &file(name)]);
        assert_eq!(exported.status.code(), Some(0), "{}", error(&exported));
    }
    let tally: Value =
        serde_json::from_str(&out(&linecall(["tally", &file("match.jsonl"), "--json"]))).unwrap();
    let history = lines(&review(&path, &["--history", "--json"]));
    assert_eq!(tally["scores"], history.last().unwrap()["shown"]["scores"]);
    assert!(std::fs::read_to_string(file("match.csv")).unwrap().starts_with("line,event,game,by,Ann,Bo"));
    let sheet = std::fs::read_to_string(file("sheet.html")).unwrap();
    assert!(sheet.contains("<h2>Ann</h2>") && !sheet.contains("http"), "self-contained");
    let head = out(&review(&path, &["--verify"])).lines().nth(1).unwrap().to_owned();
    assert!(sheet.contains(head.strip_prefix("fingerprint ").unwrap()));
    let wrong = review(&path, &["--export", &file("match.pdf")]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(error(&wrong).contains(".jsonl (match file)"), "{}", error(&wrong));
}

#[test]
fn a_call_of_a_ledger_has_its_page() {
    let (folder, path) = ledger();
    let first = lines(&review(&path, &["--all", "--json"])).remove(0);
    let id = first["id"].as_str().unwrap();
    assert_eq!(
        review(&path, &[id, "--verdict", "upheld", "--by", "Cy", "--why", "seen"]).status.code(),
        Some(0)
    );
    let page = folder.path().join("call.html");
    let written = review(&path, &[id, "-o", page.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0), "{}", error(&written));
    let html = std::fs::read_to_string(&page).unwrap();
    let gap = first["contact"]["gap_mm"].as_f64().unwrap();
    for words in ["Ann", "Cy", "seen", &format!("{:.2}", gap.abs())] {
        assert!(html.contains(words), "{words}");
    }
    let nameless = review(&path, &["-o", page.to_str().unwrap()]);
    assert_eq!(nameless.status.code(), Some(2));
    assert!(error(&nameless).contains("a page is about one call"), "{}", error(&nameless));
}

#[test]
fn what_is_whole_is_salvaged_by_the_command() {
    let (folder, path) = ledger();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - bytes.len() / 4]).unwrap();
    let listed = review(&path, &[]);
    assert_eq!(listed.status.code(), Some(1));
    assert!(error(&listed).contains("--salvage"), "{}", error(&listed));
    let new = folder.path().join("new.ledger");
    let salvaged = review(&path, &["--salvage", new.to_str().unwrap()]);
    assert_eq!(salvaged.status.code(), Some(0), "{}", error(&salvaged));
    assert!(out(&salvaged).contains("are whole"), "{}", out(&salvaged));
    assert_eq!(review(&new, &["--verify"]).status.code(), Some(0));
}

#[test]
fn after_a_photo_that_fails_none_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let no_photo = folder.path().join("no.jpg");
    std::fs::write(&no_photo, "text").unwrap();
    let photo = fixture("court-overhead/001.jpg");
    let photo = photo.to_str().unwrap();
    let photos = [photo, no_photo.to_str().unwrap(), photo];
    let output = linecall(["score"].iter().chain(&photos).chain(&[
        "--board",
        "carrom-court",
        "--match",
        path.to_str().unwrap(),
    ]));
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("frames count in their order"), "{}", error(&output));
    let history = lines(&review(&path, &["--history", "--json"]));
    assert_eq!(history.last().unwrap()["event"], 1);
}

#[test]
fn what_cannot_be_recorded_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let photo = fixture("carrom-overhead/001.jpg");
    let output = linecall([
        "score",
        photo.to_str().unwrap(),
        "--board",
        "carrom-icf",
        "--match",
        path.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("enter the strikes"), "{}", error(&output));
    assert!(!path.exists());
    for (file, says) in [("none.ledger", "there is no ledger"), (".", "is a folder")] {
        let output = linecall(["review", folder.path().join(file).to_str().unwrap(), "--history"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(error(&output).contains(says), "{}", error(&output));
    }
}
