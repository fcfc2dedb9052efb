//! Why a ledger cannot be read or written, a sentence each.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("there is no ledger {}: check the name, or record a match with --match", path.display())]
    Missing { path: PathBuf },
    #[error("{} is a folder: name the ledger file in it", path.display())]
    Folder { path: PathBuf },
    #[error(
        "{} is not a ledger of linecall: expected a file that was made with --match; nothing was changed",
        path.display()
    )]
    Foreign { path: PathBuf },
    #[error(
        "the ledger {} was made by a newer linecall (its schema is {found}, this program knows up to {known}): \
         install the newer version to open it; nothing was changed",
        path.display()
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    #[error(
        "another linecall is recording into {}: stop it first, or record into another file; \
         reading it with linecall review works meanwhile",
        path.display()
    )]
    Locked { path: PathBuf },
    #[error(
        "another program wrote into the ledger {} while this one had it open: start again to go on from there",
        path.display()
    )]
    Overtaken { path: PathBuf },
    #[error(
        "the disk is full: {} could not be written, and what was to be recorded last is not in it; \
         everything before is safe. Make room and try again",
        path.display()
    )]
    DiskFull { path: PathBuf },
    #[error(
        "{} cannot be written, the file, its folder or the disk is read-only: record into a folder that can be \
         written",
        path.display()
    )]
    ReadOnly { path: PathBuf },
    #[error("the ledger {} cannot be opened: {reason}", path.display())]
    CannotOpen { path: PathBuf, reason: String },
    #[error(
        "the ledger {} is damaged ({reason}): linecall review {} --salvage NEW gets out what is whole",
        path.display(), path.display()
    )]
    Damaged { path: PathBuf, reason: String },
    #[error(
        "the ledger {} has entries in {}-wal that cannot be read where it lies: copy both files into a folder \
         that can be written",
        path.display(), path.display()
    )]
    UnreadableWal { path: PathBuf },
    #[error(
        "the disk failed while {} was read or written ({reason}); what was to be recorded last is not in it",
        path.display()
    )]
    Disk { path: PathBuf, reason: String },
    #[error("the ledger {} has no {what}", path.display())]
    NoSuch { path: PathBuf, what: String },
    #[error("the ledger {}: {reason}", path.display())]
    Other { path: PathBuf, reason: String },
}

impl LedgerError {
    /// What SQLite's error means for a person.
    pub(super) fn of(error: &rusqlite::Error, path: &Path) -> LedgerError {
        let path = path.to_owned();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => LedgerError::DiskFull { path },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => LedgerError::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LedgerError::Locked { path },
            Some(ErrorCode::NotADatabase) => LedgerError::Foreign { path },
            Some(ErrorCode::CannotOpen) => LedgerError::CannotOpen { path, reason },
            Some(ErrorCode::SystemIoFailure) => LedgerError::Disk { path, reason },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::TypeMismatch | ErrorCode::ConstraintViolation) => {
                LedgerError::Damaged { path, reason }
            }
            // A column of a wrong kind, text that is not UTF-8, a table that is gone.
            _ => LedgerError::Damaged { path, reason },
        }
    }

    pub(super) fn damaged(path: &Path, reason: impl std::fmt::Display) -> LedgerError {
        LedgerError::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }
}
