//! What board files can say beyond lines and areas, and that a board that is written is read again as it was.

use std::path::Path;

use linecall::board::{Board, BoardError, BoardNotes, BoardSide, Colour, End, Line, PrintRegion};
use linecall::geometry::{Paint, Point};

/// A bar table of which everything is known but its near end.
const BAR: &str = r##"id = "bar"
name = "Bar table"
games = ["long-board"]
accuracy_mm = 1.5
[surface]
width_mm = 508
length_mm = 2700
ends = "gutter"
colour = "#d8b98c"
unseen = "near"
[[gutters]]
sides = ["left", "right", "far"]
width_mm = 90
depth_mm = 40
colour = "#202020"
[[lines]]
name = "line-3"
role = "area-border"
from = [0, 2548]
to = [508, 2548]
width_mm = 2
mirrored = true
accuracy_mm = 0.3
[[circles]]
name = "hub"
role = "decoration"
centre = [254, 1350]
diameter_mm = 31.8
colour = "#c03020"
optional = true
[[arcs]]
name = "hook"
role = "decoration"
centre = [254, 2000]
diameter_mm = 64
width_mm = 2
from_deg = 45
sweep_deg = 270
mirrored = true
optional = true
[[areas]]
name = "3"
value = 3
polygon = [[0, 2548], [508, 2548], [508, 2700], [0, 2700]]
mirrored = true
clears = "line-3"
[hanging]
area = "hanging"
value = 4
[[numerals]]
text = "3"
centre = [254, 2620]
height_mm = 70
colour = "#c03020"
mirrored = true
optional = true
[[prints]]
name = "logo"
polygon = [[100, 1500], [400, 1500], [400, 1700]]
colours = ["#c03020", "#26241f"]
mirrored = true
[[prints]]
name = "star"
centre = [254, 1350]
diameter_mm = 160
colours = ["#c03020"]
optional = false
[[pieces]]
name = "red"
diameter_mm = 58.7
accuracy_mm = 0.4
height_mm = 24
count = 4
colour = "#b81f2a"
rim_mm = 1
make = "cap"
cap_diameter_mm = 53
"##;

fn read(text: &str) -> Board {
    Board::parse(text, Path::new("bar.toml")).unwrap_or_else(|error| panic!("{error}"))
}

