//! `linecall evaluate`.

use super::Failure;

/// Scores photos with truth beside them and splits the errors by stage.
#[derive(Debug, clap::Args)]
pub struct EvaluateArguments {}

pub fn run(_arguments: &EvaluateArguments) -> Result<(), Failure> {
    Err(Failure::new("not built yet"))
}
