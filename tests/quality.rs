//! Photos of another quality than the fixtures: noise, glare, wear; and boards that are not quite as their files say.
//! Each photo is a fixture's made worse here, or made up.

use image::{Rgb, RgbImage};
use linecall::{
    board::{Board, Colour},
    camera::{Camera, Lens, Pose},
    capture::Picture,
    detect::{DetectOptions, detect},
    geometry::{Paint, Vector},
};
use nalgebra::{Rotation3, Vector3};

use crate::{
    detect::{faults, photos, read},
    truth::true_camera,
};

/// Linear light of an 8-bit value, and back.
fn linear(value: u8) -> f64 {
    (f64::from(value) / 255.0).powf(2.2)
}

fn encoded(light: f64) -> u8 {
    (light.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8
}

/// Numbers that look random, about 0 with a deviation of 1: the sum of four even ones.
struct Noise(u64);

impl Noise {
    fn draw(&mut self) -> f64 {
        let even = |state: &mut u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 40) as f64 / f64::from(1 << 24) - 0.5
        };
        (0..4).map(|_| even(&mut self.0)).sum::<f64>() * 3_f64.sqrt()
    }
}

/// A photo with `full` electrons in a white pixel: few in the dark.
fn noisy(picture: &Picture, full: f64) -> Picture {
    let mut noise = Noise(7);
    let mut rgb = picture.rgb().clone();
    for value in rgb.iter_mut() {
        let electrons = linear(*value) * full;
        *value = encoded((electrons + electrons.sqrt() * noise.draw() + 3.0 * noise.draw()) / full);
    }
    Picture::new(rgb)
}

/// A lamp's mirror image on the board, soft, with `strength` of a white pixel's light in its middle.
fn glaring(picture: &Picture, strength: f64) -> Picture {
    let [width, height] = picture.size().map(f64::from);
    let mut rgb = picture.rgb().clone();
    for (x, y, pixel) in rgb.enumerate_pixels_mut() {
        let (across, down) =
            ((f64::from(x) - 0.57 * width) / height, (f64::from(y) - 0.45 * height) / height);
        let glare = strength * (-(across.powi(2) + down.powi(2)) / 0.045).exp();
        pixel.0 = pixel.0.map(|value| encoded(linear(value) + glare));
    }
    Picture::new(rgb)
}

/// What is wrong with the pieces that are found in the fixtures of a folder, made worse.
fn faults_in(folders: &[&str], worse: impl Fn(&Picture) -> Picture) -> Vec<String> {
    let of_folder = |path: &std::path::Path| {
        folders.iter().any(|folder| path.parent().is_some_and(|parent| parent.ends_with(folder)))
    };
    let photos: Vec<_> = photos().into_iter().filter(|(path, _)| of_folder(path)).collect();
    assert!(!photos.is_empty());
    photos
        .iter()
        .flat_map(|(path, truth)| {
            let board = Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
            let picture = worse(&read(path));
            let found = detect(&picture, &board, &true_camera(truth), &DetectOptions::default());
            let faults = faults(&board, truth, &found);
            faults.into_iter().map(move |fault| format!("{}: {fault}", path.display()))
        })
        .collect()
}

