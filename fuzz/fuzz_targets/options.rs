//! Command lines, a word a line: every option's value is checked, and nothing is run.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let words = std::iter::once("linecall").chain(text.lines());
    let _ = linecall::cli::command().try_get_matches_from(words);
});
