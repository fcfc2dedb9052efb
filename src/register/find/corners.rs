//! A first camera from four corners that a person gave.
//!
//! In: where the playing surface's corners are seen, near left, near right, far right, far left.
//! Out: a camera. Four points fix pose and focal length together unless the board is seen straight
//! from above; then the likeliest focal length is assumed. Where a board has no paint to refine it
//! by, the same corners give a [`Registration`] whose covariance says how little four clicks know.

use nalgebra::{Matrix3, Point3, Rotation3, SMatrix, SVector, Vector3};

use super::FindOptions;
use crate::{
    board::Board,
    camera::{CAMERA_PARAMETERS, Camera, CameraCovariance, Lens, Pixel, Pose},
    geometry::Point,
    register::{LensSigmas, Method, RegisterError, Registration},
};

/// What corners alone say nothing of is held by these: k3 is left at 0, fx and fy are alike, and the
/// pose is only kept regular.
const K3_SIGMA: f64 = 1e-6;
const SAME_FOCAL_SHARE: f64 = 1e-3;
const POSE_TURN_SIGMA: f64 = 1.0;
const POSE_SHIFT_SIGMA_MM: f64 = 1e4;
crate::options::options! {
    /// What is known of corners that a person gives.
    #[derive(Debug, Clone, PartialEq)]
    pub struct CornerOptions {
        /// Prior standard deviation of the focal length's logarithm (0.3). More follows the corners further; from
        /// straight above they say nothing of it.
        pub focal_sigma: f64 = 0.3,
        /// Standard deviation of a corner, px (2), in a picture whose longer side is `sigma_picture_px` (1920) or
        /// less: a person's aim is a share of the picture they look at, not a number of its pixels.
        pub sigma_px: f64 = 2.0,
        pub sigma_picture_px: f64 = 1920.0,
        /// A corner nearer than this share of the picture's diagonal to the line through its neighbours leaves no
        /// quadrilateral (0.002).
        pub least_corner: f64 = 0.002,
        /// Farthest that a corner which a person gave may lie from where the camera sees it, and beyond the
        /// picture's border, as a share of the picture's longer side (0.02: 38 px of 1920). More lets slips
        /// pass; less refuses corners that were clicked in a small picture of a strongly bent lens.
        pub most_off_share: f64 = 0.02,
    }
}

/// Steps of least squares; four points settle in a handful.
const STEPS: usize = 30;

/// Cameras that see the board's corners in the given places (near left, near right, far right, far
/// left); corners may lie outside the picture.
pub fn cameras_from_corners(
    picture_size: [u32; 2],
    board: &Board,
    corners: [Pixel; 4],
    options: &FindOptions,
) -> Result<Vec<Camera>, RegisterError> {
    check(picture_size, &corners, &options.corners)?;
    let wrong = || RegisterError::Corners {
        reason: "no camera above the board sees its corners there; check their order: near left, near \
                 right, far right, far left"
            .into(),
    };
    let unit = diagonal(picture_size) / 2.0;
    let likely = options.likely_focal;
    let camera = options
        .focal_lengths()
        .into_iter()
        .filter_map(|focal| start(picture_size, board, &corners, focal * unit))
        .filter_map(|camera| settle(&camera, board, &corners, likely * unit, &options.corners))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .ok_or_else(wrong)?;
    Ok(vec![camera.0])
}

