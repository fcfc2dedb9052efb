//! A person's own boards: board files in a folder of their own.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use super::Board;

/// Why a board was not kept.
#[derive(Debug, thiserror::Error)]
pub enum OwnError {
    #[error("there is no folder for your own boards: set XDG_DATA_HOME or HOME")]
    NoFolder,
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

/// Where a person's own boards live.
pub fn own_boards_dir() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = if let Some(data) = set("XDG_DATA_HOME") {
        data
    } else if cfg!(windows) {
        set("APPDATA")?
    } else if cfg!(target_os = "macos") {
        set("HOME")?.join("Library").join("Application Support")
    } else {
        set("HOME")?.join(".local").join("share")
    };
    Some(data.join("linecall").join("boards"))
}

/// A person's own boards with their files, by the files' names; files that are no boards are left out.
pub fn own_boards() -> Vec<(PathBuf, Board)> {
    let entries = own_boards_dir().and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| Board::load(&path).ok().map(|board| (path, board))).collect()
}

/// Writes a new board file among a person's own; a file that is there stays as it is.
pub fn keep_own(id: &str, text: &str) -> Result<PathBuf, OwnError> {
    let folder = own_boards_dir().ok_or(OwnError::NoFolder)?;
    let path = folder.join(format!("{id}.toml"));
    write_new(&folder, &path, text).map_err(|source| OwnError::Write { path: path.clone(), source })?;
    Ok(path)
}

fn write_new(folder: &Path, path: &Path, text: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}
