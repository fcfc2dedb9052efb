//! Colours taught from a photo of the very set.
//!
//! In: pieces found in a photo. Out: [`TaughtColours`]: how each kind looks against the board's
//! surface, to be kept beside a camera file. A taught kind replaces the board file's colour, so
//! that a set whose "red" is orange, or whose wood is dark, is known by its own look.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    Detection,
    light::{Stops, median},
};
use crate::board::Board;

/// How the kinds of a set look against the surface, in stops a channel, by kind's name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaughtColours {
    /// Id of the board they were seen on.
    pub board: String,
    /// Red, green and blue of a face in factors of two of the bare surface's own.
    pub stops: BTreeMap<String, Stops>,
}

/// Why taught colours cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TaughtError {
    #[error("cannot read taught colours {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write taught colours {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{} has no usable taught colours: {reason}", path.display())]
    Invalid { path: PathBuf, reason: String },
}

/// No face differs from a surface by more than this in a channel, in stops.
const STOPS_MAX: f32 = 12.0;

impl TaughtColours {
    /// The median look of each kind that was found.
    pub fn of(board: &Board, found: &[Detection]) -> TaughtColours {
        let faces_of = |kind: usize| -> Vec<Stops> {
            let pieces = found.iter().flat_map(|found| found.pieces.iter().zip(&found.face_stops));
            pieces.filter(|(piece, _)| piece.kind == kind).map(|(_, face)| *face).collect()
        };
        let kinds = board.pieces.iter().enumerate();
        let stops =
            kinds.filter_map(|(kind, of_board)| Some((of_board.name.clone(), median(&mut faces_of(kind))?)));
        TaughtColours { board: board.id.clone(), stops: stops.collect() }
    }

    pub fn load(path: &Path) -> Result<TaughtColours, TaughtError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| TaughtError::Read { path: path.to_owned(), source })?;
        let invalid = |reason: String| TaughtError::Invalid { path: path.to_owned(), reason };
        let taught: TaughtColours = toml::from_str(&text).map_err(|e| invalid(e.to_string()))?;
        for (name, stops) in &taught.stops {
            if !stops.iter().all(|v| v.is_finite() && v.abs() <= STOPS_MAX) {
                return Err(invalid(format!(
                    "{name}: expected three numbers from -12 to 12, found {stops:?}"
                )));
            }
        }
        Ok(taught)
    }

    /// Loads colours that must be of this board and of kinds that it has.
    pub fn load_for(path: &Path, board: &Board) -> Result<TaughtColours, TaughtError> {
        let taught = TaughtColours::load(path)?;
        let invalid = |reason: String| Err(TaughtError::Invalid { path: path.to_owned(), reason });
        if taught.board != board.id {
            return invalid(format!("they are of the board {}, not of {}", taught.board, board.id));
        }
        match taught.stops.keys().find(|name| board.piece(name).is_none()) {
            Some(name) => invalid(format!("the board {} has no piece called {name:?}", board.id)),
            None => Ok(taught),
        }
    }

    pub fn save(&self, path: &Path) -> Result<(), TaughtError> {
        let text = toml::to_string(self)
            .map_err(|e| TaughtError::Invalid { path: path.to_owned(), reason: e.to_string() })?;
        std::fs::write(path, text).map_err(|source| TaughtError::Write { path: path.to_owned(), source })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("colours.toml");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn colours_survive_a_file() {
        let (_folder, path) = file("");
        let stops = BTreeMap::from([("red".to_owned(), [-0.5, -3.25, -2.5])]);
        let taught = TaughtColours { board: "carrom-court".into(), stops };
        taught.save(&path).unwrap();
        let board = Board::named_or_at("carrom-court").unwrap();
        assert_eq!(TaughtColours::load_for(&path, &board).unwrap(), taught);
    }

    #[test]
    fn colours_of_another_board_or_unknown_kinds_are_refused() {
        let board = Board::named_or_at("carrom-court").unwrap();
        let wrong = [
            ("board = \"carrom-icf\"\n[stops]\n", "carrom-icf"),
            ("board = \"carrom-court\"\n[stops]\npink = [0.0, 0.0, 0.0]\n", "pink"),
            ("board = \"carrom-court\"\n[stops]\nred = [0.0, 0.0, 99.0]\n", "red"),
            ("board = \"carrom-court\"\n[stops]\nred = [0.0]\n", "red"),
        ];
        for (text, named) in wrong {
            let (_folder, path) = file(text);
            let error = TaughtColours::load_for(&path, &board).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
