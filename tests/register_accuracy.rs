//! How close the refined camera comes to the true one, on photos with truth.
//!
//! `LINECALL_PHOTOS=DIR cargo test --release register_accuracy -- --nocapture` prints the table
//! for other photos than the fixtures.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use linecall::{
    board::Board,
    camera::{Camera, Lens, Pose},
    capture::Picture,
    register::{CameraPrior, RefineOptions, Registration, refine},
};
use nalgebra::{Point3, Rotation3, Vector3};
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::truth::true_camera;

fn photo_directory() -> PathBuf {
    std::env::var_os("LINECALL_PHOTOS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos"), PathBuf::from)
}

/// Every truth file below the directory, in name order, with its photo.
fn photos() -> Vec<(PathBuf, Value)> {
    let mut found = Vec::new();
    let mut folders = vec![photo_directory()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("photo directory") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "json") {
                let truth: Value =
                    serde_json::from_str(&std::fs::read_to_string(&path).expect("text")).expect("JSON");
                if truth.get("intrinsics").is_some() {
                    found.push((path.with_extension("jpg"), truth));
                }
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    if std::env::var_os("LINECALL_PHOTOS").is_none() {
        // The last of a folder has pieces on the board; one of each keeps the suite quick.
        let mut last_of_folder = BTreeMap::new();
        for (path, truth) in found {
            last_of_folder.insert(path.parent().map(Path::to_path_buf), (path, truth));
        }
        return last_of_folder.into_values().collect();
    }
    found
}

/// A first camera as a coarse search would give it: an ideal lens with a focal length that is off
/// by up to a share, the camera moved so that the board stays about where it is.
fn coarse_camera(truth: &Camera, board: &Board, focal_share: f64, rng: &mut impl RngExt) -> Camera {
    let mut random = |size: f64| rng.random_range(-size..size);
    let focal = truth.lens.fx * (1.0 + random(focal_share));
    let scale = focal / truth.lens.fx;
    let axis_hit = truth
        .board_from_image(truth.lens.cx, truth.lens.cy, 0.0)
        .unwrap_or_else(|| nalgebra::center(&board.corners()[0], &board.corners()[2]));
    let hit = truth.pose.camera_from_board(Point3::new(axis_hit.x, axis_hit.y, 0.0));
    // Back the camera off along its axis by as much as the focal length grew, turn it a little
    // about the place it looks at, and shift that place by a few pixels.
    let turn = Rotation3::new(Vector3::new(random(0.02), random(0.02), random(0.01)));
    let shift_mm = 5.0 * hit.z / truth.lens.fx;
    let new_hit = Vector3::new(hit.x + random(shift_mm), hit.y + random(shift_mm), hit.z * scale);
    let rotation = turn * truth.pose.rotation;
    let translation = new_hit - rotation * Vector3::new(axis_hit.x, axis_hit.y, 0.0);
    Camera {
        image_size: truth.image_size,
        lens: Lens::ideal(focal, truth.image_size),
        pose: Pose { rotation, translation_mm: translation },
    }
}

#[derive(Default)]
struct Errors {
    /// Distance in mm and the same in standard deviations along x and y, a place.
    distance_mm: Vec<f64>,
    normalised: Vec<f64>,
    sigma_mm: Vec<f64>,
}

impl Errors {
    fn add(&mut self, truth: &Camera, found: &Registration, board: &Board, z_mm: f64) {
        let [w, h] = truth.image_size.map(f64::from);
        for i in 0..16 {
            for j in 0..10 {
                let (u, v) = ((i as f64 + 0.5) / 16.0 * w, (j as f64 + 0.5) / 10.0 * h);
                let Some(at) = truth.board_from_image(u, v, z_mm) else { continue };
                if at.x < 0.0 || at.y < 0.0 || at.x > board.surface.width_mm || at.y > board.surface.length_mm
                {
                    continue;
                }
                let got = found.camera.board_from_image(u, v, z_mm).expect("a place on the board");
                let covariance =
                    found.board_covariance_mm2(Point3::new(got.x, got.y, z_mm)).expect("covariance");
                let miss = got - at;
                self.distance_mm.push(miss.norm());
                self.sigma_mm.push((covariance.trace() / 2.0).sqrt());
                let whitened = covariance.try_inverse().expect("regular") * miss;
                self.normalised.push((miss.dot(&whitened) / 2.0).sqrt());
            }
        }
    }

    fn quantile(values: &[f64], q: f64) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * q).round() as usize]
    }

    fn row(&self) -> String {
        let rms = (self.normalised.iter().map(|n| n * n).sum::<f64>() / self.normalised.len() as f64).sqrt();
        format!(
            "{:.3} / {:.3} (sigma {:.3}, normalised {:.2})",
            Self::quantile(&self.distance_mm, 0.5),
            Self::quantile(&self.distance_mm, 0.95),
            Self::quantile(&self.sigma_mm, 0.5),
            rms
        )
    }
}

