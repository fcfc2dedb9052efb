//! Photos of real tables, from public repositories and without a licence to be here: they lie beside the
//! project, in `shared/photos/real`, where it is worked on. Where they are not there, this says so.
//!
//! The board files in `tests/boards` are written from these very photos, good to about a centimetre, so
//! pieces are compared in the photo's pixels with the labels beside each photo. What is not reached yet
//! stands in the table, piece by piece, so that it can only get better.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

struct RealPhoto {
    name: &'static str,
    /// A file of `tests/boards`, or a shipped board.
    board: &'static str,
    /// Where the board has no paint to be found by: its corners, near left, near right, far right, far left.
    corners: Option<&'static str>,
    /// The labels' own accuracy.
    tolerance_px: f64,
    /// The same for dark pieces, where the labels' circles take in the wall below the top, as they say.
    dark_tolerance_px: f64,
    /// What the labels call otherwise than the board file.
    colours: &'static [(&'static str, &'static str)],
    /// Labels that need not be found, by their number, and why.
    left_out: &'static [(usize, &'static str)],
    /// Things that are taken for pieces though they are none: at most so many.
    extras: usize,
}

const USUAL: RealPhoto = RealPhoto {
    name: "",
    board: "",
    corners: None,
    tolerance_px: 1.0,
    dark_tolerance_px: 1.0,
    colours: &[],
    left_out: &[],
    extras: 0,
};

/// A white label covers the middle of the puck, so its rough place looks white.
const LABELLED: &str = "a white label covers its middle";
/// A domed cap on a skirt that is wider below than the board file's cylinder.
const SKIRTED: &str = "its skirt is no cylinder";

fn photos() -> Vec<RealPhoto> {
    vec![
        RealPhoto {
            name: "acloran_c2_e9f3dd.png",
            board: "home-table",
            tolerance_px: 1.5,
            left_out: &[(0, LABELLED), (1, LABELLED), (2, LABELLED)],
            ..USUAL
        },
        plank("nedreid_0877e3.png", "20,301.6,-11,685.7,1602,625.5,1551.3,247.7"),
        RealPhoto {
            left_out: &[(0, SKIRTED), (1, SKIRTED), (3, SKIRTED), (4, SKIRTED)],
            ..plank("nedreid_388ad3.png", "20,299.3,-11,683.4,1602,623,1551.3,245.3")
        },
        RealPhoto {
            left_out: &[(0, "blurred by its motion"), (1, "half of it is under a hand")],
            ..plank("nedreid_49bd95.png", "20,301.6,-11,685.7,1602,625.5,1551.3,247.7")
        },
        plank("nedreid_984ba7.png", "20,299.3,-11,683.4,1602,623,1551.3,245.3"),
        RealPhoto { name: "sat95_10_1_1.jpg", board: "worn-carrom", tolerance_px: 3.0, ..USUAL },
        RealPhoto { name: "tanmay_142201.jpg", board: "ruled-carrom", tolerance_px: 3.0, ..USUAL },
        RealPhoto { name: "tanmay_142215.jpg", board: "ruled-carrom", tolerance_px: 3.0, ..USUAL },
        RealPhoto {
            name: "udayan_cap2.jpg",
            board: "webcam-carrom",
            colours: &[("dark", "black")],
            dark_tolerance_px: 1.5,
            // A moon and stains of 20 pixels across, in a picture of 640 x 480.
            extras: 3,
            ..USUAL
        },
    ]
}

/// A phone's photo of 12 megapixels: a wall of 6 mm is up to 16 pixels wide in it.
fn ruled(name: &'static str) -> RealPhoto {
    RealPhoto { name, board: "ruled-carrom", tolerance_px: 6.0, dark_tolerance_px: 12.0, ..USUAL }
}

