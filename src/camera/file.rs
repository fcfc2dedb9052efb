//! Camera files and lens files: what was found out about a camera, and what that rests on.
//!
//! In and out: TOML. A camera file holds lens, pose and their covariance for one camera at one
//! board; a lens file the lens alone. Both say how and when they were made, by which program,
//! from which photos and with which residual, so that one can see why to trust them.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nalgebra::{Rotation3, Vector3};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::faults::{self, Field, Kind as Holds, Need};
use super::plausible::{Implausible, covariance_faults, lens_faults, pose_faults};
use super::{CAMERA_PARAMETERS, Camera, CameraCovariance, Lens, Pose};
use crate::output::{Inputs, Kind, OutputError, write};

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
    #[error(transparent)]
    Output(#[from] OutputError),
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
    ("", "board", Holds::Text, Need::Required),
    ("", "image_size", Holds::Size, Need::Required),
    ("quality", "rms_px", Holds::NotNegative, Need::Required),
    ("quality", "edges", Holds::Count, Need::Required),
    ("quality", "worst_sigma_mm", Holds::NotNegative, Need::Required),
    ("quality", "worst_piece_sigma_mm", Holds::NotNegative, Need::Required),
    ("origin", "method", Holds::OneOf(METHODS), Need::Required),
    ("origin", "photos", Holds::Texts, Need::Required),
    ("origin", "height_mm", Holds::Positive, Need::Optional),
    ("origin", "height_sigma_mm", Holds::Positive, Need::Optional),
    ("origin", "lens_file", Holds::Text, Need::Optional),
    ("origin", "made_at", Holds::Moment, Need::Required),
    ("origin", "program", Holds::Text, Need::Required),
    ("lens", "fx", Holds::Positive, Need::Required),
    ("lens", "fy", Holds::Positive, Need::Required),
    ("lens", "cx", Holds::Number, Need::Required),
    ("lens", "cy", Holds::Number, Need::Required),
    ("lens", "k1", Holds::Number, Need::Optional),
    ("lens", "k2", Holds::Number, Need::Optional),
    ("lens", "p1", Holds::Number, Need::Optional),
    ("lens", "p2", Holds::Number, Need::Optional),
    ("lens", "k3", Holds::Number, Need::Optional),
    ("pose", "rotation", Holds::Triple, Need::Required),
    ("pose", "translation_mm", Holds::Triple, Need::Required),
    ("covariance", "lower", Holds::Triangle(CAMERA_PARAMETERS), Need::Required),
];

/// What a lens file holds.
const LENS_FIELDS: [Field; 24] = [
    ("", "image_size", Holds::Size, Need::Required),
    ("", "rms_px", Holds::NotNegative, Need::Required),
    ("", "made_at", Holds::Moment, Need::Required),
    ("", "program", Holds::Text, Need::Required),
    ("", "pattern", Holds::Text, Need::Required),
    ("", "photos", Holds::Tables, Need::Required),
    ("lens", "fx", Holds::Positive, Need::Required),
    ("lens", "fy", Holds::Positive, Need::Required),
    ("lens", "cx", Holds::Number, Need::Required),
    ("lens", "cy", Holds::Number, Need::Required),
    ("lens", "k1", Holds::Number, Need::Optional),
    ("lens", "k2", Holds::Number, Need::Optional),
    ("lens", "p1", Holds::Number, Need::Optional),
    ("lens", "p2", Holds::Number, Need::Optional),
    ("lens", "k3", Holds::Number, Need::Optional),
    ("sigma", "fx", Holds::NotNegative, Need::Required),
    ("sigma", "fy", Holds::NotNegative, Need::Required),
    ("sigma", "cx", Holds::NotNegative, Need::Required),
    ("sigma", "cy", Holds::NotNegative, Need::Required),
    ("sigma", "k1", Holds::NotNegative, Need::Optional),
    ("sigma", "k2", Holds::NotNegative, Need::Optional),
    ("sigma", "p1", Holds::NotNegative, Need::Optional),
    ("sigma", "p2", Holds::NotNegative, Need::Optional),
    ("sigma", "k3", Holds::NotNegative, Need::Optional),
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
        parse(text, path, "camera", &CAMERA_FIELDS, CameraForm::implausible).map(CameraForm::into_file)
    }

    /// The file's text; `path` is for messages.
    pub fn text(&self, path: &Path) -> Result<String, CameraFileError> {
        let body = toml::to_string(&CameraForm::of(self)).map_err(|e| unwritable(path, e))?;
        Ok(format!("{CAMERA_HEADER}{body}"))
    }

    /// Writes the file; a failure never costs the old one.
    pub fn save(&self, path: &Path) -> Result<(), CameraFileError> {
        Ok(write(path, Kind::Camera, self.text(path)?.as_bytes(), &Inputs::default())?)
    }
}

impl LensFile {
    pub fn load(path: &Path) -> Result<LensFile, CameraFileError> {
        LensFile::parse(&read(path)?, path)
    }

    pub fn parse(text: &str, path: &Path) -> Result<LensFile, CameraFileError> {
        parse(text, path, "lens", &LENS_FIELDS, |file: LensFile| lens_faults(&file.lens, file.image_size))
    }

    pub fn save(&self, path: &Path) -> Result<(), CameraFileError> {
        let body = toml::to_string(self).map_err(|e| unwritable(path, e))?;
        let text = format!("{LENS_HEADER}{body}");
        Ok(write(path, Kind::Lens, text.as_bytes(), &Inputs::default())?)
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

    /// What its fields do not allow together.
    fn implausible(self) -> Vec<Implausible> {
        let turn = Vector3::from(self.pose.rotation);
        let mut faults = lens_faults(&self.lens, self.image_size);
        let file = self.into_file();
        if faults.is_empty() {
            faults.extend(pose_faults(&file.camera, turn));
        }
        faults.extend(covariance_faults(&file.covariance));
        faults
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
    implausible: impl Fn(T) -> Vec<Implausible>,
) -> Result<T, CameraFileError> {
    let invalid = |reasons| CameraFileError::Invalid { path: path.into(), kind, reasons };
    let faults = faults::faults(text, path, fields, |table| {
        table.clone().try_into::<T>().map_or_else(|_| Vec::new(), &implausible)
    });
    if !faults.is_empty() {
        return Err(invalid(faults.join("\n  ")));
    }
    toml::from_str(text).map_err(|error| invalid(error.to_string()))
}

fn unwritable(path: &Path, error: impl std::fmt::Display) -> CameraFileError {
    CameraFileError::Write { path: path.into(), source: std::io::Error::other(error.to_string()) }
}
