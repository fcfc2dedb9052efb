//! The integration tests: one binary, a module a topic.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod boards;
mod boards_faults;
mod browser;
mod calibrate;
mod capture;
mod capture_newest;
mod capture_stream;
mod cli;
mod desk;
mod detect;
mod find;
mod find_simulated;
mod given;
mod ledger;
mod live;
mod measure;
mod motion;
mod other_boards;
mod quality;
mod readme;
mod real_photos;
mod register_accuracy;
mod register_fixed;
mod replay;
mod review_cli;
mod review_page;
mod rules;
mod score;
mod simulate;
mod simulate_evening;
mod simulate_faults;
mod simulate_sequence;
mod truth;
mod web;
