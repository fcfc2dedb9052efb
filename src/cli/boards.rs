//! `linecall boards`.

use super::Failure;

/// Lists or draws the boards.
#[derive(Debug, clap::Args)]
pub struct BoardsArguments {}

pub fn run(_arguments: &BoardsArguments) -> Result<(), Failure> {
    Err(Failure::new("not built yet"))
}
