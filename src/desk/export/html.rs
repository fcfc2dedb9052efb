//! The score sheet as one HTML file that prints well.

use std::fmt::Write;

use super::SheetSource;
use crate::{
    desk::history::what,
    ledger::Kind,
    rules::{BySide, Event, Logged, Side, catalogue::GameText, event::Play},
};

const STYLE: &str = include_str!("sheet.css");

/// The score sheet: who played, every event that stands with its points and rules, the corrections
/// and rulings, and the hash that the ledger can be checked with. Needs nothing beside itself.
pub fn score_sheet(source: &SheetSource<'_>) -> String {
    let game = source.record.state();
    let setup = game.setup();
    let (one, two) = (escaped(setup.name(Side::First)), escaped(setup.name(Side::Second)));
    let mut html = String::new();
    let title = format!("{one} against {two}");
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    heading(&mut html, source);
    result(&mut html, source);
    games(&mut html, source);
    rulings(&mut html, source);
    let _ = write!(
        html,
        "<footer>\n<p>From the ledger {}, {} entries. Its fingerprint: <code>{}</code></p>\n\
         <p>To check that nothing was changed since: <code>linecall review {} --verify --head {}</code></p>\n\
         </footer>\n</main>\n</body>\n</html>\n",
        escaped(source.ledger),
        source.head.seq,
        source.head.hash,
        escaped(source.ledger),
        source.head.hash,
    );
    html
}

fn heading(html: &mut String, source: &SheetSource<'_>) {
    let setup = source.record.state().setup();
    let options = &setup.options;
    let mut facts = vec![if options.play == Play::Doubles { "doubles" } else { "singles" }.to_owned()];
    if setup.game.own_options().contains(&"target") || options.target > 0 {
        facts.push(format!("game at {}", options.target));
    }
    if options.best_of > 1 {
        facts.push(format!("best of {}", options.best_of));
    }
    let began = source.began().map_or(String::new(), |at| {
        let at = at.to_zoned(jiff::tz::TimeZone::UTC);
        format!("<p class=\"when\">{} UTC</p>\n", at.strftime("%-d %B %Y, %H:%M"))
    });
    let _ = write!(
        html,
        "<header>\n<h1>{}</h1>\n<p class=\"facts\">{}</p>\n{began}</header>\n",
        escaped(GameText::of(setup.game).name),
        facts.join(", ")
    );
}

/// The two sides with the score as it stands, large.
fn result(html: &mut String, source: &SheetSource<'_>) {
    let game = source.record.state();
    let (setup, standing) = (game.setup(), game.standing());
    html.push_str("<section class=\"result\" aria-label=\"Result\">\n");
    for side in Side::BOTH {
        let won = standing.status.winner() == Some(side);
        let players = setup.sides[side].players.as_ref().map_or(String::new(), |[one, two]| {
            format!("<span class=\"players\">{} and {}</span>", escaped(one), escaped(two))
        });
        // Sides without names are called by their colours.
        let colour =
            Some(&*game.colours()[side]).filter(|colour| *colour != setup.name(side)).unwrap_or_default();
        let _ = write!(
            html,
            "<div class=\"side{}\">\n<h2>{}</h2>\n<p class=\"colour\">{}{players}</p>\n\
             <p class=\"score\">{}</p>\n",
            if won { " winner" } else { "" },
            escaped(setup.name(side)),
            escaped(colour),
            standing.scores[side],
        );
        if setup.options.best_of > 1 {
            let _ = writeln!(html, "<p class=\"games\">games {}</p>", standing.games[side]);
        }
        html.push_str("</div>\n");
    }
    let status = match standing.status.winner() {
        Some(side) => format!("{} has won the match.", escaped(setup.name(side))),
        None if standing.status.is_over() => "The match is undecided.".to_owned(),
        None => "The match is being played.".to_owned(),
    };
    let _ = write!(html, "</section>\n<p class=\"status\">{status}</p>\n");
}

