//! The hall's page: every table, one queue of questions, the pairings; served from the office's own copy.
//!
//! What is shown is made once a change, in pieces, and each piece is sent to every watcher only when it
//! changed: 500 watchers cost the tables nothing and this machine little.

mod answers;
mod guard;
mod pieces;
mod shell;
mod stream;
mod views;

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    thread::JoinHandle,
};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use tokio::sync::oneshot;

use super::office::Office;
use crate::web::{Access, ConnectionLimits, serve_connections};

/// What every handler works with.
pub(super) struct Site {
    office: Office,
    guard: guard::Guard,
    published: stream::Published,
}

/// Largest body, bytes: pairings of a large event.
const MAX_BODY: usize = 1 << 20;

pub(super) fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(views::floor))
        .route("/screen", get(views::screen))
        .route("/questions", get(views::questions))
        .route("/tournament", get(views::tournament))
        .route("/history", get(views::history))
        .route("/calls/{table}/{ledger}/{call}", get(views::call))
        .route("/assets/{name}", get(shell::asset))
        .route("/api/hall", get(answers::hall))
        .route("/api/stream", get(stream::stream))
        .route("/api/answer", post(answers::question))
        .route("/api/ruling", post(answers::ruling))
        .route("/api/pairings", get(answers::pairings).post(answers::add_pairings))
        .route("/api/draw", post(answers::draw))
        .route("/api/assign", post(answers::assign))
        .route("/api/recall", post(answers::recall))
        .route("/api/decide", post(answers::decide))
        .route("/api/automatic", post(answers::automatic))
        .route("/api/standings", get(answers::standings_json))
        .route("/api/history", get(answers::history_json))
        .route("/results.csv", get(answers::results_csv))
        .route("/results.json", get(answers::results_json))
        .route("/api/session", post(guard::log_in))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(site.clone(), guard::check))
        .with_state(site)
}

/// A page that is served until it is dropped.
#[derive(Debug)]
pub struct Served {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Served {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until it ends by itself, which only a fault makes it do.
    pub fn wait(mut self) -> io::Result<()> {
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(ended) => ended.unwrap_or_else(|_| Err(io::Error::other("the page stopped unexpectedly"))),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // Nobody is left to tell.
            let _ = thread.join();
        }
    }
}

/// Serves the page on a listener that is bound already.
pub fn serve(listener: TcpListener, office: Office, access: Access) -> io::Result<Served> {
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().thread_name("hall-page").enable_all().build()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("hall-page".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let published = stream::Published::follow(office.clone());
            let site = Arc::new(Site { office, guard: guard::Guard::new(access), published });
            let end_site = Arc::clone(&site);
            let end = async move {
                // An error says the same: nobody holds the other end any more.
                let _ = stopped.await;
                end_site.published.stop();
            };
            serve_connections(listener, router(site), &ConnectionLimits::default(), None, end).await
        })
    })?;
    Ok(Served { address, stop: Some(stop), thread: Some(thread) })
}
