//! Every piece and nothing else, on photos with truth and the true camera.
//!
//! `LINECALL_PHOTOS=DIR cargo test --release detect -- --nocapture` prints the table for other
//! photos than the fixtures.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use linecall::{
    board::Board,
    camera::{Camera, Lens, Pose},
    capture::Picture,
    detect::{Candidate, DetectOptions, Detector, TaughtColours, detect},
    geometry::Point,
    simulate::{SceneFile, SetOptions, View, render, set_scene},
};
use nalgebra::{Rotation3, Vector3};
use serde_json::Value;

use crate::truth::true_camera;

/// How far a candidate may be from its piece, in mm for a piece of 30 mm: measuring starts from it.
const PLACE_TOLERANCE_MM: f64 = 4.0;

pub fn photos() -> Vec<(PathBuf, Value)> {
    let root = std::env::var_os("LINECALL_PHOTOS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos"), PathBuf::from);
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "json") {
                let truth: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
                if truth.get("intrinsics").is_some() {
                    found.push((path.with_extension("jpg"), truth));
                }
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

pub fn read(path: &Path) -> Picture {
    Picture::new(image::open(path).unwrap().to_rgb8())
}

/// What is wrong with the candidates of a photo.
pub fn faults(board: &Board, truth: &Value, candidates: &[Candidate]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut left: Vec<&Candidate> = candidates.iter().collect();
    for piece in truth["pieces"].as_array().unwrap() {
        let number = |key: &str| piece[key].as_f64().unwrap_or(0.0);
        let at = Point::new(number("x_mm"), number("y_mm"));
        let name = piece["colour"].as_str().unwrap();
        let tolerance_mm = PLACE_TOLERANCE_MM * number("diameter_mm") / 30.0;
        // A piece on another one is as near to both: of those in reach the one of its kind.
        let nearest =
            (0..left.len()).filter(|&i| (left[i].centre - at).norm() < tolerance_mm).min_by_key(|&i| {
                (board.pieces[left[i].kind].name != name, (1e3 * (left[i].centre - at).norm()) as i64)
            });
        match nearest {
            Some(i) => {
                let found = left.remove(i);
                if board.pieces[found.kind].name != name {
                    faults.push(format!("{name} at {at:.1} taken for {}", board.pieces[found.kind].name));
                }
                if found.stacked != (number("z_mm") > 0.0) {
                    faults.push(format!("{name} at {at:.1}: stacked is {}", found.stacked));
                }
            }
            None if piece["in_view"] != false && piece["moving"] != true => {
                faults.push(format!("{name} at {at:.1} missed"));
            }
            None => {}
        }
    }
    faults.extend(left.iter().map(|c| format!("extra {} at {:.1}", board.pieces[c.kind].name, c.centre)));
    faults
}

#[test]
fn every_piece_and_nothing_else() {
    let mut all_faults = Vec::new();
    let mut pieces_by_folder: BTreeMap<String, usize> = BTreeMap::new();
    for (path, truth) in photos() {
        let board = Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
        let candidates = detect(&read(&path), &board, &true_camera(&truth), &DetectOptions::default());
        let faults = faults(&board, &truth, &candidates);
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        *pieces_by_folder.entry(folder.clone()).or_default() += truth["pieces"].as_array().unwrap().len();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        all_faults.extend(faults.into_iter().map(|fault| format!("{folder}/{name}: {fault}")));
    }
    println!("pieces: {pieces_by_folder:?}");
    assert!(!pieces_by_folder.is_empty(), "no photos");
    assert!(all_faults.is_empty(), "{}", all_faults.join("\n"));
}

#[test]
fn the_same_picture_gives_the_same_candidates() {
    let (path, truth) = photos().into_iter().find(|(p, _)| p.to_string_lossy().contains("carrom")).unwrap();
    let board = Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
    let picture = read(&path);
    let detector = Detector::new(&board, &true_camera(&truth), picture.size(), &DetectOptions::default());
    let first = format!("{:?}", detector.detect(&picture));
    let again: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> =
            (0..3).map(|_| scope.spawn(|| format!("{:?}", detector.detect(&picture)))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(again.iter().all(|other| *other == first));
}

#[test]
fn pictures_that_show_no_board_have_no_pieces() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let looking_away = |image_size: [u32; 2]| Camera {
        image_size,
        lens: Lens::ideal(1000.0, image_size),
        pose: Pose::from_rotation_vector(Vector3::zeros(), Vector3::new(0.0, 0.0, 500.0)),
    };
    for size in [[1, 1], [2, 3], [640, 480]] {
        let picture = Picture::new(image::RgbImage::from_pixel(size[0], size[1], image::Rgb([9, 9, 9])));
        let found = detect(&picture, &board, &looking_away(size), &DetectOptions::default());
        assert!(found.is_empty(), "{size:?}: {found:?}");
    }
}

#[test]
fn a_flat_picture_has_no_pieces() {
    let (_, truth) = photos().into_iter().find(|(p, _)| p.to_string_lossy().contains("court")).unwrap();
    let board = Board::named_or_at("carrom-court").unwrap();
    let camera = true_camera(&truth);
    for value in [0, 1, 128, 255] {
        let [w, h] = camera.image_size;
        let picture = Picture::new(image::RgbImage::from_pixel(w, h, image::Rgb([value; 3])));
        let found = detect(&picture, &board, &camera, &DetectOptions::default());
        assert!(found.is_empty(), "value {value}: {found:?}");
    }
}

/// A camera straight above the middle of the far half of the court.
fn overhead() -> Camera {
    let image_size = [1600, 900];
    let down = Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    let turned = Rotation3::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2) * down;
    let eye = Vector3::new(200.0, 1400.0, 1500.0);
    Camera {
        image_size,
        lens: Lens::ideal(2300.0, image_size),
        pose: Pose { rotation: turned, translation_mm: -(turned * eye) },
    }
}

