//! Who may watch and who may change, and the headers that keep pages safe.
//!
//! On a loopback address everyone on this machine may do everything; elsewhere a change needs the
//! referee's PIN, and watching may need the link's key. Requests that a foreign page makes in a
//! visitor's browser are refused: by their origin, and on loopback also by the name that they ask for.

use std::{
    collections::{HashMap, HashSet},
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    Json,
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Site, WebOptions, failure::WebError};

/// What is known to those who may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secrets {
    /// Needed to change anything.
    pub pin: String,
    /// Needed to watch, as `?key=` in the link; `None`: everyone may.
    pub watch_key: Option<String>,
}

impl Secrets {
    /// A new PIN of six digits, and a key for watching where that is asked for.
    pub fn random(watch_by_link: bool) -> Secrets {
        let pin = format!("{:06}", random().random_range(0..1_000_000));
        Secrets { pin, watch_key: watch_by_link.then(token) }
    }
}

/// Who may do what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Only this machine can connect; everyone on it may change everything.
    Loopback,
    Network(Secrets),
}

impl Access {
    /// What an address calls for.
    pub fn of(address: SocketAddr, watch_by_link: bool) -> Access {
        if address.ip().is_loopback() {
            Access::Loopback
        } else {
            Access::Network(Secrets::random(watch_by_link))
        }
    }

    pub fn secrets(&self) -> Option<&Secrets> {
        match self {
            Access::Loopback => None,
            Access::Network(secrets) => Some(secrets),
        }
    }
}

fn random() -> StdRng {
    StdRng::from_rng(&mut rand::rng())
}

/// 128 bits that nobody can guess.
pub(super) fn token() -> String {
    format!("{:032x}", random().random::<u128>())
}

pub(super) struct Guard {
    access: Access,
    tries_a_minute: usize,
    tries_an_hour: usize,
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    /// Tokens of referees who gave the PIN.
    sessions: HashSet<String>,
    wrong_by_address: HashMap<IpAddr, Vec<Instant>>,
    wrong: Vec<Instant>,
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const SESSION_COOKIE: &str = "linecall-referee";
const WATCH_COOKIE: &str = "linecall-watch";

/// Sent with everything. Scripts and styles come from this server alone, never from within a page.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
             form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(self), microphone=(), geolocation=()"),
    ),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

