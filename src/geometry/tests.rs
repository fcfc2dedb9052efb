//! Signed distances against brute force: the nearest of very many points of the shape's edge.

use std::f64::consts::{PI, TAU};

use proptest::prelude::*;

use super::*;

/// Steps along an edge; with shapes of at most some hundred millimetres they lie 0.1 mm apart, and
/// the nearest one is wrong by at most 2e-3 mm unless the point is very close to the edge.
const STEPS: usize = 6000;

fn along(from: Point, to: Point) -> impl Iterator<Item = Point> {
    (0..=STEPS).map(move |i| from + (to - from) * (i as f64 / STEPS as f64))
}

fn round(centre: Point, radius_mm: f64, start_rad: f64, sweep_rad: f64) -> impl Iterator<Item = Point> {
    (0..=STEPS).map(move |i| {
        let angle = start_rad + sweep_rad * (i as f64 / STEPS as f64);
        centre + Vector::new(angle.cos(), angle.sin()) * radius_mm
    })
}

/// Points of the middle line of a shape that is a curve with a pen's width.
fn middle(paint: &Paint) -> Vec<Point> {
    match *paint {
        Paint::Stroke { from, to, .. } => along(from, to).collect(),
        Paint::Ring { centre, radius_mm, .. } => round(centre, radius_mm, 0.0, TAU).collect(),
        Paint::Arc { centre, radius_mm, start_rad, sweep_rad, .. } => {
            round(centre, radius_mm, start_rad, sweep_rad).collect()
        }
        Paint::Spot { centre, .. } => vec![centre],
    }
}

/// A painted point is one within half the pen's width of the middle line.
fn brute_force(paint: &Paint, p: Point) -> f64 {
    let nearest = middle(paint).into_iter().map(|q| (p - q).norm()).fold(f64::INFINITY, f64::min);
    nearest - paint.width_mm() / 2.0
}

fn point() -> impl Strategy<Value = Point> {
    (-300.0..300.0, -300.0..300.0).prop_map(|(x, y)| Point::new(x, y))
}

