//! The review of a call in a saved photo.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::{
    camera::Pixel,
    capture::{decode_photo, read_photo, taken_at},
    cli::{
        Failure,
        score::{EndArgument, corners},
        way::{Given, Way},
    },
    options::Options,
    output::{Inputs, Kind, check, write},
    review::{Assets, Dossier, Evidence, ReviewOptions, from_photo, page, questions},
    score::StageTimes,
};

#[derive(Debug, clap::Args)]
pub(super) struct PhotoArguments {
    /// A photo (JPEG, PNG, WebP, BMP or TIFF), or a ledger made with --match.
    #[arg(value_name = "PHOTO|LEDGER")]
    pub(super) file: PathBuf,
    /// The id of a shipped board or of your own (see `linecall boards`), or the path of a board file; found by
    /// itself when not given.
    #[arg(long, value_name = "B")]
    pub(super) board: Option<String>,
    /// The piece, by its number in `linecall score`; the photo's closest call when not given.
    #[arg(long, value_name = "N")]
    piece: Option<usize>,
    /// What about the piece or the call: a line's name, `end`, `order`, `placement`, `edge` (is it in
    /// play) or `colour KIND`; what is closest when not given.
    #[arg(long, value_name = "WHAT")]
    pub(super) about: Option<String>,
    /// The game to score by; the board's first when not given.
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// The end that was played to.
    #[arg(long, value_enum, default_value = "far")]
    end: EndArgument,
    /// A camera file made by `linecall calibrate`.
    #[arg(long, value_name = "C.toml", conflicts_with = "corners")]
    pub(super) camera: Option<PathBuf>,
    /// Colours of the set, made by `linecall calibrate --teach`.
    #[arg(long, value_name = "COLOURS.toml")]
    colours: Option<PathBuf>,
    /// The playing surface's corners in the photo's pixels, as the first shooter sees them: near
    /// left, near right, far right, far left.
    #[arg(long, value_name = "x,y,x,y,x,y,x,y", value_parser = corners, allow_hyphen_values = true)]
    corners: Option<[Pixel; 4]>,
    /// The page; without it the photo's calls are listed.
    #[arg(short, long, value_name = "FILE.html")]
    pub(super) output: Option<PathBuf>,
}

impl PhotoArguments {
    /// The files that the command reads.
    pub(super) fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::of([&self.file]);
        self.board.iter().for_each(|board| inputs.add(Path::new(board)));
        [&self.camera, &self.colours].into_iter().flatten().for_each(|path| inputs.add(path));
        inputs
    }
}

pub(super) fn run(arguments: &PhotoArguments) -> Result<(), Failure> {
    let path = &arguments.file;
    if let Some(output) = &arguments.output {
        check(output, Kind::Html, &arguments.inputs())?;
    }
    let named = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", path.display()));
    let options = Options::default();
    let way = Way::of(&Given {
        board: arguments.board.as_deref(),
        game: arguments.game.as_deref(),
        end: arguments.end.into(),
        camera: arguments.camera.as_deref(),
        colours: arguments.colours.as_deref(),
        corners: arguments.corners,
        options: &options,
    })?;
    let limits = way.options().photo;
    let bytes = read_photo(path, &limits).map_err(Failure::new)?;
    let picture = decode_photo(&bytes, path, &limits).map_err(Failure::new)?;
    let mut times = StageTimes::default();
    let (scorer, scored) =
        way.score(path, &picture, &mut times).map_err(|unscored| Failure::new(unscored.words))?;
    if let Some(probability) = scored.report.board_probability {
        eprintln!("linecall: {}", super::super::way::found_words(&scored.report.board, probability));
    }
    let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let taken_at = taken_at(&bytes);
    let evidence = Evidence {
        picture: &picture,
        board: &scorer.board,
        scored: &scored,
        calls: &scorer.options.calls,
        taken_at: taken_at.as_deref(),
        photo_sha256: Some(&sha256),
    };
    let Some(output) = &arguments.output else {
        print!("{}", list(&evidence));
        return Ok(());
    };
    let about = arguments.about.as_deref();
    let dossier = from_photo(&evidence, arguments.piece, about, &ReviewOptions::default())
        .map_err(|error| named(&error))?;
    write_page(output, &dossier, &arguments.inputs())
}

/// Writes a page and says what it is about.
pub(super) fn write_page(output: &Path, dossier: &Dossier, inputs: &Inputs) -> Result<(), Failure> {
    write(output, Kind::Html, page(dossier, Assets::Inline).as_bytes(), inputs)?;
    let head = &dossier.head;
    println!("{}: {}: {}", output.display(), head.subject, head.answer.to_lowercase());
    Ok(())
}

/// A line a piece: what can be asked about it, the closest first.
fn list(evidence: &Evidence) -> String {
    let mut text =
        String::from("piece  about (the closest first); choose with --piece N --about WHAT -o FILE.html\n");
    for (index, piece) in evidence.scored.report.pieces.iter().enumerate() {
        let names: Vec<String> =
            questions(evidence, index).iter().map(|question| question.name(evidence)).collect();
        let close = if piece.is_close() { "*" } else { " " };
        text += &format!("{:>5}{close} {}: {}\n", piece.id, piece.colour, names.join(", "));
    }
    text
}