#[test]
fn refined_cameras_are_close_to_the_true_ones() {
    let verbose = std::env::var_os("LINECALL_VERBOSE").is_some();
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut table: BTreeMap<String, [Errors; 3]> = BTreeMap::new();
    let mut failures = Vec::new();
    let options = RefineOptions::default();
    for (photo, truth) in photos() {
        let board = Board::named_or_at(truth["board"].as_str().expect("board")).expect("shipped board");
        let camera = true_camera(&truth);
        let picture = Picture::new(image::open(&photo).expect("photo").to_rgb8());
        let height = camera.pose.centre_mm().z + 20.0 * rng.random_range(-1.0..1.0);
        let oblique = truth["calibration_image"].is_null();
        // From straight above a coarse search cannot know the focal length.
        let initial = coarse_camera(&camera, &board, if oblique { 0.1 } else { 0.3 }, &mut rng);
        let with_height =
            CameraPrior { height_mm: (!oblique).then_some((height, 20.0)), ..CameraPrior::default() };
        let start = std::time::Instant::now();
        let found = refine(&picture, &board, &initial, &with_height, &options);
        let took = start.elapsed();
        let unaided = refine(&picture, &board, &initial, &CameraPrior::default(), &options);
        let (found, unaided) = match (found, unaided) {
            (Ok(a), Ok(b)) => (a, b),
            (a, b) => {
                failures.push(format!("{}: {:?} {:?}", photo.display(), a.err(), b.err()));
                continue;
            }
        };
        let piece_mm = board.pieces.iter().map(|p| p.height_mm).fold(0.0, f64::max);
        let mut one = [Errors::default(), Errors::default(), Errors::default()];
        one[0].add(&camera, &found, &board, 0.0);
        one[1].add(&camera, &found, &board, piece_mm);
        one[2].add(&camera, &unaided, &board, piece_mm);
        if verbose {
            println!(
                "{} rms {:.3} px, {} edges, {:.0} ms, f {:+.2} % / {:+.2} %",
                photo.strip_prefix(photo_directory()).expect("below").display(),
                found.rms_px,
                found.edges,
                took.as_secs_f64() * 1e3,
                100.0 * (found.camera.lens.fx / camera.lens.fx - 1.0),
                100.0 * (unaided.camera.lens.fx / camera.lens.fx - 1.0),
            );
            println!("     {} | {} | {}", one[0].row(), one[1].row(), one[2].row());
        }
        let category = truth["category"].as_str().expect("category").to_owned();
        let errors = table.entry(category).or_default();
        for (all, one) in errors.iter_mut().zip(one) {
            all.distance_mm.extend(one.distance_mm);
            all.normalised.extend(one.normalised);
            all.sigma_mm.extend(one.sigma_mm);
        }
    }
    println!("category: z = 0 | piece height | piece height, camera's height not given (mm, median / 95 %)");
    for (category, errors) in &table {
        println!("{category}: {} | {} | {}", errors[0].row(), errors[1].row(), errors[2].row());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(!table.is_empty(), "no photos below {}", photo_directory().display());
    for (category, [surface, piece, _]) in &table {
        let worst = |errors: &Errors| Errors::quantile(&errors.distance_mm, 0.95);
        assert!(worst(surface) < 0.3, "{category}: {} on the surface", surface.row());
        assert!(worst(piece) < 0.35, "{category}: {} at piece height", piece.row());
    }
    let all: Vec<f64> = table.values().flatten().flat_map(|errors| errors.normalised.clone()).collect();
    assert!(Errors::quantile(&all, 0.95) < 2.0, "stated uncertainty is too small");
}
