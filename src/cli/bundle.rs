//! `linecall bundle`: what a report of a fault needs, in one file.

use std::path::{Path, PathBuf};

use jiff::SignedDuration;

use super::{Failure, review::looks_like_a_ledger};
use crate::{
    board::BoardFile,
    bundle::{About, BUNDLE_FIRST, Names, Part, pack},
    capture::{decode_photo, read_photo},
    ledger::{Content, Entry, Ledger, StoredView, system_clock, verify},
    options::Options,
    output::{Inputs, Kind, check, write},
    rules::Event,
    score::{ScoreOptions, StageTimes},
};

/// Packs what a report of a fault needs into one file: frames, options, camera, board, log and version.
///
/// Of a ledger: the views of its last seconds with the frames around them, and its last entries. Of a photo:
/// the photo, what it is scored by, and what came out or why nothing did. Names of players and referees
/// are left out unless --names is given. Photos are packed as they are, with the place and time that a
/// phone may have written into them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  linecall bundle evening.ledger -o report.zip            the ledger's last seconds
  linecall bundle evening.ledger --last 120 -o report.zip its last two minutes
  linecall bundle photo.jpg --board carrom-court -o report.zip
  linecall bundle evening.ledger --log live.log -o report.zip
                                                          with what live wrote to standard error")]
pub struct BundleArguments {
    /// A ledger, or a photo.
    #[arg(value_name = "LEDGER|PHOTO")]
    file: PathBuf,
    /// The bundle.
    #[arg(short, long, value_name = "FILE.zip")]
    output: PathBuf,
    /// The photo's board: a shipped board's id (see `linecall boards`), or the path of a board file.
    #[arg(long, value_name = "B")]
    board: Option<String>,
    /// The photo's camera file.
    #[arg(long, value_name = "C.toml")]
    camera: Option<PathBuf>,
    /// The photo's taught colours.
    #[arg(long, value_name = "COLOURS.toml")]
    colours: Option<PathBuf>,
    /// A log to be packed too.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How many seconds before a ledger's last view are packed.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3600))]
    last: u32,
    /// Leaves the names of players and referees in.
    #[arg(long)]
    names: bool,
}

/// Entries of a ledger that are packed, at most: enough to see what led to its end.
const LAST_ENTRIES: usize = 200;

pub fn run(arguments: &BundleArguments) -> Result<(), Failure> {
    let BundleArguments { file, output, board, camera, colours, log, .. } = arguments;
    let mut inputs = Inputs::of([file]);
    board.iter().for_each(|board| inputs.add(Path::new(board)));
    [camera, colours, log].into_iter().flatten().for_each(|path| inputs.add(path));
    check(output, Kind::Bundle, &inputs)?;
    let mut bundle = if looks_like_a_ledger(file) { of_ledger(arguments)? } else { of_photo(arguments)? };
    if let Some(log) = log {
        bundle.text("log.txt", &read_text(log)?);
    }
    let about = About {
        of: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        at: system_clock()(),
        names: arguments.names,
        faults: bundle.faults.iter().map(|fault| bundle.names.put_out(fault)).collect(),
    };
    let bytes = pack(&about, &bundle.parts).map_err(Failure::new)?;
    write(output, Kind::Bundle, &bytes, &inputs)?;
    println!("{}: {} files of {}, {BUNDLE_FIRST} says which", output.display(), bundle.parts.len(), about.of);
    for fault in &about.faults {
        println!("  {fault}");
    }
    Ok(())
}

/// A bundle in the making.
struct Bundle {
    names: Names,
    parts: Vec<Part>,
    faults: Vec<String>,
}

impl Bundle {
    fn new(names: Names) -> Bundle {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let names = home.map_or_else(|| names.clone(), |home| names.clone().and_folder(&home));
        Bundle { names, parts: Vec::new(), faults: Vec::new() }
    }

    fn text(&mut self, name: &str, text: &str) {
        self.bytes(name, self.names.put_out(text).into_bytes());
    }

