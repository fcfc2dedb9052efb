//! `linecall score`.

use std::{
    collections::HashMap,
    io::Write,
    path::{Component, Path, PathBuf},
    time::Instant,
};

use super::{
    Failure,
    evaluate::progress_bar,
    named,
    record::{Recorder, Recording},
    way::{Given, Unscored, Way},
};
use crate::{
    annotate::{AnnotateOptions, annotated_photo, top_view},
    board::{Board, End},
    camera::{CameraFile, Pixel},
    capture::{Picture, load_photo},
    detect::TaughtColours,
    ledger::KnownPlace,
    options::Options,
    output::{Inputs, Kind, write_picture},
    register::Registration,
    score::{Known, Scored, Scorer, StageTimes, in_order, photo_table},
    trace::{Answer, PiecesTrace, SearchTrace, TraceTo, write_pieces, write_search},
};

/// Scores saved photos.
#[derive(Debug, clap::Args)]
pub struct ScoreArguments {
    /// Photos: JPEG, PNG, WebP, BMP or TIFF.
    #[arg(required = true, value_name = "PHOTO")]
    photos: Vec<PathBuf>,
    /// The id of a shipped board or of your own (see `linecall boards`), or the path of a board file.
    /// Left out, each photo's board is found by itself among them.
    #[arg(long, value_name = "B")]
    board: Option<String>,
    /// The game to score by; the board's first when not given.
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// The end that was played to.
    #[arg(long, value_enum, default_value = "far")]
    end: EndArgument,
    /// A camera file made by `linecall calibrate`.
    #[arg(long, value_name = "C.toml", conflicts_with = "corners")]
    camera: Option<PathBuf>,
    /// Colours of the set, made by `linecall calibrate --teach`.
    #[arg(long, value_name = "COLOURS.toml")]
    colours: Option<PathBuf>,
    /// Options of the stages, as `linecall options` prints them; what the file leaves out has its default.
    #[arg(long, value_name = "OPTIONS.toml")]
    options: Option<PathBuf>,
    /// The playing surface's corners in the photo's pixels, as the first shooter sees them: near
    /// left, near right, far right, far left.
    #[arg(long, value_name = "x,y,x,y,x,y,x,y", value_parser = corners, allow_hyphen_values = true)]
    corners: Option<[Pixel; 4]>,
    /// One JSON object a line a photo, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Adds to the JSON how long each stage took.
    #[arg(long, requires = "json")]
    times: bool,
    /// Writes each photo with rims, gaps and areas drawn on it, and a top view, into this folder.
    #[arg(long, value_name = "DIR")]
    annotate: Option<PathBuf>,
    /// Writes what every stage saw of each photo into a folder of its name in this one: a picture and JSON a stage.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Says what was seen at a place of the photo, what speaks for a piece there and what against, in place of the
    /// score: pixels from the left and from the top.
    #[arg(long, value_name = "X,Y", value_parser = place, conflicts_with_all = ["record_into", "annotate", "times"])]
    why: Option<Pixel>,
    /// Records each photo as the next frame of the match in this ledger, in the order given; makes the
    /// ledger if there is none.
    #[arg(long = "match", value_name = "LEDGER", requires = "board")]
    record_into: Option<PathBuf>,
    /// The sides' names for a new ledger, the board's first colour first.
    #[arg(long, value_name = "NAME,NAME", value_parser = sides, requires = "record_into")]
    sides: Option<[String; 2]>,
    /// How many photos at the same time; all cores when not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum EndArgument {
    Far,
    Near,
}

impl From<EndArgument> for End {
    fn from(end: EndArgument) -> Self {
        match end {
            EndArgument::Far => End::Far,
            EndArgument::Near => End::Near,
        }
    }
}

/// Eight numbers with commas between them.
pub(super) fn corners(text: &str) -> Result<[Pixel; 4], String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|number| number.trim().parse().map_err(|_| format!("{number:?} is not a number")))
        .collect::<Result<_, String>>()?;
    if let Some(wrong) = numbers.iter().find(|number| !number.is_finite()) {
        return Err(format!("{wrong} is no place in a picture"));
    }
    let [a, b, c, d, e, f, g, h] = numbers[..] else {
        return Err(format!("expected 8 numbers (four corners), found {}", numbers.len()));
    };
    Ok([Pixel::new(a, b), Pixel::new(c, d), Pixel::new(e, f), Pixel::new(g, h)])
}

/// Two numbers with a comma between them.
fn place(text: &str) -> Result<Pixel, String> {
    let wrong =
        || format!("expected two numbers with a comma between them, for example 812,430, found {text:?}");
    let (x, y) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f64| n.is_finite()).ok_or_else(wrong);
    Ok(Pixel::new(number(x)?, number(y)?))
}

