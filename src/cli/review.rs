//! `linecall review`.

mod ledger;
mod list;

use std::path::PathBuf;

use super::Failure;

/// Shows what a ledger has recorded: close and disputed calls, proof, history, export.
#[derive(Debug, clap::Args)]
pub struct ReviewArguments {
    /// A ledger, made with --match.
    #[arg(value_name = "LEDGER")]
    file: PathBuf,
    /// With --rerun: this board (an id or a board file) instead of the recorded one.
    #[arg(long, value_name = "B")]
    board: Option<String>,
    /// With --rerun: this camera file instead of the recorded one.
    #[arg(long, value_name = "C.toml")]
    camera: Option<PathBuf>,
    #[command(flatten)]
    ledger: ledger::LedgerArguments,
}

pub fn run(arguments: &ReviewArguments) -> Result<(), Failure> {
    let given = ledger::Given {
        file: &arguments.file,
        board: arguments.board.as_deref(),
        camera: arguments.camera.as_deref(),
    };
    ledger::run(&given, &arguments.ledger)
}
