//! A lens alone, from photos of a chessboard or ChArUco pattern, by OpenCV's calibration.

use image::GrayImage;
use jiff::Timestamp;
use opencv::{
    calib3d,
    core::{Mat, Point2f, Point3f, Size, TermCriteria, TermCriteria_COUNT, TermCriteria_EPS, Vector},
    prelude::*,
};

use crate::{
    camera::{Lens, LensFile, LensPhoto, PROGRAM, Pixel},
    capture::Picture,
    register::markers::{self, CharucoPattern},
};

/// What was photographed.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// A chessboard by its inner corners, across and down.
    Chessboard { corners: [u32; 2], square_mm: f64 },
    /// A ChArUco board by its squares, across and down.
    Charuco { squares: [u32; 2], square_mm: f64, marker_mm: f64, family: String },
}

/// Why there is no lens file.
#[derive(Debug, thiserror::Error)]
pub enum LensError {
    #[error("the photos have different sizes, {first} and {other} pixels: give photos of one camera")]
    Sizes { first: String, other: String },
    #[error(
        "the pattern was seen in {seen} of {photos} photos, at least {MIN_PHOTOS} are needed: photograph all \
         of it, flat, sharp, from several angles"
    )]
    TooFew { seen: usize, photos: usize },
    #[error("the marker family {name:?} is unknown, expected {known}")]
    Family { name: String, known: String },
    #[error("OpenCV could not calibrate: {0}")]
    OpenCv(#[from] opencv::Error),
}

/// Photos of the pattern that a lens needs.
const MIN_PHOTOS: usize = 3;
/// Corners of the pattern that a photo needs.
const MIN_CORNERS: usize = 6;
/// When corner refinement and calibration stop: steps, and change.
const STEPS: i32 = 100;
const CHANGE: f64 = 1e-7;
/// Half the window in which a chessboard corner is refined, as a share of a square in the picture,
/// and its limits in pixels.
const WINDOW_SHARE: f64 = 0.25;
const WINDOW_PX: [f64; 2] = [3.0, 15.0];

/// Corners of the pattern in one photo: where they are on the pattern and in the picture.
type Seen = Vec<(Point3f, Point2f)>;

/// Calibrates the lens (focal lengths, principal point, k1 k2 p1 p2 k3) from photos with names.
/// `progress` is told after each photo.
pub fn calibrate_lens(
    photos: &[(String, Picture)],
    pattern: &Pattern,
    progress: impl Fn(),
) -> Result<LensFile, LensError> {
    let size = common_size(photos)?;
    let mut seen: Vec<Seen> = Vec::new();
    for (_, picture) in photos {
        let grey = image::imageops::grayscale(picture.rgb());
        let corners = find_pattern(&grey, pattern)?;
        seen.push(if corners.len() >= MIN_CORNERS { corners } else { Vec::new() });
        progress();
    }
    let used = seen.iter().filter(|corners| !corners.is_empty()).count();
    if used < MIN_PHOTOS {
        return Err(LensError::TooFew { seen: used, photos: photos.len() });
    }
    let fitted = fit(&seen, size)?;
    let mut residuals = fitted.photo_rms_px.iter().copied();
    let photo_uses = photos
        .iter()
        .zip(&seen)
        .map(|((photo, _), corners)| LensPhoto {
            photo: photo.clone(),
            corners: corners.len(),
            rms_px: if corners.is_empty() { None } else { residuals.next() },
        })
        .collect();
    Ok(LensFile {
        image_size: size,
        rms_px: fitted.rms_px,
        made_at: Timestamp::now(),
        program: PROGRAM.into(),
        pattern: words_of(pattern),
        lens: fitted.lens,
        sigma: fitted.sigma,
        photos: photo_uses,
    })
}

fn common_size(photos: &[(String, Picture)]) -> Result<[u32; 2], LensError> {
    let Some((_, first)) = photos.first() else { return Err(LensError::TooFew { seen: 0, photos: 0 }) };
    let words = |[w, h]: [u32; 2]| format!("{w} x {h}");
    match photos.iter().find(|(_, picture)| picture.size() != first.size()) {
        None => Ok(first.size()),
        Some((_, other)) => Err(LensError::Sizes { first: words(first.size()), other: words(other.size()) }),
    }
}

fn words_of(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Chessboard { corners: [a, b], square_mm } => {
            format!("chessboard with {a} x {b} inner corners, squares of {square_mm} mm")
        }
        Pattern::Charuco { squares: [a, b], square_mm, marker_mm, family } => format!(
            "ChArUco board of {a} x {b} squares of {square_mm} mm, markers {family} of {marker_mm} mm"
        ),
    }
}

