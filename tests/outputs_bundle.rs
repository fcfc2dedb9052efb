//! A bundle for a report of a fault: what is in it, and who is not.

use std::{path::Path, process::Command};

use linecall::{
    desk::{Desk, Policy},
    ledger::Author,
};

use crate::{
    ledger::{COURT, FRAME, event, options, small_view},
    score::fixture,
};

/// Name and content of every file of a bundle.
fn content(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let name = file.name().unwrap().into_owned();
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
            (name, bytes)
        })
        .collect()
}

fn bundle(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_linecall")).arg("bundle").args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_ledgers_bundle_has_its_last_views_and_no_names() {
    let folder = tempfile::tempdir().unwrap();
    let (ledger, zip) = (folder.path().join("a.ledger"), folder.path().join("report.zip"));
    let desk = Desk::open(&ledger, options(Policy::Never)).unwrap();
    desk.new_match(event(COURT), Author::referee("Cyril"), None).unwrap();
    desk.append_with_view(event(FRAME), Author::Vision, small_view(1), None).unwrap();
    desk.undo(Some(1), "Cyril", Some("Ann moved it"), None).unwrap();
    drop(desk);
    let log = folder.path().join("live.log");
    std::fs::write(&log, "recorded; score Ann 10, Bo 7").unwrap();
    let names = [ledger.to_str().unwrap(), "-o", zip.to_str().unwrap(), "--log", log.to_str().unwrap()];
    bundle(&names);
    let files = content(&zip);
    assert_eq!(files[0].0, "linecall-bundle.json");
    let has = |start: &str| files.iter().any(|(name, _)| name.starts_with(start));
    for start in ["entries.txt", "view-1/report.json", "view-1/+0.000s", "board-", "options-", "log.txt"] {
        assert!(has(start), "{start} is not in {:?}", files.iter().map(|f| &f.0).collect::<Vec<_>>());
    }
    for (name, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        for person in ["Cyril", "\"Ann\"", "Ann ", "\"Bo\""] {
            assert!(!text.contains(person), "{person} is in {name}");
        }
    }
    // Asked for, they are in it; and a bundle takes the place of a bundle.
    bundle(&[&names[..], &["--names"]].concat());
    assert!(content(&zip).iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("Cyril")));
}

#[test]
fn a_photos_bundle_has_the_photo_and_what_came_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let zip = folder.path().join("report.zip");
    let photo = fixture("court-overhead/001.jpg");
    bundle(&[photo.to_str().unwrap(), "--board", "carrom-court", "-o", zip.to_str().unwrap()]);
    let files = content(&zip);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["linecall-bundle.json", "options.toml", "board.toml", "report.json", "photo.jpg"]);
    assert!(files[4].1 == std::fs::read(&photo).unwrap());
    // One that cannot be scored says why.
    let junk = folder.path().join("junk.jpg");
    std::fs::write(&junk, b"no photo").unwrap();
    let words = bundle(&[junk.to_str().unwrap(), "--board", "carrom-court", "-o", zip.to_str().unwrap()]);
    assert!(words.contains("is not a picture"), "{words}");
}
