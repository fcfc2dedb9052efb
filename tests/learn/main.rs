//! `boards learn` as people use it: simulated tables that no board file knows, and their true board files.

#![allow(clippy::unwrap_used)]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use linecall::{
    board::{Board, Line},
    geometry::{Paint, Point},
    simulate::{Scene, UnknownTable, View, render, unknown_table},
};

/// A table of its own, and photos of it in a folder.
struct Table {
    folder: tempfile::TempDir,
    unknown: UnknownTable,
}

impl Table {
    fn new(kind: &str, seed: u64) -> Self {
        let template = Board::named_or_at(kind).expect("a shipped board");
        let unknown = unknown_table(&template, seed).expect("a table");
        let table = Self { folder: tempfile::tempdir().expect("a folder"), unknown };
        table.save("empty.jpg", &table.unknown.empty_photo(View::Overhead).expect("a scene"));
        table
    }

    /// The first of the seeds whose paint is all there, with `is_wanted` of its board.
    fn plain(kind: &str, is_wanted: impl Fn(&Board) -> bool) -> Self {
        let template = Board::named_or_at(kind).expect("a shipped board");
        let seed = (0..200).find(|seed| {
            let table = unknown_table(&template, *seed).expect("a table");
            let is_fresh = table.dress.worn_away == 0.0 && table.dress.powder == 0.0;
            is_fresh && is_wanted(&table.board)
        });
        Self::new(kind, seed.expect("one of 200 is not worn"))
    }

