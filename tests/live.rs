//! Evenings watched by the umpire alone, who is told where everything lies; and lamps and bumps, seen.

use std::{ops::ControlFlow, sync::Arc};

use linecall::{
    board::{Board, BoardSide},
    camera::CameraCovariance,
    capture::{Frame, FrameImage, Picture},
    detect::Candidate,
    evaluate::{EventOutcome, EventVerdict, Judge},
    geometry::Point,
    live::{Episode, Finding, LiveOptions, Seen, Umpire, lying},
    measure::{ByCamera, Measurement},
    motion::{Activity, Blob, Tracker},
    register::{Method, Registration},
    rules::GameId,
    score::{ScoreOptions, Scorer, Seen as SeenPiece, Sight, StageTimes},
    simulate::{self, EveningOptions, EveningTruth, Phase, region_of_play, stage_evening},
};

/// What became of an evening's events.
struct Outcome {
    outcomes: Vec<EventOutcome>,
}

impl Outcome {
    fn count(&self, verdict: EventVerdict) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.verdict == verdict).count()
    }

    fn line(&self) -> String {
        use EventVerdict::*;
        [Right, AskedRight, AskedWrong, AskedExtra, Wrong, Missed, Extra]
            .map(|verdict| format!("{verdict:?} {}", self.count(verdict)))
            .join(", ")
    }

    /// Everything that was recorded is true; every exception was asked about, and few were.
    fn assert_holds(&self, name: &str, most_asked_share: f64) {
        use EventVerdict::*;
        for outcome in &self.outcomes {
            let is_fault = matches!(outcome.verdict, Wrong | Missed | Extra);
            assert!(!is_fault, "{name}, {}: {outcome:#?}", self.line());
        }
        let asked = self.count(AskedRight) + self.count(AskedWrong) + self.count(AskedExtra);
        let most = most_asked_share * self.outcomes.len() as f64;
        assert!(asked as f64 <= most, "{name} asked too often: {}", self.line());
        println!("{name}: {}", self.line());
    }
}

fn judge(truth: &EveningTruth, board: &Board) -> Judge {
    let frames = truth.known_at.iter().map(|frame| *frame as u64);
    let timed = truth.events.iter().cloned().zip(frames).collect();
    Judge::new(timed, board, &LiveOptions::default()).unwrap()
}

/// The umpire, told by the stage what a camera of the scoring end would see.
struct Paper {
    judge: Judge,
    umpire: Umpire,
    scorer: Scorer,
    options: LiveOptions,
    tracker: Tracker,
    episode: Episode,
    still: usize,
    settled: Vec<simulate::Piece>,
    from_y_mm: f64,
    fps: f64,
}

impl Paper {
    fn frame(&mut self, frame: &simulate::Frame) {
        let time_secs = frame.index as f64 / self.fps;
        self.judge.frame = frame.index as u64;
        let in_view = |piece: &&simulate::Piece| piece.y_mm > self.from_y_mm;
        let pieces: Vec<simulate::Piece> = frame.scene.pieces.iter().filter(in_view).cloned().collect();
        let moves = matches!(frame.phase, Phase::Moving | Phase::Hand);
        if moves {
            let mut foreground: Vec<Blob> =
                pieces.iter().filter(|piece| !self.lay_there(piece)).map(|piece| self.blob(piece)).collect();
            if frame.phase == Phase::Hand {
                let at = Point::new(0.0, self.from_y_mm.max(0.0) + 100.0);
                foreground.push(Blob {
                    at,
                    area_mm2: 20_000.0,
                    extent_mm: 200.0,
                    at_border: true,
                    cells: Vec::new(),
                });
            }
            let activity = Activity { time_secs, moving: true, foreground, ..Activity::default() };
            self.tracker.push(&activity, [700.0, 2700.0], &self.options.tracks);
            self.episode.moving_frames += 1;
            self.still = 0;
            return;
        }
        self.still += 1;
        // The third still frame at ten a second.
        if self.still == 3 {
            self.settle(pieces);
        }
    }

    fn lay_there(&self, piece: &simulate::Piece) -> bool {
        let same = |old: &simulate::Piece| {
            old.colour == piece.colour && (old.x_mm - piece.x_mm).hypot(old.y_mm - piece.y_mm) < 1.0
        };
        self.settled.iter().any(same)
    }

    fn blob(&self, piece: &simulate::Piece) -> Blob {
        Blob {
            at: Point::new(piece.x_mm, piece.y_mm),
            area_mm2: 2.0 * std::f64::consts::PI * piece.radius_mm.powi(2),
            extent_mm: 2.0 * piece.radius_mm,
            at_border: piece.y_mm < self.from_y_mm + piece.radius_mm,
            cells: Vec::new(),
        }
    }

