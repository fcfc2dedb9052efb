//! The camera there and back, its derivatives, and OpenCV's camera beside it.

use std::path::Path;

use nalgebra::SVector;
use opencv::{
    calib3d,
    core::{Mat, Point2d, Point3d, Vector as CvVector},
};
use proptest::prelude::*;

use super::*;

const SIZE: [u32; 2] = [1920, 1080];

fn lens(focal_px: f64, distortion: [f64; 5]) -> Lens {
    let [k1, k2, p1, p2, k3] = distortion;
    Lens { cx: 951.3, cy: 544.8, k1, k2, p1, p2, k3, ..Lens::ideal(focal_px, SIZE) }
}

/// From a telephoto lens to a wide one with strong barrel distortion; every one of them images a
/// ray at every pixel.
fn lenses() -> Vec<Lens> {
    vec![
        lens(3300.0, [0.0; 5]),
        lens(3286.0, [0.0321, 0.0075, -0.00037, 0.00058, 0.0]),
        lens(1500.0, [-0.1, 0.02, 0.0005, -0.0003, 0.001]),
        lens(1000.0, [-0.30, 0.11, 0.001, 0.0007, -0.016]),
        lens(900.0, [0.25, 0.12, -0.001, 0.0006, 0.02]),
        lens(1100.0, [-0.36, 0.16, 0.0, 0.0, -0.02]),
    ]
}

/// Overhead, tilted by 25 degrees, tilted by 45 degrees; all look at a place of the board.
fn poses() -> Vec<Pose> {
    [(0.02, 1800.0), (0.44, 900.0), (0.78, 1100.0)]
        .map(|(tilt, distance_mm)| {
            let turn = Rotation3::new(Vector3::new(0.0, 0.0, 0.3));
            let rotation = turn * Rotation3::new(Vector3::new(std::f64::consts::PI - tilt, 0.0, 0.0));
            let target = Vector3::new(210.0, 1400.0, 0.0);
            Pose { rotation, translation_mm: Vector3::new(0.0, 0.0, distance_mm) - rotation * target }
        })
        .to_vec()
}

fn cameras() -> Vec<Camera> {
    let all = |lens: &Lens| {
        poses().into_iter().map(|pose| Camera { image_size: SIZE, lens: *lens, pose }).collect::<Vec<_>>()
    };
    lenses().iter().flat_map(all).collect()
}

#[test]
fn every_pixel_goes_to_the_board_and_back() {
    for camera in cameras() {
        for z_mm in [0.0, 12.0, 22.0] {
            for i in 0..=24 {
                for j in 0..=16 {
                    let u = f64::from(SIZE[0] - 1) * f64::from(i) / 24.0;
                    let v = f64::from(SIZE[1] - 1) * f64::from(j) / 16.0;
                    let Some(p) = camera.board_from_image(u, v, z_mm) else {
                        // Only a ray that rises above the horizon may miss the board.
                        let (x, y) = camera.lens.ray_from_pixel(u, v).expect("every pixel has a ray");
                        let ray = camera.pose.rotation.inverse() * Vector3::new(x, y, 1.0);
                        assert!(ray.z >= 0.0, "{camera:?} loses ({u}, {v})");
                        continue;
                    };
                    let back = camera.image_from_board(p.x, p.y, z_mm).expect("seen");
                    let miss = (back - Pixel::new(u, v)).norm();
                    assert!(miss < 1e-6, "({u}, {v}) comes back {miss} px off in {camera:?}");
                }
            }
        }
    }
}

