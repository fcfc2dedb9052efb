//! The stages of a photo, in order.

use std::{collections::BTreeMap, time::Instant};

use serde::Serialize;

use super::{
    LookOptions, PhotoReport, Seen, Sight, look,
    report::{ForeignReport, PieceReport, RegistrationReport},
};
use crate::{
    board::{Board, End},
    calls::{CallOptions, PieceState, Sighting, call, striker_placement},
    camera::{Camera, Pixel},
    capture::{PhotoLimits, Picture},
    detect::{DetectOptions, Detector},
    geometry::Point,
    measure::MeasureOptions,
    register::{
        CameraPrior, FindOptions, Method, RefineOptions, RegisterError, Registration, cameras_from_corners,
        find_board, refine,
    },
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
    pub calls: CallOptions,
}

/// What is known of where the board lies in the picture.
#[derive(Debug, Clone)]
pub enum Known {
    /// Nothing: the board is found by its lines.
    Nothing,
    /// Everything, by a camera file.
    Camera(Box<Prepared>),
    /// The corners of the playing surface as a person gave them: near left, near right, far
    /// right, far left.
    Corners([Pixel; 4]),
}

/// A registered camera with what detection prepares for it: made once for a camera file, and for
/// every photo of a hand-held camera.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub registration: Registration,
    pub detector: Detector,
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

/// A scored photo: what is reported, and what it rests on.
#[derive(Debug, Clone)]
pub struct Scored {
    pub report: PhotoReport,
    pub registration: Registration,
    /// In the order of the report's pieces.
    pub seen: Vec<Seen>,
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
    ) -> Result<Scored, ScoreError> {
        let started = Instant::now();
        let own;
        let prepared = match known {
            Known::Camera(prepared) => {
                check_size(picture, &prepared.registration)?;
                prepared.as_ref()
            }
            Known::Nothing | Known::Corners(_) => {
                own = self.prepare(self.register(picture, known)?);
                &own
            }
        };
        times.register_secs = started.elapsed().as_secs_f64();
        let Prepared { registration, detector } = prepared;
        let sight = look(picture, &self.board, registration, detector, &self.options, times);
        Ok(self.call(photo, registration.clone(), sight, times))
    }

    /// Prepares a camera for many photos.
    pub fn prepare(&self, registration: Registration) -> Prepared {
        let camera = &registration.camera;
        let detector = Detector::new(&self.board, camera, camera.image_size, &self.options.detect);
        Prepared { registration, detector }
    }

    /// Calls and tally for what was seen.
    pub fn call(
        &self,
        photo: &str,
        registration: Registration,
        sight: Sight,
        times: &mut StageTimes,
    ) -> Scored {
        let started = Instant::now();
        let pieces: Vec<PieceReport> =
            sight.pieces.iter().enumerate().map(|(index, seen)| self.call_piece(index + 1, seen)).collect();
        let report = PhotoReport {
            photo: photo.to_owned(),
            board: self.board.id.clone(),
            game: self.game.clone(),
            end: self.end,
            registration: RegistrationReport::new(&registration, self.mm_per_px(&registration)),
            on_board: self.on_board(&pieces),
            pieces,
            foreign: sight.foreign.iter().map(ForeignReport::from).collect(),
            times: None,
        };
        times.calls_secs = started.elapsed().as_secs_f64();
        Scored { report, registration, seen: sight.pieces }
    }

    fn call_piece(&self, id: usize, seen: &Seen) -> PieceReport {
        let (board, options) = (&self.board, &self.options.calls);
        let kind = &board.pieces[seen.candidate.kind];
        let sighting = Sighting {
            kind: kind.name.clone(),
            centre: seen.measurement.centre,
            covariance: seen.measurement.covariance,
            stacked: seen.candidate.stacked,
            trusted: seen.measurement.trusted,
        };
        let paint = |line: usize| seen.paint_of(line);
        let call = call(board, self.end, &sighting, &paint, options);
        let placement =
            if kind.shooter { striker_placement(board, &sighting, &paint, options) } else { None };
        PieceReport::new(id, board, seen, call.as_ref(), placement)
    }

    /// What is left on a board whose play takes pieces off.
    fn on_board(&self, pieces: &[PieceReport]) -> Option<BTreeMap<String, usize>> {
        let lying = |name: &str| {
            pieces.iter().filter(|piece| piece.colour == name && piece.state != PieceState::Off).count()
        };
        let scored = self.board.pieces.iter().filter(|kind| !kind.shooter);
        (!self.board.pockets.is_empty())
            .then(|| scored.map(|kind| (kind.name.clone(), lying(&kind.name))).collect())
    }

    /// Where the board lies in the picture.
    pub fn register(&self, picture: &Picture, known: &Known) -> Result<Registration, ScoreError> {
        match known {
            Known::Camera(prepared) => {
                check_size(picture, &prepared.registration)?;
                Ok(prepared.registration.clone())
            }
            Known::Nothing => {
                Ok(register_by_lines(picture, &self.board, &CameraPrior::default(), &self.options)?)
            }
            Known::Corners(corners) => {
                let first = cameras_from_corners(picture.size(), &self.board, *corners)?;
                let registration =
                    refine_first(picture, &self.board, &first, &CameraPrior::default(), &self.options)?;
                Ok(Registration { method: Method::Corners, ..registration })
            }
        }
    }

    fn mm_per_px(&self, registration: &Registration) -> Option<f64> {
        let [width, height] = registration.camera.image_size.map(f64::from);
        let (wide, long) = (self.board.surface.width_mm, self.board.surface.length_mm);
        let middle = registration
            .camera
            .board_from_image((width - 1.0) / 2.0, (height - 1.0) / 2.0, 0.0)
            .map_or(Point::new(wide / 2.0, long / 2.0), |p| {
                Point::new(p.x.clamp(0.0, wide), p.y.clamp(0.0, long))
            });
        registration.camera.mm_per_px(middle)
    }
}

fn check_size(picture: &Picture, registration: &Registration) -> Result<(), ScoreError> {
    let (found, expected) = (picture.size(), registration.camera.image_size);
    let words = |[width, height]: [u32; 2]| format!("{width} x {height}");
    match found == expected {
        true => Ok(()),
        false => Err(ScoreError::OtherSize { found: words(found), expected: words(expected) }),
    }
}

/// Finds the board without hints, and refines it.
pub fn register_by_lines(
    picture: &Picture,
    board: &Board,
    prior: &CameraPrior,
    options: &ScoreOptions,
) -> Result<Registration, RegisterError> {
    let hypotheses = find_board(picture, board, &options.find)?;
    refine_first(picture, board, &hypotheses, prior, options)
}

/// Refines hypotheses, the best first, until one holds. When none does, the best one's error says
/// why.
fn refine_first(
    picture: &Picture,
    board: &Board,
    hypotheses: &[Camera],
    prior: &CameraPrior,
    options: &ScoreOptions,
) -> Result<Registration, RegisterError> {
    let mut first_error = None;
    for hypothesis in hypotheses {
        match refine(picture, board, hypothesis, prior, &options.refine) {
            Ok(registration) => return Ok(registration),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| RegisterError::NotFound {
        board: board.id.clone(),
        reason: "nothing in the picture looks like its lines".into(),
    }))
}
