//! What a report of a fault needs, in one file.
//!
//! In: parts, each a name and bytes. Out: a zip archive that begins with what is in it and by which program.
//! Nothing is compressed: pictures are already, and the rest is small. Names of people are put out of
//! every text by [`Names`], unless they are asked for.

mod names;

use std::io::{Cursor, Write};

use serde::Serialize;
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::camera::PROGRAM;
pub use crate::output::BUNDLE_FIRST;
pub use names::Names;

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// With folders before it, separated by `/`.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Part {
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Part {
        Part { name: name.into(), bytes: bytes.into() }
    }
}

/// What stands at the beginning.
#[derive(Debug, Clone, Serialize)]
pub struct About {
    /// What the bundle is of: a ledger's or a photo's name.
    pub of: String,
    pub at: jiff::Timestamp,
    /// Whether names of people are in it.
    pub names: bool,
    /// What is wrong, as far as the program can tell: a refusal, findings of a verification.
    pub faults: Vec<String>,
}

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
#[error("the bundle cannot be made: {0}")]
pub struct BundleError(String);

/// Packs a bundle.
pub fn pack(about: &About, parts: &[Part]) -> Result<Vec<u8>, BundleError> {
    let failed = |error: &dyn std::fmt::Display| BundleError(error.to_string());
    let files: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    let first = serde_json::json!({
        "program": PROGRAM, "system": std::env::consts::OS, "processor": std::env::consts::ARCH,
        "about": about, "files": files,
    });
    let first = Part::new(BUNDLE_FIRST, serde_json::to_vec_pretty(&first).map_err(|e| failed(&e))?);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default());
    for part in std::iter::once(&first).chain(parts) {
        writer.start_file(part.name.as_str(), options).map_err(|e| failed(&e))?;
        writer.write_all(&part.bytes).map_err(|e| failed(&e))?;
    }
    Ok(writer.finish().map_err(|e| failed(&e))?.into_inner())
}
