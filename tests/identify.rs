//! Boards that nobody named: found by themselves, or named with what tells them apart, or refused with what helps.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use linecall::{
    board::{Board, BoardFile, End, Library},
    camera::Camera,
    capture::{Picture, load_photo},
    evaluate::Truth,
    identify::{Difference, Finder, IdentifyOptions, differences},
    register::{
        CameraPrior, FindOptions, Missing, NextStep, RefineOptions, RegisterError, register_by_lines,
    },
    score::ScoreOptions,
};
use serde_json::Value;

fn photo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name)
}

fn picture(name: &str) -> Picture {
    load_photo(&photo(name), &Default::default()).unwrap()
}

/// A home of boards, and the program in it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("linecall/boards")
    }

    fn with_board(self, id: &str, change: impl Fn(String) -> String) -> Self {
        std::fs::create_dir_all(self.folder()).unwrap();
        std::fs::write(self.folder().join(format!("{id}.toml")), change(court_called(id))).unwrap();
        self
    }

    fn linecall(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linecall"));
        command.env("XDG_DATA_HOME", self.0.path()).args(arguments).output().unwrap()
    }

    fn score(&self, name: &str, more: &[&str]) -> (Option<i32>, Value, String) {
        let path = photo(name).display().to_string();
        let output = self.linecall(&[&["score", &path, "--json"], more].concat());
        let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        (output.status.code(), report, words(&output.stderr))
    }
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn court_called(id: &str) -> String {
    BoardFile::named_or_at("carrom-court").unwrap().text.replacen("\"carrom-court\"", &format!("{id:?}"), 1)
}

#[test]
fn every_shipped_board_is_found_where_none_is_named() {
    let library = Library::in_folder(None).unwrap();
    let options = ScoreOptions::default();
    let finder = Finder::new(&library.boards, None, End::Far, &options, IdentifyOptions::default()).unwrap();
    for name in [
        "court-overhead/003.jpg",
        "court-oblique-phone/000.jpg",
        "clutter/000.jpg",
        "longboard-overhead/001.jpg",
        "association-overhead/001.jpg",
        "carrom-overhead/001.jpg",
        "carrom-oblique-phone/001.jpg",
        "ludington-overhead/001.jpg",
    ] {
        let truth = Truth::load(&photo(name).with_extension("json")).unwrap();
        let found = finder.identify(&picture(name), None).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(found.board, truth.board, "{name}");
        assert!(found.probability > 0.95, "{name}: {}", found.probability);
    }
}

#[test]
fn the_report_and_the_table_say_which_board_was_found_and_how_surely() {
    let home = Home::new();
    let (status, report, _) = home.score("court-overhead/003.jpg", &[]);
    assert_eq!(status, Some(0));
    assert_eq!(report["board"], "carrom-court");
    let sure = report["board_probability"].as_f64().unwrap();
    assert!(sure > 0.95 && sure < 1.0, "{sure}");
    // A tally is right only if the board is.
    assert!(report["tally_probability"].as_f64().unwrap() <= sure);
    // A board that was named is not in doubt.
    let (_, named, _) = home.score("court-overhead/003.jpg", &["--board", "carrom-court"]);
    assert_eq!(named["board_probability"], Value::Null);
    assert_eq!(named["pieces"], report["pieces"]);
    let path = photo("court-overhead/003.jpg").display().to_string();
    let table = words(&home.linecall(&["score", &path]).stdout);
    assert!(table.contains("board: carrom-court (found by itself, "), "{table}");
}

