//! The camera behind the page: opened, shown, and watched while a match is played on its table.
//!
//! In: what a person chooses ([`Watcher::watch`], [`Watcher::set_up`]) and the desk's matches. Out: events on the desk,
//! the newest frame, and [`WatcherView`] for pages. One thread owns the camera; every choice is a message to it, taken
//! between two frames. A recording is held at its first frame until there is a match to watch, so that nothing of it
//! is lost while a person sets up.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use serde::Serialize;

use super::{CurrentFrame, NewestFrame, Opening, TableInUse, WatchedSource};
use crate::{
    board::End,
    capture::{Frame, SentFrames, Source},
    desk::Desk,
    live::{Book, DeskBook, Doing, LiveOptions, Mark, Report, Session, SessionError},
};

/// What the camera does, for pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WatcherView {
    pub phase: Phase,
    /// What is watched, in words.
    pub source: Option<String>,
    /// What is wrong, where something is.
    pub problem: Option<String>,
    /// Width and height of its pictures.
    pub size: Option<[u32; 2]>,
    /// The board that it is set up for.
    pub board: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// No camera is chosen.
    #[default]
    None,
    Opening,
    /// Pictures come; no match is watched yet.
    Shown,
    Watching,
    /// A recording has come to its end.
    Ended,
    Failed,
}

enum Command {
    Watch(Option<WatchedSource>),
    SetUp(Box<TableInUse>),
    End,
}

/// Says something to whoever started the program.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// The camera's thread. It ends when this is dropped.
pub struct Watcher {
    commands: Mutex<Sender<Command>>,
    view: Arc<Mutex<WatcherView>>,
    newest: NewestFrame,
    pub phone: SentFrames,
    thread: Option<JoinHandle<()>>,
}

/// How cameras are opened and matches are watched.
#[derive(Clone)]
pub struct WatcherOptions {
    pub opening: Opening,
    pub live: LiveOptions,
    pub end: End,
    pub tell: Tell,
}

impl Watcher {
    pub fn start(desk: Desk, options: WatcherOptions) -> std::io::Result<Watcher> {
        let (commands, received) = mpsc::channel();
        let view = Arc::new(Mutex::new(WatcherView::default()));
        let (newest, phone) = (NewestFrame::default(), SentFrames::default());
        let work = (view.clone(), newest.clone(), phone.clone());
        let thread = std::thread::Builder::new().name("watcher".to_owned()).spawn(move || {
            let (view, newest, phone) = work;
            // Sources stay on the thread that opens them.
            let (camera, table, watch, refused) = (None, None, None, None);
            Work { desk, options, commands: received, view, newest, phone, camera, table, watch, refused }
                .run();
        })?;
        Ok(Watcher { commands: Mutex::new(commands), view, newest, phone, thread: Some(thread) })
    }

    /// Opens another source, or none.
    pub fn watch(&self, source: Option<WatchedSource>) {
        if let Some(source) = &source {
            let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
            let board = view.board.take();
            *view = WatcherView {
                phase: Phase::Opening,
                source: Some(source.words()),
                board,
                ..WatcherView::default()
            };
        }
        self.send(Command::Watch(source));
    }

    /// The camera sees this table, as was just set up.
    pub fn set_up(&self, table: TableInUse) {
        self.view.lock().unwrap_or_else(PoisonError::into_inner).board = Some(table.board.id.clone());
        self.send(Command::SetUp(Box::new(table)));
    }

