//! A request's body has so long to arrive: one that trickles in does not hold a handler for ever.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, BodyDataStream, Bytes},
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use tokio::time::{Sleep, sleep};
use tokio_stream::Stream;

use super::Site;

/// Puts the deadline on every body.
pub(super) async fn limit(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let within = Duration::from_secs(site.options.connections.body_secs);
    let (head, body) = request.into_parts();
    let body = Timed { body: body.into_data_stream(), end: Box::pin(sleep(within)) };
    next.run(Request::from_parts(head, Body::from_stream(body))).await
}

struct Timed {
    body: BodyDataStream,
    end: Pin<Box<Sleep>>,
}

impl Stream for Timed {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.body).poll_next(context);
        if next.is_pending() && self.end.as_mut().poll(context).is_ready() {
            let late = std::io::Error::new(std::io::ErrorKind::TimedOut, "the request took too long");
            return Poll::Ready(Some(Err(axum::Error::new(late))));
        }
        next
    }
}
