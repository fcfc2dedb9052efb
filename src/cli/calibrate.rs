//! `linecall calibrate`.

use std::path::{Path, PathBuf};

use super::{
    Failure,
    evaluate::progress_bar,
    named,
    outputs::{check_all, picture_kind},
    score::corners,
    way,
};
use crate::{
    board::Board,
    calibrate::{Calibration, Given, Pattern, PhotoUse, calibrate_camera, calibrate_lens, draw_expected},
    camera::{LensFile, Pixel},
    capture::{PhotoLimits, Picture, load_photo},
    detect::{Detection, Detector, TaughtColours},
    options::Options,
    output::{Inputs, Kind, write_picture},
};

/// Makes a camera file from photos of the board, or a lens file from photos of a chessboard.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  A camera over the table, its height measured from the board to the lens:
    linecall calibrate empty.jpg --board carrom-court --height 1790 -o club-camera.toml
  Several photos of the same camera (pieces may lie on the board; one held at an angle helps the lens):
    linecall calibrate *.jpg --board carrom-icf -o camera.toml --annotate check.png
  The lens alone, from photos of a printed chessboard with 9 x 6 inner corners, squares of 25 mm:
    linecall calibrate --chessboard 9x6 --square 25 chess*.jpg -o lens.toml
    linecall calibrate empty.jpg --board carrom-court --lens lens.toml -o club-camera.toml")]
pub struct CalibrateArguments {
    /// Photos of one camera: JPEG, PNG, WebP, BMP or TIFF.
    #[arg(required = true, value_name = "PHOTO")]
    photos: Vec<PathBuf>,
    /// The id of a shipped board or of your own (see `linecall boards`), or the path of a board file; found by
    /// itself in the first photo that shows one when not given.
    #[arg(long, value_name = "B")]
    board: Option<String>,
    /// Where to write the camera file or lens file.
    #[arg(short, long, value_name = "C.toml")]
    output: PathBuf,
    /// The playing surface's corners in the first photo's pixels, as the first shooter sees them:
    /// near left, near right, far right, far left.
    #[arg(long, value_name = "x,y,x,y,x,y,x,y", value_parser = corners, allow_hyphen_values = true,
        conflicts_with_all = ["chessboard", "charuco"])]
    corners: Option<[Pixel; 4]>,
    /// The lens's height above the board by tape, good to 2 cm. From straight above nothing else
    /// tells focal length and height apart.
    #[arg(long, value_name = "MM", value_parser = length_mm, conflicts_with_all = ["chessboard", "charuco"])]
    height: Option<f64>,
    /// A lens file made with --chessboard or --charuco.
    #[arg(long, value_name = "L.toml", conflicts_with_all = ["chessboard", "charuco"])]
    lens: Option<PathBuf>,
    /// Writes the colours of the pieces that lie on the board, for `linecall score --colours`: a set
    /// whose colours are unlike the board file's is then known by its own.
    #[arg(long, value_name = "COLOURS.toml", conflicts_with_all = ["chessboard", "charuco"])]
    teach: Option<PathBuf>,
    /// Options of the stages, as `linecall options` prints them; what the file leaves out has its default.
    #[arg(long, value_name = "OPTIONS.toml", conflicts_with_all = ["chessboard", "charuco"])]
    options: Option<PathBuf>,
    /// Writes the photo with the board's lines drawn where they are expected.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["chessboard", "charuco"])]
    annotate: Option<PathBuf>,
    /// The photos show a chessboard with this many inner corners: make a lens file.
    #[arg(long, value_name = "9x6", value_parser = grid, conflicts_with_all = ["charuco", "board"], requires = "square")]
    chessboard: Option<[u32; 2]>,
    /// The photos show a ChArUco board with this many squares: make a lens file.
    #[arg(long, value_name = "7x5", value_parser = grid, conflicts_with = "board", requires_all = ["square", "marker"])]
    charuco: Option<[u32; 2]>,
    /// Side of a square of the chessboard or ChArUco board.
    #[arg(long, value_name = "MM", value_parser = length_mm)]
    square: Option<f64>,
    /// Side of a ChArUco board's markers.
    #[arg(long, value_name = "MM", value_parser = length_mm, requires = "charuco")]
    marker: Option<f64>,
    /// Family of a ChArUco board's markers.
    #[arg(long, value_name = "NAME", default_value = "aruco-4x4-50", requires = "charuco")]
    family: String,
}

