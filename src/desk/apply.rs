//! Changes: each is checked by the rules, recorded, and only then taken into memory.

use super::{
    Correction, DeskError, Judgement, Policy, Proposal, Taken, flip,
    inner::{Inner, Playing, last_match_number, shown},
};
use crate::{
    camera::PROGRAM,
    ledger::{
        Author, CallId, CameraMoved, Content, Decided, Decision, Entry, FileRef, NewEntry, NewView, Note,
        Proposed, Ruling, Setting, Verdict, ViewEvidence,
    },
    rules::{
        Event, Reason, Record, Refusal,
        event::{OverruleEvent, UndoEvent},
    },
};

impl Inner {
    pub fn new_match(
        &mut self,
        event: Event,
        author: Author,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        self.check_fresh(based_on)?;
        check_names(&event, &author)?;
        let number = last_match_number(&self.entries).map_or(1, |last| last + 1);
        let file = self.options.board.clone();
        let board = file.as_ref().map(|file| file.board()).transpose()?.map(std::sync::Arc::new);
        let record = Record::open(0, event.clone(), board)?;
        // A board that the game is not played on is not the one in force.
        let in_force =
            file.filter(|file| file.board().is_ok_and(|board| board.id == record.state().setup().board.id));
        let board = match in_force {
            Some(file) => {
                Some(FileRef { hash: self.ledger.keep_file(file.text.as_bytes())?, name: file.name })
            }
            None => None,
        };
        let policy = Some(self.options.policy.name().to_owned());
        let setting = Setting { program: PROGRAM.to_owned(), board, policy };
        let mut batch: Vec<NewEntry> = self
            .pending
            .iter()
            .map(|pending| pending.id)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|id| self.decision(id, Decided::Rejected, Author::Program, Some("a new match began")))
            .collect();
        batch.push(NewEntry {
            match_number: number,
            ..self.entry(Author::Program, Content::Setting(setting))
        });
        batch.push(NewEntry {
            match_number: number,
            number: Some(0),
            shown: Some(shown(&record)),
            ..self.entry(author, Content::Event(event))
        });
        self.commit(batch, Some(Playing { number, record }))?;
        Ok(0)
    }

    pub fn append(
        &mut self,
        event: Event,
        author: Author,
        evidence: Option<ViewEvidence>,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        if matches!(event, Event::Match(_)) && self.playing.is_none() {
            return self.new_match(event, author, based_on);
        }
        self.check_fresh(based_on)?;
        let view = evidence.map_or(NewView::None, |evidence| NewView::New(Box::new(evidence)));
        self.play(event, author, view, None, Vec::new())
    }

    pub fn undo(
        &mut self,
        event: Option<usize>,
        by: &str,
        why: Option<&str>,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        self.check_fresh(based_on)?;
        let author = referee(by)?;
        let event = match event {
            Some(event) => event,
            None => self.record()?.log().last().ok_or(DeskError::NothingToUndo)?.number,
        };
        let undo = UndoEvent { event, by: Some(by.to_owned()), why: why.map(str::to_owned) };
        self.play(Event::Undo(undo), author, NewView::None, None, Vec::new())
    }

    pub fn overrule(
        &mut self,
        event: usize,
        with: Event,
        by: &str,
        why: Option<&str>,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        self.check_fresh(based_on)?;
        let author = referee(by)?;
        self.play(overruling(event, with, by, why), author, NewView::None, None, Vec::new())
    }

    pub fn propose(&mut self, proposal: Proposal) -> Result<Taken, DeskError> {
        let Proposal { event, evidence, confidence, doubts } = proposal;
        let refusal = self.after_pending(&event).err();
        let policy = self.options.policy;
        let sure = confidence >= self.options.ask_below && doubts.is_empty();
        let asks = match (&refusal, policy) {
            (Some(DeskError::NoMatch), _) => return Err(DeskError::NoMatch),
            (Some(refused), Policy::Never) => return self.note_refused(&event, refused, evidence),
            (Some(refused), _) => Some(format!("the rules do not allow it: {refused}")),
            (None, Policy::Everything) => Some("every event is confirmed by a person".to_owned()),
            (None, Policy::Doubts) if !sure => Some(doubt_words(confidence, &doubts)),
            (None, Policy::Doubts | Policy::Never) => None,
        };
        // Events count in the order in which they happened.
        let waits = asks.is_none() && !self.pending.is_empty();
        let asks = asks.or_else(|| waits.then(|| "an earlier proposal is still open".to_owned()));
        let view = evidence.map_or(NewView::None, |evidence| NewView::New(Box::new(evidence)));
        match asks {
            None => Ok(Taken::Recorded { number: self.play(event, Author::Vision, view, None, Vec::new())? }),
            Some(asks) => {
                let content =
                    Content::Proposal(Proposed { event, confidence, doubts, asks: asks.clone(), waits });
                let id = self.commit(vec![NewEntry { view, ..self.entry(Author::Vision, content) }], None)?;
                Ok(Taken::Asked { id, why: asks })
            }
        }
    }

    /// With nobody to ask, what the rules refuse is kept as a note.
    fn note_refused(
        &mut self,
        event: &Event,
        refused: &DeskError,
        evidence: Option<ViewEvidence>,
    ) -> Result<Taken, DeskError> {
        let text = format!("{} was seen and not recorded: {refused}", event.name());
        let refused = match refused {
            DeskError::Refused(refusal) => refusal.clone(),
            other => Refusal::from(Reason::Malformed(other.to_string())),
        };
        let note = Note { about: "refused".to_owned(), text, confidence: None };
        self.note(note, Author::Vision, evidence)?;
        Err(DeskError::Refused(refused))
    }

    pub fn confirm(
        &mut self,
        id: u64,
        correction: Option<Correction>,
        by: &str,
        based_on: Option<u64>,
    ) -> Result<usize, DeskError> {
        let author = referee(by)?;
        let pending = self.open(id)?;
        self.check_fresh(based_on)?;
        let view = pending.view.map_or(NewView::None, NewView::Stored);
        let (event, event_author, decided, why) = match correction {
            None => (pending.event, pending.author, Decided::Confirmed, None),
            Some(Correction { event, why }) => (event, author.clone(), Decided::Corrected, why),
        };
        let decision = self.decision(id, decided, author, why.as_deref());
        let number = self.play(event, event_author, view, Some(id), vec![decision])?;
        self.release();
        Ok(number)
    }

    pub fn reject(
        &mut self,
        id: u64,
        by: &str,
        why: Option<&str>,
        based_on: Option<u64>,
    ) -> Result<(), DeskError> {
        let author = referee(by)?;
        self.open(id)?;
        self.check_fresh(based_on)?;
        self.commit(vec![self.decision(id, Decided::Rejected, author, why)], None)?;
        self.release();
        Ok(())
    }

    /// Records the proposals that only waited for one that is now decided. One that the rules do not
    /// allow any more stays open for a person.
    fn release(&mut self) {
        while let Some(first) = self.pending.first().filter(|first| first.waits).cloned() {
            let view = first.view.map_or(NewView::None, NewView::Stored);
            let why = Some("it only waited for an earlier proposal");
            let decision = self.decision(first.id, Decided::Confirmed, Author::Program, why);
            if self.play(first.event, first.author, view, Some(first.id), vec![decision]).is_err() {
                break;
            }
        }
    }

    pub fn verdict(
        &mut self,
        call: CallId,
        judgement: Judgement<'_>,
        based_on: Option<u64>,
    ) -> Result<Option<usize>, DeskError> {
        let Judgement { ruling, about, with, by, why } = judgement;
        let author = referee(by)?;
        self.check_fresh(based_on)?;
        let no_such = |why: String| DeskError::NoSuchCall { call, why };
        let playing = self.playing.clone().ok_or(DeskError::NoMatch)?;
        if playing.number != call.match_number {
            return Err(no_such(format!("match {} is the one that is played", playing.number)));
        }
        let of_call =
            |entry: &&Entry| entry.match_number == call.match_number && entry.number == Some(call.event);
        let entry = self.entries.iter().find(of_call).cloned();
        let entry = entry.ok_or_else(|| no_such(format!("the match has no event {}", call.event)))?;
        let report = entry.view.map(|view| self.report(view)).transpose()?;
        flip::check_piece(&entry, report.as_deref(), call)?;
        let number = playing.record.next_number();
        let event = match (ruling, with) {
            (Ruling::Upheld, _) => None,
            (Ruling::Replay, _) => Some(Event::Undo(UndoEvent {
                event: call.event,
                by: Some(by.to_owned()),
                why: why.map(str::to_owned),
            })),
            (Ruling::Overruled, Some(with)) => Some(overruling(call.event, with, by, why)),
            (Ruling::Overruled, None) => {
                let ways = flip::other_way(&playing.record, report.as_deref(), call, about)?;
                Some(self.first_allowed(ways.into_iter().map(|with| overruling(call.event, with, by, why)))?)
            }
        };
        let verdict = Verdict {
            call,
            ruling,
            about: about.map(str::to_owned),
            by: by.to_owned(),
            why: why.map(str::to_owned),
            carried_out_by: event.as_ref().map(|_| number),
        };
        let verdict = self.entry(author.clone(), Content::Verdict(verdict));
        match event {
            None => self.commit(vec![verdict], None).map(|_| None),
            Some(event) => self.play(event, author, NewView::None, None, vec![verdict]).map(Some),
        }
    }

    /// The first of several events that the rules allow; the last one's refusal when they allow none.
    fn first_allowed(&self, events: impl Iterator<Item = Event>) -> Result<Event, DeskError> {
        let mut refusal = DeskError::NothingToUndo;
        for event in events {
            match self.after(&event) {
                Ok(_) => return Ok(event),
                Err(error) => refusal = error,
            }
        }
        Err(refusal)
    }

    pub fn note(
        &mut self,
        note: Note,
        author: Author,
        evidence: Option<ViewEvidence>,
    ) -> Result<u64, DeskError> {
        let view = evidence.map_or(NewView::None, |evidence| NewView::New(Box::new(evidence)));
        self.commit(vec![NewEntry { view, ..self.entry(author, Content::Note(note)) }], None)
    }

    pub fn camera_moved(&mut self, moved: CameraMoved) -> Result<u64, DeskError> {
        self.commit(vec![self.entry(Author::Vision, Content::CameraMoved(moved))], None)
    }

    /// An open proposal, if it is its turn.
    fn open(&self, id: u64) -> Result<super::Pending, DeskError> {
        match self.pending.first() {
            Some(first) if first.id == id => Ok(first.clone()),
            Some(first) if self.pending.iter().any(|pending| pending.id == id) => {
                Err(DeskError::OutOfOrder { first: first.id })
            }
            _ => {
                let decided = self
                    .entries
                    .iter()
                    .find(|entry| matches!(entry.content, Content::Decision(_)) && entry.refers == Some(id));
                let what = match decided.map(|entry| (&entry.content, &entry.author)) {
                    Some((Content::Decision(decision), author)) => {
                        let decided = format!("{:?}", decision.decided).to_lowercase();
                        format!("it was {decided} by {author}")
                    }
                    _ => "nothing of that number was proposed".to_owned(),
                };
                Err(DeskError::NotOpen { id, what })
            }
        }
    }

    fn record(&self) -> Result<&Record, DeskError> {
        self.playing.as_ref().map(|playing| &playing.record).ok_or(DeskError::NoMatch)
    }

    /// The record once the rules have taken the event.
    fn after(&self, event: &Event) -> Result<Record, DeskError> {
        let mut record = self.record()?.clone();
        record.push(record.next_number(), event.clone())?;
        Ok(record)
    }

    /// The record after an event that follows all that is open.
    fn after_pending(&self, event: &Event) -> Result<Record, DeskError> {
        let mut record = self.provisional().ok_or(DeskError::NoMatch)?;
        record.push(record.next_number(), event.clone())?;
        Ok(record)
    }

    /// Records an event, after `first` in the same batch.
    fn play(
        &mut self,
        event: Event,
        author: Author,
        view: NewView,
        refers: Option<u64>,
        mut first: Vec<NewEntry>,
    ) -> Result<usize, DeskError> {
        check_names(&event, &author)?;
        let record = self.after(&event)?;
        let match_number = self.playing.as_ref().map_or(0, |playing| playing.number);
        let number = record.next_number() - 1;
        first.push(NewEntry {
            number: Some(number),
            refers,
            view,
            shown: Some(shown(&record)),
            ..self.entry(author, Content::Event(event))
        });
        self.commit(first, Some(Playing { number: match_number, record }))?;
        Ok(number)
    }

    /// Writes a batch, then takes it into memory. Gives the last entry's number.
    fn commit(&mut self, batch: Vec<NewEntry>, playing: Option<Playing>) -> Result<u64, DeskError> {
        let entries = self.ledger.append(batch)?;
        if playing.is_some() {
            self.playing = playing;
        }
        self.recorded(entries)?;
        Ok(self.revision())
    }

    fn entry(&self, author: Author, content: Content) -> NewEntry {
        NewEntry {
            match_number: self.playing.as_ref().map_or(0, |playing| playing.number),
            number: None,
            at: (self.options.clock)(),
            author,
            content,
            refers: None,
            view: NewView::None,
            shown: None,
        }
    }

    fn decision(&self, id: u64, decided: Decided, author: Author, why: Option<&str>) -> NewEntry {
        let decision = Decision { decided, why: why.map(str::to_owned) };
        NewEntry { refers: Some(id), ..self.entry(author, Content::Decision(decision)) }
    }
}

