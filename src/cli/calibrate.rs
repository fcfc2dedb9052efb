//! `linecall calibrate`.

use super::Failure;

/// Makes a camera file from photos of the board.
#[derive(Debug, clap::Args)]
pub struct CalibrateArguments {}

pub fn run(_arguments: &CalibrateArguments) -> Result<(), Failure> {
    Err(Failure::new("not built yet"))
}