/// A length in mm above 0.
fn length_mm(text: &str) -> Result<f64, String> {
    let wrong = || format!("expected a length in mm above 0, found {text:?}");
    let length: f64 = text.trim().trim_end_matches("mm").trim().parse().map_err(|_| wrong())?;
    if length.is_finite() && length > 0.0 { Ok(length) } else { Err(wrong()) }
}

/// Two counts such as `9x6`.
fn grid(text: &str) -> Result<[u32; 2], String> {
    /// OpenCV finds no smaller patterns, and nobody prints larger ones.
    const COUNTS: std::ops::RangeInclusive<u32> = 3..=100;
    let wrong = || format!("expected two counts from 3 to 100 like 9x6, found {text:?}");
    let (across, down) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
    let count = |part: &str| part.trim().parse().ok().filter(|n| COUNTS.contains(n)).ok_or_else(wrong);
    Ok([count(across)?, count(down)?])
}

pub fn run(arguments: &CalibrateArguments) -> Result<(), Failure> {
    check_outputs(arguments)?;
    match (pattern(arguments), &arguments.board) {
        (Some(pattern), _) => run_lens(arguments, &pattern),
        (None, _) => run_camera(arguments),
    }
}

/// Whether everything that was asked for can be written, before any work is done.
fn check_outputs(arguments: &CalibrateArguments) -> Result<(), Failure> {
    let CalibrateArguments { photos, board, lens, output, options, teach, annotate, .. } = arguments;
    let mut inputs = Inputs::of(photos);
    board.iter().for_each(|board| inputs.add(Path::new(board)));
    [lens, options].into_iter().flatten().for_each(|path| inputs.add(path));
    let main = if pattern(arguments).is_some() { Kind::Lens } else { Kind::Camera };
    let mut outputs = vec![(output.as_path(), main)];
    outputs.extend(teach.as_deref().map(|path| (path, Kind::Colours)));
    if let Some(path) = annotate {
        outputs.push((path, picture_kind(path)?));
    }
    check_all(&inputs, outputs)
}

fn pattern(arguments: &CalibrateArguments) -> Option<Pattern> {
    let square_mm = arguments.square?;
    match (arguments.chessboard, arguments.charuco) {
        (Some(corners), _) => Some(Pattern::Chessboard { corners, square_mm }),
        (None, Some(squares)) => Some(Pattern::Charuco {
            squares,
            square_mm,
            marker_mm: arguments.marker?,
            family: arguments.family.clone(),
        }),
        (None, None) => None,
    }
}

/// Decodes all photos; one that cannot be read is told and left out.
fn load(arguments: &CalibrateArguments, limits: &PhotoLimits) -> Result<Vec<(String, Picture)>, Failure> {
    let mut photos = Vec::new();
    let mut last_error = None;
    for path in &arguments.photos {
        match load_photo(path, limits) {
            Ok(picture) => photos.push((path.display().to_string(), picture)),
            Err(error) if arguments.photos.len() == 1 => return Err(Failure::new(error)),
            Err(error) => {
                eprintln!("linecall: {error}; going on without it");
                last_error = Some(error);
            }
        }
    }
    match last_error {
        Some(error) if photos.is_empty() => {
            Err(Failure::new(format!("no photo could be read; the last: {error}")))
        }
        _ => Ok(photos),
    }
}