fn paint() -> impl Strategy<Value = Paint> {
    prop_oneof![
        (point(), point(), 0.5..8.0).prop_map(|(from, to, width_mm)| Paint::Stroke { from, to, width_mm }),
        (point(), 5.0..90.0, 0.5..8.0).prop_map(|(centre, radius_mm, width_mm)| Paint::Ring {
            centre,
            radius_mm,
            width_mm
        }),
        (point(), 5.0..90.0, 0.5..8.0, -PI..PI, 0.1..TAU).prop_map(
            |(centre, radius_mm, width_mm, start_rad, sweep_rad)| Paint::Arc {
                centre,
                radius_mm,
                width_mm,
                start_rad,
                sweep_rad
            }
        ),
        (point(), 2.0..40.0).prop_map(|(centre, radius_mm)| Paint::Spot { centre, radius_mm }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_distance_to_paint_is_that_of_its_nearest_point(paint in paint(), p in point()) {
        let (exact, sampled) = (paint.signed_distance_mm(p), brute_force(&paint, p));
        // Sampling can only overestimate, by at most half a step.
        prop_assert!(exact <= sampled + 1e-9, "{exact} > {sampled}");
        prop_assert!(sampled - exact < 0.08, "{exact} << {sampled}");
        if exact > 5.0 {
            prop_assert!(sampled - exact < 2e-3, "{exact} < {sampled}");
        }
    }

    #[test]
    fn the_outward_direction_is_the_gradient_of_the_distance(paint in paint(), p in point()) {
        let step_mm = 1e-4;
        prop_assume!((p - paint.nearest_on_middle(p)).norm() > 1.0);
        if let Paint::Ring { centre, .. } | Paint::Arc { centre, .. } = paint {
            prop_assume!((p - centre).norm() > 1.0);
        }
        let outward = paint.outward(p);
        let grown = paint.signed_distance_mm(p + outward * step_mm) - paint.signed_distance_mm(p);
        // Where two parts of an arc are equally near the distance has a crease.
        prop_assume!(!matches!(paint, Paint::Arc { .. }) || grown > 0.0);
        prop_assert!((grown / step_mm - 1.0).abs() < 1e-3, "{grown}");
    }

    #[test]
    fn a_disc_touches_paint_exactly_when_a_point_of_both_exists(paint in paint(), p in point(), radius_mm in 5.0..30.0) {
        let gap_mm = Disc { centre: p, radius_mm }.gap_mm(&paint);
        prop_assume!(gap_mm.abs() > 0.1);
        prop_assert_eq!(gap_mm < 0.0, brute_force(&paint, p) < radius_mm);
    }

    #[test]
    fn mirroring_paint_mirrors_distances(paint in paint(), p in point(), axis in -200.0..200.0) {
        let flipped = Point::new(p.x, 2.0 * axis - p.y);
        let there = paint.mirrored_y(axis).signed_distance_mm(flipped);
        prop_assert!((there - paint.signed_distance_mm(p)).abs() < 1e-9);
    }

    #[test]
    fn the_distance_to_a_polygon_is_that_of_its_nearest_border_point(
        centre in point(),
        radii in prop::collection::vec(10.0..120.0, 3..9),
        p in point(),
    ) {
        let corner = |(i, radius_mm): (usize, &f64)| {
            let angle = TAU * i as f64 / radii.len() as f64;
            centre + Vector::new(angle.cos(), angle.sin()) * *radius_mm
        };
        let polygon = Polygon::new(radii.iter().enumerate().map(corner).collect());
        let border = polygon.sides().flat_map(|(a, b)| along(a, b));
        let sampled = border.map(|q| (p - q).norm()).fold(f64::INFINITY, f64::min);
        let exact = polygon.signed_distance_mm(p);
        prop_assert!((exact.abs() - sampled).abs() < 0.08, "{exact} {sampled}");
        // Star-shaped about its centre: inside is before the border on the ray through the point.
        let ray = p - centre;
        let crossings = polygon.sides().filter(|(a, b)| crosses(centre, ray, *a, *b)).count();
        if exact.abs() > 0.1 {
            prop_assert_eq!(exact < 0.0, crossings == 0);
        }
    }
}

/// Whether the segment from `from` along the whole of `ray` crosses the side a to b.
fn crosses(from: Point, ray: Vector, a: Point, b: Point) -> bool {
    let cross = |u: Vector, v: Vector| u.x * v.y - u.y * v.x;
    let (side, to_a) = (b - a, a - from);
    let d = cross(ray, side);
    let (t, s) = (cross(to_a, side) / d, cross(to_a, ray) / d);
    d != 0.0 && (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)
}

#[test]
fn a_stroke_has_round_ends() {
    let stroke = Paint::Stroke { from: Point::new(0.0, 0.0), to: Point::new(100.0, 0.0), width_mm: 4.0 };
    assert_eq!(stroke.signed_distance_mm(Point::new(50.0, 0.0)), -2.0);
    assert_eq!(stroke.signed_distance_mm(Point::new(103.0, 4.0)), 3.0);
    assert_eq!(stroke.signed_distance_mm(Point::new(102.0, 0.0)), 0.0);
}

#[test]
fn an_arc_is_nearest_at_its_ends_beyond_its_sweep() {
    let centre = Point::new(0.0, 0.0);
    let arc = Paint::Arc { centre, radius_mm: 10.0, width_mm: 2.0, start_rad: 0.0, sweep_rad: PI / 2.0 };
    assert!((arc.signed_distance_mm(Point::new(20.0, 20.0)) - (800f64.sqrt() - 11.0)).abs() < 1e-12);
    assert!((arc.signed_distance_mm(Point::new(10.0, -5.0)) - 4.0).abs() < 1e-12);
    assert!((arc.signed_distance_mm(Point::new(-5.0, 10.0)) - 4.0).abs() < 1e-12);
}
