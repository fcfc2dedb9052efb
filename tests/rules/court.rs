//! C1 to C9, from the leaflet's text and the readings of the rules list.

use serde_json::json;

use super::{Game, expect, expect_last, expect_scores};

fn court() -> Game {
    Game::singles("court", json!({}))
}

fn lag(first: (f64, f64), second: (f64, f64)) -> serde_json::Value {
    json!({"type": "lag", "first": "Bo", "second": "Ann", "pieces": [
        {"colour": "red", "x_mm": first.0, "y_mm": first.1},
        {"colour": "blue", "x_mm": second.0, "y_mm": second.1}]})
}

#[test]
fn c1_the_puck_nearer_the_farthest_foul_line_chooses_the_colour() {
    let nearer = court().then(lag((100.0, 1100.0), (300.0, 1150.0)));
    expect(&nearer.state(), "to_choose", json!("Bo"));
    let chosen = nearer.then(json!({"type": "choose", "side": "Bo", "colour": "red"}));
    let state = chosen.state();
    expect(&state, "to_choose", json!(null));
    expect(&state, "to_play", json!("Bo"));
    // Bo now plays red: a red ten is Bo's.
    let scored = chosen.then(json!({"type": "frame", "pieces": [{"colour": "red", "area": "10"}]}));
    expect_scores(&scored.state(), 0, 10);
}

#[test]
fn c1_a_second_puck_that_moves_the_first_gives_the_choice_to_the_first() {
    let mut event = lag((100.0, 900.0), (300.0, 1120.0));
    expect(&court().then(event.clone()).state(), "to_choose", json!("Ann"));
    event["moved"] = json!(true);
    expect(&court().then(event).state(), "to_choose", json!("Bo"));
}

#[test]
fn c1_of_two_touching_pucks_the_centre_nearer_the_lines_middle_wins() {
    expect(&court().then(lag((100.0, 1110.0), (300.0, 1118.0))).state(), "to_choose", json!("Ann"));
    expect(&court().then(lag((100.0, 1121.0), (300.0, 1118.0))).state(), "to_choose", json!("Bo"));
}

#[test]
fn c1_a_lag_too_close_to_call_is_lagged_again() {
    let mut close = lag((100.0, 1100.0), (300.0, 1099.9));
    close["pieces"][0]["sigma_mm"] = json!(0.1);
    let tied = court().then(close);
    expect(&tied.state(), "to_choose", json!(null));
    tied.clone().frame(&["10"], &[]).refused(&["lag again", "C1"]);
    expect(&tied.then(lag((100.0, 1110.0), (300.0, 1090.0))).state(), "to_choose", json!("Bo"));
}

#[test]
fn c1_only_the_nearest_chooses_and_only_before_the_first_frame() {
    let due = court().then(lag((100.0, 1100.0), (300.0, 1150.0)));
    due.clone()
        .then(json!({"type": "choose", "side": "Ann", "colour": "red"}))
        .refused(&["Ann", "Bo has the choice"]);
    due.clone().frame(&["10"], &[]).refused(&["Bo", "choose"]);
    court().then(json!({"type": "choose", "side": "Ann", "colour": "red"})).refused(&["lag"]);
    court().frame(&["10"], &[]).then(lag((100.0, 1100.0), (300.0, 1150.0))).refused(&["first frame"]);
}

#[test]
fn c2_red_shoots_first_whichever_side_plays_it() {
    expect(&court().state(), "to_play", json!("Ann"));
    let mut bo_red = court();
    bo_red.lines[0]["sides"][0]["colour"] = json!("blue");
    bo_red.lines[0]["sides"][1]["colour"] = json!("red");
    expect(&bo_red.state(), "to_play", json!("Bo"));
}

#[test]
fn c2_a_hand_over_the_line_is_flagged_and_costs_nothing() {
    let mut frame = court().frame_event(&["10"], &["8-left"]);
    frame["flags"] = json!(["hand"]);
    let state = court().then(frame).state();
    expect_last(&state, 10, 8, &["C2", "C6"]);
}