fn find_pattern(grey: &GrayImage, pattern: &Pattern) -> Result<Seen, LensError> {
    match pattern {
        Pattern::Chessboard { corners, square_mm } => Ok(find_chessboard(grey, *corners, *square_mm)?),
        Pattern::Charuco { squares, square_mm, marker_mm, family } => {
            let number = markers::family_number(family)
                .ok_or_else(|| LensError::Family { name: family.clone(), known: markers::family_names() })?;
            let charuco = CharucoPattern {
                squares: *squares,
                square_mm: *square_mm,
                marker_mm: *marker_mm,
                family: number,
            };
            let across = squares[0].saturating_sub(1).max(1) as usize;
            let place = |id: usize| on_pattern(id % across, id / across, *square_mm);
            let found = markers::find_charuco(grey, &charuco)?;
            Ok(found.into_iter().map(|(id, p)| (place(id), in_picture(p))).collect())
        }
    }
}

fn on_pattern(column: usize, row: usize, square_mm: f64) -> Point3f {
    Point3f::new((column as f64 * square_mm) as f32, (row as f64 * square_mm) as f32, 0.0)
}

fn in_picture(p: Pixel) -> Point2f {
    Point2f::new(p.x as f32, p.y as f32)
}

fn find_chessboard(grey: &GrayImage, corners: [u32; 2], square_mm: f64) -> opencv::Result<Seen> {
    let picture = markers::mat_of(grey)?;
    let [across, down] = corners.map(|n| n as i32);
    let mut found = Vector::<Point2f>::new();
    let flags =
        calib3d::CALIB_CB_ADAPTIVE_THRESH | calib3d::CALIB_CB_NORMALIZE_IMAGE | calib3d::CALIB_CB_FAST_CHECK;
    if !calib3d::find_chessboard_corners(&picture, Size::new(across, down), &mut found, flags)? {
        return Ok(Vec::new());
    }
    let (first, second) = (found.get(0)?, found.get(1)?);
    let square_px = f64::from((first.x - second.x).hypot(first.y - second.y));
    let window = (square_px * WINDOW_SHARE).clamp(WINDOW_PX[0], WINDOW_PX[1]) as i32;
    opencv::imgproc::corner_sub_pix(
        &picture,
        &mut found,
        Size::new(window, window),
        Size::new(-1, -1),
        stop()?,
    )?;
    let columns = corners[0] as usize;
    let place = |i: usize| on_pattern(i % columns, i / columns, square_mm);
    Ok(found.iter().enumerate().map(|(i, p)| (place(i), p)).collect())
}

fn stop() -> opencv::Result<TermCriteria> {
    TermCriteria::new(TermCriteria_COUNT + TermCriteria_EPS, STEPS, CHANGE)
}

struct Fitted {
    rms_px: f64,
    lens: Lens,
    sigma: Lens,
    /// A photo in which the pattern was seen.
    photo_rms_px: Vec<f64>,
}

