//! How photos are scored: on the board that was named, or on the one that each of them shows.

use std::path::Path;

use super::{Failure, named};
use crate::{
    board::{Board, End},
    camera::{CameraFile, Pixel},
    capture::Picture,
    detect::TaughtColours,
    identify::{Finder, FinderError, IdentifyError},
    options::Options,
    score::{Known, ScoreOptions, Scored, Scorer, StageTimes, percent},
};

/// What was given on the command line.
pub(super) struct Given<'a> {
    pub board: Option<&'a str>,
    pub game: Option<&'a str>,
    pub end: End,
    pub camera: Option<&'a Path>,
    pub colours: Option<&'a Path>,
    pub corners: Option<[Pixel; 4]>,
    pub options: &'a Options,
}

pub(super) enum Way {
    /// On one board, by what is known of the camera.
    Named(Box<Scorer>, Known),
    /// On the board that the photo shows; its corners, where they were given.
    Found { finder: Box<Finder>, corners: Option<[Pixel; 4]>, options: Box<ScoreOptions> },
}

/// A photo without a score.
pub(super) struct Unscored {
    pub words: String,
    /// Where several boards fit: their ids and how likely each is.
    pub boards: Vec<(String, f64)>,
}

impl From<String> for Unscored {
    fn from(words: String) -> Self {
        Self { words, boards: Vec::new() }
    }
}

impl Way {
    pub fn of(given: &Given<'_>) -> Result<Self, Failure> {
        let Some(board) = board_of(given)? else {
            let library = named::library()?;
            let (score, identify) = (given.options.score(), given.options.identify.clone());
            let finder = Finder::new(&library.boards, given.game, given.end, &score, identify)
                .map_err(Failure::usage)?;
            return Ok(Self::Found {
                finder: Box::new(finder),
                corners: given.corners,
                options: Box::new(score),
            });
        };
        let scorer = super::score::scorer(&board, given.game, given.end, given.colours, given.options)?;
        let known = super::score::known(given.camera, given.corners, &scorer)?;
        Ok(Self::Named(Box::new(scorer), known))
    }

    pub fn options(&self) -> ScoreOptions {
        match self {
            Self::Named(scorer, _) => scorer.options.clone(),
            Self::Found { options, .. } => options.as_ref().clone(),
        }
    }

    /// The scorer of the board that was named.
    pub fn named(&self) -> Option<&Scorer> {
        match self {
            Self::Named(scorer, _) => Some(scorer),
            Self::Found { .. } => None,
        }
    }

    /// Scores a picture; the scorer is the board's.
    pub fn score(
        &self,
        photo: &Path,
        picture: &Picture,
        times: &mut StageTimes,
    ) -> Result<(&Scorer, Scored), Unscored> {
        let name = photo.display().to_string();
        let named = |words: String| format!("{name}: {words}");
        match self {
            Self::Named(scorer, known) => scorer
                .score(&name, picture, known, times)
                .map(|scored| (&**scorer, scored))
                .map_err(|error| named(error.words(&name)).into()),
            Self::Found { finder, corners, .. } => {
                finder.score(&name, picture, *corners, times).map_err(|error| match error {
                    FinderError::Score(error) => named(error.words(&name)).into(),
                    FinderError::Identify(error) => {
                        Unscored { words: named(error.words(&name)), boards: boards_of(&error) }
                    }
                })
            }
        }
    }
}

fn boards_of(error: &IdentifyError) -> Vec<(String, f64)> {
    match error {
        IdentifyError::Several { fitting, .. } => {
            fitting.iter().map(|fitting| (fitting.board.clone(), fitting.probability)).collect()
        }
        _ => Vec::new(),
    }
}

/// The board that was named, or the one that a given file is of.
fn board_of(given: &Given<'_>) -> Result<Option<String>, Failure> {
    if let Some(board) = given.board {
        return Ok(Some(board.to_owned()));
    }
    if let Some(path) = given.camera {
        return CameraFile::load(path).map(|file| Some(file.board)).map_err(Failure::new);
    }
    let colours = given.colours.map(TaughtColours::load).transpose().map_err(Failure::new)?;
    Ok(colours.map(|colours| colours.board))
}

/// The board that the first photo shows in which one is found; said on standard error.
pub(super) fn board_in(
    photos: &[(String, Picture)],
    corners: Option<[Pixel; 4]>,
    options: &Options,
) -> Result<Board, Failure> {
    let library = named::library()?;
    let (score, identify) = (options.score(), options.identify.clone());
    let finder = Finder::new(&library.boards, None, End::Far, &score, identify).map_err(Failure::new)?;
    let mut first_error = None;
    for (index, (name, picture)) in photos.iter().enumerate() {
        // Corners are those of the first photo.
        match finder.identify(picture, corners.filter(|_| index == 0)) {
            Ok(fitting) => {
                eprintln!("linecall: {}", found_words(&fitting.board, fitting.probability));
                return Ok(finder.scorer(&fitting).board.clone());
            }
            Err(error) => first_error = first_error.or(Some(format!("{name}: {}", error.words(name)))),
        }
    }
    Err(Failure::new(first_error.unwrap_or_else(|| "no photo was given".to_owned())))
}

pub(super) fn found_words(board: &str, probability: f64) -> String {
    format!("board: {board} (found by itself, {})", percent(probability))
}
