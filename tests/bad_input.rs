//! Bad input through the real program: one clear sentence, exit status 1, never a panic.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

use crate::score::fixture;

fn score(photos: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall"))
        .arg("score")
        .args(photos)
        .args(["--board", "carrom-court", "--json"])
        .output()
        .unwrap()
}

/// The sentence on standard error, of a run that must fail in words.
fn refusal(photo: &Path) -> String {
    let output = score(&[photo]);
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{}: {words}", photo.display());
    assert!(!words.contains("panicked") && !words.contains("bug"), "{words}");
    assert_eq!(words.lines().count(), 1, "{words}");
    assert!(words.contains(&photo.display().to_string()), "the photo is not named: {words}");
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(line["error"].is_string() && line["photo"].is_string());
    words
}

fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn files_that_are_no_pictures() {
    let folder = TempDir::new().unwrap();
    assert!(refusal(folder.path()).contains("is a directory"));
    assert!(refusal(&folder.path().join("nothing.jpg")).contains("No such file"));
    assert!(refusal(&write(&folder, "empty.jpg", b"")).contains("is empty"));
    let heic = write(&folder, "phone.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic");
    let words = refusal(&heic);
    assert!(words.contains("is a HEIC photo") && words.contains("JPEG"), "{words}");
    assert!(refusal(&write(&folder, "film.jpg", b"\0\0\0\x18ftypisom\0\0\0\0")).contains("is a video"));
    assert!(refusal(&write(&folder, "text.jpg", b"not a photo at all")).contains("is not a picture"));
}

#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe.jpg");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    assert!(refusal(&pipe).contains("pipe"));
}

#[test]
fn cut_off_photos() {
    let folder = TempDir::new().unwrap();
    let whole = std::fs::read(fixture("court-overhead/001.jpg")).unwrap();
    for share in [0.999, 0.5, 0.05] {
        let cut = (whole.len() as f64 * share) as usize;
        let words = refusal(&write(&folder, "cut.jpg", &whole[..cut]));
        assert!(words.contains("cut off") || words.contains("damaged"), "{words}");
    }
    let noise: Vec<u8> =
        whole[..20].iter().copied().chain((0..5000_u32).map(|i| ((i * 7919) >> 3) as u8)).collect();
    refusal(&write(&folder, "noise.jpg", &noise));
}

#[test]
fn pictures_that_are_too_small_or_claim_too_much() {
    let folder = TempDir::new().unwrap();
    let tiny = folder.path().join("tiny.png");
    image::RgbImage::new(1, 1).save(&tiny).unwrap();
    assert!(refusal(&tiny).contains("too small"));
    // The header of a BMP of 20,000 x 20,000, which would decode to over a gigabyte.
    let bomb = folder.path().join("bomb.bmp");
    let mut header = vec![0_u8; 54];
    header[..2].copy_from_slice(b"BM");
    header[10..14].copy_from_slice(&54_u32.to_le_bytes());
    header[14..18].copy_from_slice(&40_u32.to_le_bytes());
    header[18..22].copy_from_slice(&20_000_i32.to_le_bytes());
    header[22..26].copy_from_slice(&20_000_i32.to_le_bytes());
    header[26..28].copy_from_slice(&1_u16.to_le_bytes());
    header[28..30].copy_from_slice(&24_u16.to_le_bytes());
    std::fs::write(&bomb, header).unwrap();
    assert!(refusal(&bomb).contains("20000 x 20000"));
}

#[test]
fn a_photo_of_something_else_says_that_there_is_no_board() {
    let folder = TempDir::new().unwrap();
    let checks = folder.path().join("checks.png");
    image::RgbImage::from_fn(800, 600, |x, y| {
        let dark = (x / 40 + y / 40) % 2 == 0;
        image::Rgb(if dark { [30, 40, 35] } else { [200, 190, 170] })
    })
    .save(&checks)
    .unwrap();
    assert!(refusal(&checks).contains("was not found"));
    let grey = folder.path().join("grey.png");
    image::RgbImage::from_pixel(800, 600, image::Rgb([128, 128, 128])).save(&grey).unwrap();
    assert!(refusal(&grey).contains("was not found"));
    let cmyk = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/bad-input/cmyk.jpg");
    refusal(&cmyk);
}

#[test]
fn other_kinds_of_pictures_are_scored_as_the_photo_they_hold() {
    let folder = TempDir::new().unwrap();
    let photo = image::open(fixture("court-overhead/001.jpg")).unwrap();
    let tally = |path: &Path| {
        let output = score(&[path]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report["tally"].clone()
    };
    let expected = serde_json::json!({"red": 0, "blue": -10});
    let deep = folder.path().join("deep.png");
    photo.to_rgb16().save(&deep).unwrap();
    assert_eq!(tally(&deep), expected);
    let clear = folder.path().join("alpha.png");
    photo.to_rgba8().save(&clear).unwrap();
    assert_eq!(tally(&clear), expected);
}

#[test]
fn a_grey_photo_never_gives_a_sure_wrong_tally() {
    let folder = TempDir::new().unwrap();
    let grey = folder.path().join("grey.jpg");
    image::open(fixture("court-overhead/001.jpg")).unwrap().to_luma8().save(&grey).unwrap();
    let output = score(&[&grey]);
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(line["error"].as_str().is_some_and(|words| words.contains("has no colours")), "{line}");
    let sure = line["doubts"].as_array().is_some_and(Vec::is_empty) && line["foreign"].is_null();
    let right = line["tally"] == serde_json::json!({"red": 0, "blue": -10});
    assert!(output.status.code() == Some(1) || right || !sure, "{line}");
}

#[test]
fn in_a_batch_the_others_go_on() {
    let folder = TempDir::new().unwrap();
    let bad = write(&folder, "bad.jpg", b"junk");
    let good = fixture("court-overhead/001.jpg");
    let output = score(&[&bad, &good, folder.path()]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0]["error"].is_string() && lines[2]["error"].is_string());
    assert_eq!(lines[1]["tally"], serde_json::json!({"red": 0, "blue": -10}));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("1 scored, 2 failed"), "{words}");
}
