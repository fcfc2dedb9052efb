//! `linecall score` and `evaluate` through the real program: the JSON that other programs rely on,
//! the table, annotated pictures, and the same bytes from any number of threads.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use linecall::{
    board::{Board, BoardNotes, End},
    detect::{Foreign, ForeignReason},
    evaluate::Truth,
    geometry::Point,
    register::Registration,
    score::{ScoreOptions, Scorer, Sight, StageTimes},
    simulate::{SetOptions, View, render, set_scene},
};
use serde_json::Value;
use tempfile::TempDir;

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name)
}

fn linecall<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

fn json_lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn score_json(photo: &str, board: &str) -> Value {
    let path = fixture(photo);
    let output = linecall(["score", path.to_str().unwrap(), "--board", board, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    let mut lines = json_lines(&output);
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn assert_has(value: &Value, names: &[&str]) {
    for name in names {
        assert!(keys(value).contains(name), "{name} is missing in {value}");
    }
}

#[test]
fn the_json_of_a_court_photo_is_that_of_the_contract() {
    let report = score_json("court-overhead/001.jpg", "carrom-court");
    assert_has(&report, &["photo", "board", "game", "end", "registration", "pieces", "tally", "doubts"]);
    assert!(report["photo"].as_str().unwrap().ends_with("court-overhead/001.jpg"));
    assert_eq!(report["board"], "carrom-court");
    assert_eq!(report["game"], "court");
    assert_eq!(report["end"], "far");
    assert_has(&report["registration"], &["method", "rms_px", "mm_per_px"]);
    assert_eq!(report["registration"]["method"], "lines");
    assert_eq!(report["tally"], serde_json::json!({"red": 0, "blue": -10}));
    let pieces = report["pieces"].as_array().unwrap();
    assert!(!pieces.is_empty());
    for (index, piece) in pieces.iter().enumerate() {
        let names =
            ["id", "colour", "x_mm", "y_mm", "sigma_mm", "px", "px_radius", "area", "state", "points"];
        assert_has(piece, &names);
        assert_eq!(piece["id"], index + 1);
        assert_has(&piece["contact"], &["line", "gap_mm", "sigma_mm", "p_touching", "call"]);
        let call = piece["contact"]["call"].as_str().unwrap();
        assert!(["clear", "touching", "too-close"].contains(&call), "{call}");
        let state = piece["state"].as_str().unwrap();
        assert!(["live", "dead", "hanging", "off", "stacked"].contains(&state), "{state}");
        let p = piece["contact"]["p_touching"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&p));
        assert_eq!(piece["px"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_carrom_photo_has_counts_and_the_strikers_placement() {
    let report = score_json("carrom-overhead/001.jpg", "carrom-icf");
    assert_eq!(report["game"], "kagw");
    assert_has(&report["on_board"], &["white", "black", "queen"]);
    let striker =
        report["pieces"].as_array().unwrap().iter().find(|piece| piece["colour"] == "striker").unwrap();
    assert_eq!(striker["placement"], "both-lines");
}

/// K2: pale wood around most of its rim, the moon's red around the rest, and grooves within it that are as wide
/// as a man, which it was taken for.
#[test]
fn a_pale_striker_that_cuts_a_moon_is_found_as_a_striker() {
    let report = score_json("../frames/cuts-moon.jpg", "carrom-icf");
    let truth = std::fs::read_to_string(fixture("../frames/cuts-moon.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    let striker_of = |value: &Value| -> Value {
        let pieces = value["pieces"].as_array().unwrap();
        pieces.iter().find(|piece| piece["colour"] == "striker").expect("there is one").clone()
    };
    let (found, lies) = (striker_of(&report), striker_of(&truth));
    assert_eq!(found["placement"], "cuts-moon");
    let off_mm = |key: &str| (found[key].as_f64().unwrap() - lies[key].as_f64().unwrap()).abs();
    assert!(off_mm("x_mm").hypot(off_mm("y_mm")) < 1.5, "{found}");
    assert_eq!(report["pieces"].as_array().unwrap().len(), truth["pieces"].as_array().unwrap().len());
}

#[test]
fn one_thread_or_many_give_the_same_bytes() {
    let photos: Vec<PathBuf> = ["000", "001", "003", "004"]
        .iter()
        .map(|name| fixture(&format!("court-overhead/{name}.jpg")))
        .collect();
    let run = |jobs: &str| {
        let mut arguments: Vec<String> = vec!["score".into()];
        arguments.extend(photos.iter().map(|photo| photo.display().to_string()));
        arguments.extend(["--board", "carrom-court", "--json", "--jobs", jobs].map(String::from));
        let output = linecall(&arguments);
        assert_eq!(output.status.code(), Some(0));
        output.stdout
    };
    let alone = run("1");
    assert_eq!(alone, run("4"));
    assert_eq!(alone, run("3"));
}

#[test]
fn the_table_has_the_tally_and_annotated_pictures_are_written() {
    let folder = TempDir::new().unwrap();
    let photo = fixture("court-overhead/001.jpg");
    let output = linecall([
        "score".as_ref(),
        photo.as_os_str(),
        "--board".as_ref(),
        "carrom-court".as_ref(),
        "--annotate".as_ref(),
        folder.path().as_os_str(),
    ]);
    assert_eq!(output.status.code(), Some(0));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("tally: red 0, blue -10"), "{table}");
    let annotated = image::open(folder.path().join("001.annotated.jpg")).unwrap();
    assert!(annotated.width() == 1920 && annotated.height() > 1080);
    assert!(image::open(folder.path().join("001.top.png")).is_ok());
}

#[test]
fn a_wrong_game_or_board_is_named() {
    let photo = fixture("court-overhead/001.jpg");
    let words = |arguments: [&str; 4]| {
        let mut all = vec!["score", photo.to_str().unwrap()];
        all.extend(arguments);
        let output = linecall(all);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(words(["--board", "carrom-court", "--game", "kagw"]).contains("expected court"));
    assert!(words(["--board", "chess", "--game", "court"]).contains("chess"));
    let usage = linecall(["score", photo.to_str().unwrap(), "--board", "carrom-court", "--corners", "1,2,3"]);
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn evaluation_splits_errors_by_stage() {
    let folder = fixture("court-overhead");
    let output = linecall(["evaluate", folder.to_str().unwrap(), "--camera", "truth", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = json_lines(&output);
    let summary = lines.last().unwrap();
    for (field, expected) in [("not_found", 0), ("missed", 0), ("extra", 0), ("colour_wrong", 0)] {
        assert_eq!(summary[field], expected, "{field}");
    }
    assert_eq!(summary["calls"]["wrong_and_sure"], 0);
    assert_eq!(summary["tallies"]["wrong_and_sure"], 0);
    assert!(summary["position"]["median_mm"].as_f64().unwrap() < 0.08);
}

#[test]
fn evaluation_of_nothing_says_so() {
    let folder = TempDir::new().unwrap();
    let output = linecall(["evaluate", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no photos with truth"));
    std::fs::write(folder.path().join("a.json"), "{}").unwrap();
    std::fs::write(folder.path().join("a.jpg"), "x").unwrap();
    let output = linecall(["evaluate", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("missing field"));
}

/// Both ends of a court look alike, so a photo of the whole of it cannot say which one is the far one. The
/// pucks can: they lie where they were played to.
#[test]
fn a_whole_court_seen_from_behind_is_scored_at_the_end_where_the_pucks_lie() {
    let folder = TempDir::new().unwrap();
    // With all of its colours: a pixel is more than a millimetre here.
    let photo = folder.path().join("behind.png");
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenes/court-from-behind.json");
    let simulated = linecall([Path::new("simulate"), &scene, Path::new("-o"), &photo]);
    assert!(simulated.status.success(), "{}", String::from_utf8_lossy(&simulated.stderr));
    for (end, place) in [("far", [201.5, 1310.0]), ("near", [198.5, 520.0])] {
        let output =
            linecall(["score", photo.to_str().unwrap(), "--board", "carrom-court", "--end", end, "--json"]);
        let report = json_lines(&output).remove(0);
        assert_eq!(report["tally"], serde_json::json!({"red": 10, "blue": 15}), "{end}: {report}");
        let red = &report["pieces"][0];
        let off = |axis: &str, at: f64| (red[axis].as_f64().unwrap() - at).abs();
        assert!(off("x_mm", place[0]) < 1.0 && off("y_mm", place[1]) < 1.0, "{end}: {red}");
    }
}

/// A photo of an evaluation set from a phone, scored with nothing known but its board; and its truth.
fn scored_photo(board: &str, seed: u64, index: usize) -> (Value, Value) {
    let board = Board::named_or_at(board).unwrap();
    // What print that may be missing does to pieces is the topic of `shipped_boards`.
    let board = board.without(&board.optional_names());
    let options = SetOptions { view: View::Phone, seed, ..SetOptions::default() };
    let mut scene = set_scene(&board, &options, index, |index| format!("{index}.jpg"));
    scene.board = board.id.clone();
    let photo = render(&scene.validate_on(board.clone(), "a photo").unwrap());
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("photo.jpg");
    photo.save(&path).unwrap();
    let file = folder.path().join("board.toml");
    std::fs::write(&file, board.to_toml(&BoardNotes::default())).unwrap();
    let output = linecall(["score", path.to_str().unwrap(), "--board", file.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    (json_lines(&output).remove(0), serde_json::to_value(&photo.truth).unwrap())
}

/// The piece that is reported where a true one's top is seen.
fn reported<'a>(report: &'a Value, truth: &Value) -> &'a Value {
    let px = |piece: &Value, key: &str| [0, 1].map(|i| piece[key][i].as_f64().unwrap());
    let at = px(truth, "px_top");
    let off_px = |piece: &&Value| {
        let [x, y] = px(piece, "px");
        (x - at[0]).hypot(y - at[1])
    };
    let pieces = report["pieces"].as_array().unwrap().iter();
    pieces.min_by(|a, b| off_px(a).total_cmp(&off_px(b))).unwrap()
}

/// Two black men that touch, half on a moon: their rough places overlap.
#[test]
fn men_that_touch_are_no_stack() {
    let (report, truth) = scored_photo("carrom-icf", 812, 2);
    let black = truth["pieces"].as_array().unwrap().iter().filter(|piece| piece["colour"] == "black");
    for man in black {
        let found = reported(&report, man);
        assert_eq!((&found["state"], &found["trusted"]), (&"live".into(), &true.into()), "{man}: {found}");
    }
}

/// The height of the man who lies on another is not known, and that of most others is.
fn assert_only_one_height_is_open((report, truth): (Value, Value)) {
    let men = truth["pieces"].as_array().unwrap();
    let upper = men.iter().find(|man| !man["stacked_on"].is_null()).unwrap();
    let sigma_mm = |man: &Value| reported(&report, man)["sigma_mm"].as_f64().unwrap();
    let found = reported(&report, upper);
    assert!(found["state"] == "stacked" || sigma_mm(upper) > 1.0, "{upper}: {found}");
    let sure = men.iter().filter(|man| sigma_mm(man) < 1.0);
    assert!(2 * sure.count() > men.len(), "not everybody lies on another");
}

/// A white man on a white man: a sickle of white shows beside him, too little to make the lower one out.
#[test]
fn a_man_beside_whom_a_sickle_shows_does_not_say_how_high_he_lies() {
    assert_only_one_height_is_open(scored_photo("carrom-icf", 813, 15));
}

/// A black man squarely on a white one, whose wall is as bright as the board and of another hue.
#[test]
fn a_man_before_a_pale_wall_does_not_say_how_high_he_lies() {
    assert_only_one_height_is_open(scored_photo("carrom-icf", 815, 1));
}

/// A round thing in no kind's colour is not scored, and may be a piece all the same; so may one too many of a kind, where
/// the board file's counts are wrong.
#[test]
fn unknown_round_things_leave_the_tally_unsure() {
    let truth = Truth::load(&fixture("court-close-calls/001.json")).unwrap();
    let board = Board::named_or_at(&truth.board).unwrap();
    let scorer = Scorer::new(board, None, End::Far, ScoreOptions::default()).unwrap();
    let probability = |reasons: &[ForeignReason]| {
        let registration = Registration::exact(truth.camera());
        let thing = |reason: &ForeignReason| Foreign {
            centre: Point::new(200.0, 1500.0),
            reason: *reason,
            sized_like: 0,
            face_stops: [0.0; 3],
        };
        let sight = Sight { foreign: reasons.iter().map(thing).collect(), ..Sight::default() };
        scorer.call("photo", registration, sight, &mut StageTimes::default()).report.tally_probability
    };
    assert_eq!(probability(&[]), 1.0);
    assert_eq!(probability(&[ForeignReason::TooMany]), 1.0 - scorer.options.look.surplus_is_piece);
    let likely = 1.0 - scorer.options.look.unknown_is_piece;
    assert!((probability(&[ForeignReason::Colour]) - likely).abs() < 1e-6);
    assert!((probability(&[ForeignReason::Colour; 2]) - likely * likely).abs() < 1e-6);
}

/// From this angle one puck's cap does not fit by itself; its rough place, 0.66 mm off, was all that was known of it.
#[test]
fn a_cap_that_does_not_fit_by_itself_fits_with_what_the_others_show() {
    let report = score_json("court-oblique-phone/001.jpg", "carrom-court");
    let truth = Truth::load(&fixture("court-oblique-phone/001.json")).unwrap();
    let puck = &truth.pieces[3];
    let off_mm = |piece: &Value| {
        let of = |name: &str| piece[name].as_f64().unwrap();
        (of("x_mm") - puck.x_mm).hypot(of("y_mm") - puck.y_mm)
    };
    let nearest = report["pieces"].as_array().unwrap().iter().map(off_mm).fold(f64::INFINITY, f64::min);
    assert!(nearest < 0.3, "{nearest:.2} mm");
}

/// A set in colours that the board file does not have: nothing of it is left out without a word.
#[test]
fn a_set_of_other_colours_is_told_piece_by_piece_and_makes_the_tally_unsure() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("other-colours.toml");
    let file = std::fs::read_to_string("calibration/boards/carrom-court.toml").unwrap();
    let recoloured = file.replace("#b81f2a", "#20a040").replace("#1f3fa8", "#e0d020");
    assert!(recoloured.contains("#20a040") && recoloured.contains("#e0d020"));
    std::fs::write(&board, recoloured).unwrap();
    let photo = fixture("court-close-calls/001.jpg");
    let score = |format: &[&str]| {
        let common = ["score", photo.to_str().unwrap(), "--board", board.to_str().unwrap()];
        linecall(common.iter().chain(format))
    };
    let report = json_lines(&score(&["--json"])).remove(0);
    let truth = Truth::load(&photo.with_extension("json")).unwrap();
    let told = report["foreign"].as_array().unwrap().len() + report["pieces"].as_array().unwrap().len();
    assert_eq!(told, truth.pieces.len(), "{report}");
    assert!(report["tally_probability"].as_f64().unwrap() < 0.5, "{report}");
    let table = String::from_utf8(score(&[]).stdout).unwrap();
    assert!(table.contains("--teach"), "{table}");
}
