//! The camera: where a point of the board is seen, and where a pixel's ray meets the board.
//!
//! In: lens, pose and image size. Out: [`Camera::image_from_board`] and
//! [`Camera::board_from_image`], with derivatives, and how well all of it is known.
//!
//! Conventions, once for the whole program: the centre of the top-left pixel is (0, 0), u to the
//! right and v down; the camera looks along its +z axis, x right and y down;
//! `camera = rotation * board + translation`, in millimetres. The lens is OpenCV's
//! (Brown-Conrady: k1 k2 p1 p2 k3). Since the board's z points up while a camera above it looks
//! down, the rotation of an overhead camera turns z around; handedness is kept.

mod faults;
mod file;
mod hidden;
mod lens;
mod plane;
#[cfg(test)]
mod tests;

use nalgebra::{Matrix2, Matrix2x3, Matrix3, Point3, Rotation3, SMatrix, Vector3};

use crate::geometry::Point;

pub use file::{
    CameraFile, CameraFileError, CameraMethod, CameraOrigin, CameraQuality, LensFile, LensPhoto, PROGRAM,
};
pub use hidden::BehindRail;
pub use lens::Lens;
pub use plane::PlaneView;

/// A position in the picture, in pixels.
pub type Pixel = nalgebra::Point2<f64>;

/// How many numbers describe a camera: nine of the lens, three of rotation, three of translation.
pub const CAMERA_PARAMETERS: usize = 15;

/// Derivatives of a pixel by the camera's parameters, in the order fx fy cx cy k1 k2 p1 p2 k3,
/// then a small rotation applied after the camera's own (`exp(w) * rotation`), then translation.
pub type ParameterJacobian = SMatrix<f64, 2, CAMERA_PARAMETERS>;

/// Covariance of the camera's parameters, in the order of [`ParameterJacobian`].
pub type CameraCovariance = SMatrix<f64, CAMERA_PARAMETERS, CAMERA_PARAMETERS>;

/// Where the camera stands: `camera = rotation * board + translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub rotation: Rotation3<f64>,
    pub translation_mm: Vector3<f64>,
}

/// A camera that looks at a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Width and height in pixels.
    pub image_size: [u32; 2],
    pub lens: Lens,
    pub pose: Pose,
}

/// A pixel with its derivatives by the board point and by the camera's parameters.
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    pub pixel: Pixel,
    pub by_point: Matrix2x3<f64>,
    pub by_parameters: ParameterJacobian,
}

impl Pose {
    /// A pose from a rotation vector (axis times angle in radians) and a translation.
    pub fn from_rotation_vector(rotation: Vector3<f64>, translation_mm: Vector3<f64>) -> Self {
        Self { rotation: Rotation3::new(rotation), translation_mm }
    }

    pub fn camera_from_board(&self, p: Point3<f64>) -> Point3<f64> {
        Point3::from(self.rotation * p.coords + self.translation_mm)
    }

    /// The camera's centre in board coordinates; its z is the height above the surface.
    pub fn centre_mm(&self) -> Point3<f64> {
        Point3::from(-(self.rotation.inverse() * self.translation_mm))
    }
}

impl Camera {
    /// Where the board point (x, y, z) is seen; `None` behind the camera or outside of what the
    /// lens can image.
    pub fn image_from_board(&self, x_mm: f64, y_mm: f64, z_mm: f64) -> Option<Pixel> {
        let p = self.pose.camera_from_board(Point3::new(x_mm, y_mm, z_mm));
        if p.z <= 0.0 {
            return None;
        }
        self.lens.pixel_from_ray(p.x / p.z, p.y / p.z)
    }

    /// [`Camera::image_from_board`] with derivatives.
    pub fn project(&self, p: Point3<f64>) -> Option<Projection> {
        let turned = self.pose.rotation * p.coords;
        let c = turned + self.pose.translation_mm;
        if c.z <= 0.0 {
            return None;
        }
        let (x, y) = (c.x / c.z, c.y / c.z);
        let image = self.lens.pixel_from_ray_with_derivatives(x, y)?;
        let ray_by_camera_point = Matrix2x3::new(1.0 / c.z, 0.0, -x / c.z, 0.0, 1.0 / c.z, -y / c.z);
        let by_camera_point = image.by_ray * ray_by_camera_point;
        // d(exp(w) t)/dw at w = 0 is -[t]x, for the turned point t.
        let minus_cross =
            Matrix3::new(0.0, turned.z, -turned.y, -turned.z, 0.0, turned.x, turned.y, -turned.x, 0.0);
        let mut by_parameters = ParameterJacobian::zeros();
        by_parameters.fixed_view_mut::<2, 9>(0, 0).copy_from(&image.by_lens);
        by_parameters.fixed_view_mut::<2, 3>(0, 9).copy_from(&(by_camera_point * minus_cross));
        by_parameters.fixed_view_mut::<2, 3>(0, 12).copy_from(&by_camera_point);
        let by_point = by_camera_point * self.pose.rotation.matrix();
        Some(Projection { pixel: image.pixel, by_point, by_parameters })
    }

    /// Where the ray of a pixel meets the plane at height `z_mm` above the board; `None` where it
    /// does not.
    pub fn board_from_image(&self, u: f64, v: f64, z_mm: f64) -> Option<Point> {
        let (x, y) = self.lens.ray_from_pixel(u, v)?;
        let board_from_camera = self.pose.rotation.inverse();
        let ray = board_from_camera * Vector3::new(x, y, 1.0);
        let centre = self.pose.centre_mm();
        let reach = (z_mm - centre.z) / ray.z;
        (reach > 0.0 && reach.is_finite())
            .then(|| Point::new(centre.x + ray.x * reach, centre.y + ray.y * reach))
    }

    /// The camera with its parameters moved by `step`, in the order of [`ParameterJacobian`].
    pub fn stepped(&self, step: &SMatrix<f64, CAMERA_PARAMETERS, 1>) -> Camera {
        let turn = Rotation3::new(Vector3::new(step[9], step[10], step[11]));
        Camera {
            image_size: self.image_size,
            lens: self.lens.stepped(&step.fixed_rows::<9>(0).into_owned()),
            pose: Pose {
                rotation: turn * self.pose.rotation,
                translation_mm: self.pose.translation_mm + step.fixed_rows::<3>(12),
            },
        }
    }

    /// How uncertain the board point is that [`Camera::board_from_image`] gives for the pixel in
    /// which `at` is seen, when the camera's own numbers have this covariance; in mm².
    pub fn board_covariance_mm2(
        &self,
        at: Point3<f64>,
        covariance: &CameraCovariance,
    ) -> Option<Matrix2<f64>> {
        let seen = self.project(at)?;
        let by_xy: Matrix2<f64> = seen.by_point.fixed_view::<2, 2>(0, 0).into_owned();
        let board_by_parameters = by_xy.try_inverse()? * seen.by_parameters;
        Some(board_by_parameters * covariance * board_by_parameters.transpose())
    }

    /// Millimetres on the surface that one pixel covers around a board point (geometric mean of
    /// the two directions).
    pub fn mm_per_px(&self, at: Point) -> Option<f64> {
        let j = self.project(Point3::new(at.x, at.y, 0.0))?.by_point;
        let scale = (j[(0, 0)] * j[(1, 1)] - j[(0, 1)] * j[(1, 0)]).abs().sqrt();
        (scale > 0.0).then(|| 1.0 / scale)
    }
}
