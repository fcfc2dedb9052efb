//! What an evening brings: streams, phones, people, faults.

#![allow(clippy::unwrap_used)]

mod background;
// Shared with the other binaries, which use more of it.
#[allow(dead_code)]
#[path = "../browser/mod.rs"]
mod browser;
mod faults;
mod people;
mod phone;
#[cfg(target_os = "linux")]
mod streams;
mod trial;
