//! One 1080p frame with a camera file: each stage, the whole, decoding alone, and the OpenCV peer
//! (undistort + warpPerspective + HoughCircles) on the same frame in the same run; then many
//! photos on all cores against decoding them.
//!
//! `cargo bench --bench pipeline -- [NAME] [--alone SECONDS | --peer-alone SECONDS]`: only photos
//! whose name has NAME in it; with `--alone` only linecall runs, over and over, for a profiler, and
//! tells how often; with `--peer-alone` only the peer.
//!
//! What is compared runs in turns, so that both meet the same load of the machine. The least time
//! is what the code costs; the median shows what else the machine was doing.
#![allow(clippy::unwrap_used)]

use std::{
    hint::black_box,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use linecall::{
    board::{Board, End},
    camera::CameraCovariance,
    capture::{PhotoLimits, Picture, decode_photo, load_photo, read_photo},
    evaluate::{Peer, PeerOptions, Truth},
    register::{Method, Registration},
    score::{Known, ScoreOptions, Scorer, StageTimes, in_order},
};

const PHOTOS: [&str; 6] = [
    "court-overhead/001.jpg",
    "court-close-calls/001.jpg",
    "longboard-overhead/001.jpg",
    "association-overhead/001.jpg",
    "carrom-overhead/001.jpg",
    "ludington-overhead/001.jpg",
];
const ROUNDS: usize = 40;

struct Frame {
    path: PathBuf,
    bytes: Vec<u8>,
    picture: Picture,
    scorer: Scorer,
    known: Known,
}

fn frame(name: &str) -> Frame {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
    let truth = Truth::load(&path.with_extension("json")).unwrap();
    let board = Board::named_or_at(&truth.board).unwrap();
    let scorer = Scorer::new(board, None, End::Far, ScoreOptions::default()).unwrap();
    let registration = Registration {
        camera: truth.camera(),
        covariance: CameraCovariance::zeros(),
        method: Method::Camera,
        rms_px: 0.0,
        edges: 0,
    };
    let known = Known::Camera(Box::new(scorer.prepare(registration)));
    let limits = PhotoLimits::default();
    let bytes = read_photo(&path, &limits).unwrap();
    let picture = decode_photo(&bytes, &path, &limits).unwrap();
    Frame { path, bytes, picture, scorer, known }
}

fn score(frame: &Frame) -> (usize, StageTimes) {
    let mut times = StageTimes::default();
    let scored = frame.scorer.score("frame", black_box(&frame.picture), &frame.known, &mut times).unwrap();
    (scored.report.pieces.len(), times)
}

fn peer_of(frame: &Frame) -> Peer {
    let Known::Camera(prepared) = &frame.known else { unreachable!("frames have cameras") };
    Peer::new(&frame.scorer.board, &prepared.registration.camera, PeerOptions::default()).unwrap()
}

/// Seconds of one way, over all rounds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64()
}

/// Every stage of one photo, decoding it, and the peer, in turns.
fn stages(name: &str) {
    let frame = frame(name);
    let peer = peer_of(&frame);
    let pieces = score(&frame).0;
    let names = [
        "camera check",
        "detect",
        "measure",
        "paint",
        "calls and tally",
        "picture to calls",
        "decode",
        "OpenCV peer",
    ];
    let mut times: [Times; 8] = Default::default();
    for _ in 0..ROUNDS {
        let mut stage = StageTimes::default();
        let whole = seconds(|| stage = black_box(score(&frame)).1);
        let decode = seconds(|| {
            black_box(decode_photo(&frame.bytes, &frame.path, &PhotoLimits::default()).unwrap());
        });
        let peer = seconds(|| {
            black_box(peer.find(&frame.picture).unwrap());
        });
        let of_stages =
            [stage.register_secs, stage.detect_secs, stage.measure_secs, stage.paint_secs, stage.calls_secs];
        let all = of_stages.into_iter().chain([whole, decode, peer]);
        times.iter_mut().zip(all).for_each(|(times, secs)| times.0.push(secs));
    }
    println!("{name}, {pieces} pieces, one core, {ROUNDS} rounds in turns");
    println!("  {:<18}{:>10}{:>11}", "", "least ms", "median ms");
    for (name, times) in names.iter().zip(&times) {
        println!("  {name:<18}{:>10.3}{:>11.3}", times.least() * 1e3, times.median() * 1e3);
    }
    let (ours, peers) = (&times[5], &times[7]);
    let (least, median) = (peers.least() / ours.least(), peers.median() / ours.median());
    println!("  faster than the peer {least:.1} times (medians: {median:.1})\n");
}

/// Photos in bulk: reading and scoring against reading and decoding, on all cores.
fn bulk() {
    let frame = frame("court-overhead/001.jpg");
    let photos = vec![frame.path.clone(); 100];
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let limits = PhotoLimits::default();
    let decode = || in_order(&photos, jobs, |path| load_photo(path, &limits).unwrap(), |_, _| true);
    let whole = || {
        let work = |path: &PathBuf| {
            let picture = load_photo(path, &limits).unwrap();
            let mut times = StageTimes::default();
            frame.scorer.score("frame", &picture, &frame.known, &mut times).unwrap()
        };
        in_order(&photos, jobs, work, |_, _| true);
    };
    let (mut decoding, mut scoring) = (Times::default(), Times::default());
    for _ in 0..5 {
        decoding.0.push(seconds(decode));
        scoring.0.push(seconds(whole));
    }
    println!(
        "bulk, {} photos on {jobs} cores: decoding alone {:.2} s, reading and scoring {:.2} s: {:.2} times (medians: {:.2})",
        photos.len(),
        decoding.least(),
        scoring.least(),
        scoring.least() / decoding.least(),
        scoring.median() / decoding.median()
    );
}

fn main() {
    opencv::core::set_num_threads(1).unwrap();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let is_option = |argument: &&String| argument.starts_with("--");
    let wanted = arguments.first().filter(|argument| !is_option(argument));
    let photos = PHOTOS.iter().filter(|name| wanted.is_none_or(|wanted| name.contains(wanted.as_str())));
    match arguments.iter().position(|argument| is_option(&argument)) {
        Some(at) => {
            let limit = Duration::from_secs(arguments[at + 1].parse().unwrap());
            alone(photos.map(|name| frame(name)).collect(), arguments[at] == "--peer-alone", limit);
        }
        None => {
            photos.for_each(|name| stages(name));
            if wanted.is_none_or(|wanted| wanted == "bulk") {
                bulk();
            }
        }
    }
}

/// Runs only linecall, or only the peer, until the time is over.
fn alone(frames: Vec<Frame>, peer_runs: bool, limit: Duration) {
    let frames: Vec<(Frame, Peer)> = frames
        .into_iter()
        .map(|frame| {
            let peer = peer_of(&frame);
            (frame, peer)
        })
        .collect();
    let (started, mut runs) = (Instant::now(), 0);
    while started.elapsed() < limit {
        for (frame, peer) in &frames {
            match peer_runs {
                true => black_box(peer.find(&frame.picture).unwrap().len()),
                false => black_box(score(frame).0),
            };
            runs += 1;
        }
    }
    println!("{runs} frames in {:.2} s", started.elapsed().as_secs_f64());
}