#[test]
fn only_boards_of_the_game_are_looked_for() {
    let home = Home::new();
    let (status, report, _) = home.score("court-overhead/003.jpg", &["--game", "kagw"]);
    assert_eq!(status, Some(1));
    assert!(report["error"].as_str().unwrap().contains("the board carrom-icf was not found"), "{report}");
    let (status, _, stderr) = home.score("court-overhead/003.jpg", &["--game", "chess"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("chess"), "{stderr}");
}

#[test]
fn ones_own_board_comes_before_a_shipped_one_that_fits_as_well() {
    let home = Home::new().with_board("home-court", |text| text);
    let (status, report, _) = home.score("court-overhead/003.jpg", &[]);
    assert_eq!(status, Some(0), "{report}");
    assert_eq!(report["board"], "home-court");
    let sure = report["board_probability"].as_f64().unwrap();
    assert!(sure > 0.9 && sure < 0.97, "the shipped one fits too: {sure}");
}

#[test]
fn two_boards_that_fit_alike_are_both_named_with_what_tells_them_apart() {
    let thick = |text: String| text.replace("height_mm = 12.0\ncount", "height_mm = 15.0\ncount");
    let home = Home::new().with_board("court-a", |text| text).with_board("court-b", thick);
    // Nothing lies on it, so that pieces cannot tell.
    let (status, report, stderr) = home.score("court-overhead/000.jpg", &[]);
    assert_eq!(status, Some(1));
    let error = report["error"].as_str().unwrap();
    for told in
        ["two boards fit", "court-a", "court-b", "a piece's height is 12.0 or 15.0 mm", "--board court-a"]
    {
        assert!(error.contains(told) && stderr.contains(told), "{told}: {error}");
    }
    let boards: Vec<&str> =
        report["boards"].as_array().unwrap().iter().map(|one| one["board"].as_str().unwrap()).collect();
    assert_eq!(boards, ["court-a", "court-b"]);
}

#[test]
fn pieces_tell_boards_apart_where_paint_cannot() {
    let large = |text: String| text.replace("diameter_mm = 30.0", "diameter_mm = 42.0");
    let home = Home::new().with_board("small-pucks", |text| text).with_board("large-pucks", large);
    let (status, report, _) = home.score("court-overhead/003.jpg", &[]);
    assert_eq!(status, Some(0), "{report}");
    assert_eq!(report["board"], "small-pucks");
}

#[test]
fn a_line_that_only_one_board_has_tells_it_from_the_other() {
    let truth = Truth::load(&photo("court-overhead/003.jpg").with_extension("json")).unwrap();
    let camera: Camera = truth.camera();
    let board = Board::named_or_at("carrom-court").unwrap();
    let mut bare = board.clone();
    bare.id = "bare".into();
    bare.lines.retain(|line| line.name != "cross-8");
    let told = differences((&board, &camera), (&bare, &camera), &IdentifyOptions::default());
    let line = Difference::Line { board: "carrom-court".into(), line: "cross-8".into() };
    assert_eq!(told, std::slice::from_ref(&line));
    // The same line, whichever board is asked first.
    assert_eq!(differences((&bare, &camera), (&board, &camera), &IdentifyOptions::default()), [line]);
}

#[test]
fn a_broken_board_of_ones_own_is_named_and_stops_no_other() {
    let home = Home::new().with_board("home-court", |text| text).with_board("broken", |_| "id = ".into());
    let (status, report, stderr) = home.score("court-overhead/003.jpg", &[]);
    assert_eq!((status, report["board"].as_str()), (Some(0), Some("home-court")));
    assert!(stderr.contains("broken.toml"), "{stderr}");
    let listed = home.linecall(&["boards"]);
    assert_eq!(listed.status.code(), Some(0));
    assert!(words(&listed.stdout).contains("home-court") && words(&listed.stderr).contains("broken.toml"));
}

#[test]
fn boards_that_are_added_are_listed_named_and_never_lost() {
    let home = Home::new();
    let file = home.0.path().join("table.toml");
    std::fs::write(&file, court_called("my-court")).unwrap();
    let file = file.display().to_string();
    assert_eq!(home.linecall(&["boards", "add", &file]).status.code(), Some(0));
    let listed = words(&home.linecall(&["boards", "--json"]).stdout);
    let boards: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&boards[0]["id"], &boards[0]["origin"]), (&"my-court".into(), &"own".into()));
    assert!(boards[0]["file"].as_str().unwrap().ends_with("my-court.toml"));
    assert!(boards.iter().any(|board| board["id"] == "carrom-icf" && board["origin"] == "shipped"));
    let (status, report, _) = home.score("court-overhead/003.jpg", &["--board", "my-court"]);
    assert_eq!((status, report["board"].as_str()), (Some(0), Some("my-court")));

    std::fs::write(&file, court_called("my-court").replace("count = 4", "count = 3")).unwrap();
    let refused = home.linecall(&["boards", "add", &file]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(words(&refused.stderr).contains("--replace"), "{}", words(&refused.stderr));
    let kept = || std::fs::read_to_string(home.folder().join("my-court.toml")).unwrap();
    assert_eq!(kept(), court_called("my-court"));
    assert_eq!(home.linecall(&["boards", "add", &file, "--replace"]).status.code(), Some(0));
    assert!(kept().contains("count = 3"));

    std::fs::write(&file, "id = 7").unwrap();
    let refused = home.linecall(&["boards", "add", &file]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(words(&refused.stderr).contains("table.toml"), "{}", words(&refused.stderr));
}

#[test]
fn calibrate_and_review_find_the_board_too() {
    let home = Home::new();
    let path = photo("court-overhead/003.jpg").display().to_string();
    let camera = home.0.path().join("camera.toml").display().to_string();
    let calibrated = home.linecall(&["calibrate", &path, "-o", &camera]);
    assert_eq!(calibrated.status.code(), Some(0), "{}", words(&calibrated.stderr));
    assert!(words(&calibrated.stderr).contains("carrom-court (found by itself"));
    // A camera file says which board it is of.
    let (status, report, _) = home.score("court-overhead/003.jpg", &["--camera", &camera]);
    assert_eq!((status, report["board"].as_str()), (Some(0), Some("carrom-court")));
    assert_eq!(report["board_probability"], Value::Null);
    let reviewed = home.linecall(&["review", &path]);
    assert_eq!(reviewed.status.code(), Some(0), "{}", words(&reviewed.stderr));
    assert!(words(&reviewed.stderr).contains("carrom-court (found by itself"));
}

#[test]
fn corners_that_are_given_serve_every_board() {
    let home = Home::new();
    let truth = Truth::load(&photo("court-overhead/003.jpg").with_extension("json")).unwrap();
    let board = Board::named_or_at("carrom-court").unwrap();
    let seen =
        board.corners().map(|corner| truth.camera().image_from_board(corner.x, corner.y, 0.0).unwrap());
    let corners = seen.map(|p| format!("{:.0},{:.0}", p.x, p.y)).join(",");
    let (status, report, _) = home.score("court-overhead/003.jpg", &["--corners", &corners]);
    assert_eq!((status, report["board"].as_str()), (Some(0), Some("carrom-court")), "{report}");
    assert_eq!(report["registration"]["method"], "corners");
}

#[test]
fn a_match_is_recorded_on_a_board_that_is_named() {
    let home = Home::new();
    let path = photo("court-overhead/003.jpg").display().to_string();
    let ledger = home.0.path().join("evening.ledger").display().to_string();
    let output = home.linecall(&["score", &path, "--match", &ledger]);
    assert_eq!(output.status.code(), Some(2));
    assert!(words(&output.stderr).contains("--board"), "{}", words(&output.stderr));
}

fn refused(name: &str, board: &str) -> Box<linecall::register::Refusal> {
    let board = Board::named_or_at(board).unwrap();
    let (find, refine) = (FindOptions::default(), RefineOptions::default());
    match register_by_lines(&picture(name), &board, &CameraPrior::default(), &find, &refine) {
        Err(RegisterError::NotFound(refusal)) => refusal,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_refusal_says_where_the_surface_is_what_kind_it_is_and_what_to_try() {
    let refusal = refused("carrom-overhead/001.jpg", "carrom-court");
    let (corners, sides) = refusal.found.outline.unwrap();
    assert_eq!(sides, 4);
    let truth = Truth::load(&photo("carrom-overhead/001.jpg").with_extension("json")).unwrap();
    for corner in Board::named_or_at("carrom-icf").unwrap().corners() {
        let seen = truth.camera().image_from_board(corner.x, corner.y, 0.0).unwrap();
        let nearest = corners.iter().map(|found| (found - seen).norm()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 20.0, "{nearest:.0} px");
    }
    assert_eq!(refusal.found.nearest_kind.as_deref(), Some("carrom-icf"));
    assert_eq!(refusal.next_step(), NextStep::Learn { like: "carrom-icf".into() });
    let words = refusal.words("table.jpg");
    for told in [
        "carrom-court was not found",
        "its outline",
        "looks most like carrom-icf",
        "boards learn table.jpg --like carrom-icf",
    ] {
        assert!(words.contains(told), "{told}: {words}");
    }
}

#[test]
fn a_picture_without_a_board_says_so_and_asks_for_corners() {
    let home = Home::new();
    let grey = home.0.path().join("wall.png");
    image::RgbImage::from_pixel(640, 480, image::Rgb([150, 150, 150])).save(&grey).unwrap();
    let grey = grey.display().to_string();
    let output = home.linecall(&["score", &grey]);
    assert_eq!(output.status.code(), Some(1));
    let told = words(&output.stderr);
    assert!(told.contains("none of the boards") && told.contains("--corners"), "{told}");
    let night = home.0.path().join("night.png");
    image::RgbImage::from_pixel(640, 480, image::Rgb([9, 9, 9])).save(&night).unwrap();
    let told =
        words(&home.linecall(&["score", &night.display().to_string(), "--board", "carrom-icf"]).stderr);
    assert!(told.contains("with more light"), "{told}");
}

/// A fit that runs away from a wrong start must end: it once asked for places without number, until memory was gone.
#[test]
fn a_fit_that_runs_away_is_refused() {
    let refusal = refused("carrom-oblique-phone/000.jpg", "carrom-long-board");
    assert!(!matches!(refusal.missing, Missing::Other(_)), "{refusal:?}");
}
