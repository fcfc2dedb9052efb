//! Board files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;

use linecall::board::Board;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Board::parse(text, Path::new("fuzzed.toml"));
    }
});
