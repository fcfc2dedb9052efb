//! What a referee is asked about, as it was seen: the frozen picture, each piece in it, the board before and after.

use std::{io::Cursor, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    Site,
    failure::{WebError, blocking},
    table::TablePiece,
};
use crate::ledger::{Ledger, LedgerError, StoredView, ViewId};

fn unreadable(error: LedgerError) -> WebError {
    WebError::Desk(error.into())
}

/// An open proposal with the view that it rests on.
pub(super) async fn asked(
    State(site): State<Arc<Site>>,
    Path(id): Path<u64>,
) -> Result<Json<Value>, WebError> {
    blocking(move || {
        let state = site.desk.state();
        let gone = || WebError::NotFound("this is not asked any more".to_owned());
        let pending = state.pending.iter().find(|pending| pending.id == id).ok_or_else(gone)?;
        let none = || WebError::NotFound("nothing was seen for this question".to_owned());
        let view = pending.view.ok_or_else(none)?;
        let shown = site.desk.with_ledger(|ledger| -> Result<Value, LedgerError> {
            let seen = ledger.view(view)?;
            let entries = ledger.entries()?;
            let before = entries.iter().rev().filter(|entry| entry.seq < id).find_map(|entry| entry.view);
            let before = before.map(|view| ledger.view(view)).transpose()?;
            Ok(told(ledger, view, &seen, before.as_ref()))
        });
        Ok(Json(shown.map_err(unreadable)?))
    })
    .await
}

fn told(ledger: &Ledger, id: ViewId, view: &StoredView, before: Option<&StoredView>) -> Value {
    let pieces = |view: &StoredView| view.report.pieces.iter().map(TablePiece::from).collect::<Vec<_>>();
    let seen: Vec<Value> = view
        .report
        .pieces
        .iter()
        .map(|piece| {
            json!({
                "piece": piece.id, "colour": piece.colour, "px": piece.px, "px_radius": piece.px_radius,
                "contact": piece.contact, "area": piece.area,
            })
        })
        .collect();
    json!({
        "picture": format!("/api/views/{id}/picture"),
        "size": settled(ledger, view).and_then(|bytes| size_of(&bytes)),
        "board": view.report.board,
        "end": view.report.end,
        "seen": seen,
        "after": pieces(view),
        "before": before.filter(|before| before.report.board == view.report.board).map(pieces),
    })
}

fn settled(ledger: &Ledger, view: &StoredView) -> Option<Vec<u8>> {
    ledger.file(&view.facts.settled()?.hash?).ok()
}

fn size_of(bytes: &[u8]) -> Option<[u32; 2]> {
    let reader = image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    reader.into_dimensions().ok().map(|(width, height)| [width, height])
}

/// The frozen picture of a view, as it is kept.
pub(super) async fn picture(
    State(site): State<Arc<Site>>,
    Path(id): Path<ViewId>,
) -> Result<Response, WebError> {
    blocking(move || {
        let bytes = site.desk.with_ledger(|ledger| {
            let view = ledger.view(id)?;
            Ok::<_, LedgerError>(settled(ledger, &view))
        });
        let none = || WebError::NotFound("this view's picture is not kept".to_owned());
        let bytes = bytes.map_err(|_| none())?.ok_or_else(none)?;
        let kind = image::guess_format(&bytes).map_or("application/octet-stream", |form| form.to_mime_type());
        let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "private, max-age=86400")];
        Ok((headers, bytes).into_response())
    })
    .await
}