impl Guard {
    pub fn new(access: Access, options: &WebOptions) -> Guard {
        Guard {
            access,
            tries_a_minute: options.tries_a_minute,
            tries_an_hour: options.tries_an_hour,
            memory: Mutex::default(),
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn may_change(&self, headers: &HeaderMap) -> bool {
        match self.access {
            Access::Loopback => true,
            Access::Network(_) => {
                cookie(headers, SESSION_COOKIE).is_some_and(|token| self.memory().sessions.contains(token))
            }
        }
    }

    /// Whether a request may watch; the key where it came with the link.
    fn may_watch(&self, headers: &HeaderMap, uri: &Uri) -> Result<Option<&str>, WebError> {
        let Some(key) = self.access.secrets().and_then(|secrets| secrets.watch_key.as_deref()) else {
            return Ok(None);
        };
        let given = uri.query().and_then(|query| query.split('&').find_map(|part| part.strip_prefix("key=")));
        if given.is_some_and(|given| same(given, key)) {
            return Ok(Some(key));
        }
        let known = cookie(headers, WATCH_COOKIE).is_some_and(|given| same(given, key));
        if known || self.may_change(headers) { Ok(None) } else { Err(WebError::LinkNeeded) }
    }

    /// A session for the right PIN.
    fn log_in(&self, pin: &str, from: IpAddr, now: Instant) -> Result<String, WebError> {
        let Access::Network(secrets) = &self.access else { return Ok(token()) };
        let mut memory = self.memory();
        let recent = |tries: &[Instant], within: Duration| -> Vec<Instant> {
            tries.iter().copied().filter(|at| now.duration_since(*at) < within).collect()
        };
        memory.wrong_by_address.retain(|_, tries| tries.iter().any(|at| now.duration_since(*at) < MINUTE));
        memory.wrong = recent(&memory.wrong, HOUR);
        let own = memory.wrong_by_address.get(&from).map(|tries| recent(tries, MINUTE)).unwrap_or_default();
        let wait = |tries: &[Instant], within: Duration| {
            tries.first().map_or(1, |at| (within - now.duration_since(*at)).as_secs() + 1)
        };
        if own.len() >= self.tries_a_minute {
            return Err(WebError::TooManyTries(wait(&own, MINUTE)));
        }
        if memory.wrong.len() >= self.tries_an_hour {
            return Err(WebError::TooManyTries(wait(&memory.wrong, HOUR)));
        }
        if !same(pin, &secrets.pin) {
            memory.wrong.push(now);
            memory.wrong_by_address.entry(from).or_default().push(now);
            return Err(WebError::WrongPin);
        }
        let token = token();
        memory.sessions.insert(token.clone());
        Ok(token)
    }

    /// Refuses what a page of another site asks for in a visitor's browser.
    fn check_origin(&self, method: &Method, headers: &HeaderMap, uri: &Uri) -> Result<(), WebError> {
        let host = host_of(headers, uri);
        // A foreign name that leads to this machine is how a foreign page would reach it.
        if self.access == Access::Loopback && !host.as_deref().is_some_and(is_loopback_name) {
            let asked = host.unwrap_or_default();
            return Err(WebError::Forbidden(format!(
                "this server answers on this machine only, not as {asked:?}: open http://localhost or http://127.0.0.1"
            )));
        }
        if method == Method::GET || method == Method::HEAD {
            return Ok(());
        }
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let foreign = || WebError::Forbidden("changes are taken from this site's own pages only".to_owned());
        if let Some(origin) = text("origin") {
            let of_origin = origin.split_once("://").map(|(_, host)| host);
            if of_origin != host.as_deref() {
                return Err(foreign());
            }
        }
        match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) => Err(foreign()),
        }
    }
}

/// The name and port that a request asks for.
fn host_of(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let named = headers.get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
    named.or_else(|| uri.authority().map(ToString::to_string))
}

fn is_loopback_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Equal, found out in a time that does not tell where they differ.
fn same(given: &str, secret: &str) -> bool {
    let (given, secret) = (given.as_bytes(), secret.as_bytes());
    given.len() == secret.len() && given.iter().zip(secret).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';')).find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
}

/// Every request goes through here.
pub(super) async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let mut answer = match admitted(&site, &request) {
        Ok(None) => next.run(request).await,
        Ok(Some(redirect)) => redirect,
        Err(refused) => refused.into_response(),
    };
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

/// Lets a request in, or answers it: one with the link's key goes on without it in its address.
fn admitted(site: &Site, request: &Request) -> Result<Option<Response>, WebError> {
    let guard = &site.guard;
    let (method, headers, uri) = (request.method(), request.headers(), request.uri());
    guard.check_origin(method, headers, uri)?;
    if let Some(key) = guard.may_watch(headers, uri)? {
        let kept = format!("{WATCH_COOKIE}={key}; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800");
        let to = Redirect::to(uri.path());
        return Ok(Some(([(header::SET_COOKIE, kept)], to).into_response()));
    }
    let is_change = method != Method::GET && method != Method::HEAD && uri.path() != "/api/session";
    if is_change && !guard.may_change(headers) {
        return Err(WebError::PinNeeded);
    }
    Ok(None)
}

impl Guard {
    /// Lets a request in that changes something though it is a GET: a WebSocket.
    pub(super) fn check_socket(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), WebError> {
        self.check_origin(&Method::POST, headers, uri)?;
        if self.may_change(headers) { Ok(()) } else { Err(WebError::PinNeeded) }
    }
}

/// What the asking browser may do.
pub(super) async fn session(State(site): State<Arc<Site>>, headers: HeaderMap) -> Json<Value> {
    let needs_pin = site.guard.access.secrets().is_some();
    Json(json!({ "may_change": site.guard.may_change(&headers), "needs_pin": needs_pin }))
}

