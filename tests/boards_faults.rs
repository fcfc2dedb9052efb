//! Faulty board files: every fault is named with its line, and nothing panics.

use std::path::Path;

use linecall::board::{Board, BoardError, Fault};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const COURT: &str = include_str!("../calibration/boards/carrom-court.toml");
const SHIPPED: [&str; 5] = [
    COURT,
    include_str!("../calibration/boards/carrom-long-board.toml"),
    include_str!("../calibration/boards/association-table.toml"),
    include_str!("../calibration/boards/carrom-icf.toml"),
    include_str!("../calibration/boards/carroms-ludington.toml"),
];

fn faults(text: &str) -> Vec<Fault> {
    match Board::parse(text, Path::new("club.toml")) {
        Ok(_) => Vec::new(),
        Err(BoardError::Invalid { faults, .. }) => {
            assert!(!faults.is_empty(), "refused without a reason");
            faults
        }
        Err(other) => panic!("{other}"),
    }
}

/// A small board that is right.
const SMALL: &str = r##"id = "small"
name = "Small board"
games = ["court"]
[surface]
width_mm = 200
length_mm = 300
ends = "open"
colour = "#d8b98c"
[[lines]]
name = "border"
role = "area-border"
from = [0, 100]
to = [200, 100]
width_mm = 4
[[areas]]
name = "1"
value = 1
polygon = [[0, 0], [200, 0], [200, 100], [0, 100]]
[[pieces]]
name = "red"
diameter_mm = 30
height_mm = 12
count = 4
colour = "#b81f2a"
rim_mm = 1
"##;

/// Puts `with` for `what` into the small board and gives its faults.
fn small_with(what: &str, with: &str) -> Vec<Fault> {
    assert_eq!(SMALL.matches(what).count(), 1, "{what:?} must stand once in the small board");
    faults(&SMALL.replace(what, with))
}

#[test]
fn the_small_board_is_right() {
    assert_eq!(faults(SMALL), []);
}

#[test]
fn a_dozen_faults_are_all_named_with_their_lines() {
    // Each faulty line carries its own mark, so the expected lines are read off the text itself.
    let text = r##"id = "Club Table"                  # 1
name = "Club table"
games = ["court"]
colour = "brown"                              # 2
[surface]
width_mm = 400
length_mm = 1830
ends = "closed"                               # 3
colour = "#d8b98c"
[[rails]]
sides = ["left", "rigth"]                     # 4
width_mm = 18
height_mm = 12
colour = "#8f5b3a"
[[lines]]
name = "cross"
role = "area-border"
from = [0, 1360]
to = [400, 1360]
width_mm = -4                                 # 5
[[lines]]
name = "far"
role = "area-border"
from = [0, 1500]
to = [400, 1500]
widht_mm = 4                                  # 6
width_mm = 4
[[lines]]                                     # 7
name = "short"
role = "foul"
from = [0, 1100]
width_mm = 4
[[circles]]
name = "ring"
role = "decoration"
centre = [200, "middle"]                      # 8
diameter_mm = 40
width_mm = 2
[[areas]]
name = "10"
value = 10
polygon = [[0, 1400], [400, 1400]]            # 9
[[pieces]]
name = "red"
diameter_mm = nan                             # 10
height_mm = 12
count = 0                                     # 11
colour = "red"                                # 12
rim_mm = 1.2
[[pieces]]
name = "blue"
diameter_mm = 30
height_mm = 12
count = 4
colour = "#1f3fa8"
rim_mm = 40                                   # 13
"##;
    let expected = [
        "id is \"Club Table\", expected an id in small letters",
        "unknown field \"colour\", expected one of id, name, games",
        "surface: ends is \"closed\", expected \"open\", \"gutter\" or \"frame\"",
        "sides is [\"left\", \"rigth\"], expected a list of sides",
        "line \"cross\": width_mm is -4, expected a size in mm above 0",
        "line \"far\": unknown field \"widht_mm\", did you mean width_mm?",
        "line \"short\": to is missing, expected a place [x, y] in mm",
        "circle \"ring\": centre is [200, \"middle\"], expected a place [x, y] in mm",
        "area \"10\": polygon has 2 corners, expected 3 to 64",
        "piece \"red\": diameter_mm is nan, expected a size in mm above 0",
        "piece \"red\": count is 0, expected a whole number from 1 to 1000",
        "piece \"red\": colour is \"red\", expected a colour like \"#c03020\"",
        "piece \"blue\": rim_mm is 40, expected at most 12",
    ];
    let found = faults(text);
    // The surface could not be read (3), so an area's corners are not held against it.
    let judged: Vec<_> = expected.iter().enumerate().filter(|(i, _)| *i != 8).collect();
    assert_eq!(found.len(), judged.len(), "{found:#?}");
    for ((i, what), fault) in judged.iter().zip(&found) {
        let mark = format!("# {}", i + 1);
        let line = text.lines().position(|l| l.ends_with(&mark)).unwrap() + 1;
        assert_eq!(fault.line, line, "{what}");
        assert!(fault.what.contains(*what), "{:?} should say {what:?}", fault.what);
    }
    // With a surface that can be read, the area's fault comes too.
    let found = faults(&text.replace("\"closed\"", "\"open\""));
    assert!(found.iter().any(|f| f.what.contains(expected[8])), "{found:#?}");
}

