//! The one place where files for people are written: pages, drawings, pictures, camera files, exports.
//!
//! In: where to, what [`Kind`] of file it is, its bytes, and the files that the same command reads. Out: the
//! whole file, or a [`OutputError`] and everything as it was.
//!
//! - Never onto a file that the command reads, by the file's own identity: links and other spellings of
//!   its path are seen through.
//! - Never onto a ledger or what SQLite keeps beside one.
//! - A file that is there is replaced only by one of its own kind.
//! - The bytes go into a new file beside it, which then takes its name: a full disk leaves the old one.
//!
//! The ledger writes for itself, through SQLite.

mod identity;
mod kind;
mod place;

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use identity::Identity;
use kind::is_ledger;
pub use kind::{BUNDLE_FIRST, Kind, TRACE_START};
pub use place::{data_folder, use_data_folder};

/// The files that a command reads, which it must not write.
#[derive(Debug, Clone, Default)]
pub struct Inputs(Vec<(Identity, PathBuf)>);

/// Why a file was not written; what was there before is still there.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("{} is read by the same command and would be lost: name another file to write", path.display())]
    IsInput { path: PathBuf },
    #[error("{} is a ledger, or belongs to one, and ledgers are never overwritten: name another file", path.display())]
    IsLedger { path: PathBuf },
    #[error("{} is a directory: name the file to write, for example {}", path.display(), example.display())]
    IsFolder { path: PathBuf, example: PathBuf },
    #[error("{} exists and is not {kind}: name another file, or remove it first", path.display())]
    OtherKind { path: PathBuf, kind: &'static str },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

impl OutputError {
    /// Whether another command line would do: the arguments contradict each other.
    pub fn is_usage(&self) -> bool {
        !matches!(self, OutputError::Write { .. } | OutputError::OtherKind { .. })
    }
}

impl Inputs {
    /// The files that are read; what does not exist (a board's id, say) is passed over.
    pub fn of<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Inputs {
        let mut inputs = Inputs::default();
        paths.into_iter().for_each(|path| inputs.add(path.as_ref()));
        inputs
    }

    pub fn add(&mut self, path: &Path) {
        if let Some(identity) = Identity::of(path) {
            self.0.push((identity, path.to_owned()));
        }
    }

    /// Whether a path leads to one of them.
    pub fn has(&self, path: &Path) -> bool {
        Identity::of(path).is_some_and(|identity| self.0.iter().any(|(input, _)| *input == identity))
    }
}

/// Whether a file of this kind may be written there: asked before long work, so that it is not in vain.
pub fn check(path: &Path, kind: Kind, inputs: &Inputs) -> Result<(), OutputError> {
    // Identity first, which opens nothing: a ledger that this process has open must not be opened and
    // closed beside SQLite, whose locks would go with it.
    if inputs.has(path) {
        return Err(OutputError::IsInput { path: path.to_owned() });
    }
    if is_ledger(path) {
        return Err(OutputError::IsLedger { path: path.to_owned() });
    }
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(OutputError::Write { path: path.to_owned(), source }),
    };
    if metadata.is_dir() {
        let example = path.join(kind.example());
        return Err(OutputError::IsFolder { path: path.to_owned(), example });
    }
    if metadata.is_file() && metadata.len() > 0 && !kind.is_of(path) {
        return Err(OutputError::OtherKind { path: path.to_owned(), kind: kind.words() });
    }
    Ok(())
}

/// Writes a file whole, or leaves everything as it was.
pub fn write(path: &Path, kind: Kind, bytes: &[u8], inputs: &Inputs) -> Result<(), OutputError> {
    check(path, kind, inputs)?;
    let failed = |source| OutputError::Write { path: path.to_owned(), source };
    // Through a link, the file that it leads to is written, and the link stays.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match std::fs::metadata(&target) {
        // A pipe or a device, /dev/stdout for example, is written into and not replaced.
        Ok(metadata) if !metadata.is_file() => {
            let mut device = OpenOptions::new().write(true).open(&target).map_err(failed)?;
            device.write_all(bytes).map_err(failed)
        }
        Ok(metadata) => replace(&target, bytes, Some(metadata.permissions())).map_err(failed),
        Err(_) => replace(&target, bytes, None).map_err(failed),
    }
}

