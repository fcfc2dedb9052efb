//! `linecall score`.

use super::Failure;

/// Scores saved photos.
#[derive(Debug, clap::Args)]
pub struct ScoreArguments {}

pub fn run(_arguments: &ScoreArguments) -> Result<(), Failure> {
    Err(Failure::new("not built yet"))
}
