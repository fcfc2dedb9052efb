//! Who may watch and who may change, and the headers that keep pages safe.
//!
//! On a loopback address everyone on this machine may do everything; elsewhere a change needs the
//! referee's PIN, and watching may need the link's key. Requests that a foreign page makes in a
//! visitor's browser are refused: by their origin, and on loopback also by the name that they ask for.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    Json,
    extract::{ConnectInfo, Path, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site, WebOptions,
    failure::{self, WebError, blocking},
    secrets::{Secrets, same, token},
    tries::{Tries, TryLimits},
};
use crate::home::Tell;

/// Who may do what.
#[derive(Debug, Clone)]
pub enum Access {
    /// Only this machine can connect; everyone on it may change everything.
    Loopback,
    Network(Arc<Secrets>),
}

impl Access {
    pub fn secrets(&self) -> Option<&Secrets> {
        match self {
            Access::Loopback => None,
            Access::Network(secrets) => Some(secrets),
        }
    }
}

pub(super) struct Guard {
    access: Access,
    is_tls: bool,
    limits: TryLimits,
    tell: Option<Tell>,
    tries: Mutex<Tries>,
    /// PINs are compared one after the other: each takes much memory.
    comparing: tokio::sync::Semaphore,
    /// Links that log a phone in, once, until then.
    invitations: Mutex<HashMap<String, Instant>>,
}

/// How long a link that logs a phone in is good.
const INVITED: Duration = Duration::from_secs(600);
/// A log-in is forgotten by the browser after so long, s: half a year.
const REMEMBERED_SECS: u32 = 15_552_000;
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
            is_tls: options.tls.is_some(),
            limits: options.tries.clone(),
            tell: options.tell.clone(),
            tries: Mutex::default(),
            comparing: tokio::sync::Semaphore::new(1),
            invitations: Mutex::default(),
        }
    }

    pub(super) fn may_change(&self, headers: &HeaderMap) -> bool {
        match &self.access {
            Access::Loopback => true,
            Access::Network(secrets) => {
                cookie(headers, SESSION_COOKIE).is_some_and(|token| secrets.is_logged_in(token))
            }
        }
    }

    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    pub(super) fn secrets(&self) -> Option<&Secrets> {
        self.access.secrets()
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
    async fn log_in(&self, pin: String, from: IpAddr) -> Result<String, WebError> {
        let Access::Network(secrets) = &self.access else { return Ok(token()) };
        let began = self.tries().begin(from, Instant::now(), &self.limits);
        if let Err(wait) = began {
            return Err(WebError::TooManyTries(wait));
        }
        let _turn = self.comparing.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
        let compared = secrets.clone();
        if blocking(move || Ok(compared.is_pin(&pin))).await? {
            self.tries().right(from);
            return Ok(secrets.log_in());
        }
        let (wrong, addresses) = self.tries().last_hour();
        if let Some(tell) = &self.tell {
            tell(&format!(
                "a wrong PIN from {from}; {wrong} in the last hour, from {addresses} {}",
                if addresses == 1 { "address" } else { "addresses" }
            ));
        }
        Err(WebError::WrongPin)
    }

    fn tries(&self) -> MutexGuard<'_, Tries> {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end of a link that logs one phone in, once.
    pub(super) fn invite(&self) -> String {
        let mut open = self.invitations.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, until| *until > Instant::now());
        let invitation = token();
        open.insert(invitation.clone(), Instant::now() + INVITED);
        invitation
    }

    fn accept(&self, invitation: &str) -> Option<String> {
        let mut open = self.invitations.lock().unwrap_or_else(PoisonError::into_inner);
        let until = open.remove(invitation)?;
        (until > Instant::now()).then(|| self.access.secrets().map_or_else(token, Secrets::log_in))
    }

    fn session_cookie(&self, token: &str) -> String {
        let secure = if self.is_tls { "; Secure" } else { "" };
        format!(
            "{SESSION_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={REMEMBERED_SECS}{secure}"
        )
    }

    /// Refuses what a page of another site asks for in a visitor's browser.
    fn check_origin(&self, method: &Method, headers: &HeaderMap, uri: &Uri) -> Result<(), WebError> {
        let host = host_of(headers, uri);
        // A foreign name that leads to this machine is how a foreign page would reach it.
        if matches!(self.access, Access::Loopback) && !host.as_deref().is_some_and(is_loopback_name) {
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

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';')).find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
}

