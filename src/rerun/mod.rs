//! Stored views scored again: with this version, with another board file, camera file or options.
//!
//! In: a ledger's view and what is to be different. Out: a [`Scored`] as if the frame had just been
//! taken, or the differences from what was recorded, call by call ([`compare`]). Nothing is written:
//! a re-analysis is an opinion, only a person's verdict changes a match.

mod compare;
mod dossier;

use std::path::Path;

pub use compare::{CallChange, CallThen, ViewComparison, compare};
pub use dossier::{DossierError, dossier};

use crate::{
    board::{Board, BoardError, BoardFile},
    camera::{CameraFile, CameraFileError, Pixel},
    capture::{PhotoError, Picture, decode_photo, taken_at},
    detect::TaughtColours,
    ledger::{Hash, KnownPlace, Ledger, LedgerError, StoredView},
    options::{Options, OptionsError},
    register::Registration,
    score::{Known, ScoreError, ScoreOptions, Scored, Scorer, StageTimes},
};

/// Which options views are scored again with.
#[derive(Debug, Clone, Default)]
pub enum OptionsFrom {
    /// This version's.
    #[default]
    Defaults,
    /// Those that each view was scored with.
    Recorded,
    Given(Box<ScoreOptions>),
}

/// What is to be different from what was recorded.
#[derive(Debug, Clone, Default)]
pub struct Instead {
    pub options: OptionsFrom,
    pub board: Option<Board>,
    /// A camera file's registration.
    pub camera: Option<CameraFile>,
    /// Probability from which a call is certain; see [`crate::calls::CallOptions::sure`].
    pub sure: Option<f64>,
}

/// Why a view cannot be scored again.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("its frame is not in the ledger: {0}")]
    NoFrame(String),
    #[error("its frame cannot be read: {0}")]
    Photo(#[from] PhotoError),
    #[error("its board file cannot be used: {0}")]
    Board(#[from] BoardError),
    #[error("its camera file cannot be used: {0}")]
    Camera(#[from] CameraFileError),
    #[error("its options cannot be used: {0}")]
    Options(#[from] OptionsError),
    #[error("its taught colours cannot be used: {0}")]
    Colours(String),
    #[error(transparent)]
    Score(#[from] ScoreError),
}

/// A view scored again, with what it was scored with.
pub struct Rescored {
    pub picture: Picture,
    pub scorer: Scorer,
    pub scored: Scored,
    /// The settled frame's name in the ledger.
    pub frame: Hash,
    /// When the photo was taken, where it says so itself.
    pub taken_at: Option<String>,
}

/// Scores a stored view again.
pub fn rescore(ledger: &Ledger, view: &StoredView, instead: &Instead) -> Result<Rescored, RerunError> {
    let facts = &view.facts;
    let settled = facts.settled().ok_or_else(|| RerunError::NoFrame("the view has none".to_owned()))?;
    let frame = settled
        .hash
        .ok_or_else(|| RerunError::NoFrame(settled.left_out.clone().unwrap_or("it was not kept".into())))?;
    let board = match &instead.board {
        Some(board) => board.clone(),
        None => {
            BoardFile { name: facts.board.name.clone(), text: ledger.text(&facts.board.hash)? }.board()?
        }
    };
    let scorer = scorer(ledger, view, board, instead)?;
    let known = known(view, &scorer, instead);
    let bytes = ledger.file(&frame)?;
    let picture = decode_photo(&bytes, Path::new(&facts.source), &scorer.options.photo)?;
    let scored = scorer.score(&view.report.photo, &picture, &known, &mut StageTimes::default())?;
    Ok(Rescored { picture, scorer, scored, frame, taken_at: taken_at(&bytes) })
}

fn scorer(ledger: &Ledger, view: &StoredView, board: Board, instead: &Instead) -> Result<Scorer, RerunError> {
    let mut options = match &instead.options {
        OptionsFrom::Defaults => ScoreOptions::default(),
        OptionsFrom::Recorded => {
            Options::parse(&ledger.text(&view.facts.options)?, "recorded with it")?.score()
        }
        OptionsFrom::Given(options) => (**options).clone(),
    };
    if let Some(file) = &view.facts.colours {
        let taught: TaughtColours = toml::from_str(&ledger.text(&file.hash)?)
            .map_err(|error| RerunError::Colours(error.message().to_owned()))?;
        options.detect.taught = Some(taught);
    }
    if let Some(sure) = instead.sure {
        options.calls.sure = sure;
    }
    // The game is one of the stored board's; another board of the same name has it too, or says so.
    Ok(Scorer::new(board, Some(view.report.game.id()), view.report.end, options)?)
}

fn known(view: &StoredView, scorer: &Scorer, instead: &Instead) -> Known {
    let prepared = |registration: Registration| Known::Camera(Box::new(scorer.prepare(registration)));
    match (&instead.camera, view.facts.known) {
        (Some(file), _) => prepared(Registration::from(file)),
        (None, KnownPlace::Camera) => prepared(view.facts.registration.registration()),
        (None, KnownPlace::Corners(corners)) => Known::Corners(corners.map(|[u, v]| Pixel::new(u, v))),
        (None, KnownPlace::Nothing) => Known::Nothing,
    }
}
