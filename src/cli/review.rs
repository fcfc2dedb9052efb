//! `linecall review`: a page about one call, from a saved photo or a ledger, and what else a ledger
//! can tell.

mod ledger;
mod list;
mod photo;

use std::{io::Read, path::Path};

use super::Failure;

/// Reviews the calls of a photo or of a ledger.
#[derive(Debug, clap::Args)]
pub struct ReviewArguments {
    #[command(flatten)]
    photo: photo::PhotoArguments,
    #[command(flatten)]
    ledger: ledger::LedgerArguments,
}

pub fn run(arguments: &ReviewArguments) -> Result<(), Failure> {
    let file = &arguments.photo.file;
    // Whatever asks for a ledger is answered as one, so that a damaged ledger is not called a bad photo.
    if !arguments.ledger.asks_for_a_ledger() && !looks_like_a_ledger(file) {
        return photo::run(&arguments.photo);
    }
    let given = ledger::Given {
        file,
        board: arguments.photo.board.as_deref(),
        camera: arguments.photo.camera.as_deref(),
        page: arguments.photo.output.as_deref(),
        about: arguments.photo.about.as_deref(),
    };
    ledger::run(&given, &arguments.ledger)
}

fn looks_like_a_ledger(file: &Path) -> bool {
    let mut start = [0; 16];
    let is_sqlite = std::fs::metadata(file).is_ok_and(|metadata| metadata.is_file())
        && std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"SQLite format 3\0";
    is_sqlite || file.extension().is_some_and(|ending| ending == "ledger")
}
