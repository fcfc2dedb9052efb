//! Damaged photos and files, wrong heights and full disks: nothing is lost, and nothing sure is wrong.
//!
//! Small samples by default. `make harm` asks for more by `LINECALL_HARM`: how many of each kind.
#![allow(clippy::unwrap_used)]

mod disk;
mod files;
mod heights;
mod judge;
mod photos;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many of a kind are tried.
fn count(usual: usize) -> usize {
    std::env::var("LINECALL_HARM").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

fn dice(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// One of a list.
fn one_of<'l, T>(list: &'l [T], dice: &mut ChaCha8Rng) -> &'l T {
    &list[dice.random_range(0..list.len())]
}
