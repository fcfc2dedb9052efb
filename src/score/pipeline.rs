//! The stages of a photo, in order.

use std::{sync::OnceLock, time::Instant};

use serde::{Deserialize, Serialize};

use super::{
    LookOptions, PhotoReport, Seen, Sight, look,
    report::{DoubtReport, ForeignReport, PieceReport, RegistrationReport, millionths},
};
use crate::{
    board::{Board, End, PieceKind},
    calls::{Call, CallOptions, Sighting, call, striker_placement},
    camera::{Camera, Pixel},
    capture::{PhotoLimits, Picture},
    detect::{DetectOptions, Detector, Foreign, ForeignReason},
    geometry::Point,
    measure::MeasureOptions,
    register::{
        CameraPrior, CameraWatch, FindOptions, Method, RefineOptions, RegisterError, Registration,
        cameras_from_corners, cameras_from_tags, corners_hold, refine, refine_first, register_by_lines,
        registration_from_corners,
    },
    rules::{GameId, PhotoDoubt, PhotoTally, photo_tally},
};

crate::options::options! {
    /// The options of every stage.
    #[derive(Debug, Clone)]
    pub struct ScoreOptions {
        pub photo: PhotoLimits = PhotoLimits::default(),
        pub find: FindOptions = FindOptions::default(),
        pub refine: RefineOptions = RefineOptions::default(),
        pub detect: DetectOptions = DetectOptions::default(),
        pub measure: MeasureOptions = MeasureOptions::default(),
        pub look: LookOptions = LookOptions::default(),
        pub calls: CallOptions = CallOptions::default(),
    }
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
    /// Made at the first check: a hand-held camera is never checked.
    watch: OnceLock<CameraWatch>,
}

/// How long each stage took, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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
    #[error(
        "the camera has moved by {moved_px:.0} px since its file was made, calibrate it again ({source})"
    )]
    Moved { moved_px: f64, source: RegisterError },
    #[error(
        "cannot tell whether the camera still stands where it stood: clear the board's lines, give more light, \
         or calibrate again ({source})"
    )]
    Lost { source: RegisterError },
    #[error(
        "the photo has no colours, and pieces are told by theirs: take it in colour, or give the original in place of \
         a grey copy"
    )]
    Grey,
    #[error("{game:?} is not played on the board {board}: expected {expected}")]
    Game { game: String, board: String, expected: String },
}

impl ScoreError {
    /// In words that name the photo where they say what to try.
    pub fn words(&self, photo: &str) -> String {
        match self {
            Self::Register(refused) => refused.words(photo),
            _ => self.to_string(),
        }
    }
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
    pub game: GameId,
    pub end: End,
    pub options: ScoreOptions,
}

impl Scorer {
    /// A scorer for a game that is played on the board: the board's first when none is named.
    pub fn new(
        board: Board,
        game: Option<&str>,
        end: End,
        mut options: ScoreOptions,
    ) -> Result<Self, ScoreError> {
        // Both ends look alike: the one in view is the one that is played to.
        options.find.prefer_end = end;
        let named = game.or(board.games.first().map(String::as_str)).unwrap_or_default();
        let played = board.games.iter().find(|game| *game == named).and_then(|game| GameId::named(game));
        match played {
            Some(game) => Ok(Self { board, game, end, options }),
            None => Err(ScoreError::Game {
                game: named.to_owned(),
                expected: board.games.join(", "),
                board: board.id,
            }),
        }
    }

    /// Scores one decoded picture. `photo` is its name in the report.
    pub fn score(
        &self,
        photo: &str,
        picture: &Picture,
        known: &Known,
        times: &mut StageTimes,
    ) -> Result<Scored, ScoreError> {
        let started = Instant::now();
        let registration = match known {
            Known::Camera(prepared) => {
                check_size(picture, &prepared.registration)?;
                match self.registration_if_moved(picture, prepared)? {
                    None => {
                        times.register_secs = started.elapsed().as_secs_f64();
                        check_colours(picture)?;
                        return Ok(self.score_prepared(photo, picture, prepared, known, times));
                    }
                    Some(registration) => registration,
                }
            }
            Known::Nothing | Known::Corners(_) => self.register(picture, known)?,
        };
        times.register_secs = started.elapsed().as_secs_f64();
        check_colours(picture)?;
        Ok(self.score_found(photo, picture, registration, known, times))
    }

