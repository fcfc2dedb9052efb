//! What a person gives the program besides a photo: corners, a camera file of a camera that was bumped
//! since, printed tags, taught colours, photos of a ChArUco board. Through the real program.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use image::{GrayImage, Luma, Rgb, RgbImage};
use linecall::{
    camera::{Camera, Lens, LensFile, Pose},
    evaluate::Truth,
    geometry::{Point, Vector},
};
use nalgebra::{Rotation3, Vector3};
use serde_json::Value;

fn photo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name)
}

fn linecall(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linecall")).args(arguments).output().unwrap()
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn score(arguments: &[&str]) -> Value {
    let output = linecall(&[&["score", "--json"], arguments].concat());
    assert!(output.status.success(), "{}", words(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Every true piece is among the reported ones, in its colour and within `tolerance_mm`, and nothing else.
fn assert_as_true(report: &Value, truth: &Truth, tolerance_mm: f64) {
    let pieces = report["pieces"].as_array().unwrap();
    assert_eq!(pieces.len(), truth.pieces.len(), "{report}");
    for piece in &truth.pieces {
        let off_mm = |found: &Value| {
            let at = |name: &str| found[name].as_f64().unwrap();
            (at("x_mm") - piece.x_mm).hypot(at("y_mm") - piece.y_mm)
        };
        let of_colour = pieces.iter().filter(|found| found["colour"] == piece.colour.as_str());
        let nearest_mm = of_colour.map(off_mm).fold(f64::INFINITY, f64::min);
        assert!(nearest_mm < tolerance_mm, "{} {piece:?}: {nearest_mm} mm", report["photo"]);
    }
}

fn truth_of(photo: &Path) -> Truth {
    Truth::load(&photo.with_extension("json")).unwrap()
}

#[test]
fn corners_that_a_person_gave_place_a_tilted_board() {
    let photo = photo("court-oblique-phone/000.jpg");
    let truth = truth_of(&photo);
    let board = linecall::board::Board::named_or_at(&truth.board).unwrap();
    // As a hand gives them: some pixels off.
    let hand = [(3.0, -2.0), (-2.0, 3.0), (2.0, 2.0), (-3.0, 1.0)];
    let corners: Vec<String> = board
        .corners()
        .iter()
        .zip(hand)
        .map(|(corner, (du, dv))| {
            let at = truth.camera().image_from_board(corner.x, corner.y, 0.0).unwrap();
            format!("{:.0},{:.0}", at.x + du, at.y + dv)
        })
        .collect();
    let arguments = [photo.to_str().unwrap(), "--board", &truth.board, "--corners", &corners.join(",")];
    let report = score(&arguments);
    assert_eq!(report["registration"]["method"], "corners");
    assert_as_true(&report, &truth, 1.5);
}

/// The photo as a camera would have taken it that was bumped: everything lies so many pixels further right
/// and down.
fn bumped(photo: &Path, (right, down): (u32, u32)) -> RgbImage {
    let still = image::open(photo).unwrap().to_rgb8();
    RgbImage::from_fn(still.width(), still.height(), |x, y| {
        *still.get_pixel(x.saturating_sub(right), y.saturating_sub(down))
    })
}

#[test]
fn a_bumped_camera_is_registered_again() {
    let folder = tempfile::tempdir().unwrap();
    let camera = folder.path().join("camera.toml");
    let (empty, pieces) = (photo("court-overhead/000.jpg"), photo("court-overhead/001.jpg"));
    let camera = camera.to_str().unwrap();
    let height_mm = format!("{:.0}", truth_of(&pieces).camera().pose.centre_mm().z);
    let made = linecall(&[
        "calibrate",
        empty.to_str().unwrap(),
        "--board",
        "carrom-court",
        "--height",
        &height_mm,
        "-o",
        camera,
    ]);
    assert!(made.status.success(), "{}", words(&made.stderr));
    // Not at all, by a little, and by more than the check of a fixed camera looks for.
    for (name, shift) in [("still", (0, 0)), ("knocked", (6, 4)), ("turned", (45, 30))] {
        let path = folder.path().join(format!("{name}.png"));
        bumped(&pieces, shift).save(&path).unwrap();
        let report = score(&[path.to_str().unwrap(), "--board", "carrom-court", "--camera", camera]);
        assert_as_true(&report, &truth_of(&pieces), 1.0);
    }
    // Nothing of the board is to be seen: better no score than one of a camera that may stand elsewhere.
    let dark = folder.path().join("dark.png");
    RgbImage::from_pixel(1920, 1080, Rgb([20, 18, 16])).save(&dark).unwrap();
    let output = linecall(&["score", dark.to_str().unwrap(), "--board", "carrom-court", "--camera", camera]);
    assert_eq!(output.status.code(), Some(1));
    assert!(words(&output.stderr).contains("still stands"), "{}", words(&output.stderr));
}

/// The cells of the first markers of the family aruco-4x4-50, row by row from the top left, white is 1.
const MARKERS: [u16; 17] = [
    0xb532, 0x0f9a, 0x332d, 0x9946, 0x549e, 0x79cd, 0x9e2e, 0xc4f2, 0xfeda, 0xcf56, 0xf991, 0x11a7, 0x0eb7,
    0x2a0f, 0x24b1, 0x263e, 0x4665,
];

/// Whether a marker is white at a place, given as shares of its side from its top left corner.
fn marker_is_white(id: usize, across: f64, down: f64) -> bool {
    let cell = |share: f64| (share * 6.0).floor() as i32;
    let (column, row) = (cell(across), cell(down));
    let is_inside = (1..5).contains(&column) && (1..5).contains(&row);
    is_inside && MARKERS[id] >> (15 - ((row - 1) * 4 + column - 1)) & 1 == 1
}

#[test]
fn printed_tags_place_a_board() {
    let folder = tempfile::tempdir().unwrap();
    let original = photo("court-overhead/001.jpg");
    let truth = truth_of(&original);
    let camera = truth.camera();
    let places = [(40.0, 1260.0), (360.0, 1260.0), (60.0, 1670.0), (330.0, 1660.0)];
    let size_mm = 30.0;
    let free = |(x, y): (f64, f64)| {
        truth.pieces.iter().all(|piece| (piece.x_mm - x).hypot(piece.y_mm - y) > size_mm + piece.diameter_mm)
    };
    let places: Vec<(f64, f64)> = places.into_iter().filter(|place| free(*place)).collect();
    assert!(places.len() >= 2, "the pieces leave too little room for tags");

    let mut picture = image::open(&original).unwrap().to_rgb8();
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let Some(at) = camera.board_from_image(f64::from(x), f64::from(y), 0.0) else { continue };
        for (id, (tag_x, tag_y)) in places.iter().enumerate() {
            let (right, up) = ((at.x - tag_x) / size_mm, (at.y - tag_y) / size_mm);
            if right.abs() < 0.75 && up.abs() < 0.75 {
                let on_tag = right.abs() < 0.5 && up.abs() < 0.5;
                let white = !on_tag || marker_is_white(id, right + 0.5, 0.5 - up);
                *pixel = if white { Rgb([236, 236, 236]) } else { Rgb([24, 24, 24]) };
            }
        }
    }
    let tagged = folder.path().join("tagged.png");
    picture.save(&tagged).unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/boards/carrom-court.toml");
    let mut file = std::fs::read_to_string(shipped).unwrap();
    for (id, (x, y)) in places.iter().enumerate() {
        file += &format!(
            "\n[[tags]]\nfamily = \"aruco-4x4-50\"\nid = {id}\ncentre = [{x}, {y}]\nsize_mm = {size_mm}\n"
        );
    }
    let board = folder.path().join("tagged-court.toml");
    std::fs::write(&board, file).unwrap();
    let report = score(&[tagged.to_str().unwrap(), "--board", board.to_str().unwrap()]);
    assert_eq!(report["registration"]["method"], "tags");
    assert_as_true(&report, &truth, 1.0);
}

#[test]
fn a_set_is_taught_and_known_again() {
    let folder = tempfile::tempdir().unwrap();
    let (camera, colours) = (folder.path().join("camera.toml"), folder.path().join("colours.toml"));
    let (camera, colours) = (camera.to_str().unwrap(), colours.to_str().unwrap());
    let pieces = photo("court-overhead/001.jpg");
    let pieces_path = pieces.to_str().unwrap();
    let taught =
        linecall(&["calibrate", pieces_path, "--board", "carrom-court", "-o", camera, "--teach", colours]);
    assert!(taught.status.success(), "{}", words(&taught.stderr));
    let report = score(&[pieces_path, "--board", "carrom-court", "--camera", camera, "--colours", colours]);
    assert_as_true(&report, &truth_of(&pieces), 1.0);
    // Another board's colours are refused.
    let other = photo("carrom-overhead/001.jpg");
    let output = linecall(&["score", other.to_str().unwrap(), "--board", "carrom-icf", "--colours", colours]);
    assert_eq!(output.status.code(), Some(1));
    assert!(words(&output.stderr).contains("carrom-court"), "{}", words(&output.stderr));
}

/// A ChArUco board of 7 x 5 squares, its lower left corner at the origin.
const SQUARES: [usize; 2] = [7, 5];
const SQUARE_MM: f64 = 30.0;
const MARKER_MM: f64 = 22.0;

fn charuco_is_white(at: Point) -> bool {
    let (column, row) = ((at.x / SQUARE_MM).floor(), SQUARES[1] as f64 - 1.0 - (at.y / SQUARE_MM).floor());
    let is_on = (0.0..SQUARES[0] as f64).contains(&column) && (0.0..SQUARES[1] as f64).contains(&row);
    if !is_on {
        return true;
    }
    let (column, row) = (column as usize, row as usize);
    if (column + row) % 2 == 0 {
        return false;
    }
    // Markers are numbered row by row, in the white squares.
    let id = (row * SQUARES[0] + column) / 2;
    let margin = (1.0 - MARKER_MM / SQUARE_MM) / 2.0;
    let share = |along: f64| (along.rem_euclid(SQUARE_MM) / SQUARE_MM - margin) / (1.0 - 2.0 * margin);
    let (across, down) = (share(at.x), 1.0 - share(at.y));
    let on_marker = (0.0..1.0).contains(&across) && (0.0..1.0).contains(&down);
    !on_marker || marker_is_white(id, across, down)
}

#[test]
fn photos_of_a_charuco_board_give_the_lens() {
    let folder = tempfile::tempdir().unwrap();
    let size = [640, 480];
    let lens = Lens { k1: -0.12, ..Lens::ideal(620.0, size) };
    let middle = Vector3::new(SQUARES[0] as f64, SQUARES[1] as f64, 0.0) * (SQUARE_MM / 2.0);
    let views = [(0.0, 0.0), (0.45, 0.0), (-0.4, 0.2), (0.1, 0.45), (-0.1, -0.4)];
    let mut paths = Vec::new();
    for (number, (about_x, about_y)) in views.into_iter().enumerate() {
        let down = Rotation3::new(Vector3::new(std::f64::consts::PI, 0.0, 0.0));
        let rotation = Rotation3::new(Vector3::new(about_x, about_y, 0.1 * number as f64)) * down;
        let translation_mm = Vector3::new(0.0, 0.0, 270.0) - rotation * middle;
        let camera = Camera { image_size: size, lens, pose: Pose { rotation, translation_mm } };
        let picture = GrayImage::from_fn(size[0], size[1], |x, y| {
            let mut white = 0;
            for (du, dv) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
                let at = camera.board_from_image(f64::from(x) + du, f64::from(y) + dv, 0.0);
                white += u8::from(at.is_none_or(charuco_is_white));
            }
            Luma([30 + 50 * white])
        });
        let path = folder.path().join(format!("charuco-{number}.png"));
        picture.save(&path).unwrap();
        paths.push(path.to_str().unwrap().to_owned());
    }
    let file = folder.path().join("lens.toml");
    let mut arguments: Vec<&str> = vec!["calibrate"];
    arguments.extend(paths.iter().map(String::as_str));
    arguments.extend(["--charuco", "7x5", "--square", "30", "--marker", "22", "-o", file.to_str().unwrap()]);
    let output = linecall(&arguments);
    assert!(output.status.success(), "{}", words(&output.stderr));
    let found = LensFile::load(&file).unwrap();
    assert!(found.rms_px < 0.3, "{found:?}");
    assert!((found.lens.fx / lens.fx - 1.0).abs() < 0.01, "{found:?}");
    assert!((found.lens.cx - lens.cx).abs() < 4.0 && (found.lens.cy - lens.cy).abs() < 4.0, "{found:?}");
    // What the lens does where the pattern was seen, about its own middle, which trades with the poses;
    // not its polynomial's terms, which trade with each other.
    let ray = |lens: &Lens| lens.ray_from_pixel(lens.cx - 200.0, lens.cy - 130.0).unwrap();
    let ((x, y), (true_x, true_y)) = (ray(&found.lens), ray(&lens));
    assert!(Vector::new(x - true_x, y - true_y).norm() < 0.004, "{found:?}");
}
