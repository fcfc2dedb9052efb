//! Only the newest frame, and a camera that comes back.
//!
//! In: a way to open a live source, on a thread of its own. Out: the newest frame whenever the
//! loop asks; older ones are dropped and counted, never queued. What a camera does wrong (it
//! stalls, is unplugged, cannot be opened) comes out as an [`Interruption`], and meanwhile it is
//! opened again with growing pauses.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::{
    Frame, Interruption, InterruptionKind, Pace, Rates, Source, SourceError, SourceInfo, rates::Meter,
};

/// The name of threads that ask cameras. Their panics are caught and told as what they are.
pub(crate) const CAPTURE_THREAD: &str = "capture";

/// Patience with a live source.
#[derive(Debug, Clone)]
pub struct LiveOptions {
    /// Silence after which a camera counts as stalled. Default 2 s: a webcam that changes its
    /// exposure pauses up to a second. Less notices a dead camera sooner.
    pub stall_after: Duration,
    /// Pause before a camera is opened again. Default 0.25 s; it doubles with every failure.
    pub first_pause: Duration,
    /// Longest such pause. Default 4 s: longer than that nobody waits beside a table.
    pub longest_pause: Duration,
    /// Longest time that opening may take at the start. Default 15 s: network cameras are slow.
    pub open_within: Duration,
    /// Stretch over which rates are counted. Default 3 s: steady to read, and soon true again.
    pub rate_window: Duration,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self {
            stall_after: Duration::from_secs(2),
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(4),
            open_within: Duration::from_secs(15),
            rate_window: Duration::from_secs(3),
        }
    }
}

/// Opens the source behind; called again after every interruption.
pub type Opener = Box<dyn FnMut() -> Result<Box<dyn Source>, SourceError> + Send>;

/// A live source that delivers only its newest frame.
pub struct NewestSource {
    shared: Arc<Shared>,
    options: LiveOptions,
    name: String,
    analysed: u64,
    analysed_meter: Meter,
}

