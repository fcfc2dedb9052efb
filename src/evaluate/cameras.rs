//! The camera each photo is scored with.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{EvaluateOptions, TruePhoto};
use crate::{
    calibrate::{CalibrateOptions, Given, calibrate_camera},
    capture::load_photo,
    register::Registration,
    score::{Known, Prepared, Scorer},
};

/// Where the camera comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CameraSource {
    /// As in use: fixed cameras are calibrated from the photo of the empty board and the camera's
    /// height by tape; hand-held photos have nothing given.
    File,
    /// The true camera: leaves the errors of detection and measuring.
    Truth,
    /// Nothing given but the board's id, for any photo.
    None,
}

/// What is known for every photo, prepared once for each fixed camera.
pub(super) struct Cameras {
    source: CameraSource,
    folder: PathBuf,
    calibrated: BTreeMap<PathBuf, Result<Prepared, String>>,
}

impl Cameras {
    pub(super) fn new(
        folder: &Path,
        photos: &[TruePhoto],
        scorers: &BTreeMap<String, Scorer>,
        options: &EvaluateOptions,
    ) -> Self {
        let mut cameras =
            Self { source: options.camera, folder: folder.to_owned(), calibrated: BTreeMap::new() };
        if options.camera == CameraSource::File {
            let fixed: BTreeMap<PathBuf, &TruePhoto> =
                photos.iter().filter_map(|photo| Some((cameras.calibration_image(photo)?, photo))).collect();
            cameras.calibrated = fixed
                .into_par_iter()
                .map(|(image, photo)| {
                    let scorer = &scorers[&photo.board_name(options.boards)];
                    let calibrated = calibrate(&image, photo, scorer, options);
                    (image, calibrated.map(|registration| scorer.prepare(registration)))
                })
                .collect();
        }
        cameras
    }

    pub(super) fn known(&self, photo: &TruePhoto, scorer: &Scorer) -> Result<Known, String> {
        match self.source {
            CameraSource::None => Ok(Known::Nothing),
            CameraSource::Truth => Ok(Known::Camera(Box::new(scorer.prepare(true_registration(photo))))),
            CameraSource::File => match self.calibration_image(photo) {
                None => Ok(Known::Nothing),
                Some(image) => match &self.calibrated[&image] {
                    Ok(prepared) => Ok(Known::Camera(Box::new(prepared.clone()))),
                    Err(reason) => Err(reason.clone()),
                },
            },
        }
    }

    /// The path of the empty board's photo. Truth names it relative to the folder of categories,
    /// which is the evaluated folder or one above the photo's.
    fn calibration_image(&self, photo: &TruePhoto) -> Option<PathBuf> {
        let named = photo.truth.calibration_image.as_ref()?;
        let beside = photo.photo.parent();
        let bases = [Some(self.folder.as_path()), beside.and_then(Path::parent), beside];
        let paths: Vec<PathBuf> = bases.into_iter().flatten().map(|base| base.join(named)).collect();
        paths.iter().find(|path| path.is_file()).or(paths.first()).cloned()
    }
}

fn true_registration(photo: &TruePhoto) -> Registration {
    Registration::exact(photo.truth.camera())
}

/// Calibrates a fixed camera as a person would: the empty board, and the height by tape.
pub(super) fn calibrate(
    image: &Path,
    photo: &TruePhoto,
    scorer: &Scorer,
    options: &EvaluateOptions,
) -> Result<Registration, String> {
    let in_words = |reason: String| format!("calibration from {}: {reason}", image.display());
    let picture = load_photo(image, &scorer.options.photo).map_err(|e| in_words(e.to_string()))?;
    let height_mm = photo.truth.camera().pose.centre_mm().z;
    let by_tape_mm = (height_mm / options.tape_mm).round() * options.tape_mm;
    let given = Given { height_mm: Some(by_tape_mm), ..Given::default() };
    let stages = &scorer.options;
    let calibrate_options = CalibrateOptions {
        find: stages.find.clone(),
        refine: stages.refine.clone(),
        ..CalibrateOptions::default()
    };
    let photos = [(image.display().to_string(), picture)];
    calibrate_camera(&photos, &scorer.board, &given, &calibrate_options, || ())
        .map(|calibration| Registration::from(&calibration.file))
        .map_err(|e| in_words(e.to_string()))
}
