//! The server beside a loop that is not async: a thread with a runtime of its own.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    thread::JoinHandle,
};

use tokio::sync::oneshot;

use super::{Access, Site, WebOptions, connections, make_app};
use crate::desk::Desk;

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Running {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends all streams and waits for the server's end.
    pub fn stop(mut self) -> io::Result<()> {
        self.end()
    }

    /// Waits until the server ends by itself, which only a fault makes it do.
    pub fn wait(mut self) -> io::Result<()> {
        let ended = self.thread.take().map(JoinHandle::join);
        drop(self.stop.take());
        ended.map_or(Ok(()), joined)
    }

    fn end(&mut self) -> io::Result<()> {
        if let Some(stop) = self.stop.take() {
            // The server may have ended before.
            let _ = stop.send(());
        }
        self.thread.take().map(JoinHandle::join).map_or(Ok(()), joined)
    }
}

fn joined(ended: std::thread::Result<io::Result<()>>) -> io::Result<()> {
    ended.unwrap_or_else(|_| Err(io::Error::other("the web server stopped unexpectedly")))
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.end();
    }
}

/// Serves a desk on a listener that is bound already, so that a taken port is told before anything begins.
pub fn start(listener: TcpListener, desk: Desk, options: WebOptions, access: Access) -> io::Result<Running> {
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let options = WebOptions { listening: Some(address), ..options };
    let runtime = tokio::runtime::Builder::new_multi_thread().thread_name("web").enable_all().build()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("web".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let site = Site::new(desk, options, access);
            let (limits, tls) = (site.options.connections.clone(), site.options.tls.clone());
            let app = make_app(Arc::clone(&site));
            let end = async move {
                if stopped.await.is_err() {
                    // Nobody holds the other end any more, and nobody will stop it.
                    std::future::pending::<()>().await;
                }
                site.stop();
            };
            connections::serve(listener, app, &limits, tls, end).await
        })
    })?;
    Ok(Running { address, stop: Some(stop), thread: Some(thread) })
}