#[test]
fn c3_in_singles_the_lead_passes_after_every_half_round() {
    let mut game = court();
    for leader in ["Ann", "Bo", "Ann", "Bo"] {
        expect(&game.state(), "to_play", json!(leader));
        game = game.frame(&["7-left"], &[]);
    }
}

#[test]
fn c4_in_doubles_the_lead_changes_after_both_ends_have_played() {
    let mut game = Game::doubles("court", json!({}));
    for leader in ["Ann", "Cy", "Bo", "Di", "Ann", "Cy"] {
        expect(&game.state(), "to_play", json!(leader));
        game = game.frame(&["7-left"], &[]);
    }
}

#[test]
fn c5_a_puck_short_of_the_far_foul_line_is_dead() {
    let at = |y: f64, end: &str| {
        let piece = json!({"colour": "red", "x_mm": 200.0, "y_mm": y});
        court().then(json!({"type": "frame", "end": end, "pieces": [piece]})).state()
    };
    // The line's paint ends 2 mm past 1120, the rim lies 15 mm before the centre.
    for (y, end) in [(800.0, "far"), (1137.0, "far"), (1100.0, "near"), (693.0, "near")] {
        expect_last(&at(y, end), 0, 0, &["C5", "C6"]);
    }
    let live = at(1137.5, "far");
    assert_eq!(live["frames"][0]["cites"], json!(["C6"]));
}

#[test]
fn c6_pucks_wholly_within_an_area_score_and_touching_ones_do_not() {
    let state =
        court().frame(&["10", "8-left", "7-right", "10*"], &["10-off", "8-right", "7-left*", "-"]).state();
    expect_last(&state, 25, -2, &["C6"]);
    expect_scores(&state, 25, -2);
}

#[test]
fn c6_positions_are_called_by_the_same_geometry_as_photos() {
    let piece = |colour: &str, x: f64, y: f64| json!({"colour": colour, "x_mm": x, "y_mm": y});
    let pieces = [
        piece("red", 200.0, 1330.0),  // 10
        piece("red", 145.8, 1282.6),  // outside the triangle
        piece("red", 164.6, 1556.3),  // touches cross-8 by 0.7 mm
        piece("blue", 149.3, 1395.2), // 8-left, 3 mm clear
        piece("blue", 33.4, 1752.2),  // touches off-left
        piece("blue", 200.0, 1765.0), // 10 off
    ];
    expect_scores(&court().then(json!({"type": "frame", "pieces": pieces})).state(), 10, -2);
}

#[test]
fn c6_totals_may_go_below_zero() {
    expect_scores(&court().frame(&["10-off", "10-off"], &["10-off"]).state(), -20, -10);
}

#[test]
fn c7_the_higher_total_at_or_over_the_mark_wins_after_a_half_round() {
    let game = Game::singles("court", json!({"target": 50}))
        .frame(&["10", "10", "10", "10"], &["10", "10", "10", "8-left"])
        .frame(&["10"], &["10", "10"]);
    let state = game.state();
    expect_scores(&state, 50, 58);
    expect(&state, "games", json!({"Ann": 0, "Bo": 1}));
    expect_last(&state, 10, 20, &["C6", "C7"]);
    // The next event starts a new game from nothing, red leading.
    expect(&state, "to_play", json!("Ann"));
    expect_scores(&game.frame(&["8-left"], &[]).state(), 8, 0);
}

#[test]
fn c7_checked_after_a_round_when_so_agreed() {
    let game = Game::singles("court", json!({"target": 50, "check": "round"}))
        .frame(&["10", "10", "10", "10"], &[])
        .frame(&["8-left"], &[])
        .frame(&["10"], &[]);
    expect(&game.state(), "games", json!({"Ann": 0, "Bo": 0}));
    let won = game.frame(&["10-off"], &["10", "10", "10", "10"]);
    // 48 : 40 after the round: neither is at the mark any more.
    expect_scores(&won.state(), 48, 40);
    expect(&won.state(), "games", json!({"Ann": 0, "Bo": 0}));
}

