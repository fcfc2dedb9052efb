//! A decoded picture and its samples in linear light.

use std::sync::LazyLock;

use image::RgbImage;

/// Linear light of an 8-bit sRGB value, 0 to 1.
static LINEAR_FROM_SRGB: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|value| {
        let encoded = value as f64 / 255.0;
        let linear = if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) };
        linear as f32
    })
});

/// A decoded, upright picture.
#[derive(Debug, Clone)]
pub struct Picture {
    rgb: RgbImage,
    /// Held here so that the hot loops do not ask each time whether it is initialised.
    linear_from_srgb: &'static [f32; 256],
}

impl Picture {
    pub fn new(rgb: RgbImage) -> Self {
        Self { rgb, linear_from_srgb: &LINEAR_FROM_SRGB }
    }

    pub fn rgb(&self) -> &RgbImage {
        &self.rgb
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.rgb.width(), self.rgb.height()]
    }

    /// Linear light of an 8-bit value of this picture: for loops that read the bytes themselves.
    #[inline]
    pub fn linear_from_srgb(&self) -> &'static [f32; 256] {
        self.linear_from_srgb
    }

    /// One pixel in linear light. Out of the picture is a caller's mistake and panics.
    #[inline]
    pub fn linear(&self, x: u32, y: u32) -> [f32; 3] {
        let at = (y as usize * self.rgb.width() as usize + x as usize) * 3;
        let bytes = &self.rgb.as_raw()[at..at + 3];
        [0, 1, 2].map(|i| self.linear_from_srgb[usize::from(bytes[i])])
    }

    /// Appends `width` pixels of row `y` from column `x` on to `light`. Out of the picture is a
    /// caller's mistake and panics.
    pub fn read_linear_row(&self, x: u32, y: u32, width: u32, light: &mut Vec<[f32; 3]>) {
        let table = &*LINEAR_FROM_SRGB;
        let first = (y as usize * self.rgb.width() as usize + x as usize) * 3;
        let row = &self.rgb.as_raw()[first..first + width as usize * 3];
        light.extend(row.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(|value| table[usize::from(value)])));
    }

    /// Linear light at a place between pixels (bilinear); `None` outside the picture.
    #[inline]
    pub fn sample(&self, u: f64, v: f64) -> Option<[f32; 3]> {
        let [width, height] = self.size();
        if !(u >= 0.0 && v >= 0.0 && u <= f64::from(width) - 1.0 && v <= f64::from(height) - 1.0) {
            return None;
        }
        let (x, y) = ((u as u32).min(width.saturating_sub(2)), (v as u32).min(height.saturating_sub(2)));
        let (right, below) = ((x + 1).min(width - 1), (y + 1).min(height - 1));
        let (fx, fy) = ((u - f64::from(x)) as f32, (v - f64::from(y)) as f32);
        let [a, b] = [self.linear(x, y), self.linear(right, y)];
        let [c, d] = [self.linear(x, below), self.linear(right, below)];
        Some(std::array::from_fn(|i| {
            (a[i] * (1.0 - fx) + b[i] * fx) * (1.0 - fy) + (c[i] * (1.0 - fx) + d[i] * fx) * fy
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_between_their_neighbours_and_nowhere_outside() {
        let picture =
            Picture::new(RgbImage::from_fn(4, 3, |x, y| image::Rgb([x as u8 * 60, y as u8 * 90, 255])));
        let middle = picture.sample(1.5, 0.5).expect("inside");
        let corners = [(1, 0), (2, 0), (1, 1), (2, 1)].map(|(x, y)| picture.linear(x, y));
        for channel in 0..3 {
            let mean: f32 = corners.iter().map(|c| c[channel]).sum::<f32>() / 4.0;
            assert!((middle[channel] - mean).abs() < 1e-6);
        }
        assert_eq!(picture.sample(3.0, 2.0), Some(picture.linear(3, 2)));
        for (u, v) in [(-0.01, 0.0), (3.01, 0.0), (0.0, 2.01), (f64::NAN, 0.0)] {
            assert_eq!(picture.sample(u, v), None);
        }
    }

    #[test]
    fn a_single_pixel_can_be_sampled() {
        let picture = Picture::new(RgbImage::from_pixel(1, 1, image::Rgb([10, 20, 30])));
        assert_eq!(picture.sample(0.0, 0.0), Some(picture.linear(0, 0)));
    }
}
