//! Camera files and lens files: what was found out about a camera, and what that rests on.
//!
//! In and out: TOML. A camera file holds lens, pose and their covariance for one camera at one
//! board; a lens file the lens alone. Both say how and when they were made, by which program,
//! from which photos and with which residual, so that one can see why to trust them.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use nalgebra::{Rotation3, Vector3};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::faults::{self, Field, Kind, Need};
use super::{CAMERA_PARAMETERS, Camera, CameraCovariance, Lens, Pose};

/// The program and its version, as files name it.
pub const PROGRAM: &str = concat!("linecall ", env!("CARGO_PKG_VERSION"));

/// What a camera's place and lens were found from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CameraMethod {
    /// The board's own lines and outline, found without hints.
    Lines,
    /// The board's lines, near four corners that a person gave.
    Corners,
    /// The board's lines, near printed tags.
    Tags,
}

/// Where a camera's numbers come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraOrigin {
    pub method: CameraMethod,
    /// Names of the photos, as they were given.
    pub photos: Vec<String>,
    /// The camera's height above the board by tape, where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height_mm: Option<f64>,
    /// Standard deviation of that height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height_sigma_mm: Option<f64>,
    /// The lens file, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lens_file: Option<String>,
    pub made_at: Timestamp,
    pub program: String,
}

/// How well a camera explains its photos.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraQuality {
    /// Root mean square distance of the paint from where it is expected, in pixels.
    pub rms_px: f64,
    /// Places of paint that were used.
    pub edges: usize,
    /// Largest standard deviation of a place on the surface in view, in mm.
    pub worst_sigma_mm: f64,
    /// The same at the height of the highest piece's top face.
    pub worst_piece_sigma_mm: f64,
}

/// A camera at a board.
#[derive(Debug, Clone, PartialEq)]
pub struct CameraFile {
    /// Id of the board.
    pub board: String,
    pub camera: Camera,
    pub covariance: CameraCovariance,
    pub quality: CameraQuality,
    pub origin: CameraOrigin,
}

/// A lens alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LensFile {
    /// Width and height of its pictures.
    pub image_size: [u32; 2],
    /// Root mean square residual of the pattern's corners, in pixels.
    pub rms_px: f64,
    pub made_at: Timestamp,
    pub program: String,
    /// What pattern was photographed.
    pub pattern: String,
    pub lens: Lens,
    /// Standard deviations of the lens's numbers.
    pub sigma: Lens,
    pub photos: Vec<LensPhoto>,
}

/// A photo of the pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LensPhoto {
    pub photo: String,
    /// Corners of the pattern that were found; none: the photo was not used.
    pub corners: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rms_px: Option<f64>,
}

/// Why a camera or lens file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CameraFileError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{} is no usable {kind} file:\n  {reasons}", path.display())]
    Invalid { path: PathBuf, kind: &'static str, reasons: String },
}

