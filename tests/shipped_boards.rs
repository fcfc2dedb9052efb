//! Shipped boards as people own them: print that may be missing, frames of several colours, lines a little beside their
//! drawing, and a long table of which a photo shows one end.

use linecall::{
    board::{Board, End},
    capture::Picture,
    register::{CameraPrior, Registration, register_by_lines},
    score::{Known, ScoreOptions, Scored, Scorer, StageTimes},
    simulate::{SceneFile, render},
};
use serde_json::{Value, json};

fn picture(scene: &Value) -> (Picture, SceneFile) {
    let file: SceneFile = serde_json::from_value(scene.clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photo.jpg");
    render(&file.clone().validate("photo").unwrap()).save(&path).unwrap();
    (Picture::new(image::open(&path).unwrap().to_rgb8()), file)
}

fn score(scene: &Value) -> (Scored, SceneFile) {
    let (picture, file) = picture(scene);
    let board = Board::named_or_at(&file.board).unwrap();
    let scorer = Scorer::new(board, None, End::Far, ScoreOptions::default()).unwrap();
    let scored = scorer.score("photo", &picture, &Known::Nothing, &mut StageTimes::default());
    (scored.unwrap_or_else(|error| panic!("{error}")), file)
}

fn registered(picture: &Picture, board: &Board) -> Registration {
    let options = ScoreOptions::default();
    register_by_lines(picture, board, &CameraPrior::default(), &options.find, &options.refine).unwrap()
}

/// Every true piece is found where it lies and named, and nothing else is. A square board may be read turned.
fn assert_all_found(scored: &Scored, file: &SceneFile, most_mm: f64, about: &str) {
    let board = Board::named_or_at(&file.board).unwrap();
    let [w, l] = [board.surface.width_mm, board.surface.length_mm];
    let pieces = &scored.report.pieces;
    let off_mm = |turns: usize| {
        file.pieces.iter().map(move |piece| {
            let at = (0..turns).fold((piece.x_mm, piece.y_mm), |(x, y), _| (w - y, x));
            let alike = pieces.iter().filter(|found| found.colour == piece.colour);
            let apart = alike.map(|found| (found.x_mm - at.0).hypot(found.y_mm - at.1));
            apart.fold(f64::INFINITY, f64::min)
        })
    };
    let turns: &[usize] = if w == l { &[0, 1, 2, 3] } else { &[0] };
    let worst_mm = |turns: &usize| off_mm(*turns).fold(0.0, f64::max);
    let worst_mm = turns.iter().map(worst_mm).fold(f64::INFINITY, f64::min);
    assert!(worst_mm < most_mm, "{about}: a piece is {worst_mm:.2} mm off or missing");
    assert_eq!(pieces.len(), file.pieces.len(), "{about}: pieces that are none");
}

fn optional_of(board: &Board) -> Vec<String> {
    let lines = board.lines.iter().filter(|line| line.optional).map(|line| line.name.clone());
    let numerals = board.numerals.iter().filter(|numeral| numeral.optional).map(|n| n.text.clone());
    lines.chain(board.prints.iter().map(|print| print.name.clone())).chain(numerals).collect()
}

fn carrom(rails: &str, absent: &[String]) -> Value {
    json!({
        "board": "carrom-icf", "seed": 31,
        "camera": {"height_mm": 1300.0, "look_at": [370.0, 350.0], "tilt_deg": 14.0, "turn_deg": 20.0},
        "look": {"rails": rails, "absent": absent},
        "pieces": [
            {"colour": "white", "x_mm": 250.0, "y_mm": 420.0}, {"colour": "white", "x_mm": 402.0, "y_mm": 640.0},
            {"colour": "white", "x_mm": 330.0, "y_mm": 330.0}, {"colour": "black", "x_mm": 470.0, "y_mm": 300.0},
            {"colour": "black", "x_mm": 120.0, "y_mm": 560.0}, {"colour": "black", "x_mm": 430.0, "y_mm": 395.0},
            {"colour": "queen", "x_mm": 560.0, "y_mm": 470.0}, {"colour": "striker", "x_mm": 300.0, "y_mm": 117.0},
        ],
    })
}

#[test]
fn a_carrom_board_is_found_with_and_without_its_print_and_in_a_black_or_a_brown_frame() {
    let absent = optional_of(&Board::named_or_at("carrom-icf").unwrap());
    for (print, absent) in [("all print", &[][..]), ("no print", &absent)] {
        for (frame, rails) in [("brown", "#6e3b2a"), ("black", "#1a191b")] {
            let (scored, file) = score(&carrom(rails, absent));
            assert_all_found(&scored, &file, 1.0, &format!("{print}, {frame} frame"));
        }
    }
}

/// A board that is as drawn is found with all that its drawing says: a maker's tolerance takes nothing from it.
#[test]
fn a_board_as_drawn_is_found_as_if_makers_were_exact() {
    let (picture, _) = picture(&carrom("#6e3b2a", &[]));
    let board = Board::named_or_at("carrom-icf").unwrap();
    assert!(board.tolerance_mm > 0.0);
    let found = registered(&picture, &board);
    let exact = registered(&picture, &Board { tolerance_mm: 0.0, ..board });
    assert_eq!((found.camera, found.covariance), (exact.camera, exact.covariance));
    assert!(found.off_mm < 0.05, "{} mm", found.off_mm);
}

/// Each line lies so far beside its drawing, one to the left, the next one up.
fn painted_off(off_mm: f64) -> Value {
    let board = Board::named_or_at("carrom-icf").unwrap();
    let mut scene = carrom("#1a191b", &[]);
    for (i, line) in board.lines.iter().enumerate() {
        let (sin, cos) = (i as f64 * 2.4).sin_cos();
        scene["look"]["paint_offsets_mm"][&line.name] = json!([off_mm * cos, off_mm * sin]);
    }
    scene
}

#[test]
fn lines_beside_their_drawing_are_allowed_as_makers_keep_them_and_told() {
    for off_mm in [0.5, 1.0, 1.5, 2.0] {
        let (scored, file) = score(&painted_off(off_mm));
        assert_all_found(&scored, &file, 2.0, &format!("lines {off_mm} mm off"));
        let found_mm = scored.registration.off_mm;
        assert!((0.3 * off_mm..1.6 * off_mm).contains(&found_mm), "{off_mm} mm: found {found_mm:.2} mm");
    }
}

/// One end of a bar's table with its gutters; the other end, and the foul line, are out of the picture.
fn table_end(absent: &[String]) -> Value {
    json!({
        "board": "table-shuffleboard", "seed": 12,
        "camera": {
            "image_size": [1512, 2016], "height_mm": 1150.0, "look_at": [262.0, 5840.0], "tilt_deg": 24.0,
            "turn_deg": 4.0, "focal_px": 1560.0,
        },
        "look": {"absent": absent, "strip_mm": 38.0, "grain": 0.8},
        "pieces": [
            {"colour": "red", "x_mm": 130.0, "y_mm": 6225.0}, {"colour": "blue", "x_mm": 390.0, "y_mm": 6065.0},
            {"colour": "red", "x_mm": 330.0, "y_mm": 5800.0}, {"colour": "blue", "x_mm": 160.0, "y_mm": 6010.0},
        ],
    })
}

#[test]
fn one_end_of_a_long_table_with_gutters_is_enough_to_score_it() {
    let absent = optional_of(&Board::named_or_at("table-shuffleboard").unwrap());
    for (print, absent) in [("all print", &[][..]), ("no print", &absent)] {
        let (scored, file) = score(&table_end(absent));
        assert_all_found(&scored, &file, 1.5, print);
        let area = |x_mm: f64| {
            let near = |a: &f64| (a - x_mm).abs();
            let found = scored.report.pieces.iter().min_by(|a, b| near(&a.x_mm).total_cmp(&near(&b.x_mm)));
            found.and_then(|piece| piece.area.clone())
        };
        let areas: Vec<_> = [130.0, 390.0, 330.0, 160.0].map(area).into_iter().flatten().collect();
        // The last one touches line 2, so it counts in the area before.
        assert_eq!(areas, ["3", "2", "1", "1"], "{print}");
        let tally = serde_json::to_value(&scored.report.tally).unwrap();
        assert_eq!(tally, json!({"red": 3, "blue": 0}), "{print}");
    }
}

/// Tables are of any length: what is nearer than the picture's border does not matter.
#[test]
fn a_table_of_another_length_is_scored_by_the_end_in_view() {
    let (picture, _) = picture(&table_end(&[]));
    let board = Board::named_or_at("table-shuffleboard").unwrap();
    let text = board.to_toml(&Default::default());
    let longer =
        text.replace("6300", "6700").replace("6148", "6548").replace("5995", "6395").replace("4471", "4871");
    let longer = Board::parse(&longer, std::path::Path::new("longer.toml")).unwrap();
    let [a, b] = [&board, &longer].map(|board| registered(&picture, board).camera);
    for from_end_mm in [0.0, 152.0, 305.0, 600.0] {
        let at = |camera: &linecall::camera::Camera, board: &Board| {
            camera.image_from_board(254.0, board.surface.length_mm - from_end_mm, 0.0).unwrap()
        };
        let apart_px = (at(&a, &board) - at(&b, &longer)).norm();
        assert!(apart_px < 0.3, "{from_end_mm} mm from the end: {apart_px:.2} px");
    }
}
