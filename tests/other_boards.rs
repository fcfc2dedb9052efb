//! Boards, woods and lamps that differ from the board files and from the simulator: path-traced photos in
//! `fixtures/other-boards`, and simulated ones whose rails have another colour.

use std::path::Path;

use linecall::{
    board::{Board, Colour},
    camera::Camera,
    capture::{Picture, load_photo},
    detect::{DetectOptions, detect},
    evaluate::{EvaluateOptions, PhotoOutcome, Truth, evaluate, true_photos},
    geometry::Point,
    measure::MeasureOptions,
    register::{CameraPrior, Registration, register_by_lines},
    score::ScoreOptions,
    simulate::{Scene, SetOptions, View, render, set_scene},
};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/other-boards")
}

/// What became of the photos whose name has `only` in it.
fn outcomes(only: &str, score: ScoreOptions) -> Vec<PhotoOutcome> {
    let mut photos = true_photos(&folder()).unwrap();
    photos.retain(|photo| photo.name.contains(only));
    let options = EvaluateOptions { score, ..EvaluateOptions::default() };
    let evaluated = evaluate(&photos, &folder(), &options, |_, _| ()).unwrap();
    assert!(!evaluated.is_empty(), "no photo is called {only}");
    evaluated
        .into_iter()
        .map(|photo| photo.outcome.unwrap_or_else(|why| panic!("{}: {why}", photo.name)))
        .collect()
}

/// Every photo: light rails and dark ones, reddish, orange and yellow wood, bold red numerals, lamps that the board
/// mirrors, caps under a side lamp.
#[test]
fn all_pieces_are_found_on_other_boards_and_nothing_else() {
    for photo in outcomes("", ScoreOptions::default()) {
        assert!(photo.missed.is_empty(), "{:?}", photo.missed);
        assert!(photo.extra.is_empty(), "{:?}", photo.extra);
        for piece in &photo.pieces {
            assert_eq!(piece.colour, piece.reported_colour, "{piece:?}");
        }
    }
}

/// The board of `court-oblique-phone/002` is orange: against it, a blue puck looks like nothing on maple.
#[test]
fn pieces_on_another_wood_are_known_by_what_they_have_in_common() {
    let found = |options: &DetectOptions| {
        let photo = folder().join("court-oblique-phone/002.jpg");
        let truth = Truth::load(&photo.with_extension("json")).unwrap();
        let board = Board::named_or_at(&truth.board).unwrap();
        let picture = load_photo(&photo, &Default::default()).unwrap();
        detect(&picture, &board, &truth.camera(), options).len()
    };
    let usual = DetectOptions::default();
    let of_the_file =
        DetectOptions { other_wood_hue: f32::INFINITY, strained_distance: 0.0, ..usual.clone() };
    assert_eq!(found(&usual), 6);
    assert!(found(&of_the_file) < 6, "the photo no longer tells");
}

/// In the channel in which a cap is the lighter one, its shadow on the ring looks like the cap's end.
#[test]
fn a_cap_is_measured_in_the_channels_in_which_no_shadow_looks_like_its_end() {
    let worst_mm = |cap_lighter_worth: f32| {
        let measure = MeasureOptions { cap_lighter_worth, ..MeasureOptions::default() };
        let photos = outcomes("court-overhead/001", ScoreOptions { measure, ..ScoreOptions::default() });
        photos.iter().flat_map(|photo| &photo.pieces).map(|piece| piece.error_mm()).fold(0.0, f64::max)
    };
    let (usual, by_strength) = (worst_mm(MeasureOptions::default().cap_lighter_worth), worst_mm(1.0));
    assert!(usual < 0.3, "{usual:.2} mm");
    assert!(by_strength > 2.0 * usual, "{by_strength:.2} mm: the photo no longer tells");
}

/// A photo of an evaluation set with rails of a colour.
fn with_rails(board: &Board, view: View, index: usize, rails: Colour) -> Picture {
    let options = SetOptions { view, seed: 203, ..SetOptions::default() };
    let mut scene = set_scene(board, &options, index, |index| format!("{index}.jpg"));
    scene.board = board.id.clone();
    scene.look.rails = Some(rails.to_string());
    photo_of(&scene.validate_on(board.clone(), "a photo with other rails").unwrap())
}

fn photo_of(scene: &Scene) -> Picture {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photo.jpg");
    render(scene).save(&path).unwrap();
    load_photo(&path, &Default::default()).unwrap()
}

const MAPLE: Colour = Colour([206, 172, 128]);
const BLACK: Colour = Colour([34, 33, 34]);
const BLUE: Colour = Colour([44, 62, 112]);

