//! Simulated evenings: what the frames show is what the truth tells, and the rules agree.

use std::ops::ControlFlow;
use std::process::Command;

use linecall::calls::{CallOptions, PaintEdge, Sighting, call};
use linecall::geometry::Point;
use linecall::rules::event::{Event, StrikerFate};
use linecall::rules::{GameId, match_file};
use linecall::simulate::*;

fn staged(options: &EveningOptions) -> (Vec<Frame>, EveningTruth) {
    let mut frames = Vec::new();
    let truth = stage_evening(options, &mut |frame| {
        frames.push(frame);
        ControlFlow::Continue(())
    })
    .unwrap();
    (frames, truth)
}

fn flag(shot: &serde_json::Value, name: &str) -> bool {
    shot[name].as_bool().unwrap()
}

#[test]
fn every_games_evening_is_a_match_that_the_rules_take() {
    for game in GameId::ALL {
        for seed in 0..3 {
            let rounds = if game == GameId::Kagw { 1 } else { 2 };
            let options = EveningOptions::new(game, rounds, seed);
            let (frames, truth) = staged(&options);
            assert_eq!(frames.len(), truth.frames);
            assert_eq!(truth.events.len(), truth.known_at.len());
            let record = match_file::play(truth.match_file().as_bytes(), None).unwrap();
            assert_eq!(record.events().len(), truth.events.len());
            assert_eq!(truth.match_file(), staged(&options).1.match_file(), "{game:?} {seed}");
            if matches!(game, GameId::Kagw | GameId::Ludington) {
                assert!(truth.events.len() > 15, "{game:?} {seed}: {} events", truth.events.len());
            } else {
                assert_eq!(truth.events.len(), 1 + rounds, "{game:?} {seed}");
            }
        }
    }
}

/// The pieces of a `frame` event are those that lie in the frame from which on it can be known.
#[test]
fn a_half_rounds_event_is_what_its_last_still_frame_shows() {
    for game in [GameId::Court, GameId::LongBoard, GameId::Association] {
        let (frames, truth) = staged(&EveningOptions::new(game, 4, 5));
        for (event, known_at) in truth.events.iter().zip(&truth.known_at).skip(1) {
            let Event::Frame(event) = event else { panic!("{event:?}") };
            assert_eq!(event.pieces.len(), 8);
            assert_eq!(frames[*known_at].phase, Phase::Still);
            // A hand takes the last puck away first if that died.
            let until_cleared = frames[*known_at..].iter().take_while(|frame| frame.phase != Phase::Empty);
            let shown = until_cleared.filter(|frame| frame.phase == Phase::Still).last().unwrap();
            let mut told: Vec<_> = event.pieces.iter().filter_map(|p| Some((p.x_mm?, p.y_mm?))).collect();
            let mut seen: Vec<_> = shown.scene.pieces.iter().map(|p| (p.x_mm, p.y_mm)).collect();
            told.sort_by(|a, b| a.partial_cmp(b).unwrap());
            seen.sort_by(|a, b| a.partial_cmp(b).unwrap());
            assert_eq!(told, seen);
        }
        assert!(frames.last().unwrap().scene.pieces.is_empty(), "the board is cleared");
    }
}

#[test]
fn half_rounds_have_knocks_hangers_dead_pucks_and_pucks_that_leave() {
    let story = |game, bank| {
        let options = EveningOptions { bank, ..EveningOptions::new(game, 12, 3) };
        staged(&options).1.story["shots"].as_array().unwrap().clone()
    };
    let court = story(GameId::Court, false);
    assert_eq!(court.len(), 96);
    assert!(court.iter().filter(|shot| flag(shot, "dead_then_removed")).count() >= 4);
    assert!(court.iter().filter(|shot| !shot["knocks_shot"].is_null()).count() >= 8);
    let leaves = |shots: &[serde_json::Value], how: &str| {
        let moved = shots.iter().flat_map(|shot| shot["moved"].as_array().unwrap());
        moved.filter(|piece| piece["left"] == how).count()
    };
    assert!(leaves(&court, "off-the-end") >= 2);
    assert!(leaves(&court, "off-the-side") >= 1);
    let banked = story(GameId::Association, true);
    let touched = banked.iter().filter(|shot| flag(shot, "side_touched")).count();
    assert!(touched > 50 && touched < 96, "{touched}");
    let (frames, truth) = staged(&EveningOptions::new(GameId::LongBoard, 12, 3));
    let board = &frames[0].scene.board;
    let hangs =
        truth.known_at.iter().skip(1).flat_map(|frame| &frames[*frame].scene.pieces).filter(|piece| {
            let sighting = Sighting::exact(&piece.colour, Point::new(piece.x_mm, piece.y_mm));
            let call = call(
                board,
                linecall::board::End::Far,
                &sighting,
                &PaintEdge::as_drawn,
                &CallOptions::default(),
            );
            call.is_some_and(|call| call.area.as_deref() == Some("hanging"))
        });
    assert!(hangs.count() >= 3);
}

