//! `linecall evaluate`.

use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    Failure,
    score::{write_annotated, write_trace},
};
use crate::{
    evaluate::{
        BoardSource, CameraSource, EvaluateOptions, EveningReport, EventVerdict, LearnFrom, PhotoEvaluation,
        Summary, TruePhoto, differences, evaluate, evaluate_evening, evaluate_learned, learned_table,
        summarise, summarise_learned, table, true_photos, worst_list,
    },
    learn::LearnOptions,
    live::LiveOptions,
    output::Inputs,
    trace::PiecesTrace,
};

/// Scores photos with truth beside them and splits the errors by stage.
#[derive(Debug, clap::Args)]
pub struct EvaluateArguments {
    /// Folder with photos (a.jpg) and truth (a.json), searched with all folders below it.
    directory: PathBuf,
    /// The camera the photos are scored with.
    #[arg(long, value_enum, default_value = "file")]
    camera: CameraSource,
    /// The board file that photos of unknown tables (`simulate --random --unknown`) are scored with.
    #[arg(long, value_enum, default_value = "own")]
    boards: BoardSource,
    /// Learns the board of every unknown table and compares it with the true one, and what is scored
    /// with either.
    #[arg(long, value_enum, value_name = "FROM", num_args = 0..=1, require_equals = true,
        default_missing_value = "empty", conflicts_with_all = ["pieces_given", "peer", "annotate", "trace"])]
    learn: Option<LearnFrom>,
    /// Gives measuring the true pieces, a little off, in place of detection.
    #[arg(long)]
    pieces_given: bool,
    /// Evaluates the OpenCV peer too (undistort, warpPerspective, HoughCircles, with the true
    /// camera given), and prints its table first.
    #[arg(long, conflicts_with = "pieces_given")]
    peer: bool,
    /// Only photos whose name below the folder contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Lists what failed and the N pieces that lie farthest off.
    #[arg(long, value_name = "N")]
    worst: Option<usize>,
    /// Writes annotated photos into this folder, as `score --annotate` does.
    #[arg(long, value_name = "DIR")]
    annotate: Option<PathBuf>,
    /// Writes what every stage saw of each photo into this folder, as `score --trace` does.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// The folder is an evening of `linecall simulate --evening` (or holds several): it is replayed,
    /// and the events that are recorded are compared with the truth.
    #[arg(long, conflicts_with_all = ["pieces_given", "peer", "only", "worst", "annotate", "trace"])]
    evening: bool,
    /// Options of the stages, as `linecall options` prints them; what the file leaves out has its default.
    #[arg(long, value_name = "OPTIONS.toml")]
    options: Option<PathBuf>,
    /// Scores the photos with these options too, prints both tables, and lists the pieces that differ.
    #[arg(long, value_name = "OPTIONS.toml", conflicts_with_all = ["learn", "peer", "annotate", "trace", "evening", "worst", "json"])]
    against: Option<PathBuf>,
    /// One JSON object a category, the total last, instead of a table.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &EvaluateArguments) -> Result<(), Failure> {
    let given = super::options::load(arguments.options.as_deref())?;
    let options = EvaluateOptions {
        score: given.score(),
        camera: arguments.camera,
        boards: arguments.boards,
        pieces_given: arguments.pieces_given,
        ..EvaluateOptions::default()
    };
    if arguments.evening {
        return evenings(arguments, &options, &given.live);
    }
    let mut photos = true_photos(&arguments.directory).map_err(Failure::new)?;
    if let Some(text) = &arguments.only {
        photos.retain(|photo| photo.name.contains(text.as_str()));
        if photos.is_empty() {
            return Err(Failure::new(format!("no photo's name contains {text:?}")));
        }
    }
    if let Some(from) = arguments.learn {
        return learned(arguments, &photos, from, &options, &given.learn);
    }
    if let Some(other) = &arguments.against {
        return compared(arguments, &photos, &options, other);
    }
    if arguments.peer {
        // One thread a photo, as for this program.
        opencv::core::set_num_threads(1).map_err(Failure::new)?;
        let options = EvaluateOptions { camera: CameraSource::Truth, peer: true, ..options.clone() };
        let words = "OpenCV peer: undistort + warpPerspective + HoughCircles, the true camera given";
        evaluate_and_print(arguments, &photos, &options, words)?;
    }
    evaluate_and_print(arguments, &photos, &options, if arguments.peer { "linecall" } else { "" })
}

