//! Pairings and what became of them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    hall::{address::is_name, topics::SideStanding},
    ledger::Hash,
    rules::{
        Setup,
        event::{MatchEvent, RawOptions, RawSide},
    },
};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    #[error("{0:?} cannot name a pairing: expected 1 to 64 letters a to z, digits, - and _")]
    Name(String),
    #[error("there is a pairing {0} already")]
    Twice(String),
    #[error("pairing {id} cannot be played: {why}")]
    Unplayable { id: String, why: String },
    #[error("pairing {id} waits for {from}, which there is not")]
    NoSource { id: String, from: String },
    #[error("there is no pairing {0}")]
    Unknown(String),
    #[error("pairing {id} {why}")]
    Stage { id: String, why: &'static str },
    #[error("{name} does not play in pairing {id}")]
    NotIn { id: String, name: String },
}

/// Every pairing of an event.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Book {
    /// Counts changes: of two books of one hall, the higher one holds.
    pub revision: u64,
    /// How its draw was made, where it was made here.
    pub form: Option<Form>,
    /// Whether ready pairings go to the next free table by themselves.
    pub automatic: bool,
    pub pairings: Vec<Pairing>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    SingleElimination,
    RoundRobin,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    pub id: String,
    /// `round 1`, `final` …
    #[serde(default)]
    pub round: String,
    pub game: String,
    #[serde(default)]
    pub options: RawOptions,
    pub seats: [Seat; 2],
    /// The table that the organiser wants it played at.
    #[serde(default)]
    pub table: Option<String>,
    #[serde(default)]
    pub stage: Stage,
}

/// Who plays, or who will.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seat {
    Side(RawSide),
    WinnerOf(String),
    /// Nobody: the other side goes on.
    Bye,
}

impl Seat {
    pub fn side(&self) -> Option<&RawSide> {
        match self {
            Seat::Side(side) => Some(side),
            Seat::WinnerOf(_) | Seat::Bye => None,
        }
    }

    pub fn words(&self) -> String {
        match self {
            Seat::Side(side) => side.name.clone(),
            Seat::WinnerOf(id) => format!("winner of {id}"),
            Seat::Bye => "bye".to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "stage", rename_all = "kebab-case")]
pub enum Stage {
    #[default]
    Waiting,
    /// The table was told to begin it, by the command of that id.
    Sent {
        table: String,
        ledger: Hash,
        command: String,
    },
    Playing {
        table: String,
        ledger: Hash,
        #[serde(rename = "match")]
        match_number: u32,
    },
    Done(Outcome),
}

/// How a pairing ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `won`, `undecided` (K13), `bye`, or `decided` by a person.
    pub status: String,
    pub winner: Option<String>,
    pub sides: Vec<SideStanding>,
    /// Where it is recorded; nothing for what was not played.
    pub table: Option<String>,
    pub ledger: Option<Hash>,
    #[serde(rename = "match")]
    pub match_number: Option<u32>,
    /// The ledger's last entry then, in the hall's verified copy.
    pub entry: Option<u64>,
    pub entry_hash: Option<Hash>,
    /// The person who decided it, where one did.
    pub decided_by: Option<String>,
    pub at: Timestamp,
}

impl Pairing {
    /// The match file's first line, once both sides are known.
    pub fn header(&self) -> Option<MatchEvent> {
        let sides = self.seats.iter().map(|seat| seat.side().cloned()).collect::<Option<Vec<_>>>()?;
        Some(MatchEvent { game: self.game.clone(), options: self.options.clone(), sides })
    }

