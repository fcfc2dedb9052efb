//! What is not known is not certain: print, clutter and pieces that look like them, on simulated photos.

use linecall::{
    board::{Board, End},
    calls::{CallOptions, PaintEdge, Sighting, call},
    capture::Picture,
    geometry::Point,
    register::Registration,
    rules::{GameId, photo_tally},
    score::{Known, PhotoReport, ScoreOptions, Scorer, StageTimes, photo_table},
    simulate::{SceneFile, render},
};
use serde_json::{Value, json};

use crate::truth::true_camera;

/// The carrom board with a red hub that a queen covers all but for 0.4 mm, as most makers print it.
fn hub_board() -> String {
    let file = std::fs::read_to_string("calibration/boards/carrom-icf.toml").unwrap();
    let mut board: toml::Table = file.parse().unwrap();
    board["id"] = "carrom-hub".into();
    let circles = board["circles"].as_array_mut().unwrap();
    circles.retain(|circle| !(is_in_the_middle(circle) && circle["diameter_mm"].as_float() < Some(40.0)));
    let hub: toml::Table = r##"
        name = "hub"
        role = "decoration"
        centre = [370.0, 370.0]
        diameter_mm = 31.8
        width_mm = 0.6
        colour = "#26241f"
        fill = "#b82f2c"
        optional = true
    "##
    .parse()
    .unwrap();
    circles.push(hub.into());
    board.to_string()
}

fn is_in_the_middle(circle: &toml::Value) -> bool {
    let at = circle["centre"].as_array().unwrap();
    at.iter().all(|v| v.as_integer() == Some(370) || v.as_float() == Some(370.0))
}

fn board_of(text: &str) -> Board {
    Board::parse(text, std::path::Path::new("test.toml")).unwrap()
}

fn overhead() -> Value {
    json!({"image_size": [1600, 1200], "height_mm": 1500, "look_at": [370, 370], "focal_px": 2000})
}

fn tilted(degrees: f64) -> Value {
    json!({"image_size": [1600, 1200], "height_mm": 820, "look_at": [370, 340], "tilt_deg": degrees,
           "focal_px": 1250})
}

fn man(colour: &str, x_mm: f64, y_mm: f64) -> Value {
    json!({"colour": colour, "x_mm": x_mm, "y_mm": y_mm, "make": "groove"})
}

/// Men around, none near the middle.
fn men() -> Vec<Value> {
    vec![
        man("white", 300.0, 250.0),
        man("white", 450.0, 500.0),
        man("black", 230.0, 420.0),
        man("black", 480.0, 220.0),
        man("black", 330.0, 560.0),
    ]
}

/// What a scene on one board comes to when it is scored by another board's file, the camera known.
fn report(painted: &Board, known: &Board, camera: Value, pieces: Vec<Value>, more: Value) -> PhotoReport {
    let mut scene = json!({"board": "test", "seed": 7, "camera": camera, "pieces": pieces,
        "light": {"ambient": 0.5, "lamps": [{"x_mm": 160, "y_mm": 900, "z_mm": 1600, "radius_mm": 150}]}});
    for (key, value) in more.as_object().into_iter().flatten() {
        scene[key] = value.clone();
    }
    let scene: SceneFile = serde_json::from_value(scene).unwrap();
    let photo = render(&scene.validate_on(painted.clone(), "scene").unwrap());
    let scorer = Scorer::new(known.clone(), None, End::Far, ScoreOptions::default()).unwrap();
    let camera = true_camera(&serde_json::to_value(&photo.truth).unwrap());
    let prepared = scorer.prepare(Registration::exact(camera));
    let known = Known::Camera(Box::new(prepared));
    let times = &mut StageTimes::default();
    scorer.score("photo", &Picture::new(photo.picture), &known, times).unwrap().report
}

fn of_hub(camera: Value, middle: Option<Value>) -> PhotoReport {
    let board = board_of(&hub_board());
    report(&board, &board, camera, men().into_iter().chain(middle).collect(), json!({}))
}

fn count(report: &PhotoReport, colour: &str) -> i32 {
    report.tally.0.iter().find(|(name, _)| name == colour).unwrap().1
}

/// Whether the tally, or one that a doubt names, has so many queens.
fn names_queens(report: &PhotoReport, queens: i32) -> bool {
    let of = |tally: &linecall::rules::ColourTally| {
        tally.0.iter().any(|(name, number)| name == "queen" && *number == queens)
    };
    of(&report.tally) || report.doubts.iter().any(|doubt| of(&doubt.tally))
}

fn is_sure(report: &PhotoReport) -> bool {
    report.doubts.is_empty() && report.tally_probability > 0.99
}

