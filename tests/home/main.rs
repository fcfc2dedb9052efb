//! The whole program behind its page, as a person who has just installed it meets it.
#![allow(clippy::unwrap_used)]

#[path = "../browser/mod.rs"]
#[allow(dead_code)]
mod browser;
mod first_evening;
mod pages;
mod reach;
mod rulings;
mod safety;
mod server;
