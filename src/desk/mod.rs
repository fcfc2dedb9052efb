//! The desk: the one place where what vision proposes, what people decide, the rules and the ledger
//! meet.
//!
//! In: [`Proposal`]s of vision with their evidence; events, corrections and verdicts of referees.
//! Out: a [`DeskState`] that pages and terminals show, and a [`Change`] for everyone who subscribed.
//! Nothing is shown that is not on the disk: a change is first checked by the rules, then recorded,
//! then told. Opened again after a crash, a desk stands where it stood, open proposals included.
//!
//! A [`Desk`] is a handle: clone it, use it from threads and from async code alike. Calls take
//! milliseconds (one disk write). [`Desk::subscribe`] gives a receiver with `recv().await` for async
//! code and `blocking_recv()` for threads; whoever lags reads [`Desk::state`] again.
//!
//! Two referees: a change carries the revision that its author saw. If something that matters was
//! recorded since, it is refused with [`DeskError::Stale`], which says what.

mod apply;
mod calls;
mod either_way;
mod error;
mod export;
mod flip;
mod frame_event;
mod history;
mod inner;
mod proposal;
mod ruled;
mod state;
mod ways;

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::broadcast;

pub use calls::{CallDoubt, CallSummary, VerdictSummary, call_summaries, event_summaries};
pub use either_way::{MatchEitherWay, either_way};
pub use error::{DeskError, Since};
pub use export::{SheetSource, match_file, score_sheet};
pub use frame_event::frame_event;
pub use history::{HistoryLine, history};
pub use inner::{last_match_number, record_of};
pub use proposal::{Correction, Judgement, Policy, Proposal, Taken};
pub use ruled::{Ruled, seen_places};
pub use state::{DeskState, LastTally, Lying, MatchInfo, Pending};
pub use ways::{Way, Ways};

use crate::{
    board::BoardFile,
    ledger::{Author, CallId, CameraMoved, Clock, Ledger, LedgerOptions, Note, ViewEvidence, system_clock},
    rules::{AnyGame, Event, Record},
    score::PhotoReport,
};
use inner::Inner;

/// How a desk works.
#[derive(Clone)]
pub struct DeskOptions {
    pub policy: Policy,
    /// A proposal is put to a person when its confidence is below this. Default 0.99, as for calls.
    pub ask_below: f64,
    /// The board that is played on; the game's own where there is none.
    pub board: Option<BoardFile>,
    /// The time that entries get.
    pub clock: Clock,
    pub ledger: LedgerOptions,
    /// Close calls that the state lists at most, the weightiest first. Default 20: what a page shows.
    pub close_calls: usize,
    /// Changes that a slow subscriber may be behind before it is told to read the state again.
    pub backlog: usize,
    /// How long a change of vision's waits before it is tried again where the disk is full or fails, and who
    /// is told; without it such a change fails. People are told at once, and try again themselves.
    pub wait_for_room: Option<WaitForRoom>,
}

/// Waiting for a disk that is full.
#[derive(Clone)]
pub struct WaitForRoom {
    pub every: Duration,
    /// Told the reason once, and an empty text when it is over.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Default for DeskOptions {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            ask_below: 0.99,
            board: None,
            clock: system_clock(),
            ledger: LedgerOptions::default(),
            close_calls: 20,
            backlog: 256,
            wait_for_room: None,
        }
    }
}

impl std::fmt::Debug for DeskOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeskOptions")
            .field("policy", &self.policy)
            .field("ask_below", &self.ask_below)
            .finish_non_exhaustive()
    }
}

/// What subscribers are told.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Change {
    /// The ledger's last entry after it.
    pub revision: u64,
    /// Counts every change, those that are not recorded too.
    pub tick: u64,
    /// Whether something was recorded; else only what is lying or the camera's status changed.
    pub recorded: bool,
}

/// A handle to the desk of one ledger.
#[derive(Clone)]
pub struct Desk {
    inner: Arc<Mutex<Inner>>,
    changes: broadcast::Sender<Change>,
}

