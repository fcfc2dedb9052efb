//! What is known of every table: plain data, made of what was heard.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use jiff::Timestamp;

use crate::{
    hall::{
        command::{Command, Order},
        topics::{Answer, AskMessage, TableState},
        tournament::Book,
    },
    ledger::{Hash, Head},
};

/// Everything an office knows.
#[derive(Debug, Default)]
pub struct Floor {
    /// Counts changes.
    pub revision: u64,
    /// Why the broker is not there; nothing: it is.
    pub lost: Option<String>,
    pub tables: BTreeMap<String, TableView>,
    pub orders: Vec<Given>,
    pub book: Book,
    /// Offices of this hall that are on the broker, this one too.
    pub offices: BTreeSet<String>,
    /// Results that could not be delivered yet.
    pub undelivered: usize,
}

/// One table.
#[derive(Debug, Default)]
pub struct TableView {
    pub online: bool,
    pub heard: Option<Timestamp>,
    pub state: Option<TableState>,
    pub ask: Option<AskMessage>,
    /// Of every evening that was heard of since the office started.
    pub copies: BTreeMap<Hash, CopyView>,
    /// What of its word does not hold.
    pub fault: Option<String>,
}

/// How far a copy goes.
#[derive(Debug, Clone)]
pub struct CopyView {
    pub head: Head,
    pub lacking: Vec<Hash>,
    /// When its head moved last.
    pub moved: Instant,
    /// When entries were asked for last.
    pub asked: Option<Instant>,
}

/// A command that was given.
#[derive(Debug)]
pub struct Given {
    pub table: String,
    pub command: Command,
    pub topic: String,
    pub payload: Vec<u8>,
    pub since: Instant,
    pub due: Instant,
    pub answer: Option<Answer>,
}

impl Given {
    pub fn new(table: &str, command: Command, topic: String, payload: Vec<u8>) -> Given {
        let now = Instant::now();
        Given { table: table.to_owned(), command, topic, payload, since: now, due: now, answer: None }
    }
}

/// An answered command is remembered this long.
const REMEMBERED: Duration = Duration::from_secs(120);
/// A command without an answer is given up after this long.
const GIVEN_UP: Duration = Duration::from_secs(600);

impl Floor {
    pub fn answer(&self, id: &str) -> Option<&Answer> {
        self.orders.iter().find(|given| given.command.id == id)?.answer.as_ref()
    }

    /// The command on a question that no answer has come to, or that was done.
    pub fn given_on(&self, table: &str, question: u64) -> Option<&Given> {
        self.orders.iter().rev().find(|given| {
            given.table == table
                && given.answer.as_ref().is_none_or(|answer| answer.done)
                && matches!(given.command.order, Order::Confirm { question: id, .. } | Order::Reject { question: id, .. } if id == question)
        })
    }

    pub(super) fn forget(&mut self, now: Instant) -> bool {
        let before = self.orders.len();
        self.orders.retain(|given| {
            let limit = if given.answer.is_some() { REMEMBERED } else { GIVEN_UP };
            now.duration_since(given.since) < limit
        });
        self.orders.len() != before
    }

    /// Tables that want somebody, the worst first, each with why.
    pub fn attention(&self) -> Vec<(&str, String)> {
        let mut all = Vec::new();
        for (name, table) in &self.tables {
            if let Some(fault) = &table.fault {
                all.push((0, name.as_str(), fault.clone()));
            }
            if !table.online {
                all.push((1, name.as_str(), table.silence()));
            }
            if let Some(state) = &table.state {
                if let Some(moved) = &state.camera_moved {
                    all.push((2, name.as_str(), moved.clone()));
                }
                if let Some(last) = &state.refused.last {
                    let count = state.refused.count;
                    all.push((3, name.as_str(), format!("{last} ({count} since it started)")));
                }
            }
        }
        all.sort_by_key(|(weight, ..)| *weight);
        all.into_iter().map(|(_, name, why)| (name, why)).collect()
    }
}

impl TableView {
    /// The ledger that it records into.
    pub fn ledger(&self) -> Option<Hash> {
        self.state.as_ref().map(|state| state.ledger.hash)
    }

    pub fn title<'t>(&'t self, id: &'t str) -> &'t str {
        self.state.as_ref().map_or(id, |state| state.name.as_str())
    }

    fn silence(&self) -> String {
        match self.heard {
            Some(at) => format!("not heard since {} UTC", at.strftime("%H:%M")),
            None => "not on the broker".to_owned(),
        }
    }
}
