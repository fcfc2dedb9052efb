//! Detection alone, a decoded picture of each board: preparing for a camera, and finding the pieces
//! of a frame. `benches/pipeline.rs` has it beside the other stages and the OpenCV peer.
#![allow(clippy::unwrap_used)]

use std::{hint::black_box, path::Path, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::{
    board::Board,
    capture::{PhotoLimits, load_photo},
    detect::{DetectOptions, Detector},
    evaluate::Truth,
};

const PHOTOS: [&str; 5] = [
    "court-overhead/001",
    "longboard-overhead/001",
    "association-overhead/001",
    "carrom-overhead/001",
    "ludington-overhead/001",
];

fn detection(criterion: &mut Criterion) {
    for name in PHOTOS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
        let truth = Truth::load(&path.with_extension("json")).unwrap();
        let board = Board::named_or_at(&truth.board).unwrap();
        let picture = load_photo(&path.with_extension("jpg"), &PhotoLimits::default()).unwrap();
        let (camera, options) = (truth.camera(), DetectOptions::default());
        let detector = Detector::new(&board, &camera, picture.size(), &options);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20).measurement_time(Duration::from_secs(2));
        group.bench_function("prepare", |b| {
            b.iter(|| Detector::new(black_box(&board), &camera, picture.size(), &options));
        });
        group.bench_function("detect", |b| b.iter(|| detector.detect(black_box(&picture))));
        group.finish();
    }
}

criterion_group!(benches, detection);
criterion_main!(benches);
