//! Tables and a hall on real brokers of Debian's packages, started here on loopback.
//!
//! Small by default; `make hall-test` runs the same at full size.
#![allow(clippy::unwrap_used)]

mod breaks;
mod broker;
#[path = "../browser/mod.rs"]
#[allow(dead_code)]
mod browser;
mod club;
mod cluster;
mod many;
mod pages;
mod play;
mod programs;
mod tournament;
mod trust;

/// A number from the environment, for larger runs.
fn sized(name: &str, small: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(small)
}