fn run_camera(arguments: &CalibrateArguments) -> Result<(), Failure> {
    let named = arguments.board.as_deref().map(named::board).transpose()?;
    let lens = arguments.lens.as_deref().map(LensFile::load).transpose().map_err(Failure::new)?;
    let options = super::options::load(arguments.options.as_deref())?;
    let photos = load(arguments, &options.photo)?;
    let board = match named {
        Some(board) => board,
        None => way::board_in(&photos, arguments.corners, &options)?,
    };
    if let (Some(file), Some((name, picture))) = (&lens, photos.first())
        && file.image_size != picture.size()
    {
        let ([fw, fh], [w, h]) = (file.image_size, picture.size());
        return Err(Failure::new(format!(
            "the lens file is for pictures of {fw} x {fh} pixels, but {name} has {w} x {h}: photograph the \
             chessboard with the same camera setting"
        )));
    }
    let lens_name = arguments.lens.as_deref().map(|path| path.display().to_string());
    let given = Given {
        height_mm: arguments.height,
        lens: lens_name.zip(lens.map(|file| file.lens)),
        corners: arguments.corners,
    };
    let progress = progress_bar(if photos.len() > 1 { photos.len() } else { 0 });
    let calibration = calibrate_camera(&photos, &board, &given, &options.calibrate, || {
        progress.inc(1);
    });
    progress.finish_and_clear();
    let calibration = calibration.map_err(Failure::new)?;
    calibration.file.save(&arguments.output).map_err(Failure::new)?;
    if let Some(path) = &arguments.annotate {
        annotate(path, &photos, &board, &calibration)?;
    }
    if let Some(path) = &arguments.teach {
        teach(path, &photos, &board, &calibration, &options)?;
    }
    for ((name, _), photo_use) in photos.iter().zip(&calibration.photos) {
        match photo_use {
            PhotoUse::Same => {}
            PhotoUse::Lens => eprintln!("linecall: {name} is from another place; it helped with the lens"),
            PhotoUse::Failed(reason) => eprintln!("linecall: {name} was not used: {reason}"),
        }
    }
    print!("{}", words(&calibration, &arguments.output));
    Ok(())
}

/// Writes the colours of the pieces in the photos from the camera's own place.
fn teach(
    path: &Path,
    photos: &[(String, Picture)],
    board: &Board,
    calibration: &Calibration,
    options: &Options,
) -> Result<(), Failure> {
    let with_use = photos.iter().zip(&calibration.photos);
    let pictures: Vec<&Picture> = with_use
        .filter(|(_, photo_use)| **photo_use == PhotoUse::Same)
        .map(|((_, picture), _)| picture)
        .collect();
    let camera = &calibration.file.camera;
    let detector = Detector::new(board, camera, camera.image_size, &options.detect);
    let found = detector.detect_set(&pictures);
    let taught = TaughtColours::of(board, &found);
    if taught.stops.is_empty() {
        return Err(Failure::new(
            "no piece was found to teach colours from: lay some of each kind on the board",
        ));
    }
    taught.save(path).map_err(Failure::new)?;
    let names: Vec<&str> = board.pieces.iter().map(|kind| kind.name.as_str()).collect();
    let (seen, unseen): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| taught.stops.contains_key(*name));
    eprintln!("linecall: {}: colours of {}", path.display(), seen.join(", "));
    if !unseen.is_empty() {
        eprintln!("linecall: not seen, so as the board file says: {}", unseen.join(", "));
    }
    if let Some(words) = unlike_words(path, board, &found, options) {
        eprintln!("linecall: {words}");
    }
    let left_out: usize = found.iter().map(|found| found.foreign.len()).sum();
    if left_out > 0 {
        eprintln!("linecall: {left_out} more round things are of no kind's colour and were left out");
    }
    Ok(())
}

