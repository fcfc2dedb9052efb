//! Measuring the pieces of one 1080p frame, and the paint beside them, the camera known: one core.
#![allow(clippy::unwrap_used)]

use std::{hint::black_box, path::Path, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use linecall::{
    board::Board,
    capture::{PhotoLimits, load_photo},
    detect::Candidate,
    evaluate::Truth,
    geometry::{Disc, Point, Vector},
    measure::{MeasureOptions, measure, measure_paint},
    register::Registration,
};

/// How far the candidates are off, in mm.
const OFF: Vector = Vector::new(0.9, -0.7);
/// Gap up to which a line's paint is measured, in mm.
const REACH_MM: f64 = 12.0;

fn pieces_and_paint(criterion: &mut Criterion) {
    for name in ["court-close-calls/001.jpg", "carrom-overhead/001.jpg", "association-overhead/002.jpg"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(name);
        let truth = Truth::load(&path.with_extension("json")).unwrap();
        let board = Board::named_or_at(&truth.board).unwrap();
        let picture = load_photo(&path, &PhotoLimits::default()).unwrap();
        let registration = Registration::exact(truth.camera());
        let candidates: Vec<Candidate> = truth
            .pieces
            .iter()
            .map(|piece| Candidate {
                kind: board.pieces.iter().position(|kind| kind.name == piece.colour).unwrap(),
                centre: Point::new(piece.x_mm, piece.y_mm) + OFF,
                base_mm: piece.z_mm,
                base_sigma_mm: 0.0,
                stacked: piece.stacked_on.is_some(),
                kind_probability: 1.0,
                px: Point::origin(),
                evidence: None,
            })
            .collect();
        let options = MeasureOptions::default();
        let places: Vec<_> = candidates.iter().map(|c| (c.kind, c.centre - OFF)).collect();
        let mut group = criterion.benchmark_group(format!("{name}, {} pieces", candidates.len()));
        group.sample_size(20).measurement_time(Duration::from_secs(3));
        group.bench_function("pieces", |b| {
            b.iter(|| measure(black_box(&picture), &board, &registration, &candidates, &options));
        });
        group.bench_function("paint", |b| {
            b.iter(|| {
                for (piece, &(kind, centre)) in places.iter().enumerate() {
                    let disc = Disc { centre, radius_mm: board.pieces[kind].radius_mm() };
                    for (line, drawn) in board.lines.iter().enumerate() {
                        if disc.gap_mm(&drawn.paint).abs() < REACH_MM {
                            black_box(measure_paint(
                                &picture,
                                &board,
                                &registration,
                                line,
                                piece,
                                &places,
                                &options,
                            ));
                        }
                    }
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, pieces_and_paint);
criterion_main!(benches);
