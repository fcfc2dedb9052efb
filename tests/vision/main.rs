//! Options as a file, what they change, and why a piece was or was not found: through the real program.
#![allow(clippy::unwrap_used)]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

fn photo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/carrom-overhead/001.jpg")
}

fn linecall<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn error(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A file of options in a folder.
fn options(folder: &TempDir, text: &str) -> String {
    let path = folder.path().join("options.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn score(more: &[&str]) -> Output {
    let photo = photo().display().to_string();
    linecall([&["score", &photo, "--board", "carrom-icf"], more].concat())
}

fn report(more: &[&str]) -> Value {
    serde_json::from_str(&text(&score(&[more, &["--json"]].concat()))).unwrap()
}

/// Where a reported piece is seen, as `--why` takes it.
fn place_of(piece: &Value) -> String {
    format!("{},{}", piece["px"][0], piece["px"][1])
}

#[test]
fn the_options_that_are_printed_are_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let printed = options(&folder, &text(&linecall(["options"])));
    assert_eq!(report(&["--options", &printed]), report(&[]));
}

#[test]
fn a_section_is_printed_by_its_name() {
    let printed = text(&linecall(["options", "calls"]));
    assert!(printed.contains("[calls]") && printed.contains("\nsure = 0.99\n"), "{printed}");
    assert!(!printed.contains("[detect]"));
    let wrong = linecall(["options", "detcet"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(error(&wrong).contains("detect"), "the sections are named");
}

#[test]
fn a_wrong_file_of_options_is_refused_with_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = options(&folder, "[detect]\nrim_mni = 0.5\nrays = -1\n");
    let told = error(&score(&["--options", &wrong]));
    assert!(told.contains("line 2: rim_mni is not an option of [detect]; did you mean rim_min?"), "{told}");
    assert!(told.contains("line 3: detect.rays must not be negative"), "{told}");
}

/// Whatever a person sets to nothing, there is an answer and no crash.
#[test]
fn counts_of_nothing_do_not_crash() {
    let folder = tempfile::tempdir().unwrap();
    let printed = text(&linecall(["options"]));
    let is_count = |line: &&str| {
        let value = line.split_once(" = ").map(|(_, value)| value);
        value.is_some_and(|value| value.parse::<u32>().is_ok())
    };
    let is_kept = |line: &&str| line.starts_with('[') || is_count(line);
    let zeros: Vec<String> = printed
        .lines()
        .filter(is_kept)
        // A photo may be as large as it is.
        .filter(|line| !line.starts_with("max_"))
        .map(|line| line.split_once(" = ").map_or(line.to_owned(), |(name, _)| format!("{name} = 0")))
        .collect();
    assert!(zeros.iter().filter(|line| line.ends_with("= 0")).count() > 40);
    for section in ["find", "refine", "detect", "measure"] {
        let mut is_in = false;
        let of_section: Vec<&str> = zeros
            .iter()
            .map(String::as_str)
            .filter(|line| {
                if let Some(head) = line.strip_prefix('[') {
                    is_in = head.trim_end_matches(']').split('.').next() == Some(section);
                }
                is_in
            })
            .collect();
        let output = score(&["--options", &options(&folder, &of_section.join("\n"))]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!told.contains("panicked"), "{section}: {told}");
    }
}

#[test]
fn two_sets_of_options_are_compared_piece_by_piece() {
    let folder = tempfile::tempdir().unwrap();
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/carrom-overhead");
    let photos = photos.display().to_string();
    let same = options(&folder, "[detect]\nrim_min = 0.7\n");
    let told = text(&linecall(["evaluate", &photos, "--only", "001", "--against", &same]));
    assert!(told.contains("1 photos: nothing differs"), "{told}");
    let strict = options(&folder, "[detect]\nkind_distance_max = 0.2\nstrained_distance = 0.2\n");
    let told = text(&linecall(["evaluate", &photos, "--only", "001", "--against", &strict]));
    assert!(told.contains("only defaults finds it"), "{told}");
    assert!(!told.contains("nothing differs"));
}

#[test]
fn a_piece_that_was_found_is_told_with_what_speaks_for_it() {
    let piece = &report(&[])["pieces"][0];
    let told = text(&score(&["--why", &place_of(piece)]));
    assert!(told.contains("piece 1 ("), "{told}");
    assert!(told.contains("for      part of the visible rim that shows an edge"), "{told}");
}

#[test]
fn a_piece_that_was_not_found_is_told_with_the_option_that_decided() {
    let folder = tempfile::tempdir().unwrap();
    let place = place_of(&report(&[])["pieces"][0]);
    for (strict, option) in [
        ("[detect]\nkind_distance_max = 0.01\nstrained_distance = 0.01\n", "detect.kind_distance_max"),
        ("[detect]\nface_step_min = 9.0\n", "detect.face_step_min"),
        ("[detect]\nplace_step_min = 9.0\n", "detect.place_step_min"),
    ] {
        let strict = options(&folder, strict);
        let told = text(&score(&["--why", &place, "--options", &strict]));
        let against = told.lines().find(|line| line.trim_start().starts_with("against")).unwrap_or_default();
        assert!(against.contains(option), "{option}: {told}");
        let answer = text(&score(&["--why", &place, "--options", &strict, "--json"]));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let checks = answer["looked"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|s| s["looked"]["checks"].as_array().unwrap());
        let mut failing = checks.filter(|check| check["holds"] == false);
        assert!(failing.any(|check| check["option"] == option), "{option}: {answer}");
    }
}

#[test]
fn bare_board_and_places_beside_the_board_have_answers() {
    let report = report(&[]);
    // A place as far from all pieces as one is wide.
    let pieces: Vec<[f64; 2]> = report["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| [piece["px"][0].as_f64().unwrap(), piece["px"][1].as_f64().unwrap()])
        .collect();
    let radius = report["pieces"][0]["px_radius"].as_f64().unwrap();
    let [width, height] = {
        let size = image::image_dimensions(photo()).unwrap();
        [f64::from(size.0), f64::from(size.1)]
    };
    let grid = (4..16)
        .flat_map(|i| (4..16).map(move |j| [width * f64::from(i) / 20.0, height * f64::from(j) / 20.0]));
    let is_free = |at: &[f64; 2]| pieces.iter().all(|p| (p[0] - at[0]).hypot(p[1] - at[1]) > 3.0 * radius);
    let bare = grid.into_iter().find(is_free).unwrap();
    let told = text(&score(&["--why", &format!("{},{}", bare[0], bare[1])]));
    assert!(told.contains("no piece was found there"), "{told}");
    assert!(told.contains("against"), "{told}");
    let outside = score(&["--why", "-5,1"]);
    assert_eq!(outside.status.code(), Some(2));
}

#[test]
fn a_trace_has_a_picture_and_values_for_every_stage() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("seen").display().to_string();
    assert!(text(&score(&["--trace", &to, "--json"])).contains("\"pieces\""));
    let of_photo = folder.path().join("seen/001");
    for stage in ["1-outlines", "2-lines", "3-paint", "4-view", "6-places", "7-edges"] {
        let (width, height) = image::image_dimensions(of_photo.join(format!("{stage}.jpg"))).unwrap();
        assert!(width > 100 && height > 100, "{stage}");
        let values = std::fs::read_to_string(of_photo.join(format!("{stage}.json"))).unwrap();
        let values: Value = serde_json::from_str(&values).unwrap();
        assert_eq!(values["stage"], stage);
    }
    let read = |stage: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(of_photo.join(stage)).unwrap()).unwrap()
    };
    let pieces = read("7-edges.json")["pieces"].as_array().unwrap().clone();
    assert_eq!(pieces.len(), report(&[])["pieces"].as_array().unwrap().len());
    assert!(pieces.iter().all(|piece| piece["edges"].as_array().unwrap().len() > 20));
    let places = read("6-places.json")["places"].as_array().unwrap().clone();
    let rejected = places.iter().filter(|place| place["outcome"] == "nothing");
    for place in rejected {
        let checks = place["checks"].as_array().unwrap();
        assert!(checks.iter().any(|check| check["holds"] == false), "rejected without a reason: {place}");
    }
    let paint = read("3-paint.json")["places"].as_array().unwrap().clone();
    let off = |place: &Value| place["off_px"].as_f64().map(f64::abs);
    let near = paint.iter().filter_map(off).filter(|off| *off < 1.0).count();
    assert!(near * 2 > paint.len(), "{near} of {} places of paint lie where they are expected", paint.len());
}