#[test]
fn strikes_pocket_foul_and_bring_back_what_the_rules_return() {
    for game in [GameId::Kagw, GameId::Ludington] {
        let (mut pocketed, mut scratched, mut special) = (0, 0, 0);
        for seed in 0..4 {
            let (frames, truth) = staged(&EveningOptions::new(game, 1, seed));
            let text = truth.match_file();
            let lines: Vec<&str> = text.lines().collect();
            for (number, event) in truth.events.iter().enumerate().skip(1) {
                let Event::Strike(strike) = event else { panic!("{event:?}") };
                pocketed += strike.pocketed.len();
                special += strike.pocketed.iter().filter(|c| *c == "queen" || *c == "green").count();
                scratched += usize::from(strike.striker == StrikerFate::Pocketed);
                // Before the next strike the board holds what the rules say.
                let record = match_file::play(lines[..=number].join("\n").as_bytes(), None).unwrap();
                let shots = truth.story["shots"].as_array().unwrap();
                let (Some(next), Some(rules)) = (shots.get(number), record.state().table()) else { continue };
                let placed = next["placed_frames"][0].as_u64().unwrap() as usize;
                for (side, colour) in record.state().colours().iter() {
                    let lying = frames[placed].scene.pieces.iter().filter(|p| p.colour == *colour).count();
                    let expected = if record.log().last().unwrap().entry.game_won_by.is_some() {
                        continue;
                    } else {
                        rules.on_board[side] as usize
                    };
                    assert_eq!(lying, expected, "{game:?} seed {seed} after event {number}, {colour}");
                }
            }
        }
        assert!(pocketed > 40 && scratched > 0 && special > 1, "{game:?}: {pocketed} {scratched} {special}");
    }
}

#[test]
fn a_bumped_camera_and_a_lamp_change_the_frames_from_theirs_on() {
    let options = EveningOptions {
        bump_at: Some(4),
        lamp_at: Some(7),
        image_size: Some([160, 90]),
        ..EveningOptions::new(GameId::Court, 1, 2)
    };
    let mut shown = Vec::new();
    let stopped = film_evening(&options, &mut |frame, photo| {
        assert_eq!(photo.picture.as_raw(), render(&frame.scene).picture.as_raw(), "frame {}", frame.index);
        shown.push((frame.scene.camera, frame.scene.file.light.lamps.len()));
        if shown.len() < 9 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(stopped, Err(EveningError::Stopped)));
    assert_eq!(shown[3].0, shown[0].0);
    let corner = |camera: linecall::camera::Camera| camera.image_from_board(100.0, 1400.0, 0.0).unwrap();
    assert!((corner(shown[4].0) - corner(shown[3].0)).norm() > 0.3);
    assert_eq!(shown[8].0, shown[4].0);
    assert_eq!(shown[7].1, shown[6].1 + 1);
}

#[test]
fn the_command_writes_frames_a_story_and_a_match_that_tally_reads() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_linecall"))
            .current_dir(folder.path())
            .args(arguments)
            .output()
            .unwrap()
    };
    let made =
        run(&["simulate", "--evening", "long-board", "--seed", "4", "--size", "96x54", "-o", "evening"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let story: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("evening/sequence.json")).unwrap())
            .unwrap();
    let last = story["frames"].as_u64().unwrap() - 1;
    assert!(folder.path().join(format!("evening/{last:03}.jpg")).is_file());
    assert!(folder.path().join(format!("evening/{last:03}.json")).is_file());
    let tally = run(&["tally", "evening/truth.jsonl", "--json"]);
    assert!(tally.status.success(), "{}", String::from_utf8_lossy(&tally.stderr));
    let bad = run(&["simulate", "--evening", "chess", "-o", "evening"]);
    assert_eq!(bad.status.code(), Some(2));
    let bad = run(&["simulate", "--evening", "court", "--fps", "0", "-o", "evening"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("fps"));
}
