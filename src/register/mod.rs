//! Where the board lies in a picture.
//!
//! In: a picture, a board, and whatever is known (nothing, four corners, a camera file, printed
//! tags). Out: a [`Registration`], a camera with its covariance, or the reason why there is none.
//! First hypotheses (`find`), scored against the paint; then the best is refined on sub-pixel
//! paint edges (`refine`), until one holds (`hypotheses`).

mod by_corners;
mod by_outline;
mod find;
mod hypotheses;
mod refine;
mod refusal;
mod tags;
mod words;

use nalgebra::{Matrix2, Point3};

use crate::{
    board::Board,
    camera::{Camera, CameraCovariance, CameraFile},
};

pub use by_corners::corners_hold;
pub(crate) use by_outline::{cameras_from_outline, refocused};
pub(crate) use find::explained;
pub use find::{
    CornerOptions, Explained, FindOptions, FindTrace, ForeignPaint, SearchedPicture, Verdict,
    cameras_from_corners, find_board, find_board_with_trace, registration_from_corners,
};
pub(crate) use hypotheses::{by_lines, described, without_lines};
pub use hypotheses::{refine_first, register_by_lines, register_in};
pub use refine::{
    CameraCheck, CameraPrior, CameraWatch, LensSigmas, OutlineOptions, PaintSeen, ProfileOptions,
    RefineOptions, SideOptions, View, check_camera, paint_seen, refine, refine_together,
};
pub(crate) use refine::{moved_px, surface_in_view, with_lens};
pub use refusal::{Found, LineElsewhere, Missing, NextStep, Refusal};
pub use tags::cameras_from_tags;
pub(crate) use tags::markers;

/// What a registration rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// A camera file.
    Camera,
    /// The board's own lines and outline, found without hints.
    Lines,
    /// The outline of the playing surface, found without hints, and what lines there are.
    Outline,
    /// Four corners that a person gave.
    Corners,
    /// Printed tags.
    Tags,
}

/// A camera that explains the board's paint in a picture.
#[derive(Debug, Clone)]
pub struct Registration {
    pub camera: Camera,
    pub covariance: CameraCovariance,
    pub method: Method,
    /// Root mean square distance of the paint edges that were used, in pixels.
    pub rms_px: f64,
    /// How many edge points were used.
    pub edges: usize,
    /// How far this board's lines were found to lie beside their drawing, beyond what careful paint does, where the
    /// board's file leaves that open.
    pub off_mm: f64,
}

impl Registration {
    /// A camera that is known without any error, as that of a simulated or rendered photo.
    pub fn exact(camera: Camera) -> Self {
        Self {
            camera,
            covariance: CameraCovariance::zeros(),
            method: Method::Camera,
            rms_px: 0.0,
            edges: 0,
            off_mm: 0.0,
        }
    }

    /// How uncertain a place of the board is that was read from a pixel at height `z_mm`: the
    /// camera's share of a piece's covariance, in mm². `None` where the camera does not see it.
    pub fn board_covariance_mm2(&self, at: Point3<f64>) -> Option<Matrix2<f64>> {
        self.camera.board_covariance_mm2(at, &self.covariance)
    }
}

impl From<&CameraFile> for Registration {
    fn from(file: &CameraFile) -> Self {
        Self {
            camera: file.camera,
            covariance: file.covariance,
            method: Method::Camera,
            rms_px: file.quality.rms_px,
            edges: file.quality.edges,
            off_mm: 0.0,
        }
    }
}

/// The largest standard deviation of a place at height `z_mm` over the part of the surface that is
/// in view, along the worse axis, in mm; infinite where nothing is in view.
pub fn worst_sigma_mm(board: &Board, camera: &Camera, covariance: &CameraCovariance, z_mm: f64) -> f64 {
    surface_in_view(board, camera)
        .into_iter()
        .filter_map(|p| camera.board_covariance_mm2(Point3::new(p.x, p.y, z_mm), covariance))
        .map(|c| c.symmetric_eigenvalues().max().max(0.0).sqrt())
        .reduce(f64::max)
        .unwrap_or(f64::INFINITY)
}

/// Why a board was not found.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RegisterError {
    #[error("{0}")]
    NotFound(Box<Refusal>),
    #[error("the four corners do not fit the board: {reason}")]
    Corners { reason: String },
}

impl RegisterError {
    pub(crate) fn refused(board: &Board, missing: Missing) -> Self {
        Self::NotFound(Box::new(Refusal::new(&board.id, missing)))
    }

    /// None of several boards was found.
    pub(crate) fn refused_all(missing: Missing) -> Self {
        Self::NotFound(Box::new(Refusal::new("", missing)))
    }

    /// Whether hardly any of the board's paint is in view, so that nothing speaks for or against it.
    pub(crate) fn is_without_paint(&self) -> bool {
        matches!(self, Self::NotFound(refusal) if matches!(refusal.missing, Missing::PlacesInView { .. }))
    }

    /// The refusal in words that name the photo where they say what to try.
    pub fn words(&self, photo: &str) -> String {
        match self {
            Self::NotFound(refusal) => refusal.words(photo),
            Self::Corners { .. } => self.to_string(),
        }
    }
}
