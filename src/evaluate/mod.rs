//! Output against truth, split by stage: how every change is judged.
//!
//! In: a folder of photos with truth beside them (`a.jpg` and `a.json`; the form that `simulate`
//! writes). Out: a [`PhotoEvaluation`] a photo, and a [`Summary`] a
//! category.
//!
//! What counts: a true piece counts as missed only when it is in view, at rest, and at least
//! [`EvaluateOptions::min_visible_fraction`] of it is visible. Pieces below that may be found or
//! not; they are neither missed nor extra, and their errors are not counted. A contact is judged
//! by the drawing of the line that it names, at the true place of the piece.

mod against;
mod cameras;
mod compare;
mod evening;
mod given;
mod learned;
mod peer;
mod summary;
mod table;
mod truth;
mod turn;

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
    time::Instant,
};

use rayon::prelude::*;

use crate::{
    board::{Board, BoardError, End},
    capture::{Picture, load_photo},
    score::{ScoreError, ScoreOptions, Scored, Scorer, StageTimes},
};

pub use against::differences;
pub use cameras::CameraSource;
pub use compare::{
    ContactOutcome, ExtraPiece, MissedPiece, PhotoOutcome, PieceOutcome, TallyOutcome, Verdict,
};
pub use evening::{EveningError, EveningReport, EventOutcome, EventVerdict, Judge, evaluate_evening};
pub use learned::{
    LearnFrom, LearnedEvaluation, LearnedSummary, LineOutcome, evaluate_learned, learned_table,
    summarise_learned,
};
pub use peer::{Peer, PeerOptions};
pub use summary::{CallSummary, PositionSummary, Summary, TallySummary, summarise};
pub(crate) use table::aligned;
pub use table::{table, worst_list};
pub use truth::{TruePiece, Truth};

#[derive(Debug, Clone)]
pub struct EvaluateOptions {
    pub score: ScoreOptions,
    /// Which board file.
    pub boards: BoardSource,
    /// Which camera the photos are scored with.
    pub camera: CameraSource,
    /// Whether the true pieces are given to measuring, a little off, in place of detection.
    pub pieces_given: bool,
    /// Whether the OpenCV peer is evaluated in place of this program, with the true camera.
    pub peer: bool,
    /// A moving piece is blurred: something reported within this many of its diameters is neither
    /// an extra piece nor judged. Default 2.
    pub moving_diameters: f64,
    /// A reported piece is a true one when it lies within this share of the piece's radius.
    /// Default 0.5: neighbours are at least two radii apart, so nothing is paired wrongly.
    pub match_radius_share: f64,
    /// Pieces of which less is visible may be missed. Default 0.5.
    pub min_visible_fraction: f64,
    /// A call may be left open when the true gap is nearer to 0 than this, in mm. Default 0.3.
    pub close_mm: f64,
    /// From this probability on a call is sure. Default 0.99.
    pub sure_probability: f64,
    /// The tape's graduation: the true camera height is rounded to it before it is given to the
    /// calibration, in mm. Default 20.
    pub tape_mm: f64,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        Self {
            score: ScoreOptions::default(),
            boards: BoardSource::Own,
            camera: CameraSource::File,
            pieces_given: false,
            peer: false,
            moving_diameters: 2.0,
            match_radius_share: 0.5,
            min_visible_fraction: 0.5,
            close_mm: 0.3,
            sure_probability: 0.99,
            tape_mm: 20.0,
        }
    }
}

/// Which board file photos of unknown tables are scored with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum BoardSource {
    /// The photo's own, where one lies beside it.
    Own,
    /// The shipped board that the table is a variant of.
    Kind,
}

#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("truth file {path}: {reason}")]
    Truth { path: PathBuf, reason: String },
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error("{path} has no photos with truth beside them (a.jpg with a.json)")]
    Nothing { path: PathBuf },
}

/// A photo with its truth.
#[derive(Debug, Clone)]
pub struct TruePhoto {
    pub photo: PathBuf,
    /// The photo's path below the evaluated folder.
    pub name: String,
    pub category: String,
    pub truth: Truth,
}

impl TruePhoto {
    /// The id or path of the board that it is scored with.
    pub fn board_name(&self, boards: BoardSource) -> String {
        match &self.truth.own_board {
            Some(own) if boards == BoardSource::Own => self.photo.with_file_name(own).display().to_string(),
            _ => self.truth.board.clone(),
        }
    }

