//! A simulated evening replayed: the events that the loop records, against the truth.
//!
//! In: a folder that `simulate --evening` wrote (frames, `sequence.json`, `truth.jsonl`). Out: an
//! [`EveningReport`]: of every true event whether it was recorded right, asked about, recorded
//! wrong or missed, and what was recorded that never happened. Where the loop asks, a referee who
//! knows the truth answers, so that one doubt does not spoil what comes after it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{EvaluateError, EvaluateOptions, Truth, cameras, true_photo};
use crate::{
    board::{Board, End},
    calls::{self, CallOptions, PaintEdge, PieceState, Sighting},
    capture::{FolderSource, Source},
    geometry::Point,
    live::{Book, Draft, LiveOptions, Moved, Remark, Session, SettledView, Taken},
    rules::{
        AnyGame, Event, Record, Refusal,
        event::{ForgottenEvent, FramePiece},
    },
    score::Scorer,
};

/// How one event came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventVerdict {
    /// Recorded as it happened.
    Right,
    /// Asked, and the guess was right.
    AskedRight,
    /// Asked, and the guess was wrong.
    AskedWrong,
    /// Recorded, and wrong.
    Wrong,
    /// Never recorded.
    Missed,
    /// Asked about something that did not happen.
    AskedExtra,
    /// Recorded, but it did not happen.
    Extra,
}

/// One event, true or drafted.
#[derive(Debug, Clone, Serialize)]
pub struct EventOutcome {
    /// Its number in the truth; of the next one for what did not happen.
    pub event: usize,
    pub frame: u64,
    pub verdict: EventVerdict,
    pub truth: Option<Event>,
    pub draft: Option<Draft>,
}

/// An evening's outcome.
#[derive(Debug, Clone, Serialize)]
pub struct EveningReport {
    pub folder: String,
    pub game: String,
    pub frames: u64,
    pub events: usize,
    pub counts: BTreeMap<EventVerdict, usize>,
    /// How often the camera was said to have moved.
    pub camera_moved: usize,
    pub outcomes: Vec<EventOutcome>,
}

impl EveningReport {
    pub fn count(&self, verdict: EventVerdict) -> usize {
        self.counts.get(&verdict).copied().unwrap_or(0)
    }

    /// Counts another evening's events with this one's.
    pub fn add(&mut self, other: &EveningReport) {
        self.frames += other.frames;
        self.events += other.events;
        self.camera_moved += other.camera_moved;
        for (verdict, count) in &other.counts {
            *self.counts.entry(*verdict).or_insert(0) += count;
        }
        self.outcomes.extend(other.outcomes.iter().cloned());
    }

    /// Everything that was recorded is true, and every exception is one where the loop asked.
    pub fn holds(&self) -> bool {
        use EventVerdict::{Extra, Missed, Wrong};
        [Wrong, Missed, Extra].iter().all(|verdict| self.count(*verdict) == 0)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum EveningError {
    #[error("{path} is no simulated evening: {reason}; make one with linecall simulate --evening")]
    Folder { path: PathBuf, reason: String },
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error("{path}: {reason}")]
    Replay { path: PathBuf, reason: String },
}

/// The parts of `sequence.json` that are needed.
#[derive(Debug, Deserialize)]
struct Story {
    board: String,
    fps: f64,
    events: Vec<StoryEvent>,
}

#[derive(Debug, Deserialize)]
struct StoryEvent {
    frame: u64,
}

/// Replays an evening. `done` is told of every frame.
pub fn evaluate_evening(
    folder: &Path,
    options: &EvaluateOptions,
    live: &LiveOptions,
    done: &dyn Fn(u64, Option<u64>),
) -> Result<EveningReport, EveningError> {
    let wrong = |reason: String| EveningError::Folder { path: folder.to_owned(), reason };
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| wrong(format!("{name}: {error}")))
    };
    let story: Story = serde_json::from_str(&read("sequence.json")?).map_err(|e| wrong(e.to_string()))?;
    let truth: Vec<Event> = read("truth.jsonl")?
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|e| wrong(format!("truth.jsonl: {e}")))?;
    let Some(Event::Match(header)) = truth.first() else {
        return Err(wrong("truth.jsonl does not begin with a match".to_owned()));
    };
    let board = Board::named_or_at(&story.board).map_err(|e| wrong(e.to_string()))?;
    let scorer = Scorer::new(board, Some(&header.game), End::Far, options.score.clone())
        .map_err(|e| wrong(e.to_string()))?;
    let failed = |reason: String| EveningError::Replay { path: folder.to_owned(), reason };
    let mut source = FolderSource::open(folder, story.fps).map_err(|e| failed(e.to_string()))?;
    let photo = first_photo(folder).ok_or_else(|| wrong("it has no frames".to_owned()))?;
    let first = true_photo(folder, photo.clone(), Truth::load(&photo.with_extension("json"))?);
    let registration = cameras::calibrate(&first.photo, &first, &scorer, options).map_err(failed)?;
    let game = header.game.clone();
    let known_at = story.events.iter().map(|event| event.frame);
    let timed = truth.into_iter().zip(known_at).collect();
    let judge = Judge::new(timed, &scorer.board, live).map_err(|e| wrong(e.to_string()))?;
    let mut session = Session::new(scorer, registration, live.clone(), judge);
    let all = source.about().frames;
    let mut frames = 0;
    while let Some(frame) = source.next().map_err(|e| failed(e.to_string()))? {
        session.book.frame = frame.index;
        session.push(&frame).map_err(|e| failed(e.to_string()))?;
        frames += 1;
        done(frames, all);
    }
    session.finish().map_err(|e| failed(e.to_string()))?;
    let judge = session.book;
    let (camera_moved, outcomes) = (judge.camera_moved, judge.finish());
    let mut counts = BTreeMap::new();
    for outcome in &outcomes {
        *counts.entry(outcome.verdict).or_insert(0) += 1;
    }
    let events = story.events.len().saturating_sub(1);
    let folder = folder.display().to_string();
    Ok(EveningReport { folder, game, frames, events, counts, camera_moved, outcomes })
}