    fn save(&self, name: &str, scene: &Scene) -> PathBuf {
        let path = self.folder.path().join(name);
        render(scene).save(&path).expect("a photo");
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn width(&self) -> String {
        format!("{:.1}", self.unknown.board.surface.width_mm)
    }

    /// Runs `boards learn` in the table's folder.
    fn learn(&self, arguments: &[&str]) -> Output {
        linecall(self.folder.path(), &[&["boards", "learn"], arguments].concat())
    }
}

fn linecall(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .output()
        .expect("linecall runs")
}

fn words(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

fn assert_ends_well(output: &Output) {
    assert!(output.status.success(), "{}", words(output));
}

/// How far the middles of two lines lie from each other.
fn offset_mm(a: &Line, b: &Line) -> f64 {
    let middle = |line: &Line| match line.paint {
        Paint::Stroke { from, to, .. } => nalgebra::center(&from, &to),
        Paint::Ring { centre, .. } | Paint::Arc { centre, .. } | Paint::Spot { centre, .. } => centre,
    };
    match (a.paint, b.paint) {
        (Paint::Stroke { .. }, Paint::Stroke { .. }) => {
            (middle(a) - b.paint.nearest_on_middle(middle(a))).norm()
        }
        _ => (middle(a) - middle(b)).norm(),
    }
}

/// The learned board in the true one's proportion, and by how much it was larger: how far apart the base lines are says it.
fn in_proportion(truth: &Board, learned: &Board) -> (Board, f64) {
    let apart_mm = |board: &Board| {
        let y = |name: &str| board.lines.iter().find(|line| line.name == name).map(|line| line.paint);
        match (y("rear-near"), y("rear-far")) {
            (Some(Paint::Stroke { from: a, .. }), Some(Paint::Stroke { from: b, .. })) => b.y - a.y,
            _ => panic!("a carrom board has base lines"),
        }
    };
    let scale = apart_mm(truth) / apart_mm(learned);
    let middle = Point::new(learned.surface.width_mm / 2.0, learned.surface.length_mm / 2.0);
    let place = |p: Point| middle + (p - middle) * scale;
    let mut scaled = learned.clone();
    for line in &mut scaled.lines {
        match &mut line.paint {
            Paint::Stroke { from, to, .. } => (*from, *to) = (place(*from), place(*to)),
            Paint::Ring { centre, .. } | Paint::Arc { centre, .. } | Paint::Spot { centre, .. } => {
                *centre = place(*centre)
            }
        }
    }
    (scaled, 1.0 / scale)
}

/// Offsets of the learned lines from the true ones of their name, sorted.
fn offsets_mm(truth: &Board, learned: &Board) -> Vec<f64> {
    let named =
        |line: &&Line| learned.lines.iter().find(|other| other.name == line.name && other.end == line.end);
    let mut offsets: Vec<f64> =
        truth.lines.iter().filter_map(|line| Some(offset_mm(line, named(&line)?))).collect();
    offsets.sort_by(f64::total_cmp);
    offsets
}

#[test]
fn a_carrom_board_is_learned_from_one_photo_and_its_width() {
    let table = Table::plain("carrom-icf", |_| true);
    let output =
        table.learn(&["empty.jpg", "--like", "carrom-icf", "--width", &table.width(), "-o", "club.toml"]);
    assert_ends_well(&output);
    let learned = Board::named_or_at(table.path("club.toml").to_str().unwrap()).expect("a board file");
    // The sides, which the tape's length is between, are found to about two percent; all else is in proportion.
    let (scaled, larger) = in_proportion(&table.unknown.board, &learned);
    assert!((larger - 1.0).abs() < 0.02, "{larger} times as large");
    let offsets = offsets_mm(&table.unknown.board, &scaled);
    assert!(offsets.len() >= 20, "only {} lines of the table are in the file", offsets.len());
    let median = offsets[offsets.len() / 2];
    assert!(median < 0.6, "lines lie {median:.2} mm off: {offsets:.2?}");
    assert_eq!((learned.id.as_str(), learned.name.as_str()), ("club", "club"));
    // A person reads how well each line is known, in the file and on the screen.
    let file = std::fs::read_to_string(table.path("club.toml")).unwrap();
    assert!(file.contains("is known to about"), "{file}");
    assert!(words(&output).contains("lines and circles of carrom-icf were seen"), "{}", words(&output));
    // The drawing over the photo is as large as the photo.
    let drawing = image::open(table.path("club.drawing.jpg")).expect("a drawing");
    let photo = image::open(table.path("empty.jpg")).unwrap();
    assert_eq!([drawing.width(), drawing.height()], [photo.width(), photo.height()]);
    assert_ne!(drawing.to_rgb8(), photo.to_rgb8());
}

#[test]
fn a_photo_is_scored_with_the_learned_file_which_is_kept_among_own_boards() {
    let table = Table::plain("carrom-icf", |_| true);
    let scene = table.unknown.photo(View::Overhead).expect("a scene");
    table.save("played.jpg", &scene);
    assert_ends_well(&table.learn(&[
        "empty.jpg",
        "--like",
        "carrom-icf",
        "--width",
        &table.width(),
        "-o",
        "club.toml",
    ]));
    let played = scene.pieces.iter().filter(|piece| piece.parked.is_none()).count();
    let scored = linecall(table.folder.path(), &["score", "played.jpg", "--json", "--board", "club.toml"]);
    assert_ends_well(&scored);
    let report: serde_json::Value = serde_json::from_slice(&scored.stdout).expect("a report");
    let found = report["pieces"].as_array().expect("pieces").len();
    assert!(found + 1 >= played && found <= played + 1, "{found} of {played} pieces");
    // Kept among one's own boards, it is one of those that photos are held against.
    assert_ends_well(&linecall(table.folder.path(), &["boards", "add", "club.toml"]));
    let own = linecall(table.folder.path(), &["boards"]);
    assert!(words(&own).contains("club"), "{}", words(&own));
}

#[test]
fn a_second_photo_refines_the_same_file() {
    let table = Table::plain("carrom-icf", |_| true);
    table.save("played.jpg", &table.unknown.photo(View::Overhead).expect("a scene"));
    let width = table.width();
    assert_ends_well(&table.learn(&[
        "empty.jpg",
        "--like",
        "carrom-icf",
        "--width",
        &width,
        "-o",
        "club.toml",
    ]));
    assert_ends_well(&table.learn(&[
        "played.jpg",
        "--like",
        "club.toml",
        "--width",
        &width,
        "-o",
        "club.toml",
    ]));
    let learned = Board::named_or_at(table.path("club.toml").to_str().unwrap()).expect("a board file");
    let (scaled, larger) = in_proportion(&table.unknown.board, &learned);
    assert!((larger - 1.0).abs() < 0.03, "{larger} times as large");
    let offsets = offsets_mm(&table.unknown.board, &scaled);
    assert!(offsets.len() >= 20 && offsets[offsets.len() / 2] < 0.8, "{offsets:.2?}");
    // Both in one go.
    let output = table.learn(&[
        "empty.jpg",
        "played.jpg",
        "--like",
        "carrom-icf",
        "--width",
        &width,
        "-o",
        "both.toml",
    ]);
    assert_ends_well(&output);
}

#[test]
fn the_kind_may_be_left_out() {
    let table = Table::plain("carrom-court", |_| true);
    let output = table.learn(&["empty.jpg", "--width", &table.width(), "-o", "club.toml"]);
    assert_ends_well(&output);
    let learned = Board::named_or_at(table.path("club.toml").to_str().unwrap()).expect("a board file");
    assert!(learned.areas.iter().any(|area| area.name.contains("10")), "{}", words(&output));
}

#[test]
fn a_photo_without_a_surface_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    image::RgbImage::from_pixel(800, 600, image::Rgb([128, 130, 126]))
        .save(folder.path().join("grey.png"))
        .unwrap();
    let output =
        linecall(folder.path(), &["boards", "learn", "grey.png", "--like", "carrom-icf", "-o", "x.toml"]);
    assert_eq!(output.status.code(), Some(1), "{}", words(&output));
    assert!(words(&output).contains("grey.png: no playing surface was found"), "{}", words(&output));
    assert!(!folder.path().join("x.toml").exists());
}
