//! Folding events: a million in under a second on one core.
//!
//! `cargo bench --bench rules`. Times are for 100,000 events; throughput is events a second.

use std::{hint::black_box, sync::Arc};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use linecall::rules::{AnyGame, Event, Setup, match_file};

const EVENTS: usize = 100_000;

fn parse(text: &str) -> Event {
    match_file::parse(text.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn start(header: &str) -> AnyGame {
    let Event::Match(header) = parse(header) else { panic!("not a match") };
    AnyGame::new(Arc::new(Setup::new(&header, None).unwrap_or_else(|refusal| panic!("{refusal}"))))
}

/// Cycles of events that leave a match open for ever.
fn cases() -> [(&'static str, &'static str, Vec<&'static str>); 5] {
    [
        (
            "court, eight areas a frame",
            r#"{"type":"match","game":"court","options":{"best_of":999999999},"sides":[{"name":"Ann"},{"name":"Bo"}]}"#,
            vec![
                r#"{"type":"frame","pieces":[{"colour":"red","area":"10"},{"colour":"red","area":"8-left"},{"colour":"red","area":"7-right","touching":true},{"colour":"red","area":null},{"colour":"blue","area":"10-off"},{"colour":"blue","area":"8-right"},{"colour":"blue","area":"7-left"},{"colour":"blue","area":null}]}"#,
            ],
        ),
        (
            "court, eight positions a frame",
            r#"{"type":"match","game":"court","options":{"best_of":999999999},"sides":[{"name":"Ann"},{"name":"Bo"}]}"#,
            vec![
                r#"{"type":"frame","pieces":[{"colour":"red","x_mm":200,"y_mm":1330},{"colour":"red","x_mm":150,"y_mm":1600},{"colour":"red","x_mm":145,"y_mm":1280},{"colour":"red","x_mm":160,"y_mm":1450},{"colour":"blue","x_mm":240,"y_mm":1450},{"colour":"blue","x_mm":300,"y_mm":1600},{"colour":"blue","x_mm":200,"y_mm":1765},{"colour":"blue","x_mm":200,"y_mm":900}]}"#,
            ],
        ),
        (
            "long board, eight areas a frame",
            r#"{"type":"match","game":"long-board","options":{"best_of":999999999},"sides":[{"name":"Ann"},{"name":"Bo"}]}"#,
            vec![
                r#"{"type":"frame","pieces":[{"colour":"red","area":"3"},{"colour":"red","area":"3"},{"colour":"red","area":"1"},{"colour":"red","area":null},{"colour":"blue","area":"2"},{"colour":"blue","area":"2"},{"colour":"blue","area":"1"},{"colour":"blue","area":null}]}"#,
            ],
        ),
        (
            "kagw strikes",
            r#"{"type":"match","game":"kagw","sides":[{"name":"Ann"},{"name":"Bo"}]}"#,
            vec![
                r#"{"type":"strike","pocketed":["white"]}"#,
                r#"{"type":"strike","fouls":["arm"]}"#,
                r#"{"type":"strike"}"#,
            ],
        ),
        (
            "ludington shots",
            r#"{"type":"match","game":"ludington","sides":[{"name":"Ann"},{"name":"Bo"}]}"#,
            vec![
                r#"{"type":"strike","pocketed":["black"]}"#,
                r#"{"type":"strike","striker":"pocketed"}"#,
                r#"{"type":"strike"}"#,
            ],
        ),
    ]
}

fn fold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold");
    group.throughput(Throughput::Elements(EVENTS as u64)).sample_size(10);
    for (name, header, cycle) in cases() {
        let events: Vec<Event> = cycle.iter().map(|line| parse(line)).collect();
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || start(header),
                |mut state| {
                    for event in events.iter().cycle().take(EVENTS) {
                        if let Err(refusal) = state.play(black_box(event)) {
                            panic!("{refusal}");
                        }
                    }
                    state
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("match file, read and fold");
    group.throughput(Throughput::Elements(EVENTS as u64)).sample_size(10);
    for (name, header, cycle) in cases() {
        let lines = std::iter::once(header).chain(cycle.into_iter().cycle().take(EVENTS));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                match_file::play(black_box(text.as_bytes()), None).map(|record| record.log().len()).ok()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, fold, read);
criterion_main!(benches);
