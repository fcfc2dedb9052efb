//! N1 to N7.

use serde_json::{Value, json};

use super::{Game, expect, expect_last, expect_scores};

fn association() -> Game {
    Game::singles("association", json!({"target": 50}))
}

fn rock(colour: &str, area: Value) -> Value {
    json!({"type": "playoff", "colour": colour, "area": area})
}

const FOUR: [&str; 4] = ["10", "10", "10", "10"];

/// 50 all; Bo led the last frame, so after its tie Ann would lead.
fn tied() -> Game {
    association().frame(&FOUR, &FOUR).frame(&["10"], &["10"])
}

#[test]
fn n1_any_two_colours_by_toss_and_partners_stay_at_their_ends() {
    let mut game = association();
    game.lines[0]["sides"][0]["colour"] = json!("green");
    game.lines[0]["sides"][1]["colour"] = json!("black");
    let at = json!({"type": "frame", "pieces": [{"colour": "green", "x_mm": 254.0, "y_mm": 2960.0}]});
    expect_scores(&game.clone().then(at).state(), 10, 0);
    game.then(json!({"type": "choose", "side": "Ann", "colour": "black"})).refused(&["toss"]);
    let mut doubles = Game::doubles("association", json!({}));
    for leader in ["Ann", "Cy", "Ann", "Cy"] {
        expect(&doubles.state(), "to_play", json!(leader));
        doubles = doubles.frame(&["7-left"], &[]);
    }
}

#[test]
fn n2_the_frames_winner_plays_first_in_the_next() {
    let game = association().frame(&["7-left"], &["8-left"]);
    expect(&game.state(), "to_play", json!("Bo"));
    expect(&game.clone().frame(&[], &["7-left"]).state(), "to_play", json!("Bo"));
    // Below zero too: -10 beats -20.
    let below = game.frame(&["10-off"], &["10-off", "10-off"]);
    expect_last(&below.state(), -10, -20, &["N2", "N4"]);
    expect(&below.state(), "to_play", json!("Ann"));
}

#[test]
fn n2_after_a_tied_or_scoreless_frame_the_order_is_reversed() {
    let game = association().frame(&[], &[]);
    expect(&game.state(), "to_play", json!("Bo"));
    let game = game.frame(&["7-left"], &["7-right"]);
    expect(&game.state(), "to_play", json!("Ann"));
}

#[test]
fn n3_a_rock_must_pass_wholly_over_the_further_dead_line() {
    let at = |y: f64| {
        association()
            .then(json!({"type": "frame", "pieces": [{"colour": "red", "x_mm": 100.0, "y_mm": y}]}))
            .state()
    };
    // 2711 + half of 6 + half of 58.7.
    expect_last(&at(2743.3), 0, 0, &["N3"]);
    assert!(!at(2743.4)["frames"][0]["cites"].as_array().unwrap().contains(&json!("N3")));
}

#[test]
fn n4_a_rock_scores_the_area_it_rests_in_and_nothing_on_a_line() {
    let state = association().frame(&["10", "8-right", "7-left", "10-off"], &["8-left*", "7-right"]).state();
    expect_last(&state, 15, 7, &["N4"]);
    let at = |x: f64, y: f64| json!({"colour": "yellow", "x_mm": x, "y_mm": y});
    let pieces = [at(107.871, 3460.563), at(253.267, 3323.197), at(184.672, 3226.094)];
    expect_scores(&association().then(json!({"type": "frame", "pieces": pieces})).state(), 0, 15);
}

#[test]
fn n5_both_over_in_the_same_frame_the_higher_wins() {
    let game = association().frame(&FOUR, &["10", "10", "10", "8-left"]).frame(&["10"], &["10", "10"]);
    let state = game.state();
    expect_scores(&state, 50, 58);
    expect(&state, "winner", json!("Bo"));
    expect_last(&state, 10, 20, &["N5"]);
    game.frame(&["10"], &[]).refused(&["won by Bo"]);
}

#[test]
fn n6_a_tie_is_played_off_with_one_rock_a_side_from_each_end() {
    let game = tied();
    let state = game.state();
    expect(&state, "status", json!("tie-break"));
    expect(&state, "to_play", json!("Ann"));
    let game = game.then(rock("red", json!("8-left")));
    expect(&game.state(), "to_play", json!("Bo"));
    let game = game.then(rock("yellow", json!("7-left"))).then(rock("red", json!(null)));
    expect(&game.state(), "status", json!("tie-break"));
    let game = game.then(rock("yellow", json!("10")));
    let state = game.state();
    expect_scores(&state, 58, 67);
    expect(&state, "winner", json!("Bo"));
    expect_last(&state, 0, 10, &["N6"]);
    assert_eq!(state["frames"].as_array().unwrap().len(), 6);
}

#[test]
fn n6_still_tied_the_play_off_is_repeated() {
    let mut game = tied();
    for _ in 0..2 {
        game = game.then(rock("red", json!("7-left"))).then(rock("yellow", json!("7-left")));
    }
    expect(&game.state(), "status", json!("tie-break"));
    expect_scores(&game.state(), 64, 64);
    for area in [json!("8-left"), json!(null)] {
        game = game.then(rock("red", area)).then(rock("yellow", json!(null)));
    }
    expect(&game.state(), "winner", json!("Ann"));
}

#[test]
fn n6_rocks_come_in_pairs_with_the_next_leader_first() {
    tied().then(rock("yellow", json!("10"))).refused(&["red", "N6"]);
    tied().then(rock("red", json!("10"))).then(rock("red", json!("10"))).refused(&["yellow", "each colour"]);
    tied().frame(&["10"], &[]).refused(&["play-off"]);
    association().then(rock("red", json!("10"))).refused(&["tied"]);
    tied().then(json!({"type": "playoff", "colour": "red"})).refused(&["area"]);
}

#[test]
fn n7_in_bank_play_a_rock_that_met_no_bank_is_dead() {
    let frame = json!({"type": "frame", "pieces": [
        {"colour": "red", "area": "10", "banked": false},
        {"colour": "red", "x_mm": 254.0, "y_mm": 2960.0, "banked": false},
        {"colour": "red", "area": "8-left", "banked": true},
        {"colour": "yellow", "area": "7-left"}]});
    let bank = Game::singles("association", json!({"bank": true}));
    expect_last(&bank.then(frame.clone()).state(), 8, 7, &["N7"]);
    association().then(frame).refused(&["banked", "piece 1", "piece 2", "piece 3"]);
}