#[test]
fn a_board_that_is_not_found_still_leaves_a_trace_of_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().display().to_string();
    let photo = photo().display().to_string();
    let told = error(&linecall(["score", &photo, "--board", "carrom-long-board", "--trace", &to]));
    assert!(!told.is_empty());
    let values = std::fs::read_to_string(folder.path().join("001/2-lines.json")).unwrap();
    let values: Value = serde_json::from_str(&values).unwrap();
    assert!(values["hypotheses"].as_u64().unwrap() > 0);
    assert!(values["refused"].as_str().is_some_and(|why| !why.is_empty()), "{values}");
}

#[test]
fn a_ledger_keeps_the_options_that_a_view_was_scored_with() {
    let folder = tempfile::tempdir().unwrap();
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead/001.jpg");
    let (photo, ledger) = (photo.display().to_string(), folder.path().join("match.ledger"));
    let ledger = ledger.display().to_string();
    let mine = options(&folder, "[detect]\nkind_distance_max = 0.01\nstrained_distance = 0.01\n");
    let recorded =
        linecall(["score", &photo, "--board", "carrom-court", "--options", &mine, "--match", &ledger]);
    text(&recorded);
    let again = linecall(["review", &ledger, "--rerun", "--options", "recorded"]);
    assert!(text(&again).contains("0 differ"));
    let given = linecall(["review", &ledger, "--rerun", "--options", &mine]);
    assert!(text(&given).contains("0 differ"));
    let by_default = linecall(["review", &ledger, "--rerun"]);
    assert_eq!(by_default.status.code(), Some(1), "the defaults find the pieces");
}

