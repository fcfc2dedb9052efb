//! `linecall tally`.

use super::Failure;

/// Plays a match file through the rules and prints the score sheet.
#[derive(Debug, clap::Args)]
pub struct TallyArguments {}

pub fn run(_arguments: &TallyArguments) -> Result<(), Failure> {
    Err(Failure::new("not built yet"))
}
