//! Overrule and undo at any depth.

use linecall::rules::{match_file, report};
use serde_json::{Value, json};

use super::{Game, expect, expect_scores};

fn court() -> Game {
    Game::singles("court", json!({"target": 50})).frame(&["10"], &["7-left"]).frame(&["8-left"], &[])
}

fn overrule(event: usize, with: Value) -> Value {
    json!({"type": "overrule", "event": event, "with": with, "by": "the referee", "why": "seen from above"})
}

fn undo(event: usize) -> Value {
    json!({"type": "undo", "event": event})
}

fn nothing(game: &Game) -> Value {
    game.frame_event(&[], &[])
}

#[test]
fn an_overrule_replaces_an_earlier_event_and_what_follows_is_played_again() {
    let game = court();
    expect_scores(&game.state(), 18, 7);
    let ten_off = game.frame_event(&["10-off"], &["7-left"]);
    let state = game.then(overrule(1, ten_off)).state();
    expect_scores(&state, -2, 7);
    assert_eq!(state["frames"].as_array().unwrap().len(), 2);
}

#[test]
fn an_undo_takes_an_event_away_and_undoing_it_brings_it_back() {
    let game = court().then(undo(1));
    expect_scores(&game.state(), 8, 0);
    let back = game.then(undo(3));
    expect_scores(&back.state(), 18, 7);
    let away = back.then(undo(4));
    expect_scores(&away.state(), 8, 0);
}

#[test]
fn undoing_an_overrule_restores_what_stood_before_it() {
    let game = court();
    let (one, two) = (game.frame_event(&["7-left"], &[]), game.frame_event(&["10-off"], &[]));
    let twice = game.then(overrule(1, one)).then(overrule(1, two));
    expect_scores(&twice.state(), -2, 0);
    let first = twice.clone().then(undo(4));
    expect_scores(&first.state(), 15, 0);
    expect_scores(&first.then(undo(3)).state(), 18, 7);
    // The earlier of two overrules goes; the later one still counts.
    expect_scores(&twice.then(undo(3)).state(), -2, 0);
}

#[test]
fn an_undone_event_cannot_be_corrected_again() {
    let game = court().then(undo(1));
    game.clone().then(undo(1)).refused(&["event 1", "undone"]);
    game.clone().then(overrule(1, nothing(&game))).refused(&["event 1", "undone"]);
    let restored = game.then(undo(3));
    let zero = nothing(&restored);
    expect_scores(&restored.then(overrule(1, zero)).state(), 8, 0);
}

#[test]
fn the_match_itself_can_be_overruled_but_not_undone() {
    let mut header = court().lines[0].clone();
    header["sides"][0]["colour"] = json!("blue");
    header["sides"][1]["colour"] = json!("red");
    expect_scores(&court().then(overrule(0, header)).state(), 7, 18);
    court().then(undo(0)).refused(&["event 0"]);
    court().then(overrule(0, nothing(&court()))).refused(&["cannot take its place"]);
    court().then(overrule(1, court().lines[0].clone())).refused(&["cannot take its place"]);
    let mut wrong = court().lines[0].clone();
    wrong["options"]["target"] = json!(60);
    court().then(overrule(0, wrong)).refused(&["target", "60", "50, 75 or 100"]);
}

#[test]
fn a_correction_may_itself_be_overruled_by_another_correction() {
    let game = court().then(undo(1));
    let instead = overrule(1, game.frame_event(&["7-left"], &["7-left"]));
    let state = game.clone().then(overrule(3, instead.clone())).state();
    expect_scores(&state, 15, 7);
    expect_scores(&game.clone().then(overrule(3, undo(2))).state(), 10, 7);
    game.clone().then(overrule(3, nothing(&game))).refused(&["cannot take its place"]);
    game.clone().then(overrule(1, instead)).refused(&["undone"]);
    game.then(overrule(3, undo(3))).refused(&["event 3"]);
}

#[test]
fn only_earlier_events_can_be_corrected() {
    court().then(undo(3)).refused(&["event 3"]);
    court().then(undo(99)).refused(&["event 99"]);
    court().then(overrule(7, nothing(&court()))).refused(&["event 7"]);
}

#[test]
fn a_correction_that_makes_a_later_event_impossible_is_refused_and_names_it() {
    let game = Game::singles("kagw", json!({})).strike(&["white"; 8]).miss().strike(&["black"; 8]);
    let nine = json!({"type": "strike", "pocketed": vec!["black"; 9]});
    // With nine blacks gone in Ann's strike, Bo could not have pocketed eight.
    let refused = game.clone().then(overrule(1, nine));
    refused.refused(&["event 3", "line 4", "black"]);
    // Nothing is lost.
    let before = match_file::play(refused.text().as_bytes(), None).unwrap_err().before.unwrap();
    assert_eq!(report::json(&before), game.state());
}

#[test]
fn corrections_reach_across_a_finished_game() {
    let four = ["10", "10", "10", "10"];
    let game = Game::singles("court", json!({"target": 50}))
        .frame(&four, &[])
        .frame(&["10"], &[])
        .frame(&["7-left"], &["8-left"]);
    expect_scores(&game.state(), 7, 8);
    expect(&game.state(), "games", json!({"Ann": 1, "Bo": 0}));
    // One ten fewer: the game was not won, and the third frame belongs to it.
    let eight = game.frame_event(&["8-left"], &[]);
    let state = game.clone().then(overrule(2, eight)).state();
    expect_scores(&state, 55, 8);
    expect(&state, "games", json!({"Ann": 1, "Bo": 0}));
    let undone = game.then(undo(2)).state();
    expect_scores(&undone, 47, 8);
    expect(&undone, "games", json!({"Ann": 0, "Bo": 0}));
}

#[test]
fn corrections_reach_across_a_won_match() {
    let four = ["10", "10", "10", "10"];
    let won = Game::singles("association", json!({"target": 50})).frame(&four, &[]).frame(&["10"], &[]);
    expect(&won.state(), "status", json!("won"));
    let reopened = won.then(undo(2));
    expect(&reopened.state(), "status", json!("playing"));
    let again = reopened.frame(&["8-left"], &[]);
    expect_scores(&again.state(), 48, 0);
    // Bringing the winning frame back would leave a frame after the end of the match.
    again.then(undo(3)).refused(&["event 4", "won by Ann"]);
}

#[test]
fn events_are_numbered_by_their_lines_with_blank_ones_counted() {
    let game = court();
    let text = format!("{}\n\n{}\n  \n{}\n{}\n", game.lines[0], game.lines[1], game.lines[2], undo(2));
    let state = report::json(&match_file::play(text.as_bytes(), None).unwrap());
    expect_scores(&state, 8, 0);
    let blank = format!("{text}{}\n", undo(1));
    let refused = match_file::play(blank.as_bytes(), None).unwrap_err();
    assert_eq!(refused.line, 7);
    assert!(refused.to_string().contains("blank"), "{refused}");
}

#[test]
fn a_forgotten_penalty_follows_the_strike_that_stands_before_it() {
    let game = Game::singles("kagw", json!({}))
        .then(json!({"type": "strike", "fouls": ["arm"]}))
        .miss()
        .strike(&["white"])
        .miss()
        .then(json!({"type": "forgotten"}));
    expect(&game.state(), "on_board", json!({"white": 8, "black": 9, "queen": 1}));
    game.clone().then(undo(1)).refused(&["event 5", "K11"]);
    let undone = game.then(undo(5));
    expect(&undone.state(), "on_board", json!({"white": 9, "black": 9, "queen": 1}));
}