#[test]
fn the_message_is_a_list_that_editors_can_jump_along() {
    let error =
        Board::parse(&SMALL.replace("= 12", "= -12").replace("count", "cuont"), Path::new("club.toml"))
            .unwrap_err();
    let text = error.to_string();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "board file club.toml has 3 faults:");
    assert!(lines[1].starts_with("  club.toml:19: piece \"red\": count is missing"), "{text}");
    assert!(lines[2].starts_with("  club.toml:22: piece \"red\": height_mm is -12"), "{text}");
    assert!(lines[3].starts_with("  club.toml:23: piece \"red\": unknown field \"cuont\""), "{text}");
    assert_eq!(lines.len(), 4);
}

#[test]
fn mistakes_of_notation_are_all_named() {
    let text = SMALL.replace("count = 4", "count = = 4").replace("value = 1", "value = 1x");
    let found = faults(&text);
    let lines: Vec<_> = found.iter().map(|f| f.line).collect();
    assert!(lines.contains(&17) && lines.contains(&23), "{found:#?}");
    assert!(found.iter().all(|f| f.what.starts_with("not TOML")), "{found:#?}");
}

/// What is put in, and what the one fault must say on which line.
#[test]
fn every_rule_of_the_form_has_its_fault() {
    let line_like = |name: &str, rest: &str| {
        format!(
            "[[lines]]\nname = \"{name}\"\nfrom = [0, 200]\nto = [200, 200]\nwidth_mm = 4\n{rest}\n[[pieces]]"
        )
    };
    let circle = |rest: &str| format!("[[circles]]\nname = \"c\"\n{rest}\n[[pieces]]");
    let area = |polygon: &str| format!("polygon = {polygon}");
    let square = "polygon = [[0, 0], [200, 0], [200, 100], [0, 100]]";
    let piece = "rim_mm = 1\n[[pieces]]\nname = \"blue\"\ndiameter_mm = 30\nheight_mm = 12\ncount = 4\n\
                 colour = \"#0000ff\"\nrim_mm = 1";
    let cases: Vec<(&str, String, usize, &str)> = vec![
        ("width_mm = 200", "width_mm = 0.2".into(), 5, "expected 50 to 20000 mm"),
        ("length_mm = 300", "length_mm = inf".into(), 6, "length_mm is inf"),
        ("from = [0, 100]", "from = [-1, 100]".into(), 12, "from [-1, 100] is off the surface"),
        ("to = [200, 100]", "to = [200, 301]".into(), 13, "to [200, 301] is off the surface"),
        ("to = [200, 100]", "to = [0, 100]".into(), 9, "from and to are the same"),
        ("width_mm = 4", "width_mm = 200".into(), 14, "less than the board's own width"),
        ("[\"court\"]", "[\"court\", \"court\"]".into(), 3, "names \"court\" twice"),
        ("[\"court\"]", "[\"Court\"]".into(), 3, "a list of game ids"),
        ("[[pieces]]", line_like("border", "role = \"foul\""), 20, "the name was given on line 10 already"),
        ("[[pieces]]", line_like("b", "role = \"base\""), 19, "base is missing"),
        ("[[pieces]]", line_like("b", "role = \"foul\"\nbase = \"far\""), 25, "base is for base lines"),
        ("[[pieces]]", line_like("b", "role = \"base-rear\"\nbase = \"far\""), 19, "its partner is missing"),
        ("[[pieces]]", line_like("b", "role = \"moon\"\nbase = \"far\""), 24, "belongs under [[circles]]"),
        (
            "[[pieces]]",
            line_like("b", "role = \"foul\"\nend = \"far\"\nmirrored = true"),
            26,
            "either mirrored = true or an end",
        ),
        (
            "[[pieces]]",
            "[[lines]]\nname = \"m\"\nrole = \"foul\"\nfrom = [0, 150]\nto = [200, 150]\nwidth_mm = 4\n\
             mirrored = true\n[[pieces]]"
                .into(),
            19,
            "its mirror image is itself",
        ),
        (
            "[[pieces]]",
            circle("role = \"decoration\"\ncentre = [10, 150]\ndiameter_mm = 30"),
            23,
            "reaches over the surface's border",
        ),
        (
            "[[pieces]]",
            circle("role = \"decoration\"\ncentre = [100, 150]\ndiameter_mm = 30\nwidth_mm = 30"),
            23,
            "expected less than the diameter 30",
        ),
        (
            "[[pieces]]",
            circle("role = \"decoration\"\ncentre = [100, 150]\ndiameter_mm = 30\nfill = \"#ff0000\""),
            24,
            "fill is for rings",
        ),
        (square, area("[[0, 0], [200, 0], [200, 100], [0, 100], [0, 0]]"), 18, "repeats the first"),
        (square, area("[[0, 0], [200, 0], [200, 0], [200, 100], [0, 100]]"), 18, "stands there twice"),
        (square, area("[[0, 0], [200, 100], [200, 0], [0, 100]]"), 18, "crosses or touches itself"),
        (square, area("[[0, 100], [100, 100], [200, 100]]"), 18, "crosses or touches itself"),
        (square, area("[[0, 0], [200, 0], [200, 100], [0, 400]]"), 18, "corner [0, 400] is off the surface"),
        (square, area("[[0, 0], [200, 0], [200, 90], [0, 100]]"), 18, "the area is not closed"),
        (square, format!("{square}\nclears = \"bodrer\""), 19, "clears is \"bodrer\""),
        (
            "[[pieces]]",
            format!("[[areas]]\nname = \"2\"\nvalue = 2\n{square}\n[[pieces]]"),
            22,
            "it overlaps area \"1\"",
        ),
        (
            "[[pieces]]",
            format!("[[areas]]\nname = \"1\"\nvalue = 2\n{}\n[[pieces]]", area("[[0, 100], [200, 100], [200, 300], [0, 300]]")),
            20,
            "the name was given on line 16 already",
        ),
        ("[[pieces]]", "[[pockets]]\ncentre = [-5, 20]\ndiameter_mm = 40\n[[pieces]]".into(), 20, "off the surface"),
        ("[[pieces]]", "[[pockets]]\ncentre = [20, 20]\ndiameter_mm = 140\n[[pieces]]".into(), 21, "at most half"),
        (
            "[[pieces]]",
            "[[pockets]]\ncentre = [20, 20]\ndiameter_mm = 40\n[[pockets]]\ncentre = [50, 20]\ndiameter_mm = 40\n[[pieces]]".into(),
            23,
            "overlaps pocket number 1",
        ),
        (
            "[[pieces]]",
            "[[rails]]\nsides = [\"far\"]\nwidth_mm = 9\nheight_mm = 9\ncolour = \"#ffffff\"\n[[pieces]]".into(),
            20,
            "expected ends = \"frame\"",
        ),
        (
            "[[pieces]]",
            "[[rails]]\nsides = [\"left\", \"left\"]\nwidth_mm = 9\nheight_mm = 9\ncolour = \"#ffffff\"\n[[pieces]]"
                .into(),
            20,
            "has a rail already",
        ),
        (
            "[[pieces]]",
            "[[rails]]\nsides = [\"left\"]\nwidth_mm = 18\nheight_mm = 12\nrounding_mm = 10\ncolour = \"#ffffff\"\n[[pieces]]"
                .into(),
            23,
            "expected at most 9",
        ),
        ("[[pieces]]", "[hanging]\narea = \"1\"\nvalue = 4\n[[pieces]]".into(), 20, "is an area on the board"),
        ("rim_mm = 1", piece.replace("#0000ff", "#b81f2a"), 31, "cannot be told from \"red\""),
        ("rim_mm = 1", piece.replace("\"blue\"", "\"red\""), 27, "the name was given on line 20 already"),
        ("diameter_mm = 30", "diameter_mm = 200".into(), 21, "expected less than the board's 200"),
        ("height_mm = 12", "height_mm = 31".into(), 22, "expected at most the diameter 30"),
        ("rim_mm = 1", "rim_mm = -1".into(), 25, "0 or above"),
        ("rim_mm = 1", "rim_mm = 1\ncap_diameter_mm = 20".into(), 26, "expected make = \"cap\""),
        ("rim_mm = 1", "rim_mm = 1\nmake = \"cap\"\ncap_diameter_mm = 30".into(), 27, "expected less than 30"),
        ("[[pieces]]", "[[tags]]\nfamily = \"qr\"\nid = 1\ncentre = [9, 9]\nsize_mm = 20\n[[pieces]]".into(), 20, "expected one of aruco-"),
        (
            "[[pieces]]",
            "[[tags]]\nfamily = \"aruco-4x4-50\"\nid = 50\ncentre = [9, 9]\nsize_mm = 20\n[[pieces]]".into(),
            21,
            "expected 0 to 49",
        ),
        (
            "[[pieces]]",
            "[[numerals]]\ntext = \"7\"\ncentre = [9, 999]\nheight_mm = 20\ncolour = \"#ffffff\"\n[[pieces]]".into(),
            21,
            "off the surface",
        ),
    ];
    for (what, with, line, says) in cases {
        let found = small_with(what, &with);
        assert_eq!(found.len(), 1, "{with}\n{found:#?}");
        assert_eq!(found[0].line, line, "{with}\n{found:#?}");
        assert!(found[0].what.contains(says), "{:?} should say {says:?}", found[0].what);
    }
    let no_pieces = &SMALL[..SMALL.find("[[pieces]]").unwrap()];
    assert!(faults(no_pieces)[0].what.contains("there are no pieces"));
    let framed = small_with("ends = \"open\"", "ends = \"frame\"");
    assert_eq!(framed.len(), 2, "a frame has a rail at both ends: {framed:?}");
}

