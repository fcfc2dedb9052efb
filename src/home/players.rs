//! Who played over all evenings, and how: simple figures, by name.
//!
//! In: the evenings' ledgers, and names that were changed. Out: [`PlayerFigures`], one a name. A ledger is never
//! rewritten: another name is a note in the settings.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::evening::matches_of;
use crate::{
    desk::{CallSummary, call_summaries},
    ledger::{Ledger, LedgerError, Ruling},
    rules::{Event, Record, Side, report},
};

/// A player's figures. In doubles the team's.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PlayerFigures {
    pub name: String,
    pub matches: u32,
    pub won: u32,
    /// Half rounds or frames, and their points.
    pub half_rounds: u32,
    pub points: i64,
    /// Pieces by the area they counted in.
    pub areas: BTreeMap<String, u32>,
    /// Strikes, and pieces pocketed by them.
    pub strikes: u32,
    pub pocketed: u32,
    /// Calls that were too close, by how they went for this player.
    pub close_won: u32,
    pub close_lost: u32,
    /// Where pieces came to rest, by board: x and y in mm.
    pub rests: BTreeMap<String, Vec<[f64; 2]>>,
}

/// Names as they are shown: what a ledger has, and what it is called now.
pub type Renamed = BTreeMap<String, String>;

/// The figures of everybody, those with most matches first; ledgers that cannot be read are left out.
pub fn figures(ledgers: &[PathBuf], renamed: &Renamed) -> Vec<PlayerFigures> {
    let mut all: BTreeMap<String, PlayerFigures> = BTreeMap::new();
    for path in ledgers {
        // One evening that cannot be read costs its own figures only; the list of evenings says so.
        let _ = of_ledger(path, renamed, &mut all);
    }
    let mut figures: Vec<PlayerFigures> = all.into_values().collect();
    figures.sort_by(|a, b| b.matches.cmp(&a.matches).then(a.name.cmp(&b.name)));
    figures
}

fn of_ledger(
    path: &Path,
    renamed: &Renamed,
    all: &mut BTreeMap<String, PlayerFigures>,
) -> Result<(), LedgerError> {
    let ledger = Ledger::read(path)?;
    let entries = ledger.entries()?;
    for (number, _, record) in matches_of(path)? {
        let calls = call_summaries(&ledger, &entries, number).unwrap_or_default();
        for side in [Side::First, Side::Second] {
            let setup = record.state().setup();
            let name = renamed.get(setup.name(side)).cloned().unwrap_or_else(|| setup.name(side).to_owned());
            let player =
                all.entry(name.clone()).or_insert_with(|| PlayerFigures { name, ..Default::default() });
            add(player, &record, setup.name(side), side, &calls);
        }
    }
    Ok(())
}

fn add(player: &mut PlayerFigures, record: &Record, name: &str, side: Side, calls: &[CallSummary]) {
    let standing = report::json(record);
    player.matches += 1;
    player.won += u32::from(standing["winner"].as_str() == Some(name));
    let stands = record.standing_all();
    for frame in standing["frames"].as_array().into_iter().flatten() {
        let number = frame["event"].as_u64().and_then(|number| usize::try_from(number).ok());
        match number.and_then(|number| stands.get(&number).copied().flatten()) {
            Some(Event::Frame(_)) => {
                player.half_rounds += 1;
                player.points += frame["scores"][name].as_i64().unwrap_or(0);
            }
            Some(Event::Strike(strike)) if frame["by"].as_str().is_none_or(|by| by == name) => {
                let own = |colour: &&String| {
                    number.is_some_and(|number| record.colours_at(number)[side] == **colour)
                };
                let pocketed = strike.pocketed.iter().filter(own).count();
                player.strikes += u32::from(pocketed > 0 || frame["by"].as_str() == Some(name));
                player.pocketed += pocketed as u32;
            }
            _ => {}
        }
    }
    let board = &record.state().setup().board.id;
    for call in calls.iter().filter(|call| call.side.as_deref() == Some(name) && !call.undone) {
        if let Some(area) = call.area.as_ref().filter(|_| call.points.is_some_and(|points| points != 0)) {
            *player.areas.entry(area.clone()).or_default() += 1;
        }
        if let (Some(x_mm), Some(y_mm)) = (call.x_mm, call.y_mm) {
            player.rests.entry(board.clone()).or_default().push([x_mm.round(), y_mm.round()]);
        }
        let swing = call.doubts.first().map(|doubt| {
            let of = |tally: &serde_json::Value| tally[call.colour.as_str()].as_i64().unwrap_or(0);
            of(&doubt.tally) - of(&doubt.other_tally)
        });
        let turned = call.verdict.as_ref().is_some_and(|verdict| verdict.ruling == Ruling::Overruled);
        match swing.filter(|swing| call.close && *swing != 0) {
            Some(swing) if (swing > 0) != turned => player.close_won += 1,
            Some(_) => player.close_lost += 1,
            None => {}
        }
    }
}
