//! `linecall simulate`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    Failure,
    outputs::{check_all, picture_kind},
};
use crate::board::Board;
use crate::output::{Inputs, Kind};
use crate::rules::GameId;
use crate::simulate::{
    EveningOptions, SceneFile, SetOptions, View, render, render_sequence, render_set, render_unknown_set,
    write_evening,
};

/// Renders scenes with known truth: a photo, a filmed sequence, a set of random photos, or a whole
/// evening of a game.
///
/// The truth goes beside each photo as JSON. A scene with a "sequence" part is filmed into the
/// folder given by --output. An evening is a match played and filmed: its frames, the story of every
/// shot in sequence.json, and what should be recorded in truth.jsonl, which linecall tally reads.
#[derive(Debug, clap::Args)]
pub struct SimulateArguments {
    /// The scene file (JSON); the smallest is {"board": "carrom-court"}.
    #[arg(
        value_name = "SCENE.json",
        required_unless_present_any = ["random", "evening"],
        conflicts_with_all = ["random", "evening"]
    )]
    scene: Option<PathBuf>,
    /// The photo to write (.jpg or .png), or the folder of a sequence, set or evening.
    #[arg(short, long, value_name = "PHOTO|DIR")]
    output: PathBuf,
    /// Make a set of this many random photos instead.
    #[arg(long, value_name = "N", requires = "board", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    random: Option<u32>,
    /// The board of a random set: a shipped board's id or the path of a board file.
    #[arg(long, requires = "random")]
    board: Option<String>,
    /// Every photo shows a table of its own, of that board's kind but with other lengths, print, wear and
    /// clutter. Each has its true board file and a photo of the empty table beside it.
    #[arg(long, requires = "random")]
    unknown: bool,
    /// How the photos of a random set are taken.
    #[arg(long, value_enum, default_value_t = ViewArgument::Overhead, requires = "random")]
    view: ViewArgument,
    /// Another seed gives another set or evening.
    #[arg(long, default_value_t = 1, conflicts_with = "scene")]
    seed: u64,
    /// Photos that share one fixed camera; the first of them is the empty board.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "random", value_parser = clap::value_parser!(u32).range(2..))]
    group: u32,
    /// Play and film an evening of this game: court, long-board, association, kagw or ludington.
    #[arg(long, value_name = "GAME", conflicts_with = "random", value_parser = game)]
    evening: Option<GameId>,
    /// Half rounds of shuffleboard, games of kagw (at most 3) or innings of ludington.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "evening", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Frames a second of an evening.
    #[arg(long, value_name = "N", default_value_t = 10.0, requires = "evening", value_parser = super::frame_rate)]
    fps: f64,
    /// Width and height of an evening's frames in pixels; 960x540 by default, 720x720 for carrom.
    #[arg(long, value_name = "WxH", requires = "evening", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Players as they are: hands that stay in the picture, arms, heads, and nobody who waits for the camera.
    #[arg(long, requires = "evening")]
    people: bool,
    /// Strikes after which an evening of carrom ends.
    #[arg(long, value_name = "N", requires = "evening")]
    strikes: Option<usize>,
    /// The frame from which on the camera hangs a little differently, as after a knock.
    #[arg(long, value_name = "FRAME", requires = "evening")]
    bump_at: Option<usize>,
    /// The frame from which on another lamp is on.
    #[arg(long, value_name = "FRAME", requires = "evening")]
    lamp_at: Option<usize>,
    /// Association: bank play.
    #[arg(long, requires = "evening")]
    bank: bool,
    /// Ludington: discs inside the own base line must be hit off a cushion.
    #[arg(long, requires = "evening")]
    cushion: bool,
}

fn game(text: &str) -> Result<GameId, String> {
    let known = || GameId::ALL.map(GameId::id).join(", ");
    GameId::named(text).ok_or_else(|| format!("expected one of {}", known()))
}

fn size(text: &str) -> Result<[u32; 2], String> {
    /// No camera films smaller, and none that is rendered here larger.
    const SIDES_PX: std::ops::RangeInclusive<u32> = 16..=8192;
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let sides = sides.filter(|[w, h]: &[u32; 2]| [w, h].iter().all(|side| SIDES_PX.contains(side)));
    sides.ok_or_else(|| "expected width and height in pixels, as in 960x540".to_owned())
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ViewArgument {
    Overhead,
    Phone,
}

pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    if let Some(game) = arguments.evening {
        return evening(arguments, game);
    }
    match (&arguments.scene, arguments.random, &arguments.board) {
        (_, Some(photos), Some(board)) => random_set(arguments, photos, board),
        (Some(scene), ..) => one_scene(scene, &arguments.output),
        _ => Err(Failure::usage("give a scene file, --random N with --board, or --evening GAME")),
    }
}

fn evening(arguments: &SimulateArguments, game: GameId) -> Result<(), Failure> {
    let options = EveningOptions {
        fps: arguments.fps,
        image_size: arguments.size,
        strikes: arguments.strikes,
        bump_at: arguments.bump_at,
        lamp_at: arguments.lamp_at,
        bank: arguments.bank,
        cushion: arguments.cushion,
        people: arguments.people,
        ..EveningOptions::new(game, arguments.rounds as usize, arguments.seed)
    };
    let bar = progress(0);
    let begun = |frames: usize| bar.set_length(frames as u64);
    let truth = write_evening(&options, &arguments.output, &begun, &|| bar.inc(1)).map_err(Failure::new)?;
    bar.finish_and_clear();
    let folder = arguments.output.display();
    eprintln!("{} frames and {} events of truth in {folder}", truth.frames, truth.events.len() - 1);
    Ok(())
}

fn random_set(arguments: &SimulateArguments, photos: u32, board_name: &str) -> Result<(), Failure> {
    let board = super::named::board(board_name)?;
    let view = match arguments.view {
        ViewArgument::Overhead => View::Overhead,
        ViewArgument::Phone => View::Phone,
    };
    if arguments.unknown {
        return unknown_set(arguments, photos, &board, board_name, view);
    }
    let options = SetOptions {
        photos: photos as usize,
        view,
        seed: arguments.seed,
        photos_a_rig: arguments.group as usize,
    };
    let bar = progress(u64::from(photos));
    render_set(&board, board_name, &options, &arguments.output, &|| bar.inc(1)).map_err(Failure::new)?;
    bar.finish_and_clear();
    eprintln!("{photos} photos with truth in {}", arguments.output.display());
    Ok(())
}

fn unknown_set(
    arguments: &SimulateArguments,
    tables: u32,
    board: &Board,
    board_name: &str,
    view: View,
) -> Result<(), Failure> {
    let bar = progress(u64::from(tables));
    let (folder, count) = (&arguments.output, tables as usize);
    render_unknown_set(board, board_name, count, view, arguments.seed, folder, &|| bar.inc(1))
        .map_err(Failure::new)?;
    bar.finish_and_clear();
    eprintln!("{tables} tables with truth in {}; judge them with linecall evaluate", folder.display());
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
    let inputs = Inputs::of([path, Path::new(&scene.file.board)]);
    let truth = output.with_extension("json");
    check_all(&inputs, [(output, picture_kind(output)?), (&truth, Kind::Truth)])?;
    render(&scene).save(output).map_err(Failure::new)
}

fn progress(photos: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} photos, {per_sec}, {eta} left");
    ProgressBar::new(photos).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
