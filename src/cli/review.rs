//! `linecall review`: a page about one call, from a saved photo.

mod photo;

use super::Failure;

/// Writes a page about one call, with everything it rests on.
#[derive(Debug, clap::Args)]
pub struct ReviewArguments {
    #[command(flatten)]
    photo: photo::PhotoArguments,
}

pub fn run(arguments: &ReviewArguments) -> Result<(), Failure> {
    photo::run(&arguments.photo)
}
