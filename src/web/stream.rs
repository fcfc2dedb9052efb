//! The state: once, or as a stream of server-sent events.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    extract::{ConnectInfo, State},
    http::header,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use tokio_stream::{StreamExt, wrappers::WatchStream};

use super::{
    Site,
    failure::{WebError, blocking},
    snapshot::{self, Snapshot},
};

/// The state as it is now: never older than what was recorded before it was asked for.
pub(super) async fn state(State(site): State<Arc<Site>>) -> Result<Response, WebError> {
    let published = site.published.newest();
    let (desk, frames_shown) = (site.desk.clone(), site.options.frames_shown);
    let state = blocking(move || {
        let is_newest = published.revision == desk.revision();
        Ok(if is_newest { published } else { Arc::new(snapshot::of(&desk, frames_shown)) })
    });
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, state.await?.json.to_string()).into_response())
}

/// The state as it is now, and again whenever it changes. A browser that lost the connection comes
/// back by itself and is given the state as it then is.
pub(super) async fn stream(
    State(site): State<Arc<Site>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
) -> Result<Response, WebError> {
    let turn = site.streams.enter(from.ip()).ok_or(WebError::TooManyStreams)?;
    let states = WatchStream::new(site.published.watch()).map(move |state| {
        // The place is held as long as the stream is.
        let _ = &turn;
        Ok::<_, Infallible>(event(&state))
    });
    Ok(Sse::new(states).keep_alive(beat(&site)).into_response())
}

fn event(state: &Snapshot) -> Event {
    let id = format!("{}.{}", state.revision, state.tick);
    // The browser waits this long before it tries again.
    Event::default().event("state").id(id).retry(Duration::from_secs(1)).data(&*state.json)
}

/// Said when there is nothing else to say.
pub(super) fn beat(site: &Site) -> KeepAlive {
    KeepAlive::new()
        .interval(Duration::from_secs(site.options.beat_secs))
        .event(Event::default().event("beat").data("{}"))
}