    /// Scores a picture in which the board was found, with the board as it was found to be.
    pub fn score_found(
        &self,
        photo: &str,
        picture: &Picture,
        registration: Registration,
        known: &Known,
        times: &mut StageTimes,
    ) -> Scored {
        if let Some(as_found) = self.as_found(&registration) {
            return as_found.score_found(photo, picture, registration, known, times);
        }
        let started = Instant::now();
        let prepared = self.prepare(registration);
        times.register_secs += started.elapsed().as_secs_f64();
        self.score_prepared(photo, picture, &prepared, known, times)
    }

    /// The scorer for the board as it was found to be, where its file leaves that open.
    pub fn as_found(&self, registration: &Registration) -> Option<Scorer> {
        let is_open = registration.off_mm > 0.0 && self.board.tolerance_mm > 0.0;
        let board = || Board { tolerance_mm: 0.0, ..self.board.known_to(registration.off_mm) };
        is_open.then(|| Scorer { board: board(), ..self.clone() })
    }

    fn score_prepared(
        &self,
        photo: &str,
        picture: &Picture,
        prepared: &Prepared,
        known: &Known,
        times: &mut StageTimes,
    ) -> Scored {
        let Prepared { registration, detector, .. } = prepared;
        let sight = look(picture, &self.board, registration, detector, &self.options, times);
        let is_turned = matches!(registration.method, Method::Lines | Method::Outline)
            && matches!(known, Known::Nothing)
            && self.lie_at_the_other_end(&sight.pieces);
        if is_turned && let Some((registration, sight)) = self.look_from_the_other_side(picture, times) {
            return self.call(photo, registration, sight, times);
        }
        let mut scored = self.call(photo, registration.clone(), sight, times);
        if is_turned {
            // Nobody said which end is which, and the pieces say the other.
            let report = &mut scored.report;
            report.tally_probability = millionths(report.tally_probability * self.options.look.other_end);
        }
        scored
    }

    /// Scores a picture of a camera of which its owner says where it stands.
    pub fn score_in_place(
        &self,
        photo: &str,
        picture: &Picture,
        prepared: &Prepared,
        times: &mut StageTimes,
    ) -> Result<Scored, ScoreError> {
        let Prepared { registration, detector, .. } = prepared;
        check_size(picture, registration)?;
        let sight = look(picture, &self.board, registration, detector, &self.options, times);
        Ok(self.call(photo, registration.clone(), sight, times))
    }

    /// Whether most pieces lie at the end that nobody played to.
    fn lie_at_the_other_end(&self, pieces: &[Seen]) -> bool {
        let is_played_to_an_end =
            matches!(self.game, GameId::Court | GameId::LongBoard | GameId::Association);
        let middle_mm = self.board.surface.length_mm / 2.0;
        let is_beyond = |seen: &&Seen| (seen.measurement.centre.y > middle_mm) == (self.end == End::Far);
        is_played_to_an_end && 2 * pieces.iter().filter(is_beyond).count() < pieces.len()
    }

    /// Both ends of a board look alike, so a photo of the whole of it taken from behind shows the end that was
    /// played to as the near one: the board is read the other way round, if that brings the pieces there.
    fn look_from_the_other_side(
        &self,
        picture: &Picture,
        times: &mut StageTimes,
    ) -> Option<(Registration, Sight)> {
        let started = Instant::now();
        let find = FindOptions { upside_down: true, ..self.options.find.clone() };
        let prior = CameraPrior::default();
        let registration =
            register_by_lines(picture, &self.board, &prior, &find, &self.options.refine).ok()?;
        let Prepared { registration, detector, .. } = self.prepare(registration);
        times.register_secs += started.elapsed().as_secs_f64();
        let sight = look(picture, &self.board, &registration, &detector, &self.options, times);
        (!self.lie_at_the_other_end(&sight.pieces)).then_some((registration, sight))
    }

