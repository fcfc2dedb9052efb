//! Photos of real tables, from public repositories and without a licence to be here: who has them names
//! their folder in `REAL_PHOTOS`. Without it, this says so.
//!
//! The board files in `tests/boards` are written from these very photos, good to about a centimetre, so
//! pieces are compared with the labels in the photo's pixels. What is not reached stands in the table as a
//! count: it may become less, and then the table is brought up to date.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// One photo, what its labels are good for, and what is not reached in it.
struct RealPhoto {
    name: &'static str,
    /// A file of `tests/boards`.
    board: &'static str,
    /// Where the board has no paint to be found by: its corners, near left, near right, far right, far left.
    corners: Option<&'static str>,
    /// The labels' own accuracy, of a disc's centre.
    accuracy_px: f64,
    known: Known,
}

/// What is not reached in a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Known {
    /// The board is not found, and the photo is refused.
    refused: bool,
    /// Labelled pieces on the board that are not found.
    missed: usize,
    /// Things that are taken for pieces.
    extra: usize,
    /// Found pieces that lie farther from their label than its accuracy.
    off: usize,
    /// Found pieces of another colour than labelled.
    colour: usize,
}

const NONE: Known = Known { refused: false, missed: 0, extra: 0, off: 0, colour: 0 };

fn photos() -> Vec<RealPhoto> {
    let plank = |name, corners, known| RealPhoto {
        name,
        board: "worn-plank",
        corners: Some(corners),
        accuracy_px: 1.5,
        known,
    };
    let found_by_itself =
        |name, board, accuracy_px, known| RealPhoto { name, board, corners: None, accuracy_px, known };
    vec![
        // Far from the camera's foot point a wide-angle lens shows more of the skirts than the board file's cylinder.
        found_by_itself("acloran_c2_e9f3dd.png", "home-table", 1.0, Known { off: 1, ..NONE }),
        plank("nedreid_0877e3.png", "20,301.6,-11,685.7,1602,625.5,1551.3,247.7", NONE),
        // Domed caps on skirts that are wider below than the board file's cylinder; none is trusted.
        plank("nedreid_388ad3.png", "20,299.3,-11,683.4,1602,623,1551.3,245.3", Known { off: 3, ..NONE }),
        // One puck is half under a hand, the other is blurred by its motion.
        plank(
            "nedreid_49bd95.png",
            "20,301.6,-11,685.7,1602,625.5,1551.3,247.7",
            Known { missed: 1, off: 1, ..NONE },
        ),
        // All eight pucks lie in the gutter.
        plank("nedreid_984ba7.png", "20,299.3,-11,683.4,1602,623,1551.3,245.3", NONE),
        // A sixth of its lines is left; the striker's height is not known.
        found_by_itself("sat95_10_1_1.jpg", "worn-carrom", 3.0, Known { off: 1, ..NONE }),
        // 12 megapixels: 3 px are 0.8 mm, and how high the men stand is not known. The labels of the black ones
        // take in some of their dark walls, by their own words.
        found_by_itself("tanmay_142201.jpg", "ruled-carrom", 3.0, Known { off: 11, ..NONE }),
        found_by_itself("tanmay_142215.jpg", "ruled-carrom", 3.0, Known { off: 11, ..NONE }),
        // A printed circle of the striker's size, around wood that is a little darker than the rest.
        found_by_itself("udayan_cap2.jpg", "webcam-carrom", 1.0, Known { extra: 1, off: 1, ..NONE }),
    ]
}

/// Where the photos lie, if somebody has them: `REAL_PHOTOS=DIR make test`.
fn folder() -> PathBuf {
    std::env::var_os("REAL_PHOTOS").map(PathBuf::from).unwrap_or_default()
}

/// A piece's colour, and the centre and radius of its face in the photo.
#[derive(Debug, Clone)]
struct Disc {
    colour: String,
    px: [f64; 2],
    radius_px: f64,
}

