//! The review of a ledger: lists of calls, proof, re-analysis, history, export.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::json;

use super::list::{self, Filter};
use crate::cli::desk::open_desk;
use crate::{
    board::{Board, BoardFile},
    camera::CameraFile,
    cli::Failure,
    desk::{
        CallSummary, DeskOptions, Judgement, SheetSource, call_summaries, event_summaries, history,
        last_match_number, match_file, record_of, score_sheet,
    },
    ledger::{
        CallId, Content, Entry, Hash, Ledger, Noted, Ruling, Verification, noted, notes_folder, salvage,
        system_clock, verify,
    },
    options::Options,
    output::{Inputs, Kind, check, write},
    rerun::{Instead, OptionsFrom, ViewComparison, compare, dossier, rescore},
    review::ReviewOptions,
    rules::{Record, sheet},
    score::tally_words,
};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Ledgers")]
pub(super) struct LedgerArguments {
    /// A call of the ledger, as the list names it, for example 12.3.
    #[arg(value_name = "CALL")]
    pub(super) call: Option<CallId>,
    /// Checks every hash and names what was changed since it was recorded.
    #[arg(long)]
    verify: bool,
    /// With --verify: a fingerprint that was noted earlier, as on a score sheet; it must be in the chain.
    #[arg(long, value_name = "HASH", requires = "verify")]
    head: Option<Hash>,
    /// Writes what is whole of a damaged ledger into a new one.
    #[arg(long, value_name = "NEW", conflicts_with_all = ["verify", "rerun", "history", "export"])]
    salvage: Option<PathBuf>,
    /// Scores every stored view again, with --board or --camera instead of the recorded ones, and
    /// shows what differs; the exit status is 1 if a call does.
    #[arg(long, conflicts_with_all = ["verify", "history", "export"])]
    rerun: bool,
    /// With --rerun: a file of options as `linecall options` prints them, or `recorded` for those that each view was
    /// scored with.
    #[arg(long, value_name = "OPTIONS.toml|recorded", requires = "rerun")]
    options: Option<PathBuf>,
    /// With --rerun: the probability from which a call is certain, instead of 0.99.
    #[arg(long, value_name = "P", requires = "rerun", value_parser = probability)]
    sure: Option<f64>,
    /// Every entry in order, with the score that was shown after it.
    #[arg(long, conflicts_with_all = ["verify", "export"])]
    history: bool,
    /// Writes the match as a match file (.jsonl), a table (.csv) or a score sheet (.html).
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    export: Option<PathBuf>,
    /// The match, by its number in the ledger; the last one when not given.
    #[arg(long = "match", value_name = "N")]
    match_number: Option<u32>,
    /// Rules on the call: upheld, overruled (the score follows) or replay (its event is undone).
    #[arg(long, value_name = "RULING", value_enum, requires_all = ["call", "by"])]
    verdict: Option<RulingArgument>,
    /// With --verdict: the person who rules.
    #[arg(long, value_name = "NAME", requires = "verdict")]
    by: Option<String>,
    /// With --verdict: the reason.
    #[arg(long, value_name = "WORDS", requires = "verdict")]
    why: Option<String>,
    #[command(flatten)]
    filter: Filter,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Comma-separated values, with a header.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum RulingArgument {
    Upheld,
    Overruled,
    Replay,
}

impl From<RulingArgument> for Ruling {
    fn from(ruling: RulingArgument) -> Ruling {
        match ruling {
            RulingArgument::Upheld => Ruling::Upheld,
            RulingArgument::Overruled => Ruling::Overruled,
            RulingArgument::Replay => Ruling::Replay,
        }
    }
}

/// What is given for photos and ledgers alike.
pub(super) struct Given<'a> {
    pub file: &'a Path,
    pub board: Option<&'a str>,
    pub camera: Option<&'a Path>,
    /// The page to write about a call.
    pub page: Option<&'a Path>,
    /// What about the piece: a line, `end`, `order`, `placement`, `edge`, `colour …`.
    pub about: Option<&'a str>,
    /// The files that the command reads.
    pub inputs: Inputs,
}

fn probability(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("{text:?} is not a number"))?;
    match (0.5..1.0).contains(&number) {
        true => Ok(number),
        false => Err(format!("expected a probability from 0.5 to below 1, found {text}")),
    }
}

impl LedgerArguments {
    /// Whether something was asked that only a ledger has.
    pub(super) fn asks_for_a_ledger(&self) -> bool {
        let asked = self.verify || self.salvage.is_some() || self.rerun || self.history;
        asked || self.export.is_some() || self.call.is_some() || self.csv
    }
}

