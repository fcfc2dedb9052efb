//! Filmed sequences: what happens on the board is what the frames and their story tell.

use linecall::simulate::*;

fn half_round() -> Scene {
    let text = r#"{"board": "carrom-court", "camera": {"image_size": [160, 90]},
        "sequence": {"fps": 5, "still_frames": 2, "hand_frames": 4, "shots": [
            {"colour": "red", "x_mm": 150, "y_mm": 60, "velocity_mm_s": [0, 1420]},
            {"colour": "blue", "x_mm": 250, "y_mm": 60, "velocity_mm_s": [0, 1100]},
            {"colour": "red", "x_mm": 152, "y_mm": 60, "velocity_mm_s": [0, 1500]}]}}"#;
    SceneFile::parse(text, "test").unwrap().validate("test").unwrap()
}

#[test]
fn shots_slide_knock_and_die_as_the_story_tells() {
    let sequence = film(&half_round()).unwrap();
    let shots = sequence.story["shots"].as_array().unwrap();
    assert_eq!(shots.len(), 3);
    // The first stops at 60 + v²/2a = 1500, clear of every line's foul.
    let first = sequence.frames.iter().find(|f| f.phase == Phase::Still).unwrap();
    assert!((first.scene.pieces[0].y_mm - 1500.3).abs() < 1.0, "{}", first.scene.pieces[0].y_mm);
    // The second stops short of the foul line: a hand takes it away.
    assert_eq!(shots[1]["dead_then_removed"], true);
    assert_eq!(shots[1]["hand_frames"].as_array().unwrap().len(), 4);
    // The third strikes the first.
    assert_eq!(shots[2]["knocks_shot"], 0);
    let last = sequence.frames.last().unwrap();
    assert_eq!(last.scene.pieces.len(), 2);
    assert!(last.scene.pieces.iter().all(|piece| piece.colour == "red"));
}

#[test]
fn frames_know_their_phase_and_pieces_their_motion() {
    let sequence = film(&half_round()).unwrap();
    let mut hands = 0;
    for (index, frame) in sequence.frames.iter().enumerate() {
        let moves = frame.scene.pieces.iter().any(|piece| piece.velocity_mm_s != [0.0; 2]);
        assert_eq!(moves, frame.phase == Phase::Moving, "frame {index}");
        let hand = frame.scene.file.objects.iter().any(|object| object.kind == ObjectKind::Hand);
        assert_eq!(hand, frame.phase == Phase::Hand, "frame {index}");
        hands += usize::from(hand);
    }
    assert_eq!(hands, 4);
    assert_eq!(sequence.frames[0].phase, Phase::Empty);
    let moving = sequence.frames.iter().find(|f| f.phase == Phase::Moving).unwrap();
    let mut photo = render(&moving.scene);
    moving.complete(&mut photo.truth);
    assert_eq!(photo.truth.more["phase"], "moving");
    let per_frame = photo.truth.pieces[0].more["velocity_mm_per_frame"][1].as_f64().unwrap();
    assert!((per_frame - 1420.0 / 5.0).abs() < 1e-6, "{per_frame}");
    assert_eq!(photo.truth.pieces[0].more["moving"], true);
    assert_eq!(photo.truth.pieces[0].more["shot"], 0);
}

#[test]
fn a_sequence_is_a_folder_of_frames_with_its_story() {
    let mut scene = half_round();
    scene.file.sequence.as_mut().unwrap().shots.truncate(1);
    let folder = tempfile::tempdir().unwrap();
    render_sequence(&scene, folder.path(), &|_| {}, &|| {}).unwrap();
    let story: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("sequence.json")).unwrap()).unwrap();
    let frames = story["frames"].as_u64().unwrap();
    assert!(frames >= 8);
    assert_eq!(story["final_tally"]["red"], 8, "{story}");
    for index in 0..frames {
        assert!(folder.path().join(format!("{index:03}.jpg")).is_file());
        assert!(folder.path().join(format!("{index:03}.json")).is_file());
    }
}

/// What is rendered by difference is what is rendered alone, to the last bit.
#[test]
fn a_reel_gives_the_same_light_as_frames_of_their_own() {
    let mut reel = Reel::new();
    for (index, frame) in film(&half_round()).unwrap().frames.iter().enumerate() {
        let alone = render_light(&frame.scene);
        assert!(*reel.light(&frame.scene) == alone, "frame {index}, {:?}", frame.phase);
    }
    // From an angle, with pockets and a stack, a moved lamp, and a camera that is bumped.
    let mut scene = SceneFile::of_board("carrom-icf");
    scene.camera = CameraPart { image_size: Some([200, 150]), tilt_deg: Some(38.0), ..CameraPart::default() };
    let pieces =
        [("white", 300.0, 300.0), ("black", 60.0, 55.0), ("queen", 360.0, 400.0), ("white", 37.0, 700.0)];
    scene.pieces = pieces.map(|(colour, x, y)| PiecePart::new(colour, x, y)).to_vec();
    let mut steps = vec![scene.clone()];
    let mut step = |change: &dyn Fn(&mut SceneFile)| {
        change(&mut scene);
        steps.push(scene.clone());
    };
    step(&|scene| scene.pieces[1].x_mm = 110.0);
    step(&|scene| {
        scene.pieces.remove(0);
    });
    step(&|scene| scene.pieces[0].velocity_mm_s = Some([700.0, -200.0]));
    step(&|scene| scene.pieces[1].y_mm = 401.0);
    step(&|scene| scene.light.ambient = 0.6);
    step(&|scene| scene.camera.tilt_deg = Some(38.2));
    step(&|scene| {
        scene.pieces.push(PiecePart::new("black", 500.0, 90.0));
    });
    for (index, scene) in steps.into_iter().enumerate() {
        let scene = scene.validate("test").unwrap();
        assert!(*reel.light(&scene) == render_light(&scene), "step {index}");
    }
}
