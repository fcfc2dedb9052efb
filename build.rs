//! Reads OpenCV's version, because its tag detector moved between modules: before 4.7 it is the
//! `aruco` module of old (Debian 12 has 4.6), from 4.7 on it is part of `objdetect`. The newer
//! one is told to the code as `cfg(opencv_4_7)`.

const SINCE_TAGS_MOVED: (u32, u32) = (4, 7);

fn main() {
    println!("cargo::rustc-check-cfg=cfg(opencv_4_7)");
    println!("cargo::rerun-if-changed=build.rs");
    match opencv_version() {
        Some(version) if version < SINCE_TAGS_MOVED => {}
        Some(_) => println!("cargo::rustc-cfg=opencv_4_7"),
        None => {
            println!("cargo::warning=pkg-config does not know OpenCV's version; 4.7 or later is assumed");
            println!("cargo::rustc-cfg=opencv_4_7");
        }
    }
}

/// Major and minor version. Only the version is asked for: linking is the opencv crate's business.
fn opencv_version() -> Option<(u32, u32)> {
    ["opencv4", "opencv5", "opencv"].iter().find_map(|name| {
        let library = pkg_config::Config::new().cargo_metadata(false).probe(name).ok()?;
        let mut parts = library.version.split('.').map(|part| part.parse().ok());
        Some((parts.next()??, parts.next()??))
    })
}
