//! `linecall replay` over recordings in which the camera has trouble: the run goes on, says so once,
//! and the match ends as it truly did.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::replay::{camera, replay, sequence};

/// Still frames after the seventh shot, between which the trouble comes.
const BETWEEN: [&str; 2] = ["051", "052"];

/// The filmed half round with other frames put in after a still one.
fn with_frames(folder: &TempDir, count: usize, make: impl Fn(&image::RgbImage) -> Vec<u8>) -> PathBuf {
    let frames = folder.path().join("frames");
    std::fs::create_dir(&frames).unwrap();
    for entry in std::fs::read_dir(sequence()).unwrap().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|ending| ending == "jpg") {
            std::fs::copy(entry.path(), frames.join(entry.file_name())).unwrap();
        }
    }
    let last = image::open(sequence().join(format!("{}.jpg", BETWEEN[0]))).unwrap().to_rgb8();
    let made = make(&last);
    for index in 0..count {
        std::fs::write(frames.join(format!("{}-{index:03}.jpg", BETWEEN[0])), &made).unwrap();
    }
    frames
}

fn jpeg(picture: &image::RgbImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

/// Replays and gives the scores and what was said.
fn scores_of(frames: &Path, camera: &Path) -> (serde_json::Value, String) {
    let output = replay(frames, camera, &["--json"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let record = linecall::rules::match_file::play(&output.stdout, None).unwrap();
    (linecall::rules::report::json(&record)["scores"].clone(), told)
}

fn true_scores() -> serde_json::Value {
    let text = std::fs::read_to_string(sequence().join("sequence.json")).unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap()["final_tally"].clone()
}

/// A frame that is cut off in the middle of its file ended the whole run.
#[test]
fn frames_that_cannot_be_decoded_are_passed_over_and_said_once() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    let frames = with_frames(&folder, 3, |last| {
        let mut bytes = jpeg(last);
        bytes.truncate(bytes.len() / 50);
        bytes
    });
    let (scores, told) = scores_of(&frames, &camera);
    assert_eq!(scores, true_scores(), "{told}");
    assert_eq!(told.matches("passed over, as all such frames").count(), 1, "{told}");
    assert!(told.contains("3 frames could not be read"), "{told}");
}

/// The lights go out for ten seconds, and on again.
#[test]
fn black_frames_are_waited_through() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    let frames = with_frames(&folder, 40, |last| jpeg(&image::RgbImage::new(last.width(), last.height())));
    let (scores, told) = scores_of(&frames, &camera);
    assert_eq!(scores, true_scores(), "{told}");
    assert!(!told.contains("to be confirmed"), "{told}");
    assert_eq!(told.matches("the picture is dark; nothing is called").count(), 1, "{told}");
    assert_eq!(told.matches("the board is seen again").count(), 1, "{told}");
}

/// A cloth lies over half of the board for ten seconds: what is under it is unknown, and stays.
#[test]
fn a_cloth_over_the_pucks_takes_none_away() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    let frames = with_frames(&folder, 40, |last| {
        let mut covered = last.clone();
        let (width, height) = covered.dimensions();
        for (x, y, pixel) in covered.enumerate_pixels_mut() {
            if x < width * 55 / 100 && y < height {
                let fold = 20 * u8::from((x / 9 + y / 13) % 2 == 0);
                pixel.0 = [90 + fold, 30 + fold, 110 + fold];
            }
        }
        jpeg(&covered)
    });
    let (scores, told) = scores_of(&frames, &camera);
    assert_eq!(scores, true_scores(), "{told}");
}

/// `--trace` writes pictures of what was seen, and a run that recorded nothing says why.
#[test]
fn a_run_that_recorded_nothing_says_why_and_shows_it() {
    let folder = TempDir::new().unwrap();
    let camera = camera(&folder);
    let black = image::RgbImage::new(16, 16);
    let frames = with_frames(&folder, 0, |_| jpeg(&black));
    // Only the first shot is left.
    for entry in std::fs::read_dir(&frames).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().as_ref() > "008" {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    let trace = folder.path().join("trace");
    let output = replay(&frames, &camera, &["--json", "--trace", trace.to_str().unwrap()]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("nothing was recorded. Of "), "{told}");
    assert!(told.contains("% everything is at rest") && told.contains("shows it"), "{told}");
    let names: Vec<String> = std::fs::read_dir(&trace)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().any(|name| name == "trace.txt"), "{names:?}");
    assert!(names.iter().any(|name| name.ends_with("-settled.png")), "{names:?}");
}