    fn bytes(&mut self, name: &str, bytes: Vec<u8>) {
        if !self.parts.iter().any(|part| part.name == name) {
            self.parts.push(Part::new(name, bytes));
        }
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn of_ledger(arguments: &BundleArguments) -> Result<Bundle, Failure> {
    let ledger = Ledger::read(&arguments.file).map_err(Failure::new)?;
    let entries = ledger.entries().map_err(Failure::new)?;
    let names = if arguments.names { Names::default() } else { Names::of_people(people(&entries)) };
    let mut bundle = Bundle::new(names);
    match verify(&ledger, None) {
        Ok(found) => bundle.faults.extend(found.findings.iter().map(|f| format!("{}: {}", f.place, f.what))),
        Err(error) => bundle.faults.push(error.to_string()),
    }
    let last = entries.iter().skip(entries.len().saturating_sub(LAST_ENTRIES));
    bundle.text("entries.txt", &last.map(entry_line).collect::<String>());
    let views: Vec<StoredView> =
        entries.iter().rev().filter_map(|entry| ledger.view(entry.view?).ok()).collect();
    let Some(newest) = views.first().map(|view| view.facts.at) else { return Ok(bundle) };
    let span = SignedDuration::from_secs(i64::from(arguments.last));
    for view in views.iter().take_while(|view| newest.duration_since(view.facts.at) <= span) {
        pack_view(&mut bundle, &ledger, view);
    }
    Ok(bundle)
}

fn pack_view(bundle: &mut Bundle, ledger: &Ledger, view: &StoredView) {
    let folder = format!("view-{}", view.id);
    for (name, json) in [
        ("report", serde_json::to_string_pretty(&view.report)),
        ("facts", serde_json::to_string_pretty(&view.facts)),
    ] {
        if let Ok(json) = json {
            bundle.text(&format!("{folder}/{name}.json"), &json);
        }
    }
    for frame in &view.facts.frames {
        let Some(bytes) = frame.hash.and_then(|hash| ledger.file(&hash).ok()) else { continue };
        let ending = if bytes.starts_with(&[0xFF, 0xD8]) { "jpg" } else { "png" };
        bundle.bytes(&format!("{folder}/{:+.3}s.{ending}", frame.secs), bytes);
    }
    let facts = &view.facts;
    let files = [Some((&facts.board, "board")), facts.camera.as_ref().map(|file| (file, "camera"))];
    let colours = facts.colours.as_ref().map(|file| (file, "colours"));
    for (file, what) in files.into_iter().chain([colours]).flatten() {
        if let Ok(text) = ledger.text(&file.hash) {
            bundle.text(&format!("{what}-{}.toml", file.hash.short()), &text);
        }
    }
    if let Ok(options) = ledger.text(&facts.options) {
        bundle.text(&format!("options-{}.txt", facts.options.short()), &options);
    }
}

fn entry_line(entry: &Entry) -> String {
    let body = entry.content.body().unwrap_or_else(|error| error.to_string());
    let number = entry.number.map_or(String::new(), |number| format!(" event {number}"));
    let view = entry.view.map_or(String::new(), |view| format!(" view {view}"));
    format!(
        "{} {} match {}{number}{view} {:?} by {}: {body}\n",
        entry.seq,
        entry.at,
        entry.match_number,
        entry.content.kind(),
        entry.author
    )
}

/// Everyone whose name is in a ledger.
fn people(entries: &[Entry]) -> Vec<String> {
    let mut people = Vec::new();
    for entry in entries {
        people.extend(entry.author.person().map(str::to_owned));
        match &entry.content {
            Content::Event(Event::Match(header)) => {
                for side in &header.sides {
                    people.push(side.name.clone());
                    people.extend(side.players.iter().flatten().cloned());
                }
            }
            Content::Event(event) => people.extend(event.by().map(str::to_owned)),
            Content::Verdict(verdict) => people.push(verdict.by.clone()),
            _ => {}
        }
    }
    // Sides that are called by their colours are nobody's name.
    let colours = |name: &String| COLOURS.contains(&name.as_str());
    people.retain(|name| !colours(name));
    people
}

/// Names that sides have where nobody gave one.
const COLOURS: [&str; 6] = ["red", "blue", "white", "black", "green", "queen"];

fn of_photo(arguments: &BundleArguments) -> Result<Bundle, Failure> {
    let path = &arguments.file;
    let options = ScoreOptions::default();
    let bytes = read_photo(path, &options.photo).map_err(Failure::new)?;
    let mut bundle = Bundle::new(Names::default());
    let ending = path.extension().map_or("bin".to_owned(), |ending| ending.to_string_lossy().to_lowercase());
    bundle.text("options.toml", &crate::options::as_toml(&options));
    if let Some(board) = &arguments.board {
        bundle.text("board.toml", &BoardFile::named_or_at(board)?.text);
    }
    for (name, file) in [("camera.toml", &arguments.camera), ("colours.toml", &arguments.colours)] {
        if let Some(file) = file {
            bundle.text(name, &read_text(file)?);
        }
    }
    match scored(arguments, &bytes) {
        Ok(report) => bundle.text("report.json", &report),
        Err(failure) => bundle.faults.push(failure.to_string()),
    }
    bundle.bytes(&format!("photo.{ending}"), bytes);
    Ok(bundle)
}

/// The photo's report, or why there is none.
fn scored(arguments: &BundleArguments, bytes: &[u8]) -> Result<String, Failure> {
    use super::score::{known, scorer};
    let board = arguments
        .board
        .as_deref()
        .ok_or_else(|| Failure::new("no board was given, so nothing was scored"))?;
    let scorer =
        scorer(board, None, crate::board::End::Far, arguments.colours.as_deref(), &Options::default())?;
    let known = known(arguments.camera.as_deref(), None, &scorer)?;
    let picture = decode_photo(bytes, &arguments.file, &scorer.options.photo).map_err(Failure::new)?;
    let name = arguments.file.display().to_string();
    let scored = scorer.score(&name, &picture, &known, &mut StageTimes::default()).map_err(Failure::new)?;
    serde_json::to_string_pretty(&scored.report).map_err(Failure::new)
}
