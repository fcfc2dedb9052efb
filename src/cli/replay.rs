//! `linecall replay`.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    Failure,
    run::{Run, Trace},
    watch::{self, ConfirmArgument, Table, TableArguments},
};
use crate::{
    capture::{Frame, RecordingOptions, Source, open_recording},
    live::{Book, DeskBook, Mark, Report, Session, SessionError, Sheet, Taken},
    output::Inputs,
    rules::{Event, report},
};

/// Watches a recorded video or a folder of frames as a camera would, and prints the events.
#[derive(Debug, clap::Args)]
pub struct ReplayArguments {
    /// A video file, or a folder of frames in name order.
    #[arg(value_name = "VIDEO|DIR")]
    recording: PathBuf,
    #[command(flatten)]
    table: TableArguments,
    /// Frames a second of a folder of frames.
    #[arg(long, value_name = "N", default_value_t = RecordingOptions::default().folder_fps, value_parser = super::frame_rate)]
    fps: f64,
    /// Records into this ledger, with the views that events rest on. A replay that was cut off is
    /// taken up where it stood.
    #[arg(long = "match", value_name = "LEDGER")]
    ledger: Option<PathBuf>,
    /// Which events a person confirms before they count; without --match nobody can be asked, and
    /// the likeliest is printed.
    #[arg(long, value_enum, default_value = "doubts")]
    confirm: ConfirmArgument,
    /// One JSON event a line, as in a match file, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Writes pictures with what the loop saw into this folder, one whenever its state changes, and a line a
    /// frame into trace.txt.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
}

pub fn run(arguments: &ReplayArguments) -> Result<(), Failure> {
    let inputs = Inputs::of([&arguments.recording]);
    if let Some(folder) = arguments.trace.as_deref().filter(|folder| inputs.has(folder)) {
        let what = format!("pictures of the trace would be among the frames in {}", folder.display());
        return Err(Failure::usage(format!("{what}: give --trace another folder")));
    }
    let table = arguments.table.table()?;
    let recording = RecordingOptions { folder_fps: arguments.fps };
    let source = open_recording(&arguments.recording, &recording).map_err(Failure::new)?;
    match &arguments.ledger {
        Some(ledger) => into_ledger(arguments, table, source, ledger),
        None => onto_sheet(arguments, table, source),
    }
}

fn onto_sheet(arguments: &ReplayArguments, table: Table, source: Box<dyn Source>) -> Result<(), Failure> {
    let Table { scorer, registration, header, .. } = table;
    let options = arguments.table.live_options()?;
    let sheet = Sheet::open(header.clone(), &scorer.board, options.umpire.ask_below).map_err(Failure::new)?;
    let mut session = Session::new(scorer, registration, options, sheet);
    print_event(arguments, &header)?;
    replay(arguments, source, &mut session, 0, |_, _| Ok(()))?;
    if !arguments.json {
        println!("{}", report::json(session.book.record()));
    }
    Ok(())
}

fn into_ledger(
    arguments: &ReplayArguments,
    table: Table,
    source: Box<dyn Source>,
    ledger: &std::path::Path,
) -> Result<(), Failure> {
    let name = source.about().name;
    let mark = Mark::load(ledger).filter(|mark| mark.source == name);
    let options = arguments.table.live_options()?;
    let desk = watch::open_desk(ledger, &table, arguments.confirm, &options)?;
    let book = DeskBook::new(desk, table.ground(), mark.as_ref()).map_err(Failure::new)?;
    let Table { scorer, registration, header, .. } = table;
    let mut session = Session::new(scorer, registration, options, book);
    let first = mark.as_ref().map_or(0, |mark| mark.frame);
    if let Some(mark) = mark {
        eprintln!("linecall: taken up at frame {}", mark.frame);
        session.resume(mark.books);
    } else {
        print_event(arguments, &header)?;
    }
    replay(arguments, source, &mut session, first, |session, settled| {
        let Some(view) = session.last().filter(|_| settled) else { return Ok(()) };
        let mark = Mark {
            source: name.clone(),
            frame: view.first_frame,
            revision: session.book.desk().revision(),
            books: session.books().clone(),
        };
        mark.save(ledger).map_err(Failure::new)
    })?;
    if !arguments.json {
        let state = session.book.desk().state();
        println!("{}", state.standing.clone().unwrap_or_default());
        if !state.pending.is_empty() {
            println!("{} to be confirmed; see linecall review {}", state.pending.len(), ledger.display());
        }
    }
    Ok(())
}

/// Runs the loop over every frame from `first` on.
fn replay<B: Book>(
    arguments: &ReplayArguments,
    mut source: Box<dyn Source>,
    session: &mut Session<B>,
    first: u64,
    mut after: impl FnMut(&Session<B>, bool) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let bar = progress_bar(source.about().frames);
    let mut trace = arguments.trace.as_deref().map(Trace::open).transpose()?;
    let mut run = Run::default();
    while let Some(frame) = next(&mut *source)? {
        bar.inc(1);
        if frame.index < first {
            continue;
        }
        let (reports, settled) = match session.push(&frame) {
            Ok(seen) => seen,
            // One damaged frame is no reason to stop.
            Err(SessionError::Observe(error)) => {
                if let Some(words) = run.damaged(&error.to_string()) {
                    bar.suspend(|| eprintln!("linecall: {words}"));
                }
                continue;
            }
            Err(error) => return Err(Failure::new(error)),
        };
        let doing = session.doing();
        run.frame(&frame, &doing.words);
        if let Some(words) = run.trouble(&doing) {
            bar.suspend(|| eprintln!("{:.1} s: {words}", run.time_secs));
        }
        if let Some(trace) = &mut trace {
            trace.frame(&frame, session, settled)?;
        }
        bar.suspend(|| tell(arguments, &reports, &mut run))?;
        after(session, settled)?;
    }
    let (reports, settled) = session.finish().map_err(Failure::new)?;
    bar.suspend(|| tell(arguments, &reports, &mut run))?;
    after(session, settled)?;
    bar.finish_and_clear();
    run.summary(arguments.trace.as_deref()).iter().for_each(|line| eprintln!("linecall: {line}"));
    Ok(())
}

/// Reports in words, and events as lines of a match file.
fn tell(arguments: &ReplayArguments, reports: &[Report], run: &mut Run) -> Result<(), Failure> {
    for report in reports {
        eprintln!("{:.1} s: {}", run.time_secs, watch::words(report));
        run.events += u32::from(matches!(report, Report::Event { .. }));
        if let Report::Event { event, taken, .. } = report
            && *taken != Taken::Known
        {
            print_event(arguments, event)?;
        }
    }
    Ok(())
}

/// The next frame; a frame that cannot be read is told and passed over.
pub(super) fn next(source: &mut dyn Source) -> Result<Option<Frame>, Failure> {
    loop {
        match source.next() {
            Ok(frame) => return Ok(frame),
            Err(error) if error.passes() => eprintln!("linecall: {error}"),
            Err(error) => return Err(Failure::new(error)),
        }
    }
}

/// Prints an event as a line of a match file.
fn print_event(arguments: &ReplayArguments, event: &Event) -> Result<(), Failure> {
    if !arguments.json {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    let line = serde_json::to_string(event).map_err(Failure::new)?;
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        // The reader has had enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        written => written.map_err(|error| Failure::new(format!("cannot write an event: {error}"))),
    }
}

fn progress_bar(frames: Option<u64>) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(frames, target).with_style(style)
}
