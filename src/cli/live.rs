//! `linecall live`.

use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{
    Failure,
    hall::JoinArguments,
    home::{self, Begin},
    run::{Run, Trace},
    serve::{self, GuardArguments, ListenArguments},
    watch::{self, ConfirmArgument, Table, TableArguments},
};
use crate::{
    camera::CameraFile,
    capture::{Driver, SentFrames, Source, Wish},
    desk::{Desk, DeskOptions},
    home::{NewestFrame, Opening, Remembering, WatchedSource},
    live::{DeskBook, Doing, LiveOptions, Mark, Report, Session, SessionError},
    reach::ListenAddress,
    register::Registration,
    web::{PhoneCamera, SetupFiles, TakeCamera, WebOptions, start},
};

/// Watches a table through a camera and records the match.
#[derive(Debug, clap::Args)]
pub struct LiveArguments {
    /// The camera's number, as `linecall cameras` lists it; 0 when nothing else is named.
    #[arg(long, value_name = "N")]
    device: Option<u32>,
    /// What is watched: a camera's number or device file, a network camera's address, or a recording at its own
    /// pace. 0, /dev/video2, rtsp://10.0.0.7/1, http://phone:8080/video, film.mp4, frames/. phone: a phone that opens
    /// the page /camera in its browser.
    #[arg(long, value_name = "CAMERA|ADDRESS|FILE|DIR", conflicts_with = "device")]
    source: Option<WatchedSource>,
    /// What reads a camera: v4l is the default on Linux, as it gives up on a camera that hangs; nokhwa reads on every
    /// system.
    #[arg(long, value_enum)]
    driver: Option<DriverArgument>,
    /// As --source with a video file or a folder of frames.
    #[arg(long, value_name = "VIDEO|DIR", conflicts_with_all = ["device", "source"])]
    recording: Option<PathBuf>,
    #[command(flatten)]
    table: TableArguments,
    /// The ledger that the match is recorded into; made where there is none, taken up where there
    /// is one. This evening's when not given.
    #[arg(long = "match", value_name = "LEDGER")]
    ledger: Option<PathBuf>,
    /// Which events a person confirms before they count.
    #[arg(long, value_enum, default_value = "doubts")]
    confirm: ConfirmArgument,
    /// Frames a second that the camera is asked for, or that a folder of frames was taken with.
    #[arg(long, value_name = "N", default_value_t = Wish::default().fps, value_parser = super::frame_rate)]
    fps: f64,
    /// Serves the web page of the match at this address, for example 127.0.0.1:8080. On any other
    /// than this machine's own, changes need the PIN that is printed.
    #[arg(long, value_name = "ADDR")]
    listen: Option<ListenAddress>,
    #[command(flatten)]
    guard: GuardArguments,
    #[command(flatten)]
    join: JoinArguments,
    /// Writes pictures with what the loop saw into this folder, one whenever its state changes, and a line a frame
    /// into trace.txt.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Ends after so many frames; without it, when it is interrupted.
    #[arg(long, value_name = "N", hide = true)]
    frames: Option<u64>,
}

pub fn run(arguments: &LiveArguments) -> Result<(), Failure> {
    let Some(camera) = arguments.table.camera.clone() else { return arguments.set_up_first() };
    let ledger = super::desk::ledger_or_evening(arguments.ledger.as_deref())?;
    let page = arguments.listen.map(|listen| ListenArguments { listen, guard: arguments.guard.clone() });
    // A port that is taken is told before the camera is opened.
    let bound = page.map(|page| page.bind()).transpose()?;
    let table = arguments.table.table()?;
    let newest = NewestFrame::default();
    let sent = SentFrames::default();
    let mut source = Remembering::new(arguments.open(&table, &ledger, &sent)?, newest.clone());
    let options = arguments.table.live_options()?;
    let desk = watch::open_desk(&ledger, &table, arguments.confirm, &options)?;
    let _hall = arguments.join.join(&desk, Some(table.scorer.game))?;
    let set_up = SetUp::default();
    let page = match bound {
        Some(reached) => {
            let options = reached.options(WebOptions {
                boards: vec![table.ground().board],
                setup: SetupFiles { camera: Some(camera.clone()), colours: arguments.table.colours.clone() },
                current_frame: Some(newest.current_frame()),
                take_camera: Some(set_up.taker()),
                phone: (arguments.watched() == WatchedSource::Phone)
                    .then(|| PhoneCamera::new(sent.clone(), table.registration.camera.image_size)),
                ..WebOptions::default()
            });
            let listener = reached.listener.try_clone().map_err(Failure::new)?;
            let running =
                start(listener, desk.clone(), options, reached.access.clone()).map_err(Failure::new)?;
            eprint!("{}", serve::words(&reached, running.address(), &ledger));
            reached.keep_name();
            Some(running)
        }
        None => None,
    };
    let files = Files { camera: &camera, ledger: &ledger, trace: arguments.trace.as_deref() };
    watch_camera(&mut source, table, options, desk, (arguments.frames, &files), &set_up)?;
    match page.filter(|_| arguments.frames.is_none()) {
        Some(page) => {
            eprintln!("linecall: the recording has ended; the page stays until Ctrl-C");
            page.wait().map_err(Failure::new)
        }
        None => Ok(()),
    }
}

