//! The live loop: whole evenings, and lamps and bumps, seen.

mod evenings;
mod filmed;
mod paper;

use std::sync::Arc;

use linecall::{
    board::Board,
    camera::{Camera, CameraCovariance},
    capture::{Frame, FrameImage, Picture},
    live::{LiveOptions, Observed, Observer, SettledView},
    register::{Method, Registration},
    score::{ScoreOptions, Scorer},
    simulate,
};

/// A scene's frames as a camera would deliver them.
fn still(scene: &simulate::SceneFile, board: &Board) -> Arc<Picture> {
    let scene = scene.clone().validate_on(board.clone(), "still").unwrap();
    Arc::new(Picture::new(simulate::render(&scene).picture))
}

/// The frames of pictures that each stay for four frames at ten a second.
fn settled_views(pictures: &[Arc<Picture>], mut observer: Observer) -> Vec<SettledView> {
    let mut settled = Vec::new();
    for (index, picture) in pictures.iter().flat_map(|p| [p, p, p, p]).enumerate() {
        let frame = Frame {
            index: index as u64,
            since_start: std::time::Duration::from_secs_f64(index as f64 / 10.0),
            name: "still".into(),
            image: FrameImage::Decoded(Arc::clone(picture)),
        };
        if let Some(Observed::Settled(view)) = observer.push(&frame).unwrap() {
            settled.push(*view);
        }
    }
    settled
}

/// A camera whose place is known, and nothing of how well.
fn observer_at(camera: Camera, board: &Board) -> Observer {
    let scorer =
        Scorer::new(board.clone(), Some("court"), Default::default(), ScoreOptions::default()).unwrap();
    let covariance = CameraCovariance::zeros();
    let registration = Registration { camera, covariance, method: Method::Camera, rms_px: 0.1, edges: 500 };
    Observer::new(scorer, registration, LiveOptions::default())
}

/// A shift of a third of a millimetre over the board is 0.6 px, and said; one of a twelfth is 0.16, and not.
#[test]
fn a_camera_that_shifted_by_more_than_a_third_of_a_pixel_is_noticed() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let moved_by = |shift_mm: f64| {
        let mut scene: simulate::SceneFile = serde_json::from_value(serde_json::json!({
            "board": "carrom-court", "seed": 3,
            "camera": {"image_size": [1920, 1080], "height_mm": 1700, "look_at": [200, 1400], "tilt_deg": 0.5,
                       "turn_deg": 0, "roll_deg": 90, "focal_px": 3300},
            "light": {"lamps": [{"x_mm": 100, "y_mm": 1000, "z_mm": 1800, "radius_mm": 150}], "ambient": 0.4},
            "pieces": [{"colour": "red", "x_mm": 150, "y_mm": 1300}]
        }))
        .unwrap();
        let camera = scene.clone().validate_on(board.clone(), "first").unwrap().camera;
        let first = still(&scene, &board);
        let came = serde_json::json!({"colour": "blue", "x_mm": 260, "y_mm": 1600});
        scene.pieces.push(serde_json::from_value(came).unwrap());
        scene.camera.look_at = Some([200.0, 1400.0 + shift_mm]);
        let views = settled_views(&[first, still(&scene, &board)], observer_at(camera, &board));
        assert_eq!(views.len(), 2);
        views[1].moved
    };
    assert_eq!(moved_by(1.0 / 12.0), None);
    let moved = moved_by(1.0 / 3.0).expect("is noticed");
    let moved_px = moved.moved_px.expect("the board is found again");
    assert!(moved.registered_again && (0.4..0.9).contains(&moved_px), "{moved:?}");
}

/// A second lamp goes on, then somebody knocks against the camera. Neither is a shot; the camera is
/// found again, and the pieces lie where they lay.
#[test]
fn a_lamp_is_no_motion_and_a_bumped_camera_is_found_again() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let mut scene: simulate::SceneFile = serde_json::from_value(serde_json::json!({
        "board": "carrom-court", "seed": 3,
        "camera": {"image_size": [800, 450], "height_mm": 1700, "look_at": [200, 1400], "tilt_deg": 0.5,
                   "turn_deg": 0, "roll_deg": 90, "focal_px": 1375, "k1": -0.05},
        "light": {"lamps": [{"x_mm": 100, "y_mm": 1000, "z_mm": 1800, "radius_mm": 150}], "ambient": 0.4},
        "pieces": [{"colour": "red", "x_mm": 150, "y_mm": 1300}, {"colour": "blue", "x_mm": 260, "y_mm": 1600}]
    }))
    .unwrap();
    let camera = scene.clone().validate_on(board.clone(), "first").unwrap().camera;
    let first = still(&scene, &board);
    let lamp = serde_json::json!({"x_mm": 900, "y_mm": 1900, "z_mm": 1700, "radius_mm": 80, "strength": 0.4});
    scene.light.lamps.push(serde_json::from_value(lamp).unwrap());
    let lit = still(&scene, &board);
    scene.camera.look_at = Some([202.0, 1401.0]);
    scene.camera.roll_deg = Some(90.2);
    let bumped = still(&scene, &board);

    let settled = settled_views(&[first, lit, bumped], observer_at(camera, &board));
    assert_eq!(settled.len(), 3, "one view in each light and place");
    for view in &settled {
        assert_eq!(view.pieces.len(), 2);
        assert!(view.contradictions.is_empty(), "{:?}", view.contradictions);
        for (piece, [x_mm, y_mm]) in view.pieces.iter().zip([[150.0, 1300.0], [260.0, 1600.0]]) {
            assert!((piece.x_mm - x_mm).hypot(piece.y_mm - y_mm) < 2.0, "{piece:?}");
        }
    }
    assert!(settled[1].episode.light_changed && settled[1].episode.moving_frames == 0);
    assert!(settled[0].moved.is_none() && settled[1].moved.is_none());
    let moved = settled[2].moved.expect("the bump is noticed");
    assert!(moved.registered_again && moved.moved_px > Some(1.0), "{moved:?}");
}
