//! Board files: from a path or a shipped board's id to a [`Board`], or to every fault of the file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::Board;
use super::faults::{Fault, FaultList, Listing};
use super::form::BoardForm;
use super::table::{Source, TableReader};
use super::validate::validate;

#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    #[error("cannot read board file {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot read board file {}: expected {expected}", path.display())]
    Kind { path: PathBuf, expected: &'static str },
    #[error("{}", Listing { path, faults })]
    Invalid { path: PathBuf, faults: Vec<Fault> },
    #[error("no board is called {wanted:?}: there is {known}, or give the path of a board file (.toml)")]
    Unknown { wanted: String, known: String },
}

/// Longest board file that is read; the shipped ones have a few kilobytes.
const MOST_BYTES: u64 = 1 << 20;

/// The shipped boards: their place in the project, and the file's text.
macro_rules! shipped {
    ($($id:literal),*) => {
        [$((
            concat!("calibration/boards/", $id, ".toml"),
            include_str!(concat!("../../calibration/boards/", $id, ".toml")),
        )),*]
    };
}
const SHIPPED: [(&str, &str); 5] =
    shipped!["carrom-court", "carrom-long-board", "association-table", "carrom-icf", "carroms-ludington"];

/// A board file's text, to be kept beside what was measured with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardFile {
    /// A shipped board's id, or the path as it was given.
    pub name: String,
    pub text: String,
}

impl BoardFile {
    /// The text of a shipped board by its id, or of the board file at a path.
    pub fn named_or_at(id_or_path: &str) -> Result<BoardFile, BoardError> {
        let board = Board::named_or_at(id_or_path)?;
        let shipped = SHIPPED.iter().find(|(path, _)| {
            board.id == id_or_path && Path::new(path).file_stem().is_some_and(|stem| stem == id_or_path)
        });
        let text = match shipped {
            Some((_, text)) => (*text).to_owned(),
            None => read(Path::new(id_or_path))?,
        };
        Ok(BoardFile { name: id_or_path.to_owned(), text })
    }

    pub fn board(&self) -> Result<Board, BoardError> {
        Board::parse(&self.text, Path::new(&self.name))
    }
}

impl Board {
    /// A shipped board by its id, or the board file at a path.
    pub fn named_or_at(id_or_path: &str) -> Result<Board, BoardError> {
        let shipped = Board::shipped()?;
        if let Some(board) = shipped.iter().find(|board| board.id == id_or_path) {
            return Ok(board.clone());
        }
        if id_or_path.ends_with(".toml") || Path::new(id_or_path).exists() {
            return Board::load(Path::new(id_or_path));
        }
        let known: Vec<_> = shipped.iter().map(|board| board.id.as_str()).collect();
        Err(BoardError::Unknown { wanted: id_or_path.to_owned(), known: known.join(", ") })
    }

    /// Every board that ships with the program.
    pub fn shipped() -> Result<Vec<Board>, BoardError> {
        SHIPPED.iter().map(|(path, text)| Board::parse(text, Path::new(path))).collect()
    }

    pub fn load(path: &Path) -> Result<Board, BoardError> {
        Board::parse(&read(path)?, path)
    }

    /// Reads a board file's text; `path` is named in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Board, BoardError> {
        let source = Source::new(text);
        let (table, mistakes) = DeTable::parse_recoverable(text);
        if !mistakes.is_empty() {
            // What follows a mistake of notation is read wrongly, so only these are certain.
            let faults = FaultList::default();
            for mistake in mistakes {
                let offset = mistake.span().map_or(0, |span| span.start);
                faults.add(source.line_of(offset), format!("not TOML: {}", mistake.message()));
            }
            return Err(BoardError::Invalid { path: path.to_owned(), faults: faults.into_sorted() });
        }
        let faults = FaultList::default();
        let form = BoardForm::read(TableReader::root(table.into_inner(), &source, &faults));
        validate(&form, &faults);
        let faults = faults.into_sorted();
        match form.into_board() {
            Some(board) if faults.is_empty() => Ok(board),
            _ => Err(BoardError::Invalid { path: path.to_owned(), faults }),
        }
    }
}

/// A regular file's text. Pipes and devices are refused, because they may never end.
fn read(path: &Path) -> Result<String, BoardError> {
    let failed = |source| BoardError::Read { path: path.to_owned(), source };
    let wrong = |expected| BoardError::Kind { path: path.to_owned(), expected };
    let kind = std::fs::metadata(path).map_err(failed)?;
    if !kind.is_file() {
        return Err(wrong("a file"));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong("at most a megabyte of TOML"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("text in UTF-8"))
}
