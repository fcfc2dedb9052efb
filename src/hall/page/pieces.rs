//! What changes on the page, in pieces by the id of their element.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::hall::{
    office::{Floor, TableView},
    topics::{Playing, Question},
    tournament::{Book, Pairing, Stage, standings},
};

/// Every piece as it is now.
pub fn all(floor: &Floor) -> BTreeMap<String, String> {
    let mut pieces = BTreeMap::new();
    let mut put = |id: &str, markup: Markup| {
        pieces.insert(id.to_owned(), markup.into_string());
    };
    put("broker", broker(floor));
    put("attention", attention(floor));
    put("questions", questions(floor));
    put("question-count", html! { @if question_count(floor) > 0 { (question_count(floor)) } });
    put("close-calls", close_calls(floor));
    put("pairings", pairings(floor));
    put("standings", standing_table(&floor.book));
    for (name, table) in &floor.tables {
        put(&format!("table-{name}"), card(name, table, &floor.book));
    }
    pieces
}

fn broker(floor: &Floor) -> Markup {
    html! {
        @match &floor.lost {
            Some(why) => span.lost { "broker lost: " (why) },
            None => span.live { "live" @if floor.offices.len() > 1 { ", " (floor.offices.len()) " hall machines" } },
        }
    }
}

fn attention(floor: &Floor) -> Markup {
    let all = floor.attention();
    html! {
        @if !all.is_empty() {
            ul.attention role="alert" {
                @for (table, why) in &all {
                    li { b { (title(floor, table)) } ": " (why) }
                }
            }
        }
    }
}

fn title<'f>(floor: &'f Floor, table: &'f str) -> &'f str {
    floor.tables.get(table).map_or(table, |view| view.title(table))
}

/// One table, as a card.
fn card(name: &str, table: &TableView, book: &Book) -> Markup {
    let state = table.state.as_ref();
    let playing = state.and_then(|state| state.playing.as_ref());
    let pairing = book.at_table(name);
    let seq = state.map_or(0, |state| state.head.seq);
    let copied = table.ledger().and_then(|ledger| table.copies.get(&ledger)).map_or(0, |copy| copy.head.seq);
    html! {
        article class=(card_class(table)) data-entry=(seq) data-copied=(copied) {
            header {
                h2 { (table.title(name)) }
                span.tag class=(if table.online { "good" } else { "bad" }) {
                    @if !table.online { "silent" }
                    @else if let Some(doing) = state.and_then(|state| state.doing.as_deref()) { (doing) }
                    @else if state.is_some_and(|state| state.free) { "free" }
                    @else { "playing" }
                }
            }
            @match playing {
                Some(playing) => (score(playing)),
                None => p.quiet { "No match yet." },
            }
            footer.small.quiet {
                @if let Some(pairing) = pairing { span { "pairing " (pairing.id) @if !pairing.round.is_empty() { ", " (pairing.round) } } }
                @if let Some(state) = state {
                    @if state.asks > 0 { a.tag.warn href="/questions" { (state.asks) @if state.asks == 1 { " question" } @else { " questions" } } }
                }
            }
        }
    }
}

fn card_class(table: &TableView) -> &'static str {
    match (table.online && table.fault.is_none(), table.state.as_ref().map_or(0, |state| state.asks)) {
        (false, _) => "table trouble",
        (true, 1..) => "table asks",
        (true, 0) => "table",
    }
}

fn score(playing: &Playing) -> Markup {
    let over = matches!(playing.status.as_str(), "won" | "undecided");
    html! {
        ul.sides {
            @for side in &playing.sides {
                li.won[playing.winner.as_ref() == Some(&side.name)] {
                    span class={ "disc " (side.colour) } {}
                    span.name {
                        (side.name)
                        @if !side.players.is_empty() { small.quiet { (side.players.join(" and ")) } }
                    }
                    @if playing.best_of > 1 { span.games title="games" { (side.games) } }
                    span.points { (side.score) }
                }
            }
        }
        p.small.quiet {
            (playing.game_name)
            @if playing.best_of > 1 { ", best of " (playing.best_of) }
            @if over { ", " @match &playing.winner { Some(winner) => { (winner) " wins" }, None => "undecided" } }
            @else if let Some(next) = &playing.to_play { ", " (next) " to play" }
        }
    }
}

