//! The record of a match: every event in order, corrections among them, and the state they make.
//!
//! Nothing is ever edited. An overrule or an undo is one more event; the state is then folded anew
//! from what stands. An event that the rules do not allow leaves the record as it was.

use std::sync::Arc;

use super::{
    AnyGame, BySide, Entry, Setup,
    event::{Event, MatchEvent, OverruleEvent, UndoEvent},
    reason::{Reason, Refusal},
};
use crate::board::Board;

/// An event with its number: that of its line, counted from 0.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub number: usize,
    pub event: Event,
}

/// What a standing event did.
#[derive(Debug, Clone)]
pub struct Logged {
    pub number: usize,
    /// The event's name: `frame`, `strike`, `lag` …
    pub name: &'static str,
    pub entry: Entry,
}

/// A match as it has been recorded.
#[derive(Debug, Clone)]
pub struct Record {
    board: Option<Arc<Board>>,
    events: Vec<Recorded>,
    state: AnyGame,
    log: Vec<Logged>,
    colours: ColourHistory,
}

/// The colours that the sides play: after the event of that number, until the next.
type ColourHistory = Vec<(usize, BySide<String>)>;

impl Record {
    /// Begins a match. With a `board`, its games are played on that instead of the one that ships.
    pub fn open(number: usize, event: Event, board: Option<Arc<Board>>) -> Result<Record, Refusal> {
        let Event::Match(header) = &event else { return Err(Reason::NoMatch(event.name()).into()) };
        let state = initial_state(header, board.clone())?;
        let colours = vec![(number, state.colours().clone())];
        Ok(Record { board, events: vec![Recorded { number, event }], state, log: Vec::new(), colours })
    }

    /// A record as it was kept: the same as pushing one event after the other, but what stands is
    /// folded once, however many corrections there are.
    pub fn restore(events: Vec<Recorded>, board: Option<Arc<Board>>) -> Result<Record, Refusal> {
        let mut events = events.into_iter();
        let Some(first) = events.next() else { return Err(Reason::NoMatch("nothing").into()) };
        let mut record = Record::open(first.number, first.event, board)?;
        record.events.extend(events);
        (record.state, record.log, record.colours) = record.replay()?;
        Ok(record)
    }

    /// The number of the next event.
    pub fn next_number(&self) -> usize {
        self.events.last().map_or(0, |last| last.number + 1)
    }

    /// What stands in the place of an event: itself, its replacement, or nothing.
    pub fn standing(&self, number: usize) -> Option<&Event> {
        let index = self.index_of(number).ok()?;
        self.standing_events()[index]
    }

    /// What stands in the place of every event, by number.
    pub fn standing_all(&self) -> std::collections::HashMap<usize, Option<&Event>> {
        self.events.iter().map(|recorded| recorded.number).zip(self.standing_events()).collect()
    }

    /// Records one more event; its number must be higher than all before.
    pub fn push(&mut self, number: usize, event: Event) -> Result<(), Refusal> {
        match &event {
            Event::Match(_) => return Err(Reason::SecondMatch.into()),
            Event::Overrule(overrule) => self.check_overrule(overrule)?,
            Event::Undo(undo) => self.check_undo(undo)?,
            play => {
                let entry = self.state.play(play)?;
                self.log.push(Logged { number, name: play.name(), entry });
                note_colours(&mut self.colours, number, self.state.colours());
                self.events.push(Recorded { number, event });
                return Ok(());
            }
        }
        self.events.push(Recorded { number, event });
        match self.replay() {
            Ok((state, log, colours)) => {
                (self.state, self.log, self.colours) = (state, log, colours);
                Ok(())
            }
            Err(refusal) => {
                self.events.pop();
                Err(refusal)
            }
        }
    }

    pub fn state(&self) -> &AnyGame {
        &self.state
    }

    /// The colours that the sides played when the event of that number happened.
    pub fn colours_at(&self, number: usize) -> &BySide<String> {
        let later = self.colours.partition_point(|(since, _)| *since < number);
        self.colours.get(later.saturating_sub(1)).map_or(self.state.colours(), |(_, colours)| colours)
    }

    /// Every event, corrections included, as it was recorded.
    pub fn events(&self) -> &[Recorded] {
        &self.events
    }

    /// What the standing events did, in order.
    pub fn log(&self) -> &[Logged] {
        &self.log
    }

    fn index_of(&self, number: usize) -> Result<usize, Reason> {
        let no_such = |hint| Reason::NoSuchEvent { event: number, hint };
        match self.events.binary_search_by_key(&number, |recorded| recorded.number) {
            Ok(index) => Ok(index),
            Err(index) if index == self.events.len() => Err(no_such("; the first line is event 0")),
            Err(_) => Err(no_such("; that line is blank")),
        }
    }

