//! U1 to U11. Ann plays black and begins.

use serde_json::{Value, json};

use super::{Game, expect, expect_last, expect_scores};

fn ludington(options: Value) -> Game {
    Game::singles("ludington", options)
}

fn plain() -> Game {
    ludington(json!({}))
}

fn shooter_in(pocketed: &[&str]) -> Value {
    json!({"type": "strike", "striker": "pocketed", "pocketed": pocketed})
}

#[track_caller]
fn on_board(game: &Game, black: u32, white: u32, green: u32) {
    expect(&game.state(), "on_board", json!({"black": black, "white": white, "green": green}));
}

#[track_caller]
fn to_play(game: &Game, name: &str) {
    expect(&game.state(), "to_play", json!(name));
}

#[test]
fn u1_twelve_discs_a_side_and_the_green_one_when_used() {
    on_board(&plain(), 12, 12, 1);
    expect(&plain().state(), "queen", json!("on-board"));
    let without = ludington(json!({"green": false, "discs": 3})).state();
    expect(&without, "on_board", json!({"black": 3, "white": 3}));
    expect(&without, "queen", json!(null));
    ludington(json!({"green": false})).strike(&["green"]).refused(&["green"]);
}

#[test]
fn u2_a_shot_that_pockets_no_own_disc_ends_the_turn() {
    to_play(&plain().miss(), "Bo");
    to_play(&plain().strike(&["black"]), "Ann");
    to_play(&plain().strike(&["green"]), "Bo");
    to_play(&ludington(json!({"green_continues": true})).strike(&["green"]), "Ann");
    expect_last(&plain().miss().state(), 0, 0, &["U2"]);
}

#[test]
fn u2_partners_take_turns_in_order() {
    let mut doubles = Game::doubles("ludington", json!({}));
    for player in ["Ann", "Bo", "Cy", "Di", "Ann"] {
        to_play(&doubles, player);
        doubles = doubles.miss();
    }
}

#[test]
fn u3_the_shooter_pocketed_costs_a_forfeit_and_the_shots_own_discs() {
    let game = plain().strike(&["black", "black"]).then(shooter_in(&["black"]));
    expect_last(&game.state(), 0, 0, &["U3"]);
    on_board(&game, 11, 12, 1);
    to_play(&game, "Bo");
    // With none to forfeit nothing is owed.
    let first = plain().then(shooter_in(&["black"]));
    on_board(&first, 12, 12, 1);
    expect(&first.state(), "owed", json!({"Ann": 0, "Bo": 0}));
    on_board(&first.miss().strike(&["black"]).miss(), 11, 12, 1);
}

#[test]
fn u4_an_opponents_disc_loses_the_turn_unless_an_own_one_went_in_with_it() {
    let alone = plain().strike(&["white"]);
    to_play(&alone, "Bo");
    on_board(&alone, 12, 11, 1);
    expect_last(&alone.state(), 0, 0, &["U4"]);
    let together = plain().strike(&["white", "black"]);
    to_play(&together, "Ann");
    on_board(&together, 11, 11, 1);
    // With the shooter the opponent's disc stays down all the same.
    on_board(&plain().then(shooter_in(&["white"])), 12, 11, 1);
}

#[test]
fn u5_shooter_and_green_together_return_only_the_green() {
    let game = plain().strike(&["black", "black"]).then(shooter_in(&["green", "black"]));
    on_board(&game, 9, 12, 1);
    expect_scores(&game.state(), 0, 0);
    expect_last(&game.state(), 0, 0, &["U5"]);
    to_play(&game, "Bo");
}

#[test]
fn u5_a_disc_off_the_board_returns() {
    let game = plain().then(json!({"type": "strike", "off_board": ["white"], "pocketed": ["black"]}));
    on_board(&game, 11, 12, 1);
    expect_last(&game.state(), 0, 0, &["U5"]);
    to_play(&game, "Ann");
}

#[test]
fn u6_any_movement_of_the_shooter_is_a_shot() {
    to_play(&plain().then(json!({"type": "strike"})), "Bo");
}

#[test]
fn u7_the_green_scores_five_whoever_wins_the_count() {
    let game = plain().strike(&["green", "black"]);
    expect_last(&game.state(), 5, 0, &["U7"]);
    expect(&game.state(), "queen", json!("Ann"));
    on_board(&game, 11, 12, 0);
    to_play(&game, "Ann");
    let lost = game.miss().strike(&["white"; 12]);
    expect_scores(&lost.state(), 5, 11);
    game_is_still_running(&lost);
}

