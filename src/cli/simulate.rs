//! `linecall simulate`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use crate::board::Board;
use crate::simulate::{SceneFile, SetOptions, View, render, render_sequence, render_set};

/// Renders scenes with known truth: a photo, a filmed sequence, or a set of random photos.
///
/// The truth goes beside each photo as JSON. A scene with a "sequence" part is filmed into the
/// folder given by --output.
#[derive(Debug, clap::Args)]
pub struct SimulateArguments {
    /// The scene file (JSON); the smallest is {"board": "carrom-court"}.
    #[arg(value_name = "SCENE.json", required_unless_present = "random", conflicts_with = "random")]
    scene: Option<PathBuf>,
    /// The photo to write (.jpg or .png), or the folder of a sequence or set.
    #[arg(short, long, value_name = "PHOTO|DIR")]
    output: PathBuf,
    /// Make a set of this many random photos instead.
    #[arg(long, value_name = "N", requires = "board", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    random: Option<u32>,
    /// The board of a random set: a shipped board's id or the path of a board file.
    #[arg(long, requires = "random")]
    board: Option<String>,
    /// How the photos of a random set are taken.
    #[arg(long, value_enum, default_value_t = ViewArgument::Overhead, requires = "random")]
    view: ViewArgument,
    /// Another seed gives another set.
    #[arg(long, default_value_t = 1, requires = "random")]
    seed: u64,
    /// Photos that share one fixed camera; the first of them is the empty board.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "random", value_parser = clap::value_parser!(u32).range(2..))]
    group: u32,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ViewArgument {
    Overhead,
    Phone,
}

pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    match (&arguments.scene, arguments.random, &arguments.board) {
        (_, Some(photos), Some(board)) => random_set(arguments, photos, board),
        (Some(scene), ..) => one_scene(scene, &arguments.output),
        _ => Err(Failure::new("give a scene file, or --random N with --board")),
    }
}

fn random_set(arguments: &SimulateArguments, photos: u32, board_name: &str) -> Result<(), Failure> {
    let board = Board::named_or_at(board_name).map_err(Failure::new)?;
    let options = SetOptions {
        photos: photos as usize,
        view: match arguments.view {
            ViewArgument::Overhead => View::Overhead,
            ViewArgument::Phone => View::Phone,
        },
        seed: arguments.seed,
        photos_a_rig: arguments.group as usize,
    };
    let bar = progress(u64::from(photos));
    render_set(&board, board_name, &options, &arguments.output, &|| bar.inc(1)).map_err(Failure::new)?;
    bar.finish_and_clear();
    eprintln!("{photos} photos with truth in {}", arguments.output.display());
    Ok(())
}

fn one_scene(path: &Path, output: &Path) -> Result<(), Failure> {
    let name = path.display().to_string();
    let scene = SceneFile::load(path).and_then(|file| file.validate(&name)).map_err(Failure::new)?;
    if scene.file.sequence.is_some() {
        let bar = progress(0);
        render_sequence(&scene, output, &|frames| bar.set_length(frames as u64), &|| bar.inc(1))
            .map_err(Failure::new)?;
        bar.finish_and_clear();
        eprintln!("{} frames with truth in {}", bar.position(), output.display());
        return Ok(());
    }
    let truth = output.with_extension("json");
    if same_file(&truth, path) {
        return Err(Failure(format!(
            "the truth {} would overwrite the scene; give the photo another name",
            truth.display()
        )));
    }
    render(&scene).save(output).map_err(Failure::new)
}

fn progress(photos: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} photos, {per_sec}, {eta} left");
    ProgressBar::new(photos).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
