//! Everything that was recorded of the match, for the referee: what stands, what was corrected, by whom.

use std::{collections::HashMap, sync::Arc};

use axum::{Json, extract::State};
use serde_json::{Value, json};

use super::{
    Site,
    failure::{WebError, blocking},
    snapshot::who,
    table,
};
use crate::{
    desk::Desk,
    ledger::Entry,
    rules::{Event, Record, Side, report},
};

pub(super) async fn log(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let desk = site.desk.clone();
    blocking(move || Ok(Json(events(&desk)?))).await
}

fn events(desk: &Desk) -> Result<Value, WebError> {
    let entries =
        desk.with_ledger(|ledger| ledger.entries()).map_err(|error| WebError::Desk(error.into()))?;
    let Some(number) = desk.state().match_info.as_ref().map(|info| info.number) else {
        return Ok(json!({ "events": [] }));
    };
    let of_match: Vec<&Entry> = entries.iter().filter(|entry| entry.match_number == number).collect();
    let rows = desk.with_record(|record| rows(record, &of_match)).unwrap_or_default();
    Ok(json!({ "events": rows }))
}

fn rows(record: &Record, entries: &[&Entry]) -> Vec<Value> {
    let standing = record.standing_all();
    let report = report::json(record);
    let frames: HashMap<u64, &Value> = report["frames"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|f| Some((f["event"].as_u64()?, f)))
        .collect();
    let corrections = Corrections::of(record);
    let mut rows = Vec::new();
    for entry in entries {
        let Some((number, event)) = entry.event() else { continue };
        let now = standing.get(&number).copied().flatten();
        let frame = frames.get(&(number as u64)).copied().filter(|_| now.is_some());
        let pieces = match now {
            Some(Event::Frame(frame)) => json!(table::of_frame(record, Some(number), frame, None)),
            _ => Value::Null,
        };
        rows.push(json!({
            "event": number,
            "type": event.name(),
            "words": words(record, event),
            "at": entry.at,
            "time": entry.at.strftime("%H:%M UTC").to_string(),
            "author": author(entry),
            "stands": now.is_some(),
            "can_undo": now.is_some() && number > 0,
            "overruled_by": now.is_some().then(|| corrections.overruled.get(&number)).flatten(),
            "undone_by": now.is_none().then(|| corrections.undone.get(&number)).flatten(),
            "standing": now,
            "pieces": pieces,
            "has_calls": matches!(event, Event::Frame(_) | Event::Lag(_)) || entry.view.is_some(),
            "scores": frame.map(|frame| &frame["scores"]),
            "totals": frame.map(|frame| &frame["totals"]),
            "cites": frame.map(|frame| &frame["cites"]),
            "remarks": frame.map(|frame| &frame["remarks"]),
            "game_number": frame.map(|frame| &frame["game_number"]),
            "game_won_by": frame.map(|frame| &frame["game_won_by"]),
        }));
    }
    rows
}

fn author(entry: &Entry) -> String {
    entry.author.person().map_or_else(|| entry.author.to_string(), str::to_owned)
}

/// Who corrected what, of the corrections that stand.
struct Corrections {
    overruled: HashMap<usize, String>,
    undone: HashMap<usize, String>,
}

impl Corrections {
    fn of(record: &Record) -> Corrections {
        let mut found = Corrections { overruled: HashMap::new(), undone: HashMap::new() };
        let standing = record.standing_all();
        for recorded in record.events() {
            let by = |by: &Option<String>| by.clone().unwrap_or_else(|| "a person".to_owned());
            match standing.get(&recorded.number).copied().flatten() {
                Some(Event::Overrule(overrule)) => {
                    found.overruled.insert(overrule.event, by(&overrule.by));
                }
                Some(Event::Undo(undo)) => {
                    found.undone.insert(undo.event, by(&undo.by));
                }
                _ => {}
            }
        }
        found
    }
}

fn words(record: &Record, event: &Event) -> String {
    let setup = record.state().setup();
    match event {
        Event::Match(_) => {
            format!("{} against {}", who(setup, Side::First), who(setup, Side::Second))
        }
        Event::Lag(lag) => format!("Lag, {} first", lag.first),
        Event::Choose(choose) => format!("{} chooses {}", choose.side, choose.colour),
        Event::Frame(_) if setup.game == crate::rules::GameId::Association => "Frame".to_owned(),
        Event::Frame(_) => "Half round".to_owned(),
        Event::Playoff(playoff) => {
            format!("Play-off, {} {}", playoff.colour, playoff.area.as_deref().unwrap_or("none"))
        }
        Event::Strike(strike) if strike.pocketed.is_empty() => "Strike, nothing pocketed".to_owned(),
        Event::Strike(strike) => format!("Strike, {}", strike.pocketed.join(", ")),
        Event::Forgotten(_) => "Penalty forgotten".to_owned(),
        Event::Overrule(overrule) => format!("Correction: {}", words(record, &overrule.with)),
        Event::Undo(_) => "Undo".to_owned(),
    }
}