impl LiveArguments {
    fn open(&self, table: &Table, ledger: &Path, sent: &SentFrames) -> Result<Box<dyn Source>, Failure> {
        let source = self.watched();
        if source == WatchedSource::Phone && self.listen.is_none() {
            let why = "--source phone needs --listen: the phone opens the page /camera there";
            return Err(Failure::usage(why));
        }
        // A run that was cut off is taken up where it stood.
        let mark = Mark::load(ledger);
        let how = Opening {
            size: table.registration.camera.image_size,
            fps: self.fps,
            driver: self.driver.map(Driver::from).unwrap_or_default(),
            first_frame: mark.filter(|mark| mark.source == source.text()).map_or(0, |mark| mark.frame),
        };
        source.open(&how, sent).map_err(Failure::new)
    }

    /// What was named to be watched.
    fn named(&self) -> Option<WatchedSource> {
        let recording = self.recording.clone().map(WatchedSource::Recording);
        recording.or(self.source.clone()).or(self.device.map(WatchedSource::Device))
    }

    fn watched(&self) -> WatchedSource {
        self.named().unwrap_or(WatchedSource::Device(0))
    }

    /// Without a camera file the page leads to one.
    fn set_up_first(&self) -> Result<(), Failure> {
        let listen = match self.listen {
            Some(listen) => listen,
            None => serve::USUAL_ADDRESS.parse().map_err(Failure::new)?,
        };
        home::begin(Begin {
            data: None,
            source: self.named(),
            fps: self.fps,
            listen: ListenArguments { listen, guard: self.guard.clone() },
            open: false,
            ledger: self.ledger.clone(),
            desk: DeskOptions { policy: self.confirm.into(), ..DeskOptions::default() },
            live: self.table.live_options()?,
        })
    }
}

/// What reads a camera.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum DriverArgument {
    #[cfg(target_os = "linux")]
    V4l,
    Nokhwa,
}

impl From<DriverArgument> for Driver {
    fn from(argument: DriverArgument) -> Self {
        match argument {
            #[cfg(target_os = "linux")]
            DriverArgument::V4l => Driver::V4l2,
            DriverArgument::Nokhwa => Driver::Nokhwa,
        }
    }
}

/// A camera file that a person has just made on the set-up page, until the loop takes it.
#[derive(Clone, Default)]
struct SetUp(Arc<Mutex<Option<CameraFile>>>);

impl SetUp {
    fn taker(&self) -> TakeCamera {
        let waiting = self.0.clone();
        Arc::new(move |file| *waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(file))
    }

    fn take(&self) -> Option<CameraFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Files that the loop writes beside.
struct Files<'a> {
    camera: &'a Path,
    ledger: &'a Path,
    trace: Option<&'a Path>,
}