#[track_caller]
fn game_is_still_running(game: &Game) {
    expect(&game.state(), "status", json!("playing"));
}

#[test]
fn u8_an_inning_ends_when_one_side_is_done_and_the_green_is_down() {
    let all_but_green = plain().strike(&["black"; 12]);
    on_board(&all_but_green, 0, 12, 1);
    expect_scores(&all_but_green.state(), 0, 0);
    let done = all_but_green.miss().strike(&["green"]);
    // Bo took the green: 5; Ann counts the twelve whites left.
    expect_last(&done.state(), 12, 5, &["U7", "U8"]);
    expect_scores(&done.state(), 12, 5);
    // A new inning on a fresh board, begun by the side named first.
    on_board(&done, 12, 12, 1);
    to_play(&done, "Ann");
}

#[test]
fn u8_without_the_green_the_last_disc_ends_it() {
    let game = ludington(json!({"green": false, "discs": 2})).strike(&["white"]).strike(&["white"]);
    // Ann sank one white and lost the turn, Bo the other: two blacks are left.
    expect_scores(&game.state(), 0, 2);
    // An opponent can be helped to finish: Ann pockets Bo's last.
    let helped =
        ludington(json!({"green": false, "discs": 2})).miss().strike(&["white"]).miss().strike(&["white"]);
    expect_scores(&helped.state(), 0, 2);
}

#[test]
fn u9_the_game_is_at_thirty_checked_at_the_end_of_an_inning() {
    let inning = |game: Game| game.strike(&["green", "black"]).strike(&["black"; 11]);
    let one = inning(plain());
    expect_scores(&one.state(), 17, 0);
    let two = inning(one);
    expect_scores(&two.state(), 34, 0);
    expect(&two.state(), "winner", json!("Ann"));
    expect_last(&two.state(), 12, 0, &["U8", "U9"]);
    // In the middle of an inning a score over the mark ends nothing.
    let early = ludington(json!({"target": 5})).strike(&["green"]);
    expect_scores(&early.state(), 5, 0);
    game_is_still_running(&early);
}

#[test]
fn u9_equal_at_or_over_the_mark_another_inning_is_played() {
    let options = json!({"target": 2, "green": false, "discs": 2});
    let game = ludington(options).strike(&["black", "black"]);
    expect(&game.state(), "winner", json!("Ann"));
    let tie = ludington(json!({"target": 1, "green": false, "discs": 2})).strike(&["black", "white"]);
    let tie = tie.strike(&["black", "white"]);
    // Nothing left of either: 0 all is under the mark.
    game_is_still_running(&tie);
    let fives = ludington(json!({"target": 5, "discs": 5})).strike(&["green"]).strike(&["white"; 5]);
    // Ann has the green, Bo the five blacks left: 5 all.
    expect_scores(&fives.state(), 5, 5);
    expect(&fives.state(), "status", json!("tie-break"));
    to_play(&fives, "Ann");
    let won = fives.strike(&["black"; 5]).strike(&["green"]);
    expect(&won.state(), "winner", json!("Ann"));
    expect_scores(&won.state(), 15, 5);
}

fn called(pocketed: &[&str], how: &str) -> Value {
    json!({"type": "strike", "pocketed": pocketed, "called": how})
}

#[test]
fn u10_in_called_play_another_disc_than_the_named_one_returns() {
    let game = || ludington(json!({"called": true}));
    let missed = game().then(called(&["black", "white", "green"], "missed"));
    on_board(&missed, 12, 11, 1);
    expect_last(&missed.state(), 0, 0, &["U10"]);
    to_play(&missed, "Bo");
    let made = game().then(called(&["black", "black", "green"], "made"));
    on_board(&made, 10, 12, 0);
    to_play(&made, "Ann");
    game().strike(&["black"]).refused(&["called"]);
    game().then(called(&["white"], "made")).refused(&["U10"]);
    plain().then(called(&["black"], "made")).refused(&["called"]);
}

#[test]
fn u11_a_breach_of_the_cushion_rule_is_recorded() {
    let game = ludington(json!({"cushion": true}));
    let breach = game.clone().then(json!({"type": "strike", "pocketed": ["black"], "cushioned": false}));
    expect_last(&breach.state(), 0, 0, &["U11"]);
    on_board(&breach, 11, 12, 1);
    to_play(&breach, "Ann");
    let fine = game.then(json!({"type": "strike", "pocketed": ["black"], "cushioned": true}));
    assert!(!fine.state()["frames"][0]["cites"].as_array().unwrap().contains(&json!("U11")));
    plain().then(json!({"type": "strike", "cushioned": true})).refused(&["cushion"]);
}
