//! Reading frames: what a frame of 1080p costs on one core, in every form and as far as the loop
//! looks. Thirty a second leave 33 ms a frame for everything.

use std::{hint::black_box, path::Path, sync::Arc, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::capture::{Frame, FrameImage, PhotoLimits, Picture, Reduction, read_photo};

fn frame(image: FrameImage) -> Frame {
    Frame { index: 0, since_start: Duration::ZERO, name: "bench".into(), image }
}

/// Every other pixel's colour, as a camera sends it; the values do not matter for the time.
fn yuyv(picture: &Picture) -> Arc<[u8]> {
    picture.rgb().as_raw().chunks_exact(6).flat_map(|p| [p[1], p[0], p[4], p[2]]).collect()
}

fn frames(c: &mut Criterion) {
    // One thread, as on the one core that is promised.
    let _ = opencv::core::set_num_threads(1);
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/court-overhead/001.jpg");
    let bytes = read_photo(&photo, &PhotoLimits::default()).expect("a sample photo");
    let jpeg = frame(FrameImage::Encoded(bytes.into()));
    let picture = jpeg.picture().expect("a sample photo");
    let size = picture.size();
    let raw = frame(FrameImage::Yuyv { size, bytes: yuyv(&picture) });
    let decoded = frame(FrameImage::Decoded(picture));
    let mut group = c.benchmark_group(format!("capture {} x {}", size[0], size[1]));
    for (name, frame) in [("mjpeg", &jpeg), ("yuyv", &raw), ("decoded", &decoded)] {
        for reduction in [Reduction::Half, Reduction::Quarter, Reduction::Eighth] {
            group.bench_function(format!("{name}/grey at 1/{}", reduction.factor()), |b| {
                b.iter(|| black_box(frame).small_grey(reduction).expect("a whole frame"));
            });
        }
        group.bench_function(format!("{name}/whole picture"), |b| {
            b.iter(|| black_box(frame).picture().expect("a whole frame"));
        });
    }
    group.bench_function("yuyv/kept as PNG", |b| {
        b.iter(|| black_box(&raw).kept().expect("a whole frame").bytes.len());
    });
    group.finish();
}

criterion_group!(benches, frames);
criterion_main!(benches);
