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
    "camera.css",
    "camera.js",
    "dom.js",
    "draft.js",
    "frame.js",
    "icon.svg",
    "learn.js",
    "lengths.js",
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
    "stage.js",
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
const NAVIGATION: [(&str, &str); 5] =
    [("/", "Score"), ("/referee", "Referee"), ("/calls", "Calls"), ("/photo", "Photo"), ("/setup", "Set-up")];

impl Page {
    fn html(&self) -> String {
        let bar = if self.has_bar { include_str!("assets/bar.html") } else { "" };
        include_str!("assets/page.html")
            .replace("{{body}}", &format!("{bar}{}", self.body.trim_end()))
            .replace("{{nav}}", &self.navigation())
            .replace("{{title}}", self.title)
            .replace("{{name}}", self.name)
            .replace("{{class}}", self.class)
    }

    fn navigation(&self) -> String {
        let link = |(address, words): (&str, &str)| {
            let current = if words == self.title { " aria-current=\"page\"" } else { "" };
            format!("<li><a href=\"{address}\"{current}>{words}</a></li>")
        };
        let links: String = NAVIGATION.into_iter().map(link).collect();
        format!("<nav aria-label=\"Pages\"><ul>{links}</ul></nav>")
    }
}

/// A page that people work with.
fn working(name: &'static str, title: &'static str, body: &'static str) -> Html<String> {
    Html(Page { name, title, body, class: "work", has_bar: true }.html())
}

pub(super) async fn score() -> Html<String> {
    let body = include_str!("assets/score.html");
    Html(Page { name: "score", title: "Score", body, class: "tv", has_bar: false }.html())
}

pub(super) async fn overlay() -> Html<String> {
    let body = include_str!("assets/overlay.html");
    Html(Page { name: "overlay", title: "Overlay", body, class: "overlay", has_bar: false }.html())
}

pub(super) async fn referee() -> Html<String> {
    working("referee", "Referee", include_str!("assets/referee.html"))
}

pub(super) async fn calls() -> Html<String> {
    working("calls", "Calls", include_str!("assets/calls.html"))
}

pub(super) async fn photo() -> Html<String> {
    working("photo", "Photo", include_str!("assets/photo.html"))
}

pub(super) async fn camera() -> Html<String> {
    working("camera", "Camera", include_str!("assets/camera.html"))
}

pub(super) async fn setup() -> Html<String> {
    working("setup", "Set-up", include_str!("assets/setup.html"))
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
