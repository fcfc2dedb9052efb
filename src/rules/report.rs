//! The final state as the contract's JSON.

use serde_json::{Map, Value, json};

use super::{
    AnyGame, BySide, Entry, Logged, Record, Side, Special,
    pucks::{Doubt, FrameDoubts},
};

/// Probabilities are rounded to so many places, so that output does not show noise.
const PLACES: f64 = 1e6;

/// The state of a match as one JSON object.
pub fn json(record: &Record) -> Value {
    let game = record.state();
    let setup = game.setup();
    let standing = game.standing();
    let name = |side: Side| Value::from(setup.name(side));
    let frames: Vec<Value> =
        record.log().iter().filter(|logged| is_frame(logged)).map(|logged| frame(game, logged)).collect();
    let table = game.table();
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("game", setup.game.id().into());
    put("status", standing.status.name().into());
    put("winner", standing.status.winner().map_or(Value::Null, name));
    put("scores", by_name(game, standing.scores));
    put("games", by_name(game, standing.games));
    put("to_play", game.to_play().map_or(Value::Null, |seat| setup.player(seat).into()));
    put("frames", frames.into());
    put("on_board", on_board(game));
    put("queen", table.as_ref().and_then(|t| t.special).map_or(Value::Null, |queen| special(game, queen)));
    put("owed", table.as_ref().map_or(Value::Null, |t| by_name(game, t.owed)));
    put("to_choose", game.to_choose().map_or(Value::Null, name));
    put("points", by_name(game, points(game)));
    put("colours", by_name(game, game.colours().clone()));
    let waivers: Vec<Value> = waivers(record);
    put("waivers", waivers.into());
    Value::Object(object)
}

/// Whether an event is a frame, a play-off rock or a strike.
pub(super) fn is_frame(logged: &Logged) -> bool {
    matches!(logged.name, "frame" | "playoff" | "strike")
}

/// A value for each side, by the sides' names.
pub fn by_name<T: Into<Value>>(game: &AnyGame, values: BySide<T>) -> Value {
    let setup = game.setup();
    let mut object = Map::new();
    object.insert(setup.name(Side::First).to_owned(), values.first.into());
    object.insert(setup.name(Side::Second).to_owned(), values.second.into());
    Value::Object(object)
}

/// Points of the whole match: of finished games, and of the running one.
fn points(game: &AnyGame) -> BySide<i32> {
    let standing = game.standing();
    if standing.between_games { standing.points } else { standing.points + standing.scores }
}

fn frame(game: &AnyGame, logged: &Logged) -> Value {
    let Logged { number, name, entry } = logged;
    let Entry { by, points, totals, cites, remarks, game_won_by, probability, doubts, .. } = entry;
    let setup = game.setup();
    let mut value = json!({
        "scores": by_name(game, *points),
        "cites": cites,
        "event": number,
        "type": name,
        "game_number": entry.game,
        "by": by.map(|seat| setup.player(seat)),
        "totals": by_name(game, *totals),
        "remarks": remarks,
        "game_won_by": game_won_by.map(|side| setup.name(side)),
    });
    if let (Some(doubts), Value::Object(object)) = (doubts, &mut value) {
        let FrameDoubts { outcomes, doubts } = &**doubts;
        object.insert("probability".to_owned(), rounded(*probability));
        let outcome = |(tally, p): &(BySide<i32>, f64)| json!({ "scores": by_name(game, *tally), "probability": rounded(*p) });
        object.insert("outcomes".to_owned(), outcomes.iter().map(outcome).collect());
        object.insert("doubts".to_owned(), doubts.iter().map(|d| doubt(game, d)).collect());
    }
    value
}

fn doubt(game: &AnyGame, doubt: &Doubt) -> Value {
    json!({
        "piece": doubt.piece + 1,
        "against": doubt.against.map(|piece| piece + 1),
        "about": doubt.about,
        "probability": rounded(doubt.probability),
        "scores": by_name(game, doubt.tally),
    })
}

fn rounded(probability: f64) -> Value {
    ((probability * PLACES).round() / PLACES).into()
}

fn on_board(game: &AnyGame) -> Value {
    game.on_board().map_or(Value::Null, Value::from_iter)
}

/// The queen's or the green one's fate in the contract's words.
fn special(game: &AnyGame, special: Special) -> Value {
    match special {
        Special::OnBoard => "on-board".into(),
        Special::ToCover => "to-cover".into(),
        Special::ToReturn => "to-return".into(),
        Special::Taken(side) => game.setup().name(side).into(),
    }
}

fn waivers(record: &Record) -> Vec<Value> {
    let waived = record.events().iter().filter(|recorded| !recorded.event.waivers().is_empty());
    waived
        .map(|recorded| {
            json!({ "event": recorded.number, "waived": recorded.event.waivers(), "by": recorded.event.by() })
        })
        .collect()
}
