//! Finding a board by its own lines: right where it is in view, refused where it is not.

use std::path::{Path, PathBuf};

use image::{Rgb, RgbImage};
use linecall::{
    board::{Board, End},
    camera::Camera,
    capture::Picture,
    evaluate::Truth,
    geometry::Paint,
    register::{FindOptions, cameras_from_corners, find_board},
};
use nalgebra::{Rotation2, Rotation3, Vector3};
use rand::{RngExt, SeedableRng};

fn photo(name: &str) -> (Picture, Camera, Board) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
    let truth = Truth::load(&path.with_extension("json")).unwrap();
    let picture = Picture::new(image::open(&path).unwrap().to_rgb8());
    (picture, truth.camera(), Board::named_or_at(&truth.board).unwrap())
}

/// Largest distance between where two cameras see the board's painted lines and corners, over what
/// is in the picture, up to turns of the board that look alike. What refinement starts on: further
/// out, where nothing is painted, a first camera may be off by more.
fn apart_px(found: &Camera, truth: &Camera, board: &Board) -> f64 {
    let [width, height] = truth.image_size.map(f64::from);
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let middle = nalgebra::Point2::new(w / 2.0, l / 2.0);
    let turns: &[f64] = if w == l { &[0.0, 90.0, 180.0, 270.0] } else { &[0.0, 180.0] };
    let mut points = board.corners().to_vec();
    for line in &board.lines {
        if let Paint::Stroke { from, to, .. } = line.paint {
            points.extend((0..=20).map(|i| from + (to - from) * (f64::from(i) / 20.0)));
        }
    }
    let worst = |turn: f64| {
        let turned = Rotation2::new(turn.to_radians());
        let mut worst = 0.0f64;
        for p in &points {
            let Some(seen) = truth.image_from_board(p.x, p.y, 0.0) else { continue };
            if seen.x < 0.0 || seen.y < 0.0 || seen.x >= width || seen.y >= height {
                continue;
            }
            let q = middle + turned * (p - middle);
            let there = found.image_from_board(q.x, q.y, 0.0);
            worst = worst.max(there.map_or(f64::INFINITY, |there| (there - seen).norm()));
        }
        worst
    };
    turns.iter().map(|&turn| worst(turn)).fold(f64::INFINITY, f64::min)
}

/// Refinement starts from here; it needs a few pixels, more in larger photos.
const TOLERANCE: f64 = 0.006;

fn assert_found(name: &str) {
    let (picture, truth, board) = photo(name);
    let found = find_board(&picture, &board, &FindOptions::default()).unwrap();
    let apart = apart_px(&found[0], &truth, &board);
    let tolerance = TOLERANCE * f64::from(truth.image_size[0]);
    assert!(apart < tolerance, "{name}: {apart:.1} px off, {tolerance:.1} allowed");
}

#[test]
fn every_board_is_found_from_straight_above() {
    for name in [
        "court-overhead/001.jpg",
        "longboard-overhead/001.jpg",
        "association-overhead/002.jpg",
        "carrom-overhead/001.jpg",
        "ludington-overhead/001.jpg",
    ] {
        assert_found(name);
    }
}

#[test]
fn boards_are_found_from_a_phone_at_an_angle() {
    for name in ["court-oblique-phone/000.jpg", "court-oblique-phone/001.jpg", "carrom-oblique-phone/001.jpg"]
    {
        assert_found(name);
    }
}

#[test]
fn dim_light_shadow_bands_hands_and_cups_do_not_hide_a_board() {
    for name in ["hard-light/000.jpg", "hard-light/001.jpg", "clutter/000.jpg", "clutter/001.jpg"] {
        assert_found(name);
    }
}

#[test]
fn a_photo_turned_by_a_quarter_gives_the_camera_turned_by_a_quarter() {
    let (picture, truth, board) = photo("court-overhead/001.jpg");
    let turned = Picture::new(image::imageops::rotate90(picture.rgb()));
    let found = find_board(&turned, &board, &FindOptions::default()).unwrap();
    let quarter = Rotation3::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2);
    let [width, height] = truth.image_size;
    let mut expected = truth;
    expected.image_size = [height, width];
    expected.lens.cx = f64::from(height) - 1.0 - truth.lens.cy;
    expected.lens.cy = truth.lens.cx;
    (expected.lens.fx, expected.lens.fy) = (truth.lens.fy, truth.lens.fx);
    (expected.lens.p1, expected.lens.p2) = (truth.lens.p2, -truth.lens.p1);
    expected.pose.rotation = quarter * truth.pose.rotation;
    expected.pose.translation_mm = quarter * truth.pose.translation_mm;
    assert!(apart_px(&found[0], &expected, &board) < 8.0);
}

