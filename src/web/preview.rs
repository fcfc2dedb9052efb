//! What an event would do, before it is recorded.

use std::sync::Arc;

use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Site, failure::WebError, table};
use crate::{
    desk::DeskError,
    rules::{Event, Record, event::OverruleEvent, report},
};

#[derive(Debug, Deserialize)]
pub(super) struct Draft {
    event: Event,
    /// The event whose place it would take.
    #[serde(default)]
    replaces: Option<usize>,
}

pub(super) async fn preview(
    State(site): State<Arc<Site>>,
    Json(draft): Json<Draft>,
) -> Result<Json<Value>, WebError> {
    let record = site.desk.with_record(Record::clone).ok_or(DeskError::NoMatch)?;
    Ok(Json(tried(record, draft)))
}

fn tried(mut record: Record, Draft { event, replaces }: Draft) -> Value {
    let pieces = match &event {
        Event::Frame(frame) => json!(table::of_frame(&record, replaces, frame, None)),
        _ => Value::Null,
    };
    let next = record.next_number();
    let (number, tried) = match replaces {
        None => (next, event),
        Some(replaced) => {
            let overrule = OverruleEvent { event: replaced, with: Box::new(event), by: None, why: None };
            (replaced, Event::Overrule(overrule))
        }
    };
    if let Err(refusal) = record.push(next, tried) {
        return json!({ "refused": refusal.to_string(), "pieces": pieces });
    }
    let mut standing = report::json(&record);
    let frames = standing["frames"].take();
    let own = frames.as_array().into_iter().flatten().find(|frame| frame["event"] == json!(number));
    json!({
        "refused": null,
        "pieces": pieces,
        "points": own.map_or(json!({}), |frame| frame["scores"].clone()),
        "remarks": own.map_or(json!([]), |frame| frame["remarks"].clone()),
        "cites": own.map_or(json!([]), |frame| frame["cites"].clone()),
        "standing": standing,
    })
}
