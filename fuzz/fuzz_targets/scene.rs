//! Scene files of the simulator.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linecall::simulate::SceneFile;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = serde_json::from_slice::<SceneFile>(bytes) {
        let _ = file.validate("fuzzed");
    }
});
