//! What a person gives that is wrong is told, and never becomes a score.

use std::process::{Command, Output};

use linecall::{board::Board, evaluate::Truth};

use crate::score::fixture;

fn linecall(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

/// A photo's corners as its true camera sees them, and the camera's height.
fn truth(photo: &str) -> ([[f64; 2]; 4], f64) {
    let truth = Truth::load(&fixture(photo).with_extension("json")).unwrap();
    let camera = truth.camera();
    let board = Board::named_or_at(&truth.board).unwrap();
    let corners = board.corners().map(|corner| {
        let seen = camera.image_from_board(corner.x, corner.y, 0.0).unwrap();
        [seen.x, seen.y]
    });
    (corners, camera.pose.centre_mm().z)
}

fn with_corners(photo: &str, corners: [[f64; 2]; 4]) -> Output {
    let corners: Vec<String> = corners.iter().flatten().map(|number| format!("{number:.1}")).collect();
    let photo = fixture(photo);
    linecall(&[
        "score",
        photo.to_str().unwrap(),
        "--board",
        "carrom-icf",
        "--json",
        "--corners",
        &corners.join(","),
    ])
}

/// A photo with all four corners in it.
const PHOTO: &str = "carrom-oblique-phone/001.jpg";

#[test]
fn corners_are_judged_like_any_other_hypothesis() {
    let (right, _) = truth(PHOTO);
    let output = with_corners(PHOTO, right);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let moved = |corner: usize, by: [f64; 2]| {
        let mut corners = right;
        corners[corner] = [corners[corner][0] + by[0], corners[corner][1] + by[1]];
        corners
    };
    let middle = right.iter().fold([0.0, 0.0], |sum, at| [sum[0] + at[0] / 4.0, sum[1] + at[1] / 4.0]);
    let shrunk =
        right.map(|at| [middle[0] + (at[0] - middle[0]) * 0.6, middle[1] + (at[1] - middle[1]) * 0.6]);
    let aside = right.map(|at| [at[0] + 80.0, at[1] - 60.0]);
    for wrong in [moved(0, [200.0, 0.0]), moved(2, [-150.0, 120.0]), shrunk, aside] {
        let output = with_corners(PHOTO, wrong);
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{wrong:?}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(words.contains("corners") || words.contains("was not found"), "{words}");
    }
}

#[test]
fn corners_outside_of_the_picture_need_the_paint_to_bear_them_out() {
    for wrong in [
        [[-3000.0, 900.0], [5000.0, 900.0], [4000.0, -900.0], [-2000.0, -900.0]],
        [[100.0, 5000.0], [1500.0, 5000.0], [1400.0, 100.0], [200.0, 100.0]],
    ] {
        let output = with_corners(PHOTO, wrong);
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(words.contains("corners") || words.contains("was not found"), "{words}");
    }
}

#[test]
fn a_height_in_another_unit_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for photo in ["court-overhead/000.jpg", "carrom-overhead/000.jpg", "ludington-overhead/000.jpg"] {
        let (_, height_mm) = truth(photo);
        let path = fixture(photo);
        let board = Truth::load(&path.with_extension("json")).unwrap().board;
        for (typed, unit) in
            [(height_mm / 10.0, "centimetres"), (height_mm / 25.4, "inches"), (height_mm / 1000.0, "metres")]
        {
            let file = folder.path().join("camera.toml");
            let output = linecall(&[
                "calibrate",
                path.to_str().unwrap(),
                "--board",
                &board,
                "--height",
                &format!("{typed:.1}"),
                "-o",
                file.to_str().unwrap(),
            ]);
            let words = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{photo} {typed:.1}: accepted");
            assert!(words.contains(unit) || unit == "inches", "{photo} {typed:.1}: {words}");
            assert!(!file.exists());
        }
    }
}