/// Discs as high as a puck on a bare board, under light that falls off to one side.
fn painted(camera: &Camera, discs: &[(Point, f64, [u8; 3])]) -> Picture {
    const TOP_MM: f64 = 12.0;
    let [w, h] = camera.image_size;
    Picture::new(image::RgbImage::from_fn(w, h, |u, v| {
        let at = camera.board_from_image(f64::from(u), f64::from(v), TOP_MM).unwrap();
        let on = discs.iter().find(|(centre, diameter_mm, _)| (at - centre).norm() < diameter_mm / 2.0);
        let colour = on.map_or([216, 185, 140], |(_, _, colour)| *colour);
        let light = 0.5 + 0.5 * f64::from(u) / f64::from(w);
        image::Rgb(colour.map(|value| (f64::from(value) * light) as u8))
    }))
}

const RED: [u8; 3] = [184, 31, 42];
const BLUE: [u8; 3] = [31, 63, 168];

#[test]
fn only_discs_of_a_pieces_size_and_colour_are_pieces() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let camera = overhead();
    let kinds = |discs: &[(Point, f64, [u8; 3])]| -> Vec<String> {
        let found = detect(&painted(&camera, discs), &board, &camera, &DetectOptions::default());
        found.iter().map(|c| board.pieces[c.kind].name.clone()).collect()
    };
    let at = Point::new(150.0, 1400.0);
    assert_eq!(kinds(&[(at, 30.0, RED)]), ["red"]);
    assert_eq!(kinds(&[(at, 30.0, BLUE)]), ["blue"]);
    for diameter_mm in [20.0, 24.0, 26.5, 34.0, 40.0, 70.0] {
        assert_eq!(kinds(&[(at, diameter_mm, RED)]), [""; 0], "{diameter_mm} mm");
    }
    // White is nearer to a glossy blue than to any other kind, but has too little of its hue.
    for colour in [[240, 240, 240], [30, 160, 60], [230, 220, 40]] {
        assert_eq!(kinds(&[(at, 30.0, colour)]), [""; 0], "{colour:?}");
    }
    // Two that touch are two, and one off the surface is none.
    assert_eq!(
        kinds(&[(at, 30.0, RED), (at + nalgebra::Vector2::new(30.0, 0.0), 30.0, RED)]),
        ["red", "red"]
    );
    assert_eq!(kinds(&[(Point::new(-20.0, 1400.0), 30.0, RED)]), [""; 0]);
}

