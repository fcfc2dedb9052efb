//! Results as they go out: the same fields as CSV, JSON, and in what is signed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Book, Pairing};
use crate::ledger::Hash;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The pairing's.
    pub id: String,
    pub round: String,
    pub game: String,
    pub first: String,
    pub second: String,
    pub status: String,
    pub winner: Option<String>,
    pub first_games: Option<i64>,
    pub second_games: Option<i64>,
    pub first_points: Option<i64>,
    pub second_points: Option<i64>,
    pub table: Option<String>,
    pub ledger: Option<Hash>,
    #[serde(rename = "match")]
    pub match_number: Option<u32>,
    pub entry: Option<u64>,
    pub entry_hash: Option<Hash>,
    pub decided_by: Option<String>,
    pub at: Timestamp,
}

impl ResultRow {
    pub fn of(pairing: &Pairing) -> Option<ResultRow> {
        let outcome = pairing.outcome()?;
        let standing = |seat: usize| {
            let name = &pairing.seats[seat].side()?.name;
            outcome.sides.iter().find(|side| side.name == *name)
        };
        Some(ResultRow {
            id: pairing.id.clone(),
            round: pairing.round.clone(),
            game: pairing.game.clone(),
            first: pairing.seats[0].words(),
            second: pairing.seats[1].words(),
            status: outcome.status.clone(),
            winner: outcome.winner.clone(),
            first_games: standing(0).map(|side| side.games),
            second_games: standing(1).map(|side| side.games),
            first_points: standing(0).map(|side| side.points),
            second_points: standing(1).map(|side| side.points),
            table: outcome.table.clone(),
            ledger: outcome.ledger,
            match_number: outcome.match_number,
            entry: outcome.entry,
            entry_hash: outcome.entry_hash,
            decided_by: outcome.decided_by.clone(),
            at: outcome.at,
        })
    }
}

/// What is decided, in the pairings' order.
pub fn results(book: &Book) -> Vec<ResultRow> {
    book.pairings.iter().filter_map(ResultRow::of).collect()
}

pub fn results_csv(rows: &[ResultRow]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
