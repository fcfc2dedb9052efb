//! A decoded picture and its samples in linear light.

use std::sync::LazyLock;

use image::RgbImage;

use super::srgb;

/// Linear light of an 8-bit sRGB value, 0 to 1.
static LINEAR_FROM_SRGB: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|value| srgb::linear(value as f64 / 255.0) as f32));

/// Weighted linear light of the 8-bit values of each channel.
pub type ChannelTables = [[f32; 256]; 3];

/// Tables for [`Picture::sample_weighted`]: linear light times a weight a channel.
pub fn weighted_light(weights: [f32; 3]) -> ChannelTables {
    weights.map(|weight| LINEAR_FROM_SRGB.map(|light| light * weight))
}

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

    /// Each pixel with its eight neighbours, weighted 1 2 1 both ways: what noise hides shows better. The border
    /// stays as it is.
    pub fn smoothed(&self) -> Picture {
        let (line, rows) = (3 * self.rgb.width() as usize, self.rgb.height() as usize);
        let mut smooth = self.rgb.clone();
        if line < 9 || rows < 3 {
            return Picture::new(smooth);
        }
        let values = self.rgb.as_raw();
        let mut down = vec![0_u16; line];
        for row in 1..rows - 1 {
            let [above, here, below] =
                [row - 1, row, row + 1].map(|row| &values[row * line..(row + 1) * line]);
            for (sum, ((above, here), below)) in down.iter_mut().zip(above.iter().zip(here).zip(below)) {
                *sum = u16::from(*above) + 2 * u16::from(*here) + u16::from(*below);
            }
            let inner = &mut smooth.as_mut()[row * line + 3..(row + 1) * line - 3];
            for (value, ((left, here), right)) in
                inner.iter_mut().zip(down.iter().zip(&down[3..]).zip(&down[6..]))
            {
                *value = ((left + 2 * here + right + 8) / 16) as u8;
            }
        }
        Picture::new(smooth)
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

    /// Appends `width` pixels of row `y` from column `x` on to `light`, a channel each. Out of the
    /// picture is a caller's mistake and panics.
    pub fn read_linear_row(&self, x: u32, y: u32, width: u32, light: &mut [Vec<f32>; 3]) {
        let table = self.linear_from_srgb;
        let first = (y as usize * self.rgb.width() as usize + x as usize) * 3;
        let (pixels, _) = self.rgb.as_raw()[first..first + width as usize * 3].as_chunks::<3>();
        for (channel, light) in light.iter_mut().enumerate() {
            light.extend(pixels.iter().map(|pixel| table[usize::from(pixel[channel])]));
        }
    }

    /// Linear light at a place between pixels (bilinear); `None` outside the picture.
    #[inline]
    pub fn sample(&self, u: f64, v: f64) -> Option<[f32; 3]> {
        let [width, height] = self.size();
        if !(u >= 0.0 && v >= 0.0 && u < f64::from(width) - 1.0 && v < f64::from(height) - 1.0) {
            return self.sample_at_border(u, v);
        }
        let (x, y) = (u as i32, v as i32);
        let (fx, fy) = ((u - f64::from(x)) as f32, (v - f64::from(y)) as f32);
        let row = 3 * width as usize;
        let first = y as usize * row + 3 * x as usize;
        let raw = self.rgb.as_raw();
        let (above, below) = (&raw[first..first + 6], &raw[first + row..first + row + 6]);
        let light = |two: &[u8], at: usize| self.linear_from_srgb[usize::from(two[at])];
        let channel = |i: usize| {
            let (a, b) = (light(above, i), light(above, i + 3));
            let (c, d) = (light(below, i), light(below, i + 3));
            (a * (1.0 - fx) + b * fx) * (1.0 - fy) + (c * (1.0 - fx) + d * fx) * fy
        };
        Some([channel(0), channel(1), channel(2)])
    }

    /// The picture's last row and column, where there is no pixel below or to the right.
    #[cold]
    fn sample_at_border(&self, u: f64, v: f64) -> Option<[f32; 3]> {
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

    /// One number for a place between pixels: the channels' weighted linear light (bilinear);
    /// `None` outside the picture.
    #[inline]
    pub fn sample_weighted(&self, u: f64, v: f64, tables: &ChannelTables) -> Option<f32> {
        let [width, height] = self.size();
        if !(u >= 0.0 && v >= 0.0 && u < f64::from(width) - 1.0 && v < f64::from(height) - 1.0) {
            return self.sample_weighted_at_border(u, v, tables);
        }
        let (x, y) = (u as i32, v as i32);
        let (fx, fy) = ((u - f64::from(x)) as f32, (v - f64::from(y)) as f32);
        let row = 3 * width as usize;
        let first = y as usize * row + 3 * x as usize;
        let raw = self.rgb.as_raw();
        let (above, below) = (&raw[first..first + 6], &raw[first + row..first + row + 6]);
        let light = |two: &[u8], at: usize| {
            tables[0][usize::from(two[at])]
                + tables[1][usize::from(two[at + 1])]
                + tables[2][usize::from(two[at + 2])]
        };
        let (a, b, c, d) = (light(above, 0), light(above, 3), light(below, 0), light(below, 3));
        let (top, bottom) = (a + (b - a) * fx, c + (d - c) * fx);
        Some(top + (bottom - top) * fy)
    }

    /// The picture's last row and column, where there is no pixel below or to the right.
    #[cold]
    fn sample_weighted_at_border(&self, u: f64, v: f64, tables: &ChannelTables) -> Option<f32> {
        let [width, height] = self.size().map(f64::from);
        if !(u >= 0.0 && v >= 0.0 && u <= width - 1.0 && v <= height - 1.0) {
            return None;
        }
        let (x, y) = (u as u32, v as u32);
        let (right, below) = ((x + 1).min(self.rgb.width() - 1), (y + 1).min(self.rgb.height() - 1));
        let (fx, fy) = ((u - f64::from(x)) as f32, (v - f64::from(y)) as f32);
        let light = |x: u32, y: u32| {
            let pixel = self.rgb.get_pixel(x, y).0;
            (0..3).map(|c| tables[c][usize::from(pixel[c])]).sum::<f32>()
        };
        let (a, b, c, d) = (light(x, y), light(right, y), light(x, below), light(right, below));
        let (top, bottom) = (a + (b - a) * fx, c + (d - c) * fx);
        Some(top + (bottom - top) * fy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_spreads_a_pixel_over_its_neighbours() {
        let mut rgb = RgbImage::from_pixel(7, 6, image::Rgb([100, 100, 100]));
        rgb.put_pixel(3, 2, image::Rgb([180, 100, 20]));
        let smooth = Picture::new(rgb).smoothed();
        let at = |x: u32, y: u32| smooth.rgb().get_pixel(x, y).0;
        assert_eq!(
            [at(3, 2), at(4, 2), at(3, 3), at(2, 1)],
            [[120, 100, 80], [110, 100, 90], [110, 100, 90], [105, 100, 95]]
        );
        assert_eq!([at(0, 0), at(6, 5), at(5, 2), at(3, 4)], [[100; 3]; 4]);
    }

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
    fn a_weighted_sample_is_the_weighted_sum_of_a_sample() {
        let picture = Picture::new(RgbImage::from_fn(5, 4, |x, y| {
            image::Rgb([(x * 53 + y * 7) as u8, (y * 71 + x) as u8, (200 - x * 30) as u8])
        }));
        let weights = [0.5, -0.3, 0.2];
        let tables = weighted_light(weights);
        for (u, v) in [(0.0, 0.0), (1.3, 2.7), (3.99, 0.01), (4.0, 1.5), (2.2, 3.0), (4.0, 3.0)] {
            let whole = picture.sample(u, v).expect("inside");
            let sum: f32 = whole.iter().zip(weights).map(|(light, weight)| light * weight).sum();
            let weighted = picture.sample_weighted(u, v, &tables).expect("inside");
            assert!((weighted - sum).abs() < 1e-6, "{u} {v}: {weighted} {sum}");
        }
        for (u, v) in [(-0.01, 0.0), (4.01, 0.0), (0.0, 3.01), (f64::NAN, 0.0)] {
            assert_eq!(picture.sample_weighted(u, v, &tables), None);
        }
    }

    #[test]
    fn a_single_pixel_can_be_sampled() {
        let picture = Picture::new(RgbImage::from_pixel(1, 1, image::Rgb([10, 20, 30])));
        assert_eq!(picture.sample(0.0, 0.0), Some(picture.linear(0, 0)));
        let red = weighted_light([1.0, 0.0, 0.0]);
        assert_eq!(picture.sample_weighted(0.0, 0.0, &red), Some(picture.linear(0, 0)[0]));
    }
}
