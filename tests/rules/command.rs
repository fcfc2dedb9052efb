//! The commands `tally` and `games` as a person or a program runs them.

use std::process::{Command, Output};

use serde_json::{Value, json};

use super::Game;

fn linecall(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

fn tally(game: &Game, more: &[&str]) -> (Output, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    std::fs::write(&path, game.text()).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (linecall(&[&["tally", path.as_str()], more].concat()), path)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn tally_prints_the_contracts_json_in_one_line() {
    let game = Game::singles("court", json!({"play": "singles", "target": 75}))
        .frame(&["10", "8-left"], &["7-left"]);
    let (output, _) = tally(&game, &["--json"]);
    assert!(output.status.success());
    let stdout = text(&output.stdout);
    assert_eq!(stdout.lines().count(), 1);
    let state: Value = serde_json::from_str(&stdout).unwrap();
    for (key, value) in [
        ("game", json!("court")),
        ("status", json!("playing")),
        ("winner", json!(null)),
        ("scores", json!({"Ann": 18, "Bo": 7})),
        ("games", json!({"Ann": 0, "Bo": 0})),
        ("to_play", json!("Bo")),
        ("on_board", json!(null)),
        ("queen", json!(null)),
        ("owed", json!(null)),
    ] {
        assert_eq!(state[key], value, "{key}");
    }
    assert_eq!(state["frames"][0]["scores"], json!({"Ann": 18, "Bo": 7}));
    assert_eq!(state["frames"][0]["cites"], json!(["C6"]));
}

#[test]
fn a_refused_line_is_named_and_what_stood_before_is_shown() {
    let game = Game::singles("court", json!({})).frame(&["10"], &[]).frame(&["11"], &[]);
    let (output, path) = tally(&game, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let words = text(&output.stderr);
    assert!(words.starts_with(&format!("linecall: {path} line 3: ")), "{words}");
    assert!(words.contains("\"11\"") && words.contains("8-left"), "{words}");
    let state: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(state["scores"], json!({"Ann": 10, "Bo": 0}));
}

#[test]
fn an_unreadable_file_and_wrong_usage_have_their_own_exit_status() {
    let missing = linecall(&["tally", "no-such-file.jsonl"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("no-such-file.jsonl"));
    assert_eq!(linecall(&["tally"]).status.code(), Some(2));
    assert_eq!(linecall(&["tally", "a", "--json", "--csv"]).status.code(), Some(2));
}

#[test]
fn tally_as_csv_quotes_what_must_be_quoted() {
    let mut game = Game::singles("court", json!({}));
    game.lines[0]["sides"][0]["name"] = json!("Ann, \"the arm\"");
    let (output, _) = tally(&game.frame(&["10"], &[]), &["--csv"]);
    let stdout = text(&output.stdout);
    assert!(stdout.starts_with("line,event,game,by,\"Ann, \"\"the arm\"\"\",Bo,"), "{stdout}");
    assert!(stdout.contains("\n2,frame,1,\"Ann, \"\"the arm\"\"\",10,0,10,0,1.0000,C6,\n"), "{stdout}");
}

#[test]
fn games_lists_every_game_with_its_options_and_explains_every_rule() {
    let list = text(&linecall(&["games"]).stdout);
    for (game, letter, rules) in [
        ("court", 'C', 9),
        ("long-board", 'L', 7),
        ("association", 'N', 7),
        ("kagw", 'K', 14),
        ("ludington", 'U', 11),
    ] {
        assert!(list.contains(&format!("{game}: ")), "{list}");
        let shown = text(&linecall(&["games", "show", game]).stdout);
        for number in 1..=rules {
            assert!(shown.contains(&format!("\n{letter}{number} ")), "{letter}{number} in {shown}");
        }
    }
    let unknown = linecall(&["games", "show", "darts"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("kagw"));
}