pub(super) fn run(given: &Given<'_>, arguments: &LedgerArguments) -> Result<(), Failure> {
    if let Some(new) = &arguments.salvage {
        return salvage_into(given.file, new);
    }
    if let Some(ruling) = arguments.verdict {
        return rule(given, arguments, ruling.into());
    }
    if let Some(page) = given.page {
        check(page, Kind::Html, &given.inputs)?;
    }
    let ledger = Ledger::read(given.file).map_err(Failure::new)?;
    if arguments.verify {
        return show_verification(&ledger, arguments);
    }
    let entries = ledger.entries().map_err(Failure::new)?;
    if arguments.history {
        return show_history(&entries, arguments);
    }
    let named = arguments.call.map(|call| call.match_number).or(arguments.match_number);
    let last = last_match_number(&entries)
        .ok_or_else(|| Failure::new(format!("{} has no match yet", given.file.display())))?;
    let number = match named {
        Some(number) if number == 0 || number > last => {
            return Err(Failure::new(format!("there is no match {number}: the ledger has 1 to {last}")));
        }
        named => named.unwrap_or(last),
    };
    if arguments.rerun {
        return rerun(&ledger, &entries, number, given, arguments);
    }
    if let Some(file) = &arguments.export {
        let record = record_of(&ledger, &entries, number).map_err(Failure::new)?;
        return export((&ledger, &entries, number), &record, file, &given.inputs);
    }
    if let Some(page) = given.page {
        let call = arguments.call.ok_or_else(|| {
            Failure::usage(
                "a page is about one call: name it before -o, as linecall review LEDGER lists them",
            )
        })?;
        let dossier = dossier(&ledger, call, given.about, &ReviewOptions::default()).map_err(Failure::new)?;
        return super::photo::write_page(page, &dossier, &given.inputs);
    }
    match arguments.call {
        Some(id) => {
            let calls = event_summaries(&ledger, &entries, number, id.event).map_err(Failure::new)?;
            show_call(&calls, id, arguments)
        }
        None => show_list(&call_summaries(&ledger, &entries, number).map_err(Failure::new)?, arguments),
    }
}

/// Prints; a reader that has seen enough is no failure.
fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| Failure::new(format!("cannot write the result: {error}"))),
    }
}

fn json_lines<T: serde::Serialize>(items: &[T]) -> Result<String, Failure> {
    let lines = items.iter().map(|item| Ok(serde_json::to_string(item)? + "\n"));
    lines.collect::<Result<String, serde_json::Error>>().map_err(Failure::new)
}

fn show_list(calls: &[CallSummary], arguments: &LedgerArguments) -> Result<(), Failure> {
    let shown: Vec<&CallSummary> = calls.iter().filter(|call| arguments.filter.takes(call)).collect();
    print(&match (arguments.json, arguments.csv) {
        (true, _) => json_lines(&shown)?,
        (_, true) => list::csv(&shown),
        _ => list::table(&shown, calls.len(), arguments.filter.is_narrow()),
    })
}

fn show_call(calls: &[CallSummary], id: CallId, arguments: &LedgerArguments) -> Result<(), Failure> {
    let call = calls.iter().find(|call| call.id == id).ok_or_else(|| no_such_call(calls, id))?;
    print(&match (arguments.json, arguments.csv) {
        (true, _) => json_lines(&[call])?,
        (_, true) => list::csv(&[call]),
        _ => list::details(call),
    })
}

fn no_such_call(calls: &[CallSummary], id: CallId) -> Failure {
    let pieces = calls.iter().filter(|call| call.event == id.event).map(|call| call.piece).max();
    Failure::new(match pieces {
        Some(pieces) => format!("there is no call {id}: event {} has pieces 1 to {pieces}", id.event),
        None => format!("there is no call {id}: linecall review LEDGER --all lists them"),
    })
}

