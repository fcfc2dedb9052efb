//! The ranges that a scene's values must lie in, and the list of those that do not.
//!
//! Ranges are wide: they keep arithmetic finite and memory bounded, not scenes plausible.

use crate::board::Colour;

/// A closed range with its unit, as messages spell it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub least: f64,
    pub most: f64,
    pub unit: &'static str,
}

const fn range(least: f64, most: f64, unit: &'static str) -> Range {
    Range { least, most, unit }
}

pub(super) const POSITION_MM: Range = range(-20_000.0, 20_000.0, "mm");
pub(super) const HEIGHT_MM: Range = range(-500.0, 2_000.0, "mm");
pub(super) const LAMP_HEIGHT_MM: Range = range(300.0, 20_000.0, "mm");
pub(super) const LAMP_RADIUS_MM: Range = range(1.0, 3_000.0, "mm");
pub(super) const CAMERA_HEIGHT_MM: Range = range(100.0, 20_000.0, "mm");
pub(super) const PIECE_SIZE_MM: Range = range(2.0, 300.0, "mm");
pub(super) const OBJECT_SIZE_MM: Range = range(2.0, 500.0, "mm");
pub(super) const BAND_WIDTH_MM: Range = range(1.0, 2_000.0, "mm");
pub(super) const BAND_HEIGHT_MM: Range = range(30.0, 290.0, "mm");
pub(super) const STRIP_MM: Range = range(0.0, 1_000.0, "mm");
pub(super) const PAINT_OFFSET_MM: Range = range(-20.0, 20.0, "mm");
pub(super) const ANGLE_DEG: Range = range(-720.0, 720.0, "degrees");
pub(super) const TILT_DEG: Range = range(0.0, 80.0, "degrees");
pub(super) const SPEED_MM_S: Range = range(-20_000.0, 20_000.0, "mm/s");
pub(super) const SHARE: Range = range(0.0, 1.0, "");
pub(super) const POSITIVE_SHARE: Range = range(1e-3, 1e3, "");
pub(super) const GRAIN: Range = range(0.0, 2.0, "");
pub(super) const EXPOSURE: Range = range(1e-3, 100.0, "");
pub(super) const CAST: Range = range(0.1, 10.0, "");
pub(super) const DEFOCUS_PX: Range = range(0.0, 30.0, "px");
pub(super) const SHAKE_PX: Range = range(-60.0, 60.0, "px");
pub(super) const NOISE: Range = range(0.0, 20.0, "");
pub(super) const EXPOSURE_SECS: Range = range(0.0, 1.0, "s");
pub(super) const JPEG_QUALITY: Range = range(1.0, 100.0, "");
pub(super) const FOCAL_PX: Range = range(50.0, 100_000.0, "px");
pub(super) const LENS_COEFFICIENT: Range = range(-2.0, 2.0, "");
pub(super) const IMAGE_SIDE_PX: Range = range(16.0, 12_000.0, "px");
pub(super) const MAX_IMAGE_PIXELS: u64 = 64_000_000;
pub(super) const MAX_PIECES: usize = 200;
pub(super) const MAX_OBJECTS: usize = 30;
pub(super) const MAX_LAMPS: usize = 8;

/// Collects every fault of a scene.
#[derive(Debug, Default)]
pub(super) struct Faults {
    pub reasons: Vec<String>,
}

impl Faults {
    pub fn add(&mut self, at: impl std::fmt::Display, expected: impl std::fmt::Display) {
        self.reasons.push(format!("{at}: expected {expected}"));
    }

    pub fn within(&mut self, at: impl std::fmt::Display, value: f64, range: Range) {
        let Range { least, most, unit } = range;
        if !(value >= least && value <= most) {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            self.add(at, format!("{least} to {most}{unit}, found {value}"));
        }
    }

    pub fn within_if(&mut self, at: impl std::fmt::Display, value: Option<f64>, range: Range) {
        if let Some(value) = value {
            self.within(at, value, range);
        }
    }

    pub fn colour_if(&mut self, at: impl std::fmt::Display, text: Option<&str>) {
        if let Some(Err(reason)) = text.map(str::parse::<Colour>) {
            self.reasons.push(format!("{at}: {reason}"));
        }
    }
}
