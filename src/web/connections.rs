//! Connections: how many at once, and how long one may take to ask for something.
//!
//! A client that opens many connections or sends its request byte by byte costs others nothing: it
//! is cut off, and what it held is free again.

use std::{
    collections::HashMap,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Extension, Router,
    extract::{ConnectInfo, Request},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
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
use tokio_rustls::TlsAcceptor;

use super::ConnectionLimits;
use crate::reach::Tls;

/// Rest after a connection could not be taken: when files have run out, asking again at once would
/// only heat the room.
const AFTER_FAILURE: Duration = Duration::from_millis(200);
/// Time that answers in progress are given when the server ends.
const TO_FINISH: Duration = Duration::from_secs(5);

/// Serves until `end` is there.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Router,
    limits: &ConnectionLimits,
    tls: Option<Tls>,
    end: impl Future<Output = ()>,
) -> io::Result<()> {
    let tls = tls.map(|Tls(config)| TlsAcceptor::from(config));
    let (ending, _) = watch::channel(());
    let at_once = u32::try_from(limits.at_once.max(1)).unwrap_or(u32::MAX);
    let places = Arc::new(Semaphore::new(at_once as usize));
    let callers = Callers::of(limits);
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
        let service = TowerToHyperService::new(service);
        let (http, ends, tls) = (http.clone(), ending.subscribe(), tls.clone());
        let head = Duration::from_secs(limits.head_secs);
        tokio::spawn(async move {
            match kind_of(&socket, address, tls, head).await {
                Wire::Plain => answer(&http, io_of(socket), service, ends).await,
                Wire::Tls(tls) => {
                    if let Ok(Ok(socket)) = timeout(head, tls.accept(socket)).await {
                        answer(&http, TokioIo::new(socket), service, ends).await;
                    }
                }
                Wire::Elsewhere => {
                    let to_tls = TowerToHyperService::new(Router::new().fallback(elsewhere));
                    answer(&http, io_of(socket), to_tls, ends).await;
                }
                Wire::Silent => {}
            }
            drop((place, turn));
        });
    }
    // Who is still reading then is cut off.
    let _ = ending.send(());
    let _ = timeout(TO_FINISH, places.acquire_many(at_once)).await;
    Ok(())
}

/// Answers one client until it leaves, or the server ends. A phone that is the camera goes on with its connection as a
/// WebSocket.
async fn answer<I>(
    http: &http1::Builder,
    io: I,
    service: TowerToHyperService<Router>,
    mut ends: watch::Receiver<()>,
) where
    I: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    let mut connection = std::pin::pin!(http.serve_connection(io, service).with_upgrades());
    // A client that went away is nothing to tell.
    tokio::select! {
        _ = &mut connection => {}
        _ = ends.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// How a client speaks.
enum Wire {
    Plain,
    Tls(TlsAcceptor),
    /// In clear where it should not: it is sent to HTTPS.
    Elsewhere,
    /// It said nothing in time.
    Silent,
}

/// The first byte of a TLS handshake.
const HANDSHAKE: u8 = 0x16;

/// What a client's first byte says. From this machine HTTP in clear is as good.
async fn kind_of(socket: &TcpStream, from: SocketAddr, tls: Option<TlsAcceptor>, within: Duration) -> Wire {
    let Some(tls) = tls else { return Wire::Plain };
    let mut first = [0];
    match timeout(within, socket.peek(&mut first)).await {
        Ok(Ok(1)) if first[0] == HANDSHAKE => Wire::Tls(tls),
        Ok(Ok(1)) if from.ip().to_canonical().is_loopback() => Wire::Plain,
        Ok(Ok(1)) => Wire::Elsewhere,
        _ => Wire::Silent,
    }
}

/// The same page, not in clear.
async fn elsewhere(request: Request) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    match host {
        Some(host) => Redirect::permanent(&format!("https://{host}{path}")).into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

fn io_of(socket: TcpStream) -> TokioIo<TcpStream> {
    // Events are small and wanted at once; a socket that refuses works all the same.
    let _ = socket.set_nodelay(true);
    TokioIo::new(socket)
}

/// Who is connected, and how often.
#[derive(Clone)]
pub(super) struct Callers {
    each: usize,
    /// From this machine.
    here: usize,
    now: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Callers {
    /// All connections.
    fn of(limits: &ConnectionLimits) -> Callers {
        Callers { each: limits.at_once_each.max(1), here: limits.at_once_here.max(1), now: Arc::default() }
    }

    /// Those that stay open.
    pub fn of_streams(limits: &ConnectionLimits) -> Callers {
        let share = |all: usize| ((all as f64 * limits.streams_share) as usize).max(1);
        Callers { each: share(limits.at_once_each), here: share(limits.at_once_here), now: Arc::default() }
    }

    /// A place for one more connection of an address; `None` when it has too many.
    pub fn enter(&self, from: IpAddr) -> Option<Turn> {
        let from = from.to_canonical();
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let most = if from.is_loopback() { self.here } else { self.each };
        let count = now.entry(from).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Turn { callers: self.clone(), from })
    }
}

/// A connection's place among those of its address.
pub(super) struct Turn {
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
    fn one_address_never_takes_all_places() {
        let callers = Callers { each: 2, here: 4, now: Arc::default() };
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
        assert_eq!(many.iter().flatten().count(), 4);
    }
}