fn plank(name: &'static str, corners: &'static str) -> RealPhoto {
    RealPhoto {
        name,
        board: "worn-plank",
        corners: Some(corners),
        tolerance_px: 1.5,
        dark_tolerance_px: 1.5,
        ..USUAL
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/photos/real")
}

fn score(photo: &RealPhoto) -> Result<Value, String> {
    let board = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/boards/{}.toml", photo.board));
    let mut command = Command::new(env!("CARGO_BIN_EXE_linecall"));
    command.arg("score").arg(folder().join(photo.name)).arg("--json").arg("--board").arg(board);
    if let Some(corners) = photo.corners {
        command.args(["--corners", corners]);
    }
    let output = command.output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(serde_json::from_slice(&output.stdout).unwrap())
}

/// A piece's colour and where its top is seen.
#[derive(Debug, Clone)]
struct Seen {
    colour: String,
    px: [f64; 2],
}

fn labels(photo: &RealPhoto) -> Vec<(Seen, bool)> {
    let path = folder().join(photo.name).with_extension("json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let discs = file["discs"].as_array().unwrap().iter().enumerate();
    let on_board = discs.filter(|(_, disc)| disc["where"].as_str().unwrap().starts_with("on_board"));
    on_board
        .map(|(number, disc)| {
            let colour = disc["colour"].as_str().unwrap();
            let colour = match disc["kind"].as_str().unwrap() {
                "striker" => "striker",
                _ if colour == "red" && !file["game"].as_str().unwrap().contains("shuffle") => "queen",
                _ => photo.colours.iter().find(|(label, _)| *label == colour).map_or(colour, |c| c.1),
            };
            let px = [disc["cx"].as_f64().unwrap(), disc["cy"].as_f64().unwrap()];
            let must_be_found = photo.left_out.iter().all(|(left_out, _)| *left_out != number);
            (Seen { colour: colour.to_owned(), px }, must_be_found)
        })
        .collect()
}

fn apart(a: &Seen, b: &Seen) -> f64 {
    (a.px[0] - b.px[0]).hypot(a.px[1] - b.px[1])
}

/// What is wrong with a photo's score, in words.
fn faults(photo: &RealPhoto) -> Vec<String> {
    let report = match score(photo) {
        Ok(report) => report,
        Err(error) => return vec![error],
    };
    let found: Vec<Seen> = report["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| Seen {
            colour: piece["colour"].as_str().unwrap().to_owned(),
            px: [0, 1].map(|i| piece["px"][i].as_f64().unwrap()),
        })
        .collect();
    let labels = labels(photo);
    let mut faults = Vec::new();
    let tolerance_px = |label: &Seen| match label.colour.as_str() {
        "black" | "queen" => photo.dark_tolerance_px,
        _ => photo.tolerance_px,
    };
    for (label, must_be_found) in &labels {
        match found.iter().min_by(|a, b| apart(label, a).total_cmp(&apart(label, b))) {
            Some(nearest) if apart(label, nearest) <= tolerance_px(label) => {
                if nearest.colour != label.colour {
                    faults.push(format!("{label:?} was taken for {}", nearest.colour));
                }
            }
            _ if !must_be_found => {}
            nearest => faults.push(format!("missed {label:?}, nearest {nearest:?}")),
        }
    }
    let is_labelled = |piece: &Seen| {
        labels.iter().any(|(label, _)| apart(label, piece) <= NEAR_TOLERANCES * tolerance_px(label))
    };
    let extras: Vec<&Seen> = found.iter().filter(|piece| !is_labelled(piece)).collect();
    if extras.len() > photo.extras {
        faults.push(format!("{} extras: {extras:?}", extras.len()));
    }
    faults
}

/// What lies further from every label is no labelled piece measured badly, but another thing.
const NEAR_TOLERANCES: f64 = 10.0;

#[test]
fn real_tables_are_scored_as_labelled() {
    if !folder().is_dir() {
        eprintln!("no real photos at {}: this test has nothing to look at", folder().display());
        return;
    }
    let photos = photos();
    let all: Vec<String> = std::thread::scope(|scope| {
        let work: Vec<_> =
            photos.iter().map(|photo| scope.spawn(move || (photo.name, faults(photo)))).collect();
        work.into_iter()
            .map(|done| done.join().unwrap())
            .flat_map(|(name, faults)| faults.into_iter().map(move |fault| format!("{name}: {fault}")))
            .collect()
    });
    assert!(all.is_empty(), "{}", all.join("\n"));
}