fn games(html: &mut String, source: &SheetSource<'_>) {
    let game = source.record.state();
    let setup = game.setup();
    let mut open = 0;
    for logged in source.record.log() {
        if logged.entry.game != open {
            if open > 0 {
                html.push_str("</tbody>\n</table>\n");
            }
            open = logged.entry.game;
            let _ = write!(
                html,
                "<table>\n<caption>Game {open}</caption>\n<thead><tr><th scope=\"col\">Event</th>\
                 <th scope=\"col\">By</th><th scope=\"col\" class=\"n\">{}</th>\
                 <th scope=\"col\" class=\"n\">{}</th><th scope=\"col\" class=\"n\">Total</th>\
                 <th scope=\"col\">Rules</th><th scope=\"col\">Remarks</th></tr></thead>\n<tbody>\n",
                escaped(setup.name(Side::First)),
                escaped(setup.name(Side::Second))
            );
        }
        row(html, source, logged);
    }
    if open > 0 {
        html.push_str("</tbody>\n</table>\n");
    }
}

fn row(html: &mut String, source: &SheetSource<'_>, logged: &Logged) {
    let game = source.record.state();
    let setup = game.setup();
    let entry = &logged.entry;
    let scores = matches!(logged.name, "frame" | "playoff" | "strike");
    let points = BySide::from_fn(|side| match scores || entry.points[side] != 0 {
        true => entry.points[side].to_string(),
        false => String::new(),
    });
    let mut remarks: Vec<String> = entry.remarks.iter().map(|remark| escaped(remark)).collect();
    if let Some(winner) = entry.game_won_by {
        remarks.push(format!("<strong>{} wins the game</strong>", escaped(setup.name(winner))));
    }
    let close = entry.doubts.as_ref().map_or(0, |doubts| doubts.doubts.len());
    if close > 0 {
        let calls = if close == 1 { "call" } else { "calls" };
        remarks
            .push(format!("{close} close {calls}, this tally is {:.0} % likely", entry.probability * 100.0));
    }
    let is_changed = source.record.standing(logged.number).zip(event_at(source, logged.number));
    if is_changed.is_some_and(|(standing, recorded)| standing != recorded) {
        remarks.push("overruled, see below".to_owned());
    }
    let _ = writeln!(
        html,
        "<tr{}><td>{} {}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{} : {}</td><td>{}</td><td>{}</td></tr>",
        if entry.game_won_by.is_some() { " class=\"won\"" } else { "" },
        logged.number,
        logged.name,
        entry.by.map_or(String::new(), |seat| escaped(setup.player(seat))),
        points.first,
        points.second,
        entry.totals.first,
        entry.totals.second,
        entry.cites,
        remarks.join("; ")
    );
}

fn event_at<'a>(source: &SheetSource<'a>, number: usize) -> Option<&'a Event> {
    source.record.events().iter().find(|recorded| recorded.number == number).map(|recorded| &recorded.event)
}

/// Corrections, verdicts and decisions, which stand in the ledger with their reasons.
fn rulings(html: &mut String, source: &SheetSource<'_>) {
    let told: Vec<String> = source
        .entries
        .iter()
        .filter(|entry| match entry.event() {
            Some((_, event)) => event.is_correction(),
            None => matches!(entry.content.kind(), Kind::Verdict | Kind::Decision | Kind::CameraMoved),
        })
        .map(|entry| {
            let number = entry.number.map_or(String::new(), |number| format!("event {number}, "));
            format!("<li>{number}{} {}</li>", escaped(&entry.author.to_string()), escaped(&what(entry)))
        })
        .collect();
    if !told.is_empty() {
        let _ = write!(
            html,
            "<section class=\"rulings\">\n<h2>Corrections and rulings</h2>\n<ol>\n{}\n</ol>\n</section>\n",
            told.join("\n")
        );
    }
}

/// Text that means itself in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
