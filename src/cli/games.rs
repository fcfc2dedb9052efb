//! `linecall games`.

use super::Failure;
use crate::rules::{GameId, catalogue::GameText};

/// Lists the games with their options; `games show ID` explains the rules.
#[derive(Debug, clap::Args)]
pub struct GamesArguments {
    #[command(subcommand)]
    command: Option<GamesCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum GamesCommand {
    /// Explains a game's rules by their ids
    Show {
        /// The game's id
        game: String,
    },
}

pub fn run(arguments: &GamesArguments) -> Result<(), Failure> {
    match &arguments.command {
        None => {
            for game in GameId::ALL {
                print!("{}", overview(GameText::of(game)));
            }
            println!("Rules by id: linecall games show GAME");
            Ok(())
        }
        Some(GamesCommand::Show { game }) => {
            let known = || GameId::ALL.map(GameId::id).join(", ");
            let game = GameId::named(game)
                .ok_or_else(|| Failure(format!("no game is called {game:?}; there is {}", known())))?;
            print!("{}", explained(GameText::of(game)));
            Ok(())
        }
    }
}

fn overview(game: &GameText) -> String {
    let mut out = format!("{}: {}\n  {}\n", game.game.id(), game.name, game.summary);
    for option in game.options {
        out += &format!("  {:<16}{:<22}default {}\n", option.name, option.values, option.default);
    }
    out + "\n"
}

fn explained(game: &GameText) -> String {
    let mut out = overview(game);
    for rule in game.rules {
        let id = format!("{}{}", game.game.letter(), rule.number);
        out += &wrapped(&format!("{id:<5}"), rule.text);
        let told =
            if rule.told.is_empty() { String::new() } else { format!("; a person tells {}", rule.told) };
        out += &wrapped("     ", &format!("[{}{told}]", rule.decided_by.words()));
    }
    out + "\nseen: a camera decides it; proposed: a camera proposes, a person confirms; told: a person\n\
           enters it; counted: it follows from the events before.\n"
}

/// Breaks a text into lines of at most this many characters.
const LINE_WIDTH: usize = 96;

/// The text behind a heading, continued under itself.
fn wrapped(heading: &str, text: &str) -> String {
    let mut out = String::new();
    let mut line = heading.to_owned();
    for word in text.split(' ') {
        if line.chars().count() + word.chars().count() > LINE_WIDTH {
            out += line.trim_end();
            out.push('\n');
            line = " ".repeat(heading.len());
        }
        line += word;
        line.push(' ');
    }
    out + line.trim_end() + "\n"
}
