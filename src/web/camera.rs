//! A phone as the camera: its browser sends picture after picture over a WebSocket.
//!
//! In: JPEGs, each asked for by a word from here, so that a slow network or a busy loop is never
//! flooded. Out: the newest picture for the loop ([`SentFrames`](crate::capture::SentFrames)).

use std::sync::Arc;

use axum::{
    Json,
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    http::{HeaderMap, Uri},
    response::Response,
};
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;

use super::{PhoneCamera, Site, failure::WebError};

/// What asks the phone for its next picture.
const NEXT: &str = "next";

/// The size of picture that is wanted; refused where no phone is.
pub(super) async fn wanted(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let phone = phone(&site)?;
    Ok(Json(json!({ "size": phone.size })))
}

pub(super) async fn frames(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
    uri: Uri,
    upgrade: WebSocketUpgrade,
) -> Result<Response, WebError> {
    site.guard.check_socket(&headers, &uri)?;
    let phone = phone(&site)?.clone();
    let Ok(place) = phone.place.clone().try_acquire_owned() else {
        return Err(WebError::Unusable("another phone is the camera: end it there first".to_owned()));
    };
    let upgrade = upgrade.max_message_size(phone.max_bytes).max_frame_size(phone.max_bytes);
    Ok(upgrade.on_upgrade(move |socket| receive(socket, phone, place)))
}

fn phone(site: &Site) -> Result<&PhoneCamera, WebError> {
    let refused =
        || WebError::Unusable("no phone is waited for: start linecall live with --source phone".to_owned());
    site.options.phone.as_ref().ok_or_else(refused)
}

async fn receive(mut socket: WebSocket, phone: PhoneCamera, place: OwnedSemaphorePermit) {
    // A phone that has gone is told by its silence, as every camera is.
    while socket.send(Message::Text(NEXT.into())).await.is_ok() {
        let Some(jpeg) = next_picture(&mut socket).await else { break };
        if let Err(refused) = phone.frames.send(jpeg) {
            let _ = socket.send(Message::Text(refused.to_string().into())).await;
            break;
        }
    }
    drop(place);
}

async fn next_picture(socket: &mut WebSocket) -> Option<Vec<u8>> {
    loop {
        match socket.recv().await? {
            Ok(Message::Binary(bytes)) => return Some(bytes.to_vec()),
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_)) => {}
            Ok(Message::Close(_)) | Err(_) => return None,
        }
    }
}
