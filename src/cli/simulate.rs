//! `linecall simulate`.

use std::path::{Path, PathBuf};

use crate::simulate::{SceneFile, render};

use super::Failure;

/// Renders a scene with known truth.
#[derive(Debug, clap::Args)]
pub struct SimulateArguments {
    /// The scene file (JSON).
    scene: PathBuf,
    /// The photo to write, .jpg or .png; its truth goes beside it as .json.
    #[arg(short, long, value_name = "PHOTO")]
    output: PathBuf,
}

pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let name = arguments.scene.display().to_string();
    let scene =
        SceneFile::load(&arguments.scene).and_then(|file| file.validate(&name)).map_err(Failure::new)?;
    let truth = arguments.output.with_extension("json");
    if same_file(&truth, &arguments.scene) {
        return Err(Failure(format!(
            "the truth {} would overwrite the scene; give the photo another name",
            truth.display()
        )));
    }
    render(&scene).save(&arguments.output).map_err(Failure::new)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
