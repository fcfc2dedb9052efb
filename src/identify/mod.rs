//! Which board a photo shows, where nobody said it.
//!
//! In: a picture and the boards that may be in it. Out: the board that explains the picture, where it lies
//! and how probable it is; or the boards that fit alike with what tells them apart; or why none fits. What
//! does not depend on the board is done once for all of them. First every board is looked for by its lines
//! (`fit`); those that none of its own checks refuses are weighed against each other, and against a table
//! that nobody described (`weigh`); where paint cannot tell, the pieces are asked (`pieces`); what still
//! fits alike is compared (`apart`).

mod apart;
mod fit;
mod options;
mod pieces;
mod weigh;
mod words;

use crate::{
    board::{Board, End, KnownBoard, Origin},
    camera::Pixel,
    capture::Picture,
    register::{Missing, RegisterError, Registration, SearchedPicture, corners_hold, described},
    score::{Known, ScoreError, ScoreOptions, Scored, Scorer, StageTimes, check_colours},
};

pub use apart::{Difference, differences};
pub use options::IdentifyOptions;

/// A board that may be in the picture.
#[derive(Debug, Clone)]
pub struct Possible {
    pub scorer: Scorer,
    /// Whether it is one of the person's own.
    pub is_own: bool,
}

/// A board that fits a picture.
#[derive(Debug, Clone)]
pub struct Fitting {
    /// Its place among the possible boards.
    pub index: usize,
    pub board: String,
    pub registration: Registration,
    pub probability: f64,
}

/// Why no board was taken.
#[derive(Debug, Clone, thiserror::Error)]
pub enum IdentifyError {
    /// None of them fits.
    #[error("{0}")]
    None(RegisterError),
    /// Several fit, the likeliest first; what tells the first two apart.
    #[error("{}", words::several(fitting, apart))]
    Several { fitting: Vec<Fitting>, apart: Vec<Difference> },
    /// No board is left to look for.
    #[error("no board is played by the game {game:?}: see linecall games and linecall boards")]
    NoBoard { game: String },
}

impl IdentifyError {
    /// In words that name the photo where they say what to try.
    pub fn words(&self, photo: &str) -> String {
        match self {
            Self::None(refused) => refused.words(photo),
            _ => self.to_string(),
        }
    }
}

