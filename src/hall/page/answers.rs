//! Changes and data for programs.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Site;
use crate::{
    hall::{
        command::Order,
        office::{OfficeError, history},
        tournament::{
            BookError, Draw, read_entrants, read_pairings, results, results_csv as csv_of, standings,
        },
    },
    ledger::{CallId, Ruling},
    rules::{Event, event::RawOptions},
};

/// How long a person waits for a table's answer before they are told that it comes later.
const PATIENCE: Duration = Duration::from_secs(5);

/// An answer that is not what was asked for.
#[derive(Debug)]
pub struct Refused(pub StatusCode, pub String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<OfficeError> for Refused {
    fn from(error: OfficeError) -> Refused {
        Refused(StatusCode::CONFLICT, error.to_string())
    }
}

impl From<BookError> for Refused {
    fn from(error: BookError) -> Refused {
        Refused(StatusCode::CONFLICT, error.to_string())
    }
}

fn wrong(words: impl ToString) -> Refused {
    Refused(StatusCode::BAD_REQUEST, words.to_string())
}

fn name(by: &str) -> Result<String, Refused> {
    let name: String = by.chars().filter(|c| !c.is_control()).take(100).collect();
    match name.trim() {
        "" => Err(wrong("a person's name is needed: who says so?")),
        name => Ok(name.to_owned()),
    }
}

/// Waits for the table, and says what it says.
async fn answered(site: &Site, id: &str) -> Result<Json<Value>, Refused> {
    match site.office.answer(id, PATIENCE).await {
        Some(answer) if answer.done => {
            Ok(Json(json!({ "done": true, "words": answer.words, "match": answer.match_number })))
        }
        Some(answer) => Err(Refused(StatusCode::CONFLICT, answer.words)),
        None => Ok(Json(
            json!({ "done": false, "words": "the table has not answered yet; it is told again until it does" }),
        )),
    }
}

/// Everything about the tables.
pub async fn hall(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(site.office.look(|floor| {
        let tables: Vec<Value> = floor
            .tables
            .iter()
            .map(|(name, table)| {
                let copy = table.ledger().and_then(|ledger| table.copies.get(&ledger));
                json!({
                    "table": name, "online": table.online, "heard": table.heard, "state": table.state,
                    "questions": table.ask.as_ref().map(|ask| &ask.questions), "fault": table.fault,
                    "copy": copy.map(|copy| json!({ "seq": copy.head.seq, "hash": copy.head.hash, "lacking": copy.lacking.len() })),
                })
            })
            .collect();
        json!({ "v": 1, "broker": floor.lost.as_ref().map_or("connected", |_| "lost"), "tables": tables, "offices": floor.offices.len() })
    }))
}

#[derive(Debug, Deserialize)]
pub struct QuestionAnswer {
    table: String,
    question: u64,
    by: String,
    based_on: Option<u64>,
    /// `confirm` or `reject`.
    #[serde(rename = "do")]
    what: String,
    /// What it was instead.
    event: Option<Event>,
    why: Option<String>,
}

pub async fn question(
    State(site): State<Arc<Site>>,
    Json(given): Json<QuestionAnswer>,
) -> Result<Json<Value>, Refused> {
    let order = match given.what.as_str() {
        "confirm" => Order::Confirm { question: given.question, event: given.event },
        "reject" => Order::Reject { question: given.question, why: given.why },
        other => return Err(wrong(format!("{other:?} is no answer: expected confirm or reject"))),
    };
    let id = site.office.command(&given.table, &name(&given.by)?, given.based_on, order)?;
    answered(&site, &id).await
}

#[derive(Debug, Deserialize)]
pub struct RulingGiven {
    table: String,
    call: CallId,
    ruling: Ruling,
    by: String,
    about: Option<String>,
    why: Option<String>,
}

pub async fn ruling(
    State(site): State<Arc<Site>>,
    Json(given): Json<RulingGiven>,
) -> Result<Json<Value>, Refused> {
    let RulingGiven { table, call, ruling, by, about, why } = given;
    let id = site.office.command(&table, &name(&by)?, None, Order::Ruling { call, ruling, about, why })?;
    answered(&site, &id).await
}

pub async fn pairings(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(site.office.look(|floor| json!(floor.book)))
}

/// Pairings as CSV or JSON, as they stand in the body; `?game=` for those that name none.
pub async fn add_pairings(
    State(site): State<Arc<Site>>,
    axum::extract::Query(query): axum::extract::Query<std::collections::HashMap<String, String>>,
    body: String,
) -> Result<Json<Value>, Refused> {
    let game = query.get("game").map_or("kagw", String::as_str);
    let read = read_pairings(&body, game).map_err(wrong)?;
    if read.is_empty() {
        return Err(wrong("there is no pairing in it"));
    }
    let added = site.office.with_book(|book| book.add(read));
    let added = added
        .map_err(|faults| wrong(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))?;
    Ok(Json(json!({ "added": added })))
}

#[derive(Debug, Deserialize)]
pub struct DrawGiven {
    form: crate::hall::tournament::Form,
    game: String,
    #[serde(default)]
    options: RawOptions,
    /// As CSV, JSON or a name a line.
    entrants: String,
}

pub async fn draw(
    State(site): State<Arc<Site>>,
    Json(given): Json<DrawGiven>,
) -> Result<Json<Value>, Refused> {
    let entrants = read_entrants(&given.entrants).map_err(wrong)?;
    let mut options = given.options;
    if options.play.is_none() && entrants.iter().all(|entrant| entrant.players.is_some()) {
        options.play = Some(crate::rules::event::Play::Doubles);
    }
    let drawn = Draw { form: given.form, game: given.game, options, entrants }.pairings().map_err(wrong)?;
    let added = site.office.with_book(|book| {
        let added = book.add(drawn)?;
        book.form = Some(given.form);
        Ok(added)
    });
    let added = added.map_err(|faults: Vec<BookError>| {
        wrong(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    })?;
    Ok(Json(json!({ "added": added })))
}

#[derive(Debug, Deserialize)]
pub struct Assigned {
    pairing: String,
    table: String,
    by: String,
    #[serde(default)]
    replace: bool,
}

pub async fn assign(
    State(site): State<Arc<Site>>,
    Json(given): Json<Assigned>,
) -> Result<Json<Value>, Refused> {
    let id = site.office.assign(&given.pairing, &given.table, &name(&given.by)?, given.replace)?;
    answered(&site, &id).await
}

#[derive(Debug, Deserialize)]
pub struct Recalled {
    pairing: String,
}

pub async fn recall(
    State(site): State<Arc<Site>>,
    Json(given): Json<Recalled>,
) -> Result<Json<Value>, Refused> {
    site.office.with_book(|book| book.recall(&given.pairing))?;
    Ok(Json(json!({ "done": true })))
}

#[derive(Debug, Deserialize)]
pub struct Decided {
    pairing: String,
    winner: String,
    by: String,
}

pub async fn decide(
    State(site): State<Arc<Site>>,
    Json(given): Json<Decided>,
) -> Result<Json<Value>, Refused> {
    let by = name(&given.by)?;
    site.office.with_book(|book| book.decide(&given.pairing, &given.winner, &by, jiff::Timestamp::now()))?;
    Ok(Json(json!({ "done": true })))
}

#[derive(Debug, Deserialize)]
pub struct Automatic {
    on: bool,
}

pub async fn automatic(State(site): State<Arc<Site>>, Json(given): Json<Automatic>) -> Json<Value> {
    let on = site.office.with_book(|book| {
        if book.automatic != given.on {
            book.automatic = given.on;
            book.revision += 1;
        }
        Ok::<_, std::convert::Infallible>(book.automatic)
    });
    Json(json!({ "on": on.unwrap_or(given.on) }))
}

pub async fn standings_json(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(site.office.look(|floor| json!(standings(&floor.book))))
}

pub async fn history_json(State(site): State<Arc<Site>>) -> Result<Json<Value>, Refused> {
    let data = site.office.options().data.clone();
    let read = tokio::task::spawn_blocking(move || json!(history(&data))).await;
    read.map(Json).map_err(|error| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

pub async fn results_json(State(site): State<Arc<Site>>) -> Json<Value> {
    Json(site.office.look(|floor| json!(results(&floor.book))))
}

pub async fn results_csv(State(site): State<Arc<Site>>) -> Result<Response, Refused> {
    let rows = site.office.look(|floor| results(&floor.book));
    let text = csv_of(&rows).map_err(wrong)?;
    Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], text).into_response())
}
