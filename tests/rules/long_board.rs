//! L1 to L7.

use serde_json::{Value, json};

use super::{Game, expect, expect_last, expect_scores};

fn long() -> Game {
    Game::singles("long-board", json!({}))
}

fn by_y(red: &[f64], blue: &[f64]) -> Value {
    let piece = |colour: &str, y: f64| json!({"colour": colour, "x_mm": 200.0, "y_mm": y});
    let reds = red.iter().map(|y| piece("red", *y));
    let pieces: Vec<Value> = reds.chain(blue.iter().map(|y| piece("blue", *y))).collect();
    json!({"type": "frame", "pieces": pieces})
}

#[track_caller]
fn scores(red: &[f64], blue: &[f64], expected: (i64, i64)) {
    expect_last(&long().then(by_y(red, blue)).state(), expected.0, expected.1, &["L3"]);
}

#[test]
fn l1_colour_is_lagged_for_and_the_hand_is_flagged() {
    let piece = |y: f64| json!({"x_mm": 200.0, "y_mm": y});
    let lag =
        json!({"type": "lag", "first": "Ann", "second": "Bo", "pieces": [piece(1300.0), piece(1340.0)]});
    let game = long().then(lag);
    expect(&game.state(), "to_choose", json!("Bo"));
    let chosen = game.then(json!({"type": "choose", "side": "Bo", "colour": "red"}));
    let mut frame = json!({"type": "frame", "pieces": [{"colour": "red", "area": "3"}], "flags": ["hand"]});
    expect_last(&chosen.clone().then(frame.clone()).state(), 0, 3, &["L1"]);
    frame["flags"] = json!(["foot"]);
    chosen.then(frame).refused(&["foot"]);
}

#[test]
fn l2_a_half_round_is_tallied_at_either_end() {
    scores(&[1700.0], &[], (2, 0));
    let mut near = by_y(&[130.0], &[200.0]);
    near["end"] = json!("near");
    expect_last(&long().then(near).state(), 2, 0, &["L3"]);
}

#[test]
fn l3_only_pucks_ahead_of_the_other_colours_best_score() {
    scores(&[1780.0, 1690.0, 1500.0], &[1660.0, 1400.0], (5, 0));
    scores(&[1660.0], &[1780.0, 1770.0, 1661.0, 1500.0], (0, 8));
    // The leader alone.
    scores(&[1700.0, 1680.0], &[1690.0], (2, 0));
}

#[test]
fn l3_hangers_are_the_most_distant_and_fallen_pucks_are_gone() {
    scores(&[1780.0], &[1820.0, 1700.0], (0, 4));
    scores(&[1780.0], &[1835.0], (3, 0));
}

#[test]
fn l3_dead_pucks_do_not_count_for_the_order() {
    scores(&[1500.0], &[1340.0, 1200.0], (1, 0));
    scores(&[1345.0], &[1340.0], (0, 0));
}

#[test]
fn l3_exactly_equal_leaders_score_nothing() {
    scores(&[1780.0, 1700.0], &[1780.0], (0, 0));
    // Equal to the other's leader is not ahead of it.
    scores(&[1790.0, 1780.0], &[1780.0], (3, 0));
}

#[test]
fn l3_areas_that_leave_the_order_open_are_refused() {
    long().frame(&["3"], &["3"]).refused(&["L3", "piece 1 (red)", "piece 2 (blue)"]);
    long().frame(&["3", "2"], &["2"]).refused(&["positions"]);
    long().frame(&["hanging"], &["hanging"]).refused(&["L3"]);
    // Open, but nothing depends on it.
    expect_scores(&long().frame(&["3", "1"], &["2", "1"]).state(), 3, 0);
    // A touching piece lies before every clear one of the area and after the area before.
    expect_scores(&long().frame(&["3"], &["3*"]).state(), 3, 0);
    expect_scores(&long().frame(&["2"], &["3*"]).state(), 0, 2);
}

