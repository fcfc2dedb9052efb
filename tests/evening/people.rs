//! Evenings with people as they are: hands that stay, arms and heads, nobody who waits.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use linecall::{
    camera::CameraCovariance,
    capture::{Frame, FrameImage, Picture},
    evaluate::{EventOutcome, EventVerdict, Judge},
    live::{LiveOptions, Session},
    register::{Method, Registration},
    rules::GameId,
    score::{ScoreOptions, Scorer},
    simulate::{EveningOptions, film_evening, stage_evening},
};

/// Films an evening and watches it.
fn watched(options: &EveningOptions) -> Vec<EventOutcome> {
    let board = linecall::rules::shipped(options.game).unwrap();
    let truth = stage_evening(options, &mut |_| ControlFlow::Continue(())).unwrap();
    let known_at = truth.known_at.iter().map(|frame| *frame as u64);
    let timed = truth.events.iter().cloned().zip(known_at).collect();
    let live = LiveOptions::default();
    let mut judge = Some(Judge::new(timed, &board, &live).unwrap());
    let mut session: Option<Session<Judge>> = None;
    film_evening(options, &mut |filmed, photo| {
        let session = session.get_or_insert_with(|| {
            let game = Some(options.game.id());
            let scorer =
                Scorer::new((*board).clone(), game, Default::default(), ScoreOptions::default()).unwrap();
            let registration = Registration {
                camera: filmed.scene.camera,
                covariance: CameraCovariance::zeros(),
                method: Method::Camera,
                rms_px: 0.1,
                edges: 500,
                off_mm: 0.0,
            };
            Session::new(scorer, registration, live.clone(), judge.take().unwrap())
        });
        let frame = Frame {
            index: filmed.index as u64,
            since_start: Duration::from_secs_f64(filmed.index as f64 / options.fps),
            name: format!("frame {}", filmed.index).into(),
            image: FrameImage::Decoded(Arc::new(Picture::new(photo.picture))),
        };
        session.book.frame = frame.index;
        session.push(&frame).unwrap();
        ControlFlow::Continue(())
    })
    .unwrap();
    let mut session = session.unwrap();
    session.finish().unwrap();
    session.book.finish()
}

/// What is recorded without a question is true.
fn assert_nothing_wrong(options: &EveningOptions) {
    let outcomes = watched(options);
    let verdicts: Vec<EventVerdict> = outcomes.iter().map(|outcome| outcome.verdict).collect();
    println!("{} seed {}: {verdicts:?}", options.game.id(), options.seed);
    let is_wrong = |verdict: &EventVerdict| matches!(verdict, EventVerdict::Wrong | EventVerdict::Extra);
    assert!(!verdicts.iter().any(is_wrong), "{}", serde_json::to_string(&outcomes).unwrap());
    let is_right = |verdict: &EventVerdict| matches!(verdict, EventVerdict::Right | EventVerdict::AskedRight);
    assert!(verdicts.iter().any(is_right), "{}", serde_json::to_string(&outcomes).unwrap());
}

#[test]
fn strikes_with_hands_in_the_picture_are_recorded_as_they_were() {
    assert_nothing_wrong(&EveningOptions {
        people: true,
        strikes: Some(2),
        fps: 15.0,
        image_size: Some([480, 480]),
        ..EveningOptions::new(GameId::Kagw, 1, KAGW_SEED)
    });
}

/// A seed whose striker is green; pale ones are hardly told from white men.
const KAGW_SEED: u64 = 912;

#[test]
fn half_rounds_with_arms_over_the_border_are_recorded_as_they_were() {
    assert_nothing_wrong(&EveningOptions {
        people: true,
        image_size: Some([640, 360]),
        ..EveningOptions::new(GameId::Court, 1, 902)
    });
}
