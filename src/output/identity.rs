//! Which file a path leads to, whatever it is called.

use std::path::Path;

/// The same for every name of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);
#[cfg(not(unix))]
type Inner = std::path::PathBuf;

impl Identity {
    /// `None` where there is no file.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        let metadata = std::fs::metadata(path).ok()?;
        Some(Identity((metadata.dev(), metadata.ino())))
    }

    /// `None` where there is no file.
    #[cfg(not(unix))]
    pub fn of(path: &Path) -> Option<Identity> {
        path.canonicalize().ok().map(Identity)
    }
}
