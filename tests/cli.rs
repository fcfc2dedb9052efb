//! The command line as a user meets it: exit statuses, messages, output files.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use linecall::board::Board;

fn linecall(arguments: &[&str]) -> Output {
    // Whoever runs the tests may have boards of their own.
    let mut command = Command::new(env!("CARGO_BIN_EXE_linecall"));
    command.env("XDG_DATA_HOME", env!("CARGO_MANIFEST_DIR")).args(arguments).output().unwrap()
}

fn status(output: &Output) -> Option<i32> {
    output.status.code()
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn version_and_help_end_with_0() {
    let version = linecall(&["--version"]);
    assert_eq!(status(&version), Some(0));
    assert_eq!(words(&version.stdout).trim(), format!("linecall {}", env!("CARGO_PKG_VERSION")));
    let help = words(&linecall(&["--help"]).stdout);
    for command in ["score", "calibrate", "tally", "boards", "games", "simulate", "evaluate"] {
        assert!(help.contains(command), "{command} is not in the help");
        let own = linecall(&[command, "--help"]);
        assert_eq!(status(&own), Some(0), "{command} --help");
        assert!(words(&own.stdout).contains("Examples:"), "{command} --help has no examples");
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    for arguments in [
        &["fly"][..],
        &["boards", "--fly"],
        &["boards", "draw"],
        &["boards", "draw", "carrom-court"],
        &["boards", "draw", "carrom-court", "-o", "court.jpg"],
        &["boards", "--json", "draw", "carrom-court", "-o", "court.svg"],
    ] {
        let output = linecall(arguments);
        assert_eq!(status(&output), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn boards_are_listed_for_people_and_for_programs() {
    let table = linecall(&["boards"]);
    assert_eq!(status(&table), Some(0));
    let text = words(&table.stdout);
    assert_eq!(text.lines().count(), 7);
    assert!(text.contains("carrom-icf") && text.contains("740 x 740") && text.contains("1 queen"), "{text}");

    let json = words(&linecall(&["boards", "--json"]).stdout);
    let boards: Vec<serde_json::Value> = json.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(boards.len(), 6);
    assert_eq!(
        (&boards[5]["id"], &boards[5]["games"][0]),
        (&"table-shuffleboard".into(), &"long-board".into())
    );
    assert_eq!(boards[1]["id"], "carrom-long-board");
    assert_eq!(boards[1]["length_mm"], 1830.0);
    assert_eq!(boards[1]["areas"].as_array().unwrap().len(), 4, "three areas and hanging: {json}");
    assert_eq!(boards[3]["pieces"][2]["name"], "queen");
}

#[test]
fn every_board_is_drawn_as_svg_and_png() {
    let folder = tempfile::tempdir().unwrap();
    for id in Board::shipped().unwrap().into_iter().map(|board| board.id) {
        let svg = folder.path().join(format!("{id}.svg"));
        let output = linecall(&["boards", "draw", &id, "-o", svg.to_str().unwrap()]);
        assert_eq!(status(&output), Some(0), "{}", words(&output.stderr));
        assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg "));
        let png = folder.path().join(format!("{id}.png"));
        let arguments = ["boards", "draw", &id, "-o", png.to_str().unwrap(), "--scale", "0.5"];
        assert_eq!(status(&linecall(&arguments)), Some(0));
        let picture = image::open(&png).unwrap();
        assert!(picture.width() > 300 && picture.height() > 300);
    }
}

#[test]
fn a_file_of_ones_own_is_checked_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.toml");
    let court = include_str!("../calibration/boards/carrom-court.toml");
    std::fs::write(&file, court.replace("carrom-court", "club-court")).unwrap();
    let path = file.to_str().unwrap();
    let checked = linecall(&["boards", "check", path]);
    assert_eq!(status(&checked), Some(0), "{}", words(&checked.stderr));
    assert!(words(&checked.stdout).contains("20 lines, 12 areas, 8 pieces"), "{}", words(&checked.stdout));
    let svg = folder.path().join("club.svg");
    assert_eq!(status(&linecall(&["boards", "draw", path, "-o", svg.to_str().unwrap()])), Some(0));
    assert!(std::fs::read_to_string(svg).unwrap().contains("club-court"));
}

#[test]
fn failures_end_with_1_and_say_what_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.toml");
    let court = include_str!("../calibration/boards/carrom-court.toml");
    std::fs::write(&wrong, court.replacen("width_mm = 4.0", "width_mm = -4.0", 2)).unwrap();
    let wrong = wrong.to_str().unwrap();
    let svg = folder.path().join("court.svg");
    let nowhere = folder.path().join("none/court.png");
    let cases: [(&[&str], &str); 4] = [
        (&["boards", "draw", "none.toml", "-o", svg.to_str().unwrap()], "none.toml"),
        (&["boards", "draw", wrong, "-o", svg.to_str().unwrap()], "has 2 faults"),
        (&["boards", "check", wrong], "wrong.toml:25: line \"side-left\": width_mm is -4.0"),
        (&["boards", "draw", "carrom-court", "-o", nowhere.to_str().unwrap()], "cannot write"),
    ];
    for (arguments, says) in cases {
        let output = linecall(arguments);
        let message = words(&output.stderr);
        assert_eq!(status(&output), Some(1), "{arguments:?}: {message}");
        assert!(message.starts_with("linecall: ") && message.contains(says), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty() && !message.contains("panicked"), "{message}");
    }
    assert!(!Path::new(&svg).exists());
}

/// `linecall boards --json | head -1`
#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linecall"))
        .args(["boards", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait().unwrap();
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!((ended.code(), message.as_str()), (Some(0), ""));
}