/// Two names with a comma between them.
fn sides(text: &str) -> Result<[String; 2], String> {
    match text.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [one, two] if !one.is_empty() && !two.is_empty() => Ok([one.to_owned(), two.to_owned()]),
        _ => Err("expected two names with a comma between them, for example Ann,Bo".to_owned()),
    }
}

pub fn run(arguments: &ScoreArguments) -> Result<(), Failure> {
    let inputs = inputs(arguments);
    let options = super::options::load(arguments.options.as_deref())?;
    let way = Way::of(&Given {
        board: arguments.board.as_deref(),
        game: arguments.game.as_deref(),
        end: arguments.end.into(),
        camera: arguments.camera.as_deref(),
        colours: arguments.colours.as_deref(),
        corners: arguments.corners,
        options: &options,
    })?;
    if let Some(px) = arguments.why {
        return why(arguments, &way, px, &inputs);
    }
    if let Some(folder) = &arguments.annotate {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::new(format!("cannot make the folder {}: {error}", folder.display())))?;
    }
    let recorder = recorder(arguments, &way)?;
    let jobs = arguments.jobs.map_or_else(all_cores, usize::from);
    let named: Vec<_> = arguments.photos.iter().zip(picture_names(&arguments.photos)).collect();
    let work = |(path, name): &(&PathBuf, String)| score_file(path, name, &way, arguments, &inputs);

    let batch = arguments.photos.len() > 1;
    let progress = progress_bar(if batch { arguments.photos.len() } else { 0 });
    let started = Instant::now();
    let mut totals = Totals::default();
    let mut written = Ok(());
    in_order(&named, jobs, work, |index, result| {
        let result = recorded(&arguments.photos[index], result, recorder.as_ref());
        totals.add(&result);
        progress.inc(1);
        written = progress.suspend(|| print_result(&arguments.photos[index], &result, arguments));
        written.is_ok()
    });
    progress.finish_and_clear();
    match written {
        // The reader has seen enough, as in `linecall score … | head`.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
        written => written.map_err(|error| Failure::new(format!("cannot write the result: {error}")))?,
    }
    if batch {
        eprintln!("{} in {:.1} s", totals.words(), started.elapsed().as_secs_f64());
    }
    match &totals.errors[..] {
        [] => Ok(()),
        [error] if !batch => Err(Failure::new(error.clone())),
        errors => {
            let (failed, all) = (errors.len(), arguments.photos.len());
            Err(Failure::new(format!("{failed} of {all} photos could not be scored; the reasons are above")))
        }
    }
}

/// What was seen at a place of the one photo.
fn why(arguments: &ScoreArguments, way: &Way, px: Pixel, inputs: &Inputs) -> Result<(), Failure> {
    let [photo] = &arguments.photos[..] else {
        return Err(Failure::usage("--why asks about a place of one photo: name one"));
    };
    let picture = load_photo(photo, &way.options().photo).map_err(Failure::new)?;
    let [width, height] = picture.size().map(f64::from);
    if !(0.0..width).contains(&px.x) || !(0.0..height).contains(&px.y) {
        return Err(Failure::usage(format!(
            "{}, {} px is not in the photo: it is {width} x {height}",
            px.x, px.y
        )));
    }
    let mut times = StageTimes::default();
    let name = photo.file_stem().unwrap_or_default().to_string_lossy();
    let scored = way.score(photo, &picture, &mut times);
    let (scorer, scored) = match scored {
        Ok(scored) => scored,
        Err(unscored) => {
            if let (Some(folder), Some(scorer)) = (&arguments.trace, way.named()) {
                write_trace((folder, inputs), &name, &picture, scorer, None).map_err(Failure::new)?;
            }
            return Err(Failure::new(unscored.words));
        }
    };
    let trace = PiecesTrace::of(&picture, scorer, &scored.registration, &[px]);
    if let Some(folder) = &arguments.trace {
        write_trace((folder, inputs), &name, &picture, scorer, Some(&trace)).map_err(Failure::new)?;
    }
    let answer = Answer::of(&trace, px);
    let text = match arguments.json {
        true => serde_json::to_string(&answer).map_err(Failure::new)? + "\n",
        false => answer.words(),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| Failure::new(format!("cannot write the answer: {error}"))),
    }
}

