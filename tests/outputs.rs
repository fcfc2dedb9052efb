//! What a command writes never costs what it reads, a ledger, or a file of another kind.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

use crate::score::fixture;

fn linecall(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A folder with a copy of everything that commands read.
struct Table {
    folder: TempDir,
    photo: PathBuf,
    board: PathBuf,
    scene: PathBuf,
    ledger: PathBuf,
}

impl Table {
    fn new() -> Table {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let (photo, board, scene) = (at("photo.jpg"), at("club.toml"), at("scene.json"));
        std::fs::copy(fixture("court-overhead/001.jpg"), &photo).unwrap();
        let court = include_str!("../calibration/boards/carrom-court.toml");
        std::fs::write(&board, court.replace("carrom-court", "club-court")).unwrap();
        std::fs::write(&scene, r#"{"board": "carrom-court"}"#).unwrap();
        let (_made, made) = crate::ledger::recorded(2);
        let ledger = at("match.ledger");
        std::fs::copy(made, &ledger).unwrap();
        Table { folder, photo, board, scene, ledger }
    }

    /// Runs a command that must be refused as wrong usage, and change no file.
    fn refused(&self, arguments: &[&str], says: &str) {
        let before = self.content();
        let output = linecall(arguments);
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {words}");
        assert!(words.contains(says), "{arguments:?}: {words}");
        assert!(self.content() == before, "{arguments:?} changed a file");
    }

    fn content(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
        let mut content: Vec<_> = files
            .filter(|file| file.is_file())
            .map(|file| (file.clone(), std::fs::read(file).unwrap()))
            .collect();
        content.sort();
        content
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

#[test]
fn outputs_never_land_on_inputs() {
    let table = Table::new();
    let (photo, board, scene) = (text(&table.photo), text(&table.board), text(&table.scene));
    let lost = "is read by the same command";
    let court = ["--board", "carrom-court"];
    let with = |first: &[&'static str], rest: &[&str]| -> Vec<String> {
        first.iter().copied().chain(rest.iter().copied()).map(str::to_owned).collect()
    };
    let fresh = table.at("fresh.toml");
    let cases = [
        with(&["calibrate"], &[photo, court[0], court[1], "-o", photo]),
        with(&["calibrate"], &[photo, "--board", board, "-o", board]),
        with(&["calibrate"], &[photo, court[0], court[1], "-o", text(&fresh), "--teach", photo]),
        with(&["calibrate"], &[photo, court[0], court[1], "-o", text(&fresh), "--annotate", photo]),
        with(&["review"], &[photo, court[0], court[1], "-o", photo]),
        with(&["review"], &[photo, "--board", board, "-o", board]),
        with(&["simulate"], &[scene, "-o", text(&table.at("scene.jpg"))]),
    ];
    for case in cases {
        let arguments: Vec<&str> = case.iter().map(String::as_str).collect();
        table.refused(&arguments, lost);
    }
    assert!(!fresh.exists());
    // Its ending says which drawing is wanted, so that a board file needs such a name to be hit.
    let odd = table.at("odd.svg");
    std::fs::copy(&table.board, &odd).unwrap();
    table.refused(&["boards", "draw", text(&odd), "-o", text(&odd)], lost);
}

#[test]
fn outputs_never_land_on_a_ledger() {
    let table = Table::new();
    let (photo, ledger) = (text(&table.photo), text(&table.ledger));
    table.refused(&["review", ledger, "1.1", "-o", ledger], "is read by the same command");
    let other = table.at("other.svg");
    std::fs::copy(&table.ledger, &other).unwrap();
    let fresh = table.at("fresh.toml");
    for arguments in [
        &["review", photo, "--board", "carrom-court", "-o", ledger][..],
        &["calibrate", photo, "--board", "carrom-court", "-o", ledger],
        &["calibrate", photo, "--board", "carrom-court", "-o", text(&fresh), "--teach", ledger],
        &["boards", "draw", "carrom-court", "-o", text(&other)],
    ] {
        table.refused(arguments, "is a ledger");
    }
    // An export named like its ledger, through a link too.
    for ending in ["jsonl", "csv", "html"] {
        let link = table.at(&format!("link.{ending}"));
        #[cfg(unix)]
        std::os::unix::fs::symlink(&table.ledger, &link).unwrap();
        table.refused(&["review", ledger, "--export", text(&link)], "is read by the same command");
    }
}

#[test]
fn a_file_of_another_kind_is_not_replaced() {
    let table = Table::new();
    let photo = text(&table.photo);
    let notes = table.at("notes.svg");
    std::fs::write(&notes, "what we ate").unwrap();
    let before = table.content();
    let club = text(&table.board);
    for (arguments, says) in [
        (&["boards", "draw", "carrom-court", "-o", text(&notes)][..], "is not a drawing (SVG)"),
        (&["review", photo, "--board", "carrom-court", "-o", club], "is not a page (HTML)"),
        (&["calibrate", photo, "--board", "carrom-court", "-o", club], "is not a camera file"),
        (&["review", text(&table.ledger), "--export", text(&table.at("match.jsonl"))], ""),
    ] {
        let output = linecall(arguments);
        let words = String::from_utf8_lossy(&output.stderr);
        match says {
            "" => assert_eq!(output.status.code(), Some(0), "{words}"),
            says => {
                assert_eq!(output.status.code(), Some(1), "{arguments:?}: {words}");
                assert!(words.contains(says), "{words}");
            }
        }
    }
    std::fs::remove_file(table.at("match.jsonl")).unwrap();
    assert!(table.content() == before);
    // The same again of its own kind.
    let drawing = table.at("court.svg");
    for _ in 0..2 {
        assert_eq!(
            linecall(&["boards", "draw", "carrom-court", "-o", text(&drawing)]).status.code(),
            Some(0)
        );
    }
}

#[test]
fn two_outputs_of_one_name_are_refused() {
    let table = Table::new();
    let file = table.at("both.toml");
    let spelt = table.at("./both.toml");
    table.refused(
        &[
            "calibrate",
            text(&table.photo),
            "--board",
            "carrom-court",
            "-o",
            text(&file),
            "--teach",
            text(&spelt),
        ],
        "two files would be written",
    );
}

/// A disk that is full: the file that was there is still there, whole.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("court.png");
    let draw = |limit: &str| {
        Command::new("bash")
            .args(["-c", &format!("trap '' XFSZ; {limit} exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_linecall"))
            .args(["boards", "draw", "carrom-court", "-o", text(&path)])
            .output()
            .unwrap()
    };
    assert_eq!(draw("").status.code(), Some(0));
    let whole = std::fs::read(&path).unwrap();
    assert!(whole.len() > 8192);
    let output = draw("ulimit -f 4;");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    assert!(std::fs::read(&path).unwrap() == whole);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left lying about");
}
