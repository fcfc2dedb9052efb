//! The integration tests: one binary, a module a topic.
#![allow(clippy::unwrap_used)]

mod boards;
mod boards_faults;
mod cli;
mod readme;
mod register_accuracy;
