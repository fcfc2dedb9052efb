//! What is recorded, entry by entry, for other programs. `since` (or the browser's own
//! `Last-Event-ID`) names the last entry that is known, so that nothing is missed or told twice.

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, Query, State},
    http::HeaderMap,
    response::{IntoResponse, Response, Sse, sse::Event},
};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::{Site, failure::WebError, failure::blocking, stream::beat};
use crate::ledger::{Content, Entry};

#[derive(Debug, Deserialize)]
pub(super) struct Since {
    since: Option<u64>,
}

/// Entries that wait for a slow reader; the ledger keeps the rest.
const WAITING: usize = 16;

pub(super) async fn stream(
    State(site): State<Arc<Site>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Query(Since { since }): Query<Since>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let turn = site.streams.enter(from.ip()).ok_or(WebError::TooManyStreams)?;
    let known = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let mut seq: u64 = known.or(since).unwrap_or(0);
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(WAITING);
    let mut newest = site.published.watch();
    let keep_alive = beat(&site);
    tokio::spawn(async move {
        let _turn = turn;
        loop {
            let desk = site.desk.clone();
            let entries = blocking(move || {
                desk.with_ledger(|ledger| ledger.entries_after(seq))
                    .map_err(|error| WebError::Desk(error.into()))
            });
            let Ok(entries) = entries.await else { return };
            for entry in entries {
                seq = entry.seq;
                let Ok(event) = Event::default().event("entry").id(seq.to_string()).json_data(body(&entry))
                else {
                    return;
                };
                if sender.send(Ok(event)).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                changed = newest.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
        }
    });
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(keep_alive).into_response())
}

/// An entry for programs: events in the contract's form, other kinds by name.
fn body(entry: &Entry) -> serde_json::Value {
    let (event, what) = match &entry.content {
        Content::Event(event) => (json!(event), json!(null)),
        Content::Proposal(proposed) => (json!(proposed.event), json!(proposed)),
        Content::Decision(decision) => (json!(null), json!(decision)),
        Content::Verdict(verdict) => (json!(null), json!(verdict)),
        Content::Note(note) => (json!(null), json!(note)),
        Content::CameraMoved(moved) => (json!(null), json!(moved)),
        Content::Setting(_) | Content::Unknown { .. } => (json!(null), json!(null)),
    };
    json!({
        "seq": entry.seq,
        "match": entry.match_number,
        "kind": entry.content.kind(),
        "number": entry.number,
        "at": entry.at,
        "author": entry.author,
        "event": event,
        "what": what,
        "refers": entry.refers,
        "shown": entry.shown,
    })
}
