//! Why a request is refused: one sentence and one status.

use axum::{
    Json,
    body::to_bytes,
    extract::Request,
    http::{Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use maud::{DOCTYPE, html};
use serde_json::{Value, json};

use crate::desk::DeskError;

/// An answer that is not what was asked for.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error("{0}")]
    NotFound(String),
    #[error("{0}")]
    Unusable(String),
    #[error("the referee's PIN is needed: it was shown when linecall was started for the first time")]
    PinNeeded,
    #[error("this PIN is wrong")]
    WrongPin,
    #[error("too many wrong PINs: wait {0} s and try again")]
    TooManyTries(u64),
    #[error("this address has too many connections that stay open: close some of its pages")]
    TooManyStreams,
    #[error("this page is watched by its link only: ask for the whole link")]
    LinkNeeded,
    #[error("{0}")]
    Forbidden(String),
    #[error("the server cannot answer: {0}")]
    Broken(String),
}

impl WebError {
    fn status(&self) -> StatusCode {
        match self {
            WebError::Desk(error) => match error {
                DeskError::Stale { .. }
                | DeskError::NoMatch
                | DeskError::NotOpen { .. }
                | DeskError::OutOfOrder { .. }
                | DeskError::NothingToUndo => StatusCode::CONFLICT,
                DeskError::Refused(_)
                | DeskError::NeedsCorrection { .. }
                | DeskError::NoName
                | DeskError::LongName { .. } => StatusCode::UNPROCESSABLE_ENTITY,
                DeskError::NoSuchCall { .. } => StatusCode::NOT_FOUND,
                _ => StatusCode::SERVICE_UNAVAILABLE,
            },
            WebError::NotFound(_) => StatusCode::NOT_FOUND,
            WebError::Unusable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            WebError::PinNeeded => StatusCode::UNAUTHORIZED,
            WebError::WrongPin | WebError::LinkNeeded | WebError::Forbidden(_) => StatusCode::FORBIDDEN,
            WebError::TooManyTries(_) | WebError::TooManyStreams => StatusCode::TOO_MANY_REQUESTS,
            WebError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.to_string() });
        if let WebError::Desk(DeskError::Stale { based_on, now, since }) = &self {
            body["based_on"] = json!(based_on);
            body["now"] = json!(now);
            body["since"] = json!(since);
        }
        let mut answer = (self.status(), Json(body)).into_response();
        if let WebError::TooManyTries(secs) = self
            && let Ok(value) = secs.to_string().parse()
        {
            answer.headers_mut().insert(header::RETRY_AFTER, value);
        }
        answer
    }
}

/// Whether a person's browser asks for a page.
pub(super) fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    request.method() == Method::GET && accepts.is_some_and(|accept| accept.contains("text/html"))
}

/// Longest refusal that is put into another form, bytes.
const LONGEST_REFUSAL: usize = 64 << 10;

/// A refusal in one form, whoever refused: JSON with `error` for programs, a page for people.
pub(super) async fn in_form(answer: Response, wants_page: bool) -> Response {
    let status = answer.status();
    if !status.is_client_error() && !status.is_server_error() {
        return answer;
    }
    let kind =
        answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.starts_with("application/json");
    if kind.starts_with("text/html") || (is_json && !wants_page) {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    let bytes = to_bytes(body, LONGEST_REFUSAL).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let told = if is_json { serde_json::from_slice::<Value>(&bytes).ok() } else { None };
    let told = told.and_then(|told| told["error"].as_str().map(str::to_owned));
    let words = told.unwrap_or_else(|| match text.trim() {
        "" => status.canonical_reason().unwrap_or("it cannot be answered").to_lowercase(),
        text => text.to_owned(),
    });
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.remove(header::CONTENT_TYPE);
    let body = match wants_page {
        true => axum::response::Html(page(status, &words)).into_response(),
        false => Json(json!({ "error": words })).into_response(),
    };
    let (own, body) = body.into_parts();
    head.headers.extend(own.headers);
    Response::from_parts(head, body)
}

/// A refusal as a page, with a way back.
fn page(status: StatusCode, words: &str) -> String {
    let title = match status {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "Not allowed",
        _ => "That did not work",
    };
    let mut letters = words.chars();
    let sentence: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " \u{b7} linecall" }
                link rel="icon" href="/assets/icon.svg";
                link rel="stylesheet" href="/assets/linecall.css";
            }
            body class="work" {
                main class="page" id="main" {
                    h1 { (title) }
                    p { (sentence) "." }
                    div class="row" { a class="button main" href="/" { "To the score" } }
                }
            }
        }
    }
    .into_string()
}

/// Runs what blocks (the desk writes to the disk, photos are measured) beside the async handlers.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| WebError::Broken(error.to_string()))?
}
