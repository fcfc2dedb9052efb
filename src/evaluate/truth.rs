//! What is true of a photo: the JSON file beside it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use nalgebra::{Matrix3, Rotation3, Vector3};
use serde::Deserialize;

use super::EvaluateError;
use crate::camera::{Camera, Lens, Pose};

/// The truth of one photo. Fields that no judgement needs are not read.
#[derive(Debug, Clone, Deserialize)]
pub struct Truth {
    #[serde(default)]
    pub category: Option<String>,
    pub board: String,
    /// The photo's own board file, beside it; `board` names the shipped board that it is a variant of.
    #[serde(default)]
    pub own_board: Option<PathBuf>,
    /// The empty board seen by the same fixed camera; absent for hand-held photos.
    #[serde(default)]
    pub calibration_image: Option<PathBuf>,
    pub image_size: [u32; 2],
    pub intrinsics: Lens,
    pub extrinsics: Extrinsics,
    pub pieces: Vec<TruePiece>,
    #[serde(default)]
    pub tally: Option<BTreeMap<String, i32>>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Extrinsics {
    #[serde(rename = "R")]
    pub rotation: [[f64; 3]; 3],
    #[serde(rename = "t")]
    pub translation_mm: [f64; 3],
}

#[derive(Debug, Clone, Deserialize)]
pub struct TruePiece {
    pub colour: String,
    pub x_mm: f64,
    pub y_mm: f64,
    #[serde(default)]
    pub z_mm: f64,
    pub diameter_mm: f64,
    /// Middle of its base in the picture.
    #[serde(default)]
    pub px: Option<[f64; 2]>,
    #[serde(default)]
    pub stacked_on: Option<usize>,
    #[serde(default = "yes")]
    pub in_view: bool,
    #[serde(default)]
    pub visible_fraction: Option<f64>,
    #[serde(default)]
    pub moving: bool,
    /// The area it scores in; null where it touches a line or lies in none.
    #[serde(default)]
    pub area: Option<String>,
    #[serde(default)]
    pub hanger: bool,
}

fn yes() -> bool {
    true
}

impl Truth {
    pub fn load(path: &Path) -> Result<Truth, EvaluateError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| EvaluateError::Read { path: path.to_owned(), source })?;
        serde_json::from_str(&text)
            .map_err(|error| EvaluateError::Truth { path: path.to_owned(), reason: error.to_string() })
    }

    /// The camera that took the photo.
    pub fn camera(&self) -> Camera {
        let rotation = Matrix3::from_fn(|row, column| self.extrinsics.rotation[row][column]);
        Camera {
            image_size: self.image_size,
            lens: self.intrinsics,
            pose: Pose {
                rotation: Rotation3::from_matrix_unchecked(rotation),
                translation_mm: Vector3::from(self.extrinsics.translation_mm),
            },
        }
    }

    /// The pieces where a camera that was found sees them: for a board file that is not the photo's own,
    /// whose millimetres are others.
    pub(super) fn as_seen_by(&self, camera: &Camera) -> Truth {
        let mut truth = self.clone();
        for piece in &mut truth.pieces {
            let seen = piece.px.and_then(|[u, v]| camera.board_from_image(u, v, piece.z_mm));
            if let Some(at) = seen {
                (piece.x_mm, piece.y_mm) = (at.x, at.y);
            }
        }
        truth
    }

    /// Whether anything moves: such a view is no settled one and has no tally.
    pub fn is_moving(&self) -> bool {
        self.pieces.iter().any(|piece| piece.moving)
    }
}

impl TruePiece {
    /// The area by the board file's names: truth calls the hanging area by its value, and no area
    /// `0`.
    pub fn area_name(&self) -> Option<&str> {
        match self.area.as_deref() {
            _ if self.hanger => Some("hanging"),
            Some("0") => None,
            area => area,
        }
    }
}
