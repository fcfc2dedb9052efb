//! What became of a photo whose true tally is known.

use std::path::{Path, PathBuf};

use linecall::{
    board::{Board, End},
    capture::{PhotoLimits, Picture, decode_photo, read_photo},
    score::{Known, ScoreOptions, Scorer, StageTimes},
};
use serde_json::Value;

/// A photo with its truth.
pub struct Table {
    pub path: PathBuf,
    pub board: Board,
    truth: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// No score at all.
    Refused,
    /// A tally, with a doubt.
    Unsure,
    SureAndRight,
    SureAndWrong,
}

impl Table {
    pub fn new(photo: &str) -> Table {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/photos").join(photo);
        let truth: Value =
            serde_json::from_str(&std::fs::read_to_string(path.with_extension("json")).unwrap()).unwrap();
        let board = Board::named_or_at(truth["board"].as_str().unwrap()).unwrap();
        Table { path, board, truth }
    }

    pub fn picture(&self) -> Picture {
        let bytes = read_photo(&self.path, &PhotoLimits::default()).unwrap();
        decode_photo(&bytes, &self.path, &PhotoLimits::default()).unwrap()
    }

    /// The true tally of a scored photo; where the game has none, how many pieces there are of each colour.
    fn is_right(&self, tally: &Value) -> bool {
        if self.truth["tally"].is_object() {
            return *tally == self.truth["tally"];
        }
        let pieces = self.truth["pieces"].as_array().unwrap();
        let lying = |colour: &str| pieces.iter().filter(|piece| piece["colour"] == colour).count();
        tally.as_object().unwrap().iter().all(|(colour, count)| *count == lying(colour))
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
        match self.is_right(&serde_json::to_value(&report.tally).unwrap()) {
            _ if !is_sure => Judged::Unsure,
            true => Judged::SureAndRight,
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
        "{} scored: {} refused, {} unsure, {} sure and right, {} sure and wrong",
        judged.len(),
        count(Judged::Refused),
        count(Judged::Unsure),
        count(Judged::SureAndRight),
        count(Judged::SureAndWrong)
    )
}