/// Encodes a picture, and writes it.
pub fn write_picture(
    path: &Path,
    kind: Kind,
    picture: &image::DynamicImage,
    inputs: &Inputs,
) -> Result<(), OutputError> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let format = if kind == Kind::Jpeg { image::ImageFormat::Jpeg } else { image::ImageFormat::Png };
    picture.write_to(&mut bytes, format).map_err(|error| OutputError::Write {
        path: path.to_owned(),
        source: std::io::Error::other(error),
    })?;
    write(path, kind, bytes.get_ref(), inputs)
}

/// Writes beside `target`, then takes its name.
fn replace(target: &Path, bytes: &[u8], permissions: Option<std::fs::Permissions>) -> std::io::Result<()> {
    let (mut file, beside) = beside(target)?;
    let written = (|| {
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        std::fs::rename(&beside, target)
    })();
    if written.is_err() {
        // The old file is untouched; what is left of the new one is of no use.
        let _ = std::fs::remove_file(&beside);
        return written;
    }
    // The new name is on the disk too. Systems that cannot sync a folder do without.
    if let Some(folder) = folder_of(target) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// A new file in the same folder that nobody else has.
fn beside(target: &Path) -> std::io::Result<(File, PathBuf)> {
    let name = target.file_name().ok_or(std::io::ErrorKind::InvalidFilename)?;
    let mut number = 0_u32;
    loop {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{number}.tmp", std::process::id()));
        let path = target.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn folder_of(path: &Path) -> Option<&Path> {
    match path.parent()? {
        folder if folder.as_os_str().is_empty() => Some(Path::new(".")),
        folder => Some(folder),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const PAGE: &[u8] = b"<!doctype html>\n<title>new</title>";

    #[test]
    fn a_file_is_replaced_only_by_one_of_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        write(&path, Kind::Html, b"<!DOCTYPE html>old", &Inputs::default()).unwrap();
        write(&path, Kind::Html, PAGE, &Inputs::default()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), PAGE);
        let refused = write(&path, Kind::Camera, b"board = \"x\"", &Inputs::default()).unwrap_err();
        assert!(refused.to_string().contains("is not a camera file"), "{refused}");
        assert_eq!(std::fs::read(&path).unwrap(), PAGE);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left lying about");
    }

    #[test]
    fn an_empty_file_may_become_anything() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made-by-mktemp");
        std::fs::write(&path, b"").unwrap();
        write(&path, Kind::Html, PAGE, &Inputs::default()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), PAGE);
    }

    #[cfg(unix)]
    #[test]
    fn an_input_is_known_by_any_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        std::fs::write(&page, PAGE).unwrap();
        let (soft, hard) = (folder.path().join("soft.html"), folder.path().join("hard.html"));
        std::os::unix::fs::symlink(&page, &soft).unwrap();
        std::fs::hard_link(&page, &hard).unwrap();
        let spelt = folder.path().join("../").join(folder.path().file_name().unwrap()).join("page.html");
        for other_name in [&page, &soft, &hard, &spelt] {
            for (input, output) in [(&page, other_name), (other_name, &page)] {
                let refused = write(output, Kind::Html, b"x", &Inputs::of([input])).unwrap_err();
                assert!(matches!(refused, OutputError::IsInput { .. }), "{}: {refused}", output.display());
            }
        }
        assert_eq!(std::fs::read(&page).unwrap(), PAGE);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (page, link) = (folder.path().join("page.html"), folder.path().join("link.html"));
        std::fs::write(&page, b"<!doctype html>").unwrap();
        std::fs::set_permissions(&page, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&page, &link).unwrap();
        write(&link, Kind::Html, PAGE, &Inputs::default()).unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read(&page).unwrap(), PAGE);
        assert_eq!(std::fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_into_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let nowhere = Path::new("/dev/null");
        write(nowhere, Kind::Html, PAGE, &Inputs::default()).unwrap();
        assert!(std::fs::metadata(nowhere).unwrap().file_type().is_char_device());
    }

    #[test]
    fn what_belongs_to_a_ledger_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("evening.html");
        let options = crate::ledger::LedgerOptions::default();
        drop(crate::ledger::Ledger::record_into(&ledger, jiff::Timestamp::UNIX_EPOCH, options).unwrap());
        let before = std::fs::read(&ledger).unwrap();
        for name in
            ["evening.html", "evening.html-wal", "evening.html-shm", "evening.html-lock", "new.ledger"]
        {
            let refused = write(&folder.path().join(name), Kind::Html, PAGE, &Inputs::default()).unwrap_err();
            assert!(matches!(refused, OutputError::IsLedger { .. }), "{name}: {refused}");
        }
        assert_eq!(std::fs::read(&ledger).unwrap(), before);
    }
}
