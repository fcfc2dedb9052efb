//! The games with their options, for the form that starts a match.

use axum::Json;
use serde_json::{Value, json};

use crate::rules::{
    GameId,
    catalogue::{GameText, OptionText},
    shipped,
};

pub(super) async fn list() -> Json<Value> {
    Json(json!({ "games": GameId::ALL.map(game) }))
}

fn game(id: GameId) -> Value {
    let text = GameText::of(id);
    let board = shipped(id);
    let pieces = board.iter().flat_map(|board| &board.pieces).filter(|kind| !kind.shooter && kind.count > 1);
    let colours: Vec<Value> =
        pieces.map(|kind| json!({ "name": kind.name, "colour": kind.colour.to_string() })).collect();
    json!({
        "id": id.id(),
        "name": text.name,
        "summary": text.summary,
        "board": board.as_ref().map(|board| &board.id),
        "colours": colours,
        "options": text.options.iter().map(option).collect::<Vec<_>>(),
    })
}

/// An option with its kind: a choice where its values are listed, else a number.
fn option(option: &OptionText) -> Value {
    let value = |word: &str| match word.trim() {
        "true" => json!(true),
        "false" => json!(false),
        word => word.parse::<i64>().map_or_else(|_| json!(word), |number| json!(number)),
    };
    let listed: Vec<&str> = option.values.split(',').map(|word| word.trim().trim_end_matches(" …")).collect();
    let (kind, values) = match listed.as_slice() {
        ["true", "false"] => ("bool", Vec::new()),
        [_] => ("number", Vec::new()),
        words => ("choice", words.iter().map(|word| value(word)).collect()),
    };
    json!({ "name": option.name, "kind": kind, "values": values, "default": value(option.default) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_choices_switches_and_numbers() {
        let court = game(GameId::Court);
        assert_eq!(
            court["options"][1],
            json!({ "name": "target", "kind": "choice", "values": [50, 75, 100], "default": 75 })
        );
        assert_eq!(court["options"][2]["values"], json!([1, 3, 5]));
        assert_eq!(court["colours"][0]["name"], "red");
        let ludington = game(GameId::Ludington);
        let kinds: Vec<_> =
            ludington["options"].as_array().into_iter().flatten().map(|o| o["kind"].clone()).collect();
        assert_eq!(kinds, ["choice", "number", "choice", "bool", "bool", "bool", "bool", "number"]);
        assert_eq!(ludington["options"][6]["default"], true);
    }
}