fn first_photo(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|e| e == "jpg" || e == "png")).min()
}

/// A referee who knows the truth: takes drafts, says what became of each, and goes on with what is true.
pub struct Judge {
    record: Record,
    truth: Vec<Event>,
    known_at: Vec<u64>,
    /// The next true event.
    next: usize,
    /// The frame that is being looked at.
    pub frame: u64,
    ask_below: f64,
    camera_moved: usize,
    outcomes: Vec<EventOutcome>,
}

impl Judge {
    /// `truth`: the match and its events, with the frame from which on each can be known.
    pub fn new(truth: Vec<(Event, u64)>, board: &Board, live: &LiveOptions) -> Result<Self, Refusal> {
        let (truth, known_at): (Vec<Event>, Vec<u64>) = truth.into_iter().unzip();
        let header = truth.first().cloned().unwrap_or(Event::Forgotten(ForgottenEvent {}));
        Ok(Self {
            record: Record::open(0, header, Some(std::sync::Arc::new(board.clone())))?,
            known_at,
            truth,
            next: 1,
            frame: 0,
            ask_below: live.umpire.ask_below,
            camera_moved: 0,
            outcomes: Vec::new(),
        })
    }

    /// Whether an event has happened, given that it may be seen a few frames before everything has
    /// been still for long.
    fn has_happened(&self, event: usize, early_frames: u64) -> bool {
        event < self.truth.len()
            && self.known_at.get(event).is_some_and(|frame| *frame <= self.frame + early_frames)
    }

    /// Books the next true event with its outcome.
    fn settle(&mut self, verdict: EventVerdict, draft: Option<Draft>) {
        let truth = self.truth[self.next].clone();
        // The truth keeps to the rules; a refusal would show as later differences.
        let _ = self.record.push(self.next, truth.clone());
        let (event, frame) = (self.next, self.frame);
        self.outcomes.push(EventOutcome { event, frame, verdict, truth: Some(truth), draft });
        self.next += 1;
    }

    /// What became of every event.
    pub fn finish(mut self) -> Vec<EventOutcome> {
        while self.next < self.truth.len() {
            self.settle(EventVerdict::Missed, None);
        }
        self.outcomes
    }
}

impl Book for Judge {
    type Error = std::convert::Infallible;

    fn game(&self) -> Option<AnyGame> {
        Some(self.record.state().clone())
    }

    fn take(&mut self, draft: &Draft, _view: &SettledView) -> Result<Taken, Self::Error> {
        Ok(self.judge(draft))
    }

    fn remark(&mut self, _remark: &Remark) -> Result<(), Self::Error> {
        Ok(())
    }

    fn camera_moved(&mut self, _moved: &Moved) -> Result<(), Self::Error> {
        self.camera_moved += 1;
        Ok(())
    }
}