#[test]
fn pieces_under_a_lamps_mirror_image_are_found_in_their_colours() {
    let faults =
        faults_in(&["court-overhead", "court-close-calls", "clutter", "carrom-overhead"], |picture| {
            glaring(picture, 0.3)
        });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pieces_in_the_noise_of_a_dim_room_are_found() {
    let faults =
        faults_in(&["court-overhead", "court-close-calls", "hard-light"], |picture| noisy(picture, 150.0));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A webcam straight above a square board of `side_mm`, which fills the height of its picture.
fn webcam(side_mm: f64) -> Camera {
    let (size, focal_px) = ([640, 480], 800.0);
    let height_mm = side_mm / f64::from(size[1]) * focal_px;
    let rotation = Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    let translation_mm = rotation * -Vector3::new(side_mm / 2.0, side_mm / 2.0, height_mm);
    Camera { image_size: size, lens: Lens::ideal(focal_px, size), pose: Pose { rotation, translation_mm } }
}

/// A surface without anything on it, blotched by `stops` at places `apart_px` from each other.
fn blotched(colour: Colour, [width, height]: [u32; 2], apart_px: f64, stops: f64, seed: u64) -> Picture {
    let mut noise = Noise(seed);
    let columns = (f64::from(width) / apart_px) as usize + 2;
    let rows = (f64::from(height) / apart_px) as usize + 2;
    let knots: Vec<f64> = (0..columns * rows).map(|_| noise.draw()).collect();
    let image = RgbImage::from_fn(width, height, |x, y| {
        let (u, v) = (f64::from(x) / apart_px, f64::from(y) / apart_px);
        let (column, row, fu, fv) = (u as usize, v as usize, u.fract(), v.fract());
        let knot = |dx: usize, dy: usize| knots[(row + dy) * columns + column + dx];
        let above = knot(0, 0) * (1.0 - fu) + knot(1, 0) * fu;
        let below = knot(0, 1) * (1.0 - fu) + knot(1, 1) * fu;
        let light = (stops * (above * (1.0 - fv) + below * fv)).exp2();
        Rgb(colour.0.map(|value| encoded(linear(value) * light)))
    });
    Picture::new(image)
}

/// Grain, wear and a webcam's noise make most of a faint rim in some place or other.
#[test]
fn a_blotched_surface_has_no_pale_pieces() {
    let mut board = Board::named_or_at("carrom-icf").unwrap();
    board.lines.clear();
    let camera = webcam(board.surface.width_mm);
    let found = |options: &DetectOptions| -> usize {
        let blotched = |seed| blotched(board.surface.colour, camera.image_size, 5.0, 0.4, seed);
        (1..=12).map(|seed| detect(&blotched(seed), &board, &camera, options).len()).sum()
    };
    let lenient = DetectOptions { faint_max: 0.0, rough_steps: 0.0, ..DetectOptions::default() };
    assert!(found(&lenient) > 0, "nothing here looks like a piece");
    assert_eq!(found(&DetectOptions::default()), 0);
}

fn fixture(name: &str) -> (Picture, Camera, serde_json::Value) {
    let (path, truth) = photos().into_iter().find(|(path, _)| path.ends_with(name)).unwrap();
    (read(&path), true_camera(&truth), truth)
}

/// The moons of a board file that was written from a photo lie beside those of the board.
#[test]
fn print_of_a_roughly_known_board_is_no_piece() {
    let (picture, camera, truth) = fixture("carrom-overhead/001.jpg");
    let mut board = Board::named_or_at("carrom-icf").unwrap();
    for line in board.lines.iter_mut().filter(|line| line.fill.is_some()) {
        if let Paint::Ring { centre, .. } = &mut line.paint {
            *centre += Vector::new(5.0, -4.0);
        }
    }
    let faults_of =
        |board: &Board| faults(board, &truth, &detect(&picture, board, &camera, &DetectOptions::default()));
    assert!(!faults_of(&board).is_empty(), "a board that is known exactly has no moons there");
    board.accuracy_mm = 4.0;
    assert!(faults_of(&board).is_empty(), "{:?}", faults_of(&board));
}

/// A set of another red than the board file's.
#[test]
fn a_colour_far_from_all_kinds_but_one_is_that_kind_in_doubt() {
    let (picture, camera, truth) = fixture("court-close-calls/001.jpg");
    let mut board = Board::named_or_at("carrom-court").unwrap();
    board.pieces[0].colour = "#ff9a90".parse().unwrap();
    let strict = DetectOptions { strained_distance: 0.0, ..DetectOptions::default() };
    assert!(!faults(&board, &truth, &detect(&picture, &board, &camera, &strict)).is_empty());
    let found = detect(&picture, &board, &camera, &DetectOptions::default());
    assert!(faults(&board, &truth, &found).is_empty(), "{:?}", faults(&board, &truth, &found));
    for piece in found {
        let (name, sure) = (&board.pieces[piece.kind].name, piece.kind_probability > 0.9);
        assert_eq!(sure, name == "blue", "{name}: {}", piece.kind_probability);
    }
}
