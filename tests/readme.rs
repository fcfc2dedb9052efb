//! What the README and the fixtures promise is so.

use std::path::{Path, PathBuf};

use linecall::board::Board;

const README: &str = include_str!("../README.md");

/// The README's code block that begins with `opening`.
fn block(opening: &str) -> &'static str {
    let start = README.find(opening).unwrap() + "```".len();
    let start = start + README[start..].find('\n').unwrap() + 1;
    let end = start + README[start..].find("```").unwrap();
    &README[start..end]
}

#[test]
fn the_board_file_of_the_readme_is_right_and_its_faults_are_told_as_it_says() {
    let text = block("```toml");
    let board = Board::parse(text, Path::new("club.toml")).unwrap();
    assert_eq!((board.id.as_str(), board.lines.len(), board.areas.len()), ("club-long-board", 4, 2));

    let faulty = text
        .replacen("width_mm = 4.0", "width_mm = -4.0", 1)
        .replace("colour = \"#b81f2a\"", "colour = \"red\"");
    let told = Board::parse(&faulty, Path::new("club.toml")).unwrap_err().to_string();
    assert_eq!(format!("linecall: {told}\n"), block("```\nlinecall: board file club.toml has"));
}

#[test]
fn every_file_that_the_readme_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named: Vec<&str> = README
        .split(['(', ')', '`', ' ', '\n'])
        .filter(|word| word.starts_with("fixtures/") || word.starts_with("calibration/"))
        .chain(["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "src/draw/font/LICENSE"])
        .collect();
    assert!(named.len() > 7);
    for name in named {
        assert!(root.join(name).exists(), "{name}");
    }
}

#[test]
fn every_sample_photo_has_its_truth_and_its_calibration_photo() {
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos");
    let mut count = 0;
    for category in std::fs::read_dir(&photos).unwrap() {
        for file in std::fs::read_dir(category.unwrap().path()).unwrap() {
            let path: PathBuf = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "jpg") {
                continue;
            }
            count += 1;
            let truth = std::fs::read_to_string(path.with_extension("json")).unwrap();
            let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
            Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
            if let Some(calibration) = truth["calibration_image"].as_str() {
                assert!(photos.join(calibration).exists(), "{calibration} of {}", path.display());
            }
        }
    }
    assert!(count >= 20, "{count} photos");
}
