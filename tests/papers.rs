//! What the papers promise is so: README, docs and fixtures.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

use linecall::board::Board;

const README: &str = include_str!("../README.md");
const BOARDS: &str = include_str!("../docs/boards.md");
const GAMES: &str = include_str!("../docs/games.md");

/// Most words that the README may have: a newcomer reads the first five hundred.
const README_WORDS: usize = 1300;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The papers at the top and in `docs/`, with their text.
fn papers() -> Vec<(PathBuf, String)> {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "fixtures/README.md"];
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let mut paths: Vec<PathBuf> = top.iter().map(|name| root().join(name)).chain(docs).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// A paper's code block that begins with `opening`.
fn block<'a>(paper: &'a str, opening: &str) -> &'a str {
    let start = paper.find(opening).unwrap() + "```".len();
    let start = start + paper[start..].find('\n').unwrap() + 1;
    let end = start + paper[start..].find("```").unwrap();
    &paper[start..end]
}

/// The lines of a paper's plain code blocks.
fn commands(paper: &str) -> Vec<&str> {
    let blocks = paper.split("\n```\n").skip(1).step_by(2);
    blocks.flat_map(str::lines).map(|line| line.split("  #").next().unwrap_or(line).trim()).collect()
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn the_readme_is_short() {
    let words = README.split_whitespace().count();
    assert!(words <= README_WORDS, "{words} words");
}

/// All but `linecall` alone, which serves until it is stopped (the pages' tests begin with it), and make.
#[test]
fn the_commands_of_the_readme_run_as_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("fixtures"), folder.path().join("fixtures")).unwrap();
    let of_readme = commands(README);
    let run: Vec<&str> = of_readme.into_iter().filter(|line| line.starts_with("linecall ")).collect();
    assert!(run.len() >= 5, "{run:?}");
    for line in run {
        let output = Command::new(env!("CARGO_BIN_EXE_linecall"))
            .args(line.split_whitespace().skip(1))
            .current_dir(folder.path())
            .env("XDG_DATA_HOME", folder.path().join("data"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for made in ["pictures", "call.html", "club.toml", "club.drawing.jpg"] {
        assert!(folder.path().join(made).exists(), "{made}");
    }
}

/// Commands in tables and texts take files that a reader has; that they exist with these flags is checked by their help.
#[test]
fn every_command_that_the_papers_name_exists_with_its_flags() {
    let help = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_linecall")).args(words).arg("--help").output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    };
    let known: BTreeSet<String> = help(&[])
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|word| !word.starts_with('-'))
        .map(str::to_owned)
        .collect();
    let mut checked = 0;
    for (path, text) in papers() {
        let quoted = text.split('`').skip(1).step_by(2).filter(|code| code.starts_with("linecall "));
        for line in commands(&text).into_iter().filter(|line| line.starts_with("linecall ")).chain(quoted) {
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            let Some(&command) = words.first().filter(|word| known.contains(**word)) else {
                let is_placeholder =
                    words.iter().all(|word| word.chars().all(|c| c.is_uppercase() || "-…".contains(c)));
                let is_flag = words.first().is_some_and(|word| word.starts_with('-'));
                assert!(is_flag || is_placeholder || words[0] == "COMMAND", "{}: {line}", path.display());
                continue;
            };
            let below = words.get(1).filter(|_| command == "boards" || command == "games");
            let told = below.and_then(|sub| help(&[command, sub])).or_else(|| help(&[command]));
            let told = told.unwrap_or_else(|| panic!("{}: {line}: there is no such command", path.display()));
            for flag in words.iter().filter(|word| word.starts_with("--")) {
                let flag = flag.split('=').next().unwrap_or(flag).trim_end_matches([',', '.', ')']);
                assert!(told.contains(flag), "{}: {line}: {flag}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn every_link_of_the_papers_leads_somewhere() {
    let mut checked = 0;
    for (path, text) in papers() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) =
                link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            if let Some(heading) = heading {
                let text = std::fs::read_to_string(&target).unwrap();
                assert!(anchors(&text).contains(heading), "{}: {link}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn the_board_file_of_the_docs_is_right_and_its_faults_are_told_as_they_say() {
    let text = block(BOARDS, "```toml");
    let board = Board::parse(text, Path::new("club.toml")).unwrap();
    assert_eq!((board.id.as_str(), board.lines.len(), board.areas.len()), ("club-long-board", 4, 2));

    let faulty = text
        .replacen("width_mm = 4.0", "width_mm = -4.0", 1)
        .replace("colour = \"#b81f2a\"", "colour = \"red\"");
    let told = Board::parse(&faulty, Path::new("club.toml")).unwrap_err().to_string();
    assert_eq!(format!("linecall: {told}\n"), block(BOARDS, "```\nlinecall: board file club.toml has"));
}

#[test]
fn the_match_file_of_the_docs_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.jsonl");
    std::fs::write(&file, block(GAMES, "```json")).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_linecall")).arg("tally").arg(&file).arg("--json").output().unwrap();
    let state: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(state["scores"], serde_json::json!({"Ann": 18, "Bo": 7}));
}

#[test]
fn every_file_that_the_papers_name_is_there() {
    let mut named = 0;
    for (path, text) in papers().iter().filter(|(path, _)| !path.ends_with("CHANGELOG.md")) {
        let words = text.split(['(', ')', '`', ' ', '\n', '|', ',']).map(|word| word.trim_end_matches('.'));
        let files = words.filter(|word| {
            ["fixtures/", "calibration/", "src/", "tests/", ".ci/"].iter().any(|top| word.starts_with(top))
                && !word.contains(['*', '<', '{'])
        });
        for name in files {
            assert!(root().join(name).exists(), "{}: {name}", path.display());
            named += 1;
        }
    }
    assert!(named > 7, "{named}");
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
