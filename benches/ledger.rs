//! A long ledger: 10,000 events with frames open in under 0.2 s and list in under 1 s.
//!
//! `cargo bench --bench ledger`. The ledger is made once, under `target/`: every event rests on a view
//! with a frame of its own (48 kB, what a camera's JPEG of 540 lines has) and a report of eight pieces.

use std::{
    hint::black_box,
    path::PathBuf,
    process::{Command, Stdio},
};

use criterion::{Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use linecall::{
    board::BoardFile,
    camera::{Camera, CameraCovariance, Lens, Pose},
    desk::{Desk, DeskOptions, call_summaries},
    ledger::{
        Author, Content, EncodedFrame, KnownPlace, Ledger, LedgerOptions, NewEntry, NewView, Shown,
        ViewEvidence, verify,
    },
    register::{Method, Registration},
    rules::{Event, match_file},
    score::{PhotoReport, ScoreOptions},
};
use nalgebra::{Rotation3, Vector3};

const EVENTS: usize = 10_000;
const FRAME_BYTES: usize = 48 << 10;
const A_BATCH: usize = 200;

/// A report of eight pucks, as `linecall score --json` prints it.
fn report() -> PhotoReport {
    let places = [(200.0, 1330.0), (150.0, 1600.0), (145.0, 1280.0), (160.0, 1450.0)];
    let others = [(240.0, 1450.0), (300.0, 1600.0), (200.0, 1765.0), (200.0, 900.0)];
    let piece = |(index, (x_mm, y_mm)): (usize, (f64, f64))| {
        serde_json::json!({
            "id": index + 1, "colour": if index < 4 { "red" } else { "blue" }, "x_mm": x_mm, "y_mm": y_mm,
            "sigma_mm": 0.123, "px": [812.431, 531.027], "px_radius": 16.333, "area": "8-left", "state": "live",
            "points": 8, "p_colour": 0.999123, "trusted": true,
            "contact": {"line": "cross-10", "gap_mm": 0.123, "sigma_mm": 0.151, "p_touching": 0.21,
                        "call": if index % 3 == 0 { "too-close" } else { "clear" }},
        })
    };
    let pieces: Vec<_> = places.into_iter().chain(others).enumerate().map(piece).collect();
    let doubt = |piece: usize| serde_json::json!({"piece": piece, "about": "cross-10", "probability": 0.21, "tally": {"red": 24, "blue": 32}});
    let report = serde_json::json!({
        "photo": "frame.jpg", "board": "carrom-court", "game": "court", "end": "far",
        "registration": {"method": "camera", "rms_px": 0.21, "mm_per_px": 0.62},
        "pieces": pieces, "tally": {"red": 32, "blue": 32}, "tally_probability": 0.49,
        "doubts": [doubt(1), doubt(4), doubt(7)],
    });
    serde_json::from_value(report).expect("a report")
}

fn registration() -> Registration {
    let lens = Lens { fx: 1e3, fy: 1e3, cx: 960.0, cy: 540.0, k1: 0.01, k2: 0.0, p1: 0.0, p2: 0.0, k3: 0.0 };
    let pose = Pose {
        rotation: Rotation3::new(Vector3::new(3.1, 0.01, 0.02)),
        translation_mm: Vector3::new(-200.0, 900.0, 1500.0),
    };
    Registration {
        camera: Camera { image_size: [1920, 1080], lens, pose },
        covariance: CameraCovariance::from_fn(|i, j| 1e-6 / (1.0 + i as f64 + j as f64)),
        method: Method::Camera,
        rms_px: 0.2,
        edges: 1000,
        off_mm: 0.0,
    }
}

fn event(json: &str) -> Event {
    match_file::parse(json.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn entry(number: usize, content: Event, view: NewView) -> NewEntry {
    NewEntry {
        match_number: 1,
        number: Some(number),
        at: Timestamp::from_second(1_790_000_000 + number as i64 * 60).expect("a time"),
        author: Author::Vision,
        content: Content::Event(content),
        refers: None,
        view,
        shown: Some(Shown {
            scores: [0, 0].to_vec().into(),
            games: [0, 0].to_vec().into(),
            status: "playing".into(),
        }),
    }
}

fn make() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long.ledger");
    let _ = std::fs::remove_file(&path);
    let made_at = Timestamp::from_second(1_790_000_000).expect("a time");
    let mut ledger = Ledger::record_into(&path, made_at, LedgerOptions::default()).expect("a new ledger");
    let header = r#"{"type":"match","game":"court","options":{"best_of":999999999},"sides":[{"name":"Ann"},{"name":"Bo"}]}"#;
    ledger.append(vec![entry(0, event(header), NewView::None)]).expect("recorded");
    let registration = registration();
    let report = report();
    let pieces: Vec<_> = report
        .pieces
        .iter()
        .map(|p| serde_json::json!({"colour": p.colour, "x_mm": p.x_mm, "y_mm": p.y_mm, "sigma_mm": p.sigma_mm}))
        .collect();
    let frame = event(&serde_json::json!({"type": "frame", "pieces": pieces}).to_string());
    let board = BoardFile::named_or_at("carrom-court").expect("a shipped board");
    let options = format!("{:#?}", ScoreOptions::default());
    let mut number = 1;
    while number <= EVENTS {
        let batch = (number..=EVENTS).take(A_BATCH).map(|number| {
            // Each its own: frames that are the same are kept once.
            let shade = |i: usize| (i * 31 + (number >> (i % 16)) + i * i / 97) as u8;
            let bytes = (0..FRAME_BYTES).map(shade).collect();
            let evidence = ViewEvidence {
                source: "camera".into(),
                frame: EncodedFrame(bytes),
                around: Vec::new(),
                report: report.clone(),
                registration: registration.clone(),
                known: KnownPlace::Camera,
                board: board.clone(),
                camera: None,
                colours: None,
                options: options.clone(),
            };
            entry(number, frame.clone(), NewView::New(Box::new(evidence)))
        });
        ledger.append(batch.collect()).expect("recorded");
        number += A_BATCH;
    }
    path
}

fn long_ledger(criterion: &mut Criterion) {
    let path = make();
    let size = std::fs::metadata(&path).expect("the file").len() as f64 / 1e6;
    println!("{EVENTS} events with frames, {size:.0} MB");
    let mut group = criterion.benchmark_group("ledger of 10,000 events with frames");
    group.sample_size(10);
    group.bench_function("open to look at", |bencher| {
        bencher.iter(|| black_box(Ledger::read(&path).expect("whole").head()));
    });
    group.bench_function("open and fold to record on", |bencher| {
        bencher.iter(|| black_box(Desk::open(&path, DeskOptions::default()).expect("whole").revision()));
    });
    group.bench_function("list all calls", |bencher| {
        bencher.iter(|| {
            let ledger = Ledger::read(&path).expect("whole");
            black_box(call_summaries(&ledger, &ledger.entries().expect("whole"), 1).expect("whole").len())
        });
    });
    // As a person does: a process each, its start-up included.
    let review = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linecall"));
        command.arg("review").arg(&path).args(more).arg("--json").stdout(Stdio::null());
        assert!(command.status().expect("the program").success());
    };
    group.bench_function("linecall boards, for its start-up", |bencher| {
        let boards =
            || Command::new(env!("CARGO_BIN_EXE_linecall")).arg("boards").stdout(Stdio::null()).status();
        bencher.iter(|| assert!(boards().expect("the program").success()));
    });
    group.bench_function("linecall review LEDGER 5000.3", |bencher| bencher.iter(|| review(&["5000.3"])));
    group.bench_function("linecall review LEDGER", |bencher| bencher.iter(|| review(&[])));
    group.bench_function("verify", |bencher| {
        bencher.iter(|| {
            let ledger = Ledger::read(&path).expect("whole");
            assert!(verify(&ledger, None).expect("readable").is_whole());
        });
    });
    group.finish();
    let desk = Desk::open(&path, DeskOptions::default()).expect("whole");
    let one = event(r#"{"type":"frame","pieces":[{"colour":"red","area":"10"}]}"#);
    let mut group = criterion.benchmark_group("ledger");
    group.sample_size(10);
    group.bench_function("record one event more", |bencher| {
        bencher.iter(|| black_box(desk.append(one.clone(), Author::Vision, None).expect("recorded")));
    });
    group.finish();
    drop(desk);
    let _ = std::fs::remove_file(&path);
}

criterion_group!(benches, long_ledger);
criterion_main!(benches);
