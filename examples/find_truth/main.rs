//! Runs the search over photos with truth beside them and prints how far each found camera is off.
//!
//! `cargo run --release --example find_truth -- DIR… [--board ID] [--overlay DIR] [--verbose]
//! [--stress N]`: every photo below DIR with a `*.json` beside it that has `intrinsics` and
//! `extrinsics`. With `--board` that board is searched for
//! instead of the photo's own, to see what is wrongly found, and photos without truth are searched
//! too. With `--stress` every photo is seen N times by another camera from the same place (turned,
//! tilted, other lens and size), darkened, blurred, noisy and partly covered.

mod stress;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use image::{Rgb, RgbImage};
use linecall::{
    board::Board,
    camera::{Camera, Lens, Pose},
    capture::Picture,
    geometry::{Paint, Point},
    register::{FindOptions, FindTrace, find_board_with_trace},
};
use nalgebra::{Matrix3, Rotation3, Vector3};
use serde_json::Value;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut folders, mut board, mut overlay) = (Vec::new(), None, None);
    let (mut verbose, mut stress) = (false, 0u64);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--board" => board = arguments.next(),
            "--verbose" => verbose = true,
            "--stress" => stress = arguments.next().and_then(|n| n.parse().ok()).expect("a number"),
            "--overlay" => overlay = arguments.next().map(PathBuf::from),
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let mut files = Vec::new();
    for folder in &folders {
        collect(folder, &mut files);
    }
    files.sort();
    let mut by_category: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
    let cases = files.iter().filter_map(|file| case(file, board.as_deref()));
    let cases = cases.flat_map(|case| match stress {
        0 => vec![case],
        n => (0..n).filter_map(|seed| case.seen_otherwise(seed)).collect(),
    });
    for Case { label, category, picture, truth, board } in cases {
        let started = cpu_ms();
        let mut trace = FindTrace::default();
        let found = find_board_with_trace(&picture, &board, &FindOptions::default(), &mut trace);
        let elapsed_ms = cpu_ms() - started;
        let error = match &found {
            Ok(cameras) => {
                let error = truth.as_ref().map_or(f64::NAN, |truth| error_px(&cameras[0], truth, &board));
                let tilt = cameras[0].pose.rotation.matrix()[(2, 2)].abs().acos().to_degrees();
                println!(
                    "{label:40} {error:8.1} px {elapsed_ms:6.0} ms tilt {tilt:.0} ({} found)",
                    cameras.len()
                );
                Some(error)
            }
            Err(why) => {
                println!("{label:40} -------- {elapsed_ms:6.0} ms {why}");
                None
            }
        };
        if verbose {
            let times: Vec<String> =
                trace.times.iter().map(|(s, t)| format!("{s} {:.0}", t.as_secs_f64() * 1e3)).collect();
            println!(
                "    {} ms; {} edges, {} orientations, {} hypotheses",
                times.join(", "),
                trace.segments,
                trace.orientations,
                trace.hypotheses
            );
            println!("    coarse {:.0?}", trace.coarse_scores);
            for v in trace.verdicts.iter().take(3) {
                println!(
                    "    score {:.0} seen {:.2} chance {:.2} marks {}/{} outline {:.2} unexplained {:.2}",
                    v.score, v.seen, v.chance, v.marks_seen, v.marks_in_view, v.outline_seen, v.unexplained
                );
            }
        }
        if let Some(folder) = &overlay {
            std::fs::create_dir_all(folder).expect("a folder");
            let mut drawn = picture.rgb().clone();
            let shown = found.as_ref().ok().and_then(|cameras| cameras.first()).or(trace.best.as_ref());
            if let Some(camera) = shown {
                draw(&mut drawn, camera, &board);
            }
            let size = 1000.0 / f64::from(drawn.width());
            let small = image::imageops::thumbnail(&drawn, 1000, (f64::from(drawn.height()) * size) as u32);
            small.save(folder.join(format!("{}.png", label.replace('/', "_")))).expect("saved");
        }
        by_category.entry(category).or_default().push(error);
    }
    println!(
        "\n{:28} {:>6} {:>6} {:>6} {:>8} {:>8}",
        "category", "photos", "found", "<=10px", "median", "worst"
    );
    for (category, errors) in &by_category {
        let mut found: Vec<f64> = errors.iter().flatten().copied().collect();
        found.sort_by(f64::total_cmp);
        let right = found.iter().filter(|&&e| e <= 10.0).count();
        println!(
            "{category:28} {:6} {:6} {right:6} {:8.1} {:8.1}",
            errors.len(),
            found.len(),
            found.get(found.len() / 2).copied().unwrap_or(f64::NAN),
            found.last().copied().unwrap_or(f64::NAN)
        );
    }
}

/// Processor time of this thread so far (Linux; 0 elsewhere): other programs do not disturb it.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder").flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| e == "jpg" || e == "png") {
        files.push(path.to_owned());
    }
}

/// A photo to search, with its true camera where that is known.
struct Case {
    label: String,
    category: String,
    picture: Picture,
    truth: Option<Camera>,
    board: Board,
}

