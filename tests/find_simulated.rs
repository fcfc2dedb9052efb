//! Boards in simulated photos that were once missed, or found beside where they are.

use std::path::Path;

use linecall::{
    board::Board,
    camera::Camera,
    capture::Picture,
    evaluate::Truth,
    register::{
        CameraPrior, FindOptions, RefineOptions, Registration, find_board, refine, register_by_lines,
    },
    score::ScoreOptions,
    simulate::{SetOptions, View, render, set_scene},
};
use nalgebra::{Point2, Point3};

/// A photo of an evaluation set, as `linecall simulate --random 20 --seed 203` makes it.
fn photo(board: &Board, view: View, index: usize) -> (Picture, Camera) {
    let options = SetOptions { view, seed: 203, ..SetOptions::default() };
    let mut scene = set_scene(board, &options, index, |index| format!("{index}.jpg"));
    scene.board = board.id.clone();
    let scene = scene.validate_on(board.clone(), "a photo of the set").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photo.jpg");
    render(&scene).save(&path).unwrap();
    let truth = Truth::load(&path.with_extension("json")).unwrap();
    (Picture::new(image::open(&path).unwrap().to_rgb8()), truth.camera())
}

fn registered(picture: &Picture, board: &Board) -> Registration {
    let found = find_board(picture, board, &FindOptions::default()).unwrap();
    refine(picture, board, &found[0], &CameraPrior::default(), &RefineOptions::default()).unwrap()
}

/// The largest error of a place on the surface in view, in mm and in its own standard deviations; a board
/// that looks the same turned about is read the nearer way.
fn worst(registration: &Registration, truth: &Camera, board: &Board) -> (f64, f64) {
    let (width, length) = (board.surface.width_mm, board.surface.length_mm);
    let [picture_width, picture_height] = truth.image_size.map(f64::from);
    let mut worst = [(0.0_f64, 0.0_f64); 2];
    for (i, j) in (0..=8).flat_map(|i| (0..=40).map(move |j| (i, j))) {
        let p = Point2::new(width * f64::from(i) / 8.0, length * f64::from(j) / 40.0);
        let Some(seen) = truth.image_from_board(p.x, p.y, 0.0) else { continue };
        if !(0.0..picture_width).contains(&seen.x) || !(0.0..picture_height).contains(&seen.y) {
            continue;
        }
        let read = registration.camera.board_from_image(seen.x, seen.y, 0.0).unwrap();
        for (at, worst) in [p, Point2::new(width - p.x, length - p.y)].into_iter().zip(&mut worst) {
            let off = read - at;
            // The other way round, a place may lie behind the camera.
            let covariance = registration.board_covariance_mm2(Point3::new(at.x, at.y, 0.0));
            let sigmas = covariance
                .and_then(|covariance| covariance.try_inverse())
                .map_or(f64::INFINITY, |information| off.dot(&(information * off)).sqrt());
            *worst = (worst.0.max(off.norm()), worst.1.max(sigmas));
        }
    }
    if worst[0].0 < worst[1].0 { worst[0] } else { worst[1] }
}

fn assert_registered(board: &str, view: View, index: usize, most_mm: f64) {
    let board = Board::named_or_at(board).unwrap();
    let (picture, truth) = photo(&board, view, index);
    let (off_mm, sigmas) = worst(&registered(&picture, &board), &truth, &board);
    assert!(
        off_mm < most_mm && sigmas < 4.0,
        "{} {index}: {off_mm:.1} mm off, {sigmas:.1} standard deviations",
        board.id
    );
}

#[test]
fn a_small_board_made_of_planks_does_not_outdo_the_end_of_a_long_one() {
    assert_registered("carrom-long-board", View::Overhead, 0, 1.0);
}

#[test]
fn lines_far_away_do_not_blur_those_near_by() {
    assert_registered("association-table", View::Phone, 10, 3.0);
}

#[test]
fn from_beyond_a_rail_its_upper_edge_is_not_taken_for_its_foot() {
    assert_registered("carrom-long-board", View::Phone, 5, 1.5);
}

#[test]
fn a_dark_rail_beside_a_bright_surface_is_found_where_it_begins() {
    assert_registered("association-table", View::Phone, 4, 1.5);
}

/// How far places of the scoring end are usually read to one side of where they are.
fn usually_off_sideways_mm(registration: &Registration, truth: &Camera, board: &Board) -> f64 {
    let (width, length) = (board.surface.width_mm, board.surface.length_mm);
    let [picture_width, picture_height] = truth.image_size.map(f64::from);
    let mut off_mm = Vec::new();
    for (i, j) in (1..8).flat_map(|i| (0..=10).map(move |j| (i, j))) {
        let p = Point2::new(width * f64::from(i) / 8.0, length - 50.0 * f64::from(j));
        let Some(seen) = truth.image_from_board(p.x, p.y, 0.0) else { continue };
        if (0.0..picture_width).contains(&seen.x) && (0.0..picture_height).contains(&seen.y) {
            let read = registration.camera.board_from_image(seen.x, seen.y, 0.0).unwrap();
            let is_turned = (read.y - p.y).abs() > length / 4.0;
            off_mm.push(if is_turned { width - read.x - p.x } else { read.x - p.x });
        }
    }
    assert!(off_mm.len() > 20, "{} places in view", off_mm.len());
    off_mm.iter().sum::<f64>() / off_mm.len() as f64
}

/// Only its rails say where a long board lies sideways: the round upper edge of the one, the foot of the other, at half the
/// density of colours.
#[test]
fn a_long_board_seen_from_beyond_a_rail_is_not_moved_sideways() {
    let board = Board::named_or_at("carrom-long-board").unwrap();
    for index in [2, 5, 9] {
        let (picture, truth) = photo(&board, View::Phone, index);
        let off_mm = usually_off_sideways_mm(&registered(&picture, &board), &truth, &board);
        assert!(off_mm.abs() < 0.25, "photo {index}: {off_mm:.2} mm");
    }
}

/// The lines of a court and of an association table are the same but for their size; sides and rails are not.
#[test]
fn a_court_and_an_association_table_are_not_taken_for_one_another() {
    for (name, wrong) in [
        ("court-overhead/001.jpg", "association-table"),
        ("court-oblique-phone/000.jpg", "association-table"),
        ("association-overhead/002.jpg", "carrom-court"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
        let picture = Picture::new(image::open(&path).unwrap().to_rgb8());
        let board = Board::named_or_at(wrong).unwrap();
        let options = ScoreOptions::default();
        let refusal =
            register_by_lines(&picture, &board, &CameraPrior::default(), &options.find, &options.refine)
                .unwrap_err();
        assert!(refusal.to_string().contains("may be another board"), "{name} as {wrong}: {refusal}");
    }
}