    fn check_overrule(&self, overrule: &OverruleEvent) -> Result<(), Refusal> {
        let index = self.index_of(overrule.event)?;
        let standing = self.standing_events();
        let Some(target) = standing[index] else {
            return Err(Reason::AlreadyUndone(overrule.event).into());
        };
        let with = &*overrule.with;
        // The match is replaced by a match, a correction by a correction of something still earlier,
        // and an event of the game by another one.
        let fits = match (target, with) {
            (Event::Match(_), _) | (_, Event::Match(_)) => index == 0 && matches!(with, Event::Match(_)),
            _ => target.is_correction() == with.is_correction(),
        };
        let (event, found) = (overrule.event, target.name());
        if !fits {
            return Err(Reason::WrongReplacement { event, found, with: with.name() }.into());
        }
        match with {
            Event::Overrule(OverruleEvent { event: earlier, .. })
            | Event::Undo(UndoEvent { event: earlier, .. }) => self.check_nested(*earlier, event, with),
            _ => Ok(()),
        }
    }

    /// A correction that takes the place of another one at `place`.
    fn check_nested(&self, earlier: usize, place: usize, with: &Event) -> Result<(), Refusal> {
        if earlier >= place {
            return Err(Reason::NoSuchEvent { event: earlier, hint: " at that point" }.into());
        }
        match with {
            Event::Overrule(overrule) => self.check_overrule_shape(overrule),
            Event::Undo(_) if self.index_of(earlier)? == 0 => Err(Reason::MatchUndone.into()),
            _ => Ok(()),
        }
    }

    /// Whether the replacement fits, without regard to what stands at present.
    fn check_overrule_shape(&self, overrule: &OverruleEvent) -> Result<(), Refusal> {
        let target = &self.events[self.index_of(overrule.event)?].event;
        let is_match = matches!(target, Event::Match(_));
        let with = &*overrule.with;
        if with.is_correction() || target.is_correction() || is_match != matches!(with, Event::Match(_)) {
            let (event, found) = (overrule.event, target.name());
            return Err(Reason::WrongReplacement { event, found, with: with.name() }.into());
        }
        Ok(())
    }

    fn check_undo(&self, undo: &UndoEvent) -> Result<(), Refusal> {
        let index = self.index_of(undo.event)?;
        if index == 0 {
            return Err(Reason::MatchUndone.into());
        }
        if self.standing_events()[index].is_none() {
            return Err(Reason::AlreadyUndone(undo.event).into());
        }
        Ok(())
    }

    /// What stands in the place of every event: itself, its replacement, or nothing.
    ///
    /// A correction only ever changes earlier events, so going backward everything that bears on an
    /// event is known when it is reached; and of several overrules the latest standing one counts.
    fn standing_events(&self) -> Vec<Option<&Event>> {
        let mut standing: Vec<Option<&Event>> = self.events.iter().map(|r| Some(&r.event)).collect();
        let mut replaced = vec![false; standing.len()];
        for index in (0..standing.len()).rev() {
            match standing[index] {
                Some(Event::Undo(undo)) => {
                    if let Ok(target) = self.index_of(undo.event) {
                        standing[target] = None;
                    }
                }
                Some(Event::Overrule(overrule)) => {
                    if let Ok(target) = self.index_of(overrule.event)
                        && !replaced[target]
                    {
                        replaced[target] = true;
                        standing[target] = standing[target].map(|_| &*overrule.with);
                    }
                }
                _ => {}
            }
        }
        standing
    }

    /// Folds what stands. An event that has become impossible is named.
    fn replay(&self) -> Result<(AnyGame, Vec<Logged>, ColourHistory), Refusal> {
        let standing = self.standing_events();
        let Some(Some(Event::Match(header))) = standing.first() else {
            return Err(Reason::MatchUndone.into());
        };
        let mut state = initial_state(header, self.board.clone())?;
        let mut log = Vec::with_capacity(self.log.len());
        let first = self.events.first().map_or(0, |first| first.number);
        let mut colours = vec![(first, state.colours().clone())];
        for (recorded, event) in self.events.iter().zip(&standing).skip(1) {
            let number = recorded.number;
            match event {
                Some(event) if !event.is_correction() => {
                    let entry = state
                        .play(event)
                        .map_err(|reasons| Reason::MakesImpossible { event: number, reasons })?;
                    log.push(Logged { number, name: event.name(), entry });
                    note_colours(&mut colours, number, state.colours());
                }
                _ => {}
            }
        }
        Ok((state, log, colours))
    }
}

fn note_colours(history: &mut ColourHistory, number: usize, now: &BySide<String>) {
    if history.last().is_none_or(|(_, last)| last != now) {
        history.push((number, now.clone()));
    }
}

fn initial_state(header: &MatchEvent, board: Option<Arc<Board>>) -> Result<AnyGame, Refusal> {
    Setup::new(header, board).map(|setup| AnyGame::new(Arc::new(setup)))
}
