//! `linecall options`, and the files that it is the model of.

use std::{io::Write, path::Path};

use super::Failure;
use crate::options::{Options, defaults};

/// Prints every option of every stage with its default and what it means, as a file that `--options` takes.
#[derive(Debug, clap::Args)]
pub struct OptionsArguments {
    /// Only these sections, for example `detect` or `refine.profile`.
    #[arg(value_name = "SECTION")]
    sections: Vec<String>,
}

pub fn run(arguments: &OptionsArguments) -> Result<(), Failure> {
    let text = defaults(&arguments.sections);
    if text.is_empty() {
        return Err(Failure::usage(format!(
            "there is no section {}: the sections are {}",
            arguments.sections.join(", "),
            crate::options::sections().join(", ")
        )));
    }
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| Failure::new(format!("cannot write the options: {error}"))),
    }
}

/// The options in a file, or the defaults where none is named.
pub(super) fn load(path: Option<&Path>) -> Result<Options, Failure> {
    path.map_or_else(|| Ok(Options::default()), |path| Options::load(path).map_err(Failure::new))
}