/// Every request goes through here.
pub(super) async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let wants_page = failure::wants_page(&request);
    let answer = match admitted(&site, &request) {
        Ok(None) => next.run(request).await,
        Ok(Some(redirect)) => redirect,
        Err(refused) => refused.into_response(),
    };
    let mut answer = failure::in_form(answer, wants_page).await;
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

/// What the asking browser may do; to a referee also how many wrong PINs were sent.
pub(super) async fn session(State(site): State<Arc<Site>>, headers: HeaderMap) -> Json<Value> {
    let guard = &site.guard;
    let may_change = guard.may_change(&headers);
    let mut answer = json!({ "may_change": may_change, "needs_pin": guard.access.secrets().is_some() });
    if may_change {
        let (wrong, addresses) = guard.tries().last_hour();
        answer["wrong_pins"] = json!({ "last_hour": wrong, "addresses": addresses });
    }
    Json(answer)
}

/// A link that logs one more phone in without the PIN, for whoever is logged in.
pub(super) async fn invitation(State(site): State<Arc<Site>>) -> Json<Value> {
    let path = format!("/join/{}", site.guard.invite());
    let link = site.links().first().map(|link| format!("{link}{path}"));
    let code = link.as_deref().and_then(crate::reach::code_svg);
    Json(json!({ "path": path, "link": link, "code": code, "minutes": INVITED.as_secs() / 60 }))
}

/// The phone that scanned it.
pub(super) async fn join(
    State(site): State<Arc<Site>>,
    Path(invitation): Path<String>,
) -> Result<Response, WebError> {
    let gone =
        || WebError::NotFound("this link was used before, or is too old: ask for another one".to_owned());
    let token = site.guard.accept(&invitation).ok_or_else(gone)?;
    let to = Redirect::to("/referee");
    Ok(([(header::SET_COOKIE, site.guard.session_cookie(&token))], to).into_response())
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
    let token = site.guard.log_in(pin, from.ip().to_canonical()).await?;
    let kept = site.guard.session_cookie(&token);
    Ok(([(header::SET_COOKIE, kept)], Json(json!({ "may_change": true }))).into_response())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn network() -> (Guard, String) {
        let (mut secrets, pin) = Secrets::of_this_run(true);
        secrets.watch_key = Some("k3y".to_owned());
        let tries = TryLimits { a_minute: 3, ..TryLimits::default() };
        let options = WebOptions { tries, ..WebOptions::default() };
        (Guard::new(Access::Network(Arc::new(secrets)), &options), pin)
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[tokio::test]
    async fn the_right_pin_is_heard_from_another_address_and_an_invitation_works_once() {
        let (guard, pin) = network();
        let [one, two] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        for _ in 0..3 {
            assert!(matches!(guard.log_in("wrong".to_owned(), one).await, Err(WebError::WrongPin)));
        }
        assert!(matches!(guard.log_in(pin.clone(), one).await, Err(WebError::TooManyTries(1..=60))));
        assert!(guard.log_in(pin, two).await.is_ok());
        let invitation = guard.invite();
        let token = guard.accept(&invitation).expect("a session");
        assert!(guard.secrets().unwrap().is_logged_in(&token));
        assert_eq!(guard.accept(&invitation), None);
    }

    #[test]
    fn watching_by_link_needs_its_key_once() {
        let (guard, _) = network();
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
}