/// Two sets of options on the same photos: a table each, and the pieces that differ.
fn compared(
    arguments: &EvaluateArguments,
    photos: &[TruePhoto],
    options: &EvaluateOptions,
    other: &Path,
) -> Result<(), Failure> {
    let against = EvaluateOptions { score: super::options::load(Some(other))?.score(), ..options.clone() };
    let progress = progress_bar(2 * photos.len());
    let run = |options: &EvaluateOptions| {
        evaluate(photos, &arguments.directory, options, |_, _| progress.inc(1)).map_err(Failure::new)
    };
    let (one, two) = (run(options)?, run(&against)?);
    progress.finish_and_clear();
    let first = arguments.options.as_ref().map_or("defaults".to_owned(), |path| path.display().to_string());
    let second = other.display().to_string();
    println!("{first}\n{}\n\n{second}\n{}\n", table(&summaries(&one)), table(&summaries(&two)));
    print!("{}", differences(&one, &two, [&first, &second]));
    Ok(())
}

/// Judges learning.
fn learned(
    arguments: &EvaluateArguments,
    photos: &[TruePhoto],
    from: LearnFrom,
    options: &EvaluateOptions,
    learn: &LearnOptions,
) -> Result<(), Failure> {
    let progress = progress_bar(photos.len() / 2);
    let evaluations =
        evaluate_learned(photos, from, options, learn, || progress.inc(1)).map_err(Failure::new)?;
    progress.finish_and_clear();
    if evaluations.is_empty() {
        let folder = arguments.directory.display();
        return Err(Failure::new(format!(
            "{folder} has no unknown tables; make some with linecall simulate --random N --unknown"
        )));
    }
    let summaries = summarise_learned(&evaluations);
    if arguments.json {
        for summary in &summaries {
            println!("{}", serde_json::to_string(summary).map_err(Failure::new)?);
        }
        return Ok(());
    }
    if arguments.worst.is_some() {
        evaluations.iter().for_each(|table| println!("{}", table.line(&arguments.directory)));
    }
    println!("{}", learned_table(&summaries, &evaluations));
    Ok(())
}

/// Replays every evening below the folder.
fn evenings(
    arguments: &EvaluateArguments,
    options: &EvaluateOptions,
    live: &LiveOptions,
) -> Result<(), Failure> {
    let is_evening = |folder: &PathBuf| folder.join("truth.jsonl").is_file();
    let mut folders = vec![arguments.directory.clone()];
    if !is_evening(&arguments.directory) {
        let entries = std::fs::read_dir(&arguments.directory).map_err(|error| {
            Failure::new(format!("cannot read {}: {error}", arguments.directory.display()))
        })?;
        folders = entries.flatten().map(|entry| entry.path()).filter(is_evening).collect();
        folders.sort();
    }
    let mut wrong = 0;
    let mut games: Vec<EveningReport> = Vec::new();
    if !arguments.json {
        println!("{:<32} frames events right  asked (guess right/wrong/none)  wrong missed extra", "evening");
    }
    for folder in &folders {
        let progress = progress_bar(0);
        let report = evaluate_evening(folder, options, live, &|done, all| {
            progress.set_length(all.unwrap_or(done));
            progress.set_position(done);
        })
        .map_err(Failure::new)?;
        progress.finish_and_clear();
        wrong += usize::from(!report.holds());
        if arguments.json {
            println!("{}", serde_json::to_string(&report).map_err(Failure::new)?);
        } else {
            println!("{}", evening_line(&report));
        }
        match games.iter_mut().find(|all| all.game == report.game) {
            Some(all) => all.add(&report),
            None => games.push(EveningReport { folder: format!("all {}", report.game), ..report }),
        }
    }
    if !arguments.json && folders.len() > 1 {
        games.iter().for_each(|all| println!("{}", evening_line(all)));
    }
    match (folders.len(), wrong) {
        (0, _) => Err(Failure::new(format!(
            "{} has no evenings; make one with linecall simulate --evening",
            arguments.directory.display()
        ))),
        (_, 0) => Ok(()),
        (all, wrong) => {
            Err(Failure::new(format!("{wrong} of {all} evenings were not recorded as they were")))
        }
    }
}

