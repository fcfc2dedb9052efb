//! The peer: what a user would write with OpenCV today, for comparison.
//!
//! In: a picture, and (what such a user rarely has) the true lens and pose. Out: circles in
//! millimetres. `undistort`, `warpPerspective` onto the board's plane, `HoughCircles`, then the
//! nearest colour of the board file. It knows neither height nor what a piece is, and states no
//! uncertainty: every gap is called.

use nalgebra::Matrix2;
use opencv::{
    calib3d,
    core::{self, Mat, MatTraitConst, MatTraitConstManual, Point2f, Scalar, Size, Vec3b, Vec3f, Vector},
    imgproc,
};

use crate::{
    board::Board,
    camera::Camera,
    capture::Picture,
    detect::Candidate,
    geometry::Point,
    measure::{ByCamera, Measurement},
    score::Seen,
};

/// The usual settings of such a program.
#[derive(Debug, Clone)]
pub struct PeerOptions {
    /// Side of the median filter that precedes the search, in pixels. Default 5.
    pub median_px: i32,
    /// Upper threshold of the edge detector (`param1`). Default 100.
    pub edge_threshold: f64,
    /// Votes a circle needs (`param2`). Default 22: fewer finds more
    /// extra circles, more misses pieces.
    pub votes: f64,
    /// Radii are searched to this share of the true one to either side. Default 0.15.
    pub radius_share: f64,
    /// Least distance of centres in diameters. Default 0.9.
    pub distance_share: f64,
}

impl Default for PeerOptions {
    fn default() -> Self {
        Self { median_px: 5, edge_threshold: 100.0, votes: 22.0, radius_share: 0.15, distance_share: 0.9 }
    }
}

/// The peer prepared for one board and camera.
pub struct Peer {
    board: Board,
    options: PeerOptions,
    lens: Mat,
    distortion: Mat,
    view_from_image: Mat,
    size: Size,
    px_per_mm: f64,
    /// Far left corner of the view.
    corner: Point,
}

impl Peer {
    /// `seen` is the part of the board to look at: lowest and highest coordinates.
    pub fn new(board: &Board, camera: &Camera, options: PeerOptions) -> opencv::Result<Self> {
        let (low, high) = crate::annotate::seen_range(board, camera);
        let middle = low + (high - low) / 2.0;
        let px_per_mm = camera.mm_per_px(middle).map_or(1.0, |mm| 1.0 / mm);
        let lens = &camera.lens;
        let lens_rows = [[lens.fx, 0.0, lens.cx], [0.0, lens.fy, lens.cy], [0.0, 0.0, 1.0]];
        let distortion = [[lens.k1, lens.k2, lens.p1, lens.p2, lens.k3]];
        let corner = Point::new(low.x, high.y);
        // Four points of the plane fix the mapping from the undistorted picture to the view.
        let undistorted = Camera {
            lens: crate::camera::Lens { k1: 0.0, k2: 0.0, p1: 0.0, p2: 0.0, k3: 0.0, ..*lens },
            ..*camera
        };
        let (mut from, mut to) = (Vector::<Point2f>::new(), Vector::<Point2f>::new());
        for p in [low, Point::new(high.x, low.y), high, Point::new(low.x, high.y)] {
            let Some(at) = undistorted.image_from_board(p.x, p.y, 0.0) else {
                return Err(opencv::Error::new(core::StsOutOfRange, "the board is behind the camera"));
            };
            from.push(Point2f::new(at.x as f32, at.y as f32));
            let view = (p - corner) * px_per_mm;
            to.push(Point2f::new(view.x as f32, -view.y as f32));
        }
        Ok(Self {
            board: board.clone(),
            options,
            lens: Mat::from_slice_2d(&lens_rows)?,
            distortion: Mat::from_slice_2d(&distortion)?,
            view_from_image: imgproc::get_perspective_transform(&from, &to, core::DECOMP_LU)?,
            size: Size::new(
                ((high.x - low.x) * px_per_mm).ceil() as i32,
                ((high.y - low.y) * px_per_mm).ceil() as i32,
            ),
            px_per_mm,
            corner,
        })
    }

