//! Changes of referees: each goes to the desk with the name of its author and the revision that
//! they saw.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site,
    failure::{WebError, blocking},
};
use crate::{
    board::Board,
    desk::{Correction, Desk, Policy},
    ledger::Author,
    rules::{Event, GameId, board_for},
};

/// Who changes something, and what they saw.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Signed {
    pub by: String,
    /// The state's revision that it is based on.
    pub based_on: Option<u64>,
    #[serde(default)]
    pub why: Option<String>,
}

/// Longest reason, in characters.
const LONGEST_REASON: usize = 400;

impl Signed {
    /// The name without what no name has: control characters and blanks around it.
    pub fn name(&self) -> Result<String, WebError> {
        cleaned(&self.by).ok_or(WebError::Desk(crate::desk::DeskError::NoName))
    }

    pub fn why(&self) -> Result<Option<String>, WebError> {
        let why = self.why.as_deref().and_then(cleaned);
        match why.as_ref().map(|why| why.chars().count()).filter(|found| *found > LONGEST_REASON) {
            Some(found) => Err(WebError::Unusable(format!(
                "the reason has {found} characters: at most {LONGEST_REASON} are recorded"
            ))),
            None => Ok(why),
        }
    }
}

fn cleaned(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[derive(Debug, Deserialize)]
pub(super) struct NewEvent {
    event: Event,
    #[serde(flatten)]
    signed: Signed,
}

#[derive(Debug, Deserialize)]
pub(super) struct Overruling {
    with: Event,
    #[serde(flatten)]
    signed: Signed,
}

#[derive(Debug, Deserialize)]
pub(super) struct Confirmation {
    /// The event as a person corrected it.
    event: Option<Event>,
    #[serde(flatten)]
    signed: Signed,
}

#[derive(Debug, Deserialize)]
pub(super) struct PolicyChoice {
    policy: Policy,
}

/// Makes a change and says where the record then stands.
pub(super) async fn change(
    site: &Site,
    act: impl FnOnce(&Desk) -> Result<Value, WebError> + Send + 'static,
) -> Result<Json<Value>, WebError> {
    let desk = site.desk.clone();
    blocking(move || {
        let mut answer = act(&desk)?;
        answer["revision"] = json!(desk.revision());
        Ok(Json(answer))
    })
    .await
}

pub(super) async fn new_match(
    State(site): State<Arc<Site>>,
    Json(NewEvent { event, signed }): Json<NewEvent>,
) -> Result<Json<Value>, WebError> {
    let (home, watched) = (site.options.home.clone(), site.watched_board());
    let table = site.table();
    change(&site, move |desk| {
        on_the_watched_table(&event, watched.as_deref(), table)?;
        let mut based_on = signed.based_on;
        if let Some(home) = home {
            let before = desk.with_ledger(|ledger| ledger.path().to_owned());
            home.turn_to_this_evening(desk)?;
            // What was seen is in the last evening's ledger.
            based_on = based_on.filter(|_| desk.with_ledger(|ledger| ledger.path() == before));
        }
        let number = desk.new_match(event, Author::referee(&signed.name()?), based_on)?;
        Ok(json!({ "event": number }))
    })
    .await
}

/// A camera that runs watches one board: a game that is not played on it would be scored by nobody.
fn on_the_watched_table(
    event: &Event,
    watched: Option<&str>,
    table: Option<Arc<Board>>,
) -> Result<(), WebError> {
    let (Some(watched), Event::Match(header)) = (watched, event) else { return Ok(()) };
    // A game that does not exist is refused by the rules, in their words.
    let Some(game) = GameId::ALL.into_iter().find(|game| game.id() == header.game) else { return Ok(()) };
    let Some(board) = board_for(game, table) else { return Ok(()) };
    if board.id == watched {
        return Ok(());
    }
    Err(WebError::Unusable(format!(
        "the camera watches the board {watched}, and {} is played on {}: choose a game of that board, or set the \
         camera up for the other",
        game.id(),
        board.id
    )))
}

pub(super) async fn append(
    State(site): State<Arc<Site>>,
    Json(NewEvent { event, signed }): Json<NewEvent>,
) -> Result<Json<Value>, WebError> {
    change(&site, move |desk| {
        let number = desk.append(event, Author::referee(&signed.name()?), signed.based_on)?;
        Ok(json!({ "event": number }))
    })
    .await
}

pub(super) async fn undo(
    State(site): State<Arc<Site>>,
    Path(event): Path<usize>,
    Json(signed): Json<Signed>,
) -> Result<Json<Value>, WebError> {
    change(&site, move |desk| {
        let number = desk.undo(Some(event), &signed.name()?, signed.why()?.as_deref(), signed.based_on)?;
        Ok(json!({ "event": number }))
    })
    .await
}

pub(super) async fn overrule(
    State(site): State<Arc<Site>>,
    Path(event): Path<usize>,
    Json(Overruling { with, signed }): Json<Overruling>,
) -> Result<Json<Value>, WebError> {
    change(&site, move |desk| {
        let number =
            desk.overrule(event, with, &signed.name()?, signed.why()?.as_deref(), signed.based_on)?;
        Ok(json!({ "event": number }))
    })
    .await
}

pub(super) async fn confirm(
    State(site): State<Arc<Site>>,
    Path(id): Path<u64>,
    Json(Confirmation { event, signed }): Json<Confirmation>,
) -> Result<Json<Value>, WebError> {
    change(&site, move |desk| {
        let why = signed.why()?;
        let correction = event.map(|event| Correction { event, why });
        let number = desk.confirm(id, correction, &signed.name()?, signed.based_on)?;
        Ok(json!({ "event": number }))
    })
    .await
}

pub(super) async fn reject(
    State(site): State<Arc<Site>>,
    Path(id): Path<u64>,
    Json(signed): Json<Signed>,
) -> Result<Json<Value>, WebError> {
    change(&site, move |desk| {
        desk.reject(id, &signed.name()?, signed.why()?.as_deref(), signed.based_on)?;
        Ok(json!({}))
    })
    .await
}

pub(super) async fn policy(
    State(site): State<Arc<Site>>,
    Json(PolicyChoice { policy }): Json<PolicyChoice>,
) -> Result<Json<Value>, WebError> {
    let home = site.options.home.clone();
    change(&site, move |desk| {
        desk.set_policy(policy);
        if let Some(home) = home {
            let kept = home.choose(|settings| settings.policy = Some(policy));
            kept.map_err(|error| WebError::Broken(error.to_string()))?;
        }
        Ok(json!({}))
    })
    .await
}