/// Both at 50.
fn tied(mut game: Game) -> Game {
    game.lines[0]["options"]["target"] = json!(50);
    let four = ["10", "10", "10", "10"];
    game.frame(&four, &four).frame(&["10"], &["10"])
}

#[test]
fn c8_a_tie_in_singles_is_broken_by_one_round() {
    let game = tied(court());
    expect(&game.state(), "status", json!("tie-break"));
    expect_last(&game.state(), 10, 10, &["C8"]);
    let half = game.frame(&["10"], &[]);
    expect(&half.state(), "status", json!("tie-break"));
    let whole = half.frame(&["10-off", "10-off", "10-off"], &["10-off"]);
    // 30 : 40: only the totals decide, also under the mark.
    expect_scores(&whole.state(), 30, 40);
    expect(&whole.state(), "games", json!({"Ann": 0, "Bo": 1}));
    expect(&whole.state(), "status", json!("playing"));
}

#[test]
fn c8_still_tied_it_is_played_again() {
    let game = tied(court()).frame(&["10"], &[]).frame(&[], &["10"]);
    expect(&game.state(), "status", json!("tie-break"));
    let over = game.frame(&[], &["7-left"]).frame(&[], &[]);
    expect(&over.state(), "games", json!({"Ann": 0, "Bo": 1}));
}

#[test]
fn c8_a_tie_in_doubles_is_broken_by_two_rounds() {
    let mut game = tied(Game::doubles("court", json!({})));
    for _ in 0..3 {
        game = game.frame(&["7-left"], &[]);
        expect(&game.state(), "status", json!("tie-break"));
    }
    expect(&game.frame(&[], &[]).state(), "games", json!({"Ann": 1, "Bo": 0}));
}

#[test]
fn c9_a_match_is_the_best_of_three_games() {
    let four = ["10", "10", "10", "10"];
    let win = |game: Game| game.frame(&four, &[]).frame(&four, &[]);
    let one = win(court());
    expect(&one.state(), "status", json!("playing"));
    let two = win(one);
    let state = two.state();
    expect(&state, "status", json!("won"));
    expect(&state, "winner", json!("Ann"));
    expect(&state, "games", json!({"Ann": 2, "Bo": 0}));
    expect(&state, "to_play", json!(null));
    expect_last(&state, 40, 0, &["C7", "C9"]);
    two.frame(&["10"], &[]).refused(&["won by Ann"]);
}

/// Something shows under a puck that may be another one: then it scores nothing by its place, and a person is told.
#[test]
fn a_puck_that_may_lie_on_another_leaves_the_tally_in_doubt() {
    use linecall::{
        board::{Board, End},
        calls::{CallOptions, PaintEdge, Sighting, call},
        geometry::Point,
        rules::{GameId, photo_tally},
    };
    let (board, options) = (Board::named_or_at("carrom-court").unwrap(), CallOptions::default());
    let sighting = Sighting { may_be_stacked: true, ..Sighting::exact("red", Point::new(200.0, 1300.0)) };
    let called = call(&board, End::Far, &sighting, &PaintEdge::as_drawn, &options).unwrap();
    let tally = photo_tally(&board, GameId::Court, End::Far, &[(sighting, called)]);
    assert_eq!((tally.points[0], tally.probability), (Some(10), 1.0 - options.on_another));
    let [doubt] = tally.doubts.as_slice() else { panic!("{:?}", tally.doubts) };
    assert_eq!((doubt.about.as_str(), doubt.probability), ("stacked", options.on_another));
    assert!(doubt.tally.0.iter().all(|(_, points)| *points == 0), "{doubt:?}");
}
