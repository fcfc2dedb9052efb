//! A photo file becomes a picture, or the reason why it cannot.

use std::{
    io::{Cursor, Read},
    path::{Path, PathBuf},
};

use image::{DynamicImage, ImageDecoder, ImageReader};

use super::{Picture, entropy, jpeg, seam};

crate::options::options! {
    /// What a photo may cost before it is decoded.
    #[derive(Debug, Clone)]
    pub struct PhotoLimits {
        /// Largest number of pixels, in millions, by the file's header. Default 150: above any
        /// phone's everyday photos, 450 MB when decoded. More lets larger scans in; a picture that
        /// claims more is refused before a byte of it is decoded.
        pub max_megapixels: f64 = 150.0,
        /// Largest file in bytes. Default 512 MiB.
        pub max_bytes: u64 = 512 << 20,
        /// Smallest side in pixels. Default 64: below it no board file's lines can be told apart.
        pub min_side_px: u32 = 64,
    }
}

/// Why a file gives no picture.
#[derive(Debug, thiserror::Error)]
pub enum PhotoError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path} is a directory: name the photos in it, for example {path}/*.jpg")]
    Directory { path: PathBuf },
    #[error("{path} is a pipe or a device, not a file: save the photo to a file first")]
    NotAFile { path: PathBuf },
    #[error("{path} is empty: copy the photo again")]
    Empty { path: PathBuf },
    #[error("{path} has {bytes} bytes, more than the {limit} allowed for a photo")]
    TooManyBytes { path: PathBuf, bytes: u64, limit: u64 },
    #[error("{path} is not a picture: expected JPEG, PNG, WebP, BMP or TIFF")]
    NotAPicture { path: PathBuf },
    #[error("{path} is {what}, which cannot be read: {advice}")]
    Unreadable { path: PathBuf, what: &'static str, advice: &'static str },
    #[error("{path} is damaged: {reason}. Copy the photo again, or take another one")]
    Torn { path: PathBuf, reason: String },
    #[error("{path} is cut off: the end of the JPEG is missing, copy the photo again")]
    Truncated { path: PathBuf },
    #[error("{path} is {width} x {height} pixels, more than the {limit} megapixels allowed: scale it down")]
    TooLarge { path: PathBuf, width: u32, height: u32, limit: f64 },
    #[error(
        "{path} is {width} x {height} pixels, too small to see a board in: at least {limit} a side are needed"
    )]
    TooSmall { path: PathBuf, width: u32, height: u32, limit: u32 },
    #[error("{path} cannot be decoded, it is damaged or of an unknown kind: {reason}")]
    Damaged { path: PathBuf, reason: String },
}

/// Reads and decodes a photo, turned upright by its EXIF orientation.
pub fn load_photo(path: &Path, limits: &PhotoLimits) -> Result<Picture, PhotoError> {
    decode_photo(&read_photo(path, limits)?, path, limits)
}

/// The bytes of a photo file. Pipes and devices are refused, since opening them can hang.
pub fn read_photo(path: &Path, limits: &PhotoLimits) -> Result<Vec<u8>, PhotoError> {
    let unreadable = |source| PhotoError::Read { path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(PhotoError::Directory { path: path.to_owned() });
    }
    if !metadata.is_file() {
        return Err(PhotoError::NotAFile { path: path.to_owned() });
    }
    let too_many = |bytes| PhotoError::TooManyBytes { path: path.to_owned(), bytes, limit: limits.max_bytes };
    if metadata.len() > limits.max_bytes {
        return Err(too_many(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let file = std::fs::File::open(path).map_err(unreadable)?;
    // The file may have grown since: read one byte more than allowed to notice.
    file.take(limits.max_bytes + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    match bytes.len() as u64 {
        0 => Err(PhotoError::Empty { path: path.to_owned() }),
        length if length > limits.max_bytes => Err(too_many(length)),
        _ => Ok(bytes),
    }
}

/// Decodes a photo's bytes; `path` is named in errors.
pub fn decode_photo(bytes: &[u8], path: &Path, limits: &PhotoLimits) -> Result<Picture, PhotoError> {
    let damaged =
        |error: image::ImageError| PhotoError::Damaged { path: path.to_owned(), reason: error.to_string() };
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|source| PhotoError::Read { path: path.to_owned(), source })?;
    if reader.format().is_none_or(|format| !format.reading_enabled()) {
        return Err(match foreign(bytes) {
            Some((what, advice)) => PhotoError::Unreadable { path: path.to_owned(), what, advice },
            None => PhotoError::NotAPicture { path: path.to_owned() },
        });
    }
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    if f64::from(width) * f64::from(height) > limits.max_megapixels * 1e6 {
        let limit = limits.max_megapixels;
        return Err(PhotoError::TooLarge { path: path.to_owned(), width, height, limit });
    }
    if width.min(height) < limits.min_side_px {
        let limit = limits.min_side_px;
        return Err(PhotoError::TooSmall { path: path.to_owned(), width, height, limit });
    }
    if jpeg::is_jpeg(bytes) && !jpeg::is_whole(bytes) {
        return Err(PhotoError::Truncated { path: path.to_owned() });
    }
    if jpeg::is_jpeg(bytes) {
        entropy::check(bytes)
            .map_err(|torn| PhotoError::Torn { path: path.to_owned(), reason: torn.to_string() })?;
    }
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    if jpeg::is_jpeg(bytes)
        && let Some(share) = image.as_rgb8().and_then(seam::find)
    {
        let reason =
            format!("from {:.0} % of its height on it is of another brightness or colour", 100.0 * share);
        return Err(PhotoError::Torn { path: path.to_owned(), reason });
    }
    image.apply_orientation(orientation);
    Ok(Picture::new(image.into_rgb8()))
}

/// What a file is that people take for a photo, and what to do with it.
fn foreign(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const AS_JPEG: &str = "save it as JPEG";
    const HEIC: &str = "save it as JPEG, or set the phone to take JPEG (on an iPhone: Settings, Camera, Formats, \
                        Most Compatible)";
    let brand = bytes.get(4..8).filter(|name| *name == b"ftyp").and_then(|_| bytes.get(8..12));
    match (brand, bytes) {
        (Some(b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1"), _) => {
            Some(("a HEIC photo", HEIC))
        }
        (Some(b"avif" | b"avis"), _) => Some(("an AVIF picture", AS_JPEG)),
        (Some(b"crx "), _) => Some(("a raw photo", AS_JPEG)),
        (Some(_), _) => Some(("a video", "give it to linecall replay, or save one of its frames as JPEG")),
        (None, [b'G', b'I', b'F', b'8', ..]) => Some(("a GIF picture", AS_JPEG)),
        (None, [b'%', b'P', b'D', b'F', ..]) => Some(("a PDF document", "save the photo in it as JPEG")),
        (None, [0xFF, 0x0A, ..]) => Some(("a JPEG XL picture", AS_JPEG)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(image: &DynamicImage) -> Vec<u8> {
        let mut bytes = Vec::new();
        image
            .write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png)
            .expect("a small picture encodes");
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Picture, PhotoError> {
        decode_photo(bytes, Path::new("a.png"), &PhotoLimits::default())
    }

    #[test]
    fn grey_deep_and_transparent_pictures_become_rgb() {
        let grey = DynamicImage::ImageLuma8(image::GrayImage::from_pixel(80, 70, image::Luma([128])));
        let deep = image::ImageBuffer::from_pixel(80, 70, image::Rgb([0x8080_u16, 0x4040, 0xFFFF]));
        let clear = image::RgbaImage::from_pixel(80, 70, image::Rgba([128, 64, 255, 10]));
        assert_eq!(decode(&png(&grey)).expect("grey").rgb().get_pixel(3, 3).0, [128; 3]);
        for image in [DynamicImage::ImageRgb16(deep), DynamicImage::ImageRgba8(clear)] {
            assert_eq!(decode(&png(&image)).expect("colour").rgb().get_pixel(3, 3).0, [128, 64, 255]);
        }
    }

    #[test]
    fn a_header_that_claims_too_much_is_refused_before_decoding() {
        // Only the header of a PNG of 20,000 x 20,000: decoding it would fail in another way.
        let mut bytes = png(&DynamicImage::new_rgb8(80, 80));
        bytes[16..24].copy_from_slice(&[0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20]);
        let crc = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&crc.to_be_bytes());
        assert!(matches!(decode(&bytes), Err(PhotoError::TooLarge { width: 20_000, height: 20_000, .. })));
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |c, _| (c >> 1) ^ (0xEDB8_8320 & (c & 1).wrapping_neg()))
        })
    }

    #[test]
    fn what_is_no_picture_is_named_so() {
        assert!(matches!(decode(b"hello, I am a text"), Err(PhotoError::NotAPicture { .. })));
        let small = png(&DynamicImage::new_rgb8(1, 1));
        assert!(matches!(decode(&small), Err(PhotoError::TooSmall { .. })));
        let whole = png(&DynamicImage::new_rgb8(100, 100));
        assert!(matches!(decode(&whole[..whole.len() / 2]), Err(PhotoError::Damaged { .. })));
    }
}
