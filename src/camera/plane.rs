//! Where the points of one plane above the board are seen.

use nalgebra::{Matrix2, Matrix3, Vector3};

use super::{Camera, Lens, Pixel};
use crate::geometry::{Point, Vector};

/// The camera for the points of one plane z = const: exact, without checks or derivatives, and so
/// cheap enough to be asked thousands of times a piece. For points near one that the camera is
/// known to see.
#[derive(Debug, Clone, Copy)]
pub struct PlaneView {
    ray_from_plane: Matrix3<f64>,
    lens: Lens,
}

impl PlaneView {
    pub fn new(camera: &Camera, z_mm: f64) -> Self {
        let r = camera.pose.rotation.matrix();
        let shift = r * Vector3::new(0.0, 0.0, z_mm) + camera.pose.translation_mm;
        let ray_from_plane = Matrix3::from_columns(&[r.column(0).into(), r.column(1).into(), shift]);
        Self { ray_from_plane, lens: camera.lens }
    }

    /// Turns a homogeneous point of the plane into a ray (x, y, z).
    pub fn ray_from_plane(&self) -> &Matrix3<f64> {
        &self.ray_from_plane
    }

    #[inline]
    pub fn pixel(&self, p: Point) -> Pixel {
        let m = &self.ray_from_plane;
        let depth = 1.0 / (m[(2, 0)] * p.x + m[(2, 1)] * p.y + m[(2, 2)]);
        let x = (m[(0, 0)] * p.x + m[(0, 1)] * p.y + m[(0, 2)]) * depth;
        let y = (m[(1, 0)] * p.x + m[(1, 1)] * p.y + m[(1, 2)]) * depth;
        let lens = &self.lens;
        let r2 = x * x + y * y;
        let radial = 1.0 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3));
        let u = x * radial + 2.0 * lens.p1 * x * y + lens.p2 * (r2 + 2.0 * x * x);
        let v = y * radial + lens.p1 * (r2 + 2.0 * y * y) + 2.0 * lens.p2 * x * y;
        Pixel::new(lens.fx * u + lens.cx, lens.fy * v + lens.cy)
    }

    /// Derivatives of the pixel by the plane's x and y, by differences over a tenth of a
    /// millimetre either way (the mapping is smooth over many millimetres).
    pub fn pixel_by_point(&self, p: Point) -> Matrix2<f64> {
        const STEP_MM: f64 = 0.1;
        let along = |step: Vector| (self.pixel(p + step) - self.pixel(p - step)) / (2.0 * STEP_MM);
        Matrix2::from_columns(&[along(Vector::new(STEP_MM, 0.0)), along(Vector::new(0.0, STEP_MM))])
    }
}
