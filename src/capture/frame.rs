//! One frame of a source, decoded only when somebody looks.
//!
//! In: what a camera, a file or the simulator delivered, as it was delivered. Out: the full
//! picture for measuring, a small grey one for motion, and the bytes to keep as evidence.

use std::{borrow::Cow, io::Cursor, path::Path, sync::Arc, time::Duration};

use image::{
    ExtendedColorType, ImageEncoder,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};

use super::{
    PhotoError, PhotoLimits, Picture, decode_photo,
    small::{self, Reduction, SmallGrey},
    yuyv,
};

/// One frame. A clone shares the pixels.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Counts the source's frames from 0. A live source's gaps are the frames that were dropped.
    pub index: u64,
    /// From the source's first frame to this one: by the recording's own rate, or by the clock.
    pub since_start: Duration,
    /// For messages: a file's path, or the source's name and the frame's number.
    pub name: Arc<str>,
    pub image: FrameImage,
}

/// A frame's pixels as they were delivered.
#[derive(Debug, Clone)]
pub enum FrameImage {
    /// The bytes of a picture file: a camera's JPEG, or a file of any kind a photo may have.
    Encoded(Arc<[u8]>),
    /// A camera's raw picture: for two pixels side by side the bytes Y0 U Y1 V, without padding.
    Yuyv { size: [u32; 2], bytes: Arc<[u8]> },
    /// A picture that never was anything else: a video's, or the simulator's.
    Decoded(Arc<Picture>),
}

/// A frame in the form in which it is kept: it decodes to the very pixels that were measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFrame<'f> {
    pub bytes: Cow<'f, [u8]>,
    pub media_type: &'static str,
}

/// Why a frame gives no picture.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    #[error(transparent)]
    Photo(#[from] PhotoError),
    #[error("{name} cannot be converted: {reason}")]
    Convert { name: String, reason: String },
}

impl Frame {
    /// The whole picture, as `score` would read it from a file. Decodes each time it is asked.
    pub fn picture(&self) -> Result<Arc<Picture>, FrameError> {
        match &self.image {
            FrameImage::Encoded(bytes) => {
                Ok(Arc::new(decode_photo(bytes, Path::new(&*self.name), &PhotoLimits::default())?))
            }
            FrameImage::Yuyv { size, bytes } => {
                let rgb = yuyv::rgb(*size, bytes).map_err(|reason| self.conversion(reason))?;
                Ok(Arc::new(Picture::new(rgb)))
            }
            FrameImage::Decoded(picture) => Ok(Arc::clone(picture)),
        }
    }

    /// A small grey picture, for motion: each pixel is the mean of a square of the frame's. From
    /// a JPEG it costs a fraction of decoding it.
    pub fn small_grey(&self, reduction: Reduction) -> Result<SmallGrey, FrameError> {
        match &self.image {
            FrameImage::Encoded(bytes) => small::of_encoded(bytes, Path::new(&*self.name), reduction),
            FrameImage::Yuyv { size, bytes } => {
                small::of_yuyv(*size, bytes, reduction).map_err(|reason| self.conversion(reason))
            }
            FrameImage::Decoded(picture) => Ok(small::of_picture(picture, reduction)),
        }
    }

    /// The frame as captured where it was a file, else as PNG, which loses nothing either.
    pub fn kept(&self) -> Result<KeptFrame<'_>, FrameError> {
        if let FrameImage::Encoded(bytes) = &self.image {
            let format = image::guess_format(bytes).map_err(|error| self.conversion(error.to_string()))?;
            return Ok(KeptFrame { bytes: Cow::Borrowed(bytes), media_type: format.to_mime_type() });
        }
        let picture = self.picture()?;
        let [width, height] = picture.size();
        let mut bytes = Vec::new();
        // Twice the size of the best compression, in a tenth of its time: a match must not wait.
        PngEncoder::new_with_quality(Cursor::new(&mut bytes), CompressionType::Fast, FilterType::Up)
            .write_image(picture.rgb().as_raw(), width, height, ExtendedColorType::Rgb8)
            .map_err(|error| self.conversion(error.to_string()))?;
        Ok(KeptFrame { bytes: Cow::Owned(bytes), media_type: "image/png" })
    }

    fn conversion(&self, reason: impl Into<String>) -> FrameError {
        FrameError::Convert { name: self.name.to_string(), reason: reason.into() }
    }
}
