//! The pages: the pieces as they are now, in their places.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Html,
};
use maud::{Markup, PreEscaped, html};

use super::{Site, answers::Refused, shell};
use crate::{
    hall::{
        address::is_name,
        office::{copy_path, history as read_history},
        tournament::Form,
    },
    ledger::{CallId, Hash, Ledger},
    rerun::dossier,
    review::{Assets, ReviewOptions, page as review_page},
    rules::{GameId, catalogue::GameText},
};

/// How long a call's page waits for its frames.
const FRAMES: Duration = Duration::from_secs(15);

fn hall_of(site: &Site) -> String {
    site.office.options().address.hall.clone()
}

/// A place that is kept up to date.
fn place(site: &Site, id: &str) -> Markup {
    let pieces = site.published.pieces();
    html! { div id=(id) data-live { (PreEscaped(pieces.get(id).map_or("", String::as_str))) } }
}

fn tables(site: &Site) -> Markup {
    let pieces = site.published.pieces();
    html! {
        div.tables data-tables {
            @for (id, piece) in pieces.iter().filter(|(id, _)| id.starts_with("table-")) {
                div id=(id) data-live { (PreEscaped(piece)) }
            }
        }
    }
}

fn page(site: &Site, title: &str, body: &Markup) -> Html<String> {
    let pieces = site.published.pieces();
    shell::page(&hall_of(site), title, pieces.get("broker").map_or("", String::as_str), body)
}

/// Whose name answers and rulings get.
fn name_field() -> Markup {
    html! {
        label.field.name-field { span { "Your name, which is recorded" }
            input #by type="text" autocomplete="name" maxlength="60"; }
    }
}

pub async fn floor(State(site): State<Arc<Site>>) -> Html<String> {
    let body = html! { (place(&site, "attention")) (tables(&site)) (place(&site, "close-calls")) };
    page(&site, "Tables", &body)
}

pub async fn questions(State(site): State<Arc<Site>>) -> Html<String> {
    let body = html! { (name_field()) (place(&site, "attention")) (place(&site, "questions")) (place(&site, "close-calls")) };
    page(&site, "Questions", &body)
}

pub async fn screen(State(site): State<Arc<Site>>) -> Html<String> {
    let hall = hall_of(&site);
    let body = html! {
        main #main .screen {
            h1.only-read { (hall) }
            (tables(&site))
            (place(&site, "attention"))
        }
    };
    shell::document(&hall, "Big screen", "tv", &["hall.js", "screen.js"], &body)
}

