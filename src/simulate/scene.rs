//! The form of a scene file: what to render, by which camera, in which light.
//!
//! Every part but the board has defaults, so the smallest scene is a board's name and some pieces.
//! Values are raw here; [`super::Scene`] is the validated form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::board::End;
use crate::camera::Lens;

use super::sequence::SequencePart;

/// A scene as its file spells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SceneFile {
    /// A shipped board's id or the path of a board file.
    pub board: String,
    /// Named in the truth; photos of one kind share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Seeds wood, wear and picture noise. Geometry does not depend on it.
    #[serde(default)]
    pub seed: u64,
    /// The end that is played to; decides areas and dead pieces.
    #[serde(default)]
    pub end: End,
    #[serde(default)]
    pub camera: CameraPart,
    #[serde(default)]
    pub pieces: Vec<PiecePart>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectPart>,
    #[serde(default)]
    pub light: LightPart,
    #[serde(default)]
    pub look: LookPart,
    #[serde(default)]
    pub picture: PicturePart,
    /// The empty board seen by the same fixed camera, as the truth is to name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration_image: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<SequencePart>,
}

/// Either `intrinsics` and `extrinsics` in full, or a height and a point to look at.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CameraPart {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_size: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intrinsics: Option<Lens>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extrinsics: Option<Extrinsics>,
    /// The camera's height above the surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_mm: Option<f64>,
    /// The point of the surface that the optical axis meets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look_at: Option<[f64; 2]>,
    /// Angle between the optical axis and straight down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tilt_deg: Option<f64>,
    /// Counter-clockwise turn of the camera around the point it looks at; at 0 it stands on the
    /// near side and the picture's up is the board's far end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_deg: Option<f64>,
    /// Turn of the camera about its own axis; 90 is a phone held upright.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_deg: Option<f64>,
    /// Absent: such that the scoring end (or the whole square board) fills the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focal_px: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal_point: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k1: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k2: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p1: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p2: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k3: Option<f64>,
}

/// `camera = R board + t`, millimetres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Extrinsics {
    #[serde(rename = "R")]
    pub rotation: [[f64; 3]; 3],
    #[serde(rename = "t")]
    pub translation_mm: [f64; 3],
}

/// A piece; sizes that are absent come from the board file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PiecePart {
    /// Its kind's name in the board file.
    pub colour: String,
    pub x_mm: f64,
    pub y_mm: f64,
    /// Height of its base; absent: on the surface, or on the piece it is stacked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z_mm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter_mm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height_mm: Option<f64>,
    /// Radius of the rounding at the top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rim_mm: Option<f64>,
    /// Radius of the rounding at the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_rim_mm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub make: Option<MakePart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap_diameter_mm: Option<f64>,
    /// The face's colour, `"#rrggbb"`; absent: the kind's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paint: Option<String>,
    /// Index of the piece below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacked_on: Option<usize>,
    /// Motion at the middle of the exposure; blurs the piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_mm_s: Option<[f64; 2]>,
    /// The shot that played it, in a sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shot: Option<usize>,
    /// Where it lies out of play; it is no part of the game then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parked: Option<Parked>,
}

/// Where pieces lie that are out of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parked {
    OnFrame,
    InPocket,
    InGutter,
}

/// How a piece's top is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MakePart {
    Plain,
    /// One concentric groove.
    Groove,
    /// Several concentric grooves.
    Rings,
    /// A coloured cap standing proud of a lower metal ring.
    Cap,
}

/// A thing that is no piece.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ObjectPart {
    pub kind: ObjectKind,
    /// Middle of the object; of the palm for a hand.
    pub x_mm: f64,
    pub y_mm: f64,
    /// Absent: on what lies below (the surface, or the table beside the board).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z_mm: Option<f64>,
    /// Direction a hand's fingers (or a phone's long side) point in, counter-clockwise from x.
    #[serde(default)]
    pub angle_deg: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter_mm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// Of the sleeve, for a hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleeve: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectKind {
    /// A bar over the table, as wide and as high as its diameter says: a gantry, a lamp's arm.
    Beam,
    /// A round thing on such a bar: a motor, a pulley.
    Knob,
    Hand,
    /// Somebody who bends over the board.
    Head,
    Cup,
    Coin,
    Sticker,
    Phone,
    Button,
}

/// Lamps, the dome of light that fills the shadows, and what may stand in the lamps' way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LightPart {
    /// Absent or empty: one lamp above and beside the middle of the view.
    pub lamps: Vec<LampPart>,
    /// Share of the light that comes from all around, 0 to 1.
    pub ambient: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shadow_band: Option<ShadowBand>,
}

impl Default for LightPart {
    fn default() -> Self {
        Self { lamps: Vec::new(), ambient: 0.45, shadow_band: None }
    }
}

