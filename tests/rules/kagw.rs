//! K1 to K14. Ann plays white and begins.

use serde_json::{Value, json};

use super::{Game, expect, expect_last, expect_scores};

fn kagw() -> Game {
    Game::singles("kagw", json!({}))
}

/// Ann pockets so many whites in one strike and keeps the turn.
fn ann_has(down: usize) -> Game {
    kagw().strike(&vec!["white"; down])
}

fn foul(name: &str) -> Value {
    json!({"type": "strike", "fouls": [name]})
}

#[track_caller]
fn on_board(game: &Game, white: u32, black: u32, queen: u32) {
    expect(&game.state(), "on_board", json!({"white": white, "black": black, "queen": queen}));
}

#[track_caller]
fn queen(game: &Game, fate: &str) {
    expect(&game.state(), "queen", json!(fate));
}

#[track_caller]
fn owed(game: &Game, ann: u32, bo: u32) {
    expect(&game.state(), "owed", json!({"Ann": ann, "Bo": bo}));
}

#[track_caller]
fn to_play(game: &Game, name: &str) {
    expect(&game.state(), "to_play", json!(name));
}

#[track_caller]
fn cites(game: &Game, rules: &[&str]) {
    expect_last(&game.state(), 0, 0, rules);
}

#[test]
fn k1_nine_white_nine_black_and_a_queen_with_turns_in_order() {
    on_board(&kagw(), 9, 9, 1);
    let mut doubles = Game::doubles("kagw", json!({}));
    for player in ["Ann", "Bo", "Cy", "Di", "Ann"] {
        to_play(&doubles, player);
        doubles = doubles.miss();
    }
}

#[test]
fn k2_breaches_of_placing_and_flicking_are_fouls() {
    for name in ["placement", "backward", "early-hit", "arm"] {
        let game = ann_has(2).then(foul(name));
        cites(&game, &["K2", "K7"]);
        on_board(&game, 8, 9, 1);
        to_play(&game, "Bo");
    }
    kagw().then(foul("sneeze")).refused(&["sneeze"]);
}

#[test]
fn k3_the_first_turn_has_three_attempts_to_disturb_the_group() {
    let miss = json!({"type": "strike", "disturbed": false});
    let once = kagw().then(miss.clone());
    to_play(&once, "Ann");
    let twice = once.then(miss.clone());
    to_play(&twice, "Ann");
    cites(&twice, &["K3"]);
    to_play(&twice.clone().miss(), "Bo");
    let thrice = twice.then(miss.clone());
    cites(&thrice, &["K3", "K7", "K11"]);
    to_play(&thrice, "Bo");
    owed(&thrice, 1, 0);
    // Only the very first turn of a game has them.
    thrice.then(miss.clone()).refused(&["first turn", "K3"]);
    kagw().then(json!({"type": "strike", "disturbed": false, "pocketed": ["white"]})).refused(&["K3"]);
}

#[test]
fn k3_a_foul_ends_the_first_turn_at_once() {
    let game = kagw().then(json!({"type": "strike", "disturbed": false, "striker": "pocketed"}));
    to_play(&game, "Bo");
    owed(&game, 1, 0);
}

#[test]
fn k4_pocketing_goes_on_and_missing_ends_the_turn() {
    to_play(&kagw().miss(), "Bo");
    to_play(&kagw().strike(&["white", "white"]), "Ann");
    to_play(&kagw().strike(&["white"]).miss(), "Bo");
    to_play(&ann_has(1).strike(&["queen"]), "Ann");
    cites(&kagw().miss(), &["K4"]);
}

#[test]
fn k5_the_queen_taken_too_early_returns_when_the_turn_ends() {
    let early = kagw().strike(&["queen"]);
    queen(&early, "to-return");
    on_board(&early, 9, 9, 0);
    to_play(&early, "Ann");
    cites(&early, &["K5"]);
    // An own piece in the same strike is not down before it, and a later one does not cover it.
    let with_own = kagw().strike(&["queen", "white"]);
    queen(&with_own, "to-return");
    let later = early.strike(&["white"]);
    queen(&later, "to-return");
    later.clone().strike(&["queen"]).refused(&["queen", "only 0"]);
    let ended = later.miss();
    queen(&ended, "on-board");
    on_board(&ended, 8, 9, 1);
}

