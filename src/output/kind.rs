//! The kinds of files that are written, and how one that is there already is told by its content.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Html,
    Svg,
    Png,
    Jpeg,
    Camera,
    Lens,
    Colours,
    Board,
    /// A match file: events, a line each.
    MatchFile,
    /// A match as a table.
    Csv,
    /// What a simulated photo shows.
    Truth,
    /// The story of a filmed sequence.
    Story,
    /// Fitted weights of evidence.
    Evidence,
    /// What a stage saw of a photo.
    Trace,
    /// What a run saw, a line a frame.
    RunTrace,
    /// A bundle for a report of a fault.
    Bundle,
}

/// How every trace begins.
pub const TRACE_START: &str = "linecall trace:";

/// The first file of every bundle, by which one is known.
pub const BUNDLE_FIRST: &str = "linecall-bundle.json";

/// No file for people is longer; of a longer one only so much is read to tell its kind.
const MOST_BYTES: u64 = 64 << 20;

impl Kind {
    /// Of a picture by its name's ending.
    pub fn of_picture(path: &Path) -> Option<Kind> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "jpg" | "jpeg" => Some(Kind::Jpeg),
            "png" => Some(Kind::Png),
            _ => None,
        }
    }

    /// With its article.
    pub(super) fn words(self) -> &'static str {
        match self {
            Kind::Html => "a page (HTML)",
            Kind::Svg => "a drawing (SVG)",
            Kind::Png => "a PNG picture that a program made",
            Kind::Jpeg => "a JPEG picture that a program made",
            Kind::Camera => "a camera file",
            Kind::Lens => "a lens file",
            Kind::Colours => "a file of taught colours",
            Kind::Board => "a board file",
            Kind::MatchFile => "a match file",
            Kind::Csv => "a match's table (CSV)",
            Kind::Truth => "a photo's truth",
            Kind::Story => "a sequence's story",
            Kind::Evidence => "a file of fitted evidence",
            Kind::Trace => "a stage's trace",
            Kind::RunTrace => "a trace of linecall",
            Kind::Bundle => "a bundle of linecall",
        }
    }

    pub(super) fn example(self) -> &'static str {
        match self {
            Kind::Html => "page.html",
            Kind::Svg => "drawing.svg",
            Kind::Png => "picture.png",
            Kind::Jpeg => "picture.jpg",
            Kind::Camera => "camera.toml",
            Kind::Lens => "lens.toml",
            Kind::Colours => "colours.toml",
            Kind::Board => "board.toml",
            Kind::MatchFile => "match.jsonl",
            Kind::Csv => "match.csv",
            Kind::Truth => "photo.json",
            Kind::Story => "sequence.json",
            Kind::Evidence => "evidence.toml",
            Kind::Trace => "places.json",
            Kind::RunTrace => "trace.txt",
            Kind::Bundle => "bundle.zip",
        }
    }

    /// Whether the file at a path is of this kind; one that cannot be read is of none.
    pub(super) fn is_of(self, path: &Path) -> bool {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
        read.is_ok() && self.is_it(&bytes)
    }

    fn is_it(self, bytes: &[u8]) -> bool {
        match self {
            // A photo is evidence: what a camera took says so in its metadata.
            Kind::Png => bytes.starts_with(b"\x89PNG\r\n\x1a\n") && !is_taken(bytes, b"eXIf"),
            Kind::Jpeg => bytes.starts_with(&[0xFF, 0xD8, 0xFF]) && !is_taken(bytes, b"Exif\0"),
            Kind::Bundle => bytes.get(30..).is_some_and(|name| name.starts_with(BUNDLE_FIRST.as_bytes())),
            _ => std::str::from_utf8(bytes).is_ok_and(|text| self.is_text(text)),
        }
    }

    fn is_text(self, text: &str) -> bool {
        let start = text.trim_start().get(..15).unwrap_or_default().to_ascii_lowercase();
        match self {
            Kind::Html => start == "<!doctype html>" || start.starts_with("<html"),
            Kind::Svg => start.starts_with("<svg") || (start.starts_with("<?xml") && text.contains("<svg")),
            Kind::Camera => has_tables(text, &["lens", "pose", "covariance"]),
            Kind::Lens => has_tables(text, &["lens", "sigma"]),
            Kind::Colours => has_tables(text, &["stops"]),
            Kind::Board => has_tables(text, &["surface"]),
            Kind::MatchFile => {
                let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                serde_json::from_str::<Value>(first).is_ok_and(|event| event["type"] == "match")
            }
            Kind::Csv => text.starts_with(crate::rules::sheet::CSV_START),
            Kind::Truth => json_has(text, &["board", "pieces", "pixel_convention"]),
            Kind::Story => json_has(text, &["fps"]),
            Kind::RunTrace => text.starts_with(TRACE_START),
            Kind::Evidence => text.contains("[[quantities]]"),
            Kind::Trace => json_has(text, &["stage", "photo"]),
            Kind::Png | Kind::Jpeg | Kind::Bundle => false,
        }
    }
}

fn is_taken(bytes: &[u8], mark: &[u8]) -> bool {
    /// Metadata stands before the picture itself.
    const HEAD: usize = 1 << 16;
    bytes[..bytes.len().min(HEAD)].windows(mark.len()).any(|window| window == mark)
}

fn has_tables(text: &str, names: &[&str]) -> bool {
    let table = text.parse::<toml::Table>();
    table.is_ok_and(|table| names.iter().all(|name| table.get(*name).is_some_and(toml::Value::is_table)))
}

fn json_has(text: &str, names: &[&str]) -> bool {
    let value = serde_json::from_str::<Value>(text);
    value.is_ok_and(|value| names.iter().all(|name| value.get(name).is_some()))
}

/// What SQLite and the recorder keep beside a ledger.
const BESIDE_A_LEDGER: [&str; 4] = ["-wal", "-shm", "-journal", "-lock"];

/// Whether a path is a ledger's by its name or its content, or that of a file which belongs to one.
pub(super) fn is_ledger(path: &Path) -> bool {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ledger")) {
        return true;
    }
    if starts_like_sqlite(path) {
        return true;
    }
    let name = path.to_string_lossy();
    let of_ledger = BESIDE_A_LEDGER.iter().find_map(|ending| name.strip_suffix(ending));
    of_ledger.is_some_and(|ledger| is_ledger(&PathBuf::from(ledger)))
}

/// Any database of SQLite: none is replaced by a page or a picture.
fn starts_like_sqlite(path: &Path) -> bool {
    let mut start = [0; 16];
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"SQLite format 3\0"
}
