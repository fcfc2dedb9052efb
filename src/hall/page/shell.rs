//! The frame around every page, and what it is styled and driven by.

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::answers::Refused;

/// The stylesheet of a table's own page is the hall's, too.
const FILES: [(&str, &str); 5] = [
    ("linecall.css", include_str!("../../web/assets/linecall.css")),
    ("icon.svg", include_str!("../../web/assets/icon.svg")),
    ("hall.css", include_str!("assets/hall.css")),
    ("hall.js", include_str!("assets/hall.js")),
    ("screen.js", include_str!("assets/screen.js")),
];

const NAVIGATION: [(&str, &str); 5] = [
    ("/", "Tables"),
    ("/questions", "Questions"),
    ("/tournament", "Tournament"),
    ("/history", "History"),
    ("/screen", "Big screen"),
];

/// A page that people work with.
pub fn page(hall: &str, title: &str, broker: &str, body: &Markup) -> Html<String> {
    let bar = html! {
        a.skip href="#main" { "To the page" }
        header.bar {
            div.bar-inner {
                a.brand href="/" { "line" b { "call" } " " (hall) }
                span #broker .link-state role="status" { (PreEscaped(broker)) }
                nav aria-label="Pages" {
                    ul {
                        @for (address, words) in NAVIGATION {
                            li {
                                a href=(address) aria-current=[(words == title).then_some("page")] {
                                    (words)
                                    @if address == "/questions" { " " span #question-count .count {} }
                                }
                            }
                        }
                    }
                }
            }
        }
        main #main .page { h1 { (title) } (body) }
    };
    document(hall, title, "work", &["hall.js"], &bar)
}

pub fn document(hall: &str, title: &str, class: &str, scripts: &[&str], body: &Markup) -> Html<String> {
    let text = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · " (hall) " · linecall" }
                link rel="icon" href="/assets/icon.svg";
                link rel="stylesheet" href="/assets/linecall.css";
                link rel="stylesheet" href="/assets/hall.css";
                @for script in scripts { script type="module" src={ "/assets/" (script) } {} }
            }
            body class=(class) { (body) }
        }
    };
    Html(text.into_string())
}

pub async fn asset(Path(name): Path<String>) -> Result<Response, Refused> {
    let of_review = match name.as_str() {
        "review.css" => Some(crate::review::STYLE),
        "review.js" => Some(crate::review::SCRIPT),
        _ => None,
    };
    let own = FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text);
    let text = own.or(of_review);
    let text = text.ok_or_else(|| Refused(StatusCode::NOT_FOUND, format!("there is no {name}")))?;
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response())
}
