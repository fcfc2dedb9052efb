//! A reduced picture in CIE L*a*b*, in which equal distances look about equally different.

use image::imageops;
use imageproc::filter::median_filter;
use nalgebra::Vector3;

use crate::capture::{Picture, srgb};

/// A colour in L*a*b*.
pub(crate) type Lab = Vector3<f32>;

pub(super) struct ColourPicture {
    pub width: usize,
    pub height: usize,
    values: Vec<Lab>,
    /// Pixels of the whole picture for one of this.
    pub reduction: f64,
}

impl ColourPicture {
    /// The picture with a longer side of `longer_px` at most, its grain taken out by a median of that radius (0: as it is).
    pub fn reduce(picture: &Picture, longer_px: u32, smooth_px: u32) -> Self {
        let [width, height] = picture.size();
        let reduction = (f64::from(width.max(height)) / f64::from(longer_px)).max(1.0);
        let side = |full: u32| ((f64::from(full) / reduction).round() as u32).max(1);
        let small = imageops::thumbnail(picture.rgb(), side(width), side(height));
        let small = if smooth_px > 0 { median_filter(&small, smooth_px, smooth_px) } else { small };
        let light: Vec<f32> = (0..256).map(|byte| srgb::linear(byte as f64 / 255.0) as f32).collect();
        let values = small.pixels().map(|pixel| lab(pixel.0.map(|byte| light[usize::from(byte)]))).collect();
        Self { width: small.width() as usize, height: small.height() as usize, values, reduction }
    }

    pub fn diagonal_px(&self) -> f64 {
        (self.width as f64).hypot(self.height as f64)
    }

    pub fn at(&self, x: usize, y: usize) -> Lab {
        self.values[y * self.width + x]
    }

    pub fn contains(&self, x: f64, y: f64) -> bool {
        x >= 0.0 && y >= 0.0 && x <= (self.width - 1) as f64 && y <= (self.height - 1) as f64
    }

    /// The colour between pixels (bilinear); `None` outside.
    pub fn sample(&self, x: f64, y: f64) -> Option<Lab> {
        if !self.contains(x, y) {
            return None;
        }
        let (left, top) = (x as usize, y as usize);
        let (right, below) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (fx, fy) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let above = self.at(left, top) * (1.0 - fx) + self.at(right, top) * fx;
        let under = self.at(left, below) * (1.0 - fx) + self.at(right, below) * fx;
        Some(above * (1.0 - fy) + under * fy)
    }
}

/// L*a*b* (D65) of linear sRGB light.
pub(crate) fn lab([r, g, b]: [f32; 3]) -> Lab {
    let part = |t: f32| if t > 216.0 / 24389.0 { t.cbrt() } else { t * (841.0 / 108.0) + 4.0 / 29.0 };
    let x = part((0.412_456_4 * r + 0.357_576_1 * g + 0.180_437_5 * b) / 0.950_47);
    let y = part(0.212_672_9 * r + 0.715_152_2 * g + 0.072_175 * b);
    let z = part((0.019_333_9 * r + 0.119_192 * g + 0.950_304_1 * b) / 1.088_83);
    Lab::new(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
}

/// How different two colours look, with lightness weighted.
pub(super) fn apart(a: Lab, b: Lab, lightness_weight: f32) -> f32 {
    let d = a - b;
    Lab::new(d.x * lightness_weight, d.y, d.z).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lab_of_known_colours() {
        let near = |a: Lab, b: [f32; 3]| (a - Lab::from(b)).norm() < 0.05;
        assert!(near(lab([1.0, 1.0, 1.0]), [100.0, 0.0, 0.0]));
        assert!(near(lab([0.0, 0.0, 0.0]), [0.0, 0.0, 0.0]));
        assert!(near(lab([1.0, 0.0, 0.0]), [53.24, 80.09, 67.2]));
        assert!(near(lab([0.0, 0.0, 1.0]), [32.3, 79.19, -107.86]));
    }
}
