//! A desk's memory: the match as the ledger has it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde_json::Value;

use super::{
    Change, DeskError, DeskOptions, DeskState, LastTally, Lying, MatchInfo, Pending, Policy, Since,
    calls::{CallSummary, Sources, summaries},
};
use crate::{
    board::{Board, BoardFile},
    ledger::{CameraMoved, Content, Entry, Kind, Ledger, Note, Shown, ViewId},
    rules::{Event, Record, Recorded, report},
    score::PhotoReport,
};

/// A match that is being played.
#[derive(Debug, Clone)]
pub(super) struct Playing {
    pub number: u32,
    pub record: Record,
}

pub(super) struct Inner {
    pub ledger: Ledger,
    pub options: DeskOptions,
    pub entries: Vec<Entry>,
    pub playing: Option<Playing>,
    pub pending: Vec<Pending>,
    reports: HashMap<ViewId, Arc<PhotoReport>>,
    lying: Option<Lying>,
    status: Option<Value>,
    tick: u64,
    state: Option<Arc<DeskState>>,
    /// The state as it was made last: of what is recorded, good until something is.
    recorded: Option<Arc<DeskState>>,
}

impl Inner {
    /// Folds what the ledger holds.
    pub fn take_up(ledger: Ledger, options: DeskOptions) -> Result<Inner, DeskError> {
        let entries = ledger.entries()?;
        let playing = last_match(&ledger, &entries)?;
        let mut inner = Inner {
            pending: open_proposals(&entries),
            ledger,
            options,
            entries,
            playing,
            reports: HashMap::new(),
            lying: None,
            status: None,
            tick: 0,
            state: None,
            recorded: None,
        };
        let last_view = inner.entries.iter().rev().find_map(|entry| entry.view);
        if let Some(view) = last_view {
            inner.lying = Some(lying(&*inner.report(view)?, Some(view)));
        }
        Ok(inner)
    }