    pub fn view(&self) -> WatcherView {
        self.view.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn current_frame(&self) -> CurrentFrame {
        self.newest.current_frame()
    }

    fn send(&self, command: Command) {
        // A thread that has ended has nothing to watch any more.
        let _ = self.commands.lock().unwrap_or_else(PoisonError::into_inner).send(command);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.send(Command::End);
        if let Some(thread) = self.thread.take() {
            // It has nothing to say that was not told.
            let _ = thread.join();
        }
    }
}

/// A camera that is open.
struct OpenCamera {
    chosen: WatchedSource,
    source: Box<dyn Source>,
    name: String,
    /// Whether a first frame has come: a recording then waits for a match.
    shown: bool,
    ended: bool,
}

/// A match that is watched.
struct Watch {
    match_number: u32,
    ledger: PathBuf,
    session: Session<DeskBook>,
    status: Option<(Instant, Doing)>,
}

struct Work {
    desk: Desk,
    options: WatcherOptions,
    commands: Receiver<Command>,
    view: Arc<Mutex<WatcherView>>,
    newest: NewestFrame,
    phone: SentFrames,
    camera: Option<OpenCamera>,
    table: Option<TableInUse>,
    watch: Option<Watch>,
    /// A match that cannot be watched on this table: said once.
    refused: Option<(u32, PathBuf)>,
}

/// How long an idle thread waits before it looks whether a match has begun.
const IDLE: Duration = Duration::from_millis(200);
/// How often the status is renewed while nothing changes.
const RENEW: Duration = Duration::from_secs(1);

impl Work {
    fn run(&mut self) {
        loop {
            let wait = if self.is_idle() { IDLE } else { Duration::ZERO };
            match self.commands.recv_timeout(wait) {
                Ok(Command::End) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(Command::Watch(source)) => self.open(source),
                Ok(Command::SetUp(table)) => self.set_up(*table),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.follow_the_match();
            if !self.is_idle() {
                self.step();
            }
        }
        self.finish();
    }

    /// Nothing is to be done until somebody chooses something or a match begins.
    fn is_idle(&self) -> bool {
        self.camera.as_ref().is_none_or(|camera| {
            camera.ended || (camera.chosen.is_recording() && camera.shown && self.watch.is_none())
        })
    }

    fn show(&self, change: impl FnOnce(&mut WatcherView)) {
        change(&mut self.view.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn say(&self, words: &str) {
        (self.options.tell)(words);
    }

    fn open(&mut self, chosen: Option<WatchedSource>) {
        self.finish();
        self.camera = None;
        self.newest.clear();
        let Some(chosen) = chosen else {
            self.show(|view| *view = WatcherView { board: view.board.take(), ..WatcherView::default() });
            return;
        };
        match self.opened(&chosen, 0) {
            Ok(camera) => {
                self.show(|view| {
                    view.size = camera.source.about().size;
                    view.problem = None;
                });
                self.camera = Some(camera);
            }
            Err(problem) => {
                self.say(&problem);
                self.show(|view| (view.phase, view.problem) = (Phase::Failed, Some(problem)));
            }
        }
    }

    fn opened(&self, chosen: &WatchedSource, first_frame: u64) -> Result<OpenCamera, String> {
        let size =
            self.table.as_ref().map_or(self.options.opening.size, |table| table.camera.camera.image_size);
        let how = Opening { size, first_frame, ..self.options.opening.clone() };
        let source = chosen.open(&how, &self.phone).map_err(|error| error.to_string())?;
        let about = source.about();
        about.remarks.iter().for_each(|remark| self.say(remark));
        Ok(OpenCamera { chosen: chosen.clone(), source, name: about.name, shown: false, ended: false })
    }

    fn set_up(&mut self, table: TableInUse) {
        let same_board = self.table.as_ref().is_some_and(|before| before.board == table.board);
        let watch = self.watch.as_mut().filter(|_| same_board);
        if let Some(watch) = watch {
            let moved_px = watch.session.set_registration(table.registration());
            let text = table.ground(watch.session.observer().scorer()).camera;
            match watch.session.book.camera_set_up(text, moved_px) {
                Ok(()) => {
                    self.say(&format!("the camera was set up anew, {moved_px:.1} px from where it was"))
                }
                Err(error) => self.say(&error.to_string()),
            }
        } else {
            self.finish();
        }
        self.refused = None;
        self.table = Some(table);
    }

    /// Watches the match that is played, once a camera and its table are there.
    fn follow_the_match(&mut self) {
        let playing = self.desk.state().match_info.as_ref().map(|info| (info.number, info.game.clone()));
        let ledger = self.desk.with_ledger(|ledger| ledger.path().to_owned());
        if let Some(watch) = &self.watch
            && (playing.as_ref().map(|(number, _)| *number) != Some(watch.match_number)
                || watch.ledger != ledger)
        {
            self.finish();
        }
        let Some((number, game)) = playing.filter(|_| self.watch.is_none()) else { return };
        let (Some(camera), Some(table)) = (&self.camera, &self.table) else { return };
        let played_on = self.desk.game().map(|game| game.setup().board.id.clone());
        if played_on.as_ref() != Some(&table.board.id)
            || camera.ended
            || self.refused.as_ref() == Some(&(number, ledger.clone()))
        {
            return;
        }
        if let Err(problem) = self.begin(number, &game, ledger.clone()) {
            self.say(&problem);
            self.show(|view| view.problem = Some(problem));
            self.refused = Some((number, ledger));
        }
    }

    fn begin(&mut self, match_number: u32, game: &str, ledger: PathBuf) -> Result<(), String> {
        let (Some(camera), Some(table)) = (&self.camera, &self.table) else { return Ok(()) };
        let words = |error: &dyn std::fmt::Display| error.to_string();
        // A run that was cut off is taken up where it stood; a recording from there on.
        let mark = Mark::load(&ledger).filter(|mark| mark.source == camera.name);
        let fresh = match camera.chosen.is_recording() {
            true => Some(self.opened(&camera.chosen, mark.as_ref().map_or(0, |mark| mark.frame))?),
            false => None,
        };
        let scorer = table.scorer(game, self.options.end).map_err(|error| words(&error))?;
        let book = DeskBook::new(self.desk.clone(), table.ground(&scorer), mark.as_ref())
            .map_err(|error| words(&error))?;
        let mut session = Session::new(scorer, table.registration(), self.options.live.clone(), book);
        if let Some(mark) = mark {
            session.resume(mark.books);
        }
        if let Some(fresh) = fresh {
            self.camera = Some(fresh);
        }
        self.watch = Some(Watch { match_number, ledger, session, status: None });
        self.show(|view| (view.phase, view.problem) = (Phase::Watching, None));
        Ok(())
    }

    /// One frame.
    fn step(&mut self) {
        let Some(camera) = &mut self.camera else { return };
        let frame = match camera.source.next() {
            Ok(Some(frame)) => frame,
            Ok(None) => {
                camera.ended = true;
                self.finish();
                self.show(|view| view.phase = Phase::Ended);
                return;
            }
            // The source opens its camera again by itself.
            Err(error) if error.passes() => {
                self.show(|view| view.problem = Some(error.to_string()));
                return;
            }
            Err(error) => {
                self.camera = None;
                self.finish();
                self.say(&error.to_string());
                self.show(|view| (view.phase, view.problem) = (Phase::Failed, Some(error.to_string())));
                return;
            }
        };
        camera.shown = true;
        self.newest.put(&frame);
        let phase = if self.watch.is_some() { Phase::Watching } else { Phase::Shown };
        self.show(|view| {
            view.phase = phase;
            if phase == Phase::Shown {
                view.problem = None;
            }
        });
        self.look(&frame);
    }

    /// The match's loop sees the frame.
    fn look(&mut self, frame: &Frame) {
        let Some(watch) = &mut self.watch else { return };
        let (reports, settled) = match watch.session.push(frame) {
            Ok(seen) => seen,
            // One damaged frame of a camera is no reason to stop.
            Err(SessionError::Observe(error)) => {
                self.show(|view| view.problem = Some(error.to_string()));
                return;
            }
            Err(error) => {
                self.say(&error.to_string());
                self.show(|view| view.problem = Some(error.to_string()));
                return;
            }
        };
        if settled {
            self.mark();
        }
        self.tell_status();
        self.tell_reports(&reports);
    }

    /// Notes how far the run has come, for one that takes it up.
    fn mark(&self) {
        let (Some(watch), Some(camera)) = (&self.watch, &self.camera) else { return };
        let Some(view) = watch.session.last() else { return };
        let mark = Mark {
            source: camera.name.clone(),
            frame: view.first_frame,
            revision: watch.session.book.desk().revision(),
            books: watch.session.books().clone(),
        };
        // Only a run that takes this one up needs it; the next settled view writes it again.
        if let Err(error) = mark.save(&watch.ledger) {
            self.say(&format!("what was seen could not be noted: {error}"));
        }
    }

    fn tell_status(&mut self) {
        let (Some(watch), Some(camera)) = (&mut self.watch, &self.camera) else { return };
        let (doing, now) = (watch.session.doing(), Instant::now());
        let known = watch.status.as_ref();
        if known.is_some_and(|(then, what)| *what == doing && now.duration_since(*then) < RENEW) {
            return;
        }
        self.desk.show_status(serde_json::json!({
            "watching": doing.watching, "doing": doing.words, "progress": watch.session.books().progress(),
            "rates": camera.source.rates(),
        }));
        self.view.lock().unwrap_or_else(PoisonError::into_inner).problem = None;
        watch.status = Some((now, doing));
    }

    fn tell_reports(&self, reports: &[Report]) {
        for report in reports {
            if let Report::Remark(remark) = report {
                self.say(&remark.text);
            }
        }
    }

    /// The match's loop ends: what is still open is told as far as it is known.
    fn finish(&mut self) {
        let Some(mut watch) = self.watch.take() else { return };
        let still_played = watch.session.book.game().is_some()
            && self.desk.with_ledger(|ledger| ledger.path() == watch.ledger)
            && self.desk.state().match_info.as_ref().is_some_and(|info| info.number == watch.match_number);
        if still_played {
            match watch.session.finish() {
                Ok((reports, _)) => self.tell_reports(&reports),
                Err(error) => self.say(&error.to_string()),
            }
        }
        let phase = if self.camera.is_some() { Phase::Shown } else { Phase::None };
        self.show(|view| view.phase = phase);
        self.desk.show_status(serde_json::Value::Null);
    }
}