    /// Whether that board's millimetres are others than the truth's.
    fn is_on_another_board(&self, boards: BoardSource) -> bool {
        boards == BoardSource::Kind && self.truth.own_board.is_some()
    }
}

/// What became of one photo: an outcome, or why it was not scored.
#[derive(Debug, Clone)]
pub struct PhotoEvaluation {
    pub name: String,
    pub category: String,
    pub outcome: Result<PhotoOutcome, String>,
    pub times: StageTimes,
}

/// Photos with truth beside them below a folder, in the order of their names. JSON files that
/// are no truth (a sequence's story) have no photo of their name and are passed over.
pub fn true_photos(folder: &Path) -> Result<Vec<TruePhoto>, EvaluateError> {
    let mut photos = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        let unreadable = |source| EvaluateError::Read { path: below.clone(), source };
        for entry in std::fs::read_dir(&below).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json")
                && let Some(photo) = photo_of(&path)
            {
                photos.push(true_photo(folder, photo, Truth::load(&path)?));
            }
        }
    }
    if photos.is_empty() {
        return Err(EvaluateError::Nothing { path: folder.to_owned() });
    }
    photos.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(photos)
}

fn photo_of(truth: &Path) -> Option<PathBuf> {
    ["jpg", "jpeg", "png"]
        .map(|extension| truth.with_extension(extension))
        .into_iter()
        .find(|path| path.is_file())
}

fn true_photo(folder: &Path, photo: PathBuf, truth: Truth) -> TruePhoto {
    let name = photo.strip_prefix(folder).unwrap_or(&photo).display().to_string();
    let parent = || Some(photo.parent()?.file_name()?.to_string_lossy().into_owned());
    let category = truth.category.clone().or_else(parent).unwrap_or_default();
    TruePhoto { name, category, truth, photo }
}

/// Scores every photo on all cores. `done` is called after each photo, with what was made of it.
pub fn evaluate(
    photos: &[TruePhoto],
    folder: &Path,
    options: &EvaluateOptions,
    done: impl Fn(&TruePhoto, Option<(&Scorer, &Picture, &Scored)>) + Sync,
) -> Result<Vec<PhotoEvaluation>, EvaluateError> {
    let mut scorers = BTreeMap::new();
    for photo in photos {
        let name = photo.board_name(options.boards);
        if let Entry::Vacant(place) = scorers.entry(name) {
            let board = Board::named_or_at(place.key())?;
            place.insert(Scorer::new(board, None, End::Far, options.score.clone())?);
        }
    }
    let cameras = cameras::Cameras::new(folder, photos, &scorers, options);
    Ok(photos
        .par_iter()
        .map(|photo| {
            let scorer = &scorers[&photo.board_name(options.boards)];
            evaluate_photo(photo, scorer, &cameras, options, &done)
        })
        .collect())
}

fn evaluate_photo(
    photo: &TruePhoto,
    scorer: &Scorer,
    cameras: &cameras::Cameras,
    options: &EvaluateOptions,
    done: &impl Fn(&TruePhoto, Option<(&Scorer, &Picture, &Scored)>),
) -> PhotoEvaluation {
    let mut times = StageTimes::default();
    let outcome = (|| {
        let known = cameras.known(photo, scorer)?;
        let started = Instant::now();
        let picture = load_photo(&photo.photo, &scorer.options.photo).map_err(|e| e.to_string())?;
        times.decode_secs = started.elapsed().as_secs_f64();
        let scored = if options.peer {
            given::score_by_peer(photo, scorer, &picture, &known, &mut times)?
        } else if options.pieces_given {
            given::score_given(photo, scorer, &picture, &known, &mut times).map_err(|e| e.to_string())?
        } else {
            scorer.score(&photo.name, &picture, &known, &mut times).map_err(|e| e.to_string())?
        };
        done(photo, Some((scorer, &picture, &scored)));
        if photo.is_on_another_board(options.boards) {
            let truth = photo.truth.as_seen_by(&scored.registration.camera);
            return Ok(compare::compare(&scored.report, &truth, &scorer.board, options));
        }
        Ok(compare::compare(&scored.report, &photo.truth, &scorer.board, options))
    })();
    if outcome.is_err() {
        done(photo, None);
    }
    PhotoEvaluation { name: photo.name.clone(), category: photo.category.clone(), outcome, times }
}