#[test]
fn k5_the_sides_pieces_count_for_both_partners() {
    let game = Game::doubles("kagw", json!({})).strike(&["white"]).miss().miss().strike(&["queen"]);
    queen(&game, "to-cover");
    expect(&game.state(), "to_play", json!("Cy"));
}

#[test]
fn k6_an_own_piece_in_the_same_strike_or_the_next_covers_the_queen() {
    let same = ann_has(1).strike(&["queen", "white"]);
    queen(&same, "Ann");
    on_board(&same, 7, 9, 0);
    cites(&same, &["K6"]);
    let next = ann_has(1).strike(&["queen"]);
    queen(&next, "to-cover");
    queen(&next.strike(&["white"]), "Ann");
}

#[test]
fn k6_an_uncovered_queen_returns() {
    let game = ann_has(1).strike(&["queen"]).miss();
    queen(&game, "on-board");
    cites(&game, &["K6"]);
    to_play(&game, "Bo");
    // A piece earlier in the turn does not cover.
    queen(&ann_has(1).strike(&["white"]).strike(&["queen"]).miss(), "on-board");
}

#[test]
fn k7_a_foul_ends_the_turn_and_one_pocketed_piece_returns() {
    for strike in [
        json!({"type": "strike", "striker": "pocketed"}),
        json!({"type": "strike", "striker": "off-board"}),
        json!({"type": "strike", "off_board": ["black"]}),
        json!({"type": "strike", "off_board": ["queen"]}),
        foul("touched"),
    ] {
        let game = ann_has(3).then(strike);
        cites(&game, &["K7"]);
        on_board(&game, 7, 9, 1);
        to_play(&game, "Bo");
        owed(&game, 0, 0);
    }
}

#[test]
fn k7_one_penalty_a_strike_and_own_pieces_stay_down() {
    let game = ann_has(3)
        .then(json!({"type": "strike", "striker": "pocketed", "pocketed": ["white", "white", "black"],
        "off_board": ["black"], "fouls": ["arm", "touched"]}));
    on_board(&game, 5, 8, 1);
    // Its own piece pays when there was none before.
    let first = kagw().then(json!({"type": "strike", "striker": "pocketed", "pocketed": ["white"]}));
    on_board(&first, 9, 9, 1);
    owed(&first, 0, 0);
}

#[test]
fn k7_a_queen_taken_by_a_fouling_strike_returns() {
    let game =
        ann_has(3).then(json!({"type": "strike", "striker": "pocketed", "pocketed": ["queen", "white"]}));
    queen(&game, "on-board");
    on_board(&game, 6, 9, 1);
}

#[test]
fn k7_an_own_piece_that_goes_down_with_a_foul_still_covers() {
    let game = ann_has(3)
        .strike(&["queen"])
        .then(json!({"type": "strike", "striker": "pocketed", "pocketed": ["white"]}));
    queen(&game, "Ann");
    on_board(&game, 6, 9, 0);
    to_play(&game, "Bo");
}

#[test]
fn k8_an_opponents_piece_stays_down_and_a_queen_with_it_returns() {
    let game = ann_has(2).strike(&["black", "white", "queen"]);
    cites(&game, &["K7", "K8"]);
    on_board(&game, 7, 8, 1);
    queen(&game, "on-board");
    to_play(&game, "Bo");
}

/// Bo has eight blacks down and it is Ann's turn, with two whites down.
fn bo_nearly_done() -> Game {
    ann_has(2).miss().strike(&["black"; 8]).miss()
}

#[test]
fn k9_the_opponents_last_piece_returns_with_a_penalty_piece() {
    let game = bo_nearly_done().strike(&["black"]);
    cites(&game, &["K7", "K9"]);
    on_board(&game, 8, 1, 1);
    // Of two taken at once only the last one returns.
    let two = ann_has(2).miss().strike(&["black"; 7]).miss().strike(&["black", "black"]);
    on_board(&two, 8, 1, 1);
}

