//! A few strikes of each carrom game, rendered and watched. Half rounds are watched in `replay`.

use std::{ops::ControlFlow, sync::Arc};

use linecall::{
    camera::CameraCovariance,
    capture::{Frame, FrameImage, Picture},
    evaluate::Judge,
    live::{LiveOptions, Session},
    register::{Method, Registration},
    rules::GameId,
    score::{ScoreOptions, Scorer},
    simulate::{EveningOptions, film_evening, stage_evening},
};

use super::paper::Outcome;

/// Films an evening and watches it.
fn watched(options: &EveningOptions) -> Outcome {
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
            since_start: std::time::Duration::from_secs_f64(filmed.index as f64 / options.fps),
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
    let outcomes = session.book.finish().into_iter();
    Outcome { outcomes: outcomes.map(|outcome| (options.seed, outcome)).collect() }
}

/// Hands bring and take the striker, and pieces fly about.
#[test]
fn filmed_strikes_are_recorded_as_they_were() {
    // On the printed board the queen's coming and a pale striker at rest are asked about: the guess is right.
    for (game, seed, most_asked_share) in [(GameId::Kagw, 7, 1.0), (GameId::Ludington, 8, 0.5)] {
        let options = EveningOptions {
            strikes: Some(2),
            image_size: Some([640, 640]),
            ..EveningOptions::new(game, 1, seed)
        };
        let outcome = watched(&options);
        assert_eq!(outcome.outcomes.len(), 2, "{}: {}", game.id(), outcome.line());
        outcome.assert_holds(game.id(), most_asked_share);
    }
}
