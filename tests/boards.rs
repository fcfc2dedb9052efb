//! The shipped boards against the makers' figures, written down here a second time.

use std::path::Path;

use linecall::board::{Board, BoardSide, End, EndKind, Line, LineRole};
use linecall::geometry::{Paint, Point};

fn board(id: &str) -> Board {
    Board::named_or_at(id).unwrap()
}

fn line<'b>(board: &'b Board, name: &str, end: Option<End>) -> &'b Line {
    let found: Vec<_> = board.lines.iter().filter(|l| l.name == name && l.end == end).collect();
    assert_eq!(found.len(), 1, "{name} {end:?}");
    found[0]
}

/// A stroke's ends in ascending order, and its width.
fn stroke(line: &Line) -> ([f64; 2], [f64; 2], f64) {
    let Paint::Stroke { from, to, width_mm } = line.paint else { panic!("{} is no stroke", line.name) };
    let (a, b) = ([from.x, from.y], [to.x, to.y]);
    if a <= b { (a, b, width_mm) } else { (b, a, width_mm) }
}

fn ring(line: &Line) -> ([f64; 2], f64, f64) {
    let Paint::Ring { centre, radius_mm, width_mm } = line.paint else { panic!("{} is no ring", line.name) };
    ([centre.x, centre.y], 2.0 * radius_mm, width_mm)
}

fn assert_close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-3, "{a} against {b}");
}

#[test]
fn five_boards_ship() {
    let ids: Vec<_> = Board::shipped().unwrap().into_iter().map(|b| b.id).collect();
    assert_eq!(
        ids,
        ["carrom-court", "carrom-long-board", "association-table", "carrom-icf", "carroms-ludington"]
    );
}

