//! Challenges: a side asks for a review of a call. So many that it loses a game, where that is the rule; one that is right,
//! or that nobody has decided, is kept, as in table tennis.

use std::{collections::HashMap, sync::Arc};

use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site,
    calls::call_id,
    changes::{Signed, change},
    failure::{WebError, blocking},
};
use crate::{
    desk::{CallSummary, Desk},
    ledger::{Author, CallId, Content, Note, Ruling},
    rules::{Side, report},
};

/// How a note begins that is a challenge: the side follows, then the call.
const ABOUT: &str = "challenge";

/// A side's challenge of a call.
struct Challenge {
    side: String,
    call: CallId,
}

impl Challenge {
    fn note(&self, by: &str) -> Note {
        let Challenge { side, call } = self;
        Note {
            about: format!("{ABOUT} {call} {side}"),
            text: format!("{side} asks for a review; {by} was asked"),
            confidence: None,
        }
    }

    fn of(note: &Note) -> Option<Challenge> {
        let (call, side) = note.about.strip_prefix(ABOUT)?.trim_start().split_once(' ')?;
        Some(Challenge { side: side.to_owned(), call: call.parse().ok()? })
    }
}

/// How a side stands with its challenges in the running game.
struct Standing {
    limit: Option<u32>,
    sides: Vec<String>,
    lost: HashMap<String, u32>,
    open: Vec<Challenge>,
}

impl Standing {
    fn of(desk: &Desk, limit: Option<u32>) -> Result<Standing, WebError> {
        let entries = desk.with_ledger(|ledger| ledger.entries()).map_err(|e| WebError::Desk(e.into()))?;
        let number = desk.state().match_info.as_ref().map(|info| info.number);
        let calls: HashMap<CallId, CallSummary> =
            desk.calls()?.into_iter().map(|call| (call.id, call)).collect();
        let games = desk.with_record(|record| {
            let frames = report::json(record)["frames"].as_array().cloned().unwrap_or_default();
            let game_of: HashMap<u64, u64> = frames
                .iter()
                .filter_map(|f| Some((f["event"].as_u64()?, f["game_number"].as_u64()?)))
                .collect();
            let setup = record.state().setup();
            let sides = [Side::First, Side::Second].map(|side| setup.name(side).to_owned());
            (game_of, u64::from(record.state().standing().game_number()), sides.to_vec())
        });
        let (game_of, running, sides) = games.unwrap_or_default();
        let mut standing = Standing { limit, sides, lost: HashMap::new(), open: Vec::new() };
        for entry in entries.iter().filter(|entry| Some(entry.match_number) == number) {
            let Content::Note(note) = &entry.content else { continue };
            let Some(challenge) = Challenge::of(note) else { continue };
            let game = game_of.get(&(challenge.call.event as u64)).copied().unwrap_or(running);
            let verdict = calls.get(&challenge.call).and_then(|call| call.verdict.as_ref());
            match verdict.map(|verdict| verdict.ruling) {
                Some(Ruling::Upheld) if game == running => {
                    *standing.lost.entry(challenge.side).or_default() += 1;
                }
                None => standing.open.push(challenge),
                Some(_) => {}
            }
        }
        Ok(standing)
    }

    /// Challenges that a side has left; `None`: as many as it likes.
    fn left(&self, side: &str) -> Option<u32> {
        let open = self.open.iter().filter(|challenge| challenge.side == side).count() as u32;
        let lost = self.lost.get(side).copied().unwrap_or(0);
        self.limit.map(|limit| limit.saturating_sub(lost + open))
    }

    fn json(&self) -> Value {
        let sides: Vec<Value> =
            self.sides.iter().map(|side| json!({ "name": side, "left": self.left(side) })).collect();
        let open: Vec<Value> = self
            .open
            .iter()
            .map(|challenge| json!({ "side": challenge.side, "call": challenge.call }))
            .collect();
        json!({ "limit": self.limit, "sides": sides, "open": open })
    }
}

impl Site {
    fn reviews_a_game(&self) -> Option<u32> {
        self.options.home.as_ref().and_then(|home| home.settings().reviews_a_game)
    }
}

/// How both sides stand.
pub(super) async fn list(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let (desk, limit) = (site.desk.clone(), site.reviews_a_game());
    blocking(move || Ok(Json(Standing::of(&desk, limit)?.json()))).await
}

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    side: String,
    call: String,
    #[serde(flatten)]
    signed: Signed,
}

/// A side asks for a review.
pub(super) async fn challenge(
    State(site): State<Arc<Site>>,
    Json(Asked { side, call, signed }): Json<Asked>,
) -> Result<Json<Value>, WebError> {
    let call = call_id(&call)?;
    let limit = site.reviews_a_game();
    change(&site, move |desk| {
        let by = signed.name()?;
        let standing = Standing::of(desk, limit)?;
        if !standing.sides.contains(&side) {
            return Err(WebError::Unusable(format!("nobody called {side} plays")));
        }
        if !desk.calls()?.iter().any(|known| known.id == call) {
            return Err(WebError::NotFound(format!("there is no call {call}")));
        }
        if standing.left(&side) == Some(0) {
            return Err(WebError::Unusable(format!("{side} has no review left in this game")));
        }
        let challenge = Challenge { side, call };
        desk.note(challenge.note(&by), Author::referee(&by), None)?;
        Ok(Standing::of(desk, limit)?.json())
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(super) struct Limit {
    limit: Option<u32>,
}

/// Most reviews a game that anybody allows.
const MOST: u32 = 20;

/// How many reviews a side may lose in a game; null: any number.
pub(super) async fn limit(
    State(site): State<Arc<Site>>,
    Json(Limit { limit }): Json<Limit>,
) -> Result<Json<Value>, WebError> {
    let home = site.home()?.clone();
    if limit.is_some_and(|limit| limit > MOST) {
        return Err(WebError::Unusable(format!("at most {MOST} reviews a game, or any number")));
    }
    let desk = site.desk.clone();
    blocking(move || {
        home.choose(|settings| settings.reviews_a_game = limit)
            .map_err(|error| WebError::Broken(error.to_string()))?;
        Ok(Json(Standing::of(&desk, limit)?.json()))
    })
    .await
}