/// The registration that four corners give without any paint: `camera` is one of theirs, `lens` says how
/// little is known of its lens. `None` where the corners leave it open.
pub fn registration_from_corners(
    camera: &Camera,
    board: &Board,
    corners: [Pixel; 4],
    lens: &LensSigmas,
    options: &CornerOptions,
) -> Option<Registration> {
    let longer_side = camera.image_size.map(f64::from).into_iter().fold(0.0, f64::max);
    let corner_sigma_px = options.sigma_px * (longer_side / options.sigma_picture_px).max(1.0);
    let mut information = CameraCovariance::zeros();
    let mut squares = 0.0;
    for (corner, seen) in board.corners().iter().zip(corners) {
        let projection = camera.project(Point3::new(corner.x, corner.y, 0.0))?;
        let by = projection.by_parameters / corner_sigma_px;
        information += by.transpose() * by;
        squares += (seen - projection.pixel).norm_squared();
    }
    let (focal_px, centre_px) = (camera.lens.fx, lens.centre_share * longer_side);
    let freedoms = [
        (2, centre_px),
        (3, centre_px),
        (4, lens.k1),
        (5, lens.k2),
        (6, lens.tangential),
        (7, lens.tangential),
        (8, K3_SIGMA),
    ];
    let pose = (9..12).map(|i| (i, POSE_TURN_SIGMA)).chain((12..15).map(|i| (i, POSE_SHIFT_SIGMA_MM)));
    for (i, sigma) in freedoms.into_iter().chain(pose) {
        information[(i, i)] += f64::powi(sigma, -2);
    }
    // One focal length: its logarithm has a prior, and fx and fy are the same.
    let (scale, same) =
        ((2.0 * options.focal_sigma * focal_px).powi(-2), (SAME_FOCAL_SHARE * focal_px).powi(-2));
    for (i, j, sign) in [(0, 0, 1.0), (1, 1, 1.0), (0, 1, -1.0), (1, 0, -1.0)] {
        information[(i, j)] += scale + sign * same;
    }
    // Its entries differ by many powers of ten: scaled to a unit diagonal before it is inverted.
    let scales = information.diagonal().map(|v| v.sqrt().recip());
    let scaled = CameraCovariance::from_fn(|i, j| information[(i, j)] * scales[i] * scales[j]);
    let inverse = scaled.cholesky()?.inverse();
    let covariance = CameraCovariance::from_fn(|i, j| inverse[(i, j)] * scales[i] * scales[j]);
    let rms_px = (squares / corners.len() as f64).sqrt();
    Some(Registration { camera: *camera, covariance, method: Method::Corners, rms_px, edges: 0, off_mm: 0.0 })
}

fn diagonal([width, height]: [u32; 2]) -> f64 {
    f64::from(width).hypot(f64::from(height))
}

fn check(picture_size: [u32; 2], corners: &[Pixel; 4], options: &CornerOptions) -> Result<(), RegisterError> {
    let refuse = |reason: &str| Err(RegisterError::Corners { reason: reason.into() });
    let diagonal = diagonal(picture_size);
    if corners.iter().any(|c| !c.x.is_finite() || !c.y.is_finite() || c.coords.norm() > 10.0 * diagonal) {
        return refuse("a corner is not a place in or near the picture");
    }
    let turns: Vec<f64> = (0..4)
        .map(|i| {
            let (a, b, c) = (corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]);
            let base = (c - a).norm().max(1e-9);
            (b - a).perp(&(c - b)) / base
        })
        .collect();
    if turns.iter().any(|t| t.abs() < options.least_corner * diagonal) {
        return refuse("two corners coincide or three lie on one line");
    }
    if turns.iter().all(|&t| t > 0.0) {
        return refuse(
            "they run the wrong way round, as in a mirror; give near left, near right, far right, far left",
        );
    }
    if !turns.iter().all(|&t| t < 0.0) {
        return refuse(
            "they cross over or bend inward; go round the board: near left, near right, far right, far left",
        );
    }
    Ok(())
}