    /// A new registration when the camera has moved since its file was made; `None` when it stands
    /// where it stood. A camera whose lines are not where they were is looked for in the whole picture.
    fn registration_if_moved(
        &self,
        picture: &Picture,
        prepared: &Prepared,
    ) -> Result<Option<Registration>, ScoreError> {
        let (look, file) = (&self.options.look, &prepared.registration);
        let watch = prepared.watch.get_or_init(|| {
            let quick = RefineOptions { max_stations: look.check_stations, ..self.options.refine.clone() };
            CameraWatch::new(&self.board, &file.camera, &quick)
        });
        let prior = CameraPrior { lens: Some(file.camera.lens), ..CameraPrior::default() };
        match watch.check(picture, &self.board) {
            Some(check) if check.moved_px > look.moved_px => {
                refine(picture, &self.board, &file.camera, &prior, &self.options.refine)
                    .map(Some)
                    .map_err(|source| ScoreError::Moved { moved_px: check.moved_px, source })
            }
            Some(_) => Ok(None),
            None if self.board.lines.is_empty() => Ok(None),
            None => self.find_again(picture, &file.camera).map(Some),
        }
    }

    fn register_by_lines(
        &self,
        picture: &Picture,
        prior: &CameraPrior,
    ) -> Result<Registration, RegisterError> {
        register_by_lines(picture, &self.board, prior, &self.options.find, &self.options.refine)
    }

    /// Finds the board by its lines for a camera that does not see them where they were.
    pub(crate) fn find_again(&self, picture: &Picture, camera: &Camera) -> Result<Registration, ScoreError> {
        let prior = CameraPrior { lens: Some(camera.lens), ..CameraPrior::default() };
        self.register_by_lines(picture, &prior).map_err(|source| ScoreError::Lost { source })
    }

    /// Prepares a camera for many photos.
    pub fn prepare(&self, registration: Registration) -> Prepared {
        let camera = &registration.camera;
        let detector = Detector::new(&self.board, camera, camera.image_size, &self.options.detect);
        Prepared { registration, detector, watch: OnceLock::new() }
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
        let called: Vec<(Sighting, Call)> =
            sight.pieces.iter().filter_map(|seen| self.call_piece(seen)).collect();
        let tally = photo_tally(&self.board, self.game, self.end, &called);
        let mut doubts = tally.doubts.clone();
        doubts.extend(self.colour_doubts(&sight.pieces, &called, &tally));
        let placements = called.iter().zip(&sight.pieces).map(|((sighting, _), seen)| {
            let is_shot_with = self.board.pieces[seen.candidate.kind].shooter;
            let paint = |line: usize| seen.paint_of(line);
            is_shot_with
                .then(|| striker_placement(&self.board, sighting, &paint, &self.options.calls))
                .flatten()
        });
        let pieces = sight
            .pieces
            .iter()
            .zip(&called)
            .zip(placements)
            .enumerate()
            .map(|(index, ((seen, (sighting, call)), placement))| {
                let sigma_mm = sighting.sigma_mm(&self.options.calls);
                PieceReport::new(index, &self.board, seen, sigma_mm, call, placement, tally.points[index])
            })
            .collect();
        let report = PhotoReport {
            photo: photo.to_owned(),
            board: self.board.id.clone(),
            board_probability: None,
            game: self.game,
            end: self.end,
            registration: RegistrationReport::new(&registration, self.mm_per_px(&registration)),
            pieces,
            on_board: (!self.board.pockets.is_empty()).then(|| tally.tally.clone()),
            tally: tally.tally,
            tally_probability: millionths(tally.probability * self.nothing_left_out(&sight)),
            doubts: doubts.into_iter().map(DoubtReport::from).collect(),
            uncalled: tally.uncalled.iter().map(|index| index + 1).collect(),
            foreign: sight.foreign.iter().map(ForeignReport::from).collect(),
            times: None,
        };
        times.calls_secs = started.elapsed().as_secs_f64();
        Scored { report, registration, seen: sight.pieces }
    }

    /// How likely it is that none of the round things, which the tally leaves out, is a piece.
    fn nothing_left_out(&self, sight: &Sight) -> f64 {
        let is_none = |thing: &Foreign| match thing.reason {
            ForeignReason::Colour => 1.0 - self.options.look.unknown_is_piece,
            ForeignReason::TooMany => 1.0 - self.options.look.surplus_is_piece,
        };
        sight.foreign.iter().map(is_none).product()
    }

