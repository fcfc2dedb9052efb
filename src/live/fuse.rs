//! Several frames of a view at rest become one picture.
//!
//! In: pictures of one size. Out: their robust mean in linear light: of three or more the darkest
//! and the brightest value of a pixel are left out, so that one frame's fault leaves no trace. It
//! takes noise away, not the bias of rims, shadows and lens: the measurement's uncertainty stays
//! what it is for one frame.

use std::sync::{Arc, LazyLock};

use image::RgbImage;

use crate::capture::{Picture, srgb};

/// Steps of the table that leads back from linear light: fine enough to be exact at the dark end.
const STEPS: usize = 1 << 13;

static SRGB_FROM_LINEAR: LazyLock<Vec<u8>> =
    LazyLock::new(|| (0..=STEPS).map(|step| srgb::encoded_byte(step as f64 / STEPS as f64)).collect());

/// The robust mean; `None` without pictures or with pictures of different sizes.
pub fn fuse(pictures: &[Arc<Picture>]) -> Option<Arc<Picture>> {
    let first = pictures.first()?;
    if pictures.iter().any(|picture| picture.size() != first.size()) {
        return None;
    }
    if pictures.len() == 1 {
        return Some(Arc::clone(first));
    }
    let linear = first.linear_from_srgb();
    let back = &*SRGB_FROM_LINEAR;
    let rows: Vec<&[u8]> = pictures.iter().map(|picture| picture.rgb().as_raw().as_slice()).collect();
    let trimmed = rows.len() >= 3;
    let count = (if trimmed { rows.len() - 2 } else { rows.len() }) as f32;
    let mut fused = Vec::with_capacity(rows[0].len());
    for at in 0..rows[0].len() {
        let (mut sum, mut low, mut high) = (0.0_f32, u8::MAX, u8::MIN);
        for row in &rows {
            let value = row[at];
            sum += linear[usize::from(value)];
            low = low.min(value);
            high = high.max(value);
        }
        if trimmed {
            sum -= linear[usize::from(low)] + linear[usize::from(high)];
        }
        let step = (sum / count * STEPS as f32 + 0.5) as usize;
        fused.push(back[step.min(STEPS)]);
    }
    let [width, height] = first.size();
    RgbImage::from_raw(width, height, fused).map(|rgb| Arc::new(Picture::new(rgb)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(value: u8) -> Arc<Picture> {
        Arc::new(Picture::new(RgbImage::from_pixel(3, 2, image::Rgb([value; 3]))))
    }

    #[test]
    fn equal_frames_fuse_to_themselves_at_every_brightness() {
        for value in 0..=255 {
            for count in 1..=5 {
                let fused = fuse(&vec![flat(value); count]).expect("same sizes");
                assert_eq!(fused.rgb().get_pixel(1, 1).0, [value; 3], "{count} frames");
            }
        }
    }

    #[test]
    fn one_frames_fault_leaves_no_trace() {
        let fused = fuse(&[flat(100), flat(250), flat(100), flat(100)]).expect("same sizes");
        assert_eq!(fused.rgb().get_pixel(0, 0).0, [100; 3]);
    }

    #[test]
    fn frames_of_different_sizes_do_not_fuse() {
        let other = Arc::new(Picture::new(RgbImage::new(2, 2)));
        assert!(fuse(&[flat(1), other]).is_none());
        assert!(fuse(&[]).is_none());
    }
}
