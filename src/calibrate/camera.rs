//! One camera from one or several photos of its board.

use jiff::Timestamp;
use nalgebra::Point3;

use crate::{
    board::Board,
    camera::{
        Camera, CameraCovariance, CameraFile, CameraMethod, CameraOrigin, CameraQuality, Lens, PROGRAM, Pixel,
    },
    capture::Picture,
    geometry::Point,
    register::{
        CameraPrior, FindOptions, Missing, RefineOptions, RegisterError, Registration, View,
        cameras_from_corners, cameras_from_tags, corners_hold, refine_first, refine_together,
        register_by_lines, surface_in_view, with_lens,
    },
};

/// What a person knows besides the photos.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// The camera's height above the board by tape, mm.
    pub height_mm: Option<f64>,
    /// A lens from a lens file, and the file's name.
    pub lens: Option<(String, Lens)>,
    /// The surface's corners in the first photo: near left, near right, far right, far left.
    pub corners: Option<[Pixel; 4]>,
}

crate::options::options! {
    /// How cameras are calibrated.
    #[derive(Debug, Clone)]
    pub struct CalibrateOptions {
        #[serde(skip)]
        pub find: FindOptions = FindOptions::default(),
        #[serde(skip)]
        pub refine: RefineOptions = RefineOptions::default(),
        /// Standard deviation of a height by tape, mm (10: good to 2 cm).
        pub tape_sigma_mm: f64 = 10.0,
        /// Photos are from the same place when the board's surface moves less than this between them,
        /// as a share of the picture's longer side (0.002: 4 px of 1920). Less: a camera that sways
        /// counts as several; more: one that was bumped counts as one.
        pub same_place_share: f64 = 0.002,
        /// Standard deviations from the photo's own at which a height by tape is called wrong (5).
        pub wrong_height_sigmas: f64 = 5.0,
        /// How often a height is typed in another unit (0.01). More: odd cameras are told to be slips; less: slips
        /// pass where the photo hardly knows the height.
        pub slip_probability: f64 = 0.01,
        /// Neighbouring places along a line say much the same: so many count as one witness against a height (10).
        pub places_a_witness: f64 = 10.0,
    }
}

/// Units that a height may be typed in by mistake, in mm, the commonest first.
const UNITS: [(&str, f64); 4] =
    [("centimetres", 10.0), ("metres", 1000.0), ("inches", 25.4), ("feet", 304.8)];

/// What became of a photo.
#[derive(Debug, Clone, PartialEq)]
pub enum PhotoUse {
    /// It was taken from the calibrated place.
    Same,
    /// It was taken from elsewhere by the same camera and helped with the lens.
    Lens,
    /// It could not be used.
    Failed(String),
}

/// A place on the surface and the standard deviation there, mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub at: Point,
    pub sigma_mm: f64,
}

/// A calibrated camera and how good it is.
#[derive(Debug, Clone)]
pub struct Calibration {
    pub file: CameraFile,
    /// In the order of the photos.
    pub photos: Vec<PhotoUse>,
    /// The worst place on the surface in view.
    pub worst: Place,
    /// The worst place for the top of the highest piece.
    pub worst_piece: Place,
    /// The same, had the height been given (or had it not): what the tape measure is worth.
    pub worst_piece_otherwise: Place,
}

/// Why there is no camera file.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    #[error("no photo was given")]
    NoPhoto,
    #[error("the photos have different sizes, {first} and {other} pixels: give photos of one camera")]
    Sizes { first: String, other: String },
    #[error("no photo could be used: {0}")]
    Register(String),
    #[error(
        "the camera's height of {given:.0} mm does not fit the photo, which says {found:.0} ± {sigma:.0} mm: \
         measure again, from the board's surface to the lens"
    )]
    Height { given: f64, found: f64, sigma: f64 },
    #[error(
        "the camera's height of {given:.0} mm does not fit the photo, which says {found:.0} mm: it looks like {unit} \
         typed as millimetres, give {likely:.0}"
    )]
    HeightUnit { given: f64, found: f64, unit: &'static str, likely: f64 },
    #[error(
        "with the camera's height of {given:.0} mm the board's lines and rails do not lie where the photo shows them: \
         measure again, from the board's surface to the lens (without a height the photo says {found:.0} mm)"
    )]
    HeightRefuted { given: f64, found: f64 },
    #[error(transparent)]
    Together(#[from] RegisterError),
}

