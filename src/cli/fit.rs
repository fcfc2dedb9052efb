//! `linecall fit`.

use std::path::PathBuf;

use rayon::prelude::*;

use super::{Failure, evaluate::progress_bar};
use crate::{
    board::{Board, End},
    capture::load_photo,
    evaluate::{BoardSource, TruePhoto, true_photos},
    evidence::{Bin, Sample, diagram, fit, samples_of},
    output::{Inputs, Kind, write},
    score::Scorer,
};

/// Fits how likely things are pieces to photos with truth, and says how well the probabilities hold.
#[derive(Debug, clap::Args)]
pub struct FitArguments {
    /// Folders with photos (a.jpg) and truth (a.json), as `linecall simulate` makes them.
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Where the fitted weights go.
    #[arg(short, long, value_name = "EVIDENCE.toml")]
    output: PathBuf,
    /// Writes a picture of stated probability against truth.
    #[arg(long, value_name = "FILE.svg")]
    diagram: Option<PathBuf>,
    /// Options of the stages, as `linecall options` prints them; what the file leaves out has its default.
    #[arg(long, value_name = "OPTIONS.toml")]
    options: Option<PathBuf>,
}

pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    let options = super::options::load(arguments.options.as_deref())?.score();
    let mut photos: Vec<TruePhoto> = Vec::new();
    for directory in &arguments.directories {
        photos.extend(true_photos(directory).map_err(Failure::new)?);
    }
    let inputs = Inputs::of(photos.iter().map(|photo| &photo.photo));
    let progress = progress_bar(photos.len());
    let samples: Vec<Result<Vec<Sample>, String>> = photos
        .par_iter()
        .map(|photo| {
            let board = Board::named_or_at(&photo.board_name(BoardSource::Own)).map_err(|e| e.to_string())?;
            let scorer = Scorer::new(board, None, End::Far, options.clone()).map_err(|e| e.to_string())?;
            let picture = load_photo(&photo.photo, &options.photo).map_err(|e| e.to_string())?;
            progress.inc(1);
            Ok(samples_of(&picture, &scorer, &photo.truth))
        })
        .collect();
    progress.finish_and_clear();
    let samples: Vec<Vec<Sample>> =
        samples.into_iter().collect::<Result<_, String>>().map_err(Failure::new)?;
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let report = fit(&samples, arguments.directories.iter().map(name).collect()).map_err(Failure::new)?;
    let text = toml::to_string(&report.weights).map_err(Failure::new)?;
    let text = format!("# How likely things are pieces, by what they show. Made by `linecall fit`.\n{text}");
    write(&arguments.output, Kind::Evidence, text.as_bytes(), &inputs)?;
    if let Some(path) = &arguments.diagram {
        let picture = diagram(&report.all_places, "Is it a piece? Places that the fit did not see");
        write(path, Kind::Svg, picture.as_bytes(), &inputs)?;
    }
    let weights = &report.weights;
    println!(
        "{} photos, {} places, {} pieces; {:.4} nats a place on photos not seen ({:.4} by guessing)",
        weights.photos, weights.places, weights.pieces, weights.held_out_nats, weights.guess_nats
    );
    for weight in &weights.quantities {
        println!(
            "{:<22} usual {:>6.2} ± {:<6.2} {:>+7.2} nats a deviation",
            weight.name, weight.usual, weight.spread, weight.nats
        );
    }
    print_bins("all places", &report.all_places);
    print_bins("taken for pieces", &report.taken);
    Ok(())
}

fn print_bins(title: &str, bins: &[Bin]) {
    println!("\n{title}: stated, count, mean stated, share true");
    for bin in bins {
        println!(
            "{:.3} to {:.3} {:>7} {:>8.3} {:>8.3}",
            bin.from, bin.to, bin.count, bin.stated, bin.true_share
        );
    }
}
