//! `linecall simulate`.

use super::Failure;

/// Renders a scene with known truth.
#[derive(Debug, clap::Args)]
pub struct SimulateArguments {}

pub fn run(_arguments: &SimulateArguments) -> Result<(), Failure> {
    Err(Failure::new("not built yet"))
}