/// Why a photo has no score.
#[derive(Debug, thiserror::Error)]
pub enum FinderError {
    #[error(transparent)]
    Identify(#[from] IdentifyError),
    #[error(transparent)]
    Score(#[from] ScoreError),
}

impl FinderError {
    /// In words that name the photo where they say what to try.
    pub fn words(&self, photo: &str) -> String {
        match self {
            Self::Identify(error) => error.words(photo),
            Self::Score(error) => error.words(photo),
        }
    }
}

/// Scores photos of which nobody said which board they show.
#[derive(Debug, Clone)]
pub struct Finder {
    possible: Vec<Possible>,
    options: IdentifyOptions,
}

impl Finder {
    /// Of the boards those that play the game, where one is named.
    pub fn new(
        boards: &[KnownBoard],
        game: Option<&str>,
        end: End,
        score: &ScoreOptions,
        options: IdentifyOptions,
    ) -> Result<Self, IdentifyError> {
        let plays = |known: &&KnownBoard| game.is_none_or(|game| known.board.games.iter().any(|g| g == game));
        let possible: Vec<Possible> = boards
            .iter()
            .filter(plays)
            .filter_map(|known| {
                let scorer = Scorer::new(known.board.clone(), game, end, score.clone()).ok()?;
                Some(Possible { scorer, is_own: matches!(known.origin, Origin::Own(_)) })
            })
            .collect();
        match possible.is_empty() {
            true => Err(IdentifyError::NoBoard { game: game.unwrap_or_default().to_owned() }),
            false => Ok(Self { possible, options }),
        }
    }

    pub fn scorer(&self, fitting: &Fitting) -> &Scorer {
        &self.possible[fitting.index].scorer
    }

    /// The board that explains the picture. `corners`: the surface's, where a person gave them.
    pub fn identify(&self, picture: &Picture, corners: Option<[Pixel; 4]>) -> Result<Fitting, IdentifyError> {
        let searched = SearchedPicture::new(picture);
        let fits = fit::fits(&searched, &self.possible, corners, &self.options);
        let Some(best) = fits.iter().max_by(|a, b| a.nats().total_cmp(&b.nats())) else {
            return Err(self.none(&searched, None));
        };
        let by_paint = weigh::weigh(&fits, best, &self.possible, &self.options, |_| 0.0);
        let likeliest = by_paint.iter().map(|fitting| fitting.probability).fold(0.0, f64::max);
        if likeliest < self.options.least_probability {
            return Err(self.none(&searched, by_paint.into_iter().next()));
        }
        if let Some(taken) = self.taken(&by_paint) {
            return Ok(taken);
        }
        let nats_of_pieces = pieces::nats(picture, &by_paint, &self.possible, &self.options);
        let weighed = weigh::weigh(&fits, best, &self.possible, &self.options, |index| {
            nats_of_pieces.iter().find(|(board, _)| *board == index).map_or(0.0, |(_, nats)| *nats)
        });
        self.taken(&weighed).ok_or_else(|| self.several(weighed))
    }

    /// Identifies the board, and scores the photo on it.
    pub fn score(
        &self,
        photo: &str,
        picture: &Picture,
        corners: Option<[Pixel; 4]>,
        times: &mut StageTimes,
    ) -> Result<(&Scorer, Scored), FinderError> {
        let started = std::time::Instant::now();
        let fitting = self.identify(picture, corners)?;
        let scorer = self.scorer(&fitting);
        check_colours(picture)?;
        if let Some(corners) = &corners {
            let found = &fitting.registration;
            corners_hold(picture, &scorer.board, corners, found, &scorer.options.find)
                .map_err(ScoreError::from)?;
        }
        let known = corners.map_or(Known::Nothing, Known::Corners);
        times.register_secs = started.elapsed().as_secs_f64();
        let mut scored = scorer.score_found(photo, picture, fitting.registration, &known, times);
        scored.report.found_by_itself(fitting.probability);
        Ok((scorer, scored))
    }

    /// None of the boards; `nearest` is the one that came closest.
    fn none(&self, searched: &SearchedPicture, nearest: Option<Fitting>) -> IdentifyError {
        let tried = self.possible.iter().map(|possible| possible.scorer.board.id.clone()).collect();
        let refused = RegisterError::refused_all(Missing::EveryBoard { tried });
        let mut refused = described(searched, refused, &self.possible[0].scorer.options.find);
        if let (RegisterError::NotFound(refusal), Some(nearest)) = (&mut refused, nearest) {
            refusal.found.nearest_kind = Some(nearest.board);
        }
        IdentifyError::None(refused)
    }

    /// The likeliest board, where no other comes near it.
    fn taken(&self, weighed: &[Fitting]) -> Option<Fitting> {
        let best = weighed.first()?;
        let second = weighed.get(1).map_or(0.0, |second| second.probability);
        (best.probability >= self.options.least_odds * second).then(|| best.clone())
    }

    fn several(&self, weighed: Vec<Fitting>) -> IdentifyError {
        let best = weighed.first().map_or(0.0, |best| best.probability);
        let is_near = |fitting: &Fitting| best < self.options.least_odds * fitting.probability;
        let fitting: Vec<Fitting> = weighed.into_iter().filter(is_near).collect();
        let apart = match &fitting[..] {
            [a, b, ..] => differences(self.seen(a), self.seen(b), &self.options),
            _ => Vec::new(),
        };
        IdentifyError::Several { fitting, apart }
    }

    fn seen<'a>(&'a self, fitting: &'a Fitting) -> (&'a Board, &'a crate::camera::Camera) {
        (&self.scorer(fitting).board, &fitting.registration.camera)
    }
}
