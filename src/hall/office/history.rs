//! Every match of every evening, from the copies on this disk.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::Serialize;

use crate::{
    desk::record_of,
    hall::{table_standing, topics::Playing},
    ledger::{Content, Ledger},
};

/// A match that was played.
#[derive(Debug, Clone, Serialize)]
pub struct MatchLine {
    pub table: String,
    /// The copy's file.
    pub ledger: PathBuf,
    pub began: Timestamp,
    pub ended: Timestamp,
    pub questions: usize,
    pub rulings: usize,
    #[serde(flatten)]
    pub played: Playing,
}

/// All of it, with what can be counted.
#[derive(Debug, Clone, Default, Serialize)]
pub struct History {
    /// The newest first.
    pub matches: Vec<MatchLine>,
    pub players: Vec<PlayerLine>,
    pub tables: Vec<TableLine>,
    /// Copies that cannot be read.
    pub unreadable: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerLine {
    pub name: String,
    pub played: usize,
    pub won: usize,
    pub points: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableLine {
    pub table: String,
    pub matches: usize,
    pub evenings: usize,
    pub questions: usize,
    /// From the first to the last entry of a match that was decided, on average.
    pub minutes_a_match: i64,
}

/// Reads all copies below a hall's folder.
pub fn history(data: &Path) -> History {
    let mut history = History::default();
    let mut tables: BTreeMap<String, (usize, Vec<usize>)> = BTreeMap::new();
    for (table, path) in copies(data) {
        match matches(&table, &path) {
            Ok(lines) => {
                let entry = tables.entry(table).or_default();
                entry.0 += 1;
                for line in lines {
                    entry.1.push(history.matches.len());
                    history.matches.push(line);
                }
            }
            Err(why) => history.unreadable.push(format!("{}: {why}", path.display())),
        }
    }
    history.tables = tables
        .into_iter()
        .map(|(table, (evenings, lines))| {
            let of = |line: &usize| &history.matches[*line];
            let decided: Vec<i64> = lines
                .iter()
                .map(of)
                .filter(|line| line.played.winner.is_some())
                .map(|line| line.ended.duration_since(line.began).as_secs() / 60)
                .collect();
            TableLine {
                table,
                matches: lines.len(),
                evenings,
                questions: lines.iter().map(|line| of(line).questions).sum(),
                minutes_a_match: decided.iter().sum::<i64>() / decided.len().max(1) as i64,
            }
        })
        .collect();
    history.players = players(&history.matches);
    history.matches.sort_by_key(|one| std::cmp::Reverse(one.began));
    history
}

fn players(matches: &[MatchLine]) -> Vec<PlayerLine> {
    let mut players: BTreeMap<&str, PlayerLine> = BTreeMap::new();
    for line in matches.iter().filter(|line| line.played.winner.is_some()) {
        for side in &line.played.sides {
            let player = players.entry(&side.name).or_insert_with(|| PlayerLine {
                name: side.name.clone(),
                played: 0,
                won: 0,
                points: 0,
            });
            player.played += 1;
            player.won += usize::from(line.played.winner.as_ref() == Some(&side.name));
            player.points += side.points;
        }
    }
    let mut players: Vec<PlayerLine> = players.into_values().collect();
    players.sort_by(|a, b| b.won.cmp(&a.won).then(b.points.cmp(&a.points)).then(a.name.cmp(&b.name)));
    players
}

/// Every copy with its table.
fn copies(data: &Path) -> Vec<(String, PathBuf)> {
    let files = |folder: &Path| -> Vec<PathBuf> {
        let read = std::fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = read.filter_map(|file| Some(file.ok()?.path())).collect();
        paths.sort();
        paths
    };
    let mut copies = Vec::new();
    for folder in files(&data.join("tables")) {
        let Some(table) = folder.file_name().and_then(|name| name.to_str()) else { continue };
        let ledgers =
            files(&folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "ledger"));
        copies.extend(ledgers.map(|path| (table.to_owned(), path)));
    }
    copies
}

fn matches(table: &str, path: &Path) -> Result<Vec<MatchLine>, String> {
    let ledger = Ledger::read(path).map_err(|error| error.to_string())?;
    let entries = ledger.entries().map_err(|error| error.to_string())?;
    let last = crate::desk::last_match_number(&entries).unwrap_or(0);
    let mut lines = Vec::new();
    for number in 1..=last {
        let Ok(record) = record_of(&ledger, &entries, number) else { continue };
        let of_match: Vec<_> = entries.iter().filter(|entry| entry.match_number == number).collect();
        let (Some(first), Some(end)) = (of_match.first(), of_match.last()) else { continue };
        let count = |what: fn(&Content) -> bool| of_match.iter().filter(|entry| what(&entry.content)).count();
        lines.push(MatchLine {
            table: table.to_owned(),
            ledger: path.to_owned(),
            began: first.at,
            ended: end.at,
            questions: count(|content| matches!(content, Content::Proposal(_))),
            rulings: count(|content| matches!(content, Content::Verdict(_))),
            played: Playing { number, ..table_standing(&record) },
        });
    }
    Ok(lines)
}