    /// Finds circles of the pieces' sizes; each as if it were measured without doubt.
    pub fn find(&self, picture: &Picture) -> opencv::Result<Vec<Seen>> {
        let [width, height] = picture.size();
        let full =
            Mat::new_rows_cols_with_bytes::<Vec3b>(height as i32, width as i32, picture.rgb().as_raw())?;
        let mut straight = Mat::default();
        calib3d::undistort(&full, &mut straight, &self.lens, &self.distortion, &core::no_array())?;
        let mut view = Mat::default();
        imgproc::warp_perspective(
            &straight,
            &mut view,
            &self.view_from_image,
            self.size,
            imgproc::INTER_LINEAR,
            core::BORDER_CONSTANT,
            Scalar::default(),
        )?;
        let (mut grey, mut smooth) = (Mat::default(), Mat::default());
        cvt_grey(&view, &mut grey)?;
        imgproc::median_blur(&grey, &mut smooth, self.options.median_px)?;
        let mut diameters: Vec<f64> = self.board.pieces.iter().map(|kind| kind.diameter_mm).collect();
        diameters.sort_by(f64::total_cmp);
        diameters.dedup();
        let mut found = Vec::new();
        for diameter_mm in diameters {
            let radius_px = diameter_mm / 2.0 * self.px_per_mm;
            let share = self.options.radius_share;
            let mut circles = Vector::<Vec3f>::new();
            imgproc::hough_circles(
                &smooth,
                &mut circles,
                imgproc::HOUGH_GRADIENT,
                1.0,
                2.0 * radius_px * self.options.distance_share,
                self.options.edge_threshold,
                self.options.votes,
                (radius_px * (1.0 - share)).floor() as i32,
                (radius_px * (1.0 + share)).ceil() as i32,
            )?;
            for circle in circles {
                found.push(self.seen(&view, diameter_mm, circle)?);
            }
        }
        Ok(found)
    }

    fn seen(&self, view: &Mat, diameter_mm: f64, circle: Vec3f) -> opencv::Result<Seen> {
        let [u, v, radius_px] = [circle[0], circle[1], circle[2]].map(f64::from);
        let colour = mean_colour(view, u, v, radius_px * 0.6)?;
        let distance = |kind: &crate::board::PieceKind| {
            (0..3).map(|i| (f64::from(kind.colour.0[i]) - colour[i]).powi(2)).sum::<f64>()
        };
        let kinds = self.board.pieces.iter().enumerate().filter(|(_, kind)| kind.diameter_mm == diameter_mm);
        let kind = kinds.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).map_or(0, |(index, _)| index);
        let centre = Point::new(self.corner.x + u / self.px_per_mm, self.corner.y - v / self.px_per_mm);
        let px = nalgebra::Point2::new(u, v);
        let candidate = Candidate::on_board(kind, centre, px);
        let measurement = Measurement {
            centre,
            covariance: Matrix2::zeros(),
            own: Matrix2::zeros(),
            by_camera: ByCamera::zeros(),
            px,
            px_radius: radius_px,
            trusted: true,
        };
        Ok(Seen::exact(candidate, measurement))
    }
}

fn cvt_grey(from: &Mat, to: &mut Mat) -> opencv::Result<()> {
    imgproc::cvt_color_def(from, to, imgproc::COLOR_RGB2GRAY)
}

/// Mean colour of a disc of the view.
fn mean_colour(view: &Mat, u: f64, v: f64, radius_px: f64) -> opencv::Result<[f64; 3]> {
    let (rows, columns) = (view.rows(), view.cols());
    let pixels = view.data_typed::<Vec3b>()?;
    let (mut sum, mut count) = ([0.0; 3], 0.0_f64);
    let reach = radius_px.ceil() as i32;
    for y in (v as i32 - reach).max(0)..(v as i32 + reach + 1).min(rows) {
        for x in (u as i32 - reach).max(0)..(u as i32 + reach + 1).min(columns) {
            if (f64::from(x) - u).hypot(f64::from(y) - v) <= radius_px {
                let pixel = pixels[(y * columns + x) as usize];
                for (sum, value) in sum.iter_mut().zip(pixel.0) {
                    *sum += f64::from(value);
                }
                count += 1.0;
            }
        }
    }
    Ok(sum.map(|sum| sum / count.max(1.0)))
}
