//! Pictures from scene to light to developed picture: a court at 1920x1080, the same with a hand and
//! other things on it, a carrom board by phone, and frames of an evening at 960x540 by difference.

use std::ops::ControlFlow;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::board::Board;
use linecall::rules::GameId;
use linecall::simulate::{
    EveningOptions, Phase, Reel, Renderer, Scene, SceneFile, View, develop, random_scene, render,
    stage_evening,
};

fn scene(board: &str, view: View) -> Scene {
    let board = Board::named_or_at(board).expect("ships");
    let file: SceneFile = random_scene(&board, view, 4);
    file.validate_on(board, "bench").expect("random scenes are sound")
}

/// The frames of an evening's first half round in which this happens, up to ten in a row.
fn frames(phase: Phase) -> Vec<Scene> {
    let mut scenes = Vec::new();
    let options = EveningOptions::new(GameId::Court, 1, 3);
    let played = stage_evening(&options, &mut |frame| {
        // Pucks start outside the view: the first frames of a shot show nothing.
        if frame.phase == phase && frame.index > 12 && scenes.len() < 10 {
            scenes.push(frame.scene);
        }
        ControlFlow::Continue(())
    });
    played.expect("evenings are sound");
    scenes
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
    let clutter = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenes/court-clutter.json");
    let clutter = SceneFile::load(&clutter).and_then(|file| file.validate("clutter")).expect("ships");
    group.bench_function("court 1080p with a hand", |b| b.iter(|| render(&clutter)));
    let carrom = scene("carrom-icf", View::Phone);
    group.bench_function("carrom phone 3 MP whole", |b| b.iter(|| render(&carrom)));
    for (name, phase) in [("moving", Phase::Moving), ("still", Phase::Still), ("hand", Phase::Hand)] {
        let scenes = frames(phase);
        let mut reel = Reel::new();
        let mut next = 0;
        group.bench_function(format!("evening 540p frame, {name}"), |b| {
            b.iter(|| {
                next = (next + 1) % scenes.len();
                reel.photo(&scenes[next])
            });
        });
    }
    group.finish();
}

criterion_group!(benches, simulate);
criterion_main!(benches);
