//! The list of calls, and verdicts on them.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site,
    changes::{Signed, change},
    failure::{WebError, blocking},
};
use crate::{
    desk::Judgement,
    ledger::{CallId, Ruling},
    rules::Event,
};

pub(super) async fn list(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let desk = site.desk.clone();
    blocking(move || Ok(Json(json!({ "calls": desk.calls()? })))).await
}

#[derive(Debug, Deserialize)]
pub(super) struct Ruled {
    ruling: Ruling,
    /// What about the piece it is: a line, `end`, `order`, `colour …`.
    #[serde(default)]
    about: Option<String>,
    /// What takes the event's place, where the other way does not follow from the call alone.
    #[serde(default)]
    with: Option<Event>,
    #[serde(flatten)]
    signed: Signed,
}

pub(super) async fn verdict(
    State(site): State<Arc<Site>>,
    Path(call): Path<String>,
    Json(Ruled { ruling, about, with, signed }): Json<Ruled>,
) -> Result<Json<Value>, WebError> {
    let call = call_id(&call)?;
    change(&site, move |desk| {
        let (by, why) = (signed.name()?, signed.why()?);
        let judgement = Judgement { ruling, about: about.as_deref(), with, by: &by, why: why.as_deref() };
        let event = desk.verdict(call, judgement, signed.based_on)?;
        Ok(json!({ "event": event }))
    })
    .await
}

pub(super) fn call_id(text: &str) -> Result<CallId, WebError> {
    text.parse().map_err(|error: crate::ledger::CallIdError| WebError::NotFound(error.to_string()))
}
