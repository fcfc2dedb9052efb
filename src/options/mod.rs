//! The options of every stage as data: one readable TOML file.
//!
//! A stage's options are declared once, by `options!`: each with its meaning, its type and its default.
//! From that come the struct, what `linecall options` prints ([`defaults`]), and what is read from a file:
//! a section a stage, defaults for what is left out, and every fault with its line ([`Options::parse`]). A ledger
//! keeps the options of each view in the same form ([`as_toml`]).

mod declare;
mod faults;
mod write;

use std::path::Path;

pub(crate) use declare::options;
pub use declare::{About, Documented, Field};
pub use write::{as_toml, defaults, sections};

use crate::{
    calibrate::CalibrateOptions,
    calls::CallOptions,
    capture::PhotoLimits,
    detect::{DetectOptions, FieldOptions, PrintOptions, SurfaceOptions},
    identify::IdentifyOptions,
    learn::LearnOptions,
    live::LiveOptions,
    measure::MeasureOptions,
    outline::OutlineSearch,
    register::{CornerOptions, FindOptions, OutlineOptions, ProfileOptions, RefineOptions, SideOptions},
    score::{LookOptions, RoomOptions, ScoreOptions},
};

options! {
    /// Lengths are in millimetres on the board and pixels in the picture; "stops" are factors of two of linear light;
    /// times are in seconds.
    #[derive(Debug, Clone)]
    pub struct Options {
        /// What a photo may be.
        pub photo: PhotoLimits = PhotoLimits::default(),
        /// How the board is searched for.
        pub find: FindOptions = FindOptions::default(),
        /// How its place is refined on its paint.
        pub refine: RefineOptions = RefineOptions::default(),
        /// Which pieces lie where.
        pub detect: DetectOptions = DetectOptions::default(),
        /// Each piece's footprint, and the paint beside it.
        pub measure: MeasureOptions = MeasureOptions::default(),
        /// What is made of detection and measurement together.
        pub look: LookOptions = LookOptions::default(),
        /// When a measurement is good enough for a call.
        pub calls: CallOptions = CallOptions::default(),
        /// Which board a picture shows.
        pub identify: IdentifyOptions = IdentifyOptions::default(),
        /// How a camera is calibrated.
        pub calibrate: CalibrateOptions = CalibrateOptions::default(),
        /// How a board file is learned from photos.
        pub learn: LearnOptions = LearnOptions::default(),
        /// How a match is watched.
        pub live: LiveOptions = LiveOptions::default(),
    }
}

/// Every kind of options that is declared, so that what is printed can say what they mean.
const DECLARED: &[&About] = &[
    &Options::ABOUT,
    &PhotoLimits::ABOUT,
    &FindOptions::ABOUT,
    &OutlineSearch::ABOUT,
    &CornerOptions::ABOUT,
    &RefineOptions::ABOUT,
    &ProfileOptions::ABOUT,
    &OutlineOptions::ABOUT,
    &SideOptions::ABOUT,
    &DetectOptions::ABOUT,
    &SurfaceOptions::ABOUT,
    &FieldOptions::ABOUT,
    &PrintOptions::ABOUT,
    &MeasureOptions::ABOUT,
    &LookOptions::ABOUT,
    &RoomOptions::ABOUT,
    &CallOptions::ABOUT,
    &IdentifyOptions::ABOUT,
    &CalibrateOptions::ABOUT,
    &LearnOptions::ABOUT,
];

/// Why a file of options cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OptionsError {
    #[error("cannot read the options file {path}: {reason}")]
    Read { path: String, reason: String },
    #[error("the options file {name} cannot be used:\n  {}", faults.join("\n  "))]
    Faults { name: String, faults: Vec<String> },
}

impl Options {
    /// The options in a file; those that it leaves out have their defaults.
    pub fn load(path: &Path) -> Result<Self, OptionsError> {
        let text = std::fs::read_to_string(path).map_err(|error| OptionsError::Read {
            path: path.display().to_string(),
            reason: error.to_string(),
        })?;
        Self::parse(&text, &path.display().to_string())
    }

    /// The same of a text; `name` is what faults call it.
    pub fn parse(text: &str, name: &str) -> Result<Self, OptionsError> {
        let refused = |faults: Vec<String>| OptionsError::Faults { name: name.to_owned(), faults };
        let faults = faults::faults(text, &Options::default());
        if !faults.is_empty() {
            return Err(refused(faults));
        }
        let mut options: Options =
            toml::from_str(text).map_err(|error| refused(vec![faults::words(text, &error)]))?;
        // Stages within stages search and refine as all do.
        options.calibrate.find = options.find.clone();
        options.calibrate.refine = options.refine.clone();
        options.learn.find = options.find.clone();
        options.learn.refine = options.refine.clone();
        Ok(options)
    }

    /// Those that a photo is scored by.
    pub fn score(&self) -> ScoreOptions {
        ScoreOptions {
            photo: self.photo.clone(),
            find: self.find.clone(),
            refine: self.refine.clone(),
            detect: self.detect.clone(),
            measure: self.measure.clone(),
            look: self.look.clone(),
            calls: self.calls,
        }
    }
}

#[cfg(test)]
mod tests;