/// Writes what every stage saw into a folder of the photo's name; how the board was looked for also where it was not found.
pub(super) fn write_trace(
    (folder, inputs): (&Path, &Inputs),
    name: &str,
    picture: &Picture,
    scorer: &Scorer,
    pieces: Option<&PiecesTrace>,
) -> Result<(), String> {
    let to = TraceTo { folder: &folder.join(name), photo: name, inputs };
    let search = SearchTrace::of(picture, scorer);
    write_search(&to, picture, &scorer.board, &search).map_err(|error| error.to_string())?;
    match pieces {
        Some(pieces) => write_pieces(&to, picture, pieces).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

fn recorder(arguments: &ScoreArguments, way: &Way) -> Result<Option<Recorder>, Failure> {
    let (Some(ledger), Some(board), Way::Named(scorer, _)) = (&arguments.record_into, &arguments.board, way)
    else {
        return Ok(None);
    };
    let known = match (&arguments.camera, &arguments.corners) {
        (Some(_), _) => KnownPlace::Camera,
        (None, Some(corners)) => KnownPlace::corners(corners),
        (None, None) => KnownPlace::Nothing,
    };
    let recording = Recording {
        ledger,
        sides: arguments.sides.as_ref(),
        board,
        camera: arguments.camera.as_ref(),
        colours: arguments.colours.as_ref(),
        known,
    };
    Recorder::open(&recording, scorer).map(Some)
}

/// Records a scored photo, where that was asked for; one that is not recorded has failed.
fn recorded(
    photo: &Path,
    result: Result<Scored, Unscored>,
    recorder: Option<&Recorder>,
) -> Result<Scored, Unscored> {
    let Some(recorder) = recorder else { return result };
    match result {
        Ok(scored) => {
            eprintln!("{}", recorder.record(photo, &scored)?);
            Ok(scored)
        }
        Err(error) => {
            recorder.stop();
            Err(error)
        }
    }
}

/// The files that the command reads.
fn inputs(arguments: &ScoreArguments) -> Inputs {
    let ScoreArguments { photos, board, colours, camera, options, record_into, .. } = arguments;
    let mut inputs = Inputs::of(photos);
    board.iter().for_each(|board| inputs.add(Path::new(board)));
    [colours, camera, options, record_into].into_iter().flatten().for_each(|path| inputs.add(path));
    inputs
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What a photo is scored by.
pub(super) fn scorer(
    board: &str,
    game: Option<&str>,
    end: End,
    colours: Option<&Path>,
    options: &Options,
) -> Result<Scorer, Failure> {
    let board = named::board(board)?;
    let mut options = options.score();
    options.detect.taught = match colours {
        Some(path) => Some(TaughtColours::load_for(path, &board).map_err(Failure::new)?),
        None => None,
    };
    Ok(Scorer::new(board, game, end, options)?)
}

/// What is known of the camera.
pub(super) fn known(
    camera_file: Option<&Path>,
    corners: Option<[Pixel; 4]>,
    scorer: &Scorer,
) -> Result<Known, Failure> {
    match (camera_file, corners) {
        (Some(path), _) => camera(path, scorer),
        (None, Some(corners)) => Ok(Known::Corners(corners)),
        (None, None) => Ok(Known::Nothing),
    }
}

fn camera(path: &Path, scorer: &Scorer) -> Result<Known, Failure> {
    let file = CameraFile::load(path).map_err(Failure::new)?;
    if file.board != scorer.board.id {
        return Err(Failure::new(format!(
            "the camera file {} is for the board {}, not for {}: calibrate the camera at this board",
            path.display(),
            file.board,
            scorer.board.id
        )));
    }
    Ok(Known::Camera(Box::new(scorer.prepare(Registration::from(&file)))))
}

/// What each photo's pictures are called: its file name without extension, with as many of its
/// folders before it as it takes to tell the photos of a batch apart.
fn picture_names(photos: &[PathBuf]) -> Vec<String> {
    let parts = |photo: &PathBuf| -> Vec<String> {
        let stem = photo.with_extension("");
        stem.components()
            .filter_map(|part| match part {
                Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
                _ => None,
            })
            .collect()
    };
    let all: Vec<_> = photos.iter().map(parts).collect();
    let longest = all.iter().map(Vec::len).max().unwrap_or(1);
    let mut names = vec![String::new(); photos.len()];
    let mut open: Vec<usize> = (0..photos.len()).collect();
    for length in 1..=longest {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for &photo in &open {
            names[photo] = all[photo][all[photo].len().saturating_sub(length)..].join("-");
        }
        for name in &names {
            *uses.entry(name).or_default() += 1;
        }
        open = (0..photos.len()).filter(|&photo| uses[names[photo].as_str()] > 1).collect();
    }
    names
}

/// Scores one file; an error names the photo.
fn score_file(
    path: &Path,
    name: &str,
    way: &Way,
    arguments: &ScoreArguments,
    inputs: &Inputs,
) -> Result<Scored, Unscored> {
    let mut times = StageTimes::default();
    let started = Instant::now();
    let picture = load_photo(path, &way.options().photo).map_err(|error| error.to_string())?;
    times.decode_secs = started.elapsed().as_secs_f64();
    let scored = way.score(path, &picture, &mut times);
    if let Some(folder) = &arguments.trace {
        let to = (folder.as_path(), inputs);
        match &scored {
            Ok((scorer, scored)) => {
                let pieces = PiecesTrace::of(&picture, scorer, &scored.registration, &[]);
                write_trace(to, name, &picture, scorer, Some(&pieces))?;
            }
            Err(_) => {
                way.named().map_or(Ok(()), |scorer| write_trace(to, name, &picture, scorer, None))?;
            }
        }
    }
    let (scorer, mut scored) = scored?;
    if let Some(folder) = &arguments.annotate {
        write_annotated((folder, inputs), name, path, &picture, &scorer.board, &scored)?;
    }
    scored.report.times = arguments.times.then_some(times);
    Ok(scored)
}

/// Writes NAME.annotated.jpg (or .png for a PNG photo) and NAME.top.png into a folder, onto none of the inputs.
pub(super) fn write_annotated(
    (folder, inputs): (&Path, &Inputs),
    name: &str,
    photo: &Path,
    picture: &Picture,
    board: &Board,
    scored: &Scored,
) -> Result<(), String> {
    let options = AnnotateOptions::default();
    let in_words = |error: &dyn std::fmt::Display| {
        format!("{}: the annotated picture cannot be made: {error}", photo.display())
    };
    let is_png = photo.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    let annotated = folder.join(format!("{name}.annotated.{}", if is_png { "png" } else { "jpg" }));
    let drawn = annotated_photo(picture, board, scored, &options).map_err(|e| in_words(&e))?;
    let kind = if is_png { Kind::Png } else { Kind::Jpeg };
    write_picture(&annotated, kind, &drawn.into(), inputs).map_err(|e| in_words(&e))?;
    let top = top_view(picture, board, scored, &options).map_err(|e| in_words(&e))?;
    let path = folder.join(format!("{name}.top.png"));
    write_picture(&path, Kind::Png, &top.into(), inputs).map_err(|e| in_words(&e))
}

fn print_result(
    path: &Path,
    result: &Result<Scored, Unscored>,
    arguments: &ScoreArguments,
) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match result {
        Ok(scored) if arguments.json => {
            serde_json::to_writer(&mut out, &scored.report)?;
            writeln!(out)?;
        }
        Ok(scored) => write!(out, "{}", photo_table(&scored.report))?,
        Err(unscored) => {
            if arguments.json {
                writeln!(out, "{}", as_json(path, unscored))?;
            }
            if arguments.photos.len() > 1 {
                eprintln!("linecall: {}", unscored.words);
            }
        }
    }
    out.flush()
}

/// Where several boards fit, they are named with their probabilities.
fn as_json(photo: &Path, Unscored { words, boards }: &Unscored) -> serde_json::Value {
    let mut value = serde_json::json!({ "photo": photo.display().to_string(), "error": words });
    if !boards.is_empty() {
        let board = |(id, probability): &(String, f64)| serde_json::json!({ "board": id, "board_probability": (probability * 1e6).round() / 1e6 });
        value["boards"] = boards.iter().map(board).collect();
    }
    value
}

/// What a batch came to.
#[derive(Debug, Default)]
struct Totals {
    scored: usize,
    pieces: usize,
    close: usize,
    errors: Vec<String>,
}

impl Totals {
    fn add(&mut self, result: &Result<Scored, Unscored>) {
        match result {
            Ok(scored) => {
                self.scored += 1;
                self.pieces += scored.report.pieces.len();
                self.close += scored.report.pieces.iter().filter(|piece| piece.is_close()).count();
            }
            Err(unscored) => self.errors.push(unscored.words.clone()),
        }
    }

    fn words(&self) -> String {
        let Totals { scored, pieces, close, errors } = self;
        let photos = scored + errors.len();
        format!(
            "{photos} photos: {scored} scored, {} failed; {pieces} pieces, {close} too close to call",
            errors.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_of_one_name_get_pictures_of_two() {
        let names = |photos: &[&str]| picture_names(&photos.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/1.jpg", "b/2.jpg"]), ["1", "2"]);
        assert_eq!(names(&["/x/a/1.jpg", "/x/b/1.jpg", "2.png"]), ["a-1", "b-1", "2"]);
        assert_eq!(names(&["a/1.jpg", "a/1.jpg"]), ["a-1", "a-1"]);
    }

    #[test]
    fn corners_are_eight_numbers() {
        let four = corners("1,2, 3.5,4,-5,6,7,8e1").expect("eight numbers");
        assert_eq!(four[1], Pixel::new(3.5, 4.0));
        assert_eq!(four[3], Pixel::new(7.0, 80.0));
        for wrong in ["", "1,2,3,4,5,6,7", "1,2,3,4,5,6,7,8,9", "1,2,3,4,5,6,7,x", "1,2,3,4,5,6,7,inf"] {
            assert!(corners(wrong).is_err(), "{wrong}");
        }
    }
}