impl Judge {
    /// The match as it truly stands.
    pub fn state(&self) -> &AnyGame {
        self.record.state()
    }

    /// Compares a draft with what is true.
    pub fn judge(&mut self, draft: &Draft) -> Taken {
        let asked = !draft.doubts.is_empty() || draft.confidence < self.ask_below;
        while self.has_happened(self.next + 1, 0) {
            self.settle(EventVerdict::Missed, None);
        }
        if !self.has_happened(self.next, EARLY_FRAMES) {
            let verdict = if asked { EventVerdict::AskedExtra } else { EventVerdict::Extra };
            let (event, frame) = (self.next, self.frame);
            self.outcomes.push(EventOutcome {
                event,
                frame,
                verdict,
                truth: None,
                draft: Some(draft.clone()),
            });
            return Taken::Asked { why: "it did not happen".to_owned() };
        }
        let right = is_same(&draft.event, &self.truth[self.next], self.record.state());
        let verdict = match (asked, right) {
            (false, true) => EventVerdict::Right,
            (false, false) => EventVerdict::Wrong,
            (true, true) => EventVerdict::AskedRight,
            (true, false) => EventVerdict::AskedWrong,
        };
        self.settle(verdict, Some(draft.clone()));
        match asked {
            true => Taken::Asked { why: String::new() },
            false => Taken::Recorded { number: self.next - 1 },
        }
    }
}

/// The truth waits for the last of the still frames after a shot.
const EARLY_FRAMES: u64 = 5;

/// A piece of a frame is the true one when it lies within this of it, in mm.
const SAME_PLACE_MM: f64 = 2.0;

/// Whether two events say the same: equal strikes; frames with the same pieces in the same places
/// and the same points.
fn is_same(found: &Event, truth: &Event, game: &AnyGame) -> bool {
    match (found, truth) {
        (Event::Frame(found), Event::Frame(truth)) => {
            let points = |event: &Event| game.clone().play(event).map(|entry| entry.points);
            let same_points =
                match (points(&Event::Frame(found.clone())), points(&Event::Frame(truth.clone()))) {
                    (Ok(found), Ok(truth)) => found == truth,
                    _ => false,
                };
            same_points && has_same_pieces(&found.pieces, &truth.pieces, &game.setup().board)
        }
        (Event::Strike(found), Event::Strike(truth)) => {
            let sorted = |colours: &[String]| {
                let mut colours = colours.to_vec();
                colours.sort();
                colours
            };
            sorted(&found.pocketed) == sorted(&truth.pocketed)
                && sorted(&found.off_board) == sorted(&truth.off_board)
                && found.striker == truth.striker
                && found.fouls.clone().unwrap_or_default() == truth.fouls.clone().unwrap_or_default()
                && found.disturbed.unwrap_or(true) == truth.disturbed.unwrap_or(true)
                && found.cushioned == truth.cushioned
        }
        (found, truth) => found == truth,
    }
}

/// Whether every piece that truly lies there was found, and nothing else. Dead pieces and rocks that
/// touched no bank may be in either and missing in the other: they count for nothing, they are about
/// to be taken away, and on the long board they may lie outside the view.
fn has_same_pieces(found: &[FramePiece], truth: &[FramePiece], board: &Board) -> bool {
    let lying = |pieces: &[FramePiece]| -> Vec<(String, Point, bool)> {
        let place = |p: &FramePiece| {
            let at = Point::new(p.x_mm?, p.y_mm?);
            Some((p.colour.clone(), at, p.banked == Some(false) || is_dead(&p.colour, at, board)))
        };
        pieces.iter().filter_map(place).collect()
    };
    let (mut found, truth) = (lying(found), lying(truth));
    let all_found = truth.iter().all(|(colour, at, dead)| {
        let is_it = |f: &(String, Point, bool)| f.0 == *colour && (f.1 - at).norm() < SAME_PLACE_MM;
        match found.iter().position(is_it) {
            Some(at) => {
                found.swap_remove(at);
                true
            }
            None => *dead,
        }
    });
    all_found && found.iter().all(|(_, _, dead)| *dead)
}

fn is_dead(colour: &str, at: Point, board: &Board) -> bool {
    let sighting = Sighting::exact(colour, at);
    calls::call(board, End::Far, &sighting, &PaintEdge::as_drawn, &CallOptions::default())
        .is_some_and(|call| call.state == PieceState::Dead)
}