#[test]
fn an_empty_hub_seen_from_the_side_is_no_queen() {
    for degrees in [30.0, 45.0] {
        let report = of_hub(tilted(degrees), None);
        assert_eq!(count(&report, "queen"), 0, "{degrees}: {report:?}");
        assert_eq!(report.pieces.len(), men().len(), "{degrees}: {report:?}");
        assert!(is_sure(&report), "{degrees}: {report:?}");
    }
}

#[test]
fn a_queen_on_the_hub_seen_from_the_side_is_a_queen() {
    for degrees in [30.0, 45.0] {
        for (x_mm, y_mm) in [(370.0, 370.0), (370.6, 369.4), (373.0, 371.5)] {
            let report = of_hub(tilted(degrees), Some(man("queen", x_mm, y_mm)));
            assert_eq!(count(&report, "queen"), 1, "{degrees}, {x_mm}: {report:?}");
            assert!(is_sure(&report), "{degrees}, {x_mm}: {report:?}");
        }
    }
}

/// From straight above, both are red discs of nearly one size: only a shadow tells them apart.
#[test]
fn seen_from_above_hub_and_queen_are_never_sure_and_wrong() {
    for (middle, queens) in [(None, 0), (Some(man("queen", 370.4, 369.7)), 1)] {
        let report = of_hub(overhead(), middle);
        assert_eq!(count(&report, "queen"), queens, "{report:?}");
        assert!(names_queens(&report, 1 - queens), "{queens}: the other tally is named: {report:?}");
        assert!(report.tally_probability < 0.99, "{report:?}");
        let table = photo_table(&report);
        let words = if queens == 1 { "may be no piece" } else { "may be a piece" };
        assert!(table.contains(words), "{table}");
    }
}

#[test]
fn with_the_queen_beside_it_the_hub_is_print() {
    for camera in [overhead(), tilted(35.0)] {
        for at in [(396.0, 348.0), (440.0, 300.0)] {
            let report = of_hub(camera.clone(), Some(man("queen", at.0, at.1)));
            assert_eq!(count(&report, "queen"), 1, "{report:?}");
            let queen = report.pieces.iter().find(|piece| piece.colour == "queen").unwrap();
            assert!((queen.x_mm - at.0).abs() < 2.0 && queen.p_exists > 0.99, "{queen:?}");
            assert!(is_sure(&report), "{report:?}");
        }
    }
}

/// Moons whose red is worn to a pale ghost look as pale as white men.
#[test]
fn worn_moons_are_no_men() {
    let known = Board::named_or_at("carrom-icf").unwrap();
    let file = std::fs::read_to_string("calibration/boards/carrom-icf.toml").unwrap();
    for ghost in ["#eee3c8", "#e6cfae"] {
        let painted = board_of(&file.replace("fill = \"#c23b36\"", &format!("fill = \"{ghost}\"")));
        for camera in [overhead(), tilted(35.0)] {
            let report = report(&painted, &known, camera, men(), json!({"look": {"wear": 0.6}}));
            assert_eq!(report.pieces.len(), men().len(), "{ghost}: {report:?}");
        }
    }
}

/// A piece that lies on a moon hides it, and is no less there for it.
#[test]
fn men_on_moons_are_men() {
    let board = Board::named_or_at("carrom-icf").unwrap();
    let on_moons = [man("black", 152.0, 119.0), man("white", 588.0, 116.0), man("black", 624.5, 590.5)];
    for camera in [overhead(), tilted(35.0)] {
        let report = report(&board, &board, camera, on_moons.to_vec(), json!({}));
        assert_eq!((count(&report, "black"), count(&report, "white")), (2, 1), "{report:?}");
    }
}

/// Letters about as large as men, which the board file does not know.
#[test]
fn makers_words_are_no_pieces() {
    let known = Board::named_or_at("carrom-icf").unwrap();
    let mut file = std::fs::read_to_string("calibration/boards/carrom-icf.toml").unwrap();
    file += r##"
        [[numerals]]
        text = "0083"
        centre = [370.0, 215.0]
        height_mm = 34.0
        angle_deg = 0.0
        colour = "#26241f"
    "##;
    for camera in [overhead(), tilted(35.0)] {
        let men = vec![man("white", 300.0, 300.0), man("black", 480.0, 420.0)];
        let report = report(&board_of(&file), &known, camera, men, json!({}));
        let is_wrong = report.pieces.len() > 2;
        assert!(!is_wrong || !is_sure(&report), "{report:?}");
        assert!(report.pieces.iter().filter(|piece| piece.p_exists > 0.9).count() <= 2, "{report:?}");
    }
}

