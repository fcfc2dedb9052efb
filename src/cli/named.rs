//! Boards as they are named on the command line: by the id of a shipped board or of one of the person's own, or by a path.

use super::Failure;
use crate::board::{Board, BoardFile, Library};

/// Every board that can be named; what is wrong among the person's own is told on standard error.
pub(super) fn library() -> Result<Library, Failure> {
    let library = Library::of_person().map_err(Failure::new)?;
    for broken in &library.broken {
        eprintln!("linecall: one of your own boards is left out: {}", broken.why);
    }
    Ok(library)
}

pub(super) fn board(id_or_path: &str) -> Result<Board, Failure> {
    Library::of_person().and_then(|library| library.named_or_at(id_or_path)).map_err(Failure::from)
}

/// The board's text, to be kept beside what is measured with it.
pub(super) fn board_file(id_or_path: &str) -> Result<BoardFile, Failure> {
    Library::of_person().and_then(|library| library.file_named_or_at(id_or_path)).map_err(Failure::from)
}
