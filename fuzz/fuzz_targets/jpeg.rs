//! Decoding alone, with every check of a JPEG: much faster than a score.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;

use linecall::capture::{PhotoLimits, decode_photo};

fuzz_target!(|bytes: &[u8]| {
    let limits = PhotoLimits { max_megapixels: 2.0, ..PhotoLimits::default() };
    let _ = decode_photo(bytes, Path::new("fuzzed.jpg"), &limits);
});
