//! `linecall papers`: man pages and shell completions, for whoever makes a package.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::{Shell, generate_to};

use super::{Arguments, Failure};

/// Writes man pages and shell completions into a folder.
#[derive(Debug, clap::Args)]
pub struct PapersArguments {
    /// The folder, made where it is missing.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

pub fn run(arguments: &PapersArguments) -> Result<(), Failure> {
    let (man, completions) = (arguments.folder.join("man"), arguments.folder.join("completions"));
    for folder in [&man, &completions] {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    clap_mangen::generate_to(Arguments::command(), &man).map_err(|error| failed(&man, &error))?;
    for shell in SHELLS {
        generate_to(shell, &mut Arguments::command(), "linecall", &completions)
            .map_err(|error| failed(&completions, &error))?;
    }
    Ok(())
}

fn failed(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write into {}: {error}; name another folder", folder.display()))
}