#[test]
fn the_end_in_view_is_the_wanted_one() {
    let (picture, _, board) = photo("court-overhead/001.jpg");
    for (prefer_end, y_mm) in [(End::Far, 1540.0), (End::Near, 290.0)] {
        let options = FindOptions { prefer_end, ..FindOptions::default() };
        let camera = find_board(&picture, &board, &options).unwrap()[0];
        let middle = camera.image_from_board(200.0, y_mm, 0.0).unwrap();
        assert!(middle.x > 0.0 && middle.x < 1920.0 && middle.y > 0.0 && middle.y < 1080.0, "{prefer_end:?}");
    }
}

#[test]
fn a_square_board_is_read_upright() {
    let (picture, _, board) = photo("carrom-oblique-phone/001.jpg");
    let camera = find_board(&picture, &board, &FindOptions::default()).unwrap()[0];
    let seen = |x, y| camera.image_from_board(x, y, 0.0).unwrap();
    let (near, far) = (seen(370.0, 0.0), seen(370.0, 740.0));
    assert!((near - far).y > (near - far).x.abs(), "the near side is the lower one");
}

#[test]
fn the_same_photo_gives_the_same_cameras() {
    let (picture, _, board) = photo("ludington-overhead/001.jpg");
    let find = || find_board(&picture, &board, &FindOptions::default()).unwrap();
    assert_eq!(find(), find());
}

#[test]
fn other_boards_are_refused_with_a_reason() {
    for (name, wrong) in [
        ("court-overhead/000.jpg", "carrom-long-board"),
        ("court-overhead/000.jpg", "carrom-icf"),
        ("carrom-overhead/000.jpg", "carroms-ludington"),
        ("carrom-overhead/000.jpg", "carrom-court"),
        ("ludington-overhead/000.jpg", "carrom-icf"),
        ("longboard-overhead/000.jpg", "carrom-court"),
    ] {
        let (picture, ..) = photo(name);
        let wrong = Board::named_or_at(wrong).unwrap();
        let error = find_board(&picture, &wrong, &FindOptions::default()).expect_err(name).to_string();
        assert!(error.contains(&wrong.id) && error.contains(": "), "{error}");
    }
}

#[test]
fn pictures_of_nothing_are_refused() {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let noise = RgbImage::from_fn(640, 480, |_, _| Rgb(std::array::from_fn(|_| random.random())));
    let wall = RgbImage::from_pixel(800, 600, Rgb([180, 175, 160]));
    let tiles = RgbImage::from_fn(900, 700, |x, y| {
        if x % 90 < 3 || y % 90 < 3 { Rgb([90, 85, 80]) } else { Rgb([200, 195, 185]) }
    });
    let stripes = RgbImage::from_fn(900, 700, |x, _| if x % 60 < 30 { Rgb([220; 3]) } else { Rgb([40; 3]) });
    let dot = RgbImage::from_pixel(1, 1, Rgb([0, 0, 0]));
    for board in Board::shipped().unwrap() {
        for (name, picture) in
            [("noise", &noise), ("wall", &wall), ("tiles", &tiles), ("stripes", &stripes), ("dot", &dot)]
        {
            let found = find_board(&Picture::new(picture.clone()), &board, &FindOptions::default());
            assert!(found.is_err(), "{} found in {name}", board.id);
        }
    }
}

#[test]
fn a_blurred_photo_is_refused_or_found_right() {
    let (picture, truth, board) = photo("court-overhead/001.jpg");
    for sigma in [6.0, 25.0] {
        let blurred = Picture::new(image::imageops::fast_blur(picture.rgb(), sigma));
        if let Ok(found) = find_board(&blurred, &board, &FindOptions::default()) {
            assert!(apart_px(&found[0], &truth, &board) < 20.0, "blurred by {sigma} px");
        }
    }
}

#[test]
fn four_corners_of_a_true_camera_give_its_view() {
    let (_, truth, board) = photo("carrom-oblique-phone/001.jpg");
    let corners = board.corners().map(|c| truth.image_from_board(c.x, c.y, 0.0).unwrap());
    let found = cameras_from_corners(truth.image_size, &board, corners, &FindOptions::default()).unwrap();
    assert!(apart_px(&found[0], &truth, &board) < 12.0);
}

#[test]
fn the_boards_of_foreign_tables_load() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/boards");
    let mut loaded = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        Board::load(&path).unwrap_or_else(|error| panic!("{error}"));
        loaded += 1;
    }
    assert!(loaded >= 4);
}
