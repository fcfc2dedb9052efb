//! `linecall live`.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{
    Failure,
    run::Run,
    serve::{self, ListenArguments},
    watch::{self, ConfirmArgument, Table, TableArguments},
};
use crate::{
    camera::CameraFile,
    capture::{
        DeviceOptions, Driver, PacedSource, RecordingOptions, Source, Wish, is_stream, open_device,
        open_recording, open_stream, without_credentials,
    },
    desk::Desk,
    live::{DeskBook, Doing, LiveOptions, Mark, Session, SessionError},
    register::Registration,
    web::{NewestFrame, Remembering, SetupFiles, TakeCamera, WebOptions, start},
};

/// Watches a table through a camera and records the match.
#[derive(Debug, clap::Args)]
pub struct LiveArguments {
    /// The camera's number, as `linecall cameras` lists it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    /// What is watched: a camera's number or device file, a network camera's address, or a recording at its own
    /// pace. 0, /dev/video2, rtsp://10.0.0.7/1, http://phone:8080/video, film.mp4, frames/
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
    /// is one.
    #[arg(long = "match", value_name = "LEDGER")]
    ledger: PathBuf,
    /// Which events a person confirms before they count.
    #[arg(long, value_enum, default_value = "doubts")]
    confirm: ConfirmArgument,
    /// Frames a second that the camera is asked for, or that a folder of frames was taken with.
    #[arg(long, value_name = "N", default_value_t = Wish::default().fps, value_parser = super::frame_rate)]
    fps: f64,
    /// Serves the web page of the match at this address, for example 127.0.0.1:8080. On any other
    /// than this machine's own, changes need the PIN that is printed.
    #[arg(long, value_name = "ADDR")]
    listen: Option<std::net::SocketAddr>,
    /// On a network, show the page only to those who have the whole link.
    #[arg(long, requires = "listen")]
    watch_by_link: bool,
    /// Ends after so many frames; without it, when it is interrupted.
    #[arg(long, value_name = "N", hide = true)]
    frames: Option<u64>,
}

pub fn run(arguments: &LiveArguments) -> Result<(), Failure> {
    let page =
        arguments.listen.map(|listen| ListenArguments { listen, watch_by_link: arguments.watch_by_link });
    // A port that is taken is told before the camera is opened.
    let bound = page.map(|page| page.bind()).transpose()?;
    let table = arguments.table.table()?;
    let newest = NewestFrame::default();
    let mut source = Remembering::new(arguments.open(&table)?, newest.clone());
    let options = arguments.table.live_options()?;
    let desk = watch::open_desk(&arguments.ledger, &table, arguments.confirm, &options)?;
    let set_up = SetUp::default();
    let page = match bound {
        Some((listener, access)) => {
            let options = WebOptions {
                boards: vec![table.ground().board],
                setup: SetupFiles {
                    camera: Some(arguments.table.camera.clone()),
                    colours: arguments.table.colours.clone(),
                },
                current_frame: Some(newest.current_frame()),
                take_camera: Some(set_up.taker()),
                ..WebOptions::default()
            };
            let running = start(listener, desk.clone(), options, access.clone()).map_err(Failure::new)?;
            eprint!("{}", serve::words(running.address(), &access, &arguments.ledger));
            Some(running)
        }
        None => None,
    };
    watch_camera(&mut source, table, options, desk, arguments, &set_up)?;
    match page.filter(|_| arguments.frames.is_none()) {
        Some(page) => {
            eprintln!("linecall: the recording has ended; the page stays until Ctrl-C");
            page.wait().map_err(Failure::new)
        }
        None => Ok(()),
    }
}

impl LiveArguments {
    fn open(&self, table: &Table) -> Result<Box<dyn Source>, Failure> {
        let recording = self.recording.clone().map(WatchedSource::Recording);
        let device = WatchedSource::Device(self.device);
        let source = recording.as_ref().or(self.source.as_ref()).unwrap_or(&device);
        if let WatchedSource::Recording(recording) = source {
            let options = RecordingOptions { folder_fps: self.fps };
            let source = open_recording(recording, &options).map_err(Failure::new)?;
            // A run that was cut off is taken up where it stood.
            let mark = Mark::load(&self.ledger).filter(|mark| mark.source == source.about().name);
            return Ok(Box::new(PacedSource::new(source, mark.map_or(0, |mark| mark.frame))));
        }
        if let WatchedSource::Stream(address) = source {
            return Ok(Box::new(
                open_stream(address, &crate::capture::LiveOptions::default()).map_err(Failure::new)?,
            ));
        }
        let WatchedSource::Device(device) = *source else {
            return Err(Failure::new("no camera is named".to_owned()));
        };
        let wish = Wish { size: table.registration.camera.image_size, fps: self.fps, ..Wish::default() };
        let driver = self.driver.map(Driver::from).unwrap_or_default();
        let options = DeviceOptions { device, wish, driver, ..DeviceOptions::default() };
        Ok(Box::new(open_device(&options).map_err(Failure::new)?))
    }
}

/// What is watched, as it was named on the command line.
#[derive(Clone)]
enum WatchedSource {
    Device(u32),
    Stream(String),
    Recording(PathBuf),
}

// An address may have a password in it.
impl std::fmt::Debug for WatchedSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WatchedSource::Device(device) => write!(f, "camera {device}"),
            WatchedSource::Stream(address) => f.write_str(&without_credentials(address)),
            WatchedSource::Recording(path) => write!(f, "{}", path.display()),
        }
    }
}

impl std::str::FromStr for WatchedSource {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_prefix("/dev/video").unwrap_or(text);
        Ok(match number.parse() {
            Ok(device) => WatchedSource::Device(device),
            Err(_) if is_stream(text) => WatchedSource::Stream(text.to_owned()),
            Err(_) => WatchedSource::Recording(text.into()),
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

/// The loop of a live camera: what it sees goes to the desk, and what is to be told to the
/// terminal. Ends when the source does, or after as many frames as were asked for.
fn watch_camera(
    source: &mut dyn Source,
    table: Table,
    options: LiveOptions,
    desk: Desk,
    arguments: &LiveArguments,
    set_up: &SetUp,
) -> Result<(), Failure> {
    let ledger = arguments.ledger.as_path();
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
    for _ in 0..arguments.frames.unwrap_or(u64::MAX) {
        if let Some(file) = set_up.take() {
            let path = &arguments.table.camera;
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
        let doing = session.doing();
        run.time_secs = frame.since_start.as_secs_f64();
        if let Some(words) = run.trouble(&doing) {
            status.say(&format!("linecall: {words}"));
        }
        status.show(doing, &session.books().progress(), source);
    }
    let (reports, _) = session.finish().map_err(Failure::new)?;
    reports.iter().for_each(|report| status.say(&watch::words(report)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_told_by_how_it_is_written() {
        let shown =
            |text: &str| format!("{:?}", text.parse::<WatchedSource>().unwrap_or(WatchedSource::Device(9)));
        assert_eq!(shown("0"), "camera 0");
        assert_eq!(shown("/dev/video2"), "camera 2");
        assert_eq!(shown("rtsp://ann:s3cret@camera/1"), "rtsp://camera/1");
        assert_eq!(shown("http://phone:8080/video"), "http://phone:8080/video");
        assert_eq!(shown("frames/court"), "frames/court");
    }
}
