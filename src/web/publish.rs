//! The desk's state for everyone who watches: made into JSON once, then shared.
//!
//! Watchers get the newest state and never a queue of old ones, so a slow one costs nothing.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{broadcast::error::RecvError, watch},
    task::JoinHandle,
    time::{Instant, sleep_until},
};

use super::snapshot::{self, Snapshot};
use crate::desk::Desk;

/// What pages are shown.
pub struct Published {
    newest: watch::Receiver<Arc<Snapshot>>,
    task: JoinHandle<()>,
}

impl Published {
    pub(super) fn follow(desk: Desk, calm_ms: u64, frames_shown: usize) -> Published {
        // Subscribed before the first look, so that nothing falls between them.
        let changes = desk.subscribe();
        let (sender, newest) = watch::channel(Arc::new(snapshot::of(&desk, frames_shown)));
        let calm = Duration::from_millis(calm_ms);
        let task = tokio::spawn(follow(desk, changes, sender, calm, frames_shown));
        Published { newest, task }
    }

    pub(super) fn newest(&self) -> Arc<Snapshot> {
        self.newest.borrow().clone()
    }

    pub(super) fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.newest.clone()
    }

    /// Ends the streams: they end with their sender.
    pub(super) fn stop(&self) {
        self.task.abort();
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn follow(
    desk: Desk,
    mut changes: tokio::sync::broadcast::Receiver<crate::desk::Change>,
    sender: watch::Sender<Arc<Snapshot>>,
    calm: Duration,
    frames_shown: usize,
) {
    loop {
        // What was missed is in the next look at the desk all the same.
        let mut recorded = match changes.recv().await {
            Ok(change) => change.recorded,
            Err(RecvError::Lagged(_)) => true,
            Err(RecvError::Closed) => return,
        };
        let calm_until = Instant::now() + calm;
        while !recorded {
            tokio::select! {
                () = sleep_until(calm_until) => break,
                change = changes.recv() => match change {
                    Ok(change) => recorded = change.recorded,
                    Err(RecvError::Lagged(_)) => recorded = true,
                    Err(RecvError::Closed) => return,
                },
            }
        }
        let looked = {
            let desk = desk.clone();
            tokio::task::spawn_blocking(move || snapshot::of(&desk, frames_shown)).await
        };
        if let Ok(snapshot) = looked {
            sender.send_replace(Arc::new(snapshot));
        }
    }
}
