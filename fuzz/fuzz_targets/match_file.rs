//! Match files, played through the rules.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linecall::rules::match_file;

fuzz_target!(|bytes: &[u8]| {
    let _ = match_file::play(bytes, None);
});