#[derive(Debug, Deserialize)]
pub(super) struct LogIn {
    pin: String,
}

pub(super) async fn log_in(
    State(site): State<Arc<Site>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Json(LogIn { pin }): Json<LogIn>,
) -> Result<Response, WebError> {
    let token = site.guard.log_in(&pin, from.ip(), Instant::now())?;
    let kept = format!("{SESSION_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    Ok(([(header::SET_COOKIE, kept)], Json(json!({ "may_change": true }))).into_response())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn network() -> Guard {
        let access = Access::Network(Secrets { pin: "123456".into(), watch_key: Some("k3y".into()) });
        Guard::new(access, &WebOptions { tries_a_minute: 3, tries_an_hour: 5, ..WebOptions::default() })
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn wrong_pins_are_counted_by_address_and_altogether() {
        let guard = network();
        let start = Instant::now();
        let at = |secs| start + Duration::from_secs(secs);
        let [one, two, three] = [1, 2, 3].map(|last| IpAddr::from([10, 0, 0, last]));
        for _ in 0..3 {
            assert!(matches!(guard.log_in("000000", one, at(0)), Err(WebError::WrongPin)));
        }
        // The right one comes too late from the same address, and works from another or later.
        assert!(matches!(guard.log_in("123456", one, at(1)), Err(WebError::TooManyTries(60))));
        assert!(guard.log_in("123456", two, at(1)).is_ok());
        assert!(guard.log_in("123456", one, at(61)).is_ok());
        for _ in 0..2 {
            assert!(guard.log_in("1", two, at(62)).is_err());
        }
        assert!(matches!(guard.log_in("123456", three, at(63)), Err(WebError::TooManyTries(_))));
        assert!(guard.log_in("123456", three, at(3700)).is_ok());
    }

    #[test]
    fn watching_by_link_needs_its_key_once() {
        let guard = network();
        let uri = |text: &'static str| Uri::from_static(text);
        assert!(guard.may_watch(&headers(&[]), &uri("/")).is_err());
        assert!(guard.may_watch(&headers(&[]), &uri("/?key=k3z")).is_err());
        assert_eq!(guard.may_watch(&headers(&[]), &uri("/?theme=dark&key=k3y")).unwrap(), Some("k3y"));
        assert_eq!(
            guard.may_watch(&headers(&[("cookie", "a=b; linecall-watch=k3y")]), &uri("/")).unwrap(),
            None
        );
    }

    #[test]
    fn foreign_pages_change_nothing() {
        let guard = Guard::new(Access::Loopback, &WebOptions::default());
        let post =
            |pairs| guard.check_origin(&Method::POST, &headers(pairs), &Uri::from_static("/api/match"));
        assert!(post(&[("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")]).is_ok());
        assert!(post(&[("host", "localhost:8080")]).is_ok());
        assert!(post(&[("host", "[::1]:8080"), ("origin", "http://[::1]:8080")]).is_ok());
        assert!(post(&[("host", "127.0.0.1:8080"), ("origin", "http://evil.example")]).is_err());
        assert!(post(&[("host", "127.0.0.1:8080"), ("origin", "null")]).is_err());
        assert!(post(&[("host", "127.0.0.1:8080"), ("sec-fetch-site", "cross-site")]).is_err());
        // A name that was made to lead here.
        assert!(post(&[("host", "evil.example:8080"), ("origin", "http://evil.example:8080")]).is_err());
        let get =
            guard.check_origin(&Method::GET, &headers(&[("host", "evil.example")]), &Uri::from_static("/"));
        assert!(get.is_err());
    }

    #[test]
    fn pins_have_six_digits_and_tokens_differ() {
        let secrets = Secrets::random(true);
        assert!(secrets.pin.len() == 6 && secrets.pin.bytes().all(|b| b.is_ascii_digit()), "{}", secrets.pin);
        assert_ne!(token(), token());
        assert_eq!(token().len(), 32);
    }
}
