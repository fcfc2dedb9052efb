//! One recorder at a time.
//!
//! SQLite would let two programs write in turns, each with an old score in its memory. The lock is
//! on a file beside the ledger, because a lock on the ledger itself would interfere with SQLite's;
//! the system frees it when its holder dies. "Beside" is where the ledger really lies: through a link it is
//! the same lock. A file with a second name (a hard link) has no one place, and SQLite would give each
//! name a log of its own, so that it is refused.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
};

use super::LedgerError;

#[derive(Debug)]
pub(super) struct RecorderLock {
    path: PathBuf,
    _file: File,
}

impl RecorderLock {
    pub fn take(ledger: &Path) -> Result<RecorderLock, LedgerError> {
        let failed = |error: std::io::Error| of_io(&error, ledger);
        check_names(ledger)?;
        let mut name = place(ledger).map_err(failed)?.into_os_string();
        name.push("-lock");
        let path = PathBuf::from(name);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(RecorderLock { path, _file: file }),
            Err(TryLockError::WouldBlock) => Err(LedgerError::Locked { path: ledger.to_owned() }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

/// Where a ledger lies, or will lie, whatever links lead there.
fn place(ledger: &Path) -> std::io::Result<PathBuf> {
    match ledger.canonicalize() {
        Ok(place) => Ok(place),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let folder = ledger.parent().filter(|folder| !folder.as_os_str().is_empty());
            let name = ledger.file_name().ok_or(std::io::ErrorKind::InvalidFilename)?;
            Ok(folder.unwrap_or(Path::new(".")).canonicalize()?.join(name))
        }
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn check_names(ledger: &Path) -> Result<(), LedgerError> {
    use std::os::unix::fs::MetadataExt;
    match std::fs::metadata(ledger) {
        Ok(metadata) if metadata.nlink() > 1 => Err(LedgerError::SecondName { path: ledger.to_owned() }),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn check_names(_ledger: &Path) -> Result<(), LedgerError> {
    Ok(())
}

impl Drop for RecorderLock {
    fn drop(&mut self) {
        // Whoever opens the old file in between notices when it appends: the head has moved.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What a failure of the file system means for a person.
pub(super) fn of_io(error: &std::io::Error, ledger: &Path) -> LedgerError {
    use std::io::ErrorKind;
    let path = ledger.to_owned();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => LedgerError::DiskFull { path },
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => LedgerError::ReadOnly { path },
        ErrorKind::NotFound => LedgerError::CannotOpen { path, reason: "its folder does not exist".into() },
        _ => LedgerError::CannotOpen { path, reason: error.to_string() },
    }
}