fn fit(seen: &[Seen], [width, height]: [u32; 2]) -> opencv::Result<Fitted> {
    let used = || seen.iter().filter(|corners| !corners.is_empty());
    let on_pattern: Vector<Vector<Point3f>> =
        used().map(|corners| corners.iter().map(|(p, _)| *p).collect()).collect();
    let in_picture: Vector<Vector<Point2f>> =
        used().map(|corners| corners.iter().map(|(_, p)| *p).collect()).collect();
    let (mut matrix, mut distortion) = (Mat::default(), Mat::default());
    let (mut rotations, mut translations) = (Mat::default(), Mat::default());
    let (mut sigmas, mut pose_sigmas, mut per_photo) = (Mat::default(), Mat::default(), Mat::default());
    let rms_px = calib3d::calibrate_camera_extended(
        &on_pattern,
        &in_picture,
        Size::new(width as i32, height as i32),
        &mut matrix,
        &mut distortion,
        &mut rotations,
        &mut translations,
        &mut sigmas,
        &mut pose_sigmas,
        &mut per_photo,
        0,
        stop()?,
    )?;
    let [fx, fy] = [*matrix.at_2d::<f64>(0, 0)?, *matrix.at_2d::<f64>(1, 1)?];
    let [cx, cy] = [*matrix.at_2d::<f64>(0, 2)?, *matrix.at_2d::<f64>(1, 2)?];
    let k: Vec<f64> = distortion.data_typed::<f64>()?.to_vec();
    let s: Vec<f64> = sigmas.data_typed::<f64>()?.to_vec();
    let lens_of = |f: [f64; 2], c: [f64; 2], k: &[f64]| Lens {
        fx: f[0],
        fy: f[1],
        cx: c[0],
        cy: c[1],
        k1: k[0],
        k2: k[1],
        p1: k[2],
        p2: k[3],
        k3: k[4],
    };
    if k.len() < 5 || s.len() < 9 {
        return Err(opencv::Error::new(opencv::core::StsBadSize, "too few lens numbers".to_string()));
    }
    Ok(Fitted {
        rms_px,
        lens: lens_of([fx, fy], [cx, cy], &k),
        sigma: lens_of([s[0], s[1]], [s[2], s[3]], &s[4..]),
        photo_rms_px: per_photo.data_typed::<f64>()?.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};
    use nalgebra::{Rotation3, Vector3};

    use super::*;
    use crate::camera::{Camera, Pose};

    const CORNERS: [u32; 2] = [9, 6];
    const SQUARE_MM: f64 = 25.0;

    /// A chessboard with one square of white margin, each pixel the mean of four rays.
    fn photograph(lens: Lens, size: [u32; 2], tilt: Vector3<f64>, distance_mm: f64) -> Picture {
        let rotation = Rotation3::new(tilt);
        let middle = Vector3::new(4.0 * SQUARE_MM, 2.5 * SQUARE_MM, 0.0);
        let translation_mm = Vector3::new(0.0, 0.0, distance_mm) - rotation * middle;
        let camera = Camera { image_size: size, lens, pose: Pose { rotation, translation_mm } };
        let shade = |u: f64, v: f64| {
            let Some(p) = camera.board_from_image(u, v, 0.0) else { return 128.0 };
            let (i, j) = ((p.x / SQUARE_MM).floor(), (p.y / SQUARE_MM).floor());
            let inside =
                (-1.0..f64::from(CORNERS[0])).contains(&i) && (-1.0..f64::from(CORNERS[1])).contains(&j);
            let paper =
                (-2.0..=f64::from(CORNERS[0])).contains(&i) && (-2.0..=f64::from(CORNERS[1])).contains(&j);
            match (inside, paper) {
                (true, _) if (i + j).rem_euclid(2.0) == 0.0 => 30.0,
                (_, true) => 220.0,
                _ => 128.0,
            }
        };
        Picture::new(RgbImage::from_fn(size[0], size[1], |x, y| {
            let mut sum = 0.0;
            for (a, b) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
                sum += shade(f64::from(x) + a, f64::from(y) + b);
            }
            let value = (sum / 4.0) as u8;
            Rgb([value, value, value])
        }))
    }

    #[test]
    fn a_chessboard_gives_the_lens_back() {
        let size = [640, 480];
        let truth = Lens { cx: 325.0, cy: 236.0, k1: -0.2, k2: 0.05, ..Lens::ideal(560.0, size) };
        let tilts = [(0.0, 0.0), (0.5, 0.1), (-0.5, 0.2), (0.1, 0.55), (0.2, -0.5), (-0.35, -0.35)];
        let mut photos: Vec<(String, Picture)> = tilts
            .iter()
            .enumerate()
            .map(|(i, &(a, b))| {
                let tilt = Vector3::new(a, b, 0.1 * i as f64);
                (format!("{i}.png"), photograph(truth, size, tilt, 330.0))
            })
            .collect();
        photos.push(("blank.png".into(), Picture::new(RgbImage::new(size[0], size[1]))));
        let pattern = Pattern::Chessboard { corners: CORNERS, square_mm: SQUARE_MM };
        let file = calibrate_lens(&photos, &pattern, || ()).expect("calibrated");
        assert!(file.rms_px < 0.15, "residual {}", file.rms_px);
        assert!((file.lens.fx - 560.0).abs() < 5.0 * file.sigma.fx.max(0.3), "fx {}", file.lens.fx);
        assert!((file.lens.fx / 560.0 - 1.0).abs() < 0.01, "fx {}", file.lens.fx);
        assert!((file.lens.k1 + 0.2).abs() < 0.03, "k1 {}", file.lens.k1);
        assert_eq!(file.photos.last().map(|photo| (photo.corners, photo.rms_px)), Some((0, None)));
        assert!(file.photos[..6].iter().all(|photo| photo.corners == 54 && photo.rms_px.is_some()));
    }

    #[test]
    fn too_few_photos_say_so() {
        let blank = Picture::new(RgbImage::new(320, 240));
        let photos = vec![("a.png".to_string(), blank.clone()), ("b.png".to_string(), blank)];
        let pattern = Pattern::Chessboard { corners: CORNERS, square_mm: SQUARE_MM };
        let error = calibrate_lens(&photos, &pattern, || ()).expect_err("blank");
        assert!(error.to_string().contains("seen in 0 of 2 photos"), "{error}");
    }
}