#[test]
fn k9_holds_also_when_the_queen_is_covered() {
    let game = ann_has(2).miss().strike(&["black"; 6]).strike(&["queen", "black"]).strike(&["black"]).miss();
    queen(&game, "Bo");
    let game = game.strike(&["black"]);
    on_board(&game, 8, 1, 0);
    expect(&game.state(), "status", json!("playing"));
}

#[test]
fn k10_ones_own_last_piece_before_the_queen_returns_with_a_penalty_piece() {
    let game = ann_has(8).strike(&["white"]);
    cites(&game, &["K7", "K10"]);
    on_board(&game, 2, 9, 1);
    to_play(&game, "Bo");
    // With another foul it is still one penalty.
    let fouled =
        ann_has(8).then(json!({"type": "strike", "striker": "pocketed", "pocketed": ["white", "queen"]}));
    on_board(&fouled, 2, 9, 1);
}

/// Ann owes one and it is Bo's turn.
fn ann_owes() -> Game {
    let game = kagw().then(foul("arm"));
    owed(&game, 1, 0);
    game
}

#[test]
fn k11_an_owed_penalty_is_paid_at_the_end_of_the_turn_that_makes_a_piece_available() {
    let game = ann_owes().miss().strike(&["white", "white"]);
    owed(&game, 1, 0);
    let game = game.miss();
    cites(&game, &["K11"]);
    owed(&game, 0, 0);
    on_board(&game, 8, 9, 1);
    // Also when the opponent pockets it: Bo's foul is owed, Ann's debt is paid.
    let by_bo = ann_owes().strike(&["white"]);
    owed(&by_bo, 0, 1);
    on_board(&by_bo, 9, 9, 1);
}

#[test]
fn k11_several_debts_are_paid_as_pieces_allow() {
    let game = ann_owes().miss().then(foul("arm")).miss();
    owed(&game, 2, 0);
    let one = game.clone().strike(&["white"]).miss();
    owed(&one, 1, 0);
    on_board(&one, 9, 9, 1);
    let three = game.strike(&["white"; 3]).miss();
    owed(&three, 0, 0);
    on_board(&three, 8, 9, 1);
}

#[test]
fn k11_a_forgotten_penalty_lapses() {
    let forgotten = json!({"type": "forgotten"});
    let game = ann_owes().miss().strike(&["white"]).miss().then(forgotten.clone());
    owed(&game, 0, 0);
    on_board(&game, 8, 9, 1);
    to_play(&game, "Bo");
    // Only right after the strike, and only once.
    game.then(forgotten.clone()).refused(&["K11"]);
    ann_owes().miss().strike(&["white"]).then(forgotten.clone()).refused(&["K11"]);
    ann_owes().miss().strike(&["white"]).miss().miss().then(forgotten.clone()).refused(&["K11"]);
    // The penalty for the strike's own foul was never owed.
    ann_has(2).then(foul("arm")).then(forgotten).refused(&["K11"]);
}

#[test]
fn k11_forgetting_spares_the_debt_but_not_the_strikes_own_foul() {
    let game = ann_owes().miss().strike(&["white", "white"]).then(foul("arm"));
    on_board(&game, 9, 9, 1);
    let forgotten = game.then(json!({"type": "forgotten"}));
    on_board(&forgotten, 8, 9, 1);
    owed(&forgotten, 0, 0);
}

/// Ann owes one, has eight down with the queen covered, and strikes.
fn ann_owes_before_winning() -> Game {
    ann_owes().miss().strike(&["white"; 7]).strike(&["queen", "white"])
}

#[test]
fn k11_a_debt_is_paid_before_a_win_is_checked() {
    let last = ann_owes_before_winning().strike(&["queen"]);
    last.refused(&["queen"]);
    let paid = ann_owes_before_winning().strike(&["white"]);
    expect(&paid.state(), "games", json!({"Ann": 0, "Bo": 0}));
    on_board(&paid, 1, 9, 0);
    to_play(&paid, "Bo");
    let forgotten = paid.then(json!({"type": "forgotten"}));
    expect(&forgotten.state(), "games", json!({"Ann": 1, "Bo": 0}));
    expect_scores(&forgotten.state(), 14, 0);
}

