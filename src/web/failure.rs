//! Why a request is refused: one sentence and one status.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

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
    #[error("the referee's PIN is needed: it stands in the terminal where linecall was started")]
    PinNeeded,
    #[error("this PIN is wrong")]
    WrongPin,
    #[error("too many wrong PINs: wait {0} s and try again")]
    TooManyTries(u64),
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
                DeskError::Refused(_) | DeskError::NeedsCorrection { .. } | DeskError::NoName => {
                    StatusCode::UNPROCESSABLE_ENTITY
                }
                DeskError::NoSuchCall { .. } => StatusCode::NOT_FOUND,
                _ => StatusCode::SERVICE_UNAVAILABLE,
            },
            WebError::NotFound(_) => StatusCode::NOT_FOUND,
            WebError::Unusable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            WebError::PinNeeded => StatusCode::UNAUTHORIZED,
            WebError::WrongPin | WebError::LinkNeeded | WebError::Forbidden(_) => StatusCode::FORBIDDEN,
            WebError::TooManyTries(_) => StatusCode::TOO_MANY_REQUESTS,
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

/// Runs what blocks (the desk writes to the disk, photos are measured) beside the async handlers.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| WebError::Broken(error.to_string()))?
}
