//! What a command is going to write, checked before it begins.

use std::path::Path;

use super::Failure;
use crate::output::{Inputs, Kind, check};

/// Checks every file that will be written against what is read, what is there, and the others.
pub(super) fn check_all<'p>(
    inputs: &Inputs,
    outputs: impl IntoIterator<Item = (&'p Path, Kind)>,
) -> Result<(), Failure> {
    let mut checked: Vec<&Path> = Vec::new();
    for (path, kind) in outputs {
        check(path, kind, inputs)?;
        // Neither need exist yet, so that only their folders tell whether they are one.
        if checked.iter().any(|other| whole(other) == whole(path)) {
            return Err(Failure::usage(format!(
                "two files would be written to {}: name another one",
                path.display()
            )));
        }
        checked.push(path);
    }
    Ok(())
}

/// The kind of a picture that is written, by its ending.
pub(super) fn picture_kind(path: &Path) -> Result<Kind, Failure> {
    Kind::of_picture(path).ok_or_else(|| {
        Failure::usage(format!("{} has no known ending: expected .jpg or .png", path.display()))
    })
}

fn whole(path: &Path) -> std::path::PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (path.canonicalize(), folder, path.file_name()) {
        (Ok(path), ..) => path,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
