//! How others reach this page: links, a code to scan, and whether the network may connect at all.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Json,
    extract::{Query, State},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site,
    failure::{WebError, blocking},
    options::NetworkView,
};
use crate::reach::{code_svg, links};

impl Site {
    /// Links to this page from elsewhere, the likeliest first; none where only this machine can connect.
    pub(super) fn links(&self) -> Vec<String> {
        let scheme = if self.options.tls.is_some() { "https" } else { "http" };
        let of = |listening: SocketAddr| links(listening, scheme, self.options.named);
        let own = self.options.listening.filter(|listening| !listening.ip().is_loopback()).map(of);
        own.unwrap_or_else(|| self.network(None).map(|view| view.links).unwrap_or_default())
    }

    fn network(&self, on: Option<bool>) -> Result<NetworkView, WebError> {
        match &self.options.network {
            Some(switch) => switch(on).map_err(WebError::Unusable),
            None => Ok(NetworkView::default()),
        }
    }
}

/// Links for phones and televisions.
pub(super) async fn reach(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
) -> Result<Json<Value>, WebError> {
    let may_change = site.guard.may_change(&headers);
    blocking(move || {
        let links = site.links();
        let can_switch = site.options.network.is_some() && may_change;
        Ok(Json(json!({
            "links": links,
            "code": links.first().map(|_| "/api/reach/code.svg"),
            "can_switch": can_switch,
            "on": !links.is_empty(),
            "needs_pin": site.guard.secrets().is_some() || site.options.network.is_some(),
        })))
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(super) struct Which {
    /// Which of the links; the first when not said.
    #[serde(default)]
    link: usize,
}

/// A link as a code that phones scan.
pub(super) async fn code(
    State(site): State<Arc<Site>>,
    Query(Which { link }): Query<Which>,
) -> Result<Response, WebError> {
    blocking(move || {
        let none = || WebError::NotFound("there is no such link".to_owned());
        let link = site.links().get(link).cloned().ok_or_else(none)?;
        let svg = code_svg(&link).ok_or_else(none)?;
        Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(super) struct Switched {
    on: bool,
}

/// Opens the page to the network, or closes it again.
pub(super) async fn network(
    State(site): State<Arc<Site>>,
    Json(Switched { on }): Json<Switched>,
) -> Result<Json<Value>, WebError> {
    if site.options.network.is_none() {
        return Err(WebError::Unusable(
            "whether the network may connect was said when the program was started, by --listen".to_owned(),
        ));
    }
    blocking(move || Ok(Json(json!(site.network(Some(on))?)))).await
}

/// Another PIN, for whoever may change things; every referee has to give it anew.
pub(super) async fn new_pin(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    blocking(move || {
        let changed = match site.guard.secrets() {
            Some(secrets) => secrets.change_pin(),
            None => match &site.options.new_pin {
                Some(change) => change(),
                None => return Err(WebError::Unusable("nobody needs a PIN on this machine".to_owned())),
            },
        };
        let pin = changed.map_err(|error| WebError::Broken(error.to_string()))?;
        Ok(Json(json!({ "pin": pin })))
    })
    .await
}
