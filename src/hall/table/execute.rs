//! Commands of the hall: checked, recorded, done once.

use std::collections::HashMap;

use crate::{
    desk::{Correction, Desk, DeskError, Judgement},
    hall::{
        PublicKey,
        command::{Command, Order},
        seal::{SealError, Sealed},
        topics::{self, Answer, Playing, VERSION},
    },
    ledger::{Author, Content, Entry, Hash, LedgerError, Note},
    rules::{Event, GameId},
};

/// What a note about a command is about.
const ABOUT: &str = "hall";
/// Longest name or reason that is recorded, in characters.
const LONGEST: usize = 200;

/// Does commands, and knows which were done.
pub struct Executor {
    topic: String,
    keys: Vec<PublicKey>,
    games: Vec<GameId>,
    ledger: Hash,
    /// By the command's id, those of earlier runs from the ledger.
    answers: HashMap<String, Answer>,
}

/// Why a command is not even looked at.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("a command was refused: {0}")]
    Seal(#[from] SealError),
    #[error("a command was refused: this table takes none, no hall's key was given with --hall-key")]
    NoKey,
    #[error("a command was refused: {0}")]
    Form(#[from] topics::PayloadError),
}

impl Executor {
    pub fn new(
        topic: String,
        keys: Vec<PublicKey>,
        games: Vec<GameId>,
        ledger: Hash,
        entries: &[Entry],
    ) -> Executor {
        Executor { topic, keys, games, ledger, answers: answers_of(entries) }
    }

    /// Reads a command; nothing is answered to who cannot sign it.
    pub fn read(&self, payload: &[u8]) -> Result<Command, Refusal> {
        if self.keys.is_empty() {
            return Err(Refusal::NoKey);
        }
        let sealed = Sealed::parse(payload)?;
        Ok(topics::read(sealed.opened(&self.topic, &self.keys)?.as_bytes())?)
    }

    /// Does what changes the match, unless it was done.
    pub fn execute(&mut self, desk: &Desk, command: &Command) -> Answer {
        if let Some(known) = self.answers.get(&command.id) {
            return known.clone();
        }
        let refused = |words: String| answer(&command.id, false, words);
        if command.ledger != self.ledger {
            return refused("it is for another evening: this table has begun another ledger".to_owned());
        }
        let is_id = command.id.len() == 32 && command.id.bytes().all(|b| b.is_ascii_hexdigit());
        let by = cleaned(&command.by);
        if !is_id || by.is_empty() {
            return refused("it has no id or no name of who says so".to_owned());
        }
        // Recorded first: what is interrupted here is not done, and never done later.
        let text = format!("the hall: {}, by {by} [{}]", command.order.words(), command.id);
        let note = Note { about: ABOUT.to_owned(), text, confidence: None };
        if let Err(error) = desk.note(note, Author::Referee(by.clone()), None) {
            return refused(error.to_string());
        }
        let answer = match self.act(desk, command, &by) {
            Ok((words, match_number)) => Answer { match_number, ..answer(&command.id, true, words) },
            Err(error) => refused(error.to_string()),
        };
        self.answers.insert(command.id.clone(), answer.clone());
        answer
    }

    fn act(&self, desk: &Desk, command: &Command, by: &str) -> Result<(String, Option<u32>), Failed> {
        let based_on = command.based_on;
        let why = |why: &Option<String>| why.as_deref().map(cleaned).filter(|why| !why.is_empty());
        match &command.order {
            Order::Pairing { header, replace, .. } => {
                let state = desk.state();
                let playing = desk.with_record(|record| super::state::playing(record, &state)).flatten();
                if !replace && !super::state::is_free(playing.as_ref()) {
                    return Err(Failed::Busy(sides(playing.as_ref())));
                }
                let game = GameId::named(&header.game);
                if !self.games.is_empty() && !game.is_some_and(|game| self.games.contains(&game)) {
                    return Err(Failed::OtherGame(header.game.clone()));
                }
                desk.new_match(Event::Match(header.clone()), Author::Referee(by.to_owned()), None)?;
                let number = desk.state().match_info.as_ref().map(|info| info.number);
                Ok(("the match has begun".to_owned(), number))
            }
            Order::Confirm { question, event } => {
                let correction = event.clone().map(|event| Correction { event, why: None });
                let number = desk.confirm(*question, correction, by, based_on)?;
                Ok((format!("recorded as event {number}"), None))
            }
            Order::Reject { question, why: given } => {
                desk.reject(*question, by, why(given).as_deref(), based_on)?;
                Ok(("rejected".to_owned(), None))
            }
            Order::Ruling { call, ruling, about, why: given } => {
                let why = why(given);
                let judgement = Judgement {
                    ruling: *ruling,
                    about: about.as_deref(),
                    with: None,
                    by,
                    why: why.as_deref(),
                };
                desk.verdict(*call, judgement, based_on)?;
                Ok((format!("call {call} {}", ruling.name()), None))
            }
            Order::Entries { .. } | Order::File { .. } => Ok((String::new(), None)),
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error("a match is being played here: {0}")]
    Busy(String),
    #[error("{0} cannot be played here: the camera watches another game")]
    OtherGame(String),
}

pub fn answer(id: &str, done: bool, words: String) -> Answer {
    Answer { v: VERSION, id: id.to_owned(), done, words, match_number: None, details: None }
}

/// In words what went wrong with reading a file.
pub fn no_file(id: &str, error: &LedgerError) -> Answer {
    answer(id, false, error.to_string())
}

fn sides(playing: Option<&Playing>) -> String {
    let names =
        playing.map(|playing| playing.sides.iter().map(|side| side.name.as_str()).collect::<Vec<_>>());
    names.unwrap_or_default().join(" against ")
}

/// What became of the commands that a ledger knows: done, if what they ask for follows in it.
fn answers_of(entries: &[Entry]) -> HashMap<String, Answer> {
    let mut answers = HashMap::new();
    for (place, entry) in entries.iter().enumerate() {
        let Some(id) = command_of(entry) else { continue };
        let after = entries[place + 1..].iter().take_while(|entry| command_of(entry).is_none());
        let effect = after.clone().find(|after| after.author == entry.author && has_effect(after));
        let answer = match effect {
            Some(effect) => {
                let begins = effect.number == Some(0);
                let match_number = begins.then_some(effect.match_number);
                Answer { match_number, ..answer(id, true, "done before".to_owned()) }
            }
            None => answer(
                id,
                false,
                "it was not done: it was refused, or the table stopped just then".to_owned(),
            ),
        };
        answers.insert(id.to_owned(), answer);
    }
    answers
}

fn has_effect(entry: &Entry) -> bool {
    matches!(entry.content, Content::Decision(_) | Content::Verdict(_)) || entry.number == Some(0)
}

/// The command that a note is about.
fn command_of(entry: &Entry) -> Option<&str> {
    match &entry.content {
        Content::Note(note) if note.about == ABOUT => {
            let (_, id) = note.text.strip_suffix(']')?.rsplit_once('[')?;
            Some(id)
        }
        _ => None,
    }
}

fn cleaned(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    text.trim().to_owned()
}