#[test]
fn every_piece_says_how_likely_it_is_there() {
    let report = report(&[]);
    let probability = |piece: &Value| piece["p_exists"].as_f64().unwrap();
    let told: Vec<f64> = report["pieces"].as_array().unwrap().iter().map(probability).collect();
    assert!(told.iter().all(|p| (0.0..=1.0).contains(p)), "{told:?}");
    let sure = told.iter().filter(|p| **p > 0.9).count();
    assert!(sure * 2 > told.len(), "most plain pieces are as good as certain: {told:?}");
}

#[test]
fn evidence_is_fitted_to_photos_with_truth_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").display().to_string();
    let fitted = |name: &str| {
        let (to, picture) = (folder.path().join(name), folder.path().join("existence.svg"));
        let to = to.display().to_string();
        let told = text(&linecall(["fit", &photos, "-o", &to, "--diagram", &picture.display().to_string()]));
        assert!(told.contains("taken for pieces"), "{told}");
        assert!(std::fs::read_to_string(picture).unwrap().starts_with("<svg"));
        std::fs::read_to_string(to).unwrap()
    };
    let first = fitted("a.toml");
    assert_eq!(first, fitted("b.toml"));
    let value: toml::Table = first.parse().unwrap();
    let number = |name: &str| value[name].as_float().unwrap();
    assert!(number("held_out_nats") > number("guess_nats"), "{first}");
    assert_eq!(value["sets"].as_array().unwrap().len(), 1);
}

#[test]
fn too_few_photos_are_no_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead");
    let to = folder.path().join("evidence.toml").display().to_string();
    let told = error(&linecall(["fit", &photos.display().to_string(), "-o", &to]));
    assert!(told.contains("too few to fit"), "{told}");
    assert!(!Path::new(&to).exists());
}