fn show_verification(ledger: &Ledger, arguments: &LedgerArguments) -> Result<(), Failure> {
    let mut found = verify(ledger, arguments.head.as_ref()).map_err(Failure::new)?;
    let noted = notes_folder().map_or(Noted::Nothing, |folder| noted(ledger, &folder));
    found.findings.extend(noted.findings());
    let Verification { entries, views, files, head, findings, elsewhere, unused } = &found;
    let path = ledger.path().display();
    let text = if arguments.json {
        json_lines(&[&found])?
    } else {
        let mut text: String = findings.iter().map(|f| format!("{}: {}\n", f.place, f.what)).collect();
        if found.is_whole() {
            text = format!(
                "{path}: nothing was changed: {entries} entries, {views} views, {files} frames and files\n\
                 fingerprint {head}\n{}\n",
                noted_words(&noted, *entries)
            );
            if *elsewhere > 0 {
                text += &format!(
                    "{elsewhere} frames are not in this copy; the table that recorded them has them\n"
                );
            }
        }
        text.extend(unused.iter().map(|f| format!("{}: {}\n", f.place, f.what)));
        text
    };
    print(&text)?;
    match findings.len() {
        0 => Ok(()),
        1 => Err(Failure::new(format!("{path}: 1 thing is not as it was recorded"))),
        many => Err(Failure::new(format!("{path}: {many} things are not as they were recorded"))),
    }
}

/// What the notes of this computer say about a ledger that is whole by itself.
fn noted_words(noted: &Noted, entries: u64) -> String {
    match noted {
        Noted::Holds { seq } if *seq == entries => "the same as was noted on this computer".to_owned(),
        Noted::Holds { seq } => {
            format!("up to entry {seq} the same as was noted on this computer; it went on elsewhere")
        }
        Noted::InAnotherFile(head) => {
            format!("a copy: {} has entry {}, which is not in it", head.ledger.display(), head.seq)
        }
        Noted::Nothing | Noted::Behind(_) => {
            "nothing was noted of it on this computer: compare the fingerprint with \
                                              that of its score sheet"
                .to_owned()
        }
    }
}

fn show_history(entries: &[Entry], arguments: &LedgerArguments) -> Result<(), Failure> {
    let lines = history(entries, arguments.match_number);
    print(&match (arguments.json, arguments.csv) {
        (true, _) => json_lines(&lines)?,
        (_, true) => list::history_csv(&lines),
        _ => list::history_table(&lines),
    })
}

fn salvage_into(from: &Path, to: &Path) -> Result<(), Failure> {
    let mut records: std::collections::HashMap<u32, Played> = std::collections::HashMap::new();
    let playable = |entry: &Entry, text: &dyn Fn(&Hash) -> Option<String>| {
        records.entry(entry.match_number).or_default().play(entry, text)
    };
    let salvaged = salvage(from, to, system_clock()(), playable).map_err(Failure::new)?;
    let lost: String = salvaged.lost.iter().map(|f| format!("lost: {}: {}\n", f.place, f.what)).collect();
    print(&format!(
        "{lost}{}: {} entries and {} views are whole, {} losses\n",
        to.display(),
        salvaged.entries,
        salvaged.views,
        salvaged.lost.len()
    ))
}

/// A match as far as it has been salvaged.
#[derive(Default)]
struct Played {
    board: Option<Arc<Board>>,
    record: Option<Record>,
}

impl Played {
    fn play(&mut self, entry: &Entry, text: &dyn Fn(&Hash) -> Option<String>) -> Result<(), String> {
        if let Content::Setting(setting) = &entry.content {
            let file = setting
                .board
                .as_ref()
                .and_then(|file| Some(BoardFile { name: file.name.clone(), text: text(&file.hash)? }));
            self.board = file.and_then(|file| file.board().ok()).map(Arc::new);
        }
        let Some((number, event)) = entry.event() else { return Ok(()) };
        let played = match &mut self.record {
            Some(record) => record.push(number, event.clone()),
            None => Record::open(number, event.clone(), self.board.clone())
                .map(|record| self.record = Some(record)),
        };
        played.map_err(|refusal| refusal.to_string())
    }
}

fn rule(given: &Given<'_>, arguments: &LedgerArguments, ruling: Ruling) -> Result<(), Failure> {
    let Given { file: path, about, .. } = *given;
    let (Some(call), Some(by)) = (arguments.call, &arguments.by) else {
        return Err(Failure::new("--verdict needs a call and --by".to_owned()));
    };
    if !path.exists() {
        return Err(Failure::new(format!("there is no ledger {}", path.display())));
    }
    let desk = open_desk(path, DeskOptions::default())?;
    let judgement = Judgement { about, why: arguments.why.as_deref(), ..Judgement::new(ruling, by) };
    let carried_out = desk.verdict(call, judgement, None).map_err(Failure::new)?;
    let how = carried_out.map_or(String::new(), |event| format!(", carried out by event {event}"));
    let state = desk.state();
    let scores = state.standing.as_ref().map(|standing| standing["scores"].clone()).unwrap_or_default();
    print(&format!("call {call}: {}{how}\nscore now: {}\n", ruling.name(), list::scores_words(&scores)))
}

