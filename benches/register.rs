//! Fine registration on a 1080p frame, beside the first step that a user of OpenCV would take on
//! the same frame to find the board's lines: Canny and a probabilistic Hough transform.

use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::{
    board::Board,
    capture::{PhotoLimits, Picture, load_photo},
    register::{CameraPrior, RefineOptions, check_camera, find_board, refine},
};
use opencv::{
    core::{Mat, Vec4i, Vector},
    imgproc,
    prelude::*,
};

fn frame() -> Picture {
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead/001.jpg");
    load_photo(&photo, &PhotoLimits::default()).expect("the fixture")
}

fn register(criterion: &mut Criterion) {
    let picture = frame();
    let board = Board::named_or_at("carrom-court").expect("shipped");
    let options = RefineOptions::default();
    let start = find_board(&picture, &board, &Default::default()).expect("found").remove(0);
    let found = refine(&picture, &board, &start, &CameraPrior::default(), &options).expect("refined");

    let mut group = criterion.benchmark_group("register 1080p");
    group.sample_size(20);
    group.bench_function("refine from the coarse camera", |b| {
        b.iter(|| refine(&picture, &board, &start, &CameraPrior::default(), &options));
    });
    group.bench_function("check a fixed camera", |b| {
        b.iter(|| check_camera(&picture, &board, &found.camera, &options));
    });
    let grey = image::imageops::grayscale(picture.rgb());
    let mat = Mat::from_slice(grey.as_raw()).expect("mat");
    let mat = mat.reshape(1, grey.height() as i32).expect("rows").try_clone().expect("copy");
    group.bench_function("peer: OpenCV Canny + HoughLinesP", |b| {
        b.iter(|| {
            let mut edges = Mat::default();
            let mut lines = Vector::<Vec4i>::new();
            imgproc::canny(&mat, &mut edges, 50.0, 150.0, 3, false).expect("canny");
            imgproc::hough_lines_p(&edges, &mut lines, 1.0, 0.0174, 80, 60.0, 5.0).expect("hough");
            lines.len()
        });
    });
    group.finish();
}

criterion_group!(benches, register);
criterion_main!(benches);
