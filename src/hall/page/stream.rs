//! The page's pieces, sent to watchers as they change.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    extract::State,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use tokio::{sync::broadcast, task::JoinHandle};

use super::{Site, pieces};
use crate::hall::office::Office;

/// The page is made anew at most once in this time.
const CALM: Duration = Duration::from_millis(100);
/// Changes that a slow watcher may be behind before it is sent everything again.
const BACKLOG: usize = 64;
const BEAT: Duration = Duration::from_secs(10);

/// Pieces by the id of their element.
type Pieces = BTreeMap<String, String>;

pub struct Published {
    now: Arc<Mutex<Pieces>>,
    changes: broadcast::Sender<Arc<str>>,
    task: JoinHandle<()>,
    ended: tokio::sync::watch::Sender<bool>,
}

impl Published {
    /// Must be called within a runtime.
    pub fn follow(office: Office) -> Published {
        let now = Arc::new(Mutex::new(office.look(pieces::all)));
        let (changes, _) = broadcast::channel(BACKLOG);
        let task = tokio::spawn(follow(office, now.clone(), changes.clone()));
        let (ended, _) = tokio::sync::watch::channel(false);
        Published { now, changes, task, ended }
    }

    pub fn pieces(&self) -> Pieces {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the streams.
    pub fn stop(&self) {
        self.task.abort();
        self.ended.send_replace(true);
    }
}

async fn follow(office: Office, now: Arc<Mutex<Pieces>>, changes: broadcast::Sender<Arc<str>>) {
    let mut watch = office.watch();
    while watch.changed().await.is_ok() {
        let fresh = office.look(pieces::all);
        let changed: Option<String> = {
            let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
            let differ: BTreeMap<&String, &String> =
                fresh.iter().filter(|(id, piece)| now.get(*id) != Some(piece)).collect();
            let text = (!differ.is_empty()).then(|| serde_json::to_string(&differ).unwrap_or_default());
            *now = fresh;
            text
        };
        if let Some(text) = changed {
            // Nobody may be watching.
            let _ = changes.send(text.into());
        }
        tokio::time::sleep(CALM).await;
    }
}

/// Every piece, and again each that changes.
pub async fn stream(State(site): State<Arc<Site>>) -> Response {
    let receiver = site.published.changes.subscribe();
    let ended = site.published.ended.subscribe();
    // Subscribed before the first look, so that nothing falls between them.
    let first = everything(&site);
    let state = (site, receiver, ended, Some(first));
    let events = tokio_stream::StreamExt::map(unfold(state), Ok::<_, Infallible>);
    let beat = KeepAlive::new().interval(BEAT).event(Event::default().event("beat").data("{}"));
    Sse::new(events).keep_alive(beat).into_response()
}

type Watching =
    (Arc<Site>, broadcast::Receiver<Arc<str>>, tokio::sync::watch::Receiver<bool>, Option<Arc<str>>);

fn everything(site: &Site) -> Arc<str> {
    serde_json::to_string(&site.published.pieces()).unwrap_or_default().into()
}

fn unfold(mut state: Watching) -> tokio_stream::wrappers::ReceiverStream<Event> {
    // A watcher that does not read is waited for here; it misses changes and then gets everything.
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        loop {
            let (site, changes, ended, first) = &mut state;
            let text = match first.take() {
                Some(first) => first,
                None => tokio::select! {
                    change = changes.recv() => match change {
                        Ok(text) => text,
                        Err(broadcast::error::RecvError::Lagged(_)) => everything(site),
                        Err(broadcast::error::RecvError::Closed) => return,
                    },
                    _ = ended.changed() => return,
                    () = sender.closed() => return,
                },
            };
            let event = Event::default().event("pieces").retry(Duration::from_secs(1)).data(&*text);
            if sender.send(event).await.is_err() {
                return;
            }
        }
    });
    tokio_stream::wrappers::ReceiverStream::new(receiver)
}