pub async fn tournament(State(site): State<Arc<Site>>) -> Html<String> {
    let game = |game: GameId| html! { option value=(game.id()) { (GameText::of(game).name) } };
    let body = html! {
        (name_field())
        (place(&site, "pairings"))
        p.row { a.button href="/results.csv" { "Results as CSV" } a.button href="/results.json" { "Results as JSON" } }
        (place(&site, "standings"))
        div.two {
            section.card {
                h2 { "Pairings" }
                p.small.quiet { "CSV with the columns id, first, second, and as you need them round, game, first_players, second_players, best_of, target, table; or the same as JSON." }
                form #pairings-form {
                    label.field { span { "A file" } input #pairings-file type="file" accept=".csv,.json,text/csv,application/json"; }
                    label.field { span { "Or its text" } textarea #pairings-text rows="5" {} }
                    button.main type="submit" { "Add the pairings" }
                }
            }
            section.card {
                h2 { "A draw" }
                p.small.quiet { "At least four entrants, the best first; a name a line, or CSV with name and players." }
                form #draw-form {
                    label.field { span { "Entrants" } textarea #draw-entrants rows="5" {} }
                    label.field { span { "Game" } select #draw-game { @for id in GameId::ALL { (game(id)) } } }
                    label.field { span { "Best of" } select #draw-best-of { option value="1" { "1" } option value="3" selected { "3" } option value="5" { "5" } } }
                    label.field { span { "Form" } select #draw-form-kind {
                        option value=(form_id(Form::SingleElimination)) { "single elimination" }
                        option value=(form_id(Form::RoundRobin)) { "round robin" }
                    } }
                    button.main type="submit" { "Draw" }
                }
            }
        }
    };
    page(&site, "Tournament", &body)
}

fn form_id(form: Form) -> &'static str {
    match form {
        Form::SingleElimination => "single-elimination",
        Form::RoundRobin => "round-robin",
    }
}

pub async fn history(State(site): State<Arc<Site>>) -> Result<Html<String>, Refused> {
    let data = site.office.options().data.clone();
    let read = tokio::task::spawn_blocking(move || read_history(&data)).await;
    let history = read.map_err(|error| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let body = html! {
        @for why in &history.unreadable { p.note.bad { (why) } }
        div.two {
            section {
                h2 { "Sides" }
                table {
                    thead { tr { th { "Side" } th { "Played" } th { "Won" } th { "Points" } } }
                    tbody { @for side in history.players.iter().take(100) {
                        tr { td { (side.name) } td { (side.played) } td { (side.won) } td { (side.points) } }
                    } }
                }
            }
            section {
                h2 { "Tables" }
                table {
                    thead { tr { th { "Table" } th { "Evenings" } th { "Matches" } th { "Minutes a match" } th { "Questions" } } }
                    tbody { @for table in &history.tables {
                        tr { td { (table.table) } td { (table.evenings) } td { (table.matches) } td { (table.minutes_a_match) } td { (table.questions) } }
                    } }
                }
            }
        }
        h2 { "Matches" }
        table {
            thead { tr { th { "Began (UTC)" } th { "Table" } th { "Game" } th { "Who" } th { "Result" } } }
            tbody { @for line in history.matches.iter().take(200) {
                tr {
                    td { (line.began.strftime("%Y-%m-%d %H:%M")) }
                    td { (line.table) }
                    td { (line.played.game_name) }
                    td { (line.played.sides.iter().map(|side| side.name.as_str()).collect::<Vec<_>>().join(" – ")) }
                    td {
                        @for (place, side) in line.played.sides.iter().enumerate() {
                            @if place > 0 { " : " }
                            @if line.played.best_of > 1 { (side.games) } @else { (side.score) }
                        }
                        @match &line.played.winner { Some(winner) => { ", " (winner) }, None => { ", " (line.played.status) } }
                    }
                }
            } }
        }
    };
    Ok(page(&site, "History", &body))
}

/// A call's page from the hall's own copy; its frames are fetched from the table where they are not here yet.
pub async fn call(
    State(site): State<Arc<Site>>,
    Path((table, ledger, call)): Path<(String, String, String)>,
) -> Result<Html<String>, Refused> {
    let nothing = |words: String| Refused(StatusCode::NOT_FOUND, words);
    let name: Hash = ledger.parse().map_err(|why: &str| nothing(why.to_owned()))?;
    let call: CallId =
        call.parse().map_err(|error: crate::ledger::CallIdError| nothing(error.to_string()))?;
    if !is_name(&table) {
        return Err(nothing(format!("there is no table {table:?}")));
    }
    let path = copy_path(&site.office.options().data, &table, &name);
    let of_call = path.clone();
    let read = tokio::task::spawn_blocking(move || frames_of(&of_call, call)).await;
    let frames = read.map_err(|error| nothing(error.to_string()))?.map_err(nothing)?;
    for frame in frames {
        site.office.fetch(&table, name, frame, FRAMES).await;
    }
    let text = tokio::task::spawn_blocking(move || {
        let ledger = Ledger::read(&path).map_err(|error| error.to_string())?;
        let dossier =
            dossier(&ledger, call, None, &ReviewOptions::default()).map_err(|error| error.to_string())?;
        Ok::<_, String>((
            dossier.about.clone(),
            review_page(
                &dossier,
                Assets::Linked { style: "/assets/review.css", script: "/assets/review.js" },
            ),
        ))
    });
    let (about, text) = text.await.map_err(|error| nothing(error.to_string()))?.map_err(nothing)?;
    let body =
        |ruling: &str| serde_json::json!({ "table": table, "call": call, "ruling": ruling, "about": about });
    let form = html! {
        section.card.ruling {
            h2 { "Rule on this call" }
            (name_field())
            div.choices {
                button.main type="button" data-post="/api/ruling" data-body=(body("upheld")) { "Upheld" }
                button type="button" data-post="/api/ruling" data-body=(body("overruled")) { "Overruled" }
                button type="button" data-post="/api/ruling" data-body=(body("replay")) { "Played again" }
            }
            p { a href="/questions" { "Back to the questions" } }
        }
    };
    let head = "<link rel=\"stylesheet\" href=\"/assets/hall.css\">\n<script type=\"module\" src=\"/assets/hall.js\"></script>\n</head>";
    let text = text.replacen("</head>", head, 1);
    let end = format!("{}</body>", form.into_string());
    Ok(Html(text.replacen("</body>", &end, 1)))
}

/// The frames that a call's view has.
fn frames_of(path: &std::path::Path, call: CallId) -> Result<Vec<Hash>, String> {
    let words = |error: crate::ledger::LedgerError| error.to_string();
    let ledger = Ledger::read(path).map_err(words)?;
    let entries = ledger.entries().map_err(words)?;
    let of_call = entries
        .iter()
        .find(|entry| entry.match_number == call.match_number && entry.number == Some(call.event));
    let view = of_call.and_then(|entry| entry.view).ok_or_else(|| format!("call {call} has no view"))?;
    let facts = ledger.view(view).map_err(words)?.facts;
    Ok(facts.frames.iter().filter_map(|frame| frame.hash).collect())
}
