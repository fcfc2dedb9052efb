//! The loop's own share of a 1080p frame, decoding included: what must fit 30 times into a second.
//!
//! `moving`: two pictures in turn, so that every frame differs from the one before; `still`: the
//! same picture again; `settled`: a view comes to rest, is fused from five frames, checked and scored.

use std::{hint::black_box, path::Path, sync::Arc, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::{
    board::{Board, End},
    capture::{Frame, FrameImage},
    evaluate::Truth,
    live::{LiveOptions, Observer},
    motion::Watcher,
    register::{Method, Registration},
    score::{ScoreOptions, Scorer},
};

fn photo(name: &str) -> (Arc<[u8]>, Truth) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead").join(name);
    let bytes = std::fs::read(&path).unwrap_or_default();
    let truth = Truth::load(&path.with_extension("json"));
    match truth {
        Ok(truth) => (bytes.into(), truth),
        Err(error) => panic!("{error}"),
    }
}

fn frame(index: u64, bytes: &Arc<[u8]>) -> Frame {
    Frame {
        index,
        since_start: Duration::from_secs_f64(index as f64 / 30.0),
        name: format!("frame {index}").into(),
        image: FrameImage::Encoded(Arc::clone(bytes)),
    }
}

fn loop_share(c: &mut Criterion) {
    // One thread, as the loop has beside a web page and a capture thread.
    let _ = opencv::core::set_num_threads(1);
    let (one, truth) = photo("001.jpg");
    let (other, _) = photo("003.jpg");
    let registration = Registration {
        camera: truth.camera(),
        covariance: linecall::camera::CameraCovariance::zeros(),
        method: Method::Camera,
        rms_px: 0.1,
        edges: 500,
        off_mm: 0.0,
    };
    let Ok(board) = Board::named_or_at(&truth.board) else { panic!("the board ships") };
    let options = LiveOptions::default();
    let [width, height] = registration.camera.image_size;
    let mut group = c.benchmark_group(format!("live {width}x{height} mjpeg"));
    let reduction = Watcher::new(&board, &registration.camera, &options.motion).view().reduction;

    group.bench_function("decode small", |b| {
        let frame = frame(0, &one);
        b.iter(|| black_box(frame.small_grey(reduction).is_ok()));
    });
    group.bench_function("watch a moving frame, decoded", |b| {
        let mut watcher = Watcher::new(&board, &registration.camera, &options.motion);
        let smalls = [&one, &other].map(|bytes| match frame(0, bytes).small_grey(reduction) {
            Ok(small) => small.grey,
            Err(error) => panic!("{error}"),
        });
        watcher.push(&smalls[0], 0.0);
        watcher.settle(&[]);
        let mut index = 0;
        b.iter(|| {
            index += 1;
            black_box(watcher.push(&smalls[index % 2], index as f64 / 30.0).moving)
        });
    });
    let observer = || {
        let scorer = match Scorer::new(board.clone(), Some("court"), End::Far, ScoreOptions::default()) {
            Ok(scorer) => scorer,
            Err(error) => panic!("{error}"),
        };
        Observer::new(scorer, registration.clone(), options.clone())
    };
    for (name, bytes) in [("moving", [&one, &other]), ("still", [&one, &one])] {
        let mut observer = observer();
        let mut index = 0;
        // The first view settles before the clock runs.
        for _ in 0..12 {
            let _ = observer.push(&frame(index, &one));
            index += 1;
        }
        group.bench_function(name, |b| {
            b.iter(|| {
                index += 1;
                black_box(observer.push(&frame(index, bytes[index as usize % 2])).is_ok())
            });
        });
    }
    group.sample_size(10);
    group.bench_function("settled, once a shot", |b| {
        b.iter_batched(
            || {
                let mut observer = observer();
                (0..6).for_each(|index| drop(observer.push(&frame(index, &one))));
                observer
            },
            |mut observer| black_box(observer.push(&frame(6, &one)).is_ok_and(|seen| !seen.is_empty())),
            criterion::BatchSize::PerIteration,
        );
    });
}

criterion_group!(benches, loop_share);
criterion_main!(benches);
