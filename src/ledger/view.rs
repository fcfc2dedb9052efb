//! A settled view: the picture, what was measured in it, and what that rests on.

use jiff::Timestamp;
use nalgebra::{Matrix3, Rotation3, Vector3};
use serde::{Deserialize, Serialize};

use super::{Hash, LedgerOptions};
use crate::{
    board::BoardFile,
    camera::{CAMERA_PARAMETERS, Camera, CameraCovariance, Lens, Pixel, Pose},
    capture::Picture,
    register::{Method, Registration},
    score::PhotoReport,
};

/// A view's place in a ledger.
pub type ViewId = i64;

/// A picture in a file format: as the camera or the phone gave it, or packed without loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedFrame(pub Vec<u8>);

/// A frame that is not stored, because it is larger than the ledger's options allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the frame has {bytes} bytes, more than the {limit} that the ledger stores of one")]
pub struct FrameTooLarge {
    pub bytes: u64,
    pub limit: u64,
}

impl EncodedFrame {
    /// A decoded picture as PNG, packed without loss.
    pub fn lossless(picture: &Picture) -> Result<EncodedFrame, image::ImageError> {
        use image::codecs::png::{CompressionType, FilterType, PngEncoder};
        let mut bytes = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
        picture.rgb().write_with_encoder(encoder)?;
        Ok(EncodedFrame(bytes))
    }

    /// `image/jpeg`, `image/png` and the like; `None` for what is no picture.
    pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
        image::guess_format(bytes).ok().map(|format| format.to_mime_type())
    }
}

/// A frame beside the settled one.
#[derive(Debug, Clone)]
pub struct TimedFrame {
    pub frame: EncodedFrame,
    /// Seconds from the settled frame; negative before it.
    pub secs: f64,
    /// The same gaps as measured in this frame alone.
    pub report: Option<PhotoReport>,
}

/// How the board was found in the frame, so that it can be found the same way again.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownPlace {
    /// By the frame itself.
    Nothing,
    /// By the stored registration: that of a camera file, or of a camera found anew after it moved.
    Camera,
    /// By corners that a person gave: near left, near right, far right, far left.
    Corners([[f64; 2]; 4]),
}

impl KnownPlace {
    pub fn corners(corners: &[Pixel; 4]) -> KnownPlace {
        KnownPlace::Corners(corners.map(|corner| [corner.x, corner.y]))
    }
}

/// A view to be stored.
#[derive(Debug, Clone)]
pub struct ViewEvidence {
    /// The photo's name, or the camera's.
    pub source: String,
    /// The settled frame.
    pub frame: EncodedFrame,
    /// The seconds before, and after where there are any.
    pub around: Vec<TimedFrame>,
    pub report: PhotoReport,
    pub registration: Registration,
    pub known: KnownPlace,
    pub board: BoardFile,
    /// The camera file's name and text, where one is in force.
    pub camera: Option<(String, String)>,
    /// Taught colours: the file's name and text.
    pub colours: Option<(String, String)>,
    /// The options of every stage, as TOML.
    pub options: String,
}

/// A file that is kept in the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRef {
    pub name: String,
    pub hash: Hash,
}

/// A view as it is stored, without the bytes of its frames and files.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredView {
    pub id: ViewId,
    pub hash: Hash,
    pub report: PhotoReport,
    pub facts: ViewFacts,
}

/// Everything about a view beside its report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ViewFacts {
    pub at: Timestamp,
    pub source: String,
    pub program: String,
    pub known: KnownPlace,
    pub board: FileRef,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<FileRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<FileRef>,
    pub options: Hash,
    /// The settled one, and those around it in the order of time.
    pub frames: Vec<StoredFrame>,
    pub registration: StoredRegistration,
}

impl ViewFacts {
    pub fn settled(&self) -> Option<&StoredFrame> {
        self.frames.iter().find(|frame| frame.role == FrameRole::Settled)
    }

