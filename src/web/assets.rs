//! Pages, styles and scripts, as they are in the program.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use sha2::{Digest, Sha256};

use super::{OPENAPI, Site, failure::WebError};

macro_rules! embedded {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("assets/", $name)))),*] };
}

const FILES: &[(&str, &str)] = embedded![
    "board.js",
    "calls.css",
    "calls.js",
    "camera.css",
    "camera.js",
    "closeup.js",
    "dom.js",
    "draft.js",
    "evenings.css",
    "evenings.js",
    "frame.js",
    "german.js",
    "icon.svg",
    "language.js",
    "learn.js",
    "lengths.js",
    "linecall.css",
    "live.js",
    "newmatch.js",
    "overlay.css",
    "overlay.js",
    "phone.css",
    "phone.js",
    "photo.css",
    "photo.js",
    "reach.js",
    "referee.css",
    "referee.js",
    "score.css",
    "score.js",
    "served.css",
    "session.js",
    "setup.css",
    "setup.js",
    "speak.js",
    "stage.js",
    "start.css",
    "start.js",
    "strike.js",
    "tables.js",
    "verdict.js",
    "words.js",
];

/// A page: `page.html` around a body, with the bar on top where people work with it.
struct Page {
    /// Of its style and script, too.
    name: &'static str,
    title: &'static str,
    body: &'static str,
    class: &'static str,
    has_bar: bool,
}

/// The pages by their addresses, in the order in which they are shown.
const NAVIGATION: [(&str, &str); 7] = [
    ("/", "Score"),
    ("/referee", "Referee"),
    ("/calls", "Calls"),
    ("/photo", "Photo"),
    ("/evenings", "Evenings"),
    (START, "Start"),
    ("/setup", "Set-up"),
];

/// The page that only the whole program has.
const START: &str = "/start";

impl Page {
    fn html(&self, site: &Site) -> Html<String> {
        let bar = if self.has_bar { include_str!("assets/bar.html") } else { "" };
        let html = include_str!("assets/page.html")
            .replace("{{body}}", &format!("{bar}{}", self.body.trim_end()))
            .replace("{{nav}}", &self.navigation(site.options.home.is_some()))
            .replace("{{title}}", self.title)
            .replace("{{name}}", self.name)
            .replace("{{class}}", self.class);
        Html(html)
    }

    fn navigation(&self, is_whole: bool) -> String {
        let link = |(address, words): (&str, &str)| {
            let current = if words == self.title { " aria-current=\"page\"" } else { "" };
            format!("<li><a href=\"{address}\"{current}>{words}</a></li>")
        };
        let shown = NAVIGATION.into_iter().filter(|(address, _)| is_whole || *address != START);
        let links: String = shown.map(link).collect();
        format!("<nav aria-label=\"Pages\"><ul>{links}</ul></nav>")
    }
}

/// A page that people work with.
fn working(site: &Site, name: &'static str, title: &'static str, body: &'static str) -> Html<String> {
    Page { name, title, body, class: "work", has_bar: true }.html(site)
}

/// The scoreboard; before a first match, where the page is the whole program, the way to one.
pub(super) async fn score(State(site): State<Arc<Site>>) -> Response {
    if site.options.home.is_some() && site.desk.game().is_none() {
        return Redirect::to("/start?waiting").into_response();
    }
    let body = include_str!("assets/score.html");
    Page { name: "score", title: "Score", body, class: "tv", has_bar: false }.html(&site).into_response()
}

pub(super) async fn overlay(State(site): State<Arc<Site>>) -> Html<String> {
    let body = include_str!("assets/overlay.html");
    Page { name: "overlay", title: "Overlay", body, class: "overlay", has_bar: false }.html(&site)
}

pub(super) async fn referee(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "referee", "Referee", include_str!("assets/referee.html"))
}

pub(super) async fn calls(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "calls", "Calls", include_str!("assets/calls.html"))
}

pub(super) async fn photo(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "photo", "Photo", include_str!("assets/photo.html"))
}

pub(super) async fn camera(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "camera", "Camera", include_str!("assets/camera.html"))
}

pub(super) async fn setup(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "setup", "Set-up", include_str!("assets/setup.html"))
}

pub(super) async fn start(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "start", "Start", include_str!("assets/start.html"))
}

pub(super) async fn phone(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "phone", "This phone", include_str!("assets/phone.html"))
}

pub(super) async fn evenings(State(site): State<Arc<Site>>) -> Html<String> {
    working(&site, "evenings", "Evenings", include_str!("assets/evenings.html"))
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
