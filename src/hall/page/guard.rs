//! Who may watch and who may change: on this machine everyone, on a network who gave the PIN.

use std::{
    collections::HashSet,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use axum::{
    Json,
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::json;

use super::{Site, answers::Refused};
use crate::web::{Access, Tries, TryLimits};

const COOKIE: &str = "linecall-hall";

/// Sent with everything. Scripts and styles come from this server alone.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
];

pub struct Guard {
    access: Access,
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    sessions: HashSet<String>,
    tries: Tries,
}

impl Guard {
    pub fn new(access: Access) -> Guard {
        Guard { access, memory: Mutex::default() }
    }

    fn may_change(&self, headers: &HeaderMap) -> bool {
        match &self.access {
            Access::Loopback => true,
            Access::Network(_) => {
                let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
                cookie(headers).is_some_and(|token| memory.sessions.contains(token))
            }
        }
    }

    fn log_in(&self, pin: &str, from: IpAddr, now: Instant) -> Result<String, Refused> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(wait_secs) = memory.tries.begin(from, now, &TryLimits::default()) {
            let words = format!("too many wrong PINs: wait {wait_secs} seconds");
            return Err(Refused(StatusCode::TOO_MANY_REQUESTS, words));
        }
        if let Access::Network(secrets) = &self.access
            && !secrets.is_pin(pin)
        {
            return Err(Refused(StatusCode::FORBIDDEN, "the PIN is wrong".to_owned()));
        }
        memory.tries.right(from);
        let token = format!("{:032x}", rand::random::<u128>());
        memory.sessions.insert(token.clone());
        Ok(token)
    }

    /// Refuses what a page of another site asks for in a visitor's browser.
    fn check_origin(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refused> {
        let foreign =
            || Refused(StatusCode::FORBIDDEN, "this is taken from the hall's own pages only".to_owned());
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if matches!(self.access, Access::Loopback) && !is_loopback(host) {
            return Err(foreign());
        }
        if method == Method::GET || method == Method::HEAD {
            return Ok(());
        }
        let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
        let of_site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        let is_own = origin.is_none_or(|(_, of)| of == host)
            && (text(header::ORIGIN).is_none() || origin.is_some())
            && matches!(of_site, None | Some("same-origin" | "none"));
        if is_own { Ok(()) } else { Err(foreign()) }
    }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';'))
        .find_map(|part| part.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Every request goes through here.
pub async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let (method, headers) = (request.method(), request.headers());
    let is_change = method != Method::GET && method != Method::HEAD && request.uri().path() != "/api/session";
    let admitted = site.guard.check_origin(method, headers).and_then(|()| {
        match is_change && !site.guard.may_change(headers) {
            true => Err(Refused(StatusCode::UNAUTHORIZED, "the hall's PIN is needed".to_owned())),
            false => Ok(()),
        }
    });
    let mut answer = match admitted {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

#[derive(Debug, Deserialize)]
pub struct LogIn {
    pin: String,
}

pub async fn log_in(
    State(site): State<Arc<Site>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Json(LogIn { pin }): Json<LogIn>,
) -> Result<Response, Refused> {
    let token = site.guard.log_in(&pin, from.ip(), Instant::now())?;
    let kept = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    Ok(([(header::SET_COOKIE, kept)], Json(json!({ "may_change": true }))).into_response())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::web::Secrets;
    use std::time::Duration;

    #[test]
    fn changes_need_the_pin_and_guesses_are_counted() {
        let (secrets, pin) = Secrets::of_this_run(false);
        let guard = Guard::new(Access::Network(std::sync::Arc::new(secrets)));
        let (here, start) = (IpAddr::from([10, 0, 0, 1]), Instant::now());
        assert!(!guard.may_change(&HeaderMap::new()));
        for _ in 0..TryLimits::default().a_minute {
            assert_eq!(guard.log_in("wrong", here, start).unwrap_err().0, StatusCode::FORBIDDEN);
        }
        assert_eq!(guard.log_in(&pin, here, start).unwrap_err().0, StatusCode::TOO_MANY_REQUESTS);
        let token = guard.log_in(&pin, here, start + Duration::from_secs(61)).unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, format!("{COOKIE}={token}").parse().unwrap());
        assert!(guard.may_change(&headers));
    }

    #[test]
    fn foreign_pages_change_nothing() {
        let guard = Guard::new(Access::Loopback);
        let check = |pairs: &[(&'static str, &'static str)]| {
            let headers = pairs
                .iter()
                .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
                .collect();
            guard.check_origin(&Method::POST, &headers).is_ok()
        };
        assert!(check(&[("host", "127.0.0.1:8090"), ("origin", "http://127.0.0.1:8090")]));
        assert!(!check(&[("host", "127.0.0.1:8090"), ("origin", "http://evil.example")]));
        assert!(!check(&[("host", "127.0.0.1:8090"), ("origin", "null")]));
        assert!(!check(&[("host", "evil.example")]));
        assert!(!check(&[("host", "localhost"), ("sec-fetch-site", "cross-site")]));
    }
}