#[test]
fn unreadable_paths_are_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("here.toml");
    std::fs::write(&here, [0xff, 0xfe, 0x00]).unwrap();
    let huge = folder.path().join("huge.toml");
    std::fs::write(&huge, vec![b'#'; 2 << 20]).unwrap();
    for (path, says) in [
        (folder.path().to_owned(), "expected a file"),
        (folder.path().join("none.toml"), "No such file"),
        (here, "expected text in UTF-8"),
        (huge, "at most a megabyte"),
    ] {
        let text = Board::named_or_at(path.to_str().unwrap()).unwrap_err().to_string();
        assert!(text.contains(says) && text.contains(path.to_str().unwrap()), "{text}");
        assert_eq!(text.lines().count(), 1);
    }
    let text = Board::named_or_at("carrom-cuort").unwrap_err().to_string();
    assert!(text.contains("carrom-court") && text.contains("association-table"), "{text}");
}

#[test]
fn two_hundred_mutated_files_are_read_or_refused() {
    let mut random = ChaCha8Rng::seed_from_u64(2026);
    let mut refused = 0;
    for round in 0..200 {
        let mut text = SHIPPED[round % SHIPPED.len()].to_owned();
        for _ in 0..random.random_range(1..4) {
            text = mutated(&text, &mut random);
        }
        let found = faults(&text);
        refused += usize::from(!found.is_empty());
        let last_line = text.lines().count().max(1) + 1;
        for fault in found {
            assert!((1..=last_line).contains(&fault.line), "{fault:?} of {last_line} lines");
        }
    }
    assert!((100..200).contains(&refused), "{refused} of 200 refused: the mutations should mostly matter");
}