#[test]
fn l3_positions_and_areas_can_be_mixed_where_the_order_is_clear() {
    let mixed = |y: f64| json!({"type": "frame", "pieces": [{"colour": "red", "x_mm": 200.0, "y_mm": y}, {"colour": "blue", "area": "2"}]});
    expect_scores(&long().then(mixed(1730.0)).state(), 2, 0);
    expect_scores(&long().then(mixed(1640.0)).state(), 0, 2);
    long().then(mixed(1680.0)).refused(&["L3"]);
}

#[test]
fn l4_a_puck_touching_a_line_scores_in_the_area_before_it() {
    for (y, points) in [(1750.0, 3), (1746.0, 2), (1720.0, 2), (1646.0, 1), (1347.5, 1), (1346.0, 0)] {
        expect_last(&long().then(by_y(&[y], &[])).state(), points, 0, &["L4"]);
    }
    for (area, points) in [("3*", 2), ("2*", 1), ("1*", 0), ("3", 3), ("-", 0)] {
        expect_scores(&long().frame(&[area], &[]).state(), points, 0);
    }
    long().frame(&["hanging*"], &[]).refused(&["touching"]);
}

#[test]
fn l5_a_hanging_puck_scores_four() {
    let state = long().then(by_y(&[1820.0], &[1810.0])).state();
    expect_last(&state, 4, 0, &["L5"]);
    expect_last(&long().frame(&["hanging"], &["3"]).state(), 4, 0, &["L5"]);
}

#[test]
fn l6_the_winner_of_the_half_round_shoots_first_in_the_next() {
    let game = long();
    expect(&game.state(), "to_play", json!("Ann"));
    let game = game.frame(&["1"], &["2"]);
    expect(&game.state(), "to_play", json!("Bo"));
    let scoreless = game.frame(&[], &[]);
    expect(&scoreless.state(), "to_play", json!("Bo"));
    expect(&scoreless.frame(&["1"], &[]).state(), "to_play", json!("Ann"));
}

#[test]
fn l6_in_doubles_the_winners_partner_leads_at_the_other_end() {
    let game = Game::doubles("long-board", json!({}));
    expect(&game.state(), "to_play", json!("Ann"));
    let game = game.frame(&[], &["2"]);
    expect(&game.state(), "to_play", json!("Di"));
    let game = game.frame(&[], &["2"]);
    expect(&game.state(), "to_play", json!("Bo"));
    expect(&game.frame(&["1"], &[]).state(), "to_play", json!("Cy"));
}

#[test]
fn l7_singles_are_to_15_and_doubles_to_21() {
    let twelve = ["3", "3", "3", "3"];
    let game = long().frame(&twelve, &[]).frame(&["2"], &[]);
    expect(&game.state(), "status", json!("playing"));
    let won = game.frame(&["1"], &[]);
    expect(&won.state(), "winner", json!("Ann"));
    expect_last(&won.state(), 1, 0, &["L7"]);
    let doubles = Game::doubles("long-board", json!({})).frame(&twelve, &[]).frame(&["3", "3", "2"], &[]);
    expect_scores(&doubles.state(), 20, 0);
    expect(&doubles.state(), "status", json!("playing"));
    expect(&doubles.frame(&["1"], &[]).state(), "winner", json!("Ann"));
}

#[test]
fn l7_a_longer_match_starts_each_game_with_the_first_side() {
    let twelve = ["3", "3", "3", "3"];
    let game = Game::singles("long-board", json!({"best_of": 3})).frame(&[], &twelve).frame(&[], &twelve);
    let state = game.state();
    expect(&state, "games", json!({"Ann": 0, "Bo": 1}));
    expect_scores(&state, 0, 24);
    expect(&state, "to_play", json!("Ann"));
    expect_scores(&game.frame(&["1"], &[]).state(), 1, 0);
}