fn question_count(floor: &Floor) -> usize {
    floor.tables.values().filter_map(|table| table.ask.as_ref()).map(|ask| ask.questions.len()).sum()
}

/// The questions of all tables, the oldest first; of each table only its first can be answered.
fn questions(floor: &Floor) -> Markup {
    let mut all: Vec<(&str, &TableView, u64, &Question, usize)> = Vec::new();
    for (name, table) in &floor.tables {
        if let (Some(ask), Some(ledger)) = (&table.ask, table.ledger())
            && ask.ledger == ledger
            && let Some(first) = ask.questions.first()
        {
            all.push((name, table, ask.revision, first, ask.questions.len() - 1));
        }
    }
    all.sort_by_key(|(_, _, _, question, _)| question.at);
    html! {
        @if all.is_empty() { p.quiet { "Nobody asks anything." } }
        ol.queue {
            @for (name, table, revision, question, more) in all {
                li { (ask(floor, name, table, revision, question, more)) }
            }
        }
    }
}

fn ask(
    floor: &Floor,
    name: &str,
    table: &TableView,
    revision: u64,
    question: &Question,
    more: usize,
) -> Markup {
    let given = floor.given_on(name, question.id);
    let body = |what: &str, event: Option<&crate::rules::Event>| {
        serde_json::json!({ "table": name, "question": question.id, "based_on": revision, "do": what, "event": event })
            .to_string()
    };
    html! {
        article.question {
            header { h2 { (table.title(name)) } time.quiet { (question.at.strftime("%H:%M")) " UTC" } }
            @if let Some(picture) = &question.picture {
                img src={ "data:image/jpeg;base64," (base64(&picture.0)) } alt={ "What " (table.title(name)) " saw" };
            }
            p.words { (question.words) }
            p.quiet { (question.asks) @if question.otherwise.is_empty() { ", " (format!("{:.0} % sure", question.confidence * 100.0)) } }
            @match given {
                Some(given) => p.note { (given.command.by) " has answered; "
                    @match &given.answer { Some(_) => "it is recorded", None => "waiting for the table" } },
                None => div.choices {
                    button.main type="button" data-post="/api/answer" data-body=(body("confirm", None)) { "As seen" }
                    @for way in &question.otherwise {
                        button type="button" data-post="/api/answer" data-body=(body("confirm", Some(&way.event))) { (way.words) }
                    }
                    button.danger type="button" data-post="/api/answer" data-body=(body("reject", None)) { "Did not happen" }
                },
            }
            @if more > 0 { p.small.quiet { (more) " more of this table wait after it." } }
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::{Engine, engine::general_purpose::STANDARD};
    STANDARD.encode(bytes)
}

fn close_calls(floor: &Floor) -> Markup {
    let calls = floor.tables.iter().flat_map(|(name, table)| {
        let calls = table
            .state
            .iter()
            .flat_map(|state| state.close_calls.iter().map(|call| (state.ledger.hash, call)));
        calls.map(move |(ledger, call)| (name.as_str(), table, ledger, call))
    });
    let mut calls: Vec<_> = calls.collect();
    calls.sort_by_key(|(.., call)| std::cmp::Reverse(call.swing));
    html! {
        @if !calls.is_empty() {
            h2 { "Close calls" }
            ul.calls {
                @for (name, table, ledger, call) in calls.iter().take(20) {
                    li {
                        a href={ "/calls/" (name) "/" (ledger) "/" (call.id) } {
                            b { (table.title(name)) } " " (call.words)
                            @if call.swing != 0 { span.quiet { " moves " (call.swing) } }
                        }
                    }
                }
            }
        }
    }
}

fn pairings(floor: &Floor) -> Markup {
    let book = &floor.book;
    let free: Vec<&str> = floor
        .tables
        .iter()
        .filter(|(name, table)| {
            table.online
                && table.state.as_ref().is_some_and(|state| state.free)
                && book.at_table(name).is_none()
        })
        .map(|(name, _)| name.as_str())
        .collect();
    html! {
        p {
            @let on = book.automatic;
            button type="button" aria-pressed=(on) data-post="/api/automatic" data-body=(serde_json::json!({ "on": !on })) {
                "To the next free table by itself: " @if on { "on" } @else { "off" }
            }
        }
        @if book.pairings.is_empty() { p.quiet { "No pairings yet." } }
        @else {
            table.pairings {
                thead { tr { th { "Pairing" } th { "Round" } th { "Who" } th { "Where" } th { "Result" } } }
                tbody { @for pairing in &book.pairings { (row(floor, pairing, &free)) } }
            }
        }
        @if floor.undelivered > 0 { p.note.warn { (floor.undelivered) " results could not be delivered yet." } }
    }
}

fn row(floor: &Floor, pairing: &Pairing, free: &[&str]) -> Markup {
    let assign = |table: &str| serde_json::json!({ "pairing": pairing.id, "table": table });
    let winner = |name: &str| serde_json::json!({ "pairing": pairing.id, "winner": name });
    html! {
        tr {
            td { (pairing.id) }
            td { (pairing.round) }
            td { @for (place, seat) in pairing.seats.iter().enumerate() {
                @if place > 0 { span.quiet { " – " } }
                @let won = pairing.outcome().and_then(|outcome| outcome.winner.as_deref()) == Some(&seat.words());
                @if won { b { (seat.words()) } } @else { (seat.words()) }
            } }
            td {
                @match &pairing.stage {
                    Stage::Sent { table, .. } => { (title(floor, table)) " is told" },
                    Stage::Playing { table, .. } => { (title(floor, table)) },
                    Stage::Done(outcome) => @if let Some(table) = &outcome.table { (title(floor, table)) },
                    Stage::Waiting => @if pairing.is_ready() {
                        @if let Some(table) = &pairing.table { "for " (table) " " }
                        @for table in free.iter().take(6) {
                            button.small-button type="button" data-post="/api/assign" data-body=(assign(table)) { (title(floor, table)) }
                        }
                    },
                }
            }
            td { (result(pairing, winner)) }
        }
    }
}

fn result(pairing: &Pairing, winner: impl Fn(&str) -> serde_json::Value) -> Markup {
    let undecided = pairing.outcome().is_some_and(|outcome| outcome.winner.is_none());
    html! {
        @if let Some(outcome) = pairing.outcome() {
            @if outcome.sides.is_empty() { (outcome.status) }
            @else {
                @for (place, side) in outcome.sides.iter().enumerate() { @if place > 0 { " : " } (side.games) }
                span.quiet { " (" @for (place, side) in outcome.sides.iter().enumerate() { @if place > 0 { " : " } (side.points) } ")" }
                @if outcome.status == "decided" { ", decided" }
            }
            @if let Some(by) = &outcome.decided_by { span.quiet { " by " (by) } }
        }
        @if undecided {
            "undecided: "
            @for seat in &pairing.seats {
                button.small-button type="button" data-post="/api/decide" data-body=(winner(&seat.words())) { (seat.words()) " goes on" }
            }
        }
    }
}

fn standing_table(book: &Book) -> Markup {
    let places = standings(book);
    html! {
        @if places.iter().any(|place| place.played > 0) {
            h2 { "Standings" }
            p.small.quiet { "By matches won, then by the points of all games (K13). Equals share a place." }
            table {
                thead { tr { th { "" } th { "Side" } th { "Played" } th { "Won" } th { "Games" } th { "Points" } } }
                tbody {
                    @for place in places {
                        tr {
                            td { (place.place) }
                            td { (place.name) }
                            td { (place.played) }
                            td { (place.won) @if place.undecided > 0 { " (" (place.undecided) " undecided)" } }
                            td { (place.games_won) " : " (place.games_lost) }
                            td { (place.points) " : " (place.points_against) }
                        }
                    }
                }
            }
        }
    }
}
