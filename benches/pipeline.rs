//! One 1080p frame with a camera file: each stage, the whole, decoding alone, and the OpenCV peer
//! (undistort + warpPerspective + HoughCircles) on the same frame in the same run; then many
//! photos on all cores against decoding them.
#![allow(clippy::unwrap_used)]

use std::{
    hint::black_box,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::{
    board::{Board, End},
    camera::CameraCovariance,
    capture::{PhotoLimits, Picture, decode_photo, load_photo, read_photo},
    evaluate::{Peer, PeerOptions, Truth},
    register::{Method, Registration},
    score::{Known, ScoreOptions, Scorer, StageTimes, in_order, look_at},
};

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

fn score(frame: &Frame) -> usize {
    let mut times = StageTimes::default();
    let scored = frame.scorer.score("frame", &frame.picture, &frame.known, &mut times).unwrap();
    scored.report.pieces.len()
}

fn peer_of(frame: &Frame) -> Peer {
    let Known::Camera(prepared) = &frame.known else { unreachable!("frames have cameras") };
    Peer::new(&frame.scorer.board, &prepared.registration.camera, PeerOptions::default()).unwrap()
}

fn stages(criterion: &mut Criterion) {
    opencv::core::set_num_threads(1).unwrap();
    for name in ["court-overhead/001.jpg", "court-close-calls/001.jpg", "ludington-overhead/001.jpg"] {
        let frame = frame(name);
        let Known::Camera(prepared) = &frame.known else { unreachable!("frames have cameras") };
        let candidates = prepared.detector.detect(&frame.picture).pieces;
        let peer = peer_of(&frame);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20).measurement_time(Duration::from_secs(3));
        group.bench_function("decode", |b| {
            b.iter(|| decode_photo(black_box(&frame.bytes), &frame.path, &PhotoLimits::default()).unwrap());
        });
        group.bench_function("detect", |b| b.iter(|| prepared.detector.detect(black_box(&frame.picture))));
        group.bench_function("measure and paint", |b| {
            b.iter(|| {
                let (board, options) = (&frame.scorer.board, &frame.scorer.options);
                let mut times = StageTimes::default();
                let candidates = candidates.clone();
                look_at(&frame.picture, board, &prepared.registration, candidates, options, &mut times)
            });
        });
        group.bench_function("picture to calls", |b| b.iter(|| score(black_box(&frame))));
        group.bench_function("OpenCV peer", |b| b.iter(|| peer.find(black_box(&frame.picture)).unwrap()));
        group.finish();
        let (ours, peers) = alternating(30, || score(&frame), || peer.find(&frame.picture).unwrap().len());
        println!(
            "{name}: picture to calls {:.2} ms, OpenCV peer {:.2} ms: {:.1} times faster (one core, medians of 30, alternating)\n",
            ours * 1e3,
            peers * 1e3,
            peers / ours
        );
    }
}

/// Median seconds of two ways, run in turns so that both meet the same load of the machine.
fn alternating<A, B>(rounds: usize, first: impl Fn() -> A, second: impl Fn() -> B) -> (f64, f64) {
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let started = Instant::now();
        black_box(first());
        let between = Instant::now();
        black_box(second());
        times.0.push((between - started).as_secs_f64());
        times.1.push(between.elapsed().as_secs_f64());
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    (median(times.0), median(times.1))
}

/// Photos in bulk: reading and scoring against reading and decoding, on all cores.
fn bulk(_: &mut Criterion) {
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
    let (decoding, scoring) = alternating(5, decode, whole);
    println!(
        "bulk, {} photos on {jobs} cores: decoding alone {decoding:.2} s, scoring {scoring:.2} s: {:.2} times",
        photos.len(),
        scoring / decoding
    );
}

criterion_group!(benches, stages, bulk);
criterion_main!(benches);
