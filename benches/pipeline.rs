//! One 1080p frame with a camera file: each stage beside what a user of OpenCV would write for it, and
//! the whole beside the whole of that (undistort + warpPerspective + HoughCircles), on the same frame
//! in the same run; then many photos on all cores against decoding them, by our decoder and by OpenCV's.
//!
//! `cargo bench --bench pipeline -- [NAME] [--alone SECONDS | --peer-alone SECONDS]`: only photos
//! whose name has NAME in it; with `--alone` only linecall runs, over and over, for a profiler, and
//! tells how often; with `--peer-alone` only the peer.
//!
//! What is compared runs in turns, so that both meet the same load of the machine. The least time
//! is what the code costs; the median shows what else the machine was doing.
#![allow(clippy::unwrap_used)]

mod peers;

use std::{
    hint::black_box,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use linecall::{
    board::{Board, End},
    capture::{PhotoLimits, Picture, decode_photo, load_photo, read_photo},
    evaluate::{Peer, PeerOptions, Truth},
    register::Registration,
    score::{Known, ScoreOptions, Scored, Scorer, StageTimes, in_order},
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
const BULK_ROUNDS: usize = 5;

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
    let registration = Registration::exact(truth.camera());
    let known = Known::Camera(Box::new(scorer.prepare(registration)));
    let limits = PhotoLimits::default();
    let bytes = read_photo(&path, &limits).unwrap();
    let picture = decode_photo(&bytes, &path, &limits).unwrap();
    Frame { path, bytes, picture, scorer, known }
}

fn scored(frame: &Frame) -> (Scored, StageTimes) {
    let mut times = StageTimes::default();
    let scored = frame.scorer.score("frame", black_box(&frame.picture), &frame.known, &mut times).unwrap();
    (scored, times)
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

/// Every stage of one photo and its peer, in turns.
fn stages(name: &str) {
    let frame = frame(name);
    let peer = peer_of(&frame);
    let mat = peers::mat_of(&frame.picture).unwrap();
    let first = scored(&frame).0;
    let places: Vec<(f64, f64)> =
        first.seen.iter().map(|seen| (seen.measurement.px.x, seen.measurement.px.y)).collect();
    let radius_px = first.seen.first().map_or(20.0, |seen| seen.measurement.px_radius);
    let rows = [
        ("decode", "imdecode"),
        ("camera check", "Canny + HoughLinesP"),
        ("detect", "medianBlur + HoughCircles"),
        ("measure", "threshold + findContours + fitEllipse"),
        ("paint", ""),
        ("calls and tally", ""),
        ("picture to calls", "undistort + warpPerspective + HoughCircles"),
    ];
    let mut times: [(Times, Times); 7] = Default::default();
    for _ in 0..ROUNDS {
        let mut stage = StageTimes::default();
        let whole = seconds(|| stage = black_box(scored(&frame)).1);
        let whole_peer = seconds(|| {
            black_box(peer.find(&frame.picture).unwrap());
        });
        let decode = seconds(|| {
            black_box(decode_photo(&frame.bytes, &frame.path, &PhotoLimits::default()).unwrap());
        });
        let decode_peer = seconds(|| {
            black_box(peers::decode(&frame.bytes).unwrap());
        });
        let lines = seconds(|| {
            black_box(peers::lines(&mat).unwrap());
        });
        let circles = seconds(|| {
            black_box(peers::circles(&mat, radius_px).unwrap());
        });
        let ellipses = seconds(|| {
            black_box(peers::ellipses(&mat, &places, radius_px).unwrap());
        });
        let all = [
            (decode, decode_peer),
            (stage.register_secs, lines),
            (stage.detect_secs, circles),
            (stage.measure_secs, ellipses),
            (stage.paint_secs, f64::NAN),
            (stage.calls_secs, f64::NAN),
            (whole, whole_peer),
        ];
        for (times, (ours, peers)) in times.iter_mut().zip(all) {
            times.0.0.push(ours);
            times.1.0.push(peers);
        }
    }
    println!("{name}, {} pieces, one core, {ROUNDS} rounds in turns; least ms (median ms)", places.len());
    for ((stage, peer), (ours, peers)) in rows.iter().zip(&times) {
        let ours_ms = format!("{:.2} ({:.2})", ours.least() * 1e3, ours.median() * 1e3);
        let peers_ms = format!("{:.2} ({:.2})", peers.least() * 1e3, peers.median() * 1e3);
        match peer.is_empty() {
            true => println!("  {stage:<17} {ours_ms:>17}"),
            false => println!(
                "  {stage:<17} {ours_ms:>17}   {peers_ms:>17}  {:>5.1} times as long: {peer}",
                peers.least() / ours.least()
            ),
        }
    }
    println!();
}

/// Photos in bulk, on all cores: reading and scoring against reading and decoding, by our own decoder and by
/// OpenCV's.
fn bulk() {
    let frame = frame("court-overhead/001.jpg");
    let photos = vec![frame.path.clone(); 100];
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let limits = PhotoLimits::default();
    let decode = || in_order(&photos, jobs, |path| load_photo(path, &limits).unwrap(), |_, _| true);
    let decode_peer = || {
        let work = |path: &PathBuf| {
            let bytes = read_photo(path, &limits).unwrap();
            black_box(peers::decode(&bytes).unwrap());
        };
        in_order(&photos, jobs, work, |_, _| true);
    };
    let whole = || {
        let work = |path: &PathBuf| {
            let picture = load_photo(path, &limits).unwrap();
            let mut times = StageTimes::default();
            frame.scorer.score("frame", &picture, &frame.known, &mut times).unwrap()
        };
        in_order(&photos, jobs, work, |_, _| true);
    };
    let (mut scoring, mut decoding, mut decoding_peer) =
        (Times::default(), Times::default(), Times::default());
    for _ in 0..BULK_ROUNDS {
        decoding.0.push(seconds(decode));
        scoring.0.push(seconds(whole));
        decoding_peer.0.push(seconds(decode_peer));
    }
    println!("bulk, {} photos on {jobs} cores, {BULK_ROUNDS} rounds in turns; least s", photos.len());
    println!("  reading and scoring {:.2}", scoring.least());
    for (decoder, times) in [("linecall's own decoder", decoding), ("imdecode", decoding_peer)] {
        println!(
            "  decoding alone      {:.2}, scoring takes {:.2} times as long (medians: {:.2}): {decoder}",
            times.least(),
            scoring.least() / times.least(),
            scoring.median() / times.median()
        );
    }
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
                false => black_box(scored(frame).0.seen.len()),
            };
            runs += 1;
        }
    }
    println!("{runs} frames in {:.2} s", started.elapsed().as_secs_f64());
}