struct Shared {
    started: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

/// What the capture thread tells and the loop takes.
struct State {
    info: SourceInfo,
    asked_fps: Option<f64>,
    newest: Option<Frame>,
    /// When the last frame came, or the source was opened.
    heard: Duration,
    /// What is wrong at present, until a frame comes.
    trouble: Option<Interruption>,
    /// Whether the loop knows of it.
    told: bool,
    /// When the source is opened again.
    retry_at: Option<Duration>,
    delivered: u64,
    dropped: u64,
    damaged_before: u64,
    damaged: u64,
    interruptions: u64,
    meter: Meter,
    stop: bool,
}

impl State {
    /// The trouble that the loop does not know of, or that still lasts after a long wait;
    /// silence that nobody explained is a stall.
    fn trouble_to_tell(&mut self, now: Duration, waited_long: bool, name: &str) -> Option<SourceError> {
        if !waited_long && (self.told || self.trouble.is_none()) {
            return None;
        }
        let trouble = self.trouble.get_or_insert_with(|| {
            self.interruptions += 1;
            Interruption {
                source: name.to_owned(),
                kind: InterruptionKind::Stalled,
                silent_for: Duration::ZERO,
                reason: None,
                retry_in: None,
            }
        });
        self.told = true;
        Some(SourceError::Interrupted(Interruption {
            silent_for: now.saturating_sub(self.heard),
            retry_in: self.retry_at.map(|at| at.saturating_sub(now)),
            ..trouble.clone()
        }))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic while the lock was held leaves counts behind that are still true.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

impl NewestSource {
    /// Starts the capture thread. Fails when the source cannot be opened the first time; later
    /// failures are interruptions. `name` stands in messages.
    pub fn start(name: &str, open: Opener, options: LiveOptions) -> Result<Self, SourceError> {
        let info = SourceInfo {
            name: name.to_owned(),
            pace: Pace::Live,
            size: None,
            frames: None,
            remarks: Vec::new(),
        };
        let shared = Arc::new(Shared {
            started: Instant::now(),
            state: Mutex::new(State {
                info,
                asked_fps: None,
                newest: None,
                heard: Duration::ZERO,
                trouble: None,
                told: false,
                retry_at: None,
                delivered: 0,
                dropped: 0,
                damaged_before: 0,
                damaged: 0,
                interruptions: 0,
                meter: Meter::new(options.rate_window),
                stop: false,
            }),
            changed: Condvar::new(),
        });
        let refused = |reason: String| SourceError::Open {
            name: name.to_owned(),
            reason,
            remedy: "check that it is plugged in and used by no other program".to_owned(),
        };
        let (first_opening, opened) = mpsc::channel();
        let capture = Capture {
            shared: Arc::clone(&shared),
            open,
            options: options.clone(),
            name: name.to_owned(),
            first_opening: Some(first_opening),
        };
        thread::Builder::new()
            .name(CAPTURE_THREAD.to_owned())
            .spawn(move || capture.run())
            .map_err(|error| refused(error.to_string()))?;
        let source = Self {
            shared,
            name: name.to_owned(),
            analysed: 0,
            analysed_meter: Meter::new(options.rate_window),
            options,
        };
        match opened.recv_timeout(source.options.open_within) {
            Ok(Ok(())) => Ok(source),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(refused("it does not answer".to_owned())),
        }
    }
}

impl Source for NewestSource {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        let asked = self.shared.now();
        let mut state = self.shared.lock();
        loop {
            if let Some(frame) = state.newest.take() {
                self.analysed += 1;
                self.analysed_meter.count(self.shared.now());
                return Ok(Some(frame));
            }
            let now = self.shared.now();
            let deadline = state.heard.max(asked) + self.options.stall_after;
            if let Some(trouble) = state.trouble_to_tell(now, now >= deadline, &self.name) {
                return Err(trouble);
            }
            state = self
                .shared
                .changed
                .wait_timeout(state, deadline - now)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn about(&self) -> SourceInfo {
        self.shared.lock().info.clone()
    }

    fn rates(&self) -> Rates {
        let now = self.shared.now();
        let state = self.shared.lock();
        Rates {
            most_behind_secs: None,
            asked_fps: state.asked_fps,
            delivered_fps: state.meter.fps(now),
            analysed_fps: self.analysed_meter.fps(now),
            delivered: state.delivered,
            analysed: self.analysed,
            dropped: state.dropped,
            damaged: state.damaged_before + state.damaged,
            interruptions: state.interruptions,
        }
    }
}

impl Drop for NewestSource {
    /// The thread is told to end and not waited for: a camera may hold it for ever.
    fn drop(&mut self) {
        self.shared.lock().stop = true;
        self.shared.changed.notify_all();
    }
}

/// The capture thread's side.
struct Capture {
    shared: Arc<Shared>,
    open: Opener,
    options: LiveOptions,
    name: String,
    first_opening: Option<mpsc::Sender<Result<(), SourceError>>>,
}

impl Capture {
    fn run(mut self) {
        let mut pause = self.options.first_pause;
        while !self.shared.lock().stop {
            let delivered_before = self.shared.lock().delivered;
            // Drivers of cameras panic where they should fail; that must not end the evening.
            let ended = catch_unwind(AssertUnwindSafe(|| self.open_and_deliver()));
            let (kind, reason) = match ended {
                Ok(Ending::Told) => return,
                Ok(Ending::Failed(kind, reason)) => (kind, reason),
                Err(_) => (InterruptionKind::Gone, "its driver failed".to_owned()),
            };
            if self.shared.lock().delivered > delivered_before {
                pause = self.options.first_pause;
            }
            self.interrupted(kind, reason, pause);
            if !self.rest(pause) {
                return;
            }
            pause = (pause * 2).min(self.options.longest_pause);
        }
    }

    fn open_and_deliver(&mut self) -> Ending {
        let mut source = match (self.open)() {
            Ok(source) => source,
            Err(error) => {
                let reason = match &error {
                    SourceError::Open { reason, .. } => reason.clone(),
                    other => other.to_string(),
                };
                if let Some(first) = self.first_opening.take() {
                    // Whoever waits is told; a source that never was is not opened again.
                    let _ = first.send(Err(error));
                    return Ending::Told;
                }
                return Ending::Failed(InterruptionKind::Closed, reason);
            }
        };
        self.opened(source.as_ref());
        loop {
            let next = source.next();
            let damaged = source.rates().damaged;
            match next {
                Ok(Some(frame)) => {
                    if !self.deliver(frame, damaged) {
                        return Ending::Told;
                    }
                }
                Ok(None) => return Ending::Failed(InterruptionKind::Gone, "it ended".to_owned()),
                Err(SourceError::Interrupted(told)) => {
                    let reason = told.reason.unwrap_or_else(|| "it stopped sending".to_owned());
                    return Ending::Failed(told.kind, reason);
                }
                Err(SourceError::BrokenOff { reason, .. }) => {
                    return Ending::Failed(InterruptionKind::Gone, reason);
                }
                Err(error) => return Ending::Failed(InterruptionKind::Gone, error.to_string()),
            }
        }
    }

    fn opened(&mut self, source: &dyn Source) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        if state.delivered == 0 {
            state.heard = now;
        }
        state.info = SourceInfo { pace: Pace::Live, frames: None, ..source.about() };
        state.asked_fps = source.rates().asked_fps;
        state.damaged_before += std::mem::take(&mut state.damaged);
        state.retry_at = None;
        drop(state);
        if let Some(first) = self.first_opening.take() {
            let _ = first.send(Ok(()));
        }
    }

    /// Puts the frame in the place of the one before; false when nobody wants frames any more.
    fn deliver(&self, frame: Frame, damaged: u64) -> bool {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        let index = state.delivered;
        state.delivered += 1;
        state.damaged = damaged;
        state.heard = now;
        state.trouble = None;
        state.meter.count(now);
        let frame = Frame { index, since_start: now, ..frame };
        if state.newest.replace(frame).is_some() {
            state.dropped += 1;
        }
        let wanted = !state.stop;
        drop(state);
        self.shared.changed.notify_all();
        wanted
    }

    fn interrupted(&self, kind: InterruptionKind, reason: String, pause: Duration) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        // A stall that the loop has noticed before ends in a failure: still one interruption.
        if state.trouble.is_none() {
            state.interruptions += 1;
        }
        let trouble = Interruption {
            source: self.name.clone(),
            kind,
            silent_for: Duration::ZERO,
            reason: Some(reason),
            retry_in: None,
        };
        // The same trouble again is news to a loop that has not asked since it began.
        state.told &= state.trouble.as_ref() == Some(&trouble);
        state.trouble = Some(trouble);
        state.retry_at = Some(now + pause);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Waits; false when the source is not wanted any more.
    fn rest(&self, pause: Duration) -> bool {
        let until = self.shared.now() + pause;
        let mut state = self.shared.lock();
        while !state.stop {
            let Some(left) = until.checked_sub(self.shared.now()).filter(|left| !left.is_zero()) else {
                return true;
            };
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }
}

/// How a source that was opened came to its end.
enum Ending {
    /// Whoever asked knows already.
    Told,
    Failed(InterruptionKind, String),
}