fn overruling(event: usize, with: Event, by: &str, why: Option<&str>) -> Event {
    let (by, why) = (Some(by.to_owned()), why.map(str::to_owned));
    Event::Overrule(OverruleEvent { event, with: Box::new(with), by, why })
}

/// Longest name that is recorded, in characters.
const LONGEST_NAME: usize = 80;
/// Longest reason.
const LONGEST_REASON: usize = 400;

fn referee(name: &str) -> Result<Author, DeskError> {
    match name.trim() {
        "" => Err(DeskError::NoName),
        name => short("the referee's name", name, LONGEST_NAME).map(|()| Author::referee(name)),
    }
}

fn short(what: &'static str, text: &str, most: usize) -> Result<(), DeskError> {
    let found = text.chars().count();
    if found > most { Err(DeskError::LongName { what, found, most }) } else { Ok(()) }
}

/// Names that fit on a page, and reasons that somebody reads.
fn check_names(event: &Event, author: &Author) -> Result<(), DeskError> {
    if let Author::Referee(name) = author {
        short("the referee's name", name, LONGEST_NAME)?;
    }
    match event {
        Event::Match(header) => header.sides.iter().try_for_each(|side| {
            let players = side.players.iter().flatten();
            players.chain([&side.name]).try_for_each(|name| short("a player's name", name, LONGEST_NAME))
        }),
        Event::Overrule(overrule) => {
            overrule.why.iter().try_for_each(|why| short("the reason", why, LONGEST_REASON))
        }
        Event::Undo(undo) => undo.why.iter().try_for_each(|why| short("the reason", why, LONGEST_REASON)),
        _ => Ok(()),
    }
}

fn doubt_words(confidence: f64, doubts: &[crate::ledger::Doubtful]) -> String {
    let about: Vec<String> = doubts
        .iter()
        .map(|doubt| match (&doubt.question, doubt.piece) {
            (Some(question), _) => question.clone(),
            (None, Some(piece)) => format!("piece {piece}, {}", doubt.about),
            (None, None) => doubt.about.clone(),
        })
        .collect();
    match about.is_empty() {
        true => format!("it is only {:.0} % likely", confidence * 100.0),
        false => format!("in doubt: {}", about.join("; ")),
    }
}