/// The court and the association table share one diagram in two sizes.
struct Diagram {
    id: &'static str,
    size: [f64; 2],
    ends: EndKind,
    rail: [f64; 2],
    width_mm: f64,
    apex: [f64; 2],
    sides_x: [f64; 2],
    crosses_y: [f64; 3],
    off_y: f64,
    foul_y: [f64; 2],
    pieces: [&'static str; 2],
    piece: [f64; 2],
}

const DIAGRAMS: [Diagram; 2] = [
    Diagram {
        id: "carrom-court",
        size: [400.0, 1830.0],
        ends: EndKind::Open,
        rail: [18.0, 12.0],
        width_mm: 4.0,
        apex: [200.0, 1180.0],
        sides_x: [20.0, 380.0],
        crosses_y: [1360.0, 1540.0, 1720.0],
        off_y: 1810.0,
        foul_y: [1120.0, 710.0],
        pieces: ["red", "blue"],
        piece: [30.0, 12.0],
    },
    Diagram {
        id: "association-table",
        size: [508.0, 3660.0],
        ends: EndKind::Gutter,
        rail: [45.0, 25.0],
        width_mm: 6.0,
        apex: [254.0, 2791.0],
        sides_x: [20.0, 488.0],
        crosses_y: [3025.0, 3259.0, 3493.0],
        off_y: 3610.0,
        foul_y: [2711.0, 949.0],
        pieces: ["red", "yellow"],
        piece: [58.7, 22.0],
    },
];

#[test]
fn scoring_diagrams_have_the_makers_sizes() {
    for d in &DIAGRAMS {
        let b = board(d.id);
        assert_eq!([b.surface.width_mm, b.surface.length_mm], d.size);
        assert_eq!(b.surface.ends, d.ends);
        let sides: Vec<_> = b.rails.iter().map(|r| r.side).collect();
        assert_eq!(sides, [BoardSide::Left, BoardSide::Right]);
        assert!(b.rails.iter().all(|r| [r.width_mm, r.height_mm] == d.rail));

        // Where the triangle's sides are at a height.
        let slope = (d.apex[0] - d.sides_x[0]) / (d.crosses_y[2] - d.apex[1]);
        let half = |y: f64| (y - d.apex[1]) * slope;
        let [ten, eight, seven] = d.crosses_y;
        let [left, right] = d.sides_x;
        let [middle, _] = d.apex;
        let across = |y: f64| ([middle - half(y), y], [middle + half(y), y]);
        let expected = [
            ("side-left", ([left, seven], d.apex)),
            ("side-right", (d.apex, [right, seven])),
            ("cross-10", across(ten)),
            ("cross-8", across(eight)),
            ("cross-7", across(seven)),
            ("centre", ([middle, ten], [middle, seven])),
            ("off-left", ([left, seven], [left, d.off_y])),
            ("off-right", ([right, seven], [right, d.off_y])),
            ("off-end", ([left, d.off_y], [right, d.off_y])),
            ("foul", ([0.0, d.foul_y[0]], [d.size[0], d.foul_y[0]])),
        ];
        assert_eq!(b.lines.len(), 2 * expected.len());
        for (name, (from, to)) in expected {
            let far = line(&b, name, Some(End::Far));
            let (a, z, width) = stroke(far);
            for (found, given) in [(a, from), (z, to)] {
                assert_close(found[0], given[0]);
                assert_close(found[1], given[1]);
            }
            assert_eq!(width, d.width_mm);
            let role = if name == "foul" { LineRole::Foul } else { LineRole::AreaBorder };
            assert_eq!(far.role, role);
        }
        // A line at the far end is as far from its end as its mirror image from the near end.
        let (a, z, _) = stroke(line(&b, "foul", Some(End::Near)));
        assert_eq!([a, z], [[0.0, d.foul_y[1]], [d.size[0], d.foul_y[1]]]);

        for (name, value, y) in [
            ("10", 10, [d.apex[1], ten]),
            ("8-left", 8, [ten, eight]),
            ("8-right", 8, [ten, eight]),
            ("7-left", 7, [eight, seven]),
            ("7-right", 7, [eight, seven]),
            ("10-off", -10, [seven, d.off_y]),
        ] {
            let area = b.areas_at(End::Far).find(|a| a.name == name).unwrap();
            assert_eq!(area.value, value);
            assert_eq!(area.clears, None);
            let ys = area.polygon.vertices().iter().map(|p| p.y);
            assert_eq!(ys.clone().fold(f64::INFINITY, f64::min), y[0]);
            assert_eq!(ys.fold(f64::NEG_INFINITY, f64::max), y[1]);
            let on_side = |p: Point| match name {
                n if n.ends_with("left") => p.x < middle,
                n if n.ends_with("right") => p.x > middle,
                _ => true,
            };
            let corners = area.polygon.vertices();
            let mean = corners.iter().map(|p| p.x).sum::<f64>() / corners.len() as f64;
            assert!(on_side(Point::new(mean, y[0])), "{name}");
        }
        // Together the areas are the triangle and the rectangle behind it.
        let triangle = (right - left) * (seven - d.apex[1]) / 2.0;
        let rectangle = (right - left) * (d.off_y - seven);
        let sum: f64 = b.areas_at(End::Far).map(|a| a.polygon.area_mm2()).sum();
        assert_close(sum, triangle + rectangle);

        let pieces: Vec<_> = b.pieces.iter().map(|p| (p.name.as_str(), p.count, p.shooter)).collect();
        assert_eq!(pieces, [(d.pieces[0], 4, false), (d.pieces[1], 4, false)]);
        assert!(b.pieces.iter().all(|p| [p.diameter_mm, p.height_mm] == d.piece));
    }
}

#[test]
fn long_board_has_the_makers_sizes() {
    let b = board("carrom-long-board");
    assert_eq!([b.surface.width_mm, b.surface.length_mm], [400.0, 1830.0]);
    assert_eq!(b.surface.ends, EndKind::Open);
    for (name, far_y, near_y) in
        [("line-3", 1730.0, 100.0), ("line-2", 1630.0, 200.0), ("foul", 1330.0, 500.0)]
    {
        for (end, y) in [(End::Far, far_y), (End::Near, near_y)] {
            assert_eq!(stroke(line(&b, name, Some(end))), ([0.0, y], [400.0, y], 4.0));
        }
    }
    for (name, value, clears, y) in
        [("3", 3, "line-3", 1780.0), ("2", 2, "line-2", 1680.0), ("1", 1, "foul", 1480.0)]
    {
        let area = b.areas_at(End::Far).find(|a| a.name == name).unwrap();
        assert_eq!((area.value, area.clears.as_deref()), (value, Some(clears)));
        assert!(area.polygon.contains(Point::new(3.0, y)) && area.polygon.contains(Point::new(397.0, y)));
    }
    let hanging = b.hanging.as_ref().unwrap();
    assert_eq!((hanging.area.as_str(), hanging.value), ("hanging", 4));
    assert!(b.pieces.iter().all(|p| p.count == 4 && p.diameter_mm == 30.0 && p.height_mm == 12.0));
}

#[test]
fn carrom_board_has_the_makers_sizes() {
    let b = board("carrom-icf");
    assert_eq!([b.surface.width_mm, b.surface.length_mm], [740.0, 740.0]);
    assert_eq!(b.rails.len(), 4);
    assert!(b.rails.iter().all(|r| (r.width_mm, r.height_mm) == (70.0, 20.0)));
    assert_eq!(b.pockets.len(), 4);
    for pocket in &b.pockets {
        assert_eq!(pocket.radius_mm, 22.25);
        for c in [pocket.centre.x, pocket.centre.y] {
            assert_close(c.min(740.0 - c), 22.25);
        }
    }
    // Every side's base line, seen from that side: distance from the side, and along it.
    for side in [BoardSide::Near, BoardSide::Right, BoardSide::Far, BoardSide::Left] {
        let seen = |[x, y]: [f64; 2]| match side {
            BoardSide::Near => [x, y],
            BoardSide::Right => [y, 740.0 - x],
            BoardSide::Far => [740.0 - x, 740.0 - y],
            BoardSide::Left => [740.0 - y, x],
        };
        let of_role = |role| b.lines.iter().filter(move |l| l.base == Some(side) && l.role == role);
        for (role, from_side, width) in [(LineRole::BaseRear, 101.5, 6.0), (LineRole::BaseFront, 133.3, 2.0)]
        {
            let found: Vec<_> = of_role(role).collect();
            assert_eq!(found.len(), 1);
            let (a, z, w) = stroke(found[0]);
            assert_eq!(w, width);
            let (a, z) = (seen(a), seen(z));
            assert_close(a[1], from_side);
            assert_close(z[1], from_side);
            assert_close((a[0] - z[0]).abs(), 438.2);
            assert_close((a[0] + z[0]) / 2.0, 370.0);
        }
        let moons: Vec<_> = of_role(LineRole::Moon).map(ring).collect();
        assert_eq!(moons.len(), 2);
        let mut along: Vec<_> = moons.iter().map(|(c, ..)| seen(*c)[0] - 370.0).collect();
        along.sort_by(f64::total_cmp);
        assert_close(along[0], -219.1);
        assert_close(along[1], 219.1);
        for (centre, diameter, width) in moons {
            assert_close(seen(centre)[1], (101.5 + 133.3) / 2.0);
            assert_eq!((diameter, width), (31.8, 2.0));
        }
    }
    assert!(b.lines.iter().filter(|l| l.role == LineRole::Moon).all(|l| l.fill.is_some()));
    let arrows: Vec<_> = b.lines.iter().filter(|l| l.name.starts_with("arrow")).collect();
    assert_eq!(arrows.len(), 4);
    for arrow in arrows {
        let (a, z, width) = stroke(arrow);
        let from_corner = |[x, y]: [f64; 2]| x.min(740.0 - x).hypot(y.min(740.0 - y));
        let mut reach = [from_corner(a), from_corner(z)];
        reach.sort_by(f64::total_cmp);
        assert_close(reach[0], 70.0);
        assert_close(reach[1], 330.0);
        assert_eq!(width, 2.0);
        for [x, y] in [a, z] {
            assert_close(x.min(740.0 - x), y.min(740.0 - y));
        }
    }
    assert_eq!(ring(line(&b, "centre-circle", None)), ([370.0, 370.0], 31.8, 2.0));
    assert_eq!(ring(line(&b, "outer-circle", None)), ([370.0, 370.0], 170.0, 2.0));
    let pieces: Vec<_> =
        b.pieces.iter().map(|p| (p.name.as_str(), p.count, p.diameter_mm, p.height_mm, p.shooter)).collect();
    assert_eq!(
        pieces,
        [
            ("white", 9, 31.0, 8.0, false),
            ("black", 9, 31.0, 8.0, false),
            ("queen", 1, 31.0, 8.0, false),
            ("striker", 1, 41.3, 9.0, true)
        ]
    );
}

#[test]
fn ludington_board_has_the_makers_sizes() {
    let b = board("carroms-ludington");
    assert_eq!([b.surface.width_mm, b.surface.length_mm], [660.0, 660.0]);
    assert_eq!(b.rails.len(), 4);
    assert!(b.rails.iter().all(|r| (r.width_mm, r.height_mm) == (45.0, 20.0)));
    assert_eq!(b.pockets.len(), 4);
    for pocket in &b.pockets {
        assert_eq!(pocket.radius_mm, 25.0);
        for c in [pocket.centre.x, pocket.centre.y] {
            assert_close(c.min(660.0 - c), 20.0);
        }
    }
    let square = [
        (BoardSide::Near, [100.0, 100.0], [560.0, 100.0]),
        (BoardSide::Right, [560.0, 100.0], [560.0, 560.0]),
        (BoardSide::Far, [100.0, 560.0], [560.0, 560.0]),
        (BoardSide::Left, [100.0, 100.0], [100.0, 560.0]),
    ];
    for (side, from, to) in square {
        let base = b.lines.iter().find(|l| l.base == Some(side)).unwrap();
        assert_eq!((base.role, stroke(base)), (LineRole::Base, (from, to, 3.0)));
    }
    let spot = line(&b, "centre-spot", None);
    assert_eq!(spot.paint, Paint::Spot { centre: Point::new(330.0, 330.0), radius_mm: 6.0 });
    let pieces: Vec<_> =
        b.pieces.iter().map(|p| (p.name.as_str(), p.count, p.diameter_mm, p.height_mm, p.shooter)).collect();
    assert_eq!(
        pieces,
        [
            ("black", 12, 32.0, 9.0, false),
            ("white", 12, 32.0, 9.0, false),
            ("green", 1, 32.0, 9.0, false),
            ("shooter", 1, 36.0, 10.0, true)
        ]
    );
}

#[test]
fn what_is_mirrored_is_the_same_seen_from_the_other_end() {
    for b in Board::shipped().unwrap() {
        let length = b.surface.length_mm;
        let far = |lines: &[Line]| lines.iter().filter(|l| l.end == Some(End::Far)).count();
        assert_eq!(far(&b.lines), b.lines.iter().filter(|l| l.end == Some(End::Near)).count());
        for far in b.lines.iter().filter(|l| l.end == Some(End::Far)) {
            let near = line(&b, &far.name, Some(End::Near));
            // Seen at places all over the board, not by comparing coordinates.
            for i in 0..400 {
                let p = Point::new(f64::from(i % 20) * 31.0, f64::from(i / 20) * 97.0);
                let mirrored = Point::new(p.x, length - p.y);
                let (a, b) = (far.paint.signed_distance_mm(p), near.paint.signed_distance_mm(mirrored));
                assert!((a - b).abs() < 1e-9, "{} of {}", far.name, near.name);
            }
        }
        for far in b.areas.iter().filter(|a| a.end == Some(End::Far)) {
            let near = b.areas_at(End::Near).find(|a| a.name == far.name).unwrap();
            assert_eq!((near.value, &near.clears), (far.value, &far.clears));
            for i in 0..400 {
                let p = Point::new(f64::from(i % 20) * 31.0 + 0.5, f64::from(i / 20) * 97.0 + 0.5);
                let mirrored = Point::new(p.x, length - p.y);
                assert_eq!(far.polygon.contains(p), near.polygon.contains(mirrored));
            }
        }
    }
}

#[test]
fn numerals_at_the_near_end_are_turned_half_round() {
    let b = board("carrom-court");
    let tens: Vec<_> = b.numerals.iter().filter(|n| n.text == "10 OFF").collect();
    assert_eq!(tens.len(), 2);
    let near = tens.iter().find(|n| n.centre.y < 915.0).unwrap();
    let far = tens.iter().find(|n| n.centre.y > 915.0).unwrap();
    assert_eq!(near.centre.y + far.centre.y, 1830.0);
    assert_eq!(near.centre.x + far.centre.x, 400.0);
    assert_eq!((near.angle_deg - far.angle_deg).rem_euclid(360.0), 180.0);
}

#[test]
fn a_board_file_says_how_well_it_is_known() {
    assert!(Board::shipped().unwrap().iter().all(|board| board.accuracy_mm == 0.0));
    let rough = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/boards/home-table.toml");
    assert_eq!(board(rough.to_str().unwrap()).accuracy_mm, 4.0);
    let text = std::fs::read_to_string(&rough).unwrap();
    let wrong = text.replace("accuracy_mm = 4.0", "accuracy_mm = -4.0");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.toml");
    std::fs::write(&file, wrong).unwrap();
    let words = Board::named_or_at(file.to_str().unwrap()).unwrap_err().to_string();
    assert!(words.contains("accuracy_mm is -4.0, expected a size in mm above 0"), "{words}");
}