    fn call_piece(&self, seen: &Seen) -> Option<(Sighting, Call)> {
        let sighting = seen.sighting(&self.board);
        let paint = |line: usize| seen.paint_of(line);
        let call = call(&self.board, self.end, &sighting, &paint, &self.options.calls)?;
        Some((sighting, call))
    }

    /// Doubts about colours: what the tally would be if a piece of unsure colour were another
    /// kind's.
    fn colour_doubts(
        &self,
        seen: &[Seen],
        called: &[(Sighting, Call)],
        tally: &PhotoTally,
    ) -> Vec<PhotoDoubt> {
        let mut doubts = Vec::new();
        for (piece, seen) in seen.iter().enumerate() {
            let kind = &self.board.pieces[seen.candidate.kind];
            if seen.candidate.kind_probability >= self.options.look.colour_sure || kind.shooter {
                continue;
            }
            // A kind of which the board has all pieces already cannot have one more.
            let is_left = |other: &&PieceKind| {
                let lying = called.iter().filter(|(sighting, _)| sighting.kind == other.name).count();
                other.name != kind.name && !other.shooter && lying < other.count
            };
            let p_other = 1.0 - seen.candidate.kind_probability;
            let others = self.board.pieces.iter().filter(is_left);
            for other in others {
                let mut turned = called.to_vec();
                turned[piece].0.kind = other.name.clone();
                let turned = photo_tally(&self.board, self.game, self.end, &turned);
                if turned.tally != tally.tally {
                    let about = format!("colour {}", other.name);
                    doubts.push(PhotoDoubt {
                        piece,
                        against: None,
                        about,
                        probability: p_other,
                        tally: turned.tally,
                    });
                }
            }
        }
        doubts
    }

    /// Where the board lies in the picture.
    pub fn register(&self, picture: &Picture, known: &Known) -> Result<Registration, ScoreError> {
        let (nothing, refine) = (CameraPrior::default(), &self.options.refine);
        match known {
            Known::Camera(prepared) => {
                check_size(picture, &prepared.registration)?;
                Ok(prepared.registration.clone())
            }
            Known::Nothing if !self.board.tags.is_empty() => {
                let by_tags = cameras_from_tags(picture, &self.board)
                    .and_then(|first| refine_first(picture, &self.board, &first, &nothing, refine));
                match by_tags {
                    Ok(registration) => Ok(Registration { method: Method::Tags, ..registration }),
                    Err(_) => Ok(self.register_by_lines(picture, &nothing)?),
                }
            }
            Known::Nothing => Ok(self.register_by_lines(picture, &nothing)?),
            Known::Corners(corners) => {
                let found = self.register_by_corners(picture, corners)?;
                corners_hold(picture, &self.board, corners, &found, &self.options.find)?;
                Ok(found)
            }
        }
    }

    fn register_by_corners(
        &self,
        picture: &Picture,
        corners: &[Pixel; 4],
    ) -> Result<Registration, ScoreError> {
        let (nothing, refine) = (CameraPrior::default(), &self.options.refine);
        let first = cameras_from_corners(picture.size(), &self.board, *corners, &self.options.find)?;
        match refine_first(picture, &self.board, &first, &nothing, refine) {
            Ok(registration) => Ok(Registration { method: Method::Corners, ..registration }),
            // A board without paint in view: the corners are all there is, and the covariance says so.
            Err(error) if error.is_without_paint() => {
                let lens = &self.options.refine.usual_lens;
                let by_corners = |first: &Camera| {
                    registration_from_corners(first, &self.board, *corners, lens, &self.options.find.corners)
                };
                first.first().and_then(by_corners).ok_or_else(|| error.into())
            }
            Err(error) => Err(error.into()),
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

/// Pieces are told by their colours.
pub(crate) fn check_colours(picture: &Picture) -> Result<(), ScoreError> {
    if picture.is_grey() { Err(ScoreError::Grey) } else { Ok(()) }
}

fn check_size(picture: &Picture, registration: &Registration) -> Result<(), ScoreError> {
    let (found, expected) = (picture.size(), registration.camera.image_size);
    let words = |[width, height]: [u32; 2]| format!("{width} x {height}");
    match found == expected {
        true => Ok(()),
        false => Err(ScoreError::OtherSize { found: words(found), expected: words(expected) }),
    }
}
