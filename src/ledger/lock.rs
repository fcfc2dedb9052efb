//! One recorder at a time.
//!
//! SQLite would let two programs write in turns, each with an old score in its memory. The lock is
//! on a file beside the ledger, because a lock on the ledger itself would interfere with SQLite's;
//! the system frees it when its holder dies.

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
        let mut name = ledger.as_os_str().to_owned();
        name.push("-lock");
        let path = PathBuf::from(name);
        let failed = |error: std::io::Error| of_io(&error, ledger);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(RecorderLock { path, _file: file }),
            Err(TryLockError::WouldBlock) => Err(LedgerError::Locked { path: ledger.to_owned() }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
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
