//! The stages of a photo, in order.

use std::time::Instant;

use serde::Serialize;

use super::{
    LookOptions, PhotoReport, Seen, look,
    report::{PieceReport, RegistrationReport},
};
use crate::{
    board::{Board, End},
    camera::Pixel,
    capture::{PhotoLimits, Picture},
    detect::DetectOptions,
    geometry::Point,
    measure::MeasureOptions,
    register::{CameraPrior, FindOptions, RefineOptions, RegisterError, Registration, find_board, refine},
};

/// The options of every stage.
#[derive(Debug, Clone, Default)]
pub struct ScoreOptions {
    pub photo: PhotoLimits,
    pub find: FindOptions,
    pub refine: RefineOptions,
    pub detect: DetectOptions,
    pub measure: MeasureOptions,
    pub look: LookOptions,
}

/// What is known of where the board lies in the picture.
#[derive(Debug, Clone)]
pub enum Known {
    /// Nothing: the board is found by its lines.
    Nothing,
    /// Everything, by a camera file.
    Camera(Box<Registration>),
    /// The corners of the playing surface as a person gave them: near left, near right, far
    /// right, far left.
    Corners([Pixel; 4]),
}

/// How long each stage took, in seconds.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct StageTimes {
    pub decode_secs: f64,
    pub register_secs: f64,
    pub detect_secs: f64,
    pub measure_secs: f64,
    pub paint_secs: f64,
    pub calls_secs: f64,
}

/// Why a photo has no score.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    #[error(transparent)]
    Photo(#[from] crate::capture::PhotoError),
    #[error(transparent)]
    Register(#[from] RegisterError),
    #[error(
        "the picture is {found} pixels but the camera file is for {expected}: \
         score photos of the camera that was calibrated, at the same size"
    )]
    OtherSize { found: String, expected: String },
}

/// What stays the same over a batch of photos.
#[derive(Debug, Clone)]
pub struct Scorer {
    pub board: Board,
    pub game: String,
    pub end: End,
    pub options: ScoreOptions,
}

impl Scorer {
    /// Scores one decoded picture. `photo` is its name in the report.
    pub fn score(
        &self,
        photo: &str,
        picture: &Picture,
        known: &Known,
        times: &mut StageTimes,
    ) -> Result<PhotoReport, ScoreError> {
        let started = Instant::now();
        let registration = self.register(picture, known)?;
        times.register_secs = started.elapsed().as_secs_f64();
        let seen = look(picture, &self.board, &registration, &self.options, times);
        Ok(self.report(photo, &registration, &seen))
    }

    /// Calls and tally for what was seen.
    pub fn report(&self, photo: &str, registration: &Registration, seen: &[Seen]) -> PhotoReport {
        let pieces = seen
            .iter()
            .enumerate()
            .map(|(index, seen)| {
                let measurement = &seen.measurement;
                PieceReport {
                    id: index + 1,
                    colour: self.board.pieces[seen.candidate.kind].name.clone(),
                    x_mm: measurement.centre.x,
                    y_mm: measurement.centre.y,
                    sigma_mm: (measurement.covariance.trace() / 2.0).sqrt(),
                    px: [measurement.px.x, measurement.px.y],
                    px_radius: measurement.px_radius,
                    contact: None,
                    trusted: measurement.trusted,
                }
            })
            .collect();
        PhotoReport {
            photo: photo.to_owned(),
            board: self.board.id.clone(),
            game: self.game.clone(),
            end: self.end,
            registration: RegistrationReport {
                method: registration.method,
                rms_px: registration.rms_px,
                mm_per_px: self.mm_per_px(registration),
            },
            pieces,
            times: None,
        }
    }

    /// Where the board lies in the picture.
    pub fn register(&self, picture: &Picture, known: &Known) -> Result<Registration, ScoreError> {
        match known {
            Known::Camera(registration) => {
                let expected = registration.camera.image_size;
                if picture.size() != expected {
                    let words = |[width, height]: [u32; 2]| format!("{width} x {height}");
                    let (found, expected) = (words(picture.size()), words(expected));
                    return Err(ScoreError::OtherSize { found, expected });
                }
                Ok((**registration).clone())
            }
            Known::Nothing => {
                Ok(register_by_lines(picture, &self.board, &CameraPrior::default(), &self.options)?)
            }
            Known::Corners(_) => Err(RegisterError::NotFound {
                board: self.board.id.clone(),
                reason: "corners are not built yet".into(),
            }
            .into()),
        }
    }

    fn mm_per_px(&self, registration: &Registration) -> f64 {
        let [width, height] = registration.camera.image_size.map(f64::from);
        let (wide, long) = (self.board.surface.width_mm, self.board.surface.length_mm);
        let middle = registration
            .camera
            .board_from_image((width - 1.0) / 2.0, (height - 1.0) / 2.0, 0.0)
            .map_or(Point::new(wide / 2.0, long / 2.0), |p| {
                Point::new(p.x.clamp(0.0, wide), p.y.clamp(0.0, long))
            });
        registration.camera.mm_per_px(middle).unwrap_or(f64::NAN)
    }
}

/// Finds the board without hints and refines the hypotheses, the best first, until one holds.
pub fn register_by_lines(
    picture: &Picture,
    board: &Board,
    prior: &CameraPrior,
    options: &ScoreOptions,
) -> Result<Registration, RegisterError> {
    let mut first_error = None;
    for hypothesis in find_board(picture, board, &options.find)? {
        match refine(picture, board, &hypothesis, prior, &options.refine) {
            Ok(registration) => return Ok(registration),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| RegisterError::NotFound {
        board: board.id.clone(),
        reason: "nothing in the picture looks like its lines".into(),
    }))
}
