//! The fit on exact observations, and profiles on pictures whose edges are known.

use image::{Rgb, RgbImage};
use nalgebra::{Rotation3, Vector2, Vector3};

use super::{
    fit::Observation,
    profile::{Cut, Profile},
    *,
};
use crate::{
    camera::{CameraCovariance, Pose},
    capture::{srgb, weighted_light},
};

const SIZE: [u32; 2] = [1920, 1080];

fn board() -> Board {
    Board::named_or_at("carrom-court").expect("shipped")
}

/// Looks at the far end's diagram from `distance_mm`, tilted from straight above.
fn camera(focal_px: f64, distance_mm: f64, tilt_rad: f64) -> Camera {
    let quarter = Rotation3::new(Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let rotation = Rotation3::new(Vector3::new(tilt_rad, 0.02, 0.0))
        * quarter
        * Rotation3::new(Vector3::new(std::f64::consts::PI, 0.0, 0.0));
    let translation_mm = Vector3::new(10.0, -5.0, distance_mm) - rotation * Vector3::new(200.0, 1450.0, 0.0);
    let lens = Lens { cx: 955.0, cy: 542.0, k1: 0.03, k2: 0.005, ..Lens::ideal(focal_px, SIZE) };
    Camera { image_size: SIZE, lens, pose: Pose { rotation, translation_mm } }
}

/// What the cameras would see, with errors of a few hundredths of a pixel that repeat in every run.
fn seen_by(cameras: &[Camera], board: &Board) -> Vec<Observation> {
    let blank = Picture::new(RgbImage::new(SIZE[0], SIZE[1]));
    let views: Vec<View> = (0..cameras.len()).map(|pose| View { picture: &blank, pose }).collect();
    let mut all = look::expected(&views, board, cameras, &RefineOptions::default());
    for (i, observation) in all.iter_mut().enumerate() {
        observation.seen += observation.across * (0.05 * (i as f64 * 2.399).sin());
    }
    all
}

fn fitted(
    start: &[Camera],
    observations: &[Observation],
    heights_mm: &[Option<(f64, f64)>],
) -> (Vec<Camera>, Vec<CameraCovariance>) {
    let board = board();
    let options = RefineOptions::default();
    let priors = priors_of(start, heights_mm, None, &options);
    let mut fit = Fit::start(start.to_vec(), groups_of(&board, &[], start, &options));
    let fit_options = fit_options_of(&options);
    let covariances = |fit: &mut Fit| fit::covariances(fit, observations, start, &priors, &fit_options);
    fit::solve(&mut fit, observations, start, &priors, false, 3, &fit_options).expect("solved");
    fit::solve(&mut fit, observations, start, &priors, true, 8, &fit_options).expect("solved");
    let found = covariances(&mut fit).expect("regular");
    (fit.cameras, found)
}

/// Largest error of a place on the surface in view, mm.
fn worst_error_mm(truth: &Camera, found: &Camera) -> f64 {
    surface_in_view(&board(), truth)
        .into_iter()
        .filter_map(|p| {
            let seen = truth.image_from_board(p.x, p.y, 0.0)?;
            Some((found.board_from_image(seen.x, seen.y, 0.0)? - p).norm())
        })
        .fold(0.0, f64::max)
}

fn focal_sigma(camera: &Camera, covariance: &CameraCovariance) -> f64 {
    covariance[(0, 0)].sqrt() / camera.lens.fx
}

#[test]
fn from_straight_above_the_focal_length_stays_open_until_the_height_is_given() {
    let truth = camera(3000.0, 1800.0, 0.0);
    let observations = seen_by(&[truth], &board());
    let start = with_lens(&truth, Lens::ideal(2700.0, SIZE));
    let (cameras, covariances) = fitted(&[start], &observations, &[None]);
    assert!(worst_error_mm(&truth, &cameras[0]) < 0.2);
    assert!(focal_sigma(&cameras[0], &covariances[0]) > 0.03, "the focal length cannot be known");

    let height_mm = truth.pose.centre_mm().z;
    let (cameras, covariances) = fitted(&[start], &observations, &[Some((height_mm, 10.0))]);
    assert!((cameras[0].lens.fx / 3000.0 - 1.0).abs() < 0.015, "{}", cameras[0].lens.fx);
    assert!(focal_sigma(&cameras[0], &covariances[0]) < 0.015);
}

#[test]
fn a_tilted_photo_of_the_same_camera_gives_the_focal_length() {
    let truth = [camera(3000.0, 1800.0, 0.0), camera(3000.0, 1700.0, 0.6)];
    let observations = seen_by(&truth, &board());
    let start = truth.map(|camera| with_lens(&camera, Lens::ideal(2700.0, SIZE)));
    let (cameras, covariances) = fitted(&start, &observations, &[None, None]);
    assert_eq!(cameras[0].lens, cameras[1].lens);
    assert!((cameras[0].lens.fx / 3000.0 - 1.0).abs() < 0.02, "{}", cameras[0].lens.fx);
    assert!(focal_sigma(&cameras[0], &covariances[0]) < 0.02);
    assert!(worst_error_mm(&truth[0], &cameras[0]) < 0.2);
}

#[test]
fn a_line_painted_beside_its_drawing_does_not_drag_the_camera() {
    let truth = camera(3000.0, 1800.0, 0.0);
    let mut observations = seen_by(&[truth], &board());
    let wrong = board().lines.iter().position(|line| line.name == "cross-8").expect("a line");
    let px_per_mm = 1.0 / truth.mm_per_px(crate::geometry::Point::new(200.0, 1540.0)).expect("in view");
    for observation in observations.iter_mut().filter(|o| o.group == wrong) {
        observation.seen += observation.across * px_per_mm;
    }
    let height_mm = truth.pose.centre_mm().z;
    let (cameras, _) = fitted(&[truth], &observations, &[Some((height_mm, 10.0))]);
    let middle = truth.image_from_board(200.0, 1500.0, 0.0).expect("in view");
    let moved = cameras[0].board_from_image(middle.x, middle.y, 0.0).expect("on the board");
    let miss_mm = (moved - crate::geometry::Point::new(200.0, 1500.0)).norm();
    assert!(miss_mm < 0.1, "a line that is 1 mm off moved the board by {miss_mm:.2} mm");
}

/// Surface at 0.5 of full light with a line of 0.1 between two places, each pixel the mean over
/// its area; the line runs from top to bottom.
fn striped(from: f64, to: f64) -> Picture {
    Picture::new(RgbImage::from_fn(120, 60, |x, _| {
        let (left, right) = (f64::from(x) - 0.5, f64::from(x) + 0.5);
        let covered = (right.min(to) - left.max(from)).max(0.0);
        let value = srgb::encoded_byte(0.5 - 0.4 * covered);
        Rgb([value, value, value])
    }))
}

const GREY: [f32; 3] = [1.0 / 3.0; 3];

fn across(picture: &Picture, centre: f64, width_px: f64, search_px: f64) -> Option<profile::Crossing> {
    let cut = Cut { centre: Pixel::new(centre, 30.0), across: Vector2::x(), width_px };
    Profile::default().find_paint(picture, &cut, &weighted_light(GREY), search_px, &ProfileOptions::default())
}

/// These edges are sharper than any lens makes them, so where a pixel's border falls matters: by up
/// to a tenth of a pixel at one place, not at all over the places of a line.
#[test]
fn the_middle_of_a_line_is_found_to_a_fraction_of_a_pixel() {
    const PLACES: u32 = 8;
    for width in [3.3, 5.0, 7.4] {
        let mut sum = 0.0;
        for place in 0..PLACES {
            let middle = 60.0 + f64::from(place) / f64::from(PLACES);
            let picture = striped(middle - width / 2.0, middle + width / 2.0);
            let seen = across(&picture, 56.0, width, 10.0).expect("paint").middle_px() + 56.0;
            assert!((seen - middle).abs() < 0.1, "{width} px wide at {middle}: found at {seen:.3}");
            sum += seen - middle;
        }
        let mean = sum / f64::from(PLACES);
        assert!(mean.abs() < 0.01, "{width} px wide: {mean:.3} px off on average");
    }
}

#[test]
fn what_does_not_look_like_the_line_is_left_out() {
    // Nothing, an edge with no other side, and something four times as wide.
    assert_eq!(across(&striped(200.0, 201.0), 60.0, 5.0, 8.0), None);
    assert_eq!(across(&striped(60.0, 200.0), 60.0, 5.0, 8.0), None);
    assert_eq!(across(&striped(50.0, 70.0), 60.0, 5.0, 4.0), None);
}

#[test]
fn a_rough_board_file_frees_its_lines_and_rails() {
    let options = RefineOptions::default();
    let drawn = options.for_board(&board());
    assert_eq!(drawn, options);
    let rough = options.for_board(&Board { accuracy_mm: 4.0, ..board() });
    assert!(rough.paint_offset_mm > 4.0 && rough.outline.offset_mm > 4.0);
}

/// Lines lie a hundred millimetres apart: a board that lies as far off shows paint at one of its three lines.
#[test]
fn a_board_whose_lines_were_taken_for_others_is_refused() {
    let photo =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos/longboard-overhead/001.jpg");
    let truth = crate::evaluate::Truth::load(&photo.with_extension("json")).expect("truth");
    let board = Board::named_or_at(&truth.board).expect("shipped");
    let picture = crate::capture::load_photo(&photo, &Default::default()).expect("photo");
    for off_mm in [100.0, -100.0] {
        let mut off = truth.camera();
        off.pose.translation_mm += off.pose.rotation * Vector3::new(0.0, off_mm, 0.0);
        let refined =
            |options: &RefineOptions| refine(&picture, &board, &off, &CameraPrior::default(), options);
        let lenient = RefineOptions { most_missing: 1.0, ..RefineOptions::default() };
        assert!(refined(&lenient).is_ok(), "the line that shows and the rails agree with it");
        let refused = refined(&RefineOptions::default()).expect_err("two of three lines are missing");
        assert!(refused.to_string().contains("foul"), "{refused}");
    }
}