#[test]
fn no_kind_has_more_pieces_than_the_board() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let camera = overhead();
    let discs: Vec<_> =
        (0..6).map(|i| (Point::new(100.0 + 35.0 * f64::from(i), 1300.0), 30.0, RED)).collect();
    let picture = painted(&camera, &discs);
    let detector = Detector::new(&board, &camera, picture.size(), &DetectOptions::default());
    let found = detector.detect(&picture);
    assert_eq!(found.pieces.len(), 4, "{found:?}");
    assert_eq!(found.foreign.len(), 2, "{found:?}");
}

#[test]
fn a_taught_colour_is_known_again() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let camera = overhead();
    const ORANGE_RED: [u8; 3] = [214, 70, 40];
    let discs = [(Point::new(100.0, 1300.0), 30.0, ORANGE_RED), (Point::new(250.0, 1500.0), 30.0, BLUE)];
    let picture = painted(&camera, &discs);
    let detector = Detector::new(&board, &camera, picture.size(), &DetectOptions::default());
    let taught = TaughtColours::of(&board, &detector.detect_set(&[&picture]));
    assert_eq!(taught.stops.keys().collect::<Vec<_>>(), ["blue", "red"]);
    let options = DetectOptions { taught: Some(taught), ..DetectOptions::default() };
    let found = detect(&picture, &board, &camera, &options);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| c.kind_probability > 0.999), "{found:?}");
}

/// Colours that no kind of the court has.
const MINT: [u8; 3] = [120, 225, 170];
const YELLOW: [u8; 3] = [240, 215, 30];

/// Pucks of two colours on the court.
fn two_colours(one: [u8; 3], other: [u8; 3]) -> Vec<(Point, f64, [u8; 3])> {
    let puck = |(i, colour): (u32, [u8; 3])| (Point::new(90.0 + 60.0 * f64::from(i), 1330.0), 30.0, colour);
    [one, other, other, one].into_iter().zip(0..).map(|(colour, i)| puck((i, colour))).collect()
}

#[test]
fn pucks_of_a_colour_that_no_kind_has_are_told_and_not_left_out() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let camera = overhead();
    for colours in [[MINT, YELLOW], [RED, MINT], [[235; 3], [30, 160, 60]]] {
        let discs = two_colours(colours[0], colours[1]);
        let picture = painted(&camera, &discs);
        let detector = Detector::new(&board, &camera, picture.size(), &DetectOptions::default());
        let found = detector.detect(&picture);
        for (centre, ..) in &discs {
            let is_there = |at: Point| (at - centre).norm() < 2.0;
            let is_told = found.pieces.iter().any(|piece| is_there(piece.centre))
                || found.foreign.iter().any(|thing| is_there(thing.centre));
            assert!(is_told, "{colours:?} at {centre}: {found:?}");
        }
        // What is far from every kind is not asked for its votes: nobody would know of it.
        let unasked = DetectOptions { unknown_votes_min: f32::INFINITY, ..DetectOptions::default() };
        let found = Detector::new(&board, &camera, picture.size(), &unasked).detect(&picture);
        assert!(found.pieces.len() + found.foreign.len() < discs.len(), "{colours:?}: {found:?}");
    }
}

#[test]
fn a_set_of_unknown_colours_is_taught_and_known_again() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let camera = overhead();
    for [reddish, bluish] in [[YELLOW, MINT], [RED, MINT], [YELLOW, BLUE]] {
        let discs = two_colours(reddish, bluish);
        let picture = painted(&camera, &discs);
        let detector = Detector::new(&board, &camera, picture.size(), &DetectOptions::default());
        let taught = TaughtColours::of(&board, &detector.detect_set(&[&picture]));
        let options = DetectOptions { taught: Some(taught), ..DetectOptions::default() };
        let found = detect(&picture, &board, &camera, &options);
        let name_at = |centre: &Point| {
            let piece = found.iter().find(|piece| (piece.centre - centre).norm() < 2.0);
            piece.map(|piece| board.pieces[piece.kind].name.as_str())
        };
        for (centre, _, colour) in &discs {
            let name = if *colour == reddish { "red" } else { "blue" };
            assert_eq!(name_at(centre), Some(name), "{reddish:?} and {bluish:?}: {found:?}");
        }
    }
}