    /// Every file it names, frames first.
    pub fn files(&self) -> Vec<Hash> {
        let frames = self.frames.iter().filter_map(|frame| frame.hash);
        let files = [Some(&self.board), self.camera.as_ref(), self.colours.as_ref()];
        frames.chain(files.into_iter().flatten().map(|file| file.hash)).chain([self.options]).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrameRole {
    Settled,
    Around,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredFrame {
    pub role: FrameRole,
    /// Seconds from the settled frame.
    pub secs: f64,
    /// `None` when it was not kept.
    pub hash: Option<Hash>,
    /// Why it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<PhotoReport>,
}

/// A registration in a form that reads back as the same numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredRegistration {
    pub method: Method,
    pub rms_px: f64,
    pub edges: usize,
    /// How far the board's lines were found to lie beside their drawing.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub off_mm: f64,
    pub image_size: [u32; 2],
    pub lens: Lens,
    /// Rows of the rotation matrix.
    pub rotation: [[f64; 3]; 3],
    pub translation_mm: [f64; 3],
    /// The covariance, row by row.
    pub covariance: Vec<f64>,
}

fn is_nothing(mm: &f64) -> bool {
    *mm == 0.0
}

impl From<&Registration> for StoredRegistration {
    fn from(registration: &Registration) -> Self {
        let Registration { camera, covariance, method, rms_px, edges, off_mm } = registration;
        let rotation = camera.pose.rotation.matrix();
        let row = |i: usize| (0..CAMERA_PARAMETERS).map(move |j| covariance[(i, j)]);
        Self {
            method: *method,
            rms_px: *rms_px,
            edges: *edges,
            off_mm: *off_mm,
            image_size: camera.image_size,
            lens: camera.lens,
            rotation: std::array::from_fn(|i| std::array::from_fn(|j| rotation[(i, j)])),
            translation_mm: camera.pose.translation_mm.into(),
            covariance: (0..CAMERA_PARAMETERS).flat_map(row).collect(),
        }
    }
}

impl StoredRegistration {
    pub fn registration(&self) -> Registration {
        let rotation = Matrix3::from_fn(|i, j| self.rotation[i][j]);
        let covariance = CameraCovariance::from_fn(|i, j| {
            self.covariance.get(i * CAMERA_PARAMETERS + j).copied().unwrap_or(f64::NAN)
        });
        let pose = Pose {
            rotation: Rotation3::from_matrix_unchecked(rotation),
            translation_mm: Vector3::from(self.translation_mm),
        };
        Registration {
            camera: Camera { image_size: self.image_size, lens: self.lens, pose },
            covariance,
            method: self.method,
            rms_px: self.rms_px,
            edges: self.edges,
            off_mm: self.off_mm,
        }
    }
}

/// The frames of a view that are kept within the options' bounds, in the order of time: the settled
/// one if it is not too large, and of those around it as many, nearest first, as there is room for.
pub(super) fn kept<'e>(
    evidence: &'e ViewEvidence,
    options: &LedgerOptions,
) -> Vec<(StoredFrame, Option<&'e EncodedFrame>)> {
    let mut nearest: Vec<usize> = (0..evidence.around.len()).collect();
    nearest.sort_by(|a, b| evidence.around[*a].secs.abs().total_cmp(&evidence.around[*b].secs.abs()));
    let mut room = options.max_around_bytes;
    let mut fits = vec![false; evidence.around.len()];
    for index in nearest {
        let bytes = evidence.around[index].frame.0.len() as u64;
        fits[index] = bytes <= room;
        room = if fits[index] { room - bytes } else { 0 };
    }
    let bytes = evidence.frame.0.len() as u64;
    let too_large = bytes > options.max_frame_bytes;
    let limit = options.max_frame_bytes;
    let settled = StoredFrame {
        role: FrameRole::Settled,
        secs: 0.0,
        hash: (!too_large).then(|| Hash::of_bytes(&evidence.frame.0)),
        left_out: too_large.then(|| FrameTooLarge { bytes, limit }.to_string()),
        report: None,
    };
    let mut frames = vec![(settled, (!too_large).then_some(&evidence.frame))];
    for (around, _) in evidence.around.iter().zip(fits).filter(|(_, fits)| *fits) {
        let stored = StoredFrame {
            role: FrameRole::Around,
            secs: around.secs,
            hash: Some(Hash::of_bytes(&around.frame.0)),
            left_out: None,
            report: around.report.clone(),
        };
        frames.push((stored, Some(&around.frame)));
    }
    frames.sort_by(|a, b| a.0.secs.total_cmp(&b.0.secs));
    frames
}