/// The pose that the plane's homography gives for a focal length.
fn start(picture_size: [u32; 2], board: &Board, corners: &[Pixel; 4], focal_px: f64) -> Option<Camera> {
    let lens = Lens::ideal(focal_px, picture_size);
    let h = homography(&board.corners(), corners)?;
    let camera_from_image = Matrix3::new(
        1.0 / focal_px,
        0.0,
        -lens.cx / focal_px,
        0.0,
        1.0 / focal_px,
        -lens.cy / focal_px,
        0.0,
        0.0,
        1.0,
    );
    let m = camera_from_image * h;
    let scale = (m.column(0).norm() * m.column(1).norm()).sqrt();
    let sign = if m[(2, 2)] < 0.0 { -1.0 } else { 1.0 };
    let m = m * (sign / scale);
    let (x, y): (Vector3<f64>, Vector3<f64>) = (m.column(0).into_owned(), m.column(1).into_owned());
    let svd = Matrix3::from_columns(&[x, y, x.cross(&y)]).svd(true, true);
    let rotation = Rotation3::from_matrix_unchecked(svd.u? * svd.v_t?);
    let pose = Pose { rotation, translation_mm: m.column(2).into_owned() };
    Some(Camera { image_size: picture_size, lens, pose })
}

/// The mapping from board to picture that takes the four corners to their places.
fn homography(from: &[Point; 4], to: &[Pixel; 4]) -> Option<Matrix3<f64>> {
    let mut rows = SMatrix::<f64, 8, 8>::zeros();
    let mut right = SVector::<f64, 8>::zeros();
    for (i, (p, q)) in from.iter().zip(to).enumerate() {
        let across = [p.x, p.y, 1.0, 0.0, 0.0, 0.0, -q.x * p.x, -q.x * p.y];
        let down = [0.0, 0.0, 0.0, p.x, p.y, 1.0, -q.y * p.x, -q.y * p.y];
        for (j, (a, d)) in across.into_iter().zip(down).enumerate() {
            rows[(2 * i, j)] = a;
            rows[(2 * i + 1, j)] = d;
        }
        right[2 * i] = q.x;
        right[2 * i + 1] = q.y;
    }
    let h = rows.lu().solve(&right)?;
    Some(Matrix3::new(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1.0))
}

