//! Evenings without pictures: the umpire is told by the stage what a camera of the scoring end would
//! see, exactly, and what it drafts is held against the truth.

use std::ops::ControlFlow;

use linecall::{
    detect::Candidate,
    evaluate::{EventOutcome, EventVerdict, Judge},
    geometry::Point,
    live::{Episode, Finding, LiveOptions, Seen, Umpire, lying},
    measure::{ByCamera, Measurement},
    motion::{Activity, Blob, Tracker},
    register::Registration,
    score::{ScoreOptions, Scorer, Seen as SeenPiece, Sight, StageTimes},
    simulate::{self, EveningOptions, Phase, region_of_play, stage_evening},
};

/// What became of the events of one or more evenings.
#[derive(Default)]
pub struct Outcome {
    pub outcomes: Vec<(u64, EventOutcome)>,
}

impl Outcome {
    pub fn count(&self, verdict: EventVerdict) -> usize {
        self.outcomes.iter().filter(|(_, outcome)| outcome.verdict == verdict).count()
    }

    pub fn line(&self) -> String {
        use EventVerdict::*;
        [Right, AskedRight, AskedWrong, AskedExtra, Wrong, Missed, Extra]
            .map(|verdict| format!("{verdict:?} {}", self.count(verdict)))
            .join(", ")
    }

    fn story(&self, verdicts: &[EventVerdict]) -> String {
        let told = self.outcomes.iter().filter(|(_, outcome)| verdicts.contains(&outcome.verdict));
        let tell = |(seed, outcome): &(u64, EventOutcome)| {
            format!("seed {seed}: {}\n", serde_json::to_string(outcome).unwrap_or_default())
        };
        told.map(tell).collect()
    }

    /// Everything that was recorded is true; every exception was asked about, and few were.
    pub fn assert_holds(&self, name: &str, most_asked_share: f64) {
        use EventVerdict::*;
        println!("{name}: {}", self.line());
        println!("{}", self.story(&[AskedRight, AskedWrong, AskedExtra]));
        let faults = self.story(&[Wrong, Missed, Extra]);
        assert!(faults.is_empty(), "{name}, {}:\n{faults}", self.line());
        let asked = self.count(AskedRight) + self.count(AskedWrong) + self.count(AskedExtra);
        let most = most_asked_share * self.outcomes.len() as f64;
        assert!(asked as f64 <= most, "{name} asked too often: {}", self.line());
    }
}

/// A frame as the stage showed it.
struct Told {
    index: usize,
    phase: Phase,
    pieces: Vec<simulate::Piece>,
}

/// The umpire, told by the stage what a camera of the scoring end would see.
struct Paper {
    judge: Judge,
    umpire: Umpire,
    scorer: Scorer,
    registration: Registration,
    options: LiveOptions,
    piece_mm2: [f64; 2],
    tracker: Tracker,
    episode: Episode,
    still: usize,
    settled: Vec<simulate::Piece>,
    from_y_mm: f64,
    fps: f64,
}

impl Paper {
    fn frame(&mut self, frame: Told) {
        let time_secs = frame.index as f64 / self.fps;
        self.judge.frame = frame.index as u64;
        let pieces: Vec<simulate::Piece> =
            frame.pieces.into_iter().filter(|piece| piece.y_mm > self.from_y_mm).collect();
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
                    beside_unknown: false,
                    cells: Vec::new(),
                });
            }
            let activity = Activity { time_secs, moving: true, foreground, ..Activity::default() };
            self.tracker.push(&activity, self.piece_mm2, &self.options.tracks);
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
            // With its shadow and blur.
            area_mm2: 2.0 * std::f64::consts::PI * piece.radius_mm.powi(2),
            extent_mm: 2.0 * piece.radius_mm,
            at_border: piece.y_mm < self.from_y_mm + piece.radius_mm,
            beside_unknown: false,
            cells: Vec::new(),
        }
    }

    fn settle(&mut self, pieces: Vec<simulate::Piece>) {
        let board = &self.scorer.board;
        let seen = |piece: &simulate::Piece| {
            let kind = board.pieces.iter().position(|kind| kind.name == piece.colour).unwrap();
            let centre = Point::new(piece.x_mm, piece.y_mm);
            let px = nalgebra::Point2::new(0.0, 0.0);
            let candidate = Candidate::on_board(kind, centre, px);
            let covariance = nalgebra::Matrix2::identity() * 1e-6;
            let own = covariance;
            let by_camera = ByCamera::zeros();
            SeenPiece::exact(
                candidate,
                Measurement { centre, covariance, own, by_camera, px, px_radius: 10.0, trusted: true },
            )
        };
        let sight = Sight { pieces: pieces.iter().map(seen).collect(), ..Sight::default() };
        let scored = self.scorer.call("told", self.registration.clone(), sight, &mut StageTimes::default());
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
    let camera = simulate::SceneFile::of_board(scorer.board.id.clone())
        .validate_on(scorer.board.clone(), "test")
        .unwrap()
        .camera;
    Registration::exact(camera)
}

/// Plays an evening without pictures.
pub fn told(options: &EveningOptions, live: &LiveOptions) -> Outcome {
    let board = linecall::rules::shipped(options.game).unwrap();
    let mut frames = Vec::new();
    let truth = stage_evening(options, &mut |frame| {
        let simulate::Frame { scene, phase, index, .. } = frame;
        frames.push(Told { index, phase, pieces: scene.pieces });
        ControlFlow::Continue(())
    })
    .unwrap();
    let scorer =
        Scorer::new((*board).clone(), Some(options.game.id()), Default::default(), ScoreOptions::default())
            .unwrap();
    let from_y_mm = if board.is_two_ended() { region_of_play(&board).from.y } else { f64::NEG_INFINITY };
    let known_at = truth.known_at.iter().map(|frame| *frame as u64);
    let timed = truth.events.iter().cloned().zip(known_at).collect();
    let areas = || board.pieces.iter().map(|kind| std::f64::consts::PI * kind.radius_mm().powi(2));
    let mut paper = Paper {
        judge: Judge::new(timed, &board, live).unwrap(),
        umpire: Umpire::new(options.game, &board, scorer.end, &live.umpire),
        registration: registration(&scorer),
        scorer,
        options: live.clone(),
        piece_mm2: [areas().fold(f64::INFINITY, f64::min), areas().fold(0.0, f64::max)],
        tracker: Tracker::default(),
        episode: Episode::default(),
        still: 0,
        settled: Vec::new(),
        from_y_mm,
        fps: options.fps,
    };
    for frame in frames {
        paper.frame(frame);
    }
    let outcomes = paper.judge.finish().into_iter().map(|outcome| (options.seed, outcome)).collect();
    Outcome { outcomes }
}

/// Several evenings, one a seed from `first_seed` on. `EVENING_SEEDS` in the environment makes them
/// more than three.
pub fn told_evenings(first: &EveningOptions) -> Outcome {
    let seeds = std::env::var("EVENING_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(3);
    let mut all = Outcome::default();
    for seed in 0..seeds {
        let options = EveningOptions { seed: first.seed + 100 * seed, ..first.clone() };
        all.outcomes.extend(told(&options, &LiveOptions::default()).outcomes);
    }
    all
}
