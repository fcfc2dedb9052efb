//! Earlier evenings: their matches, score sheets and exports; who played, and how.

use std::{path::PathBuf, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Site,
    failure::{WebError, blocking},
};
use crate::{
    desk::{SheetSource, match_file, score_sheet},
    home::{Renamed, evening_of, figures, matches_of},
    ledger::{Entry, Ledger},
    rules::{GameId, Record, catalogue::GameText, sheet},
};

impl Site {
    /// The ledgers that can be looked at, the newest first: all evenings, or the one that is recorded into.
    fn ledgers(&self) -> Vec<PathBuf> {
        let open = self.desk.with_ledger(|ledger| ledger.path().to_owned());
        let mut all = self.options.home.as_ref().map_or(Vec::new(), |home| home.data.evenings());
        if !all.contains(&open) {
            all.insert(0, open);
        }
        all
    }

    fn renamed(&self) -> Renamed {
        self.options.home.as_ref().map_or_else(Renamed::new, |home| home.settings().renamed)
    }

    /// A ledger by its file's name; a request names no path.
    fn ledger_named(&self, evening: &str) -> Result<PathBuf, WebError> {
        let is_called =
            |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_string_lossy() == evening);
        let found = self.ledgers().into_iter().find(is_called);
        found.ok_or_else(|| WebError::NotFound(format!("there is no evening called {evening:?}")))
    }
}

/// Every evening with its matches; those without a match are left out.
pub(super) async fn list(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    blocking(move || {
        let renamed = site.renamed();
        let shown = |name: &String| renamed.get(name).unwrap_or(name).clone();
        let evenings = site.ledgers().into_iter().map(|path| evening_of(&path));
        let evenings: Vec<Value> = evenings
            .filter(|evening| !evening.matches.is_empty() || evening.problem.is_some())
            .map(|evening| {
                let matches: Vec<Value> = evening
                    .matches
                    .iter()
                    .map(|one| {
                        let game = GameId::ALL.into_iter().find(|game| game.id() == one.game);
                        json!({
                            "number": one.number, "game": one.game, "begun": one.begun,
                            "game_name": game.map(|game| GameText::of(game).name),
                            "sides": one.sides.iter().map(shown).collect::<Vec<_>>(),
                            "scores": one.sides.iter().map(|side| &one.standing["scores"][side]).collect::<Vec<_>>(),
                            "games": one.sides.iter().map(|side| &one.standing["games"][side]).collect::<Vec<_>>(),
                            "status": one.standing["status"],
                            "winner": one.standing["winner"].as_str().map(|name| shown(&name.to_owned())),
                        })
                    })
                    .collect();
                json!({ "name": evening.name, "matches": matches, "problem": evening.problem })
            })
            .collect();
        Ok(Json(json!({ "evenings": evenings })))
    })
    .await
}

/// A match of an evening: its score sheet, as a table, or as a match file.
pub(super) async fn export(
    State(site): State<Arc<Site>>,
    Path((evening, number, file)): Path<(String, u32, String)>,
) -> Result<Response, WebError> {
    blocking(move || {
        let path = site.ledger_named(&evening)?;
        let broken = |error: &dyn std::fmt::Display| WebError::Broken(error.to_string());
        let matches = matches_of(&path).map_err(|error| broken(&error))?;
        let none = || WebError::NotFound(format!("the evening {evening} has no match {number}"));
        let (_, entries, record) = matches.into_iter().find(|(own, ..)| *own == number).ok_or_else(none)?;
        let (kind, text) = match file.as_str() {
            "sheet.html" => ("text/html; charset=utf-8", sheet_of(&path, &entries, &record)?),
            "match.csv" => ("text/csv; charset=utf-8", sheet::csv(&record)),
            "match.jsonl" => ("application/jsonl", match_file(&record).map_err(|error| broken(&error))?),
            _ => {
                return Err(WebError::NotFound(format!(
                    "there is no {file}: expected sheet.html, match.csv or match.jsonl"
                )));
            }
        };
        let mut answer = ([(header::CONTENT_TYPE, kind)], text).into_response();
        if file != "sheet.html"
            && let Ok(value) = format!("attachment; filename=\"{}-{number}-{file}\"", plain(&evening)).parse()
        {
            answer.headers_mut().insert(header::CONTENT_DISPOSITION, value);
        }
        Ok(answer)
    })
    .await
}

fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

fn sheet_of(path: &std::path::Path, entries: &[Entry], record: &Record) -> Result<String, WebError> {
    let ledger = Ledger::read(path).map_err(|error| WebError::Broken(error.to_string()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(score_sheet(&SheetSource { record, entries, head: ledger.head(), ledger: &name }))
}

/// Who played over all evenings, and how.
pub(super) async fn players(State(site): State<Arc<Site>>) -> Result<Json<Value>, WebError> {
    let _turn = site.measuring.acquire().await.map_err(|error| WebError::Broken(error.to_string()))?;
    let read = site.clone();
    blocking(move || Ok(Json(json!({ "players": figures(&read.ledgers(), &read.renamed()) })))).await
}

#[derive(Debug, Deserialize)]
pub(super) struct Rename {
    name: String,
    to: String,
}

/// Longest name, in characters.
const LONGEST_NAME: usize = 80;

/// Shows a player under another name, in all evenings. The ledgers keep what was recorded.
pub(super) async fn rename(
    State(site): State<Arc<Site>>,
    Json(Rename { name, to }): Json<Rename>,
) -> Result<Json<Value>, WebError> {
    let home = site.home()?.clone();
    blocking(move || {
        let to: String = to.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned();
        if to.is_empty() || to.chars().count() > LONGEST_NAME || name.chars().count() > LONGEST_NAME {
            return Err(WebError::Unusable(format!("a name has 1 to {LONGEST_NAME} characters")));
        }
        home.choose(|settings| {
            for shown in settings.renamed.values_mut().filter(|shown| **shown == name) {
                *shown = to.clone();
            }
            settings.renamed.insert(name.clone(), to.clone());
            settings.renamed.retain(|own, shown| own != shown);
        })
        .map_err(|error| WebError::Broken(error.to_string()))?;
        Ok(Json(json!({ "name": to })))
    })
    .await
}
