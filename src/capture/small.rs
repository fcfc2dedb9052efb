//! Small grey pictures of frames, as cheap as they can be had.
//!
//! In: a frame's pixels in any form. Out: the means of squares of 2, 4 or 8 pixels a side. Of a
//! JPEG the brightness alone is decoded, without colours.

use std::path::Path;

use image::GrayImage;

use super::{FrameError, PhotoError, PhotoLimits, Picture, decode_photo, jpeg, srgb::BRIGHTNESS};

/// How many times smaller a small picture is than its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    Half,
    Quarter,
    Eighth,
}

impl Reduction {
    /// Pixels of the frame along a side of one small pixel.
    pub fn factor(self) -> u32 {
        match self {
            Reduction::Half => 2,
            Reduction::Quarter => 4,
            Reduction::Eighth => 8,
        }
    }
}

/// A small grey picture, in the encoding of the frame (not in linear light).
#[derive(Debug, Clone, PartialEq)]
pub struct SmallGrey {
    pub grey: GrayImage,
    pub reduction: Reduction,
}

impl SmallGrey {
    /// The place in the frame of a place in the small picture, both in pixels with (0, 0) at the
    /// centre of the first.
    pub fn frame_from_small(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let factor = f64::from(self.reduction.factor());
        [u, v].map(|small| (small + 0.5) * factor - 0.5)
    }

    /// The place in the small picture of a place in the frame.
    pub fn small_from_frame(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let factor = f64::from(self.reduction.factor());
        [u, v].map(|frame| (frame + 0.5) / factor - 0.5)
    }
}

pub(super) fn of_encoded(bytes: &[u8], path: &Path, reduction: Reduction) -> Result<SmallGrey, FrameError> {
    if jpeg::is_jpeg(bytes) && !jpeg::is_whole(bytes) {
        return Err(PhotoError::Truncated { path: path.to_owned() }.into());
    }
    match jpeg::brightness(bytes) {
        Some(grey) => Ok(of_grey(&grey, reduction)),
        // No JPEG, or one of a rare kind, or damaged: what is wrong is said there.
        None => Ok(of_picture(&decode_photo(bytes, path, &PhotoLimits::default())?, reduction)),
    }
}

fn of_grey(grey: &GrayImage, reduction: Reduction) -> SmallGrey {
    let (width, height) = grey.dimensions();
    means(grey.as_raw().chunks_exact(width.max(1) as usize), [width, height], reduction, |row, sums| {
        for (square, sum) in row.chunks(reduction.factor() as usize).zip(sums) {
            *sum += square.iter().map(|&value| u32::from(value)).sum::<u32>();
        }
    })
}

/// Weights of red, green and blue in a JPEG's brightness (Rec. 601), in 1/65536.
const BRIGHTNESS_WEIGHTS: [u32; 3] = {
    let [r, g, b] = BRIGHTNESS;
    [(r * 65_536.0 + 0.5) as u32, (g * 65_536.0 + 0.5) as u32, (b * 65_536.0 + 0.5) as u32]
};

pub(super) fn of_picture(picture: &Picture, reduction: Reduction) -> SmallGrey {
    let [width, height] = picture.size();
    let row_bytes = width as usize * 3;
    means(picture.rgb().as_raw().chunks_exact(row_bytes.max(3)), [width, height], reduction, |row, sums| {
        for (x, pixel) in row.chunks_exact(3).enumerate() {
            let weighted: u32 =
                pixel.iter().zip(BRIGHTNESS_WEIGHTS).map(|(&value, weight)| u32::from(value) * weight).sum();
            sums[x / reduction.factor() as usize] += (weighted + 32_768) >> 16;
        }
    })
}

pub(super) fn of_yuyv(size: [u32; 2], bytes: &[u8], reduction: Reduction) -> Result<SmallGrey, String> {
    let bytes = super::yuyv::without_padding(size, bytes)?;
    let row_bytes = size[0] as usize * 2;
    Ok(means(bytes.chunks_exact(row_bytes), size, reduction, |row, sums| {
        for (x, pixel) in row.chunks_exact(2).enumerate() {
            sums[x / reduction.factor() as usize] += u32::from(super::yuyv::full_range(pixel[0]));
        }
    }))
}

/// Means of squares; `add` adds a row's pixels to the sums of its columns of squares.
fn means<'r>(
    rows: impl Iterator<Item = &'r [u8]>,
    [width, height]: [u32; 2],
    reduction: Reduction,
    add: impl Fn(&[u8], &mut [u32]),
) -> SmallGrey {
    let factor = reduction.factor();
    let (small_width, small_height) = (width.div_ceil(factor), height.div_ceil(factor));
    let mut grey = GrayImage::new(small_width, small_height);
    let mut sums = vec![0_u32; small_width as usize];
    for (y, row) in (0..height).zip(rows) {
        add(row, &mut sums);
        if y % factor == factor - 1 || y == height - 1 {
            let rows_summed = y % factor + 1;
            for (x, sum) in (0..small_width).zip(&mut sums) {
                let count = rows_summed * factor.min(width - x * factor);
                grey.put_pixel(x, y / factor, image::Luma([((*sum + count / 2) / count) as u8]));
                *sum = 0;
            }
        }
    }
    SmallGrey { grey, reduction }
}
