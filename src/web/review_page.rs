//! The review page of one call, served: of a photo that came up, or of the match.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::Html,
};

use super::{
    Site,
    calls::call_id,
    failure::{WebError, blocking},
};
use crate::{
    board::BoardFile,
    capture::decode_photo,
    ledger::{CallId, Content, Entry, Ledger, LedgerError},
    review::{Assets, Dossier, Evidence, ReviewOptions, VerdictForm, VerdictShown, from_photo, page},
    score::{Known, ScoreOptions, Scorer, StageTimes},
};

/// Where the page's style and script are served.
const ASSETS: Assets<'static> = Assets::Linked { style: "/assets/review.css", script: "/assets/review.js" };

/// A piece of a photo that came up.
pub(super) async fn of_photo(
    State(site): State<Arc<Site>>,
    Path((id, piece)): Path<(String, usize)>,
) -> Result<Html<String>, WebError> {
    let photo = site.photo(&id)?;
    blocking(move || {
        let evidence = Evidence {
            picture: &photo.picture,
            board: &photo.scorer.board,
            scored: &photo.scored,
            calls: &photo.scorer.options.calls,
            taken_at: None,
            photo_sha256: None,
        };
        let dossier = from_photo(&evidence, Some(piece), None, &ReviewOptions::default());
        let dossier = dossier.map_err(|error| WebError::NotFound(error.to_string()))?;
        Ok(Html(served(&page(&dossier, ASSETS))))
    })
    .await
}

/// A call of the match, with its verdicts and the form for another.
pub(super) async fn of_call(
    State(site): State<Arc<Site>>,
    Path(call): Path<String>,
) -> Result<Html<String>, WebError> {
    let call = call_id(&call)?;
    let _turn = site.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    let (path, revision) = (site.desk.with_ledger(|ledger| ledger.path().to_owned()), site.desk.revision());
    blocking(move || {
        // Read beside the desk, which goes on while the view is measured again.
        let ledger = Ledger::read(&path).map_err(|error| WebError::Desk(error.into()))?;
        let mut dossier = dossier(&ledger, call)?;
        dossier.verdict_form = Some(form(call, revision));
        Ok(Html(served(&page(&dossier, ASSETS))))
    })
    .await
}

fn form(call: CallId, revision: u64) -> VerdictForm {
    VerdictForm {
        action: format!("/api/calls/{call}/verdict"),
        hidden: vec![("based_on".to_owned(), revision.to_string())],
    }
}

/// The stored view measured again, and the verdicts so far.
fn dossier(ledger: &Ledger, call: CallId) -> Result<Dossier, WebError> {
    let failed = |error: LedgerError| WebError::Desk(error.into());
    let unusable =
        |error: &dyn std::fmt::Display| WebError::Unusable(format!("call {call} cannot be shown: {error}"));
    let none = |why: &str| WebError::NotFound(format!("there is no page of call {call}: {why}"));
    let entries = ledger.entries().map_err(failed)?;
    let of_call =
        |entry: &&Entry| entry.match_number == call.match_number && entry.number == Some(call.event);
    let entry = entries.iter().find(of_call).ok_or_else(|| none("the match has no such event"))?;
    let view = entry.view.ok_or_else(|| none("its event was entered by a person, there is no picture"))?;
    let view = ledger.view(view).map_err(failed)?;
    let wanted = view.report.pieces.iter().find(|piece| piece.id == call.piece);
    let wanted = wanted.ok_or_else(|| none("its event has no such piece"))?;
    let frame =
        view.facts.settled().and_then(|frame| frame.hash).ok_or_else(|| none("its frame was not kept"))?;
    let board = BoardFile {
        name: view.facts.board.name.clone(),
        text: ledger.text(&view.facts.board.hash).map_err(failed)?,
    };
    let board = board.board().map_err(|error| unusable(&error))?;
    let scorer = Scorer::new(board, Some(view.report.game.id()), view.report.end, ScoreOptions::default())
        .map_err(|error| unusable(&error))?;
    let bytes = ledger.file(&frame).map_err(failed)?;
    let name = std::path::Path::new(&view.facts.source);
    let picture = decode_photo(&bytes, name, &scorer.options.photo).map_err(|error| unusable(&error))?;
    let known = Known::Camera(Box::new(scorer.prepare(view.facts.registration.registration())));
    let scored = scorer
        .score(&view.report.photo, &picture, &known, &mut StageTimes::default())
        .map_err(|error| unusable(&error))?;
    let apart_mm =
        |piece: &&crate::score::PieceReport| (piece.x_mm - wanted.x_mm).hypot(piece.y_mm - wanted.y_mm);
    let again = scored.report.pieces.iter().filter(|piece| piece.colour == wanted.colour);
    let again = again.min_by(|a, b| apart_mm(a).total_cmp(&apart_mm(b)));
    let again = again.ok_or_else(|| none("this version does not see the piece any more"))?.id;
    let (taken_at, sha256) = (view.facts.at.to_string(), frame.to_string());
    let evidence = Evidence {
        picture: &picture,
        board: &scorer.board,
        scored: &scored,
        calls: &scorer.options.calls,
        taken_at: Some(&taken_at),
        photo_sha256: Some(&sha256),
    };
    let mut dossier = from_photo(&evidence, Some(again), None, &ReviewOptions::default());
    if let Ok(dossier) = &mut dossier {
        dossier.id = Some(call.to_string());
        dossier.verdicts = verdicts(&entries, call);
    }
    dossier.map_err(|error| unusable(&error))
}

fn verdicts(entries: &[Entry], call: CallId) -> Vec<VerdictShown> {
    let shown = |entry: &Entry| match &entry.content {
        Content::Verdict(verdict) if verdict.call == call => Some(VerdictShown {
            ruling: verdict.ruling,
            by: verdict.by.clone(),
            why: verdict.why.clone().unwrap_or_default(),
            at: Some(entry.at.strftime("%Y-%m-%d %H:%M UTC").to_string()),
        }),
        _ => None,
    };
    entries.iter().filter_map(shown).collect()
}

/// The page with what only a server adds: its own navigation and the form's script.
fn served(page: &str) -> String {
    let parts = "<link rel=\"stylesheet\" href=\"/assets/served.css\">\n\
                 <script type=\"module\" src=\"/assets/verdict.js\"></script>\n</head>";
    page.replacen("</head>", parts, 1)
}
