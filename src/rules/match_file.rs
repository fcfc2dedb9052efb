//! Match files: JSON Lines in, a [`Record`] out.

use std::sync::Arc;

use super::{
    Record,
    event::Event,
    reason::{Reason, Refusal},
};
use crate::board::Board;

/// A line that was refused, and the record as it stood before it.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {refusal}")]
pub struct RefusedLine {
    /// Counted from 1.
    pub line: usize,
    pub refusal: Refusal,
    /// `None` when there was no match yet.
    pub before: Option<Box<Record>>,
}

/// Plays a match file. Blank lines are skipped but counted.
pub fn play(bytes: &[u8], board: Option<Arc<Board>>) -> Result<Record, RefusedLine> {
    let mut record: Option<Record> = None;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let played = parse(line).and_then(|event| match &mut record {
            Some(record) => record.push(number, event),
            None => {
                record = Some(Record::open(number, event, board.clone())?);
                Ok(())
            }
        });
        if let Err(refusal) = played {
            return Err(RefusedLine { line: number + 1, refusal, before: record.map(Box::new) });
        }
    }
    record.ok_or_else(|| {
        let empty = Reason::Malformed("the file is empty; expected a match in its first line".to_owned());
        RefusedLine { line: 1, refusal: empty.into(), before: None }
    })
}

/// Reads one line.
pub fn parse(line: &[u8]) -> Result<Event, Refusal> {
    let text = std::str::from_utf8(line)
        .map_err(|_| Refusal::from(Reason::Malformed("not text in UTF-8".to_owned())))?;
    serde_json::from_str(text).map_err(|error| Reason::Malformed(words(&error)).into())
}

/// The parser's words without its position in lines, which would be mistaken for the file's.
fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rfind(" at line ").map_or(text.as_str(), |at| &text[..at]);
    match error.classify() {
        serde_json::error::Category::Data => what.to_owned(),
        _ => format!("not a JSON object: {what} (column {})", error.column()),
    }
}