/// A court's far end as a phone sees it, with a red puck lying on a blue one, `apart_mm` off its centre.
fn stacked_scene(apart_mm: f64) -> Value {
    serde_json::json!({
        "board": "carrom-court", "seed": 5, "end": "far",
        "camera": {"image_size": [1280, 960], "height_mm": 700, "look_at": [200, 1560], "tilt_deg": 38,
                   "focal_px": 1500},
        "pieces": [{"colour": "blue", "x_mm": 160, "y_mm": 1560},
                   {"colour": "red", "x_mm": 160, "y_mm": 1560.0 + apart_mm, "stacked_on": 0},
                   {"colour": "blue", "x_mm": 250, "y_mm": 1600}]
    })
}

#[test]
fn a_piece_on_another_is_found_where_it_is_and_so_is_the_other() {
    for apart_mm in [0.0, 8.0, 16.0] {
        let (board, truth, candidates) = found_in(stacked_scene(apart_mm));
        let faults = faults(&board, &truth, &candidates);
        assert!(faults.is_empty(), "{apart_mm} mm apart: {}", faults.join("; "));
    }
}

/// What is found in a scene, the true camera given.
fn found_in(scene: Value) -> (Board, Value, Vec<Candidate>) {
    found_by(&DetectOptions::default(), scene)
}

/// The same in the scene's photo, compressed as photos are.
fn found_in_photo(scene: Value) -> Vec<Candidate> {
    let folder = tempfile::tempdir().unwrap();
    let [scene_path, photo_path] = ["scene.json", "photo.jpg"].map(|name| folder.path().join(name));
    std::fs::write(&scene_path, scene.to_string()).unwrap();
    let simulated = std::process::Command::new(env!("CARGO_BIN_EXE_linecall"))
        .arg("simulate")
        .args([scene_path.as_path(), Path::new("-o"), photo_path.as_path()])
        .output()
        .unwrap();
    assert!(simulated.status.success(), "{}", String::from_utf8_lossy(&simulated.stderr));
    let truth: Value =
        serde_json::from_str(&std::fs::read_to_string(photo_path.with_extension("json")).unwrap()).unwrap();
    let board = Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
    detect(&read(&photo_path), &board, &true_camera(&truth), &DetectOptions::default())
}

fn found_by(options: &DetectOptions, scene: Value) -> (Board, Value, Vec<Candidate>) {
    let mut scene: SceneFile = serde_json::from_value(scene).unwrap();
    let board = Board::named_or_at(&scene.board).unwrap();
    // What print that may be missing does to pieces is the topic of `shipped_boards`.
    scene.look.absent = board.optional_names();
    let photo = render(&scene.validate_on(board.clone(), "scene").unwrap());
    let truth = serde_json::to_value(&photo.truth).unwrap();
    let picture = Picture::new(photo.picture);
    let candidates = detect(&picture, &board, &true_camera(&truth), options);
    (board, truth, candidates)
}

/// Grey men on pinkish wood differ from it by half a stop, and only in red; a phone a little out of focus leaves half of
/// that at a rim, and their shadows are as dark as they are. But neither shadow nor wood has their hue.
#[test]
fn a_puck_that_is_half_under_a_hand_is_found() {
    let under_hand = |colour: &str, hand_y_mm: f64| {
        serde_json::json!({
            "board": "carrom-court", "seed": 3,
            "pieces": [{"colour": colour, "x_mm": 180, "y_mm": 1500, "make": "groove"}],
            "objects": [{"kind": "hand", "x_mm": 250, "y_mm": hand_y_mm, "angle_deg": 0, "z_mm": 20}],
        })
    };
    let whole_only = DetectOptions { part_face_min: f32::INFINITY, ..DetectOptions::default() };
    for (colour, hand_y_mm) in [("red", 1464.0), ("red", 1470.0), ("blue", 1467.0), ("blue", 1470.0)] {
        let scene = under_hand(colour, hand_y_mm);
        let (board, truth, found) = found_in(scene.clone());
        assert_eq!(faults(&board, &truth, &found), Vec::<String>::new(), "{colour}, hand at {hand_y_mm}");
        let (.., found) = found_by(&whole_only, scene);
        assert!(found.is_empty(), "{colour}, hand at {hand_y_mm}: {found:?}");
    }
    // With the puck under it for good, the hand alone is none.
    for colour in ["red", "blue"] {
        let (.., found) = found_in(under_hand(colour, 1490.0));
        assert!(found.is_empty(), "{colour}: {found:?}");
    }
}