impl Desk {
    /// Opens the ledger at `path`, or makes it, and takes up its last match where it stood.
    pub fn open(path: &Path, options: DeskOptions) -> Result<Desk, DeskError> {
        let (changes, _) = broadcast::channel(options.backlog.max(1));
        let ledger = Ledger::record_into(path, (options.clock)(), options.ledger.clone())?;
        Ok(Desk { inner: Arc::new(Mutex::new(Inner::take_up(ledger, options)?)), changes })
    }

    /// Goes on in another ledger: its last match is taken up where it stood, and everyone is told.
    pub fn turn_to(&self, path: &Path) -> Result<(), DeskError> {
        let mut inner = self.lock();
        let options = inner.options.clone();
        let ledger = Ledger::record_into(path, (options.clock)(), options.ledger.clone())?;
        inner.turn_to(Inner::take_up(ledger, options)?);
        self.tell(&mut inner, true);
        Ok(())
    }

    /// What everyone may see. Made once a change, so that many watchers cost nothing.
    pub fn state(&self) -> Arc<DeskState> {
        self.lock().state()
    }

    /// The number of the ledger's last entry: what a change is based on.
    pub fn revision(&self) -> u64 {
        self.lock().revision()
    }

    /// The match as it stands, for who asks the rules; `None` before one has begun.
    pub fn game(&self) -> Option<AnyGame> {
        self.lock().playing.as_ref().map(|playing| playing.record.state().clone())
    }

