//! The reduced grey picture that the search works on.
//!
//! In: a picture of any size. Out: grey values stretched to the full range, at most
//! `working_px` on the longer side, with the way back to the picture's own pixels.

use opencv::{
    core::{Mat, MatTraitConstManual, Size, Vec3b},
    imgproc,
};

use crate::{
    camera::{Camera, Lens},
    capture::Picture,
};

/// Share of the pixels that may be clipped at each end when the grey values are stretched.
const CLIPPED_SHARE: f64 = 0.01;
/// The stretch never multiplies contrast by more than this: beyond it only noise is amplified.
const MAX_GAIN: f32 = 8.0;

pub(super) struct SmallPicture {
    pub width: usize,
    pub height: usize,
    /// Row by row, 0 to 255 after stretching.
    pub grey: Vec<f32>,
    /// Pixels of the whole picture per pixel of this one, across and down.
    pub reduction: [f64; 2],
    pub full_size: [u32; 2],
    /// Standard deviation of the pixel noise, in grey values after stretching.
    pub noise: f32,
}

impl SmallPicture {
    pub fn reduce(picture: &Picture, working_px: u32) -> opencv::Result<Self> {
        let [full_width, full_height] = picture.size();
        let shrink = (f64::from(working_px) / f64::from(full_width.max(full_height))).min(1.0);
        let side = |full: u32| ((f64::from(full) * shrink).round() as usize).max(1);
        let (width, height) = (side(full_width), side(full_height));
        let full = Mat::new_rows_cols_with_bytes::<Vec3b>(
            full_height as i32,
            full_width as i32,
            picture.rgb().as_raw(),
        )?;
        let mut small = Mat::default();
        let size = Size::new(width as i32, height as i32);
        imgproc::resize(&full, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        let raw: Vec<f32> = small
            .data_typed::<Vec3b>()?
            .iter()
            .map(|rgb| 0.3 * f32::from(rgb[0]) + 0.59 * f32::from(rgb[1]) + 0.11 * f32::from(rgb[2]))
            .collect();
        let grey = stretch(raw);
        let noise = noise_level(&grey, width, height);
        let reduction = [f64::from(full_width) / width as f64, f64::from(full_height) / height as f64];
        Ok(Self { width, height, grey, reduction, full_size: [full_width, full_height], noise })
    }

    pub fn size(&self) -> [u32; 2] {
        [self.width as u32, self.height as u32]
    }

    pub fn contains(&self, u: f64, v: f64) -> bool {
        u >= 0.0 && v >= 0.0 && u <= (self.width - 1) as f64 && v <= (self.height - 1) as f64
    }

    /// Half of the diagonal: the unit in which the search measures focal lengths.
    pub fn half_diagonal_px(&self) -> f64 {
        (self.width as f64).hypot(self.height as f64) / 2.0
    }

    /// Grey value between pixels (bilinear); `None` outside.
    #[inline]
    pub fn sample(&self, u: f64, v: f64) -> Option<f32> {
        if !self.contains(u, v) {
            return None;
        }
        let (x, y) = (u as usize, v as usize);
        let (fx, fy) = ((u - x as f64) as f32, (v - y as f64) as f32);
        let (right, below) = ((x + 1).min(self.width - 1), (y + 1).min(self.height - 1));
        let at = |x: usize, y: usize| self.grey[y * self.width + x];
        let above = at(x, y) * (1.0 - fx) + at(right, y) * fx;
        let under = at(x, below) * (1.0 - fx) + at(right, below) * fx;
        Some(above * (1.0 - fy) + under * fy)
    }

    /// A camera of the whole picture, for this one.
    pub fn reduced_camera(&self, full: &Camera) -> Camera {
        let [across, down] = self.reduction;
        let lens = Lens {
            fx: full.lens.fx / across,
            fy: full.lens.fy / down,
            cx: (full.lens.cx + 0.5) / across - 0.5,
            cy: (full.lens.cy + 0.5) / down - 0.5,
            ..full.lens
        };
        Camera { image_size: self.size(), lens, pose: full.pose }
    }

    /// The same camera for the whole picture.
    pub fn full_camera(&self, small: &Camera) -> Camera {
        let [across, down] = self.reduction;
        let lens = Lens {
            fx: small.lens.fx * across,
            fy: small.lens.fy * down,
            cx: (small.lens.cx + 0.5) * across - 0.5,
            cy: (small.lens.cy + 0.5) * down - 0.5,
            ..small.lens
        };
        Camera { image_size: self.full_size, lens, pose: small.pose }
    }
}

/// Stretches grey values so that all but a few of them span 0 to 255.
fn stretch(mut grey: Vec<f32>) -> Vec<f32> {
    let mut histogram = [0usize; 256];
    for &value in &grey {
        histogram[value as usize & 255] += 1;
    }
    let clipped = (grey.len() as f64 * CLIPPED_SHARE) as usize;
    let low = quantile(&histogram, 0..256, clipped);
    let high = quantile(&histogram, (0..256).rev(), clipped);
    let gain = (255.0 / (high - low).max(1.0)).min(MAX_GAIN);
    for value in &mut grey {
        *value = ((*value - low) * gain).clamp(0.0, 255.0);
    }
    grey
}

/// The first bin, in the given order, by which more than `count` pixels have been met.
fn quantile(histogram: &[usize; 256], mut bins: impl Iterator<Item = usize>, count: usize) -> f32 {
    let mut met = 0;
    let bin = bins.find(|&bin| {
        met += histogram[bin];
        met > count
    });
    bin.unwrap_or(0) as f32
}

/// Noise from the median of second differences, which straight edges hardly touch.
fn noise_level(grey: &[f32], width: usize, height: usize) -> f32 {
    let mut differences: Vec<f32> = (0..height)
        .step_by(2)
        .flat_map(|y| {
            let row = &grey[y * width..(y + 1) * width];
            row.windows(3).step_by(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).collect::<Vec<_>>()
        })
        .collect();
    if differences.is_empty() {
        return 0.0;
    }
    let middle = differences.len() / 2;
    let (_, median, _) = differences.select_nth_unstable_by(middle, f32::total_cmp);
    // For Gaussian noise the median of |a - 2b + c| is 0.6745 * sqrt(6) standard deviations.
    *median / (0.6745 * 6f32.sqrt())
}
