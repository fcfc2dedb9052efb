//! A person's own boards, beside the shipped ones.
//!
//! In: a folder of board files. Out: [`Library`]: every board that can be named, own ones first, and what is
//! wrong with the files that cannot be read: a broken one does not stop the others.

use std::path::{Path, PathBuf};

use super::{Board, BoardError, BoardFile, file::read};

/// Where a board comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Shipped,
    /// One of the person's own, in this file.
    Own(PathBuf),
}

/// A board that can be named by its id.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownBoard {
    pub board: Board,
    pub origin: Origin,
}

/// Every board that can be named by its id, own ones first.
#[derive(Debug, Clone, Default)]
pub struct Library {
    folder: Option<PathBuf>,
    pub boards: Vec<KnownBoard>,
    /// Files in the folder that are no boards, and why.
    pub broken: Vec<BrokenFile>,
}

/// A file among the own boards that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenFile {
    pub path: PathBuf,
    pub why: String,
}

/// Why a board was not kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error("there is no folder for your own boards: set XDG_DATA_HOME or HOME")]
    NoFolder,
    #[error(
        "{} holds another board called {id}: give this one another id, or keep it in its place with --replace",
        path.display()
    )]
    Taken { id: String, path: PathBuf },
    #[error(
        "a board called {id} ships with linecall: give yours another id (in its first lines), or use it in place of \
         the shipped one with --replace"
    )]
    Shipped { id: String },
    #[error("the id {id:?} cannot be a file name: use small letters, digits and hyphens")]
    Name { id: String },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

/// What became of a board that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    New,
    Replaced,
    /// The very same was there already.
    Same,
}

impl Library {
    /// The shipped boards and those in the person's own folder.
    pub fn of_person() -> Result<Self, BoardError> {
        Self::in_folder(own_folder())
    }

    /// The shipped boards and those in a folder, which need not exist.
    pub fn in_folder(folder: Option<PathBuf>) -> Result<Self, BoardError> {
        let mut library = Library { folder, ..Library::default() };
        for path in library.files() {
            match Board::load(&path) {
                // The first file by name has an id that two files share.
                Ok(board) if library.find(&board.id).is_some() => {
                    let why =
                        format!("{}: another file has a board called {} already", path.display(), board.id);
                    library.broken.push(BrokenFile { path, why });
                }
                Ok(board) => library.boards.push(KnownBoard { board, origin: Origin::Own(path) }),
                Err(error) => library.broken.push(BrokenFile { path, why: error.to_string() }),
            }
        }
        for board in Board::shipped()? {
            if library.find(&board.id).is_none() {
                library.boards.push(KnownBoard { board, origin: Origin::Shipped });
            }
        }
        Ok(library)
    }

    /// The folder's board files, by name.
    fn files(&self) -> Vec<PathBuf> {
        let entries = self.folder.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
        let mut files: Vec<PathBuf> = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
            .collect();
        files.sort();
        files
    }

    pub fn find(&self, id: &str) -> Option<&KnownBoard> {
        self.boards.iter().find(|known| known.board.id == id)
    }

    /// A board by its id, own ones first, or the board file at a path.
    pub fn named_or_at(&self, id_or_path: &str) -> Result<Board, BoardError> {
        if let Some(known) = self.find(id_or_path) {
            return Ok(known.board.clone());
        }
        if let Some(path) = self.broken_file(id_or_path) {
            return Board::load(path);
        }
        Board::named_or_at(id_or_path).map_err(|error| self.with_own_names(error))
    }

    /// The same as text, to be kept beside what is measured with it.
    pub fn file_named_or_at(&self, id_or_path: &str) -> Result<BoardFile, BoardError> {
        match self.find(id_or_path).map(|known| &known.origin) {
            Some(Origin::Own(path)) => {
                let file = BoardFile { name: id_or_path.to_owned(), text: read(path)? };
                file.board().map(|_| file)
            }
            _ => BoardFile::named_or_at(id_or_path).map_err(|error| self.with_own_names(error)),
        }
    }

    /// A file of the folder that is called as the wanted board and cannot be read.
    fn broken_file(&self, id: &str) -> Option<&Path> {
        let is_called = |path: &Path| path.file_stem().is_some_and(|stem| stem == id);
        self.broken.iter().map(|broken| broken.path.as_path()).find(|path| is_called(path))
    }