    /// The match as it stands if every open proposal is true.
    pub fn provisional_game(&self) -> Option<AnyGame> {
        self.lock().provisional().map(|record| record.state().clone())
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    /// The table that the next match is played on, where its game is played on such a one.
    pub fn set_board(&self, board: BoardFile) {
        self.lock().set_board(board);
    }

    /// The table that the next match is played on; the game's own where there is none.
    pub fn board(&self) -> Option<BoardFile> {
        self.lock().options.board.clone()
    }

    /// Begins a match: `event` is the match file's first line. The one before stays in the ledger.
    pub fn new_match(&self, event: Event, author: Author, based_on: Option<u64>) -> Result<usize, DeskError> {
        self.change(|inner| inner.new_match(event, author, based_on))
    }

    /// What vision saw. It is recorded at once or put to a person, as the policy says.
    pub fn propose(&self, proposal: Proposal) -> Result<Taken, DeskError> {
        self.change_or_wait(|inner| inner.propose(proposal.clone()))
    }

    /// Records a proposal as it is, or as `correction` has it. Gives the event's number.
    pub fn confirm(
        &self,
        id: u64,
        correction: Option<Correction>,
        by: &str,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        self.change(|inner| inner.confirm(id, correction, by, based_on))
    }

    /// A proposal that did not happen.
    pub fn reject(
        &self,
        id: u64,
        by: &str,
        why: Option<&str>,
        based_on: Option<u64>,
    ) -> Result<(), DeskError> {
        self.change(|inner| inner.reject(id, by, why, based_on))
    }

    /// Records an event. Gives its number.
    pub fn append(&self, event: Event, author: Author, based_on: Option<u64>) -> Result<usize, DeskError> {
        self.change(|inner| inner.append(event, author, None, based_on))
    }

    /// Records an event with the view that it rests on, whatever the policy.
    pub fn append_with_view(
        &self,
        event: Event,
        author: Author,
        evidence: ViewEvidence,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        self.change(|inner| inner.append(event, author, Some(evidence), based_on))
    }

    /// Takes back an event; the last one that stands when none is named.
    pub fn undo(
        &self,
        event: Option<usize>,
        by: &str,
        why: Option<&str>,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        self.change(|inner| inner.undo(event, by, why, based_on))
    }

    /// Puts another event in the place of an earlier one.
    pub fn overrule(
        &self,
        event: usize,
        with: Event,
        by: &str,
        why: Option<&str>,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        self.change(|inner| inner.overrule(event, with, by, why, based_on))
    }

    /// A person's ruling on a call; the score follows. Gives the number of the event that carries it
    /// out.
    pub fn verdict(
        &self,
        call: CallId,
        judgement: Judgement<'_>,
        based_on: Option<u64>,
    ) -> Result<Option<usize>, DeskError> {
        self.change(|inner| inner.verdict(call, judgement, based_on))
    }

    /// A remark, with the view that shows it.
    pub fn note(&self, note: Note, author: Author, evidence: Option<ViewEvidence>) -> Result<u64, DeskError> {
        self.change_or_wait(|inner| inner.note(note.clone(), author.clone(), evidence.clone()))
    }

    /// Marks the calls made since the camera was last seen in its place.
    pub fn camera_moved(&self, moved: CameraMoved) -> Result<u64, DeskError> {
        self.change_or_wait(|inner| inner.camera_moved(moved.clone()))
    }

    pub fn set_policy(&self, policy: Policy) {
        self.show(|inner| inner.set_policy(policy));
    }

    /// What lies on the board now, for pages to draw. Not recorded.
    pub fn show_lying(&self, report: Option<PhotoReport>) {
        self.show(|inner| inner.show_lying(report));
    }

    /// The camera's status for pages (moving, settled, rates …). Not recorded.
    pub fn show_status(&self, status: serde_json::Value) {
        self.show(|inner| inner.show_status(status));
    }

    /// The frame that a settled view shows, with the same tally: what to propose.
    pub fn frame_event(&self, report: &PhotoReport) -> Result<Event, DeskError> {
        self.lock().frame_event(report)
    }

    /// What every open proposal would bring, and the likeliest other ways, in order.
    pub fn ways(&self) -> Vec<Ways> {
        self.lock().ways()
    }

    /// Every call of the current match, weightiest first.
    pub fn calls(&self) -> Result<Vec<CallSummary>, DeskError> {
        self.lock().calls()
    }

    /// Reads the match's record: every event, and what stands. `None` when no match has begun.
    pub fn with_record<T>(&self, read: impl FnOnce(&Record) -> T) -> Option<T> {
        self.lock().playing.as_ref().map(|playing| read(&playing.record))
    }

    /// Reads from the ledger: frames, views, entries.
    pub fn with_ledger<T>(&self, read: impl FnOnce(&Ledger) -> T) -> T {
        read(self.lock().ledger())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic in a change leaves the desk as the ledger has it: memory is swapped in last.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, act: impl FnOnce(&mut Inner) -> Result<T, DeskError>) -> Result<T, DeskError> {
        let mut inner = self.lock();
        let before = inner.revision();
        let result = act(&mut inner);
        if inner.revision() != before {
            self.tell(&mut inner, true);
        }
        result
    }

    /// A change that vision makes: with nobody to try again, it waits for a full disk to have room. Pages go
    /// on meanwhile, with what is recorded.
    fn change_or_wait<T>(&self, act: impl Fn(&mut Inner) -> Result<T, DeskError>) -> Result<T, DeskError> {
        let mut told = false;
        loop {
            let result = self.change(&act);
            let wait = self.lock().options.wait_for_room.clone();
            match (&result, wait) {
                (Err(DeskError::Ledger(error)), Some(wait)) if error.passes() => {
                    if !told {
                        (wait.tell)(&error.to_string());
                        told = true;
                    }
                    std::thread::sleep(wait.every);
                }
                (_, wait) => {
                    if let Some(wait) = wait.filter(|_| told) {
                        (wait.tell)("");
                    }
                    return result;
                }
            }
        }
    }

    fn show(&self, act: impl FnOnce(&mut Inner)) {
        let mut inner = self.lock();
        act(&mut inner);
        self.tell(&mut inner, false);
    }

    fn tell(&self, inner: &mut Inner, recorded: bool) {
        let change = inner.changed(recorded);
        // Nobody may be listening.
        let _ = self.changes.send(change);
    }
}
