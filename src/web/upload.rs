//! A form with a photo: read within bounds, decoded within bounds.

use std::path::Path;

use axum::{body::Bytes, extract::Multipart};

use super::{UploadLimits, failure::WebError};
use crate::capture::{Picture, decode_photo};

/// What came up.
pub(super) struct Upload {
    /// The photo's name without any folder: for people, never a path to open.
    pub name: String,
    pub bytes: Bytes,
    pub board: String,
    pub end: String,
}

/// Longest text field, in bytes.
const LONGEST_FIELD: usize = 200;
/// Longest name of a photo that is kept, in characters.
const LONGEST_NAME: usize = 80;

pub(super) async fn read(mut form: Multipart) -> Result<Upload, WebError> {
    let broken = |error: axum::extract::multipart::MultipartError| WebError::Unusable(error.body_text());
    let mut upload =
        Upload { name: String::new(), bytes: Bytes::new(), board: String::new(), end: "far".to_owned() };
    while let Some(field) = form.next_field().await.map_err(broken)? {
        match field.name().unwrap_or_default() {
            "photo" => {
                upload.name = plain_name(field.file_name().unwrap_or("photo"));
                upload.bytes = field.bytes().await.map_err(broken)?;
            }
            "board" => upload.board = short(&field.bytes().await.map_err(broken)?)?,
            "end" => upload.end = short(&field.bytes().await.map_err(broken)?)?,
            _ => {}
        }
    }
    if upload.bytes.is_empty() {
        return Err(WebError::Unusable("no photo came with the form: choose one".to_owned()));
    }
    Ok(upload)
}

fn short(bytes: &[u8]) -> Result<String, WebError> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST_FIELD);
    text.map(str::to_owned)
        .ok_or_else(|| WebError::Unusable("a field of the form is no short text".to_owned()))
}

fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    last.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}

/// Decodes what came up. Blocks.
pub(super) fn decode(name: &str, bytes: &[u8], limits: &UploadLimits) -> Result<Picture, WebError> {
    decode_photo(bytes, Path::new(name), &limits.photo())
        .map_err(|error| WebError::Unusable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_has_a_name_and_no_path() {
        assert_eq!(plain_name("../../etc/passwd"), "passwd");
        assert_eq!(plain_name("C:\\photos\\a.jpg"), "a.jpg");
        assert_eq!(plain_name("a\nb\0.jpg"), "ab.jpg");
        assert_eq!(plain_name(&"x".repeat(500)).len(), LONGEST_NAME);
    }
}