/// A photo's own registration.
struct Single {
    photo: usize,
    camera: Camera,
    method: CameraMethod,
    /// Standard deviation of the focal length as a share of it.
    focal_sigma: f64,
}

/// Makes a camera file from photos with names. All are of one camera; most are from one place, and
/// that is the place the file describes. Photos from elsewhere help with the lens alone.
/// `progress` is told after each photo.
pub fn calibrate_camera(
    photos: &[(String, Picture)],
    board: &Board,
    given: &Given,
    options: &CalibrateOptions,
    progress: impl Fn(),
) -> Result<Calibration, CalibrateError> {
    check_sizes(photos)?;
    let mut uses = vec![PhotoUse::Same; photos.len()];
    let mut singles = Vec::new();
    for (index, (_, picture)) in photos.iter().enumerate() {
        match register_alone(index, picture, board, given, options) {
            Ok(single) => singles.push(single),
            Err(error) => uses[index] = PhotoUse::Failed(error.to_string()),
        }
        progress();
    }
    let places = group_by_place(&singles, board, options);
    let Some(main) = places.first() else {
        return Err(no_photo_usable(&uses));
    };
    for place in &places[1..] {
        for &single in place {
            uses[singles[single].photo] = PhotoUse::Lens;
        }
    }
    let cameras: Vec<Camera> = places.iter().map(|place| singles[place[0]].camera).collect();
    // All start with the lens of the photo that knows it best: one from straight above does not.
    let best_lens = singles.iter().min_by(|a, b| a.focal_sigma.total_cmp(&b.focal_sigma));
    let best_lens = best_lens.map_or(cameras[0].lens, |single| single.camera.lens);
    let cameras: Vec<Camera> = cameras.iter().map(|camera| with_lens(camera, best_lens)).collect();
    let views: Vec<View> = places
        .iter()
        .enumerate()
        .flat_map(|(pose, place)| {
            let photo_of = |&single: &usize| View { picture: &photos[singles[single].photo].1, pose };
            place.iter().map(photo_of).collect::<Vec<_>>()
        })
        .collect();
    let together = |height: Option<(f64, f64)>| -> Result<Registration, RegisterError> {
        let mut heights = vec![None; cameras.len()];
        heights[0] = height;
        let lens = given.lens.as_ref().map(|(_, lens)| *lens);
        let all = refine_together(&views, board, &cameras, &heights, lens, &options.refine)?;
        all.into_iter()
            .next()
            .ok_or_else(|| RegisterError::refused(board, Missing::Other("no photo was given".to_owned())))
    };
    let unaided = together(None)?;
    let (registration, otherwise) = match given.height_mm {
        Some(height_mm) => {
            check_height(height_mm, &unaided, options)?;
            let refuted = || CalibrateError::HeightRefuted {
                given: height_mm,
                found: unaided.camera.pose.centre_mm().z,
            };
            let aided = together(Some((height_mm, options.tape_sigma_mm))).map_err(|_| refuted())?;
            if is_refuted(&aided, &unaided, options) {
                return Err(refuted());
            }
            (aided, unaided)
        }
        None => {
            let likely_mm = unaided.camera.pose.centre_mm().z;
            let aided = together(Some((likely_mm, options.tape_sigma_mm)))?;
            (unaided, aided)
        }
    };

    let piece_mm = board.pieces.iter().map(|piece| piece.height_mm).fold(0.0, f64::max);
    let worst = worst_place(board, &registration.camera, &registration.covariance, 0.0);
    let worst_piece = worst_place(board, &registration.camera, &registration.covariance, piece_mm);
    let worst_piece_otherwise = worst_place(board, &otherwise.camera, &otherwise.covariance, piece_mm);
    let used = |&(index, _): &(usize, &(String, Picture))| !matches!(uses[index], PhotoUse::Failed(_));
    let origin = CameraOrigin {
        method: singles[main[0]].method,
        photos: photos.iter().enumerate().filter(used).map(|(_, (name, _))| name.clone()).collect(),
        height_mm: given.height_mm,
        height_sigma_mm: given.height_mm.map(|_| options.tape_sigma_mm),
        lens_file: given.lens.as_ref().map(|(name, _)| name.clone()),
        made_at: Timestamp::now(),
        program: PROGRAM.into(),
    };
    let quality = CameraQuality {
        rms_px: registration.rms_px,
        edges: registration.edges,
        worst_sigma_mm: worst.sigma_mm,
        worst_piece_sigma_mm: worst_piece.sigma_mm,
    };
    let file = CameraFile {
        board: board.id.clone(),
        camera: registration.camera,
        covariance: registration.covariance,
        quality,
        origin,
    };
    Ok(Calibration { file, photos: uses, worst, worst_piece, worst_piece_otherwise })
}