/// A puck in the 10 that may be none: the tally is as unsure as it is, and both tallies are named.
#[test]
fn a_tally_is_as_unsure_as_a_doubtful_piece_in_it() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let options = CallOptions::default();
    let at = |kind: &str, p_exists: f64, x_mm: f64, y_mm: f64| {
        let sighting = Sighting { p_exists, ..Sighting::exact(kind, Point::new(x_mm, y_mm)) };
        let called = call(&board, End::Far, &sighting, &PaintEdge::as_drawn, &options).unwrap();
        (sighting, called)
    };
    let score = |pieces: &[_]| photo_tally(&board, GameId::Court, End::Far, pieces);
    let sure = score(&[at("red", 1.0, 200.0, 1400.0), at("blue", 1.0, 200.0, 1310.0)]);
    assert_eq!((sure.probability, sure.doubts.len()), (1.0, 0));
    let doubtful = score(&[at("red", 0.7, 200.0, 1400.0), at("blue", 1.0, 200.0, 1310.0)]);
    assert_eq!(doubtful.tally, sure.tally);
    assert!((doubtful.probability - 0.7).abs() < 1e-9, "{doubtful:?}");
    let doubt = &doubtful.doubts[0];
    assert_eq!((doubt.piece, doubt.about.as_str()), (0, "existence"));
    assert!((doubt.probability - 0.3).abs() < 1e-9);
    let without = score(&[at("blue", 1.0, 200.0, 1310.0)]);
    assert_eq!(doubt.tally, without.tally);
    // What is likelier not there is left out, and the doubt has it in.
    let left_out = score(&[at("blue", 1.0, 200.0, 1310.0), at("red", 0.2, 200.0, 1400.0)]);
    assert_eq!(left_out.tally, without.tally);
    assert_eq!(left_out.doubts[0].tally, sure.tally);
    assert!((left_out.probability - 0.8).abs() < 1e-9 && left_out.points[1].is_none());
}

/// One piece more than its side has can only be there instead of another.
#[test]
fn one_too_many_is_doubted_instead_of_the_least_certain_of_its_kind() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let options = CallOptions::default();
    let at = |p_exists: f64, x_mm: f64, y_mm: f64| {
        let sighting = Sighting { p_exists, ..Sighting::exact("red", Point::new(x_mm, y_mm)) };
        let called = call(&board, End::Far, &sighting, &PaintEdge::as_drawn, &options).unwrap();
        (sighting, called)
    };
    // Four in no area, of which one is doubtful, and one too many in the 10.
    let mut pieces: Vec<_> = (0..4).map(|i| at(1.0, 60.0 + 60.0 * f64::from(i), 1150.0)).collect();
    pieces[2] = at(0.8, 180.0, 1150.0);
    pieces.push(at(0.3, 200.0, 1310.0));
    let tally = photo_tally(&board, GameId::Court, End::Far, &pieces);
    let with = photo_tally(
        &board,
        GameId::Court,
        End::Far,
        &[&pieces[..2], &pieces[3..4], &[at(1.0, 200.0, 1310.0)]].concat(),
    );
    let doubt = tally.doubts.iter().find(|doubt| doubt.piece == 4).unwrap_or_else(|| panic!("{tally:?}"));
    assert_eq!(doubt.tally, with.tally);
}

/// In the carrom games a doubtful piece is one in play, or one less.
#[test]
fn pieces_in_play_are_counted_with_their_doubts() {
    let board = Board::named_or_at("carrom-icf").unwrap();
    let options = CallOptions::default();
    let at = |kind: &str, p_exists: f64, x_mm: f64| {
        let sighting = Sighting { p_exists, ..Sighting::exact(kind, Point::new(x_mm, 300.0)) };
        let called = call(&board, End::Far, &sighting, &PaintEdge::as_drawn, &options).unwrap();
        (sighting, called)
    };
    let pieces = [at("white", 1.0, 200.0), at("white", 0.6, 300.0), at("queen", 0.1, 400.0)];
    let tally = photo_tally(&board, GameId::Kagw, End::Far, &pieces);
    let numbers = |tally: &linecall::rules::ColourTally| tally.0.iter().map(|(_, n)| *n).collect::<Vec<_>>();
    assert_eq!(numbers(&tally.tally), [2, 0, 0]);
    assert!((tally.probability - 0.6 * 0.9).abs() < 1e-9);
    let doubted: Vec<_> = tally.doubts.iter().map(|doubt| numbers(&doubt.tally)).collect();
    assert_eq!(doubted, [vec![1, 0, 0], vec![2, 0, 1]]);
}
