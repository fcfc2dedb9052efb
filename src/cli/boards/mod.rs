//! `linecall boards`: lists, checks and draws boards. A file an action.

mod add;
mod draw;
mod learn;
mod list;

use std::path::PathBuf;

use clap::Subcommand;

use super::{Failure, named};
use crate::board::Board;

/// Lists the boards that ship and your own, keeps one of your own, or checks or draws a board file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct BoardsArguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// One JSON object a line for each board.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  linecall boards                                  the boards that ship, and your own
  linecall boards --json                           the same for programs
  linecall boards draw carrom-court -o court.svg   a drawing to hold against the real board
  linecall boards draw my-table.toml -o table.png  the same of a board file of your own
  linecall boards check my-table.toml              every fault of a board file
  linecall boards add my-table.toml                keeps it among your own: --board my-table, and found
                                                   by itself where no board is named
  linecall boards learn empty.jpg --like carrom-icf --width 740 -o club.toml
                                                   a board file from a photo and one length

Your own boards are files in linecall/boards, in $XDG_DATA_HOME (~/.local/share without it), on macOS in
~/Library/Application Support, on Windows in %APPDATA%.";

#[derive(Debug, Subcommand)]
enum Action {
    /// Draws a board to scale, with every measure, to compare with the real one.
    Draw(draw::DrawArguments),
    /// Keeps a board file among your own boards.
    Add(add::AddArguments),
    /// Checks board files and names every fault.
    Check(CheckArguments),
    /// Writes a board file from photos of a table that no board file describes.
    Learn(Box<learn::LearnArguments>),
}

#[derive(Debug, clap::Args)]
struct CheckArguments {
    /// Board files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub fn run(arguments: &BoardsArguments) -> Result<(), Failure> {
    match &arguments.action {
        Some(Action::Draw(draw)) => draw::run(draw),
        Some(Action::Add(add)) => add::run(add),
        Some(Action::Check(check)) => run_check(check),
        Some(Action::Learn(learn)) => learn::run(learn),
        None => {
            let boards = named::library()?.boards;
            if arguments.json {
                boards.iter().for_each(|known| println!("{}", list::as_json(known)));
            } else {
                print!("{}", list::table(&boards));
            }
            Ok(())
        }
    }
}

fn run_check(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for path in &arguments.files {
        match Board::load(path) {
            Ok(board) => println!("{}: {} ({})", path.display(), board.name, summary(&board)),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::new(wrong.join("\n"))) }
}

fn summary(board: &Board) -> String {
    let count = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let pieces: usize = board.pieces.iter().map(|kind| kind.count).sum();
    [count(board.lines.len(), "line"), count(board.areas.len(), "area"), count(pieces, "piece")].join(", ")
}
