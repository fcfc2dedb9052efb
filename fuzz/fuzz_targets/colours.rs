//! TOML of taught colours.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linecall::detect::TaughtColours;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("colours.toml");
    std::fs::write(&path, bytes).expect("written");
    let _ = TaughtColours::load(&path);
});
