//! Tags drawn onto a picture through our own camera are found, and give that camera back.

use image::{Rgb, RgbImage};
use nalgebra::{Rotation3, Vector3};

use super::*;
use crate::geometry::Point;

/// Cells of white paper around a printed tag, and of the tag itself with its black border.
const MARGIN_CELLS: f64 = 1.5;
const TAG_CELLS: f64 = 8.0;

fn board_with_tags() -> Board {
    let mut board = Board::named_or_at("carrom-court").expect("shipped");
    let places = [(30.0, 1150.0, 0.0), (370.0, 1150.0, 90.0), (200.0, 1420.0, 200.0), (60.0, 1660.0, 0.0)];
    board.tags = places
        .iter()
        .enumerate()
        .map(|(i, &(x, y, angle_deg))| Tag {
            family: "tag36h11".into(),
            id: 10 + i as u32,
            centre: Point::new(x, y),
            size_mm: 40.0,
            angle_deg,
        })
        .collect();
    board
}

fn tilted_camera() -> Camera {
    let size = [1000, 750];
    let lens = Lens { k1: -0.05, k2: 0.01, ..Lens::ideal(940.0, size) };
    // Looks down at (200, 1400) from 900 mm above, tilted by 0.4 rad.
    let rotation = Rotation3::new(Vector3::new(std::f64::consts::PI - 0.4, 0.0, 0.0));
    let target = Vector3::new(200.0, 1400.0, 0.0);
    let translation_mm = Vector3::new(10.0, -20.0, 1000.0) - rotation * target;
    Camera { image_size: size, lens, pose: Pose { rotation, translation_mm } }
}

/// Draws light wood and the tags, each pixel the mean of 3 x 3 rays.
fn draw(board: &Board, camera: &Camera) -> Picture {
    const RAYS: u32 = 3;
    let side_px = 400;
    let prints: Vec<_> =
        board.tags.iter().map(|tag| markers::print_marker(20, tag.id, side_px).expect("print")).collect();
    let [w, h] = camera.image_size;
    let shade = |u: f64, v: f64| -> f64 {
        let Some(p) = camera.board_from_image(u, v, 0.0) else { return 90.0 };
        for (tag, print) in board.tags.iter().zip(&prints) {
            let (sin, cos) = tag.angle_deg.to_radians().sin_cos();
            let d = p - tag.centre;
            let (right, up) = (cos * d.x + sin * d.y, cos * d.y - sin * d.x);
            let reach = tag.size_mm / 2.0 * (1.0 + 2.0 * MARGIN_CELLS / TAG_CELLS);
            if right.abs() < tag.size_mm / 2.0 && up.abs() < tag.size_mm / 2.0 {
                let cell = |d: f64| ((d / tag.size_mm + 0.5) * f64::from(side_px)) as u32;
                let (x, y) = (cell(right).min(side_px - 1), cell(-up).min(side_px - 1));
                return f64::from(print.get_pixel(x, y)[0]) * 0.8 + 20.0;
            } else if right.abs() < reach && up.abs() < reach {
                return 224.0;
            }
        }
        170.0
    };
    Picture::new(RgbImage::from_fn(w, h, |x, y| {
        let mut sum = 0.0;
        for i in 0..RAYS {
            for j in 0..RAYS {
                let offset = |k: u32| (f64::from(k) + 0.5) / f64::from(RAYS) - 0.5;
                sum += shade(f64::from(x) + offset(i), f64::from(y) + offset(j));
            }
        }
        let value = (sum / f64::from(RAYS * RAYS)) as u8;
        Rgb([value, value, value])
    }))
}

#[test]
fn tags_give_the_camera_back() {
    let board = board_with_tags();
    let truth = tilted_camera();
    let picture = draw(&board, &truth);
    let cameras = cameras_from_tags(&picture, &board).expect("tags are in view");
    let found = cameras.first().expect("a camera");
    for (x, y) in [(30.0, 1150.0), (370.0, 1200.0), (200.0, 1420.0), (60.0, 1660.0), (300.0, 1600.0)] {
        let (a, b) = (truth.image_from_board(x, y, 0.0), found.image_from_board(x, y, 0.0));
        let miss_px = (a.expect("in view") - b.expect("in view")).norm();
        assert!(miss_px < 2.0, "({x}, {y}) is {miss_px:.2} px off");
    }
}

#[test]
fn a_picture_without_tags_says_so() {
    let picture = Picture::new(RgbImage::from_pixel(640, 480, Rgb([180, 150, 120])));
    let error = cameras_from_tags(&picture, &board_with_tags()).expect_err("nothing to see");
    assert!(error.to_string().contains("none of its 4 printed tags is in view"), "{error}");
    let plain = Board::named_or_at("carrom-court").expect("shipped");
    let error = cameras_from_tags(&picture, &plain).expect_err("no tags listed");
    assert!(error.to_string().contains("lists no tags"), "{error}");
}

#[test]
fn families_have_the_names_people_use() {
    assert_eq!(markers::family_number("tag36h11"), Some(20));
    assert_eq!(markers::family_number("DICT_APRILTAG_36h11"), Some(20));
    assert_eq!(markers::family_number("DICT_4X4_50"), Some(0));
    assert_eq!(markers::family_number("aruco-6x6-250"), Some(10));
    assert_eq!(markers::family_number("tag37h12"), None);
}
