//! `linecall boards add`: keeps a board file among the person's own.

use std::path::PathBuf;

use crate::{
    board::Kept,
    cli::{Failure, named},
};

#[derive(Debug, clap::Args)]
pub(super) struct AddArguments {
    /// The board file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Takes the place of another board of the same id.
    #[arg(long)]
    replace: bool,
}

pub(super) fn run(arguments: &AddArguments) -> Result<(), Failure> {
    let library = named::library()?;
    let (board, path, kept) = library.keep(&arguments.file, arguments.replace).map_err(Failure::new)?;
    let what = match kept {
        Kept::New => "is kept as",
        Kept::Replaced => "takes the place of the one in",
        Kept::Same => "is already kept as",
    };
    println!("{} ({}) {what} {}", board.id, board.name, path.display());
    Ok(())
}
