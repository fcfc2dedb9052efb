//! A fixed camera that still sees the board where it did, and one that was bumped.

use std::path::Path;

use linecall::{
    board::Board,
    capture::{PhotoLimits, Picture, load_photo},
    evaluate::Truth,
    register::{
        CameraPrior, CameraWatch, FindOptions, RefineOptions, Registration, check_camera, find_board, refine,
    },
};
use nalgebra::Vector3;

fn picture(name: &str) -> Picture {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
    load_photo(&path, &PhotoLimits::default()).unwrap()
}

fn calibrated(board: &Board) -> Registration {
    let empty = picture("court-overhead/000.jpg");
    let first = find_board(&empty, board, &FindOptions::default()).unwrap().remove(0);
    refine(&empty, board, &first, &CameraPrior::default(), &RefineOptions::default()).unwrap()
}

#[test]
fn a_bumped_camera_is_noticed() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let options = RefineOptions::default();
    let with_pieces = picture("court-overhead/001.jpg");
    let mut camera = calibrated(&board).camera;
    let still = check_camera(&with_pieces, &board, &camera, &options).expect("lines are in view");
    assert!(still.moved_px < 0.5, "{still:?}");
    assert!(still.found_share > 0.8, "{still:?}");

    // Five pixels to the side.
    camera.pose.translation_mm.x += 5.0 * camera.pose.translation_mm.z / camera.lens.fx;
    let bumped = check_camera(&with_pieces, &board, &camera, &options).expect("lines are in view");
    assert!((3.5..6.5).contains(&bumped.moved_px), "{bumped:?}");
}

#[test]
fn a_camera_that_looks_elsewhere_cannot_be_told() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let options = RefineOptions::default();
    let camera = calibrated(&board).camera;
    let blank = Picture::new(image::RgbImage::from_pixel(1920, 1080, image::Rgb([120, 110, 100])));
    assert_eq!(check_camera(&blank, &board, &camera, &options), None);
    let error = refine(&blank, &board, &camera, &CameraPrior::default(), &options).unwrap_err().to_string();
    assert!(error.contains("places show paint"), "{error}");
    let small = Picture::new(image::RgbImage::new(640, 480));
    let error = refine(&small, &board, &camera, &CameraPrior::default(), &options).unwrap_err().to_string();
    assert!(error.contains("640 x 480"), "{error}");
}

/// The long board's lines are parallel: only its rails tell where it lies along them.
#[test]
fn a_long_boards_camera_stands_still_until_it_is_bumped_sideways() {
    let board = Board::named_or_at("carrom-long-board").unwrap();
    let name = "longboard-overhead/001.jpg";
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/longboard-overhead/001.json");
    let camera = Truth::load(&truth).unwrap().camera();
    let with_pieces = picture(name);
    let options = RefineOptions { max_stations: 150, ..RefineOptions::default() };
    let watch = CameraWatch::new(&board, &camera, &options);
    let still = watch.check(&with_pieces, &board).expect("lines and rails are in view");
    assert!(still.moved_px < 1.0, "{still:?}");

    // Six pixels along the lines, which the lines themselves do not show.
    let across_px = 6.0;
    let mut bumped = camera;
    let along_lines = camera.pose.rotation * Vector3::x();
    bumped.pose.translation_mm += along_lines * (across_px * camera.pose.centre_mm().z / camera.lens.fx);
    let bumped = CameraWatch::new(&board, &bumped, &options).check(&with_pieces, &board);
    let bumped = bumped.expect("lines and rails are in view");
    assert!((4.0..8.0).contains(&bumped.moved_px), "{bumped:?}");
}
