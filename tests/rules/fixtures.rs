//! Whole matches with their reviewed score sheets. `REGENERATE=1` rewrites the sheets; review them
//! by hand against the rules before they are kept.

use std::path::{Path, PathBuf};

use linecall::rules::{match_file, sheet};

pub fn matches() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/matches");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
    files.sort();
    files
}

#[test]
fn every_fixture_match_gives_its_reviewed_score_sheet() {
    let files = matches();
    assert!(files.len() >= 10, "two matches a game");
    for path in files {
        let record = match match_file::play(&std::fs::read(&path).unwrap(), None) {
            Ok(record) => record,
            Err(refused) => panic!("{} {refused}", path.display()),
        };
        let sheet_path = path.with_extension("sheet.txt");
        let found = sheet::text(&record);
        if std::env::var_os("REGENERATE").is_some() {
            std::fs::write(&sheet_path, &found).unwrap();
        }
        let reviewed = std::fs::read_to_string(&sheet_path).unwrap();
        assert_eq!(found, reviewed, "{}", path.display());
    }
}