fn faults(text: &str) -> Vec<(usize, String)> {
    match Board::parse(text, Path::new("bar.toml")) {
        Err(BoardError::Invalid { faults, .. }) => faults.into_iter().map(|f| (f.line, f.what)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn gutters_arcs_prints_and_what_may_be_missing_are_read() {
    let board = read(BAR);
    let sides: Vec<_> = board.gutters.iter().map(|gutter| gutter.side).collect();
    assert_eq!(sides, [BoardSide::Left, BoardSide::Right, BoardSide::Far]);
    assert!(board.gutters.iter().all(|g| (g.width_mm, g.depth_mm) == (90.0, 40.0)));
    assert_eq!(board.surface.unseen, Some(End::Near));
    assert!(board.hanging.is_some(), "a puck hangs over a gutter");
    let optional: Vec<_> = board.lines.iter().map(|line| (line.name.as_str(), line.optional)).collect();
    assert_eq!(
        optional,
        [("line-3", false), ("line-3", false), ("hub", true), ("hook", true), ("hook", true)]
    );
    assert_eq!(board.accuracy_of_mm(&board.lines[0]), 0.3);
    assert_eq!(board.accuracy_of_mm(&board.lines[2]), 1.5);
    assert_eq!(board.pieces[0].accuracy_mm, Some(0.4));
    assert!(board.numerals.iter().all(|numeral| numeral.optional));
    let prints: Vec<_> = board.prints.iter().map(|p| (p.name.as_str(), p.optional)).collect();
    assert_eq!(prints, [("logo", true), ("logo", true), ("star", false)]);
    assert_eq!(board.prints[0].colours.len(), 2);
}

#[test]
fn an_arc_has_paint_on_its_way_and_none_in_its_gap_at_both_ends() {
    let board = read(BAR);
    let [far, near] = [&board.lines[3], &board.lines[4]];
    assert_eq!((far.end, near.end), (Some(End::Far), Some(End::Near)));
    // Its gap is on the right, between 315 and 45 degrees.
    for (line, y) in [(far, 2000.0), (near, 700.0)] {
        assert!(line.paint.signed_distance_mm(Point::new(254.0, y + 32.0)) < 0.0, "{:?}", line.paint);
        assert!(line.paint.signed_distance_mm(Point::new(222.0, y)) < 0.0);
        assert!(line.paint.signed_distance_mm(Point::new(286.0, y)) > 10.0);
    }
}

#[test]
fn a_mirrored_print_is_turned_half_round() {
    let board = read(BAR);
    let PrintRegion::Polygon(turned) = &board.prints[1].region else { panic!("{:?}", board.prints[1]) };
    assert_eq!(turned.vertices()[0], Point::new(408.0, 1200.0));
    assert!(board.may_be_printed(Point::new(150.0, 1100.0), 0.0), "on the turned logo");
    assert!(board.may_be_printed(Point::new(254.0, 1350.0), 0.0), "on the hub");
    assert!(!board.may_be_printed(Point::new(254.0, 2548.0), 0.0), "on a line that is surely there");
}

#[test]
fn rails_may_have_colours_to_choose_from() {
    let text = include_str!("../calibration/boards/carrom-court.toml")
        .replace("colour = \"#8f5b3a\"", "colours = [\"#8f5b3a\", \"#101010\"]");
    let board = Board::parse(&text, Path::new("court.toml")).unwrap();
    let colours: Vec<_> = board.rails[1].colours().collect();
    assert_eq!(colours, [Colour([0x8f, 0x5b, 0x3a]), Colour([0x10; 3])]);
}

#[test]
fn every_mistake_in_them_is_named() {
    let cases = [
        (
            "sweep_deg = 270",
            "sweep_deg = 0",
            "sweep_deg is 0, expected an angle above 0 and up to 360 degrees",
        ),
        ("depth_mm = 40", "depth_mm = 0", "depth_mm is 0, expected a size in mm above 0"),
        ("\"right\", \"far\"]", "\"right\", \"left\"]", "side \"left\" has a gutter already"),
        ("ends = \"gutter\"", "ends = \"open\"", "side \"far\" is an end, expected ends = \"gutter\""),
        ("unseen = \"near\"", "unseen = \"left\"", "unseen is \"left\", expected \"far\" or \"near\""),
        ("diameter_mm = 160", "diameter = 160", "diameter_mm is missing"),
        ("colours = [\"#c03020\"]", "colours = []", "colours is [], expected a list of colours"),
        ("name = \"star\"", "name = \"logo\"", "the name was given on line"),
        (
            "centre = [254, 1350]\ndiameter_mm = 160",
            "centre = [254, 3350]\ndiameter_mm = 160",
            "off the surface",
        ),
        ("accuracy_mm = 0.4", "accuracy_mm = -1", "accuracy_mm is -1, expected a finite number"),
        (
            "[[lines]]",
            "[[rails]]\nsides = [\"left\"]\nwidth_mm = 9\nheight_mm = 9\ncolour = \"#000000\"\n[[lines]]",
            "side \"left\" has a rail, expected a rail or a gutter",
        ),
        (
            "polygon = [[100, 1500],",
            "centre = [1, 1]\npolygon = [[100, 1500],",
            "centre stands beside polygon",
        ),
    ];
    for (what, with, expected) in cases {
        assert_eq!(BAR.matches(what).count(), 1, "{what:?} must stand once");
        let faults = faults(&BAR.replace(what, with));
        assert!(faults.iter().any(|(_, fault)| fault.contains(expected)), "{expected}: {faults:?}");
    }
}

/// Whether two boards are one up to the rounding of what is written, 0.01 mm.
fn assert_same(a: &Board, b: &Board) {
    const ROUNDED_MM: f64 = 0.02;
    let place = |p: Point, q: Point| assert!((p - q).norm() < ROUNDED_MM, "{p} against {q} of {}", a.id);
    let size = |x: f64, y: f64| assert!((x - y).abs() < ROUNDED_MM, "{x} against {y} of {}", a.id);
    let painted = |line: &Line| match line.paint {
        Paint::Stroke { from, to, width_mm } => (vec![from, to], vec![width_mm]),
        Paint::Ring { centre, radius_mm, width_mm } => (vec![centre], vec![radius_mm, width_mm]),
        Paint::Spot { centre, radius_mm } => (vec![centre], vec![radius_mm]),
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => {
            let start = Point::new(start_rad.cos(), start_rad.sin());
            (vec![centre, start], vec![radius_mm, width_mm, sweep_rad])
        }
    };
    assert_eq!(a.lines.len(), b.lines.len(), "{}", a.id);
    for (x, y) in a.lines.iter().zip(&b.lines) {
        let rest = |line: &Line| Line { paint: a.lines[0].paint, ..line.clone() };
        assert_eq!(rest(x), rest(y));
        let ((places, sizes), (other_places, other_sizes)) = (painted(x), painted(y));
        assert_eq!(places.len(), other_places.len(), "{}", x.name);
        places.iter().zip(other_places).for_each(|(p, q)| place(*p, q));
        sizes.iter().zip(other_sizes).for_each(|(x, y)| size(*x, y));
    }
    assert_eq!(a.areas.len(), b.areas.len(), "{}", a.id);
    for (x, y) in a.areas.iter().zip(&b.areas) {
        assert_eq!((&x.name, x.value, x.end, &x.clears), (&y.name, y.value, y.end, &y.clears));
        x.polygon.vertices().iter().zip(y.polygon.vertices()).for_each(|(p, q)| place(*p, *q));
    }
    let rest = |board: &Board| Board { lines: Vec::new(), areas: Vec::new(), ..board.clone() };
    assert_eq!(rest(a), rest(b));
}

fn own_boards() -> Vec<Board> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/boards");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|path| Board::load(&path).unwrap()).collect()
}

#[test]
fn a_board_that_is_written_is_read_again_as_it_was() {
    let boards: Vec<Board> =
        Board::shipped().unwrap().into_iter().chain(own_boards()).chain([read(BAR)]).collect();
    assert!(boards.len() > 8);
    for board in boards {
        let text = board.to_toml(&BoardNotes::default());
        let again = Board::parse(&text, Path::new("written.toml"));
        assert_same(&board, &again.unwrap_or_else(|error| panic!("{error}\n{text}")));
    }
}

#[test]
fn a_written_file_is_as_short_as_one_written_by_hand_and_carries_the_notes() {
    let court = include_str!("../calibration/boards/carrom-court.toml");
    let mut notes = BoardNotes { head: vec!["Learned from two photos.".to_owned()], ..BoardNotes::default() };
    notes.of_named.insert("cross-8".to_owned(), "Known to 0.3 mm.".to_owned());
    notes.of_part.insert("rails".to_owned(), "Seen from inside.".to_owned());
    let text = Board::parse(court, Path::new("court.toml")).unwrap().to_toml(&notes);
    assert_eq!(text.matches("[[").count(), court.matches("[[").count(), "{text}");
    assert_eq!(text.matches("mirrored = true").count(), court.matches("mirrored = true").count());
    assert!(text.starts_with("# Learned from two photos.\n"));
    assert!(
        text.contains("\n# Seen from inside.\n[[rails]]\nsides = [\"left\", \"right\"]\nwidth_mm = 18\n")
    );
    assert!(text.contains("\n# Known to 0.3 mm.\n[[lines]]\nname = \"cross-8\"\nrole = \"area-border\"\n"));
}