#[test]
fn pixels_are_those_of_opencv() {
    for camera in cameras() {
        let mut points = Vec::new();
        for i in 0..12 {
            for j in 0..8 {
                let at = (f64::from(i) * 170.0, f64::from(j) * 150.0);
                if let Some(p) = camera.board_from_image(at.0, at.1, 5.0) {
                    points.push(Point3::new(p.x, p.y, 5.0));
                }
            }
        }
        let Lens { fx, fy, cx, cy, k1, k2, p1, p2, k3 } = camera.lens;
        let object: CvVector<Point3d> = points.iter().map(|p| Point3d::new(p.x, p.y, p.z)).collect();
        let rotation: CvVector<f64> = camera.pose.rotation.scaled_axis().iter().copied().collect();
        let translation: CvVector<f64> = camera.pose.translation_mm.iter().copied().collect();
        let matrix = Mat::from_slice_2d(&[[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]).unwrap();
        let distortion: CvVector<f64> = [k1, k2, p1, p2, k3].into_iter().collect();
        let mut seen = CvVector::<Point2d>::new();
        calib3d::project_points_def(&object, &rotation, &translation, &matrix, &distortion, &mut seen)
            .unwrap();
        for (p, theirs) in points.iter().zip(seen.iter()) {
            let ours = camera.image_from_board(p.x, p.y, p.z).expect("seen");
            let miss = (ours - Pixel::new(theirs.x, theirs.y)).norm();
            assert!(miss < 1e-6, "{p} is {miss} px from where OpenCV has it");
        }
    }
}

#[test]
fn derivatives_are_those_of_finite_differences() {
    /// Steps that move a pixel by about a thousandth.
    const STEPS: [f64; CAMERA_PARAMETERS] =
        [1e-3, 1e-3, 1e-3, 1e-3, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-3];
    for camera in cameras() {
        for (u, v) in [(300.0, 200.0), (960.0, 900.0), (1700.0, 800.0)] {
            let Some(p) = camera.board_from_image(u, v, 12.0) else { continue };
            let at = Point3::new(p.x, p.y, 12.0);
            let projection = camera.project(at).expect("seen");
            assert!((projection.pixel - Pixel::new(u, v)).norm() < 1e-6);
            for (i, size) in STEPS.into_iter().enumerate() {
                let mut step = SVector::<f64, CAMERA_PARAMETERS>::zeros();
                step[i] = size;
                let ahead = camera.stepped(&step).project(at).expect("seen").pixel;
                let behind = camera.stepped(&-step).project(at).expect("seen").pixel;
                let slope = (ahead - behind) / (2.0 * size);
                let miss = (slope - projection.by_parameters.column(i)).norm();
                assert!(miss < 1e-4 * (1.0 + slope.norm()), "parameter {i}: {miss} of {}", slope.norm());
            }
            for i in 0..3 {
                let mut step = Vector3::zeros();
                step[i] = 1e-3;
                let ahead = camera.project(at + step).expect("seen").pixel;
                let behind = camera.project(at - step).expect("seen").pixel;
                let slope = (ahead - behind) / 2e-3;
                let miss = (slope - projection.by_point.column(i)).norm();
                assert!(miss < 1e-5 * (1.0 + slope.norm()), "coordinate {i}: {miss}");
            }
        }
    }
}

#[test]
fn board_covariance_follows_a_small_change_of_the_camera() {
    let camera = cameras()[4];
    let step = SVector::<f64, CAMERA_PARAMETERS>::from_fn(|i, _| 1e-4 * (1.0 + i as f64) / 15.0 * 1e-2);
    let covariance: CameraCovariance = step * step.transpose();
    let at = Point3::new(260.0, 1350.0, 9.0);
    let seen = camera.project(at).expect("seen").pixel;
    let moved = camera.stepped(&step).board_from_image(seen.x, seen.y, 9.0).expect("on the board");
    let change = moved - at.xy();
    let expected = change * change.transpose();
    let found = camera.board_covariance_mm2(at, &covariance).expect("seen");
    assert!((found - expected).norm() < 1e-3 * expected.norm(), "{found} is not {expected}");
}

#[test]
fn a_point_behind_the_camera_is_not_seen() {
    let camera = cameras()[0];
    let above = camera.pose.centre_mm().z + 100.0;
    assert_eq!(camera.image_from_board(210.0, 1400.0, above), None);
}

#[test]
fn a_lens_that_folds_back_images_nothing_beyond() {
    let folding = lens(700.0, [-0.4, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(folding.pixel_from_ray(1.5, 0.0), None);
    assert_eq!(folding.ray_from_pixel(1e5, 0.0), None);
}

proptest! {
    #[test]
    fn any_lens_gives_pixels_back(
        focal in 700.0..4000.0, k1 in -0.2..0.3, k2 in -0.05..0.1, p1 in -0.002..0.002,
        p2 in -0.002..0.002, x in -0.5..0.5, y in -0.4..0.4,
    ) {
        let lens = lens(focal, [k1, k2, p1, p2, 0.0]);
        if let Some(pixel) = lens.pixel_from_ray(x, y) {
            let (rx, ry) = lens.ray_from_pixel(pixel.x, pixel.y).expect("a pixel that was seen has a ray");
            let back = lens.pixel_from_ray(rx, ry).expect("seen");
            prop_assert!((back - pixel).norm() < 1e-6);
        }
    }
}

fn camera_file() -> CameraFile {
    let spread = SVector::<f64, CAMERA_PARAMETERS>::from_fn(|i, _| 1e-3 / (1.0 + i as f64));
    CameraFile {
        board: "carrom-court".into(),
        camera: cameras()[5],
        covariance: CameraCovariance::from_diagonal(&spread) + spread * spread.transpose(),
        quality: CameraQuality {
            rms_px: 0.041,
            edges: 1310,
            worst_sigma_mm: 0.05,
            worst_piece_sigma_mm: 0.06,
        },
        origin: CameraOrigin {
            method: CameraMethod::Lines,
            photos: vec!["empty \"one\".jpg".into(), "ü.jpg".into()],
            height_mm: Some(1790.0),
            height_sigma_mm: Some(10.0),
            lens_file: None,
            made_at: "2026-05-01T12:00:00.123456789Z".parse().unwrap(),
            program: PROGRAM.into(),
        },
    }
}

#[test]
fn camera_files_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("camera.toml");
    let file = camera_file();
    file.save(&path).unwrap();
    let back = CameraFile::load(&path).unwrap();
    assert_eq!(back.origin, file.origin);
    assert_eq!(back.quality, file.quality);
    assert_eq!(back.covariance, file.covariance);
    assert_eq!(back.camera.lens, file.camera.lens);
    // A rotation is written as axis times angle: equal to rounding.
    let turned = back.camera.pose.rotation.angle_to(&file.camera.pose.rotation);
    assert!(turned < 1e-14, "turned by {turned}");
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["camera.toml"], "nothing else may be left behind");
}

#[test]
fn a_failed_write_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("camera.toml");
    // A directory of that name cannot be replaced by a file.
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("kept"), "kept").unwrap();
    let error = camera_file().save(&path).unwrap_err();
    assert!(error.to_string().contains("cannot write"), "{error}");
    assert_eq!(std::fs::read_to_string(path.join("kept")).unwrap(), "kept");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_wrong_camera_file_names_every_fault_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("camera.toml");
    camera_file().save(&path).unwrap();
    let good = std::fs::read_to_string(&path).unwrap();
    let wrong = good
        .replace("edges = 1310", "edges = -3")
        .replace("method = \"lines\"", "method = \"magic\"")
        .replace("board = \"carrom-court\"", "bord = \"carrom-court\"");
    let fx_line = wrong.lines().position(|line| line.starts_with("fx")).unwrap();
    let wrong: Vec<_> =
        wrong.lines().enumerate().map(|(i, line)| if i == fx_line { "fx = nan" } else { line }).collect();
    let error = CameraFile::parse(&wrong.join("\n"), Path::new("c.toml")).unwrap_err().to_string();
    let line = |start: &str| wrong.iter().position(|line| line.starts_with(start)).unwrap() + 1;
    for expected in [
        format!("c.toml:{}: quality.edges is -3, expected a whole number, 0 or above", line("edges")),
        format!(
            "c.toml:{}: origin.method is \"magic\", expected \"lines\", \"corners\" or \"tags\"",
            line("method")
        ),
        format!("c.toml:{}: lens.fx is nan, expected a number above 0", fx_line + 1),
        "board is missing, expected a text".into(),
        format!("c.toml:{}: unknown field bord", line("bord")),
    ] {
        assert!(error.contains(&expected), "{expected:?} is not in:\n{error}");
    }
    let cut = CameraFile::parse("board = \"carrom", Path::new("c.toml")).unwrap_err().to_string();
    assert!(cut.contains("c.toml:1: "), "{cut}");
}

#[test]
fn mutated_camera_files_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("camera.toml");
    camera_file().save(&path).unwrap();
    let good = std::fs::read(&path).unwrap();
    let mut seed = 7_u64;
    for _ in 0..200 {
        let mut bytes = good.clone();
        for _ in 0..4 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let at = (seed >> 20) as usize % bytes.len();
            bytes[at] = (seed >> 52) as u8;
        }
        // Whether it is still a camera file or not: an answer, never a panic.
        let _ = CameraFile::parse(&String::from_utf8_lossy(&bytes), &path);
    }
}