fn registered(picture: &Picture, board: &str) -> Result<Registration, String> {
    let board = Board::named_or_at(board).unwrap();
    let options = ScoreOptions::default();
    register_by_lines(picture, &board, &CameraPrior::default(), &options.find, &options.refine)
        .map_err(|refusal| refusal.to_string())
}

#[test]
fn a_board_is_found_whatever_the_colour_of_its_rails() {
    for (id, view, colours) in [
        ("carrom-court", View::Phone, [MAPLE, BLACK]),
        ("carrom-icf", View::Phone, [MAPLE, BLUE]),
        ("carrom-long-board", View::Overhead, [BLACK, BLUE]),
        ("association-table", View::Overhead, [MAPLE, BLUE]),
    ] {
        let board = Board::named_or_at(id).unwrap();
        for rails in colours {
            let found = registered(&with_rails(&board, view, 1, rails), id);
            assert!(found.is_ok(), "{id} with rails {rails}: {}", found.unwrap_err());
        }
    }
}

/// Red banks in their own shade: the light along them changes over millimetres, the hue at once.
#[test]
fn banks_in_the_shade_are_known_by_their_hue() {
    let board = Board::named_or_at("association-table").unwrap();
    for index in [12, 16] {
        let (picture, _) = of_set(&board, View::Phone, 811, index);
        let found = registered(&picture, &board.id);
        assert!(found.is_ok(), "photo {index}: {}", found.unwrap_err());
    }
}

/// A photo of an evaluation set, and the camera that made it.
fn of_set(board: &Board, view: View, seed: u64, index: usize) -> (Picture, Camera) {
    let options = SetOptions { view, seed, ..SetOptions::default() };
    let mut scene = set_scene(board, &options, index, |index| format!("{index}.jpg"));
    scene.board = board.id.clone();
    let scene = scene.validate_on(board.clone(), "a photo of a set").unwrap();
    (photo_of(&scene), scene.camera)
}

/// How far beside themselves places of a long board are found at most.
fn worst_mm(found: &Camera, truth: &Camera) -> f64 {
    let places = [Point::new(20.0, 1700.0), Point::new(200.0, 1500.0), Point::new(380.0, 1700.0)];
    let off_mm = |at: Point| {
        let seen = truth.image_from_board(at.x, at.y, 0.0).unwrap();
        (found.board_from_image(seen.x, seen.y, 0.0).unwrap() - at).norm()
    };
    places.into_iter().map(off_mm).fold(0.0, f64::max)
}

/// A dark rail on a dark floor looks like floor, and its outer edge like the board's side.
#[test]
fn a_dark_rail_on_a_dark_floor_is_not_taken_for_floor() {
    let board = Board::named_or_at("carrom-long-board").unwrap();
    for index in [23, 39] {
        let (picture, truth) = of_set(&board, View::Phone, 813, index);
        let off_mm = worst_mm(&registered(&picture, &board.id).unwrap().camera, &truth);
        assert!(off_mm < 1.5, "photo {index}: {off_mm:.1} mm");
    }
}

/// A rail of pale wood looks like surface, but the lines end at its foot: the board is found there, or not at all.
#[test]
fn a_pale_rail_is_not_taken_for_surface() {
    let board = Board::named_or_at("carrom-long-board").unwrap();
    for index in [188, 198] {
        let (picture, truth) = of_set(&board, View::Phone, 814, index);
        if let Ok(found) = registered(&picture, &board.id) {
            let off_mm = worst_mm(&found.camera, &truth);
            assert!(off_mm < 1.5, "photo {index}: {off_mm:.1} mm");
        }
    }
}

/// Banks of the table's own wood show no sides, but the foul line ends at them: 4.6 mm within those of a court of its size.
#[test]
fn a_table_whose_banks_look_like_it_is_known_by_its_foul_line() {
    let board = Board::named_or_at("association-table").unwrap();
    for index in [0, 120] {
        let (picture, _) = of_set(&board, View::Overhead, 814, index);
        let found = registered(&picture, &board.id);
        assert!(found.is_ok(), "photo {index}: {}", found.unwrap_err());
        let refusal = registered(&picture, "carrom-court").map(|found| found.rms_px).unwrap_err();
        assert!(refusal.contains("may be another board"), "photo {index}: {refusal}");
    }
}

#[test]
fn a_court_and_an_association_table_with_rails_of_other_colours_are_not_taken_for_one_another() {
    for (id, wrong) in [("carrom-court", "association-table"), ("association-table", "carrom-court")] {
        let board = Board::named_or_at(id).unwrap();
        for rails in [MAPLE, BLACK, BLUE] {
            let found = registered(&with_rails(&board, View::Overhead, 1, rails), wrong);
            let refusal = found.map(|found| found.rms_px).expect_err(&format!("{id} with rails {rails}"));
            assert!(refusal.contains("may be another board"), "{refusal}");
        }
    }
}
