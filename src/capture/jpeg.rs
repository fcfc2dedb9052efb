//! JPEG files: whether one is whole, and its brightness alone.
//!
//! Decoders fill what is missing of a cut-off file with grey and report success. A scorer must
//! not: half of the pieces would be "gone".

use image::{DynamicImage, GrayImage, metadata::Orientation};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

const START_OF_SCAN: u8 = 0xDA;
const END_OF_IMAGE: u8 = 0xD9;

pub(super) fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xD8, 0xFF])
}

/// Whether the end-of-image marker of the picture itself (not of a thumbnail in its metadata) is
/// there. What follows it does not matter: cameras pad their files.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    length(bytes).is_some()
}

/// Bytes from the start to behind the end-of-image marker; none when that is missing.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let mut at = 2;
    while let Some(marker_at) = next_marker(bytes, at) {
        let marker = bytes[marker_at];
        match marker {
            END_OF_IMAGE => return Some(marker_at + 1),
            // Restarts and fill have no length and stand inside the coded data.
            0x00 | 0x01 | 0xD0..=0xD7 => at = marker_at + 1,
            _ => {
                let &[high, low] = bytes.get(marker_at + 1..marker_at + 3)? else { return None };
                at = marker_at + 1 + usize::from(u16::from_be_bytes([high, low]));
                if marker == START_OF_SCAN && at >= bytes.len() {
                    return None;
                }
            }
        }
    }
    None
}

/// The JPEG at the start of a camera's buffer, without what follows it; none when it is not whole.
pub(super) fn cut_out(buffer: &[u8]) -> Option<&[u8]> {
    if is_jpeg(buffer) { buffer.get(..length(buffer)?) } else { None }
}

/// The brightness of a JPEG, turned upright: two thirds of the time that its colours would take.
/// None if it cannot be had: no JPEG, a damaged one, or one that keeps no brightness.
pub(super) fn brightness(bytes: &[u8]) -> Option<GrayImage> {
    if !is_jpeg(bytes) {
        return None;
    }
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let values = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    let grey = GrayImage::from_raw(u32::try_from(width).ok()?, u32::try_from(height).ok()?, values)?;
    match decoder.exif().and_then(|exif| Orientation::from_exif_chunk(exif)) {
        None | Some(Orientation::NoTransforms) => Some(grey),
        Some(turned) => {
            let mut image = DynamicImage::ImageLuma8(grey);
            image.apply_orientation(turned);
            Some(image.into_luma8())
        }
    }
}

/// Index of the byte that follows the next 0xFF (runs of 0xFF are fill).
fn next_marker(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from + bytes.get(from..)?.iter().position(|&byte| byte == 0xFF)?;
    while *bytes.get(at)? == 0xFF {
        at += 1;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded() -> Vec<u8> {
        let mut bytes = Vec::new();
        let picture = image::RgbImage::from_fn(64, 48, |x, y| image::Rgb([x as u8 * 4, y as u8 * 5, 90]));
        picture
            .write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Jpeg)
            .expect("a small picture encodes");
        bytes
    }

    #[test]
    fn a_whole_file_is_whole_with_padding_too() {
        let mut bytes = encoded();
        let whole = bytes.len();
        assert!(is_jpeg(&bytes) && is_whole(&bytes));
        bytes.extend([0; 100]);
        assert_eq!(cut_out(&bytes).map(<[u8]>::len), Some(whole));
        assert_eq!(cut_out(&bytes[..whole - 1]), None);
        assert_eq!(cut_out(&[0; 500]), None);
    }

    #[test]
    fn every_cut_is_noticed() {
        let bytes = encoded();
        for length in 3..bytes.len() - 1 {
            assert!(!is_whole(&bytes[..length]), "cut at {length} of {}", bytes.len());
        }
    }
}