fn evening_line(report: &EveningReport) -> String {
    use EventVerdict::*;
    let count = |verdict| report.count(verdict);
    let name = report.folder.rsplit('/').next().unwrap_or_default();
    let mut line = format!(
        "{name:<32} {:>6} {:>6} {:>5}  {:>5} ({}/{}/{}) {:>24} {:>6} {:>5}",
        report.frames,
        report.events,
        count(Right),
        count(AskedRight) + count(AskedWrong) + count(AskedExtra),
        count(AskedRight),
        count(AskedWrong),
        count(AskedExtra),
        count(Wrong),
        count(Missed),
        count(Extra),
    );
    if report.camera_moved > 0 {
        line += &format!("  camera moved {} x", report.camera_moved);
    }
    for outcome in report.outcomes.iter().filter(|o| matches!(o.verdict, Wrong | Missed | Extra)) {
        line += &format!("\n  event {} at frame {}: {:?}", outcome.event, outcome.frame, outcome.verdict);
    }
    line
}

fn evaluate_and_print(
    arguments: &EvaluateArguments,
    photos: &[TruePhoto],
    options: &EvaluateOptions,
    title: &str,
) -> Result<(), Failure> {
    let progress = progress_bar(photos.len());
    let inputs = Inputs::of(photos.iter().map(|photo| &photo.photo));
    let evaluations = evaluate(photos, &arguments.directory, options, |photo, made| {
        if let (Some(folder), Some((scorer, picture, scored))) = (&arguments.annotate, made) {
            let folder = folder.join(&photo.category);
            let name = photo.photo.file_stem().unwrap_or_default().to_string_lossy();
            let written =
                std::fs::create_dir_all(&folder).map_err(|error| error.to_string()).and_then(|()| {
                    write_annotated((&folder, &inputs), &name, &photo.photo, picture, &scorer.board, scored)
                });
            if let Err(error) = written {
                progress.suspend(|| eprintln!("linecall: {error}"));
            }
        }
        if let (Some(folder), Some((scorer, picture, scored))) = (&arguments.trace, made) {
            let folder = folder.join(&photo.category);
            let name = photo.photo.file_stem().unwrap_or_default().to_string_lossy();
            let pieces = PiecesTrace::of(picture, scorer, &scored.registration, &[]);
            if let Err(error) = write_trace((&folder, &inputs), &name, picture, scorer, Some(&pieces)) {
                progress.suspend(|| eprintln!("linecall: {error}"));
            }
        }
        progress.inc(1);
    })
    .map_err(Failure::new)?;
    progress.finish_and_clear();
    let summaries = summaries(&evaluations);
    if arguments.json {
        for summary in &summaries {
            println!("{}", serde_json::to_string(summary).map_err(Failure::new)?);
        }
        return Ok(());
    }
    if !title.is_empty() {
        println!("{title}");
    }
    if let Some(count) = arguments.worst {
        println!("{}", worst_list(&evaluations, count));
    }
    println!("{}", table(&summaries));
    Ok(())
}

/// A summary a category, in the order of their names, and the total.
fn summaries(evaluations: &[PhotoEvaluation]) -> Vec<Summary> {
    let mut categories: Vec<&str> = evaluations.iter().map(|photo| photo.category.as_str()).collect();
    categories.sort_unstable();
    categories.dedup();
    let mut summaries: Vec<Summary> = categories
        .iter()
        .map(|category| summarise(category, evaluations.iter().filter(|photo| photo.category == *category)))
        .collect();
    if summaries.len() > 1 {
        summaries.push(summarise("total", evaluations.iter()));
    }
    summaries
}

/// A progress bar on standard error, drawn only where a person sees it.
pub(super) fn progress_bar(photos: usize) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} photos, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(photos as u64), target).with_style(style)
}
