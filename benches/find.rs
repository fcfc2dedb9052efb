//! Finding a board with no hints: the whole search a photo, and its steps.
#![allow(clippy::unwrap_used)]

use std::{collections::BTreeMap, hint::black_box, path::Path, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::{
    board::Board,
    capture::Picture,
    evaluate::Truth,
    register::{FindOptions, FindTrace, find_board, find_board_with_trace},
};

const PHOTOS: [&str; 4] = [
    "court-overhead/001.jpg",
    "court-oblique-phone/000.jpg",
    "carrom-oblique-phone/001.jpg",
    "ludington-overhead/001.jpg",
];

fn photo(name: &str) -> (Picture, Board) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
    let truth = Truth::load(&path.with_extension("json")).unwrap();
    (Picture::new(image::open(&path).unwrap().to_rgb8()), Board::named_or_at(&truth.board).unwrap())
}

fn whole(criterion: &mut Criterion) {
    let options = FindOptions::default();
    let mut group = criterion.benchmark_group("find_board");
    group.sample_size(20);
    for name in PHOTOS {
        let (picture, board) = photo(name);
        group.bench_function(name, |bencher| {
            bencher.iter(|| find_board(black_box(&picture), &board, &options).unwrap())
        });
    }
    group.finish();
    steps(&options);
}

/// Prints the mean time of each step over all photos.
fn steps(options: &FindOptions) {
    const ROUNDS: u32 = 5;
    let mut times: BTreeMap<&'static str, Duration> = BTreeMap::new();
    for name in PHOTOS {
        let (picture, board) = photo(name);
        for _ in 0..ROUNDS {
            let mut trace = FindTrace::default();
            let _ = find_board_with_trace(&picture, &board, options, &mut trace);
            for (step, time) in trace.times {
                *times.entry(step).or_default() += time;
            }
        }
    }
    for (step, time) in times {
        println!("{step:12} {:8.2} ms", time.as_secs_f64() * 1e3 / f64::from(ROUNDS) / PHOTOS.len() as f64);
    }
}

criterion_group!(benches, whole);
criterion_main!(benches);