    /// Another ledger's memory takes this one's place; changes are counted on.
    pub fn turn_to(&mut self, other: Inner) {
        let tick = self.tick;
        *self = Inner { tick, ..other };
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub fn revision(&self) -> u64 {
        self.ledger.head().seq
    }

    pub fn changed(&mut self, recorded: bool) -> Change {
        self.tick += 1;
        self.recorded = self.state.take().or(self.recorded.take()).filter(|_| !recorded);
        Change { revision: self.revision(), tick: self.tick, recorded }
    }

    pub fn set_policy(&mut self, policy: Policy) {
        self.options.policy = policy;
    }

    pub fn set_board(&mut self, board: BoardFile) {
        self.options.board = Some(board);
    }

    pub fn show_lying(&mut self, report: Option<PhotoReport>) {
        self.lying = report.map(|report| lying(&report, None));
    }

    pub fn show_status(&mut self, status: Value) {
        self.status = Some(status);
    }

    /// Takes in what has just been recorded.
    pub fn recorded(&mut self, entries: Vec<Entry>) -> Result<(), DeskError> {
        for entry in &entries {
            match (&entry.content, entry.refers) {
                (Content::Decision(_), Some(id)) => self.pending.retain(|pending| pending.id != id),
                (Content::Proposal(_), _) => self.pending.extend(pending(entry)),
                _ => {}
            }
        }
        let view = entries.iter().rev().find_map(|entry| entry.view);
        self.entries.extend(entries);
        if let Some(view) = view {
            self.lying = Some(lying(&*self.report(view)?, Some(view)));
        }
        Ok(())
    }

    /// The match as it stands if every open proposal is true: what follows goes by that, so that one question
    /// that nobody has answered does not hold up a game.
    pub fn provisional(&self) -> Option<Record> {
        let mut record = self.playing.as_ref()?.record.clone();
        for pending in &self.pending {
            let number = record.next_number();
            // One that the rules do not allow is a question by itself, and changes nothing that follows.
            let _ = record.push(number, pending.event.clone());
        }
        Some(record)
    }

    pub fn frame_event(&self, report: &PhotoReport) -> Result<Event, DeskError> {
        let record = self.provisional().ok_or(DeskError::NoMatch)?;
        let game = record.state();
        Ok(Event::Frame(super::frame_event(report, game.setup(), game.colours())))
    }

    /// A stored view's report.
    pub fn report(&mut self, view: ViewId) -> Result<Arc<PhotoReport>, DeskError> {
        if let Some(report) = self.reports.get(&view) {
            return Ok(report.clone());
        }
        let report = Arc::new(self.ledger.view(view)?.report);
        self.reports.insert(view, report.clone());
        Ok(report)
    }

    pub fn calls(&mut self) -> Result<Vec<CallSummary>, DeskError> {
        let Some(number) = self.playing.as_ref().map(|playing| playing.number) else { return Ok(Vec::new()) };
        let views: Vec<ViewId> = self
            .entries
            .iter()
            .filter(|entry| entry.match_number == number && entry.event().is_some())
            .filter_map(|entry| entry.view)
            .collect();
        for view in views {
            self.report(view)?;
        }
        let Some(playing) = &self.playing else { return Ok(Vec::new()) };
        let sources = Sources {
            match_number: number,
            entries: &self.entries,
            record: &playing.record,
            report: &|view| self.reports.get(&view).map(|report| &**report),
            only: None,
        };
        Ok(summaries(&sources))
    }

    pub fn state(&mut self) -> Arc<DeskState> {
        if let Some(state) = &self.state {
            return state.clone();
        }
        // What is lying or how the camera does changes many times a second; the rest is made once.
        let of_record = match &self.recorded {
            Some(known) => DeskState::clone(known),
            None => self.state_of_record(),
        };
        let state = Arc::new(DeskState {
            tick: self.tick,
            lying: self.lying.clone(),
            policy: self.options.policy,
            camera: self.status.clone(),
            ..of_record
        });
        self.state = Some(state.clone());
        state
    }

    /// What follows from the ledger alone.
    fn state_of_record(&mut self) -> DeskState {
        // A view that cannot be read any more costs its close calls, not the score.
        let mut close_calls = self.calls().unwrap_or_default();
        close_calls.retain(|call| call.close && call.verdict.is_none() && !call.undone && !call.overruled);
        close_calls.truncate(self.options.close_calls);
        let playing = self.playing.as_ref();
        let standing = playing.map(|playing| report::json(&playing.record));
        DeskState {
            revision: self.revision(),
            tick: self.tick,
            match_info: playing.and_then(match_info),
            last: standing.as_ref().and_then(|standing| self.last(standing)),
            standing,
            provisional: match self.pending.is_empty() {
                true => None,
                false => self.provisional().map(|record| report::json(&record)),
            },
            lying: None,
            pending: self.pending.clone(),
            close_calls,
            notes: self.notes(),
            camera_moved: self.last_camera_moved(),
            policy: self.options.policy,
            camera: None,
        }
    }

    fn last(&self, standing: &Value) -> Option<LastTally> {
        let frame = standing["frames"].as_array()?.last()?.clone();
        let number = frame["event"].as_u64().map(|number| number as usize);
        let playing = self.playing.as_ref()?;
        let of_event = |entry: &&Entry| entry.match_number == playing.number && entry.number == number;
        let view = self.entries.iter().rev().find(of_event).and_then(|entry| entry.view);
        Some(LastTally { frame, view })
    }

    fn last_camera_moved(&self) -> Option<CameraMoved> {
        let mut since_event = self.entries.iter().rev().take_while(|entry| entry.event().is_none());
        let last = since_event.find_map(|entry| match &entry.content {
            Content::CameraMoved(moved) => Some(moved.clone()),
            _ => None,
        });
        last.filter(|moved| !moved.set_up)
    }

    fn notes(&self) -> Vec<Note> {
        let since_event = self.entries.iter().rev().take_while(|entry| entry.event().is_none());
        let mut notes: Vec<Note> = since_event
            .filter_map(|entry| match &entry.content {
                Content::Note(note) => Some(note.clone()),
                _ => None,
            })
            .collect();
        notes.reverse();
        notes
    }

    /// Refuses a change that its author would not have made had they seen the score as it is.
    pub fn check_fresh(&self, based_on: Option<u64>) -> Result<(), DeskError> {
        let Some(based_on) = based_on else { return Ok(()) };
        let matters = |entry: &&Entry| {
            matches!(entry.content.kind(), Kind::Event | Kind::Decision | Kind::Verdict)
                && entry.seq > based_on
        };
        let since: Vec<Since> = self.entries.iter().filter(matters).map(since).collect();
        if since.is_empty() {
            return Ok(());
        }
        Err(DeskError::Stale { based_on, now: self.revision(), since })
    }
}

/// The score that is shown for a record.
pub(super) fn shown(record: &Record) -> Shown {
    let game = record.state();
    let standing = game.standing();
    Shown {
        scores: report::by_name(game, standing.scores),
        games: report::by_name(game, standing.games),
        status: standing.status.name().to_owned(),
    }
}

fn since(entry: &Entry) -> Since {
    let what = match &entry.content {
        Content::Event(Event::Undo(undo)) => format!("an undo of event {}", undo.event),
        Content::Event(Event::Overrule(overrule)) => format!("an overrule of event {}", overrule.event),
        Content::Event(event) => format!("event {}, {}", entry.number.unwrap_or(0), event.name()),
        Content::Decision(decision) => {
            format!("proposal {} as {:?}", entry.refers.unwrap_or(0), decision.decided).to_lowercase()
        }
        Content::Verdict(verdict) => format!("{} on call {}", verdict.ruling.name(), verdict.call),
        other => format!("{:?}", other.kind()).to_lowercase(),
    };
    Since { seq: entry.seq, author: entry.author.to_string(), what }
}

fn match_info(playing: &Playing) -> Option<MatchInfo> {
    let record = &playing.record;
    let setup = record.state().setup();
    Some(MatchInfo {
        number: playing.number,
        game: setup.game.id().to_owned(),
        board: setup.board.id.clone(),
        header: record.standing(0)?.clone(),
        events: record.next_number(),
    })
}

fn lying(report: &PhotoReport, view: Option<ViewId>) -> Lying {
    Lying { board: report.board.clone(), end: report.end, view, pieces: report.pieces.clone() }
}

fn pending(entry: &Entry) -> Option<Pending> {
    let Content::Proposal(proposed) = &entry.content else { return None };
    Some(Pending {
        id: entry.seq,
        at: entry.at,
        event: proposed.event.clone(),
        confidence: proposed.confidence,
        doubts: proposed.doubts.clone(),
        asks: proposed.asks.clone(),
        waits: proposed.waits,
        view: entry.view,
        author: entry.author.clone(),
    })
}

fn open_proposals(entries: &[Entry]) -> Vec<Pending> {
    let decisions = entries.iter().filter(|entry| matches!(entry.content, Content::Decision(_)));
    let decided: HashSet<u64> = decisions.filter_map(|entry| entry.refers).collect();
    entries.iter().filter_map(pending).filter(|pending| !decided.contains(&pending.id)).collect()
}

/// The last match's number in a ledger; `None` in an empty one.
pub fn last_match_number(entries: &[Entry]) -> Option<u32> {
    entries.iter().filter(|entry| entry.event().is_some()).map(|entry| entry.match_number).max()
}

fn last_match(ledger: &Ledger, entries: &[Entry]) -> Result<Option<Playing>, DeskError> {
    match last_match_number(entries) {
        None => Ok(None),
        Some(number) => {
            let record = record_of(ledger, entries, number)?;
            Ok(Some(Playing { number, record }))
        }
    }
}

/// A match of a ledger, played by the rules on the board it was played on.
pub fn record_of(ledger: &Ledger, entries: &[Entry], number: u32) -> Result<Record, DeskError> {
    let of_match = || entries.iter().filter(move |entry| entry.match_number == number);
    let board_file = of_match().rev().find_map(|entry| match &entry.content {
        Content::Setting(setting) => setting.board.clone(),
        _ => None,
    });
    let board = match board_file {
        Some(file) => {
            let file = BoardFile { text: ledger.text(&file.hash)?, name: file.name };
            Some(Arc::new(file.board()?) as Arc<Board>)
        }
        None => None,
    };
    let events = of_match()
        .filter_map(Entry::event)
        .map(|(number, event)| Recorded { number, event: event.clone() })
        .collect();
    Record::restore(events, board).map_err(DeskError::Unplayable)
}
