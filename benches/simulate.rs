//! A 1920x1080 picture of a court, from scene to light to developed picture.

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::board::Board;
use linecall::simulate::{Renderer, SceneFile, View, develop, random_scene, render};

fn scene(board: &str, view: View) -> linecall::simulate::Scene {
    let board = Board::named_or_at(board).expect("ships");
    let file: SceneFile = random_scene(&board, view, 4);
    file.validate_on(board, "bench").expect("random scenes are sound")
}

fn simulate(c: &mut Criterion) {
    let mut group = c.benchmark_group("simulate");
    group.sample_size(10);
    let court = scene("carrom-court", View::Overhead);
    group.bench_function("court 1080p whole", |b| b.iter(|| render(&court)));
    let renderer = Renderer::new(&court);
    group.bench_function("court 1080p light", |b| b.iter(|| renderer.light_field()));
    let light = renderer.light_field();
    group.bench_function("court 1080p sensor", |b| b.iter(|| develop(&light, &court.file.picture, 1)));
    let carrom = scene("carrom-icf", View::Phone);
    group.bench_function("carrom phone 3 MP whole", |b| b.iter(|| render(&carrom)));
    group.finish();
}

criterion_group!(benches, simulate);
criterion_main!(benches);
