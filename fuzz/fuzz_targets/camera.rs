//! Camera files; what is accepted must be usable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;

use linecall::camera::CameraFile;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(file) = CameraFile::parse(text, Path::new("fuzzed.toml")) {
        let [width, height] = file.camera.image_size.map(f64::from);
        for (x, y) in [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.9, 0.1)] {
            let _ = file.camera.board_from_image(x * width, y * height, 0.0);
        }
    }
});