    /// What is unknown is told with every name that there is.
    fn with_own_names(&self, error: BoardError) -> BoardError {
        match error {
            BoardError::Unknown { wanted, .. } => {
                let ids: Vec<&str> = self.boards.iter().map(|known| known.board.id.as_str()).collect();
                BoardError::Unknown { wanted, known: ids.join(", ") }
            }
            error => error,
        }
    }

    /// Keeps a board file among the person's own; another board of its id only if that is wanted.
    pub fn keep(&self, file: &Path, replace: bool) -> Result<(Board, PathBuf, Kept), KeepError> {
        self.keep_text(&read(file)?, file, replace)
    }

    /// The same for a board file's text; `named` is where it is from, for errors.
    pub fn keep_text(
        &self,
        text: &str,
        named: &Path,
        replace: bool,
    ) -> Result<(Board, PathBuf, Kept), KeepError> {
        let board = Board::parse(text, named)?;
        let folder = self.folder.as_ref().ok_or(KeepError::NoFolder)?;
        let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if board.id.is_empty() || !board.id.chars().all(is_plain) {
            return Err(KeepError::Name { id: board.id });
        }
        let known = self.find(&board.id);
        let path = match known.map(|known| &known.origin) {
            Some(Origin::Own(path)) => path.clone(),
            _ => folder.join(format!("{}.toml", board.id)),
        };
        let there = read(&path).ok();
        if there.as_deref() == Some(text) {
            return Ok((board, path, Kept::Same));
        }
        if !replace {
            match known.map(|known| &known.origin) {
                Some(Origin::Shipped) => return Err(KeepError::Shipped { id: board.id }),
                _ if path.exists() => return Err(KeepError::Taken { id: board.id, path }),
                _ => {}
            }
        }
        write_whole(folder, &path, text).map_err(|source| KeepError::Write { path: path.clone(), source })?;
        let kept = if there.is_some() { Kept::Replaced } else { Kept::New };
        Ok((board, path, kept))
    }
}

/// Writes a file so that a crash leaves the old one or the new one, never a half.
fn write_whole(folder: &Path, path: &Path, text: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let beside = path.with_extension("toml.new");
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

/// Where a person's own boards live.
pub fn own_folder() -> Option<PathBuf> {
    Some(crate::output::data_folder()?.join("boards"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn court_called(id: &str) -> String {
        BoardFile::named_or_at("carrom-court").unwrap().text.replacen(
            "\"carrom-court\"",
            &format!("{id:?}"),
            1,
        )
    }

    #[test]
    fn own_boards_come_first_and_a_broken_one_stops_none() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("home.toml"), court_called("home-court")).unwrap();
        std::fs::write(folder.path().join("bad.toml"), "id = ").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "no board").unwrap();
        let library = Library::in_folder(Some(folder.path().to_owned())).unwrap();
        assert_eq!(library.boards[0].board.id, "home-court");
        assert_eq!(library.boards.len(), 1 + Board::shipped().unwrap().len());
        assert_eq!(library.broken.len(), 1);
        assert!(library.broken[0].why.contains("bad.toml"), "{}", library.broken[0].why);
        assert_eq!(library.named_or_at("home-court").unwrap().id, "home-court");
        assert_eq!(library.file_named_or_at("home-court").unwrap().text, court_called("home-court"));
        // A broken file is told with its faults when it is asked for.
        assert!(library.named_or_at("bad").unwrap_err().to_string().contains("bad.toml"));
        assert!(library.named_or_at("nobody").unwrap_err().to_string().contains("home-court"));
    }

    #[test]
    fn nothing_is_replaced_unless_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        let file = folder.path().join("file.toml");
        let library = || Library::in_folder(Some(own.clone())).unwrap();
        let keep = |text: &str, replace: bool| {
            std::fs::write(&file, text).unwrap();
            library().keep(&file, replace).map(|(_, _, kept)| kept)
        };
        let mine = court_called("mine");
        assert_eq!(keep(&mine, false).unwrap(), Kept::New);
        assert_eq!(keep(&mine, false).unwrap(), Kept::Same);
        let other = mine.replace("count = 4", "count = 3");
        assert!(matches!(keep(&other, false), Err(KeepError::Taken { .. })));
        assert_eq!(library().file_named_or_at("mine").unwrap().text, mine);
        assert_eq!(keep(&other, true).unwrap(), Kept::Replaced);
        assert_eq!(library().file_named_or_at("mine").unwrap().text, other);
        assert!(matches!(keep(&court_called("carrom-court"), false), Err(KeepError::Shipped { .. })));
        assert!(matches!(keep("id = 1", false), Err(KeepError::Board(_))));
    }
}
