//! What an evening brings: streams, phones, people, faults.

mod background;
#[path = "../browser/mod.rs"]
mod browser;
mod faults;
mod people;
mod phone;
#[cfg(target_os = "linux")]
mod streams;
mod trial;
