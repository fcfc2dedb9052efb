//! `linecall replay`.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    Failure,
    watch::{self, Table, TableArguments},
};
use crate::{
    capture::{RecordingOptions, Source, open_recording},
    live::{LiveOptions, Report, Session, Sheet},
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
    /// One JSON event a line, as in a match file, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// What every frame showed, on standard error.
    #[arg(long, hide = true)]
    trace: bool,
}

pub fn run(arguments: &ReplayArguments) -> Result<(), Failure> {
    let Table { scorer, registration, header, .. } = arguments.table.table()?;
    let recording = RecordingOptions { folder_fps: arguments.fps };
    let mut source = open_recording(&arguments.recording, &recording).map_err(Failure::new)?;
    let options = LiveOptions::default();
    let sheet = Sheet::open(header.clone(), &scorer.board, options.umpire.ask_below).map_err(Failure::new)?;
    let mut session = Session::new(scorer, registration, options, sheet);
    let mut printer = Printer { json: arguments.json };
    printer.event(&header)?;
    let bar = progress_bar(source.about().frames);
    while let Some(frame) = next(&mut *source)? {
        let (reports, settled) = session.push(&frame).map_err(Failure::new)?;
        if arguments.trace {
            bar.suspend(|| eprintln!("{}: {}", frame.index, trace(&session, settled)));
        }
        for report in &reports {
            bar.suspend(|| eprintln!("{:.1} s: {}", frame.since_start.as_secs_f64(), watch::words(report)));
            if let Report::Event { event, .. } = report {
                bar.suspend(|| printer.event(event))?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !arguments.json {
        println!("{}", report::json(session.book.record()));
    }
    Ok(())
}

/// The next frame; a frame that cannot be read is told and passed over.
pub(super) fn next(source: &mut dyn Source) -> Result<Option<crate::capture::Frame>, Failure> {
    loop {
        match source.next() {
            Ok(frame) => return Ok(frame),
            Err(error) if error.passes() => eprintln!("linecall: {error}"),
            Err(error) => return Err(Failure::new(error)),
        }
    }
}

fn trace<B: crate::live::Book>(session: &Session<B>, settled: bool) -> String {
    let activity = session.observer().activity();
    let things: Vec<String> = activity
        .foreground
        .iter()
        .map(|b| format!("({:.0},{:.0} {:.0}mm2 {}{:.0})", b.at.x, b.at.y, b.area_mm2, if b.at_border { "b" } else { "" }, b.extent_mm))
        .collect();
    let mut text = format!(
        "{:?}{}{} still {:.2} {}",
        session.watching(),
        if activity.moving { " moving" } else { "" },
        if activity.light_changed { " light" } else { "" },
        activity.still_secs,
        things.join(" ")
    );
    if let Some(view) = session.last().filter(|_| settled) {
        text += &format!(
            "\n   settled: {} fused, hand {}, {} tracks, moved {:?}, unexplained {:.0} mm2",
            view.fused,
            view.episode.hand,
            view.episode.tracks.len(),
            view.moved,
            session.observer().unexplained_mm2()
        );
        for track in &view.episode.tracks {
            let way: Vec<String> = track
                .points
                .iter()
                .map(|p| format!("{:.0},{:.0}{}", p.at.x, p.at.y, if p.at_border { "b" } else { "" }))
                .collect();
            text += &format!("\n   track{}: {}", if track.hand { " hand" } else { "" }, way.join(" "));
        }
        for piece in &view.pieces {
            text += &format!("\n   {} {:.1},{:.1} {:?}", piece.kind, piece.x_mm, piece.y_mm, piece.state);
        }
    }
    text
}

/// Prints events as they come.
struct Printer {
    json: bool,
}

impl Printer {
    fn event(&mut self, event: &Event) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        let line = serde_json::to_string(event).map_err(Failure::new)?;
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => std::process::exit(0),
            _ => Failure(format!("cannot write an event: {error}")),
        })
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
