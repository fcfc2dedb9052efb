//! Pages, styles and scripts, as they are in the program.

use axum::{
    extract::Path,
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::{OPENAPI, failure::WebError};

macro_rules! embedded {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("assets/", $name)))),*] };
}

const FILES: &[(&str, &str)] = embedded![
    "board.js",
    "calls.css",
    "calls.js",
    "dom.js",
    "frame.js",
    "icon.svg",
    "linecall.css",
    "live.js",
    "newmatch.js",
    "overlay.css",
    "overlay.js",
    "photo.css",
    "photo.js",
    "referee.css",
    "referee.js",
    "score.css",
    "score.js",
    "served.css",
    "session.js",
    "setup.css",
    "setup.js",
    "speak.js",
    "strike.js",
    "verdict.js",
    "words.js",
];

pub(super) async fn score() -> Html<&'static str> {
    Html(include_str!("assets/score.html"))
}

pub(super) async fn referee() -> Html<&'static str> {
    Html(include_str!("assets/referee.html"))
}

pub(super) async fn calls() -> Html<&'static str> {
    Html(include_str!("assets/calls.html"))
}

pub(super) async fn photo() -> Html<&'static str> {
    Html(include_str!("assets/photo.html"))
}

pub(super) async fn setup() -> Html<&'static str> {
    Html(include_str!("assets/setup.html"))
}

pub(super) async fn overlay() -> Html<&'static str> {
    Html(include_str!("assets/overlay.html"))
}

pub(super) async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

pub(super) async fn nothing() -> WebError {
    WebError::NotFound("there is no such page".to_owned())
}

/// A style or script. Browsers ask each time whether it changed, so that a newer program is never
/// shown with an older one's scripts.
pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, WebError> {
    let own = FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text);
    let of_review = match name.as_str() {
        "review.css" => Some(crate::review::STYLE),
        "review.js" => Some(crate::review::SCRIPT),
        _ => None,
    };
    let text = own.or(of_review).ok_or_else(|| WebError::NotFound(format!("there is no {name}")))?;
    let tag = format!(
        "\"{:x}\"",
        Sha256::digest(text.as_bytes())
            .iter()
            .take(8)
            .fold(0u64, |hash, byte| { (hash << 8) | u64::from(*byte) })
    );
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    Ok((headers, text).into_response())
}
