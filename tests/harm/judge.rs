//! What became of a photo whose true tally is known.

use std::path::{Path, PathBuf};

use linecall::{
    board::{Board, End},
    capture::Picture,
    score::{Known, ScoreOptions, Scorer, StageTimes},
};
use serde_json::Value;

/// A photo with its truth.
pub struct Table {
    pub path: PathBuf,
    pub board: Board,
    tally: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// No score at all.
    Refused,
    /// A tally, with a doubt.
    Unsure,
    Right,
    SureAndWrong,
}

impl Table {
    pub fn new(photo: &str) -> Table {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(photo);
        let truth: Value =
            serde_json::from_str(&std::fs::read_to_string(path.with_extension("json")).unwrap()).unwrap();
        let board = Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
        Table { path, board, tally: truth["tally"].clone() }
    }

    pub fn scorer(&self) -> Scorer {
        scorer(self.board.clone())
    }

    pub fn judge(&self, scorer: &Scorer, picture: &Picture, known: &Known) -> Judged {
        let Ok(scored) = scorer.score("photo", picture, known, &mut StageTimes::default()) else {
            return Judged::Refused;
        };
        let report = scored.report;
        let is_sure = report.tally_probability > 0.99 && report.uncalled.is_empty();
        match serde_json::to_value(&report.tally).unwrap() == self.tally {
            _ if !is_sure => Judged::Unsure,
            true => Judged::Right,
            false => Judged::SureAndWrong,
        }
    }
}

pub fn scorer(board: Board) -> Scorer {
    Scorer::new(board, None, End::Far, ScoreOptions::default()).unwrap()
}

/// How many became what, in words.
pub fn words(judged: &[Judged]) -> String {
    let count = |what: Judged| judged.iter().filter(|judged| **judged == what).count();
    format!(
        "{} scored: {} refused, {} unsure, {} right, {} sure and wrong",
        judged.len(),
        count(Judged::Refused),
        count(Judged::Unsure),
        count(Judged::Right),
        count(Judged::SureAndWrong)
    )
}
