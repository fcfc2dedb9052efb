//! `linecall replay`.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    Failure,
    watch::{self, ConfirmArgument, Table, TableArguments},
};
use crate::{
    capture::{Frame, RecordingOptions, Source, open_recording},
    live::{Book, DeskBook, Mark, Report, Session, Sheet, Taken},
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
    #[arg(long, value_name = "N", default_value_t = RecordingOptions::default().folder_fps)]
    fps: f64,
    /// Records into this ledger, with the views that events rest on. A replay that was cut off is
    /// taken up where it stood.
    #[arg(long = "match", value_name = "LEDGER")]
    ledger: Option<PathBuf>,
    /// Which events a person confirms before they count; without --match nobody can be asked, and
    /// the likeliest is printed.
    #[arg(long, value_enum, default_value = "doubts", requires = "ledger")]
    confirm: ConfirmArgument,
    /// One JSON event a line, as in a match file, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// What every frame showed, on standard error.
    #[arg(long, hide = true)]
    trace: bool,
}

pub fn run(arguments: &ReplayArguments) -> Result<(), Failure> {
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
    let options = arguments.table.live_options();
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
    let options = arguments.table.live_options();
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
    while let Some(frame) = next(&mut *source)? {
        bar.inc(1);
        if frame.index < first {
            continue;
        }
        let (reports, settled) = session.push(&frame).map_err(Failure::new)?;
        if arguments.trace {
            bar.suspend(|| eprintln!("{}: {}", frame.index, trace(session, settled)));
        }
        for report in &reports {
            let secs = frame.since_start.as_secs_f64();
            bar.suspend(|| eprintln!("{secs:.1} s: {}", watch::words(report)));
            if let Report::Event { event, taken, .. } = report
                && *taken != Taken::Known
            {
                bar.suspend(|| print_event(arguments, event))?;
            }
        }
        after(session, settled)?;
    }
    bar.finish_and_clear();
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

/// What a frame showed, for finding out why something was seen or not.
fn trace<B: Book>(session: &Session<B>, settled: bool) -> String {
    let activity = session.observer().activity();
    let border = |at_border: bool| if at_border { "b" } else { "" };
    let mut text = format!("{:?}", session.watching());
    text += if activity.moving { " moving" } else { "" };
    text += if activity.light_changed { " light" } else { "" };
    text += &format!(" still {:.2}", activity.still_secs);
    for blob in &activity.foreground {
        let crate::motion::Blob { at, area_mm2, extent_mm, at_border, .. } = blob;
        text +=
            &format!(" ({:.0},{:.0} {area_mm2:.0}mm2 {extent_mm:.0}mm{})", at.x, at.y, border(*at_border));
    }
    let Some(view) = session.last().filter(|_| settled) else { return text };
    text += &format!(
        "\n   settled: {} fused, hand {}, moved {:?}, unexplained {:.0} mm2",
        view.fused,
        view.episode.hand,
        view.moved,
        session.observer().unexplained_mm2()
    );
    for track in &view.episode.tracks {
        text += if track.hand { "\n   hand" } else { "\n   track" };
        for point in &track.points {
            text += &format!(" {:.0},{:.0}{}", point.at.x, point.at.y, border(point.at_border));
        }
    }
    for piece in &view.pieces {
        text += &format!("\n   {} {:.1},{:.1} {:?}", piece.kind, piece.x_mm, piece.y_mm, piece.state);
    }
    text
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
        written => written.map_err(|error| Failure(format!("cannot write an event: {error}"))),
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
