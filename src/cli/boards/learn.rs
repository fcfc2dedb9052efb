//! `linecall boards learn`.

use std::path::{Path, PathBuf};

use super::super::{Failure, evaluate::progress_bar, score::corners};
use crate::{
    board::Board,
    camera::Pixel,
    capture::{PhotoLimits, Picture, load_photo},
    learn::{LearnError, LearnOptions, LearnRequest, Learned, Tape, learn, learned_drawing},
    output::{self, Inputs, Kind},
};

/// Writes a board file from photos of a table that no board file describes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct LearnArguments {
    /// Photos of the one table, the best first: the whole of the surface from above, an empty board if possible. Pieces,
    /// hands and one end only are allowed.
    #[arg(required = true, value_name = "PHOTO")]
    photos: Vec<PathBuf>,
    /// The board that it is most like, shipped or a file: it gives names, areas and roles. Given the file that was learned
    /// before, that file gets better. Without it the shipped board that fits best.
    #[arg(long, value_name = "B")]
    like: Option<String>,
    /// The playing surface's width by tape, mm, from side to side without rails or frame.
    #[arg(long, value_name = "MM", value_parser = length, group = "tape")]
    width: Option<f64>,
    /// The playing surface's length by tape, mm.
    #[arg(long, value_name = "MM", value_parser = length, group = "tape")]
    length: Option<f64>,
    /// The diameter of a piece by calliper or tape, mm; needs pieces in the photo.
    #[arg(long, value_name = "MM", value_parser = length, group = "tape")]
    piece: Option<f64>,
    /// The playing surface's corners in the first photo's pixels: near left, near right, far right, far left.
    #[arg(long, value_name = "x,y,x,y,x,y,x,y", value_parser = corners, allow_hyphen_values = true)]
    corners: Option<[Pixel; 4]>,
    /// What people call the table.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The board file to write. The photo with the learned lines drawn on it goes beside it, as FILE.drawing.jpg.
    #[arg(short, long, value_name = "FILE.toml")]
    output: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  linecall boards learn empty.jpg --like carrom-icf --width 740 -o club.toml
      learns the club's carrom board from one photo; look at club.drawing.jpg to see whether it is right
  linecall boards learn end.jpg --like table-shuffleboard --width 508 -o bar.toml
      one end of a long table is enough
  linecall boards learn monday.jpg --like club.toml --width 740 -o club.toml
      another photo makes the same file better
  linecall boards add club.toml
      keeps it, so that scoring finds it by itself";

/// A length that a person measured.
fn length(text: &str) -> Result<f64, String> {
    let mm: f64 =
        text.trim().parse().map_err(|_| format!("{text:?} is not a number; expected millimetres"))?;
    if (10.0..=20_000.0).contains(&mm) {
        Ok(mm)
    } else {
        Err(format!("{mm} mm is no length of a table or a piece; expected millimetres, 10 to 20000"))
    }
}

pub(super) fn run(arguments: &LearnArguments) -> Result<(), Failure> {
    let options = LearnOptions::default();
    let bar = progress_bar(arguments.photos.len() + 2);
    let mut pictures = Vec::new();
    for path in &arguments.photos {
        pictures.push(load_photo(path, &PhotoLimits::default()).map_err(Failure::new)?);
        bar.inc(1);
    }
    let request = request(arguments);
    let learned = match &arguments.like {
        Some(like) => {
            let template = crate::cli::named::board(like)?;
            learn(&pictures, &template, &request, &options).map_err(|error| refusal(arguments, &error))?
        }
        None => best_fitting(&pictures, &request, &options).map_err(|error| refusal(arguments, &error))?,
    };
    bar.inc(1);
    write(arguments, &pictures, &learned)?;
    bar.finish_and_clear();
    for line in &learned.said {
        println!("{line}");
    }
    println!(
        "written to {}; look at {}",
        arguments.output.display(),
        drawing_path(&arguments.output).display()
    );
    Ok(())
}

fn request(arguments: &LearnArguments) -> LearnRequest {
    let stem = arguments.output.file_stem().map_or_else(|| "learned".into(), |stem| stem.to_string_lossy());
    let word: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let id = word.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let tape = [
        arguments.width.map(Tape::Width),
        arguments.length.map(Tape::Length),
        arguments.piece.map(Tape::Piece),
    ];
    LearnRequest {
        tape: tape.into_iter().flatten().next(),
        corners: arguments.corners,
        name: arguments.name.clone().unwrap_or_else(|| stem.clone().into_owned()),
        id: if id.is_empty() { "learned".to_owned() } else { id },
    }
}

/// Learns from every shipped board and takes the one of which the photos show most.
fn best_fitting(
    pictures: &[Picture],
    request: &LearnRequest,
    options: &LearnOptions,
) -> Result<Learned, LearnError> {
    let shipped = Board::shipped().map_err(|error| LearnError::Invalid { reason: error.to_string() })?;
    let mut first_error = None;
    let mut best: Option<Learned> = None;
    for template in &shipped {
        match learn(pictures, template, request, options) {
            Ok(learned) if best.as_ref().is_none_or(|best| learned.found > best.found) => {
                best = Some(learned)
            }
            Ok(_) => {}
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    let none = || LearnError::NoSurface { reason: "no board ships with the program".to_owned() };
    best.ok_or_else(|| first_error.unwrap_or_else(none))
}

fn refusal(arguments: &LearnArguments, error: &LearnError) -> Failure {
    let photo = arguments.photos.first().map(|path| path.display().to_string()).unwrap_or_default();
    Failure::new(format!("{photo}: {error}"))
}

fn drawing_path(output: &Path) -> PathBuf {
    output.with_extension("drawing.jpg")
}

fn write(arguments: &LearnArguments, pictures: &[Picture], learned: &Learned) -> Result<(), Failure> {
    let path = &arguments.output;
    let cannot = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::new(format!("cannot write {}: {error}", path.display()))
    };
    let inputs = Inputs::of(&arguments.photos);
    output::write(path, Kind::Board, learned.board.to_toml(&learned.notes).as_bytes(), &inputs)?;
    let used =
        pictures.iter().zip(&learned.cameras).find_map(|(picture, camera)| Some((picture, camera.as_ref()?)));
    if let Some((picture, camera)) = used {
        let drawing = drawing_path(path);
        let drawn =
            learned_drawing(picture, &learned.board, camera).map_err(|error| cannot(&drawing, &error))?;
        output::write_picture(&drawing, Kind::Jpeg, &drawn.into(), &inputs)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_millimetres_of_tables_and_pieces() {
        assert_eq!(length("740"), Ok(740.0));
        for wrong in ["0.74", "-3", "74x", "inf", "NaN", "1e9"] {
            assert!(length(wrong).is_err(), "{wrong}");
        }
    }
}