/// A round lamp that faces the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LampPart {
    pub x_mm: f64,
    pub y_mm: f64,
    pub z_mm: f64,
    /// Large lamps throw soft shadows.
    #[serde(default = "default_lamp_radius")]
    pub radius_mm: f64,
    /// Share of the lamps' light at the middle of the view.
    #[serde(default = "one")]
    pub strength: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

fn default_lamp_radius() -> f64 {
    180.0
}

fn one() -> f64 {
    1.0
}

/// A long bar between the lamps and the board (a lamp's arm, a person) that throws a band.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ShadowBand {
    /// Where the middle of its shadow crosses the board, for the first lamp.
    pub x_mm: f64,
    pub y_mm: f64,
    pub angle_deg: f64,
    pub width_mm: f64,
    /// Height of the bar; low ones throw harder shadows.
    pub height_mm: f64,
}

/// Wood, paint, varnish and what the board stands on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LookPart {
    /// The surface's colour; absent: the board file's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wood: Option<String>,
    /// The rails' colour; absent: the board file's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rails: Option<String>,
    /// Contrast of the grain, 0 (none) to 2.
    pub grain: f64,
    /// Width of the strips a surface is glued from; 0: one sheet.
    pub strip_mm: f64,
    /// Printed numerals; absent: as the board file has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numerals: Option<bool>,
    /// Names of lines and prints, and texts of numerals, that this board does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// Worn paint, 0 to 1.
    pub wear: f64,
    /// Where paint lies off its drawing, by line name; `name@near` for the near end's alone.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub paint_offsets_mm: BTreeMap<String, [f64; 2]>,
    /// Gloss of the surface, 0 (raw wood) to 1 (varnish).
    pub gloss: f64,
    pub floor: Floor,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_colour: Option<String>,
}

impl Default for LookPart {
    fn default() -> Self {
        Self {
            wood: None,
            rails: None,
            grain: 1.0,
            strip_mm: 0.0,
            numerals: None,
            absent: Vec::new(),
            wear: 0.25,
            paint_offsets_mm: BTreeMap::new(),
            gloss: 0.35,
            floor: Floor::Wood,
            floor_colour: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Floor {
    Wood,
    Cloth,
    Stone,
}

/// What lens and sensor do to the light. None of it moves an edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PicturePart {
    /// 1: a white card in the middle of the view comes out white.
    pub exposure: f64,
    /// Gains of red, green and blue: what the white balance missed.
    pub cast: [f64; 3],
    /// Light lost in the corners, 0 to 1.
    pub vignette: f64,
    /// Standard deviation of the blur by lens and sensor.
    pub defocus_px: f64,
    /// How far the camera moves during the exposure.
    pub shake_px: [f64; 2],
    /// 0: none; 1: a phone indoors (standard deviation about 2 of 255 on the surface).
    pub noise: f64,
    /// Another noise on the same scene; the scene's own seed has a say too.
    pub noise_seed: u64,
    /// How long moving pieces blur.
    pub exposure_secs: f64,
    pub jpeg_quality: u8,
}

impl Default for PicturePart {
    fn default() -> Self {
        Self {
            exposure: 0.9,
            cast: [1.0; 3],
            vignette: 0.12,
            defocus_px: 0.6,
            shake_px: [0.0; 2],
            noise: 0.8,
            noise_seed: 0,
            exposure_secs: 1.0 / 60.0,
            jpeg_quality: 92,
        }
    }
}

impl SceneFile {
    /// A scene of this board with everything at its default.
    pub fn of_board(board: impl Into<String>) -> Self {
        Self {
            board: board.into(),
            category: None,
            seed: 0,
            end: End::Far,
            camera: CameraPart::default(),
            pieces: Vec::new(),
            objects: Vec::new(),
            light: LightPart::default(),
            look: LookPart::default(),
            picture: PicturePart::default(),
            calibration_image: None,
            sequence: None,
        }
    }

    /// The same scene as light falls on it, without what lens and sensor do: no blur, noise,
    /// vignetting or colour cast.
    pub fn without_picture_faults(&self) -> Self {
        let picture = PicturePart {
            vignette: 0.0,
            defocus_px: 0.0,
            shake_px: [0.0; 2],
            noise: 0.0,
            cast: [1.0; 3],
            ..self.picture.clone()
        };
        Self { picture, ..self.clone() }
    }
}

impl PiecePart {
    pub fn new(colour: impl Into<String>, x_mm: f64, y_mm: f64) -> Self {
        Self {
            colour: colour.into(),
            x_mm,
            y_mm,
            z_mm: None,
            diameter_mm: None,
            height_mm: None,
            rim_mm: None,
            base_rim_mm: None,
            make: None,
            cap_diameter_mm: None,
            paint: None,
            stacked_on: None,
            velocity_mm_s: None,
            shot: None,
            parked: None,
        }
    }
}

/// The key under which a line's paint offset is looked up first.
pub(super) fn offset_key(name: &str, end: Option<End>) -> String {
    match end {
        Some(End::Near) => format!("{name}@near"),
        _ => name.to_owned(),
    }
}