#[test]
fn pale_men_of_another_hue_than_the_board_are_found_in_a_blurred_photo() {
    let places = [(150, 240), (370, 215), (560, 300), (200, 430), (430, 470), (330, 610), (361, 617)];
    let man = |(x, y): &(i32, i32)| serde_json::json!({"colour": "white", "x_mm": x, "y_mm": y, "make": "rings", "paint": "#bdbcaa"});
    let scene = serde_json::json!({
        "board": "carrom-icf", "seed": 11,
        "camera": {"image_size": [1600, 1200], "height_mm": 900, "look_at": [370, 370], "tilt_deg": 35,
                   "focal_px": 1500},
        "look": {"wood": "#e0b898"},
        "picture": {"defocus_px": 1.6},
        "pieces": places.iter().map(man).collect::<Vec<_>>()
    });
    let as_others = DetectOptions { own_hue_min: f32::INFINITY, ..DetectOptions::default() };
    let (.., candidates) = found_by(&as_others, scene.clone());
    assert!(candidates.len() < places.len(), "they are hard to see: {candidates:?}");
    let (board, truth, candidates) = found_in(scene);
    let faults = faults(&board, &truth, &candidates);
    assert!(faults.is_empty(), "{}", faults.join("; "));
}

/// A red puck on the red 10 of a court: its strokes show beside the puck as a red one under it would.
/// Seen from beyond the near rail, which hides up to a third of each man and none of the others.
#[test]
fn men_along_a_rail_that_hides_part_of_them_are_found() {
    let places = [(110, 15.8), (190, 17.8), (270, 19.8), (350, 21.8), (430, 15.8), (510, 17.8), (590, 19.8)];
    let man = |(i, (x, y)): (usize, &(i32, f64))| {
        let colour = if i % 2 == 0 { "white" } else { "black" };
        serde_json::json!({"colour": colour, "x_mm": x, "y_mm": y})
    };
    let (board, truth, found) = found_in(serde_json::json!({
        "board": "carrom-icf", "seed": 5,
        "camera": {"image_size": [2016, 1512], "height_mm": 800, "look_at": [370, 330], "tilt_deg": 45, "focal_px": 1700},
        "pieces": places.iter().enumerate().map(man).collect::<Vec<_>>()
    }));
    assert_eq!(faults(&board, &truth, &found), Vec::<String>::new());
}

/// Two white men and a black one around a moon leave a piece of it that is as red as a queen.
#[test]
fn what_men_leave_of_a_moon_is_no_queen() {
    let board = Board::named_or_at("carrom-icf").unwrap();
    let options = SetOptions { view: View::Phone, seed: 812, ..SetOptions::default() };
    let mut scene = set_scene(&board, &options, 10, |index| format!("{index}.jpg"));
    scene.board = board.id.clone();
    let (board, truth, found) = found_in(serde_json::to_value(scene).unwrap());
    assert_eq!(faults(&board, &truth, &found), Vec::<String>::new());
}

#[test]
fn print_of_a_pucks_own_colour_is_no_puck_under_it() {
    for seed in [5, 9] {
        let (board, truth, candidates) = found_in(serde_json::json!({
            "board": "carrom-court", "seed": seed, "end": "far",
            "camera": {"image_size": [1920, 1080], "height_mm": 1971, "look_at": [171.5, 1414.6], "turn_deg": 90,
                       "focal_px": 3947},
            "light": {"lamps": [{"x_mm": -300, "y_mm": 1900, "z_mm": 1800, "radius_mm": 120}], "ambient": 0.5},
            "pieces": [{"colour": "blue", "x_mm": 191.7, "y_mm": 1344.9},
                       {"colour": "red", "x_mm": 188.2, "y_mm": 1315.0}]
        }));
        let faults = faults(&board, &truth, &candidates);
        assert!(faults.is_empty(), "{}", faults.join("; "));
    }
}

