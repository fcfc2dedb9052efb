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
    desk::{Correction, Desk, Policy},
    ledger::Author,
    rules::Event,
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

/// Longest name or reason that is recorded, in characters.
const LONGEST: usize = 400;

impl Signed {
    /// The name without what no name has: control characters and blanks around it.
    pub fn name(&self) -> Result<String, WebError> {
        cleaned(&self.by).ok_or(WebError::Desk(crate::desk::DeskError::NoName))
    }

    pub fn why(&self) -> Option<String> {
        self.why.as_deref().and_then(cleaned)
    }
}

fn cleaned(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
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
    change(&site, move |desk| {
        let number = desk.new_match(event, Author::referee(&signed.name()?), signed.based_on)?;
        Ok(json!({ "event": number }))
    })
    .await
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
        let number = desk.undo(Some(event), &signed.name()?, signed.why().as_deref(), signed.based_on)?;
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
        let number = desk.overrule(event, with, &signed.name()?, signed.why().as_deref(), signed.based_on)?;
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
        let correction = event.map(|event| Correction { event, why: signed.why() });
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
        desk.reject(id, &signed.name()?, signed.why().as_deref(), signed.based_on)?;
        Ok(json!({}))
    })
    .await
}

pub(super) async fn policy(
    State(site): State<Arc<Site>>,
    Json(PolicyChoice { policy }): Json<PolicyChoice>,
) -> Result<Json<Value>, WebError> {
    change(&site, move |desk| {
        desk.set_policy(policy);
        Ok(json!({}))
    })
    .await
}
