//! A ray caster: scenes with known truth become photos.
//!
//! In: a scene file (JSON) on a board. Out: a picture and the truth beside it, for tests, demos,
//! benches and evaluation sets. The scene's geometry, and so its truth, never depends on what
//! lens and sensor do to the picture, nor on the seed of wood, wear and noise.
//!
//! The way of a scene: [`SceneFile`] → validated [`Scene`] → solids, paint and lamps (`world`) →
//! rays (`trace`) → light (`shade`, `light`, `texture`) → pixels in linear light (`render`) →
//! a developed picture (`sensor`), with [`Truth`] beside it.

mod blob;
mod body;
mod crossing;
mod dice;
mod differences;
mod dress;
mod evening;
mod grid;
mod layout;
mod lettering;
mod light;
mod limits;
mod load;
mod objects;
mod paint;
mod physics;
mod random;
mod rays;
mod reach;
mod reel;
mod render;
mod scene;
mod sensor;
mod sequence;
mod set;
mod shade;
mod shapes;
mod stage;
mod texture;
mod trace;
mod truth;
mod unknown;
mod view;
mod world;

use std::path::Path;

use image::RgbImage;
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

pub use dress::{Dress, Mark, Print};
pub use evening::{EveningError, EveningOptions, EveningTruth, film_evening, stage_evening, write_evening};
pub use load::{Piece, Scene, SceneError};
pub use random::{View, empty_rig, random_scene, random_scene_on_rig};
pub use reel::Reel;
pub use render::{LightField, Renderer};
pub use scene::*;
pub use sensor::{develop, encoded};
pub use sequence::{Sequence, SequencePart, ShotPart, film};
pub use set::{SetError, SetOptions, render_sequence, render_set, set_scene};
pub use stage::{Frame, Phase};
pub use truth::{PieceTruth, Truth};
pub use unknown::{UnknownTable, render_unknown_set, unknown_table};
pub use view::{Region, region_of_play};

/// A rendered scene.
#[derive(Debug, Clone)]
pub struct Photo {
    pub picture: RgbImage,
    pub truth: Truth,
    pub jpeg_quality: u8,
}

/// Renders a scene and tells its truth.
pub fn render(scene: &Scene) -> Photo {
    let renderer = Renderer::new(scene);
    let picture = develop(&renderer.light_field(), &scene.file.picture, scene.file.seed);
    Photo { picture, truth: Truth::of(scene, &renderer), jpeg_quality: scene.file.picture.jpeg_quality }
}

/// A scene's light before the sensor: no blur, noise, vignetting, cast or 8-bit steps.
pub fn render_light(scene: &Scene) -> LightField {
    Renderer::new(scene).light_field()
}

#[derive(Debug, thiserror::Error)]
pub enum PhotoError {
    #[error("cannot write {path}: {reason}")]
    Write { path: String, reason: String },
    #[error("cannot tell the form of {path}; name it .jpg or .png")]
    Form { path: String },
}

impl Photo {
    /// Writes the picture, and the truth beside it with the extension `.json`.
    pub fn save(&self, path: &Path) -> Result<(), PhotoError> {
        let shown = || path.display().to_string();
        let write = |e: &dyn std::fmt::Display| PhotoError::Write { path: shown(), reason: e.to_string() };
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        let bytes = match extension.as_str() {
            "jpg" | "jpeg" => jpeg(&self.picture, self.jpeg_quality).map_err(|e| write(&e))?,
            "png" => {
                let mut bytes = std::io::Cursor::new(Vec::new());
                self.picture.write_to(&mut bytes, image::ImageFormat::Png).map_err(|e| write(&e))?;
                bytes.into_inner()
            }
            _ => return Err(PhotoError::Form { path: shown() }),
        };
        std::fs::write(path, bytes).map_err(|e| write(&e))?;
        let truth = path.with_extension("json");
        let text = serde_json::to_string_pretty(&self.truth).map_err(|e| write(&e))?;
        std::fs::write(&truth, text + "\n")
            .map_err(|e| PhotoError::Write { path: truth.display().to_string(), reason: e.to_string() })
    }
}

/// A picture as cameras save it: colours at half the density of the brightness, each the mean of four pixels.
fn jpeg(picture: &RgbImage, quality: u8) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (width, height) = (u16::try_from(picture.width())?, u16::try_from(picture.height())?);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder.encode(picture.as_raw(), width, height, ColorType::Rgb)?;
    Ok(bytes)
}