    fn settle(&mut self, pieces: Vec<simulate::Piece>) {
        let board = &self.scorer.board;
        let seen = |piece: &simulate::Piece| {
            let kind = board.pieces.iter().position(|kind| kind.name == piece.colour).unwrap();
            let centre = Point::new(piece.x_mm, piece.y_mm);
            let px = nalgebra::Point2::new(0.0, 0.0);
            let candidate =
                Candidate { kind, centre, base_mm: 0.0, stacked: false, kind_probability: 1.0, px };
            let covariance = nalgebra::Matrix2::identity() * 1e-6;
            let own = covariance;
            let by_camera = ByCamera::zeros();
            SeenPiece::exact(
                candidate,
                Measurement { centre, covariance, own, by_camera, px, px_radius: 10.0, trusted: true },
            )
        };
        let sight = Sight { pieces: pieces.iter().map(seen).collect(), foreign: Vec::new() };
        let registration = registration(&self.scorer);
        let scored = self.scorer.call("told", registration, sight, &mut StageTimes::default());
        let lying = lying(&scored.report);
        let mut episode = std::mem::take(&mut self.episode);
        episode.tracks = std::mem::take(&mut self.tracker).tracks;
        episode.hand = episode.tracks.iter().any(|track| track.hand);
        let seen = Seen {
            pieces: &lying,
            report: &scored.report,
            episode: &episode,
            overlooked: &[],
            contradictions: &[],
        };
        let game = self.judge.state().clone();
        for finding in self.umpire.see(&seen, &game) {
            if let Finding::Draft(draft) = finding {
                self.judge.judge(&draft);
            }
        }
        self.settled = pieces;
    }
}

/// No camera: places are told.
fn registration(scorer: &Scorer) -> Registration {
    let camera = linecall::simulate::SceneFile::of_board(scorer.board.id.clone())
        .validate_on(scorer.board.clone(), "test")
        .unwrap()
        .camera;
    Registration {
        camera,
        covariance: CameraCovariance::zeros(),
        method: Method::Camera,
        rms_px: 0.0,
        edges: 0,
    }
}

/// Plays an evening without pictures.
fn told(options: &EveningOptions) -> Outcome {
    let board = linecall::rules::shipped(options.game).unwrap();
    let truth = stage_evening(options, &mut |_| ControlFlow::Continue(())).unwrap();
    let scorer =
        Scorer::new((*board).clone(), Some(options.game.id()), Default::default(), ScoreOptions::default())
            .unwrap();
    let live = LiveOptions::default();
    let from_y_mm = if board.is_two_ended() { region_of_play(&board).from.y } else { f64::NEG_INFINITY };
    let mut paper = Paper {
        judge: judge(&truth, &board),
        umpire: Umpire::new(options.game, &board, scorer.end, &live.umpire),
        scorer,
        options: live,
        tracker: Tracker::default(),
        episode: Episode::default(),
        still: 0,
        settled: Vec::new(),
        from_y_mm,
        fps: options.fps,
    };
    stage_evening(options, &mut |frame| {
        paper.frame(&frame);
        ControlFlow::Continue(())
    })
    .unwrap();
    Outcome { outcomes: paper.judge.finish() }
}

/// Banks: what touched none is dead; what was not seen is asked.
#[test]
fn rocks_that_touched_no_bank_are_noticed_or_asked_about() {
    let options = EveningOptions { bank: true, ..EveningOptions::new(GameId::Association, 6, 9) };
    told(&options).assert_holds("association, bank", 1.0);
    let board = linecall::rules::shipped(GameId::Association).unwrap();
    assert!(board.rails.iter().any(|rail| rail.side == BoardSide::Left));
}

/// A scene's frames as a camera would deliver them.
fn still(scene: &simulate::SceneFile, board: &Board) -> Arc<Picture> {
    let scene = scene.clone().validate_on(board.clone(), "still").unwrap();
    Arc::new(Picture::new(simulate::render(&scene).picture))
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

    let scorer =
        Scorer::new(board.clone(), Some("court"), Default::default(), ScoreOptions::default()).unwrap();
    let covariance = CameraCovariance::zeros();
    let registration = Registration { camera, covariance, method: Method::Camera, rms_px: 0.1, edges: 500 };
    let mut observer = linecall::live::Observer::new(scorer, registration, LiveOptions::default());
    let mut settled = Vec::new();
    for (index, picture) in [&first, &lit, &bumped].into_iter().flat_map(|p| [p, p, p, p]).enumerate() {
        let frame = Frame {
            index: index as u64,
            since_start: std::time::Duration::from_secs_f64(index as f64 / 10.0),
            name: "still".into(),
            image: FrameImage::Decoded(Arc::clone(picture)),
        };
        if let Some(linecall::live::Observed::Settled(view)) = observer.push(&frame).unwrap() {
            settled.push(view);
        }
    }
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
