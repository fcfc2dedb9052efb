//! The state as pages get it: the desk's own, and what it takes to draw it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::table;
use crate::{
    board::End,
    camera::PROGRAM,
    desk::{Desk, DeskState},
    rules::{
        Event, GameId, Record, Setup, Side,
        catalogue::GameText,
        event::{FrameEvent, LagEvent, Play},
    },
};

/// A state that is ready to be sent.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub revision: u64,
    pub tick: u64,
    /// JSON.
    pub json: Arc<str>,
}

/// The state as it is now, with the newest `frames_shown` frames.
pub(super) fn of(desk: &Desk, frames_shown: usize) -> Snapshot {
    let state = desk.state();
    let mut value =
        serde_json::to_value(&*state).unwrap_or_else(|error| json!({ "error": error.to_string() }));
    value["program"] = json!(PROGRAM);
    desk.with_record(|record| add_match(&mut value, &state, record, frames_shown));
    Snapshot { revision: state.revision, tick: state.tick, json: value.to_string().into() }
}

fn add_match(value: &mut Value, state: &DeskState, record: &Record, frames_shown: usize) {
    let game = record.state();
    let setup = game.setup();
    let standing = game.standing();
    if let Some(info) = value["match"].as_object_mut() {
        let number = standing.game_number() + u32::from(standing.between_games && !standing.status.is_over());
        info.insert("game_name".to_owned(), json!(GameText::of(setup.game).name));
        info.insert("best_of".to_owned(), json!(setup.options.best_of));
        info.insert("target".to_owned(), json!((setup.game != GameId::Kagw).then_some(setup.options.target)));
        info.insert("play".to_owned(), json!(setup.options.play));
        info.insert("game_number".to_owned(), json!(number));
    }
    if let Some(frames) = value["standing"]["frames"].as_array_mut() {
        let older = frames.len().saturating_sub(frames_shown);
        frames.drain(..older);
        value["standing"]["older_frames"] = json!(older);
    }
    value["between_games"] = json!(standing.between_games);
    value["latest"] = latest(record);
    value["lag_possible"] = json!(lag_possible(record));
    value["next_end"] = json!(next_end(record));
    value["table"] = json!(table::on_table(state, record));
    for (shown, pending) in value["pending"].as_array_mut().into_iter().flatten().zip(&state.pending) {
        if let Event::Frame(frame) = &pending.event {
            let report = state.lying.as_ref().filter(|lying| lying.view == pending.view);
            shown["pieces"] = json!(table::of_frame(record, None, frame, report));
        }
    }
}

/// The newest event: whether it corrects an earlier one decides what is read aloud.
fn latest(record: &Record) -> Value {
    record.events().last().map_or(Value::Null, |last| {
        json!({ "event": last.number, "type": last.event.name(), "correction": last.event.is_correction() })
    })
}

/// Whether colours can be lagged for now (C1).
fn lag_possible(record: &Record) -> bool {
    let setup = record.state().setup();
    let standing = record.state().standing();
    let is_early = standing.between_games || record.log().len() < 4;
    if !matches!(setup.game, GameId::Court | GameId::LongBoard) || !is_early || standing.status.is_over() {
        return false;
    }
    let lag = LagEvent {
        first: setup.name(Side::First).to_owned(),
        second: setup.name(Side::Second).to_owned(),
        pieces: Vec::new(),
        moved: true,
        end: End::Far,
        waive: Vec::new(),
        by: None,
    };
    let mut tried = record.clone();
    tried.push(record.next_number(), Event::Lag(lag)).is_ok()
}

/// The end that the next frame is likely played to: the other one where ends have alternated.
fn next_end(record: &Record) -> End {
    let mut ends = frames(record).rev().map(|frame| frame.end);
    match (ends.next(), ends.next()) {
        (Some(last), Some(before)) if last != before => before,
        (Some(last), _) => last,
        (None, _) => End::Far,
    }
}

/// The frames that stand, in order.
fn frames(record: &Record) -> impl DoubleEndedIterator<Item = &FrameEvent> {
    let standing = record.standing_all();
    record.log().iter().filter_map(move |logged| match standing.get(&logged.number) {
        Some(Some(Event::Frame(frame))) => Some(frame),
        _ => None,
    })
}

/// The sides' players or names, for a match in words.
pub(super) fn who(setup: &Setup, side: Side) -> String {
    match (&setup.sides[side].players, setup.options.play) {
        (Some([one, two]), Play::Doubles) => format!("{} ({one} and {two})", setup.name(side)),
        _ => setup.name(side).to_owned(),
    }
}