/// The loop of a live camera: what it sees goes to the desk, and what is to be told to the
/// terminal. Ends when the source does, or after as many frames as were asked for.
fn watch_camera(
    source: &mut dyn Source,
    table: Table,
    options: LiveOptions,
    desk: Desk,
    (frames, files): (Option<u64>, &Files<'_>),
    set_up: &SetUp,
) -> Result<(), Failure> {
    let ledger = files.ledger;
    let about = source.about();
    about.remarks.iter().for_each(|remark| eprintln!("linecall: {remark}"));
    let mark = Mark::load(ledger).filter(|mark| mark.source == about.name);
    let book = DeskBook::new(desk.clone(), table.ground(), mark.as_ref()).map_err(Failure::new)?;
    let mut session = Session::new(table.scorer, table.registration, options, book);
    if let Some(mark) = mark {
        session.resume(mark.books);
    }
    let mut status = Status::new(desk);
    let begun = Instant::now();
    let mut run = Run::default();
    let mut trace = files.trace.map(Trace::open).transpose()?;
    for _ in 0..frames.unwrap_or(u64::MAX) {
        if let Some(file) = set_up.take() {
            let path = files.camera;
            let text = file.text(path).map_err(Failure::new)?;
            let moved_px = session.set_registration(Registration::from(&file));
            session.book.camera_set_up((path.display().to_string(), text), moved_px).map_err(Failure::new)?;
            status.say(&format!("linecall: the camera was set up anew, {moved_px:.1} px from where it was"));
        }
        let frame = match source.next() {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            // The source opens its camera again by itself.
            Err(error) if error.passes() => {
                status.say(&format!("linecall: {error}"));
                continue;
            }
            Err(error) => return Err(Failure::new(error)),
        };
        let (reports, settled) = match session.push(&frame) {
            Ok(seen) => seen,
            // One damaged frame of a camera is no reason to stop, and many are said once.
            Err(SessionError::Observe(error)) => {
                if let Some(words) = run.damaged(&error.to_string()) {
                    status.say(&format!("linecall: {words}"));
                }
                continue;
            }
            Err(error) => return Err(Failure::new(error)),
        };
        for report in &reports {
            status.say(&watch::words(report));
        }
        if let Some(view) = session.last().filter(|_| settled) {
            let mark = Mark {
                source: about.name.clone(),
                frame: view.first_frame,
                revision: session.book.desk().revision(),
                books: session.books().clone(),
            };
            // Only a run that takes this one up needs it; the next settled view writes it again.
            if let Err(error) = mark.save(ledger) {
                status.say(&format!("linecall: what was seen could not be noted: {error}"));
            }
        }
        run.events += reports.iter().filter(|report| matches!(report, Report::Event { .. })).count() as u32;
        if let Some(trace) = &mut trace {
            trace.frame(&frame, &session, settled)?;
        }
        let doing = session.doing();
        run.frame(&frame, &doing.words);
        if let Some(words) = run.trouble(&doing) {
            status.say(&format!("linecall: {words}"));
        }
        status.show(doing, &session.books().progress(), source);
    }
    let (reports, _) = session.finish().map_err(Failure::new)?;
    reports.iter().for_each(|report| status.say(&watch::words(report)));
    run.events += reports.iter().filter(|report| matches!(report, Report::Event { .. })).count() as u32;
    for line in run.summary(files.trace) {
        status.say(&format!("linecall: {line}"));
    }
    let (rates, secs) = (source.rates(), begun.elapsed().as_secs_f64());
    status.say(&format!(
        "linecall: {rates}, in {secs:.1} s: {:.1} a second",
        rates.analysed as f64 / secs.max(f64::MIN_POSITIVE)
    ));
    Ok(())
}

/// The line at the bottom of the terminal, and the camera's status on pages.
struct Status {
    desk: Desk,
    shown: Option<(Instant, Doing)>,
    is_terminal: bool,
}

/// How often the status is renewed while nothing changes.
const RENEW: Duration = Duration::from_secs(1);

impl Status {
    fn new(desk: Desk) -> Self {
        Self { desk, shown: None, is_terminal: std::io::stderr().is_terminal() }
    }

    /// A line that stays.
    fn say(&mut self, words: &str) {
        let clear = if self.is_terminal { "\r\x1b[K" } else { "" };
        eprintln!("{clear}{words}");
        self.shown = None;
    }

    fn show(&mut self, doing: Doing, progress: &str, source: &dyn Source) {
        let now = Instant::now();
        if self.shown.as_ref().is_some_and(|(then, what)| *what == doing && now - *then < RENEW) {
            return;
        }
        self.shown = Some((now, doing.clone()));
        let rates = source.rates();
        self.desk.show_status(serde_json::json!({
            "watching": doing.watching, "doing": doing.words, "progress": progress, "rates": rates,
        }));
        if self.is_terminal {
            let state = self.desk.state();
            let scores = state.standing.as_ref().map(|standing| standing["scores"].to_string());
            let fps = |rate: Option<f64>| rate.map_or("–".to_owned(), |rate| format!("{rate:.0}"));
            eprint!(
                "\r\x1b[K{}  {progress}  {}  {} of {} frames a second, {} dropped",
                doing.words,
                scores.unwrap_or_default(),
                fps(rates.analysed_fps),
                fps(rates.delivered_fps),
                rates.dropped
            );
            // A status line that cannot be written is not worth stopping for.
            let _ = std::io::stderr().flush();
        }
    }
}