fn check_sizes(photos: &[(String, Picture)]) -> Result<(), CalibrateError> {
    let (_, first) = photos.first().ok_or(CalibrateError::NoPhoto)?;
    let words = |[w, h]: [u32; 2]| format!("{w} x {h}");
    match photos.iter().find(|(_, picture)| picture.size() != first.size()) {
        None => Ok(()),
        Some((_, other)) => {
            Err(CalibrateError::Sizes { first: words(first.size()), other: words(other.size()) })
        }
    }
}

fn no_photo_usable(uses: &[PhotoUse]) -> CalibrateError {
    let reasons = uses.iter().filter_map(|photo| match photo {
        PhotoUse::Failed(reason) => Some(reason.as_str()),
        _ => None,
    });
    let mut reasons: Vec<&str> = reasons.collect();
    reasons.dedup();
    CalibrateError::Register(reasons.join("; "))
}

/// Finds the board in one photo: by given corners (first photo), printed tags, or its lines.
fn register_alone(
    index: usize,
    picture: &Picture,
    board: &Board,
    given: &Given,
    options: &CalibrateOptions,
) -> Result<Single, RegisterError> {
    let prior = CameraPrior { height_mm: None, lens: given.lens.as_ref().map(|(_, lens)| *lens) };
    let single = |found: Registration, method: CameraMethod| {
        let focal_sigma = found.covariance[(0, 0)].sqrt() / found.camera.lens.fx;
        Single { photo: index, camera: found.camera, method, focal_sigma }
    };
    let refined = |first: Vec<Camera>, method: CameraMethod| {
        refine_first(picture, board, &first, &prior, &options.refine).map(|found| single(found, method))
    };
    if let Some(corners) = given.corners.filter(|_| index == 0) {
        let first = cameras_from_corners(picture.size(), board, corners, &options.find)?;
        let found = refine_first(picture, board, &first, &prior, &options.refine)?;
        corners_hold(picture, board, &corners, &found, &options.find)?;
        return Ok(single(found, CameraMethod::Corners));
    }
    if !board.tags.is_empty()
        && let Ok(single) =
            cameras_from_tags(picture, board).and_then(|cameras| refined(cameras, CameraMethod::Tags))
    {
        return Ok(single);
    }
    let found = register_by_lines(picture, board, &prior, &options.find, &options.refine)?;
    Ok(single(found, CameraMethod::Lines))
}

/// Photos by the place they were taken from, as indices; the place with most photos first, the
/// earlier one where two have as many.
fn group_by_place(singles: &[Single], board: &Board, options: &CalibrateOptions) -> Vec<Vec<usize>> {
    let mut places: Vec<Vec<usize>> = Vec::new();
    for (index, single) in singles.iter().enumerate() {
        let [w, h] = single.camera.image_size;
        let limit_px = options.same_place_share * f64::from(w.max(h));
        let same =
            |place: &&mut Vec<usize>| moved_px(board, &singles[place[0]].camera, &single.camera) < limit_px;
        match places.iter_mut().find(same) {
            Some(place) => place.push(index),
            None => places.push(vec![index]),
        }
    }
    places.sort_by_key(|place| std::cmp::Reverse(place.len()));
    places
}

