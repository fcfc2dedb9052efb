//! Connections: how many at once, and how long one may take to ask for something.
//!
//! A client that opens many connections or sends its request byte by byte costs others nothing: it
//! is cut off, and what it held is free again.

use std::{
    collections::HashMap,
    io,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{Extension, Router, extract::ConnectInfo};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use super::ConnectionLimits;

/// Rest after a connection could not be taken: when files have run out, asking again at once would
/// only heat the room.
const AFTER_FAILURE: Duration = Duration::from_millis(200);
/// Time that answers in progress are given when the server ends.
const TO_FINISH: Duration = Duration::from_secs(5);

/// Serves until `end` is there.
pub(super) async fn serve(
    listener: TcpListener,
    app: Router,
    limits: &ConnectionLimits,
    end: impl Future<Output = ()>,
) -> io::Result<()> {
    let (ending, _) = watch::channel(());
    let at_once = u32::try_from(limits.at_once.max(1)).unwrap_or(u32::MAX);
    let places = Arc::new(Semaphore::new(at_once as usize));
    let callers = Callers { each: limits.at_once_each.max(1), now: Arc::default() };
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(limits.head_secs));
    let mut end = std::pin::pin!(end);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
            Ok::<_, io::Error>((place, listener.accept().await?))
        };
        let (place, (socket, address)) = tokio::select! {
            taken = next => match taken {
                Ok(taken) => taken,
                Err(_) => {
                    sleep(AFTER_FAILURE).await;
                    continue;
                }
            },
            () = &mut end => break,
        };
        let Some(turn) = callers.enter(address.ip()) else { continue };
        let service = app.clone().layer(Extension(ConnectInfo(address)));
        // A phone that is the camera goes on with its connection as a WebSocket.
        let connection =
            http.serve_connection(io_of(socket), TowerToHyperService::new(service)).with_upgrades();
        let mut ends = ending.subscribe();
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(connection);
            // A client that went away is nothing to tell.
            tokio::select! {
                _ = &mut connection => {}
                _ = ends.changed() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop((place, turn));
        });
    }
    // Who is still reading then is cut off.
    let _ = ending.send(());
    let _ = timeout(TO_FINISH, places.acquire_many(at_once)).await;
    Ok(())
}

fn io_of(socket: TcpStream) -> TokioIo<TcpStream> {
    // Events are small and wanted at once; a socket that refuses works all the same.
    let _ = socket.set_nodelay(true);
    TokioIo::new(socket)
}

/// Who is connected, and how often.
#[derive(Clone)]
struct Callers {
    each: usize,
    now: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Callers {
    /// A place for one more connection of an address; `None` when it has too many.
    fn enter(&self, from: IpAddr) -> Option<Turn> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let count = now.entry(from).or_default();
        if *count >= self.each && !from.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Turn { callers: self.clone(), from })
    }
}

/// A connection's place among those of its address.
struct Turn {
    callers: Callers,
    from: IpAddr,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut now = self.callers.now.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = now.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                now.remove(&self.from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_this_machine_any() {
        let callers = Callers { each: 2, now: Arc::default() };
        let [one, two] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let first = callers.enter(one);
        let held = [callers.enter(one), callers.enter(two)];
        assert!(held.iter().all(Option::is_some));
        assert!(callers.enter(one).is_none());
        drop(first);
        assert!(callers.enter(one).is_some());
        drop(held);
        assert!(callers.now.lock().unwrap().is_empty(), "who has gone is forgotten");
        let here = IpAddr::from([127, 0, 0, 1]);
        let many: Vec<_> = (0..5).map(|_| callers.enter(here)).collect();
        assert!(many.iter().all(Option::is_some));
    }
}
