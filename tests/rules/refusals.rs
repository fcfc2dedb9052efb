//! What is refused, with every reason, and what a referee can waive.

use linecall::rules::{match_file, report};
use serde_json::{Value, json};

use super::{Game, expect_scores};

fn court() -> Game {
    Game::singles("court", json!({}))
}

fn piece(x: Value, y: Value) -> Value {
    json!({"type": "frame", "pieces": [{"colour": "red", "x_mm": x, "y_mm": y}]})
}

#[track_caller]
fn header_refused(change: impl Fn(&mut Value), words: &[&str]) {
    let mut game = court();
    change(&mut game.lines[0]);
    game.refused(words);
}

#[test]
fn every_reason_is_given_at_once() {
    let frame = json!({"type": "frame", "pieces": [
        {"colour": "green", "area": "10"},
        {"colour": "red", "area": "9"},
        {"colour": "red", "x_mm": 1.0, "y_mm": 1.0, "area": "10"},
        {"colour": "red", "x_mm": 1.0},
        {"colour": "red"},
        {"colour": "red", "x_mm": 200.0, "y_mm": 1330.0, "touching": true},
        {"colour": "blue", "area": "10", "sigma_mm": 0.1}]});
    court().then(frame).refused(&[
        "line 2",
        "green",
        "piece 2",
        "\"9\"",
        "8-left",
        "piece 3",
        "both",
        "piece 4",
        "only one",
        "piece 5",
        "neither",
        "piece 6",
        "touching",
        "piece 7",
        "sigma_mm",
        "5 red pieces",
    ]);
}

#[test]
fn a_fifth_puck_a_far_one_and_numbers_that_are_none_are_refused() {
    court().frame(&["10"; 5], &[]).refused(&["5 red", "only 4"]);
    court().then(piece(json!(200.0), json!(3000.0))).refused(&["1170 mm off the board"]);
    court().then(piece(json!(null), json!(3000.0))).refused(&["only one"]);
    court().then(piece(json!("a"), json!(3000.0))).refused(&["line 2"]);
    let text = format!(
        "{}\n{}",
        court().lines[0],
        r#"{"type":"frame","pieces":[{"colour":"red","x_mm":NaN,"y_mm":1}]}"#
    );
    let refused = match_file::play(text.as_bytes(), None).unwrap_err();
    assert_eq!(refused.line, 2);
    for sigma in [json!(-0.1), json!(1e300)] {
        let mut event = piece(json!(200.0), json!(1330.0));
        event["pieces"][0]["sigma_mm"] = sigma;
        court().then(event).refused(&["sigma_mm"]);
    }
    let many: Vec<Value> = (0..100).map(|_| json!({"colour": "red", "area": "10"})).collect();
    court()
        .then(json!({"type": "frame", "pieces": many, "waive": ["too-many-pieces"]}))
        .refused(&["100 pieces"]);
}

#[test]
fn a_referee_can_waive_a_reason_by_name_and_it_is_on_record() {
    let mut frame = court().frame_event(&["10"; 5], &[]);
    frame["waive"] = json!(["too-many-pieces"]);
    frame["by"] = json!("the referee");
    let state = court().then(frame.clone()).state();
    expect_scores(&state, 50, 0);
    assert_eq!(state["waivers"], json!([{"event": 1, "waived": ["too-many-pieces"], "by": "the referee"}]));
    frame["waive"] = json!(["gravity"]);
    court().then(frame).refused(&["gravity", "too-many-pieces", "5 red"]);
    let mut far = piece(json!(200.0), json!(3000.0));
    far["waive"] = json!(["off-the-board"]);
    expect_scores(&court().then(far).state(), 0, 0);
    let toss = json!({"type": "choose", "side": "Bo", "colour": "red", "waive": ["no-lag"]});
    expect_scores(
        &court()
            .then(toss)
            .then(json!({"type": "frame", "pieces": [{"colour": "red", "area": "10"}]}))
            .state(),
        0,
        10,
    );
}

#[test]
fn a_refused_event_leaves_the_state_as_it_was() {
    let game = court().frame(&["10"], &["7-left"]);
    let refused = match_file::play(game.clone().frame(&["10"; 5], &[]).text().as_bytes(), None).unwrap_err();
    assert_eq!(report::json(&refused.before.unwrap()), game.state());
}

#[test]
fn unknown_and_foreign_fields_and_events_are_refused() {
    court()
        .then(json!({"type": "frame", "pieces": [], "colour": "red"}))
        .refused(&["unknown field `colour`"]);
    court()
        .then(json!({"type": "frame", "pieces": [{"colour": "red", "area": "10", "banked": true}]}))
        .refused(&["bank"]);
    court().then(json!({"type": "fram", "pieces": []})).refused(&["fram", "`frame`"]);
    court().then(json!({"pieces": []})).refused(&["type"]);
    court().then(json!([1, 2])).refused(&["line 2"]);
    court().miss().refused(&["strike", "court", "frame"]);
    court().then(json!({"type": "playoff", "colour": "red", "area": null})).refused(&["playoff"]);
    court().then(json!({"type": "forgotten"})).refused(&["forgotten"]);
    court().then(court().lines[0].clone()).refused(&["one match"]);
    let kagw = Game::singles("kagw", json!({}));
    kagw.clone().frame(&[], &[]).refused(&["frame", "strike"]);
    kagw.clone().then(json!({"type": "strike", "called": "made"})).refused(&["called"]);
    kagw.clone().then(json!({"type": "strike", "cushioned": true})).refused(&["cushioned"]);
    let ludington = Game::singles("ludington", json!({}));
    ludington.clone().then(json!({"type": "strike", "fouls": []})).refused(&["fouls"]);
    ludington.clone().then(json!({"type": "strike", "disturbed": true})).refused(&["disturbed"]);
    ludington.then(json!({"type": "lag", "first": "Ann", "second": "Bo"})).refused(&["lag"]);
}