/// Least squares on the corners over pose and focal length, with a prior on the latter. Returns
/// the camera and what is left of the squared errors.
fn settle(
    start: &Camera,
    board: &Board,
    corners: &[Pixel; 4],
    likely_px: f64,
    options: &CornerOptions,
) -> Option<(Camera, f64)> {
    let mut camera = *start;
    for _ in 0..STEPS {
        let mut normal = SMatrix::<f64, 7, 7>::zeros();
        let mut right = SVector::<f64, 7>::zeros();
        for (corner, seen) in board.corners().iter().zip(corners) {
            let projection = camera.project(Point3::new(corner.x, corner.y, 0.0))?;
            let by = projection.by_parameters;
            let mut rows = SMatrix::<f64, 2, 7>::zeros();
            rows.set_column(0, &(by.column(0) * camera.lens.fx + by.column(1) * camera.lens.fy));
            rows.fixed_view_mut::<2, 6>(0, 1).copy_from(&by.fixed_view::<2, 6>(0, 9));
            normal += rows.transpose() * rows;
            right += rows.transpose() * (seen - projection.pixel);
        }
        let prior = (options.sigma_px / options.focal_sigma).powi(2);
        normal[(0, 0)] += prior;
        right[0] -= prior * (camera.lens.fx / likely_px).ln();
        for i in 0..7 {
            normal[(i, i)] *= 1.0 + 1e-9;
        }
        let solved = normal.cholesky()?.solve(&right);
        let mut step = SVector::<f64, CAMERA_PARAMETERS>::zeros();
        let growth = solved[0].clamp(-0.3, 0.3);
        step[0] = camera.lens.fx * growth;
        step[1] = camera.lens.fy * growth;
        for i in 0..6 {
            step[9 + i] = solved[1 + i];
        }
        camera = camera.stepped(&step);
    }
    let mut left = ((camera.lens.fx / likely_px).ln() / options.focal_sigma).powi(2);
    for (corner, seen) in board.corners().iter().zip(corners) {
        let found = camera.image_from_board(corner.x, corner.y, 0.0)?;
        left += ((seen - found) / options.sigma_px).norm_squared();
    }
    (camera.pose.centre_mm().z > 0.0 && left.is_finite()).then_some((camera, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        Board::named_or_at("carrom-icf").unwrap()
    }

    fn corners_seen(camera: &Camera, board: &Board) -> [Pixel; 4] {
        board.corners().map(|c| camera.image_from_board(c.x, c.y, 0.0).unwrap())
    }

    /// A camera `height` above the board's middle, tilted about the board's x axis.
    fn camera(tilt_deg: f64, focal_px: f64) -> Camera {
        let down =
            Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI - tilt_deg.to_radians());
        let centre = Vector3::new(370.0, 370.0 - 900.0 * tilt_deg.to_radians().tan(), 900.0);
        let pose = Pose { rotation: down, translation_mm: -(down * centre) };
        Camera { image_size: [1600, 1200], lens: Lens::ideal(focal_px, [1600, 1200]), pose }
    }

    /// The best camera by the corners that a true one sees.
    fn found_by_corners(truth: &Camera, board: &Board) -> Camera {
        let corners = corners_seen(truth, board);
        cameras_from_corners(truth.image_size, board, corners, &FindOptions::default()).unwrap()[0]
    }

    #[test]
    fn an_oblique_view_gives_back_pose_and_focal_length() {
        let (board, truth) = (board(), camera(40.0, 1100.0));
        let found = found_by_corners(&truth, &board);
        assert!((found.lens.fx / truth.lens.fx - 1.0).abs() < 0.02, "focal length {}", found.lens.fx);
        for (a, b) in corners_seen(&found, &board).iter().zip(corners_seen(&truth, &board)) {
            assert!((a - b).norm() < 0.5);
        }
    }

    #[test]
    fn from_straight_above_the_corners_still_fit() {
        let (board, truth) = (board(), camera(0.0, 1500.0));
        let found = found_by_corners(&truth, &board);
        for (a, b) in corners_seen(&found, &board).iter().zip(corners_seen(&truth, &board)) {
            assert!((a - b).norm() < 0.5);
        }
    }

    #[test]
    fn corners_alone_know_places_to_millimetres_and_say_so() {
        let (board, truth) = (board(), camera(30.0, 1100.0));
        let corners = corners_seen(&truth, &board);
        let first =
            cameras_from_corners(truth.image_size, &board, corners, &FindOptions::default()).unwrap()[0];
        let lens = crate::register::RefineOptions::default().usual_lens;
        let registration =
            registration_from_corners(&first, &board, corners, &lens, &CornerOptions::default()).unwrap();
        let sigma_mm = |x: f64, y: f64| {
            let at = Point3::new(x, y, 0.0);
            registration.board_covariance_mm2(at).unwrap().symmetric_eigenvalues().max().sqrt()
        };
        let mm_per_px = truth.mm_per_px(Point::new(0.0, 0.0)).unwrap();
        let corner = sigma_mm(0.0, 0.0) / mm_per_px;
        assert!((1.0..6.0).contains(&corner), "{corner} px");
        // Four corners know the middle better than one its own place, but the lens is unknown.
        let middle_mm = sigma_mm(370.0, 370.0);
        assert!((0.5..5.0).contains(&middle_mm), "{middle_mm} mm");
    }

    #[test]
    fn mirrored_crossed_and_flat_corners_are_refused_with_the_reason() {
        let (board, truth) = (board(), camera(20.0, 1100.0));
        let [a, b, c, d] = corners_seen(&truth, &board);
        let why = |corners| {
            cameras_from_corners(truth.image_size, &board, corners, &FindOptions::default())
                .unwrap_err()
                .to_string()
        };
        assert!(why([b, a, d, c]).contains("mirror"));
        assert!(why([a, c, b, d]).contains("cross"));
        assert!(why([a, a, c, d]).contains("coincide"));
        assert!(why([a, b, c, Pixel::new(f64::NAN, 0.0)]).contains("not a place"));
    }
}