/// Largest distance in the picture between where two cameras see the same place of the surface.
fn moved_px(board: &Board, a: &Camera, b: &Camera) -> f64 {
    surface_in_view(board, a)
        .into_iter()
        .map(|p| match (a.image_from_board(p.x, p.y, 0.0), b.image_from_board(p.x, p.y, 0.0)) {
            (Some(a), Some(b)) => (a - b).norm(),
            _ => f64::INFINITY,
        })
        .fold(0.0, f64::max)
}

/// A height that the photo itself contradicts is a slip of the tape.
fn check_height(
    given: f64,
    unaided: &Registration,
    options: &CalibrateOptions,
) -> Result<(), CalibrateError> {
    let found = unaided.camera.pose.centre_mm().z;
    let sigma = height_sigma_mm(unaided).hypot(options.tape_sigma_mm);
    // From straight above a photo knows the height to a factor, together with the focal length.
    let misses = |height: f64| (height / found).ln().abs() / (sigma / found);
    let is_better = |slip: &&(&str, f64)| {
        let gain = (misses(given).powi(2) - misses(given * slip.1).powi(2)) / 2.0;
        gain > -options.slip_probability.ln()
    };
    // Where the photo cannot tell units apart, the commoner one is named.
    let likeliest = UNITS.iter().filter(is_better).min_by_key(|slip| misses(given * slip.1) as u64);
    if let Some((unit, mm)) = likeliest {
        return Err(CalibrateError::HeightUnit { given, found, unit, likely: given * mm });
    }
    if (given / found).ln().abs() > options.wrong_height_sigmas * sigma / found {
        return Err(CalibrateError::Height { given, found, sigma });
    }
    Ok(())
}

/// Whether the fit with the height explains the photo worse than the one without, by more than chance.
fn is_refuted(aided: &Registration, unaided: &Registration, options: &CalibrateOptions) -> bool {
    let witnesses = unaided.edges as f64 / options.places_a_witness;
    let floor_px = options.refine.residual_floor_px;
    let squares = |found: &Registration| found.rms_px.max(floor_px).powi(2);
    let growth = squares(aided) / squares(unaided) - 1.0;
    // Places that do not fit at all are left out of the residual, so that they count by themselves.
    let lost = unaided.edges.saturating_sub(aided.edges) as f64 / options.places_a_witness;
    witnesses * growth + lost > options.wrong_height_sigmas.powi(2)
}

fn height_sigma_mm(registration: &Registration) -> f64 {
    let pose = &registration.camera.pose;
    let up = pose.rotation * nalgebra::Vector3::z();
    let by_rotation = pose.translation_mm.cross(&up);
    let mut gradient = nalgebra::SVector::<f64, { crate::camera::CAMERA_PARAMETERS }>::zeros();
    for i in 0..3 {
        gradient[9 + i] = by_rotation[i];
        gradient[12 + i] = -up[i];
    }
    gradient.dot(&(registration.covariance * gradient)).max(0.0).sqrt()
}

/// The place at height `z_mm` over the surface in view that is known worst.
fn worst_place(board: &Board, camera: &Camera, covariance: &CameraCovariance, z_mm: f64) -> Place {
    surface_in_view(board, camera)
        .into_iter()
        .filter_map(|at| {
            let covariance = camera.board_covariance_mm2(Point3::new(at.x, at.y, z_mm), covariance)?;
            Some(Place { at, sigma_mm: covariance.symmetric_eigenvalues().max().max(0.0).sqrt() })
        })
        .max_by(|a, b| a.sigma_mm.total_cmp(&b.sigma_mm))
        .unwrap_or(Place { at: Point::origin(), sigma_mm: f64::INFINITY })
}