#[test]
fn pocketing_what_is_not_there_is_refused() {
    let kagw = Game::singles("kagw", json!({}));
    kagw.clone().strike(&["white"; 10]).refused(&["10 white", "only 9"]);
    kagw.clone().strike(&["queen", "queen"]).refused(&["queen"]);
    kagw.clone().strike(&["white"; 2]).strike(&["queen"]).strike(&["queen"]).refused(&["queen", "only 0"]);
    kagw.clone().strike(&["green"]).refused(&["green", "queen"]);
    kagw.clone().strike(&["striker"]).refused(&["striker"]);
    kagw.then(json!({"type": "strike", "pocketed": vec!["white"; 5], "off_board": vec!["white"; 5]}))
        .refused(&["10 white"]);
}

#[test]
fn a_match_must_be_well_formed() {
    header_refused(|h| h["game"] = json!("darts"), &["darts", "ludington"]);
    header_refused(|h| h["options"]["target"] = json!(60), &["target", "60", "50, 75 or 100"]);
    header_refused(|h| h["options"]["best_of"] = json!(2), &["best_of", "odd"]);
    header_refused(|h| h["options"]["play"] = json!("triples"), &["triples"]);
    header_refused(|h| h["options"]["check"] = json!("never"), &["never"]);
    header_refused(|h| h["options"]["colour"] = json!(1), &["unknown field `colour`"]);
    header_refused(|h| h["referee"] = json!("Eve"), &["unknown field `referee`"]);
    header_refused(|h| h["sides"][0]["age"] = json!(9), &["unknown field `age`"]);
    header_refused(|h| h["sides"] = json!([{"name": "Ann"}]), &["two sides"]);
    header_refused(|h| h["sides"][1]["name"] = json!("Ann"), &["Ann"]);
    header_refused(|h| h["sides"][1]["name"] = json!(" "), &["no name"]);
    header_refused(|h| h["sides"][1]["colour"] = json!("red"), &["both sides", "red"]);
    header_refused(|h| h["sides"][1]["colour"] = json!("mauve"), &["mauve", "red and blue"]);
    header_refused(|h| h["options"]["play"] = json!("doubles"), &["players"]);
    header_refused(|h| h["sides"][0]["players"] = json!(["A", "B"]), &["doubles"]);
    let doubles = |players: Value| {
        let mut game = Game::doubles("court", json!({}));
        game.lines[0]["sides"][1]["players"] = players;
        game
    };
    doubles(json!(["Bo"])).refused(&["players"]);
    doubles(json!(["Bo", "Cy"])).refused(&["Cy"]);
    // Several faults at once are all named.
    header_refused(
        |h| {
            h["options"]["bank"] = json!(true);
            h["options"]["best_of"] = json!(0);
            h["sides"][1]["colour"] = json!("red");
        },
        &["bank", "best_of", "both sides"],
    );
}

#[test]
fn an_option_that_its_game_does_not_take_is_refused() {
    let options = [
        ("target", json!(50)),
        ("check", json!("round")),
        ("bank", json!(true)),
        ("called", json!(true)),
        ("cushion", json!(true)),
        ("green_continues", json!(true)),
        ("green", json!(true)),
        ("discs", json!(6)),
    ];
    let taken = [
        ("court", vec!["target", "check"]),
        ("long-board", vec![]),
        ("association", vec!["target", "bank"]),
        ("kagw", vec![]),
        ("ludington", vec!["target", "called", "cushion", "green_continues", "green", "discs"]),
    ];
    for (game, taken) in taken {
        for (option, value) in &options {
            let it = Game::singles(game, json!({*option: value}));
            if taken.contains(option) {
                it.state();
            } else {
                it.refused(&[option, game]);
            }
        }
    }
    Game::singles("kagw", json!({"best_of": 5})).refused(&["best_of", "1 or 3"]);
    Game::singles("ludington", json!({"target": 0})).refused(&["target", "above 0"]);
    Game::singles("ludington", json!({"discs": 13})).refused(&["discs", "12"]);
    Game::singles("long-board", json!({"best_of": 5})).state();
}

#[test]
fn a_file_must_begin_with_a_match() {
    let refused = |text: &[u8]| match_file::play(text, None).unwrap_err();
    assert_eq!(refused(b"").line, 1);
    assert!(refused(b"\n \n").to_string().contains("empty"));
    assert!(refused(b"{\"type\": \"undo\", \"event\": 0}").to_string().contains("match"));
    let broken = refused(b"\n{\"type\": \"match\", ");
    assert_eq!(broken.line, 2);
    assert!(!broken.to_string().contains("at line"), "{broken}");
    assert!(refused(b"\xff\xfe").to_string().contains("UTF-8"));
    let crlf = court().frame(&["10"], &[]).text().replace('\n', "\r\n");
    assert!(match_file::play(format!("\u{feff}{crlf}").as_bytes(), None).is_ok());
}
