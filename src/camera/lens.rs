//! The lens: pinhole with Brown-Conrady distortion, both ways.

use nalgebra::{Matrix2, SMatrix, SVector, Vector2};
use serde::{Deserialize, Serialize};

use super::Pixel;

/// Focal lengths and principal point in pixels, and OpenCV's distortion coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Lens {
    pub fx: f64,
    pub fy: f64,
    pub cx: f64,
    pub cy: f64,
    #[serde(default)]
    pub k1: f64,
    #[serde(default)]
    pub k2: f64,
    #[serde(default)]
    pub p1: f64,
    #[serde(default)]
    pub p2: f64,
    #[serde(default)]
    pub k3: f64,
}

/// A pixel with its derivatives by the ray (x/z, y/z) and by the lens's nine numbers.
#[derive(Debug, Clone, Copy)]
pub struct LensProjection {
    pub pixel: Pixel,
    pub by_ray: Matrix2<f64>,
    pub by_lens: SMatrix<f64, 2, 9>,
}

/// Newton steps allowed when a pixel is turned into a ray; strong lenses need about ten.
const MAX_STEPS: usize = 50;
/// A ray is found when it moves less than this (about 1e-11 px).
const RAY_TOLERANCE: f64 = 1e-14;

impl Lens {
    /// A lens without distortion, its axis through the middle of the picture.
    pub fn ideal(focal_px: f64, image_size: [u32; 2]) -> Self {
        let [w, h] = image_size.map(f64::from);
        Self {
            fx: focal_px,
            fy: focal_px,
            cx: (w - 1.0) / 2.0,
            cy: (h - 1.0) / 2.0,
            k1: 0.0,
            k2: 0.0,
            p1: 0.0,
            p2: 0.0,
            k3: 0.0,
        }
    }

    /// The pixel where a ray (x/z, y/z) is imaged; `None` beyond the radius at which the
    /// polynomial folds back and one pixel would have two rays.
    pub fn pixel_from_ray(&self, x: f64, y: f64) -> Option<Pixel> {
        let r2 = x * x + y * y;
        if self.slope(r2) <= 0.0 || !self.is_unfolded(r2) {
            return None;
        }
        let d = self.distort(x, y);
        Some(Pixel::new(self.fx * d.x + self.cx, self.fy * d.y + self.cy))
    }

    pub fn pixel_from_ray_with_derivatives(&self, x: f64, y: f64) -> Option<LensProjection> {
        let pixel = self.pixel_from_ray(x, y)?;
        let d = self.distort(x, y);
        let focal = Matrix2::new(self.fx, 0.0, 0.0, self.fy);
        let r2 = x * x + y * y;
        let (r4, r6) = (r2 * r2, r2 * r2 * r2);
        let (fx, fy) = (self.fx, self.fy);
        #[rustfmt::skip]
        let by_lens = SMatrix::<f64, 2, 9>::from_row_slice(&[
            d.x, 0.0, 1.0, 0.0, fx * x * r2, fx * x * r4, fx * 2.0 * x * y, fx * (r2 + 2.0 * x * x), fx * x * r6,
            0.0, d.y, 0.0, 1.0, fy * y * r2, fy * y * r4, fy * (r2 + 2.0 * y * y), fy * 2.0 * x * y, fy * y * r6,
        ]);
        Some(LensProjection { pixel, by_ray: focal * self.distort_by_ray(x, y), by_lens })
    }

    /// The ray (x/z, y/z) of a pixel; `None` where the lens images nothing.
    pub fn ray_from_pixel(&self, u: f64, v: f64) -> Option<(f64, f64)> {
        let target = Vector2::new((u - self.cx) / self.fx, (v - self.cy) / self.fy);
        if self.k1 == 0.0 && self.k2 == 0.0 && self.k3 == 0.0 && self.p1 == 0.0 && self.p2 == 0.0 {
            return Some((target.x, target.y));
        }
        self.ray_by_newton(target, target).or_else(|| self.ray_by_newton(target, self.radial_guess(target)))
    }