/// What to look at where kinds were known by no colour of the board file, but as the ones that were left.
fn unlike_words(path: &Path, board: &Board, found: &[Detection], options: &Options) -> Option<String> {
    let doubtful = |kind: usize| {
        let mut pieces = found.iter().flat_map(|found| &found.pieces).filter(|piece| piece.kind == kind);
        pieces.any(|piece| piece.kind_probability < options.look.colour_sure)
    };
    let kinds = board.pieces.iter().enumerate().filter(|(kind, _)| doubtful(*kind));
    let names: Vec<String> = kinds
        .filter_map(|(kind, of_board)| {
            let mut pieces = found.iter().flat_map(|found| &found.pieces);
            let place = pieces.find(|piece| piece.kind == kind)?.centre;
            Some(format!("{} (as at {:.0}, {:.0})", of_board.name, place.x, place.y))
        })
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "the colour of {} is unlike the board file's; if kinds were taken for each other, exchange their names in {}",
            names.join(" and of "),
            path.display()
        )
    })
}

fn annotate(
    path: &Path,
    photos: &[(String, Picture)],
    board: &Board,
    calibration: &Calibration,
) -> Result<(), Failure> {
    let mut with_use = photos.iter().zip(&calibration.photos);
    let Some(((_, picture), _)) = with_use.find(|(_, photo_use)| **photo_use == PhotoUse::Same) else {
        return Ok(());
    };
    let drawn = draw_expected(picture, board, &calibration.file.camera).map_err(Failure::new)?;
    Ok(write_picture(path, picture_kind(path)?, &drawn.into(), &Inputs::default())?)
}

/// What a person wants to know of a new camera file.
fn words(calibration: &Calibration, output: &Path) -> String {
    let Calibration { file, worst, worst_piece, worst_piece_otherwise: otherwise, photos } = calibration;
    let used = photos.iter().filter(|photo_use| !matches!(photo_use, PhotoUse::Failed(_))).count();
    let photo_word = if used == 1 { "photo" } else { "photos" };
    let at = |place: &crate::calibrate::Place| format!("x {:.0}, y {:.0} mm", place.at.x, place.at.y);
    let mut text = format!(
        "{}: {} seen from {:.0} mm above, from {used} {photo_word}\n",
        output.display(),
        file.board,
        file.camera.pose.centre_mm().z,
    );
    text += &format!(
        "  lines    the paint lies within {:.2} px of where it is expected, at {} places\n",
        file.quality.rms_px, file.quality.edges,
    );
    text += &format!(
        "  surface  known to ±{:.2} mm at its worst place in view ({})\n",
        worst.sigma_mm,
        at(worst)
    );
    text += &format!(
        "  pieces   known to ±{:.2} mm at the worst place ({})",
        worst_piece.sigma_mm,
        at(worst_piece)
    );
    /// A gain that is worth a person's time.
    const WORTH_MM: f64 = 0.03;
    text += &match file.origin.height_mm {
        Some(_) => format!("; without the camera's height it would be ±{:.2} mm\n", otherwise.sigma_mm),
        None if worst_piece.sigma_mm - otherwise.sigma_mm > WORTH_MM => format!(
            "\n  height   not given: with --height MM (by tape, good to 2 cm) it would be ±{:.2} mm\n",
            otherwise.sigma_mm
        ),
        None => "; the camera's height would not help\n".into(),
    };
    text
}

fn run_lens(arguments: &CalibrateArguments, pattern: &Pattern) -> Result<(), Failure> {
    let photos = load(arguments, &PhotoLimits::default())?;
    let progress = progress_bar(photos.len());
    let file = calibrate_lens(&photos, pattern, || progress.inc(1));
    progress.finish_and_clear();
    let file = file.map_err(Failure::new)?;
    file.save(&arguments.output).map_err(Failure::new)?;
    println!("{}: {}", arguments.output.display(), file.pattern);
    for photo in &file.photos {
        match photo.rms_px {
            Some(rms_px) => println!("  {}  {} corners, {rms_px:.2} px", photo.photo, photo.corners),
            None => println!("  {}  pattern not found, not used", photo.photo),
        }
    }
    println!("  focal length {:.1} ± {:.1} px, residual {:.2} px", file.lens.fx, file.sigma.fx, file.rms_px);
    Ok(())
}
