//! Positions with uncertainty: probabilities of tallies, doubts, and how they combine.

use linecall::{
    board::{Board, End},
    calls::{CallOptions, PaintEdge, Sighting, call},
    geometry::Point,
    rules::{GameId, PhotoTally, photo_tally},
};
use serde_json::{Value, json};

use super::Game;

fn frame(game: &str, pieces: &[(&str, f64, f64, f64)]) -> Value {
    let piece = |(colour, x, y, sigma): &(&str, f64, f64, f64)| json!({"colour": colour, "x_mm": x, "y_mm": y, "sigma_mm": sigma});
    let pieces: Vec<Value> = pieces.iter().map(piece).collect();
    let state = Game::singles(game, json!({})).then(json!({"type": "frame", "pieces": pieces})).state();
    state["frames"][0].clone()
}

fn sums_to_one(frame: &Value) {
    let total: f64 =
        frame["outcomes"].as_array().unwrap().iter().map(|o| o["probability"].as_f64().unwrap()).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
}

#[test]
fn a_sure_frame_has_no_doubts() {
    let sure = frame("court", &[("red", 150.0, 1600.0, 0.1)]);
    assert_eq!(sure["scores"], json!({"Ann": 7, "Bo": 0}));
    assert_eq!(sure["doubts"], json!(null));
}

#[test]
fn two_close_pucks_have_four_outcomes() {
    // Both 0.1 mm clear of cross-8 with a sigma of 0.1 mm.
    let both = frame("court", &[("red", 150.0, 1557.1, 0.1), ("blue", 100.0, 1557.1, 0.1)]);
    assert_eq!(both["scores"], json!({"Ann": 7, "Bo": 7}));
    let outcomes = both["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 4);
    sums_to_one(&both);
    let single = frame("court", &[("red", 150.0, 1557.1, 0.1)]);
    let p = single["probability"].as_f64().unwrap();
    assert!((both["probability"].as_f64().unwrap() - p * p).abs() < 1e-5);
    let doubts = both["doubts"].as_array().unwrap();
    assert_eq!(doubts.len(), 2);
    let tallies: Vec<&Value> = doubts.iter().map(|doubt| &doubt["scores"]).collect();
    assert!(tallies.contains(&&json!({"Ann": 0, "Bo": 7})) && tallies.contains(&&json!({"Ann": 7, "Bo": 0})));
}

#[test]
fn a_close_call_that_changes_nothing_is_no_doubt() {
    // Outside the triangle, close to its side: it scores nothing either way.
    let outside = frame("court", &[("red", 147.8, 1282.6, 0.4)]);
    assert_eq!(outside["doubts"], json!([]));
    assert_eq!(outside["probability"], json!(1.0));
}

#[test]
fn the_order_of_leaders_is_a_call_with_doubt() {
    let close = frame("long-board", &[("red", 100.0, 1700.1, 0.1), ("blue", 300.0, 1700.0, 0.1)]);
    assert_eq!(close["scores"], json!({"Ann": 2, "Bo": 0}));
    let doubts = close["doubts"].as_array().unwrap();
    assert_eq!(doubts.len(), 1);
    assert_eq!(doubts[0]["about"], "order");
    assert_eq!(doubts[0]["scores"], json!({"Ann": 0, "Bo": 2}));
    sums_to_one(&close);
}

#[test]
fn a_hanger_and_an_order_in_doubt_combine() {
    let both = frame("long-board", &[("red", 100.0, 1815.1, 0.1), ("blue", 300.0, 1815.0, 0.1)]);
    sums_to_one(&both);
    let doubts = both["doubts"].as_array().unwrap();
    assert!(doubts.iter().any(|d| d["about"] == "end") && doubts.iter().any(|d| d["about"] == "order"));
    // Red or blue leads, with a three or a four.
    assert_eq!(both["outcomes"].as_array().unwrap().len(), 4);
}

#[test]
fn even_leaders_never_both_score() {
    let even = frame("long-board", &[("red", 100.0, 1700.0, 0.3), ("blue", 300.0, 1700.0, 0.3)]);
    for outcome in even["outcomes"].as_array().unwrap() {
        let scores = &outcome["scores"];
        assert!(scores["Ann"] == 0 || scores["Bo"] == 0, "{scores}");
    }
}

#[test]
fn many_doubts_are_bounded() {
    let colours = ["red", "blue"];
    let crowd: Vec<_> =
        (0..8).map(|i| (colours[i % 2], 50.0 * i as f64, 1747.0 + 0.01 * i as f64, 0.2)).collect();
    sums_to_one(&frame("long-board", &crowd));
}

fn photo(board: &str, game: GameId, seen: &[(&str, f64, f64, f64)]) -> PhotoTally {
    let board = Board::named_or_at(board).unwrap();
    let pieces: Vec<_> = seen
        .iter()
        .map(|(kind, x, y, sigma)| {
            let sighting = Sighting::with_sigma(kind, Point::new(*x, *y), *sigma);
            let called =
                call(&board, End::Far, &sighting, &PaintEdge::as_drawn, &CallOptions::default()).unwrap();
            (sighting, called)
        })
        .collect();
    photo_tally(&board, game, End::Far, &pieces)
}

#[test]
fn a_photos_tally_has_points_by_piece_and_doubts() {
    let tally = photo(
        "carrom-court",
        GameId::Court,
        &[("blue", 150.0, 1557.1, 0.1), ("red", 200.0, 1330.0, 0.1), ("red", 200.0, 900.0, 0.1)],
    );
    assert_eq!(tally.points, [Some(7), Some(10), Some(0)]);
    assert_eq!(serde_json::to_value(&tally.tally).unwrap(), json!({"red": 10, "blue": 7}));
    assert_eq!(tally.doubts.len(), 1);
    assert_eq!((tally.doubts[0].piece, tally.doubts[0].about.as_str()), (0, "cross-8"));
    assert_eq!(serde_json::to_value(&tally.doubts[0].tally).unwrap(), json!({"red": 10, "blue": 0}));
}

#[test]
fn a_photo_of_the_long_board_counts_only_leaders() {
    let tally = photo(
        "carrom-long-board",
        GameId::LongBoard,
        &[("blue", 341.5, 1696.9, 0.1), ("red", 308.3, 1695.9, 0.1), ("blue", 73.1, 1349.8, 0.1)],
    );
    assert_eq!(tally.points, [Some(2), Some(0), Some(0)]);
    assert!(tally.doubts.is_empty());
}

#[test]
fn a_photo_of_a_carrom_board_counts_pieces_in_play() {
    let tally = photo(
        "carroms-ludington",
        GameId::Ludington,
        &[
            ("black", 300.0, 300.0, 0.1),
            ("green", 330.0, 330.0, 0.1),
            ("white", 20.0, 44.9, 0.1),
            ("shooter", 100.0, 100.0, 0.1),
        ],
    );
    // The white one lies at the pocket's edge (radius 25): in play or not.
    let counts = serde_json::to_value(&tally.tally).unwrap();
    assert_eq!(counts, json!({"black": 1, "white": 0, "green": 1}));
    assert_eq!(
        serde_json::to_value(&tally.doubts[0].tally).unwrap(),
        json!({"black": 1, "white": 1, "green": 1})
    );
}
