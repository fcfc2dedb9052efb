//! The command line: raw arguments → validated → run → words for people. A file a command.

mod boards;
mod calibrate;
mod evaluate;
mod games;
mod score;
mod simulate;
mod tally;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Scores table shuffleboard and carrom from photos, with a signed gap in millimetres and its
/// uncertainty for every call.
#[derive(Debug, Parser)]
#[command(name = "linecall", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Score(score::ScoreArguments),
    Calibrate(calibrate::CalibrateArguments),
    Tally(tally::TallyArguments),
    Boards(boards::BoardsArguments),
    Games(games::GamesArguments),
    Simulate(simulate::SimulateArguments),
    Evaluate(evaluate::EvaluateArguments),
}

/// A failure in words for a person: what was wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    pub fn new(error: impl std::fmt::Display) -> Self {
        Failure(error.to_string())
    }
}

/// Parses the command line, runs the command, and gives the exit status: 0 done, 2 wrong usage,
/// 1 anything else.
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Score(arguments) => score::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Tally(arguments) => tally::run(&arguments),
        Command::Boards(arguments) => boards::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(words)) => {
            eprintln!("linecall: {words}");
            ExitCode::FAILURE
        }
    }
}
