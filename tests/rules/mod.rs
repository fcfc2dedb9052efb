//! The five games, from events to tally.

mod association;
mod command;
mod corrections;
mod court;
mod doubts;
mod fixtures;
mod fuzz;
mod kagw;
mod long_board;
mod ludington;
mod properties;
mod random_matches;
mod refusals;

use linecall::rules::{Record, match_file, report};
use serde_json::{Value, json};

/// A match file being written.
#[derive(Clone)]
pub struct Game {
    pub lines: Vec<Value>,
}

impl Game {
    /// Ann and Bo in singles with the game's own colours, Ann's named first.
    pub fn singles(game: &str, options: Value) -> Game {
        let (first, second) = match game {
            "court" | "long-board" => ("red", "blue"),
            "association" => ("red", "yellow"),
            "kagw" => ("white", "black"),
            _ => ("black", "white"),
        };
        let sides = json!([{"name": "Ann", "colour": first}, {"name": "Bo", "colour": second}]);
        Game { lines: vec![json!({"type": "match", "game": game, "options": options, "sides": sides})] }
    }

    /// Ann with Cy against Bo with Di.
    pub fn doubles(game: &str, mut options: Value) -> Game {
        options["play"] = json!("doubles");
        let mut it = Game::singles(game, options);
        it.lines[0]["sides"][0]["players"] = json!(["Ann", "Cy"]);
        it.lines[0]["sides"][1]["players"] = json!(["Bo", "Di"]);
        it
    }

    pub fn then(mut self, event: Value) -> Game {
        self.lines.push(event);
        self
    }

    /// A frame by areas: `red` and `blue` are the first and the second colour's pieces. A star marks
    /// a piece that touches a line.
    pub fn frame(self, first: &[&str], second: &[&str]) -> Game {
        let event = self.frame_event(first, second);
        self.then(event)
    }

    pub fn frame_event(&self, first: &[&str], second: &[&str]) -> Value {
        let colour = |side: usize| self.lines[0]["sides"][side]["colour"].clone();
        let piece = |colour: Value, area: &str| match (area, area.strip_suffix('*')) {
            ("-", _) => json!({"colour": colour, "area": null}),
            (_, Some(area)) => json!({"colour": colour, "area": area, "touching": true}),
            _ => json!({"colour": colour, "area": area}),
        };
        let firsts = first.iter().map(|area| piece(colour(0), area));
        let seconds = second.iter().map(|area| piece(colour(1), area));
        json!({"type": "frame", "pieces": firsts.chain(seconds).collect::<Vec<_>>()})
    }

    pub fn strike(self, pocketed: &[&str]) -> Game {
        self.then(json!({"type": "strike", "pocketed": pocketed}))
    }

    pub fn miss(self) -> Game {
        self.strike(&[])
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    pub fn record(&self) -> Record {
        match match_file::play(self.text().as_bytes(), None) {
            Ok(record) => record,
            Err(refused) => panic!("{refused}"),
        }
    }

    /// The final state.
    pub fn state(&self) -> Value {
        report::json(&self.record())
    }

    /// The words of the refusal of its last line.
    pub fn refusal(&self) -> String {
        match match_file::play(self.text().as_bytes(), None) {
            Ok(_) => panic!("the match was accepted"),
            Err(refused) => {
                assert_eq!(refused.line, self.lines.len(), "{refused}");
                refused.to_string()
            }
        }
    }

    /// Asserts that the last line is refused with words that contain all of `words`.
    pub fn refused(&self, words: &[&str]) {
        let found = self.refusal();
        for word in words {
            assert!(found.contains(word), "{found:?} lacks {word:?}");
        }
    }
}

/// Asserts some fields of a state; `scores` and the like as pairs of Ann's and Bo's.
#[track_caller]
pub fn expect(state: &Value, key: &str, value: Value) {
    assert_eq!(state[key], value, "{key} in {state:#}");
}

#[track_caller]
pub fn expect_scores(state: &Value, ann: i64, bo: i64) {
    expect(state, "scores", json!({"Ann": ann, "Bo": bo}));
}

/// The last frame's points and whether it cites all of `rules`.
#[track_caller]
pub fn expect_last(state: &Value, ann: i64, bo: i64, rules: &[&str]) {
    let last = state["frames"].as_array().unwrap().last().unwrap();
    assert_eq!(last["scores"], json!({"Ann": ann, "Bo": bo}), "{last:#}");
    let cites: Vec<&str> = last["cites"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    for rule in rules {
        assert!(cites.contains(rule), "{rule} in {cites:?}");
    }
}
