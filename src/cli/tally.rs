//! `linecall tally`.

use std::{io::Read, path::PathBuf, sync::Arc};

use super::Failure;
use crate::rules::{Record, match_file, report, sheet};

/// Plays a match file through the rules and prints the score sheet.
#[derive(Debug, clap::Args)]
pub struct TallyArguments {
    /// Match file, one JSON event a line; - reads from standard input
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// Print the final state as one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a row an event as comma-separated values
    #[arg(long)]
    csv: bool,
    /// Play on this board (an id or a board file) instead of the game's own
    #[arg(long, value_name = "B")]
    board: Option<String>,
}

pub fn run(arguments: &TallyArguments) -> Result<(), Failure> {
    let board = arguments.board.as_deref().map(super::named::board).transpose()?;
    let bytes = read(arguments)?;
    match match_file::play(&bytes, board.map(Arc::new)) {
        Ok(record) => print(arguments, &record),
        // What was recorded before a refused line is not lost: it is shown, then the error.
        Err(refused) => {
            if let Some(record) = &refused.before {
                print(arguments, record)?;
            }
            Err(Failure::new(format!("{} {refused}", arguments.file.display())))
        }
    }
}

fn read(arguments: &TallyArguments) -> Result<Vec<u8>, Failure> {
    let file = &arguments.file;
    if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        return read
            .map(|_| bytes)
            .map_err(|error| Failure::new(format!("cannot read standard input: {error}")));
    }
    std::fs::read(file).map_err(|error| {
        Failure::new(format!(
            "cannot read the match file {}: {error}; expected a .jsonl file",
            file.display()
        ))
    })
}

fn print(arguments: &TallyArguments, record: &Record) -> Result<(), Failure> {
    use std::io::Write;
    let text = match (arguments.json, arguments.csv) {
        (true, _) => format!("{}\n", report::json(record)),
        (_, true) => sheet::csv(record),
        _ => sheet::text(record),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Failure::new(format!("cannot print the score sheet: {error}"))),
    }
}