/// A camera file as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CameraForm {
    board: String,
    image_size: [u32; 2],
    quality: CameraQuality,
    origin: CameraOrigin,
    lens: Lens,
    pose: PoseForm,
    covariance: CovarianceForm,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoseForm {
    /// Axis times angle, radians.
    rotation: [f64; 3],
    translation_mm: [f64; 3],
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CovarianceForm {
    /// Lower triangle, a row a number: fx fy cx cy k1 k2 p1 p2 k3, rotation, translation.
    lower: Vec<Vec<f64>>,
}

const METHODS: &[&str] = &["lines", "corners", "tags"];

/// What a camera file holds.
const CAMERA_FIELDS: [Field; 25] = [
    ("", "board", Kind::Text, Need::Required),
    ("", "image_size", Kind::Size, Need::Required),
    ("quality", "rms_px", Kind::Number, Need::Required),
    ("quality", "edges", Kind::Count, Need::Required),
    ("quality", "worst_sigma_mm", Kind::Number, Need::Required),
    ("quality", "worst_piece_sigma_mm", Kind::Number, Need::Required),
    ("origin", "method", Kind::OneOf(METHODS), Need::Required),
    ("origin", "photos", Kind::Texts, Need::Required),
    ("origin", "height_mm", Kind::Positive, Need::Optional),
    ("origin", "height_sigma_mm", Kind::Positive, Need::Optional),
    ("origin", "lens_file", Kind::Text, Need::Optional),
    ("origin", "made_at", Kind::Moment, Need::Required),
    ("origin", "program", Kind::Text, Need::Required),
    ("lens", "fx", Kind::Positive, Need::Required),
    ("lens", "fy", Kind::Positive, Need::Required),
    ("lens", "cx", Kind::Number, Need::Required),
    ("lens", "cy", Kind::Number, Need::Required),
    ("lens", "k1", Kind::Number, Need::Optional),
    ("lens", "k2", Kind::Number, Need::Optional),
    ("lens", "p1", Kind::Number, Need::Optional),
    ("lens", "p2", Kind::Number, Need::Optional),
    ("lens", "k3", Kind::Number, Need::Optional),
    ("pose", "rotation", Kind::Triple, Need::Required),
    ("pose", "translation_mm", Kind::Triple, Need::Required),
    ("covariance", "lower", Kind::Triangle(CAMERA_PARAMETERS), Need::Required),
];

/// What a lens file holds.
const LENS_FIELDS: [Field; 24] = [
    ("", "image_size", Kind::Size, Need::Required),
    ("", "rms_px", Kind::Number, Need::Required),
    ("", "made_at", Kind::Moment, Need::Required),
    ("", "program", Kind::Text, Need::Required),
    ("", "pattern", Kind::Text, Need::Required),
    ("", "photos", Kind::Tables, Need::Required),
    ("lens", "fx", Kind::Positive, Need::Required),
    ("lens", "fy", Kind::Positive, Need::Required),
    ("lens", "cx", Kind::Number, Need::Required),
    ("lens", "cy", Kind::Number, Need::Required),
    ("lens", "k1", Kind::Number, Need::Optional),
    ("lens", "k2", Kind::Number, Need::Optional),
    ("lens", "p1", Kind::Number, Need::Optional),
    ("lens", "p2", Kind::Number, Need::Optional),
    ("lens", "k3", Kind::Number, Need::Optional),
    ("sigma", "fx", Kind::Number, Need::Required),
    ("sigma", "fy", Kind::Number, Need::Required),
    ("sigma", "cx", Kind::Number, Need::Required),
    ("sigma", "cy", Kind::Number, Need::Required),
    ("sigma", "k1", Kind::Number, Need::Optional),
    ("sigma", "k2", Kind::Number, Need::Optional),
    ("sigma", "p1", Kind::Number, Need::Optional),
    ("sigma", "p2", Kind::Number, Need::Optional),
    ("sigma", "k3", Kind::Number, Need::Optional),
];

const CAMERA_HEADER: &str = "\
# Camera file of linecall: lens, place and direction of one fixed camera at one board.
# Lengths in millimetres; camera = rotation * board + translation; the lens is OpenCV's model, with
# the centre of the top-left pixel at (0, 0). If the camera is moved, calibrate again.

";

const LENS_HEADER: &str = "\
# Lens file of linecall: OpenCV's model, with the centre of the top-left pixel at (0, 0). It holds
# for pictures of this size, with the same zoom and focus.

";

impl CameraFile {
    pub fn load(path: &Path) -> Result<CameraFile, CameraFileError> {
        CameraFile::parse(&read(path)?, path)
    }

    /// Reads a camera file's text; `path` is for messages.
    pub fn parse(text: &str, path: &Path) -> Result<CameraFile, CameraFileError> {
        parse::<CameraForm>(text, path, "camera", &CAMERA_FIELDS).map(CameraForm::into_file)
    }

    /// The file's text; `path` is for messages.
    pub fn text(&self, path: &Path) -> Result<String, CameraFileError> {
        let body = toml::to_string(&CameraForm::of(self)).map_err(|e| unwritable(path, e))?;
        Ok(format!("{CAMERA_HEADER}{body}"))
    }

    /// Writes the file under a temporary name first, so that a failure never costs the old one.
    pub fn save(&self, path: &Path) -> Result<(), CameraFileError> {
        write_whole(path, &self.text(path)?)
    }
}

impl LensFile {
    pub fn load(path: &Path) -> Result<LensFile, CameraFileError> {
        LensFile::parse(&read(path)?, path)
    }

    pub fn parse(text: &str, path: &Path) -> Result<LensFile, CameraFileError> {
        parse(text, path, "lens", &LENS_FIELDS)
    }

    pub fn save(&self, path: &Path) -> Result<(), CameraFileError> {
        let body = toml::to_string(self).map_err(|e| unwritable(path, e))?;
        write_whole(path, &format!("{LENS_HEADER}{body}"))
    }
}

impl CameraForm {
    fn of(file: &CameraFile) -> Self {
        let CameraFile { board, camera, covariance, quality, origin } = file;
        let rotation = camera.pose.rotation.scaled_axis();
        let translation = camera.pose.translation_mm;
        let lower = (0..CAMERA_PARAMETERS).map(|i| (0..=i).map(|j| covariance[(i, j)]).collect()).collect();
        Self {
            board: board.clone(),
            image_size: camera.image_size,
            quality: *quality,
            origin: origin.clone(),
            lens: camera.lens,
            pose: PoseForm { rotation: rotation.into(), translation_mm: translation.into() },
            covariance: CovarianceForm { lower },
        }
    }

    fn into_file(self) -> CameraFile {
        let pose = Pose {
            rotation: Rotation3::new(Vector3::from(self.pose.rotation)),
            translation_mm: Vector3::from(self.pose.translation_mm),
        };
        let lower = self.covariance.lower;
        let covariance = CameraCovariance::from_fn(|i, j| lower[i.max(j)][i.min(j)]);
        CameraFile {
            board: self.board,
            camera: Camera { image_size: self.image_size, lens: self.lens, pose },
            covariance,
            quality: self.quality,
            origin: self.origin,
        }
    }
}

fn read(path: &Path) -> Result<String, CameraFileError> {
    std::fs::read_to_string(path).map_err(|source| CameraFileError::Read { path: path.into(), source })
}

/// Reads a file's text after every field has been checked, so that all its faults are told at once.
fn parse<T: DeserializeOwned>(
    text: &str,
    path: &Path,
    kind: &'static str,
    fields: &[Field],
) -> Result<T, CameraFileError> {
    let invalid = |reasons| CameraFileError::Invalid { path: path.into(), kind, reasons };
    let faults = faults::faults(text, path, fields);
    if !faults.is_empty() {
        return Err(invalid(faults.join("\n  ")));
    }
    toml::from_str(text).map_err(|error| invalid(error.to_string()))
}

fn unwritable(path: &Path, error: impl std::fmt::Display) -> CameraFileError {
    CameraFileError::Write { path: path.into(), source: std::io::Error::other(error.to_string()) }
}

/// Replaces a file in one go: readers see the old text or the new, never half of one.
fn write_whole(path: &Path, text: &str) -> Result<(), CameraFileError> {
    let failed = |source| CameraFileError::Write { path: path.into(), source };
    let name = path.file_name().ok_or_else(|| failed(std::io::ErrorKind::InvalidFilename.into()))?;
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary_name);
    let written = std::fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&temporary, path)).map_err(|source| {
        // The old file is untouched; what is left of the new one is of no use.
        let _ = std::fs::remove_file(&temporary);
        failed(source)
    })
}
