//! Where the program keeps things: one folder, in the usual place or where a person wants it.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use jiff::{ToSpan, Zoned, civil::Date};

/// Why something could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    #[error("there is no folder for linecall's data: set XDG_DATA_HOME or HOME, or name one with --data DIR")]
    NoFolder,
    #[error("cannot write {}: {source}; is the disk full, or the folder another user's?", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// The folder with evenings, the camera's file, own boards and what was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFolder {
    root: PathBuf,
}

/// An evening that goes on after midnight is still that of the day before, until this hour.
const NEW_DAY_HOUR: i64 = 6;

impl DataFolder {
    /// At `given`, or in the usual place; made where it is missing.
    pub fn open(given: Option<&Path>) -> Result<DataFolder, DataFolderError> {
        let root = match given {
            Some(given) => given.to_owned(),
            None => crate::output::data_folder().ok_or(DataFolderError::NoFolder)?,
        };
        let data = DataFolder { root };
        for folder in [data.root.clone(), data.evenings_folder(), data.recordings_folder()] {
            std::fs::create_dir_all(&folder)
                .map_err(|source| DataFolderError::Write { path: folder.clone(), source })?;
        }
        Ok(data)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn camera_file(&self) -> PathBuf {
        self.root.join("camera.toml")
    }

    pub fn colours_file(&self) -> PathBuf {
        self.root.join("colours.toml")
    }

    pub fn evenings_folder(&self) -> PathBuf {
        self.root.join("evenings")
    }

    /// Films and folders of frames that the page offers as cameras.
    pub fn recordings_folder(&self) -> PathBuf {
        self.root.join("recordings")
    }

    pub fn settings_file(&self) -> PathBuf {
        self.root.join("settings.json")
    }

    /// Who may change things: hashes only.
    pub fn secrets_file(&self) -> PathBuf {
        self.root.join("secrets.json")
    }

    /// The certificate of this computer's own making, and its key.
    pub fn tls_folder(&self) -> PathBuf {
        self.root.join("tls")
    }

    /// The ledger of the evening that it is now.
    pub fn evening_now(&self) -> PathBuf {
        self.ledger_of(day_of(&Zoned::now()))
    }

    fn ledger_of(&self, day: Date) -> PathBuf {
        self.evenings_folder().join(format!("{day}.ledger"))
    }

    /// The ledgers of all evenings, the newest first.
    pub fn evenings(&self) -> Vec<PathBuf> {
        let mut all = entries(&self.evenings_folder());
        all.retain(|path| path.extension().is_some_and(|ending| ending == "ledger"));
        all.sort();
        all.reverse();
        all
    }

    /// What lies among the recordings, by name.
    pub fn recordings(&self) -> Vec<PathBuf> {
        let mut all = entries(&self.recordings_folder());
        all.retain(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
        all.sort();
        all
    }

    /// Writes a file whole or not at all; `private`: for this user alone.
    pub fn write(&self, path: &Path, bytes: &[u8], private: bool) -> Result<(), DataFolderError> {
        let failed = |source: io::Error| DataFolderError::Write { path: path.to_owned(), source };
        let mut fresh = path.as_os_str().to_owned();
        fresh.push(".new");
        let fresh = PathBuf::from(fresh);
        let written = || -> io::Result<()> {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let mut options = std::fs::OpenOptions::new();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            if private {
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            }
            let mut file = options.open(&fresh)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            std::fs::rename(&fresh, path)
        };
        #[cfg(not(unix))]
        let _ = private;
        written().map_err(failed)
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten();
    read.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// The day that an evening is named by.
fn day_of(now: &Zoned) -> Date {
    now.checked_sub(NEW_DAY_HOUR.hours()).map_or(now.date(), |earlier| earlier.date())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evening_goes_on_after_midnight() {
        let at = |text: &str| day_of(&text.parse::<Zoned>().unwrap()).to_string();
        assert_eq!(at("2026-11-19T21:00[Europe/Berlin]"), "2026-11-19");
        assert_eq!(at("2026-11-20T01:30[Europe/Berlin]"), "2026-11-19");
        assert_eq!(at("2026-11-20T08:00[Europe/Berlin]"), "2026-11-20");
    }

    #[test]
    fn evenings_are_listed_newest_first_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::open(Some(folder.path())).unwrap();
        for name in ["2026-01-02.ledger", "2026-03-01.ledger", "2026-03-01.ledger-watching.json"] {
            std::fs::write(data.evenings_folder().join(name), "").unwrap();
        }
        let names: Vec<_> = data.evenings().iter().map(|path| path.file_stem().unwrap().to_owned()).collect();
        assert_eq!(names, ["2026-03-01", "2026-01-02"]);
    }
}