/// Ann clears the board with the queen covered by `coverer`.
fn ann_wins(game: Game, ann_covers: bool) -> Game {
    if ann_covers {
        game.strike(&["white"]).strike(&["queen", "white"]).strike(&["white"; 7])
    } else {
        game.miss().strike(&["black", "black"]).strike(&["queen", "black"]).miss().strike(&["white"; 9])
    }
}

#[test]
fn k12_the_winner_scores_the_opponents_pieces_and_five_for_the_queen() {
    let game = ann_wins(kagw(), true);
    let state = game.state();
    expect_last(&state, 14, 0, &["K12"]);
    expect_scores(&state, 14, 0);
    expect(&state, "games", json!({"Ann": 1, "Bo": 0}));
    // The finished game's table stays until the next event; then everything is set up anew.
    on_board(&game, 0, 9, 0);
    queen(&game, "Ann");
    to_play(&game, "Ann");
    let next = game.miss();
    on_board(&next, 9, 9, 1);
    expect_scores(&next.state(), 0, 0);
    to_play(&next, "Bo");
    // The queen may have been covered by the other side, without the bonus.
    expect_scores(&ann_wins(kagw(), false).state(), 6, 0);
}

#[test]
fn k12_a_foul_with_the_last_piece_is_no_win() {
    let game = kagw()
        .strike(&["white"; 7])
        .strike(&["queen", "white"])
        .then(json!({"type": "strike", "pocketed": ["white"], "striker": "pocketed"}));
    on_board(&game, 1, 9, 0);
    expect(&game.state(), "status", json!("playing"));
}

/// Bo wins a game in which Ann covered the queen and took all but `left` of her pieces.
fn bo_wins(game: Game, left: usize) -> Game {
    let ann = game.strike(&["white"]).strike(&["queen", "white"]);
    let ann = if left < 7 { ann.strike(&vec!["white"; 7 - left]) } else { ann };
    ann.miss().strike(&["black"; 9])
}

#[test]
fn k13_two_games_take_the_match() {
    let game = ann_wins(ann_wins(kagw(), true), false);
    let state = game.state();
    expect(&state, "status", json!("won"));
    expect(&state, "winner", json!("Ann"));
    expect_last(&state, 6, 0, &["K13"]);
    game.miss().refused(&["won by Ann"]);
}

#[test]
fn k13_at_one_each_the_points_of_three_games_decide() {
    // Ann 14, then Bo 3 and 4: Bo has two games, Ann the points.
    let game = bo_wins(bo_wins(ann_wins(kagw(), true), 3), 4);
    let state = game.state();
    expect(&state, "games", json!({"Ann": 1, "Bo": 2}));
    expect(&state, "points", json!({"Ann": 14, "Bo": 7}));
    expect(&state, "winner", json!("Ann"));
}

#[test]
fn k13_equal_totals_are_undecided() {
    // Ann 6; Bo 3 and 3.
    let game = bo_wins(bo_wins(ann_wins(kagw(), false), 3), 3);
    let state = game.state();
    expect(&state, "status", json!("undecided"));
    expect(&state, "winner", json!(null));
    expect(&state, "to_play", json!(null));
    game.miss().refused(&["undecided"]);
    let single = ann_wins(Game::singles("kagw", json!({"best_of": 1})), false);
    expect(&single.state(), "winner", json!("Ann"));
}

#[test]
fn k14_stacked_pieces_stay_in_play() {
    use linecall::{
        board::{Board, End},
        calls::{CallOptions, PaintEdge, Sighting, call},
        geometry::Point,
        rules::{GameId, photo_tally},
    };
    let board = Board::named_or_at("carrom-icf").unwrap();
    let seen = |kind: &str, x: f64, stacked: bool| {
        let sighting = Sighting { stacked, ..Sighting::exact(kind, Point::new(x, 370.0)) };
        let called =
            call(&board, End::Far, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).unwrap();
        (sighting, called)
    };
    let pieces = [seen("white", 370.0, false), seen("black", 372.0, true), seen("queen", 300.0, false)];
    let tally = photo_tally(&board, GameId::Kagw, End::Far, &pieces).tally;
    let counts: Vec<_> = tally.0.iter().map(|(colour, n)| (colour.as_str(), *n)).collect();
    assert_eq!(counts, [("white", 1), ("black", 1), ("queen", 1)]);
}