impl Case {
    fn seen_otherwise(&self, seed: u64) -> Option<Case> {
        let (photo, camera) = stress::another_view(self.picture.rgb(), &self.truth?, seed + 1);
        Some(Case {
            label: format!("{}-{seed}", self.label),
            category: self.category.clone(),
            picture: Picture::new(photo),
            truth: Some(camera),
            board: self.board.clone(),
        })
    }
}

fn case(photo: &Path, board: Option<&str>) -> Option<Case> {
    let truth = truth(&photo.with_extension("json"));
    let id = board.or(truth.as_ref().map(|(_, id)| id.as_str()))?;
    let name = |path: Option<&std::ffi::OsStr>| path.unwrap_or_default().to_string_lossy().to_string();
    let category = name(photo.parent().and_then(|p| p.file_name()));
    Some(Case {
        label: format!("{category}/{}", name(photo.file_stem())),
        category,
        picture: Picture::new(image::open(photo).expect("a photo").to_rgb8()),
        board: Board::named_or_at(id).unwrap_or_else(|error| panic!("{error}")),
        truth: truth.map(|(camera, _)| camera),
    })
}

fn truth(file: &Path) -> Option<(Camera, String)> {
    let json: Value = serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
    let lens = json.get("intrinsics")?;
    let number = |key: &str| lens.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let lens = Lens {
        fx: number("fx"),
        fy: number("fy"),
        cx: number("cx"),
        cy: number("cy"),
        k1: number("k1"),
        k2: number("k2"),
        p1: number("p1"),
        p2: number("p2"),
        k3: number("k3"),
    };
    let pose = json.get("extrinsics")?;
    let row = |i: usize, j: usize| pose["R"][i][j].as_f64().unwrap_or(0.0);
    let rotation = Rotation3::from_matrix_unchecked(Matrix3::from_fn(row));
    let translation_mm = Vector3::from_fn(|i, _| pose["t"][i].as_f64().unwrap_or(0.0));
    let image_size = [json["image_size"][0].as_u64()? as u32, json["image_size"][1].as_u64()? as u32];
    let camera = Camera { image_size, lens, pose: Pose { rotation, translation_mm } };
    Some((camera, json["board"].as_str()?.to_owned()))
}

/// Largest distance between found and true places of the board's visible line points, over the
/// turns of the board that look alike.
fn error_px(found: &Camera, truth: &Camera, board: &Board) -> f64 {
    let [width, height] = truth.image_size.map(f64::from);
    let points = points(board, true);
    let centre = Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0);
    let square = board.surface.width_mm == board.surface.length_mm;
    let turns: &[usize] = if square { &[0, 1, 2, 3] } else { &[0, 2] };
    turns
        .iter()
        .map(|&turn| {
            let turned = nalgebra::Rotation2::new(turn as f64 * std::f64::consts::FRAC_PI_2);
            points
                .iter()
                .filter_map(|p| {
                    let seen = truth.image_from_board(p.x, p.y, 0.0)?;
                    if seen.x < 0.0 || seen.y < 0.0 || seen.x >= width || seen.y >= height {
                        return None;
                    }
                    let q = centre + turned * (p - centre);
                    Some(found.image_from_board(q.x, q.y, 0.0).map_or(f64::INFINITY, |f| (f - seen).norm()))
                })
                .fold(0.0, f64::max)
        })
        .fold(f64::INFINITY, f64::min)
}

fn points(board: &Board, corners: bool) -> Vec<Point> {
    let mut points: Vec<Point> = if corners { board.corners().to_vec() } else { Vec::new() };
    for line in &board.lines {
        match line.paint {
            Paint::Stroke { from, to, .. } => {
                let steps = ((to - from).norm() / 4.0).ceil() as usize;
                points.extend((0..=steps).map(|i| from + (to - from) * (i as f64 / steps as f64)));
            }
            Paint::Ring { centre, radius_mm, .. } => points.extend((0..64).map(|i| {
                let (sin, cos) = (f64::from(i) / 64.0 * std::f64::consts::TAU).sin_cos();
                centre + nalgebra::Vector2::new(cos, sin) * radius_mm
            })),
            _ => {}
        }
    }
    points
}

fn draw(picture: &mut RgbImage, camera: &Camera, board: &Board) {
    let mut dots = points(board, false);
    let corners = board.corners();
    for i in 0..4 {
        let (a, b) = (corners[i], corners[(i + 1) % 4]);
        dots.extend((0..800).map(|k| a + (b - a) * (f64::from(k) / 800.0)));
    }
    let reach = (picture.width() / 1000 + 1) as i32;
    for p in dots {
        let Some(at) = camera.image_from_board(p.x, p.y, 0.0) else { continue };
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let (x, y) = (at.x.round() as i64 + i64::from(dx), at.y.round() as i64 + i64::from(dy));
                if x >= 0 && y >= 0 && x < i64::from(picture.width()) && y < i64::from(picture.height()) {
                    let colour =
                        if p.y > board.surface.length_mm / 2.0 { [0, 255, 0] } else { [255, 0, 255] };
                    picture.put_pixel(x as u32, y as u32, Rgb(colour));
                }
            }
        }
    }
}
