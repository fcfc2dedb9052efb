//! The command line: raw arguments → validated → run → words for people. A file a command.

mod boards;
mod bundle;
mod calibrate;
mod cameras;
mod crash;
mod desk;
mod doctor;
mod evaluate;
mod examples;
mod fit;
mod games;
mod hall;
mod home;
mod live;
mod named;
mod options;
mod outputs;
mod papers;
mod record;
mod replay;
mod review;
mod run;
mod score;
mod serve;
mod simulate;
mod tally;
mod watch;
mod way;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{board::BoardError, output::OutputError, score::ScoreError};

/// Scores table shuffleboard and carrom from photos, with a signed gap in millimetres and its
/// uncertainty for every call.
#[derive(Debug, Parser)]
#[command(name = "linecall", version, propagate_version = true, after_help = examples::LINECALL)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    home: home::HomeArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(after_help = examples::SCORE)]
    Score(score::ScoreArguments),
    Calibrate(calibrate::CalibrateArguments),
    #[command(after_help = examples::TALLY)]
    Tally(tally::TallyArguments),
    #[command(after_help = examples::REVIEW)]
    Review(Box<review::ReviewArguments>),
    #[command(after_help = examples::SERVE)]
    Serve(serve::ServeArguments),
    #[command(after_help = examples::HALL)]
    Hall(hall::HallArguments),
    Boards(boards::BoardsArguments),
    Bundle(bundle::BundleArguments),
    #[command(after_help = examples::CAMERAS)]
    Cameras(cameras::CamerasArguments),
    #[command(after_help = examples::GAMES)]
    Games(games::GamesArguments),
    #[command(after_help = examples::SIMULATE)]
    Simulate(simulate::SimulateArguments),
    #[command(after_help = examples::EVALUATE)]
    Evaluate(evaluate::EvaluateArguments),
    #[command(after_help = examples::FIT)]
    Fit(fit::FitArguments),
    #[command(after_help = examples::OPTIONS)]
    Options(options::OptionsArguments),
    #[command(after_help = examples::REPLAY)]
    Replay(replay::ReplayArguments),
    #[command(after_help = examples::LIVE)]
    Live(Box<live::LiveArguments>),
    #[command(after_help = examples::DOCTOR)]
    Doctor(doctor::DoctorArguments),
    /// For whoever makes a package.
    #[command(hide = true)]
    Papers(papers::PapersArguments),
}

/// A failure in words for a person: what was wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{words}")]
pub struct Failure {
    words: String,
    /// Whether the command line itself is wrong: another photo or disk would not help.
    is_usage: bool,
}

impl Failure {
    pub fn new(error: impl std::fmt::Display) -> Self {
        Failure { words: error.to_string(), is_usage: false }
    }

    /// Of a command line that asks for what cannot be.
    pub fn usage(error: impl std::fmt::Display) -> Self {
        Failure { words: error.to_string(), is_usage: true }
    }

    fn status(&self) -> ExitCode {
        ExitCode::from(if self.is_usage { 2 } else { 1 })
    }
}

/// Frames a second, above 0.
fn frame_rate(text: &str) -> Result<f64, String> {
    let rate = text.trim().parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
    rate.ok_or_else(|| format!("expected frames a second, above 0, found {text:?}"))
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        if error.is_usage() { Failure::usage(error) } else { Failure::new(error) }
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        match error {
            BoardError::Unknown { .. } => Failure::usage(error),
            _ => Failure::new(error),
        }
    }
}

impl From<ScoreError> for Failure {
    fn from(error: ScoreError) -> Self {
        match error {
            ScoreError::Game { .. } => Failure::usage(error),
            _ => Failure::new(error),
        }
    }
}

/// The command line as it is parsed, for whoever describes or tests it.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Parses the command line, runs the command, and gives the exit status: 0 done, 2 wrong usage,
/// 1 anything else.
pub fn run() -> ExitCode {
    crash::install_hook();
    let Arguments { command, home } = Arguments::parse();
    let work = || match command {
        Some(command) => dispatch(command),
        None => home::run(home),
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            eprintln!("linecall: {failure}");
            failure.status()
        }
        // The hook has said what happened.
        Err(_) => ExitCode::FAILURE,
    }
}

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Score(arguments) => score::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Tally(arguments) => tally::run(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Hall(arguments) => hall::run(&arguments),
        Command::Boards(arguments) => boards::run(&arguments),
        Command::Bundle(arguments) => bundle::run(&arguments),
        Command::Cameras(arguments) => cameras::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Options(arguments) => options::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Live(arguments) => live::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Papers(arguments) => papers::run(&arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }
}
