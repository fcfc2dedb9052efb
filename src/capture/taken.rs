//! When a photo was taken, as its camera wrote it into the file.
//!
//! In: a photo file's bytes. Out: the local time of the camera, with its offset where that is
//! given. Anything odd in the file is no time, never an error: a photo is scored without one.

use std::io::Cursor;

use image::{ImageDecoder, ImageReader};

const EXIF_PART: u16 = 0x8769;
const DATE_TIME_ORIGINAL: u16 = 0x9003;
const OFFSET_TIME_ORIGINAL: u16 = 0x9011;

/// `2026-11-16 11:12:13 +01:00`, or without the offset.
pub fn taken_at(photo: &[u8]) -> Option<String> {
    let mut decoder = ImageReader::new(Cursor::new(photo)).with_guessed_format().ok()?.into_decoder().ok()?;
    let exif = decoder.exif_metadata().ok()??;
    from_exif(&exif)
}

fn from_exif(exif: &[u8]) -> Option<String> {
    // Some decoders leave the marker before it.
    let tiff = Tiff::new(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif))?;
    let first = tiff.number(4, 4)?;
    let part = tiff.number(tiff.entry(first, EXIF_PART)? + 8, 4)?;
    let taken = tiff.text(part, DATE_TIME_ORIGINAL)?;
    // Written `2026:11:16 11:12:13`; blank where the camera's clock was never set.
    let (date, time) = taken.split_once(' ')?;
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ':');
    if date.len() != 10 || time.len() != 8 || !digits(date) || !digits(time) || date.starts_with("0000") {
        return None;
    }
    let offset = tiff.text(part, OFFSET_TIME_ORIGINAL).filter(|offset| offset.len() == 6);
    let offset = offset.map_or_else(String::new, |offset| format!(" {offset}"));
    Some(format!("{} {time}{offset}", date.replace(':', "-")))
}

/// The form that EXIF is written in.
struct Tiff<'a> {
    bytes: &'a [u8],
    is_big_endian: bool,
}

impl<'a> Tiff<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let is_big_endian = match bytes.get(..2)? {
            b"MM" => true,
            b"II" => false,
            _ => return None,
        };
        Some(Self { bytes, is_big_endian })
    }

    fn number(&self, at: usize, length: usize) -> Option<usize> {
        let bytes = self.bytes.get(at..at.checked_add(length)?)?;
        let add = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
        Some(if self.is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
    }

    /// Where the entry with that tag stands in the directory at `directory`.
    fn entry(&self, directory: usize, tag: u16) -> Option<usize> {
        let count = self.number(directory, 2)?;
        (0..count)
            .map(|index| directory + 2 + 12 * index)
            .take_while(|at| *at < self.bytes.len())
            .find(|at| self.number(*at, 2) == Some(usize::from(tag)))
    }

    fn text(&self, directory: usize, tag: u16) -> Option<&'a str> {
        const ASCII: usize = 2;
        let entry = self.entry(directory, tag)?;
        let length = self.number(entry + 4, 4)?;
        // Short texts stand in the entry itself.
        let at = if length <= 4 { entry + 8 } else { self.number(entry + 8, 4)? };
        let bytes = self
            .bytes
            .get(at..at.checked_add(length)?)
            .filter(|_| self.number(entry + 2, 2) == Some(ASCII))?;
        Some(std::str::from_utf8(bytes).ok()?.trim_end_matches('\0').trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A TIFF header with one entry for the EXIF part, which has the time and perhaps the offset.
    fn exif(is_big_endian: bool, time: &str, offset: Option<&str>) -> Vec<u8> {
        let put = |bytes: &mut Vec<u8>, value: usize, length: usize| {
            let all = value.to_be_bytes();
            let mut part = all[all.len() - length..].to_vec();
            if !is_big_endian {
                part.reverse();
            }
            bytes.extend(part);
        };
        let mut bytes = if is_big_endian { b"MM".to_vec() } else { b"II".to_vec() };
        put(&mut bytes, 42, 2);
        put(&mut bytes, 8, 4);
        put(&mut bytes, 1, 2);
        for (value, length) in [(usize::from(EXIF_PART), 2), (4, 2), (1, 4), (26, 4), (0, 4)] {
            put(&mut bytes, value, length);
        }
        let texts: Vec<(u16, &str)> = [(DATE_TIME_ORIGINAL, Some(time)), (OFFSET_TIME_ORIGINAL, offset)]
            .into_iter()
            .filter_map(|(tag, text)| Some((tag, text?)))
            .collect();
        put(&mut bytes, texts.len(), 2);
        let mut at = 26 + 2 + 12 * texts.len() + 4;
        for (tag, text) in &texts {
            for (value, length) in [(usize::from(*tag), 2), (2, 2), (text.len() + 1, 4), (at, 4)] {
                put(&mut bytes, value, length);
            }
            at += text.len() + 1;
        }
        put(&mut bytes, 0, 4);
        for (_, text) in &texts {
            bytes.extend(text.bytes());
            bytes.push(0);
        }
        bytes
    }

    #[test]
    fn the_cameras_time_is_read_in_both_byte_orders() {
        for is_big_endian in [true, false] {
            let bytes = exif(is_big_endian, "2026:11:16 11:12:13", Some("+01:00"));
            assert_eq!(from_exif(&bytes).as_deref(), Some("2026-11-16 11:12:13 +01:00"));
            let bytes = exif(is_big_endian, "2026:11:16 11:12:13", None);
            assert_eq!(from_exif(&bytes).as_deref(), Some("2026-11-16 11:12:13"));
        }
    }

    #[test]
    fn a_clock_that_was_never_set_and_damage_are_no_time() {
        assert_eq!(from_exif(&exif(true, "0000:00:00 00:00:00", None)), None);
        assert_eq!(from_exif(&exif(true, "    :  :     :  :  ", None)), None);
        let whole = exif(false, "2026:11:16 11:12:13", Some("+01:00"));
        for length in 0..whole.len() - 30 {
            assert_eq!(from_exif(&whole[..length]), None, "cut to {length}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] = 0xff;
            let _ = from_exif(&damaged);
        }
        assert_eq!(taken_at(b"no photo"), None);
    }
}