fn export(
    (ledger, entries, number): (&Ledger, &[Entry], u32),
    record: &Record,
    file: &Path,
    inputs: &Inputs,
) -> Result<(), Failure> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let (kind, text) = match ending {
        "jsonl" => (Kind::MatchFile, match_file(record).map_err(Failure::new)?),
        "csv" => (Kind::Csv, sheet::csv(record)),
        "html" => {
            let of_match: Vec<Entry> =
                entries.iter().filter(|entry| entry.match_number == number).cloned().collect();
            let name = ledger.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
            let source = SheetSource { record, entries: &of_match, head: ledger.head(), ledger: &name };
            (Kind::Html, score_sheet(&source))
        }
        other => {
            return Err(Failure::usage(format!(
                "cannot export to {}: {other:?} is no known ending, expected .jsonl (match file), .csv or .html \
                 (score sheet)",
                file.display()
            )));
        }
    };
    Ok(write(file, kind, text.as_bytes(), inputs)?)
}

fn rerun(
    ledger: &Ledger,
    entries: &[Entry],
    number: u32,
    given: &Given<'_>,
    arguments: &LedgerArguments,
) -> Result<(), Failure> {
    let options = match &arguments.options {
        None => OptionsFrom::Defaults,
        Some(recorded) if recorded.as_os_str() == "recorded" => OptionsFrom::Recorded,
        Some(path) => OptionsFrom::Given(Box::new(Options::load(path).map_err(Failure::new)?.score())),
    };
    let instead = Instead {
        options,
        board: given.board.map(crate::cli::named::board).transpose()?,
        camera: given.camera.map(CameraFile::load).transpose().map_err(Failure::new)?,
        sure: arguments.sure,
    };
    let asked = |entry: &&Entry| {
        entry.match_number == number
            && entry.number.is_some_and(|event| arguments.filter.event.is_none_or(|only| only == event))
    };
    let (mut views, mut differing, mut failed) = (0, 0, 0);
    for entry in entries.iter().filter(asked) {
        let (Some(event), Some(id)) = (entry.number, entry.view) else { continue };
        let view = ledger.view(id).map_err(Failure::new)?;
        views += 1;
        match rescore(ledger, &view, &instead) {
            Ok(again) => {
                let comparison = compare(&view.report, &again.scored.report);
                differing += usize::from(comparison.differs);
                print(&comparison_text(number, event, &comparison, arguments)?)?;
            }
            Err(error) => {
                failed += 1;
                print(&match arguments.json {
                    true => format!("{}\n", json!({ "event": event, "error": error.to_string() })),
                    false => format!("event {event}: cannot be scored again: {error}\n"),
                })?;
            }
        }
    }
    if !arguments.json {
        print(&format!("{views} views scored again: {differing} differ, {failed} could not be scored\n"))?;
    }
    match (differing, failed) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::new(format!("{failed} of {views} views could not be scored again"))),
        _ => Err(Failure::new(format!("{differing} of {views} views have other calls than were recorded"))),
    }
}

fn comparison_text(
    match_number: u32,
    event: usize,
    comparison: &ViewComparison,
    arguments: &LedgerArguments,
) -> Result<String, Failure> {
    if arguments.json {
        let mut value = serde_json::to_value(comparison).map_err(Failure::new)?;
        value["event"] = event.into();
        value["match"] = match_number.into();
        return Ok(format!("{value}\n"));
    }
    let mut text = String::new();
    for call in comparison.calls.iter().filter(|call| call.differs) {
        let piece =
            call.piece.map_or("new".to_owned(), |piece| CallId { match_number, event, piece }.to_string());
        let words = |then: &Option<crate::rerun::CallThen>| {
            then.as_ref().map_or("not seen".to_owned(), list::then_words)
        };
        text += &format!("{piece} {}: was {}; now {}\n", call.colour, words(&call.then), words(&call.now));
    }
    if comparison.tally != comparison.new_tally {
        let (then, now) = (tally_words(&comparison.tally), tally_words(&comparison.new_tally));
        text += &format!("event {event}: the tally was {then}; now {now}\n");
    }
    if text.is_empty() {
        let farthest = comparison.calls.iter().filter_map(|call| call.moved_mm).fold(0.0, f64::max);
        text = format!(
            "event {event}: the same calls ({} pieces, none moved by more than {farthest:.3} mm)\n",
            comparison.calls.len()
        );
    }
    Ok(text)
}
