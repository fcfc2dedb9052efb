//! `linecall calibrate` from photos to camera file.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use linecall::camera::CameraFile;

fn photo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name)
}

fn calibrate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).arg("calibrate").args(arguments).output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Where the true camera of a photo stands, from the truth beside it.
fn true_height_mm(photo: &Path) -> f64 {
    let truth: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(photo.with_extension("json")).unwrap()).unwrap();
    let number = |i: usize| {
        let (r, t) = (&truth["extrinsics"]["R"][i][2], &truth["extrinsics"]["t"][i]);
        r.as_f64().unwrap() * t.as_f64().unwrap()
    };
    -(number(0) + number(1) + number(2))
}

#[test]
fn a_photo_and_the_height_make_a_camera_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, drawn) = (folder.path().join("camera.toml"), folder.path().join("check.png"));
    let empty = photo("court-overhead/000.jpg");
    let height_mm = true_height_mm(&empty);
    let output = calibrate(&[
        empty.to_str().unwrap(),
        "--board",
        "carrom-court",
        "--height",
        &format!("{height_mm:.0}"),
        "-o",
        file.to_str().unwrap(),
        "--annotate",
        drawn.to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let words = text(&output.stdout);
    assert!(words.contains("without the camera's height it would be"), "{words}");
    let camera = CameraFile::load(&file).expect("a camera file");
    assert_eq!(camera.board, "carrom-court");
    assert_eq!(camera.camera.image_size, [1920, 1080]);
    assert!((camera.camera.pose.centre_mm().z - height_mm).abs() < 25.0);
    assert!(camera.quality.worst_piece_sigma_mm < 0.3, "{:?}", camera.quality);
    assert_eq!(image::image_dimensions(&drawn).unwrap(), (1920, 1080));
}

#[test]
fn what_the_height_costs_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("camera.toml");
    let photos = [photo("court-overhead/000.jpg"), photo("court-overhead/001.jpg")];
    let output = calibrate(&[
        photos[0].to_str().unwrap(),
        photos[1].to_str().unwrap(),
        "--board",
        "carrom-court",
        "-o",
        file.to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let words = text(&output.stdout);
    assert!(words.contains("with --height MM (by tape, good to 2 cm) it would be ±0."), "{words}");
    assert!(words.contains("from 2 photos"), "{words}");
    let camera = CameraFile::load(&file).expect("a camera file");
    assert_eq!(camera.origin.photos.len(), 2);
    assert_eq!(camera.origin.height_mm, None);
}

#[test]
fn wrong_calls_of_calibrate_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("camera.toml");
    let output = file.to_str().unwrap();
    let empty = photo("court-overhead/000.jpg");
    let empty = empty.to_str().unwrap();
    let status = |arguments: &[&str]| {
        let result = calibrate(arguments);
        (result.status.code(), text(&result.stderr))
    };
    let (code, words) = status(&["--board", "carrom-court", "-o", output]);
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("PHOTO"), "{words}");
    let (code, words) = status(&[empty, "--board", "carrom-court", "--height", "-5", "-o", output]);
    assert_eq!(code, Some(2), "{words}");
    let (code, words) = status(&["none.jpg", "--board", "carrom-court", "-o", output]);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("none.jpg"), "{words}");
    let (code, words) = status(&[empty, "--board", "carrom-court", "-o", folder.path().to_str().unwrap()]);
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("is a directory"), "{words}");
    // The height of another room.
    let (code, words) = status(&[empty, "--board", "carrom-court", "--height", "9000", "-o", output]);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("does not fit the photo"), "{words}");
    let (code, words) = status(&[empty, "--chessboard", "9x6", "--square", "25", "-o", output]);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("seen in 0 of 1 photos"), "{words}");
    assert!(!file.exists(), "nothing may be written by a failed run");
}

/// From straight above a photo hardly knows the camera's height, and least upward.
#[test]
fn the_true_height_of_a_camera_straight_above_is_not_refused() {
    use linecall::{
        rules::GameId,
        simulate::{EveningOptions, film_evening},
    };
    let folder = tempfile::tempdir().unwrap();
    let (file, first) = (folder.path().join("camera.toml"), folder.path().join("first.png"));
    let mut height_mm = 0.0;
    // It ends with the first frame.
    let _ = film_evening(&EveningOptions::new(GameId::Ludington, 1, 25), &mut |frame, photo| {
        height_mm = frame.scene.camera.pose.centre_mm().z;
        photo.picture.save(&first).unwrap();
        std::ops::ControlFlow::Break(())
    });
    let height = format!("{height_mm:.0}");
    let (first, to) = (first.to_str().unwrap(), file.to_str().unwrap());
    let output = calibrate(&[first, "--board", "carroms-ludington", "--height", &height, "-o", to]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let camera = CameraFile::load(&file).expect("a camera file");
    assert!((camera.camera.pose.centre_mm().z - height_mm).abs() < 25.0);
    let output = calibrate(&[first, "--board", "carroms-ludington", "--height", "70", "-o", to]);
    assert!(!output.status.success(), "seven centimetres for two metres is a slip of the tape");
}