/// From the side, a puck on one of its own colour looks much like one that lies where both would have to.
#[test]
fn a_puck_that_may_lie_on_its_like_does_not_say_how_high_it_lies() {
    for (x_mm, y_mm) in [(164.0, 1557.0), (160.0, 1556.0)] {
        let (.., candidates) = found_in(serde_json::json!({
            "board": "carrom-court", "seed": 5, "end": "far",
            "camera": {"image_size": [1280, 960], "height_mm": 700, "look_at": [200, 1560], "tilt_deg": 38,
                       "focal_px": 1500},
            "pieces": [{"colour": "red", "x_mm": 160, "y_mm": 1560},
                       {"colour": "red", "x_mm": x_mm, "y_mm": y_mm, "stacked_on": 0},
                       {"colour": "blue", "x_mm": 250, "y_mm": 1600}]
        }));
        let upper = Point::new(x_mm, y_mm);
        let near = candidates.iter().filter(|c| (c.centre - upper).norm() < 20.0);
        let told: Vec<&Candidate> = near.collect();
        assert!(!told.is_empty(), "{candidates:?}");
        assert!(told.iter().all(|c| c.stacked || c.base_sigma_mm >= 5.0), "{told:?}");
        let alone = candidates.iter().find(|c| c.centre.x > 230.0).expect("the blue one");
        assert_eq!(alone.base_sigma_mm, 0.0, "{alone:?}");
    }
}

/// Seen from above near the picture's border, the wall of a capped puck mirrors the board; the ring of one under it shows
/// beyond that wall.
#[test]
fn a_ring_beyond_a_wall_that_mirrors_the_board_leaves_the_height_open() {
    for (height_mm, focal_px, x_mm, toward_middle_mm) in [(1700, 3100, 362.3, -1.9), (1500, 2735, 40.0, 2.0)]
    {
        let (board, _, candidates) = found_in(serde_json::json!({
            "board": "carrom-long-board", "seed": 4, "end": "far", "light": {"ambient": 0.6},
            "camera": {"image_size": [1920, 1080], "height_mm": height_mm, "look_at": [200, 1500], "turn_deg": 90,
                       "focal_px": focal_px},
            "pieces": [{"colour": "red", "make": "cap", "x_mm": x_mm, "y_mm": 1771.4},
                       {"colour": "blue", "make": "cap", "x_mm": x_mm + toward_middle_mm, "y_mm": 1776.9, "stacked_on": 0},
                       {"colour": "red", "make": "cap", "x_mm": 130, "y_mm": 1400},
                       {"colour": "red", "make": "cap", "x_mm": 250, "y_mm": 1500}]
        }));
        for found in &candidates {
            let is_upper = board.pieces[found.kind].name == "blue";
            assert_eq!(found.base_sigma_mm > 0.0, is_upper, "{height_mm} mm: {found:?}");
        }
        assert_eq!(candidates.len(), 3, "{candidates:?}");
    }
}

/// A man on another one is taken to lie on the board, farther from the camera; then his neighbour, who does, seems to lie
/// on him.
#[test]
fn the_neighbour_of_a_stack_is_not_said_to_lie_on_it() {
    for turn_deg in [160, 180, 200] {
        let candidates = found_in_photo(serde_json::json!({
            "board": "carroms-ludington", "seed": 4,
            "camera": {"image_size": [1600, 1200], "height_mm": 950, "look_at": [400, 330], "tilt_deg": 30,
                       "turn_deg": turn_deg, "focal_px": 1200},
            "pieces": [{"colour": "black", "x_mm": 448.8, "y_mm": 140.2, "make": "rings"},
                       {"colour": "white", "x_mm": 448.6, "y_mm": 140.5, "make": "rings", "stacked_on": 0},
                       {"colour": "white", "x_mm": 471.0, "y_mm": 116.9, "make": "rings"},
                       {"colour": "green", "x_mm": 330, "y_mm": 250}]
        }));
        let neighbour = Point::new(471.0, 116.9);
        let off_mm = |found: &&Candidate| (found.centre - neighbour).norm();
        let found = candidates.iter().min_by(|a, b| off_mm(a).total_cmp(&off_mm(b))).expect("he is found");
        assert!(off_mm(&found) < 12.0, "{turn_deg} degrees: {candidates:?}");
        assert!(found.base_mm == 0.0 || found.base_sigma_mm > 4.0, "{turn_deg} degrees: {found:?}");
    }
}

