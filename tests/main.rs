//! The integration tests: one binary, a module a topic.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod boards;
mod boards_faults;
mod calibrate;
mod capture;
mod cli;
mod desk;
mod detect;
mod find;
mod ledger;
mod measure;
mod readme;
mod register_accuracy;
mod register_fixed;
mod review_cli;
mod rules;
mod score;
mod simulate;
mod simulate_faults;
mod simulate_sequence;
