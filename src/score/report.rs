//! What `score --json` prints: names and shapes other programs rely on.

use serde::{Serialize, Serializer};

use super::StageTimes;
use crate::{board::End, register::Method};

/// One photo's result. Serialises to one line of `score --json`.
#[derive(Debug, Clone, Serialize)]
pub struct PhotoReport {
    pub photo: String,
    pub board: String,
    pub game: String,
    pub end: End,
    pub registration: RegistrationReport,
    pub pieces: Vec<PieceReport>,
    /// How long each stage took; only when asked for, since it differs from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<StageTimes>,
}

#[derive(Debug, Clone, Serialize)]
pub struct RegistrationReport {
    pub method: Method,
    #[serde(serialize_with = "thousandths")]
    pub rms_px: f64,
    /// At the middle of what the picture shows of the board.
    #[serde(serialize_with = "thousandths")]
    pub mm_per_px: f64,
}

#[derive(Debug, Clone, Serialize)]
pub struct PieceReport {
    /// Counts from 1 in the order of kind, then place.
    pub id: usize,
    pub colour: String,
    /// The footprint's centre.
    #[serde(serialize_with = "thousandths")]
    pub x_mm: f64,
    #[serde(serialize_with = "thousandths")]
    pub y_mm: f64,
    /// One standard deviation of it along each axis.
    #[serde(serialize_with = "thousandths")]
    pub sigma_mm: f64,
    /// Centre and mean radius of the visible top face in the photo's pixels.
    #[serde(serialize_with = "thousandths_of_both")]
    pub px: [f64; 2],
    #[serde(serialize_with = "thousandths")]
    pub px_radius: f64,
    pub contact: Option<ContactReport>,
    /// Whether the measurement is good enough for a confident close call.
    pub trusted: bool,
}

/// The nearest line that matters for the call.
#[derive(Debug, Clone, Serialize)]
pub struct ContactReport {
    pub line: String,
    #[serde(serialize_with = "thousandths")]
    pub gap_mm: f64,
    #[serde(serialize_with = "thousandths")]
    pub sigma_mm: f64,
    pub p_touching: f64,
    pub call: String,
}

/// Micrometres are below what is measured; more digits would only be noise in files.
fn thousandths<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(round_thousandths(*value))
}

fn thousandths_of_both<S: Serializer>(value: &[f64; 2], serializer: S) -> Result<S::Ok, S::Error> {
    value.map(round_thousandths).serialize(serializer)
}

fn round_thousandths(value: f64) -> f64 {
    // Adding zero turns -0.0 into 0.0.
    (value * 1000.0).round() / 1000.0 + 0.0
}
