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
    ledger::{CallId, Ledger},
    rerun::{DossierError, dossier},
    review::{Assets, Evidence, ReviewOptions, VerdictForm, from_photo, page},
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
        let mut dossier = dossier(&ledger, call, None, &ReviewOptions::default()).map_err(in_words)?;
        dossier.verdict_form = Some(form(call, revision, &dossier.about));
        // Its address has it; people have no use for it.
        dossier.id = None;
        Ok(Html(served(&page(&dossier, ASSETS))))
    })
    .await
}

fn form(call: CallId, revision: u64, about: &str) -> VerdictForm {
    VerdictForm {
        action: format!("/api/calls/{call}/verdict"),
        hidden: vec![("based_on".to_owned(), revision.to_string()), ("about".to_owned(), about.to_owned())],
    }
}

fn in_words(error: DossierError) -> WebError {
    match error {
        DossierError::Desk(error) => WebError::Desk(error),
        DossierError::Ledger(error) => WebError::Desk(error.into()),
        DossierError::NoSuchCall { .. } => WebError::NotFound(error.to_string()),
        DossierError::Rerun { .. } | DossierError::Review { .. } => WebError::Unusable(error.to_string()),
    }
}

/// The page with what only a server adds: its own navigation and the form's script.
fn served(page: &str) -> String {
    let parts = "<link rel=\"stylesheet\" href=\"/assets/served.css\">\n\
                 <script type=\"module\" src=\"/assets/verdict.js\"></script>\n</head>";
    page.replacen("</head>", parts, 1)
}