impl Disc {
    fn apart_px(&self, other: &Disc) -> f64 {
        (self.px[0] - other.px[0]).hypot(self.px[1] - other.px[1])
    }
}

/// The pieces that are found, or why the photo is refused.
fn scored(photo: &RealPhoto) -> Result<Vec<Disc>, String> {
    let board = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/boards/{}.toml", photo.board));
    let mut command = Command::new(env!("CARGO_BIN_EXE_linecall"));
    command.arg("score").arg(folder().join(photo.name)).arg("--json").arg("--board").arg(board);
    if let Some(corners) = photo.corners {
        command.args(["--corners", corners]);
    }
    let output = command.output().unwrap();
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains("was not found in the picture"), "{}: {words}", photo.name);
        return Err(words.into_owned());
    }
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let pieces = report["pieces"].as_array().unwrap().iter();
    Ok(pieces
        .map(|piece| Disc {
            colour: piece["colour"].as_str().unwrap().to_owned(),
            px: [0, 1].map(|i| piece["px"][i].as_f64().unwrap()),
            radius_px: 0.0,
        })
        .collect())
}

/// The labelled pieces on the board, called as the board files call them.
fn labelled(photo: &RealPhoto) -> Vec<Disc> {
    let path = folder().join(photo.name).with_extension("json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let is_carrom = file["game"] == "carrom";
    let discs = file["discs"].as_array().unwrap().iter();
    discs
        .filter(|disc| disc["where"].as_str().unwrap().starts_with("on_board"))
        .map(|disc| {
            let colour = match (disc["kind"].as_str().unwrap(), disc["colour"].as_str().unwrap()) {
                ("striker", _) => "striker",
                (_, "red") if is_carrom => "queen",
                (_, "dark") => "black",
                (_, colour) => colour,
            };
            Disc {
                colour: colour.to_owned(),
                px: ["cx", "cy"].map(|key| disc[key].as_f64().unwrap()),
                radius_px: disc["r"].as_f64().unwrap(),
            }
        })
        .collect()
}

/// What is not reached, with a line about each thing.
fn judge(photo: &RealPhoto) -> (Known, Vec<String>) {
    let mut found = match scored(photo) {
        Ok(found) => found,
        Err(words) => return (Known { refused: true, ..NONE }, vec![words]),
    };
    let (mut known, mut words) = (Known::default(), Vec::new());
    for label in labelled(photo) {
        let nearest =
            (0..found.len()).min_by(|&a, &b| label.apart_px(&found[a]).total_cmp(&label.apart_px(&found[b])));
        let Some(nearest) = nearest.filter(|&i| label.apart_px(&found[i]) < label.radius_px) else {
            known.missed += 1;
            words.push(format!("missed {label:?}"));
            continue;
        };
        let piece = found.swap_remove(nearest);
        let off_px = label.apart_px(&piece);
        if off_px > photo.accuracy_px {
            known.off += 1;
            words.push(format!("{label:?} is {off_px:.1} px off"));
        }
        if piece.colour != label.colour {
            known.colour += 1;
            words.push(format!("{label:?} was taken for {}", piece.colour));
        }
    }
    known.extra = found.len();
    words.extend(found.iter().map(|piece| format!("extra {piece:?}")));
    (known, words)
}

#[test]
fn real_tables_are_scored_as_labelled_but_for_what_is_known() {
    if !folder().is_dir() {
        eprintln!("SKIPPED: REAL_PHOTOS names no folder of photos, nothing was looked at");
        return;
    }
    let mut changed = Vec::new();
    for photo in photos() {
        let (reached, words) = judge(&photo);
        println!("{}: {reached:?}", photo.name);
        if reached != photo.known {
            changed.push(format!(
                "{}: {reached:?}, known are {:?}\n  {}",
                photo.name,
                photo.known,
                words.join("\n  ")
            ));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}