/// A rock on another shows no cap of the lower one: from above a sickle of its metal, from the side its wall and
/// base. One that lies on the board shows neither.
#[test]
fn a_capped_piece_on_another_does_not_say_how_high_it_lies() {
    let scene = |camera: Value, offset_mm: [f64; 2], stacked_on: Option<usize>| {
        let mut pieces = vec![
            serde_json::json!({"colour": "red", "make": "cap", "x_mm": 200, "y_mm": 3400}),
            serde_json::json!({"colour": "yellow", "make": "cap", "stacked_on": stacked_on,
                               "x_mm": 200.0 + offset_mm[0], "y_mm": 3400.0 + offset_mm[1]}),
        ];
        if stacked_on.is_none() {
            pieces.remove(0);
        }
        serde_json::json!({"board": "association-table", "seed": 3, "end": "far", "camera": camera, "pieces": pieces})
    };
    let above = || {
        serde_json::json!({"image_size": [1920, 1080], "height_mm": 2160, "look_at": [250, 3200], "turn_deg": 90,
                           "focal_px": 3000})
    };
    let aside = || {
        serde_json::json!({"image_size": [1600, 1200], "height_mm": 900, "look_at": [240, 3350], "tilt_deg": 40,
                           "focal_px": 1600})
    };
    let blind = DetectOptions { beside_min: 2.0, beneath_visible_min: 2.0, ..DetectOptions::default() };
    for (camera, offset_mm) in
        [(above(), [5.0, -5.5]), (above(), [-6.0, 3.0]), (aside(), [0.0, 0.0]), (aside(), [1.0, 1.0])]
    {
        let (.., unasked) = found_by(&blind, scene(camera.clone(), offset_mm, Some(0)));
        assert!(unasked.iter().any(|c| !c.stacked && c.base_sigma_mm == 0.0), "{offset_mm:?}: {unasked:?}");
        let (.., stacked) = found_in(scene(camera.clone(), offset_mm, Some(0)));
        assert!(stacked.iter().all(|c| c.stacked || c.base_sigma_mm >= 10.0), "{offset_mm:?}: {stacked:?}");
        let (.., alone) = found_in(scene(camera, offset_mm, None));
        assert_eq!(alone.iter().map(|c| c.base_sigma_mm).collect::<Vec<_>>(), [0.0], "{offset_mm:?}");
    }
}

/// A cream striker on the base lines of a cream board, and a white man on bare wood.
#[test]
fn a_pale_piece_is_known_by_the_lines_that_it_hides() {
    let scene = || {
        serde_json::json!({
            "board": "carrom-icf", "seed": 7, "look": {"wood": "#f3e6c0", "gloss": 0.1},
            "camera": {"image_size": [1512, 1512], "height_mm": 1300, "look_at": [370, 300], "tilt_deg": 24,
                       "turn_deg": 20},
            "light": {"lamps": [{"x_mm": 370, "y_mm": 500, "z_mm": 1900, "radius_mm": 300}], "ambient": 0.6},
            "pieces": [{"colour": "striker", "x_mm": 300, "y_mm": 116},
                       {"colour": "white", "x_mm": 500, "y_mm": 300}]
        })
    };
    let names = |options: &DetectOptions| -> Vec<String> {
        let (board, _, found) = found_by(options, scene());
        found.iter().map(|candidate| board.pieces[candidate.kind].name.clone()).collect()
    };
    assert_eq!(names(&DetectOptions::default()), ["striker", "white"]);
    // No rim is whole enough for a pale face on bare wood.
    let doubting = DetectOptions { doubtful_rim_min: 1.1, ..DetectOptions::default() };
    assert_eq!(names(&doubting), ["striker"]);
    let unread = DetectOptions { hidden_paint_samples: usize::MAX, ..doubting };
    assert!(names(&unread).is_empty());
}
