//! Lens files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;

use linecall::camera::LensFile;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = LensFile::parse(text, Path::new("fuzzed.toml"));
    }
});
