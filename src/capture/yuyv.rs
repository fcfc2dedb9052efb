//! A camera's raw YUYV pictures: two pixels in four bytes, Y0 U Y1 V, brightness 16 to 235
//! (Rec. 601), as webcams send them.

use std::sync::Arc;

use image::RgbImage;
use opencv::{
    core::Mat,
    imgproc::{COLOR_YUV2RGB_YUYV, cvt_color_def},
    prelude::*,
};

/// Exactly the picture's bytes. Buffers of cameras are longer than their pictures.
pub(super) fn without_padding([width, height]: [u32; 2], bytes: &[u8]) -> Result<&[u8], String> {
    if width == 0 || height == 0 || !width.is_multiple_of(2) {
        return Err(format!("a YUYV picture of {width} x {height} pixels: expected an even width"));
    }
    let needed = width as usize * height as usize * 2;
    bytes.get(..needed).ok_or_else(|| {
        format!("a YUYV picture of {width} x {height} pixels has {needed} bytes, found {}", bytes.len())
    })
}

/// The picture of a camera's buffer, whose rows lie `stride` bytes apart; none when it is cut off.
pub(super) fn packed([width, height]: [u32; 2], stride: usize, buffer: &[u8]) -> Option<Arc<[u8]>> {
    let row = width as usize * 2;
    if stride == row {
        return without_padding([width, height], buffer).ok().map(Arc::from);
    }
    let mut bytes = Vec::with_capacity(row * height as usize);
    for y in 0..height as usize {
        bytes.extend_from_slice(buffer.get(y * stride..y * stride + row)?);
    }
    Some(bytes.into())
}

pub(super) fn rgb(size: [u32; 2], bytes: &[u8]) -> Result<RgbImage, String> {
    let bytes = without_padding(size, bytes)?;
    let convert = || -> opencv::Result<Vec<u8>> {
        let pairs = Mat::from_slice(bytes)?;
        let yuyv = pairs.reshape(2, i32::try_from(size[1]).unwrap_or(i32::MAX))?;
        let mut rgb = Mat::default();
        cvt_color_def(&yuyv, &mut rgb, COLOR_YUV2RGB_YUYV)?;
        Ok(rgb.data_bytes()?.to_vec())
    };
    let pixels = convert().map_err(|error| error.message)?;
    RgbImage::from_raw(size[0], size[1], pixels).ok_or_else(|| "OpenCV gave another size".to_owned())
}

/// Brightness 16 to 235 stretched to 0 to 255, as in the RGB picture.
pub(super) fn full_range(brightness: u8) -> u8 {
    let above_black = u32::from(brightness.saturating_sub(16));
    ((above_black * 255 + 109) / 219).min(255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_taken_out_of_their_padding() {
        let buffer: Vec<u8> = (0..20).collect();
        assert_eq!(packed([2, 2], 4, &buffer).as_deref(), Some(&buffer[..8]));
        assert_eq!(packed([2, 2], 6, &buffer).as_deref(), Some(&[0, 1, 2, 3, 6, 7, 8, 9][..]));
        assert_eq!(packed([2, 4], 6, &buffer), None);
        assert_eq!(packed([4, 4], 8, &buffer), None);
    }
}
