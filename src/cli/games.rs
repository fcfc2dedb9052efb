//! `linecall games`.

use super::Failure;

/// Lists the games or explains one.
#[derive(Debug, clap::Args)]
pub struct GamesArguments {}

pub fn run(_arguments: &GamesArguments) -> Result<(), Failure> {
    Err(Failure::new("not built yet"))
}