    /// The ray whose distorted place is `target`, from a first guess.
    fn ray_by_newton(&self, target: Vector2<f64>, guess: Vector2<f64>) -> Option<(f64, f64)> {
        let mut ray = guess;
        for _ in 0..MAX_STEPS {
            // Keep inside the unfolded disc: Newton from outside of it finds the wrong branch.
            let mut shrink = 0;
            while !self.is_unfolded(ray.norm_squared()) && shrink < MAX_STEPS {
                ray *= 0.8;
                shrink += 1;
            }
            let miss = self.distort(ray.x, ray.y) - target;
            let step = self.distort_by_ray(ray.x, ray.y).lu().solve(&miss)?;
            ray -= step;
            if step.norm() < RAY_TOLERANCE {
                break;
            }
        }
        let miss = self.distort(ray.x, ray.y) - target;
        (miss.norm() < 1e-9 && self.is_unfolded(ray.norm_squared())).then_some((ray.x, ray.y))
    }

    /// A guess for pixels near the border of what a strong lens images, where Newton's method from
    /// the undistorted place runs in circles: the radial polynomial alone, by halving.
    fn radial_guess(&self, target: Vector2<f64>) -> Vector2<f64> {
        /// Halvings that exhaust a double's digits.
        const HALVINGS: usize = 60;
        /// No lens of this model sees farther off its axis (84 degrees).
        const WIDEST: f64 = 10.0;
        let wanted = target.norm();
        let radius_of = |r: f64| r * (1.0 + r * r * (self.k1 + r * r * (self.k2 + r * r * self.k3)));
        let (mut low, mut high) = (0.0, WIDEST);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if self.is_unfolded(middle * middle) && radius_of(middle) < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        if wanted > 0.0 { target * (low / wanted) } else { target }
    }

    /// The lens with its nine numbers moved by `step`, in the order of the struct.
    pub fn stepped(&self, step: &SVector<f64, 9>) -> Lens {
        Lens {
            fx: self.fx + step[0],
            fy: self.fy + step[1],
            cx: self.cx + step[2],
            cy: self.cy + step[3],
            k1: self.k1 + step[4],
            k2: self.k2 + step[5],
            p1: self.p1 + step[6],
            p2: self.p2 + step[7],
            k3: self.k3 + step[8],
        }
    }

    fn distort(&self, x: f64, y: f64) -> Vector2<f64> {
        let r2 = x * x + y * y;
        let radial = 1.0 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3));
        Vector2::new(
            x * radial + 2.0 * self.p1 * x * y + self.p2 * (r2 + 2.0 * x * x),
            y * radial + self.p1 * (r2 + 2.0 * y * y) + 2.0 * self.p2 * x * y,
        )
    }

    fn distort_by_ray(&self, x: f64, y: f64) -> Matrix2<f64> {
        let r2 = x * x + y * y;
        let radial = 1.0 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3));
        let by_r2 = self.k1 + r2 * (2.0 * self.k2 + 3.0 * r2 * self.k3);
        let cross = 2.0 * (x * y * by_r2 + self.p1 * x + self.p2 * y);
        Matrix2::new(
            radial + 2.0 * x * x * by_r2 + 2.0 * self.p1 * y + 6.0 * self.p2 * x,
            cross,
            cross,
            radial + 2.0 * y * y * by_r2 + 6.0 * self.p1 * y + 2.0 * self.p2 * x,
        )
    }

    /// Slope of the radial polynomial r(1 + k1 r² + k2 r⁴ + k3 r⁶) at r² = `r2`.
    fn slope(&self, r2: f64) -> f64 {
        1.0 + r2 * (3.0 * self.k1 + r2 * (5.0 * self.k2 + r2 * 7.0 * self.k3))
    }

    /// Whether the radial polynomial still grows everywhere up to r² = `r2`.
    fn is_unfolded(&self, r2: f64) -> bool {
        // The slope is a cubic in r²: its minima in (0, r2) are at the ends or at its own
        // stationary points, so a handful of evaluations decides.
        let (a, b, c) = (21.0 * self.k3, 10.0 * self.k2, 3.0 * self.k1);
        let stationary = if a.abs() < 1e-300 {
            [if b == 0.0 { f64::NAN } else { -c / b }, f64::NAN]
        } else {
            let root = (b * b - 4.0 * a * c).sqrt();
            [(-b + root) / (2.0 * a), (-b - root) / (2.0 * a)]
        };
        self.slope(r2) > 0.0 && stationary.iter().all(|&s| !(s > 0.0 && s < r2) || self.slope(s) > 0.0)
    }
}