    pub fn is_ready(&self) -> bool {
        self.stage == Stage::Waiting && self.seats.iter().all(|seat| seat.side().is_some())
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.stage {
            Stage::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The table that it is at.
    pub fn at_table(&self) -> Option<&str> {
        match &self.stage {
            Stage::Sent { table, .. } | Stage::Playing { table, .. } => Some(table),
            Stage::Waiting | Stage::Done(_) => None,
        }
    }

    pub fn words(&self) -> String {
        format!("{} against {}", self.seats[0].words(), self.seats[1].words())
    }
}

impl Book {
    pub fn get(&self, id: &str) -> Result<&Pairing, BookError> {
        self.pairings.iter().find(|pairing| pairing.id == id).ok_or_else(|| BookError::Unknown(id.to_owned()))
    }

    fn get_mut(&mut self, id: &str) -> Result<&mut Pairing, BookError> {
        let found = self.pairings.iter_mut().find(|pairing| pairing.id == id);
        found.ok_or_else(|| BookError::Unknown(id.to_owned()))
    }

    /// Takes in pairings: all of them, or none and every reason.
    pub fn add(&mut self, new: Vec<Pairing>) -> Result<usize, Vec<BookError>> {
        let mut faults = Vec::new();
        let mut all: Vec<&str> = self.pairings.iter().map(|pairing| pairing.id.as_str()).collect();
        for pairing in &new {
            let id = || pairing.id.clone();
            if !is_name(&pairing.id) {
                faults.push(BookError::Name(id()));
            }
            if all.contains(&pairing.id.as_str()) {
                faults.push(BookError::Twice(id()));
            }
            all.push(&pairing.id);
            if let Some(refused) = pairing.header().and_then(|header| Setup::new(&header, None).err()) {
                faults.push(BookError::Unplayable { id: id(), why: refused.to_string() });
            }
        }
        for pairing in &new {
            for seat in &pairing.seats {
                if let Seat::WinnerOf(from) = seat
                    && (!all.contains(&from.as_str()) || *from == pairing.id)
                {
                    faults.push(BookError::NoSource { id: pairing.id.clone(), from: from.clone() });
                }
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let count = new.len();
        self.pairings.extend(new);
        self.seat_winners();
        self.revision += 1;
        Ok(count)
    }

    /// Pairings that can begin, in order.
    pub fn ready(&self) -> impl Iterator<Item = &Pairing> {
        self.pairings.iter().filter(|pairing| pairing.is_ready())
    }

    /// The pairing that is at a table.
    pub fn at_table(&self, table: &str) -> Option<&Pairing> {
        self.pairings.iter().find(|pairing| pairing.at_table() == Some(table))
    }

    /// The table was told.
    pub fn sent(&mut self, id: &str, table: &str, ledger: Hash, command: &str) -> Result<(), BookError> {
        let pairing = self.get_mut(id)?;
        if !pairing.is_ready() {
            let why = "is not ready: it has begun, or waits for who plays";
            return Err(BookError::Stage { id: id.to_owned(), why });
        }
        pairing.stage = Stage::Sent { table: table.to_owned(), ledger, command: command.to_owned() };
        self.revision += 1;
        Ok(())
    }

    /// The table's answer to a command that sent a pairing.
    pub fn answered(&mut self, command: &str, begun: Option<u32>) -> Option<&Pairing> {
        let sent = |pairing: &&mut Pairing| matches!(&pairing.stage, Stage::Sent { command: known, .. } if known == command);
        let pairing = self.pairings.iter_mut().find(sent)?;
        let Stage::Sent { table, ledger, .. } = &pairing.stage else { return None };
        pairing.stage = match begun {
            Some(match_number) => Stage::Playing { table: table.clone(), ledger: *ledger, match_number },
            None => Stage::Waiting,
        };
        self.revision += 1;
        Some(pairing)
    }

    /// Back to waiting: the table is taken for something else.
    pub fn recall(&mut self, id: &str) -> Result<(), BookError> {
        let pairing = self.get_mut(id)?;
        if pairing.at_table().is_none() {
            return Err(BookError::Stage { id: id.to_owned(), why: "is at no table" });
        }
        pairing.stage = Stage::Waiting;
        self.revision += 1;
        Ok(())
    }

    /// How a pairing ended. Said again with something else, the last holds, as long as nothing rests on it.
    pub fn settle(&mut self, id: &str, outcome: Outcome) -> Result<bool, BookError> {
        let pairing = self.get_mut(id)?;
        let same = |known: &Outcome| {
            // A note that follows in the ledger changes nothing about a result.
            let Outcome { at, entry, entry_hash, .. } = *known;
            Outcome { at, entry, entry_hash, ..outcome.clone() } == *known
        };
        if pairing.outcome().is_some_and(same) {
            return Ok(false);
        }
        pairing.stage = Stage::Done(outcome);
        self.seat_winners();
        self.revision += 1;
        Ok(true)
    }

    /// A person's word: a side that did not come, or an undecided match.
    pub fn decide(&mut self, id: &str, winner: &str, by: &str, at: Timestamp) -> Result<(), BookError> {
        let pairing = self.get(id)?;
        let plays = |seat: &Seat| seat.side().is_some_and(|side| side.name == winner);
        if !pairing.seats.iter().any(plays) {
            return Err(BookError::NotIn { id: id.to_owned(), name: winner.to_owned() });
        }
        let known = pairing.outcome().cloned();
        let base = known.unwrap_or(Outcome {
            status: String::new(),
            winner: None,
            sides: Vec::new(),
            table: None,
            ledger: None,
            match_number: None,
            entry: None,
            entry_hash: None,
            decided_by: None,
            at,
        });
        let outcome = Outcome {
            status: "decided".to_owned(),
            winner: Some(winner.to_owned()),
            decided_by: Some(by.to_owned()),
            at,
            ..base
        };
        self.settle(id, outcome).map(|_| ())
    }

    /// Winners take their seats; who has nobody to play against goes on.
    fn seat_winners(&mut self) {
        loop {
            let winners: Vec<(String, RawSide)> = self
                .pairings
                .iter()
                .filter_map(|pairing| {
                    let winner = pairing.outcome()?.winner.as_ref()?;
                    let mut sides = pairing.seats.iter().filter_map(Seat::side);
                    let side = sides.find(|side| side.name == *winner)?;
                    // The colour is the next match's own.
                    Some((pairing.id.clone(), RawSide { colour: None, ..side.clone() }))
                })
                .collect();
            let mut changed = false;
            for pairing in self.pairings.iter_mut().filter(|pairing| pairing.stage == Stage::Waiting) {
                for seat in &mut pairing.seats {
                    let Seat::WinnerOf(from) = seat else { continue };
                    if let Some((_, side)) = winners.iter().find(|(id, _)| id == from) {
                        *seat = Seat::Side(side.clone());
                        changed = true;
                    }
                }
                let alone = match &pairing.seats {
                    [Seat::Side(side), Seat::Bye] | [Seat::Bye, Seat::Side(side)] => Some(side.name.clone()),
                    _ => None,
                };
                if let Some(winner) = alone {
                    pairing.stage = Stage::Done(Outcome {
                        status: "bye".to_owned(),
                        winner: Some(winner),
                        sides: Vec::new(),
                        table: None,
                        ledger: None,
                        match_number: None,
                        entry: None,
                        entry_hash: None,
                        decided_by: None,
                        at: Timestamp::now(),
                    });
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }
}