fn mutated(text: &str, random: &mut impl Rng) -> String {
    const VALUES: [&str; 14] = [
        "nan",
        "inf",
        "-1",
        "0",
        "1e308",
        "\"x\"",
        "[]",
        "{}",
        "true",
        "[[1, 2]]",
        "99999999999",
        "\"\"",
        "1979-05-27",
        "[nan, 0]",
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = random.random_range(0..lines.len());
    match random.random_range(0..7) {
        0 => {
            lines.remove(place);
        }
        1 => {
            let other = random.random_range(0..lines.len());
            lines.swap(place, other);
        }
        2 => {
            if let Some((key, _)) = lines[place].split_once('=') {
                lines[place] = format!("{key}= {}", VALUES.choose(random).unwrap());
            }
        }
        3 => {
            let copy = lines[place].clone();
            lines.insert(place, copy);
        }
        4 => {
            let mut chars: Vec<char> = lines[place].chars().collect();
            if !chars.is_empty() {
                let at = random.random_range(0..chars.len());
                chars[at] = *['x', '0', '"', '[', ']', '=', '.', '-', 'é', '\u{0}'].choose(random).unwrap();
            }
            lines[place] = chars.into_iter().collect();
        }
        5 => lines.truncate(place),
        _ => {
            let digits: String =
                lines[place].chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
            lines[place] = digits;
        }
    }
    if lines.is_empty() { String::new() } else { lines.join("\n") + "\n" }
}
