//! The score sheet: for people as text, for spreadsheets as comma-separated values.

use std::fmt::Write;

use super::{
    AnyGame, BySide, Event, GameId, Logged, Record, Side, Special, catalogue::GameText, event::Play,
    report::is_frame,
};

/// The score sheet as text.
pub fn text(record: &Record) -> String {
    let game = record.state();
    let mut out = heading(game);
    let rows: Vec<Row> = record.log().iter().map(|logged| row(game, logged)).collect();
    let widths = Widths::of(&rows, game);
    let mut printed_game = 0;
    for (row, logged) in rows.iter().zip(record.log()) {
        if logged.entry.game != printed_game {
            printed_game = logged.entry.game;
            out.push('\n');
            widths.head(&mut out, game, printed_game);
        }
        widths.row(&mut out, row);
        for line in doubts(game, logged) {
            let _ = writeln!(out, "{:9}{line}", "");
        }
    }
    out.push('\n');
    for line in corrections(record) {
        let _ = writeln!(out, "{line}");
    }
    out.push_str(&ending(game));
    out
}

/// One row an event of the game, with a header row.
pub fn csv(record: &Record) -> String {
    let game = record.state();
    let setup = game.setup();
    let (one, two) = (setup.name(Side::First), setup.name(Side::Second));
    let header = [
        "line",
        "event",
        "game",
        "by",
        one,
        two,
        &format!("{one} total"),
        &format!("{two} total"),
        "probability",
        "rules",
        "remarks",
    ];
    let mut out = header.map(csv_field).join(",") + "\n";
    for logged in record.log() {
        let entry = &logged.entry;
        let fields = [
            (logged.number + 1).to_string(),
            logged.name.to_owned(),
            entry.game.to_string(),
            entry.by.map_or(String::new(), |seat| setup.player(seat).to_owned()),
            entry.points.first.to_string(),
            entry.points.second.to_string(),
            entry.totals.first.to_string(),
            entry.totals.second.to_string(),
            format!("{:.4}", entry.probability),
            entry.cites.to_string(),
            remarks(game, logged),
        ];
        out.push_str(&fields.map(|field| csv_field(&field)).join(","));
        out.push('\n');
    }
    out
}

/// Quoted where it must be (RFC 4180).
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn heading(game: &AnyGame) -> String {
    let setup = game.setup();
    let options = &setup.options;
    let mut facts = vec![GameText::of(setup.game).name.to_owned()];
    facts.push(if options.play == Play::Doubles { "doubles" } else { "singles" }.to_owned());
    if setup.game != GameId::Kagw {
        facts.push(format!("game at {}", options.target));
    }
    if options.best_of > 1 {
        facts.push(format!("best of {}", options.best_of));
    }
    let flags = [
        (options.bank, "bank"),
        (options.called, "called"),
        (options.cushion, "cushion"),
        (options.green_continues, "green continues"),
        (setup.game == GameId::Ludington && !options.green, "no green"),
    ];
    facts.extend(flags.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
    let who = |side: Side| {
        let players = setup.sides[side].players.as_ref();
        let players = players.map_or(String::new(), |[one, two]| format!(", {one} and {two}"));
        format!("{} ({}{players})", setup.name(side), game.colours()[side])
    };
    format!("{}\n{} against {}\n", facts.join(", "), who(Side::First), who(Side::Second))
}

/// One printed row.
struct Row {
    line: String,
    what: String,
    by: String,
    points: BySide<String>,
    totals: String,
    cites: String,
    remarks: String,
}

fn row(game: &AnyGame, logged: &Logged) -> Row {
    let entry = &logged.entry;
    let shown =
        |points: i32| if is_frame(logged) || points != 0 { points.to_string() } else { String::new() };
    Row {
        line: (logged.number + 1).to_string(),
        what: logged.name.to_owned(),
        by: entry.by.map_or(String::new(), |seat| game.setup().player(seat).to_owned()),
        points: BySide::from_fn(|side| shown(entry.points[side])),
        totals: format!("{} : {}", entry.totals.first, entry.totals.second),
        cites: entry.cites.to_string(),
        remarks: remarks(game, logged),
    }
}

fn remarks(game: &AnyGame, logged: &Logged) -> String {
    let mut all: Vec<String> = logged.entry.remarks.iter().map(|remark| (*remark).to_owned()).collect();
    if let Some(winner) = logged.entry.game_won_by {
        all.push(format!("{} wins the game", game.setup().name(winner)));
    }
    all.join("; ")
}

/// Column widths, in characters.
struct Widths {
    line: usize,
    what: usize,
    by: usize,
    points: BySide<usize>,
    totals: usize,
    cites: usize,
}

impl Widths {
    fn of(rows: &[Row], game: &AnyGame) -> Widths {
        let widest = |least: usize, field: &dyn Fn(&Row) -> usize| {
            rows.iter().map(field).max().unwrap_or(0).max(least)
        };
        let chars = |text: &str| text.chars().count();
        let name = |side: Side| chars(game.setup().name(side));
        Widths {
            line: widest(4, &|row| chars(&row.line)),
            what: widest(5, &|row| chars(&row.what)),
            by: widest(2, &|row| chars(&row.by)),
            points: BySide::from_fn(|side| widest(name(side), &|row| chars(&row.points[side]))),
            totals: widest(5, &|row| chars(&row.totals)),
            cites: widest(5, &|row| chars(&row.cites)),
        }
    }

    fn head(&self, out: &mut String, game: &AnyGame, number: u32) {
        let name = |side: Side| game.setup().name(side).to_owned();
        let led = if game.table().is_some() { "by" } else { "lead" };
        self.row(
            out,
            &Row {
                line: "line".to_owned(),
                what: format!("game {number}"),
                by: led.to_owned(),
                points: BySide::from_fn(name),
                totals: "total".to_owned(),
                cites: "rules".to_owned(),
                remarks: String::new(),
            },
        );
    }

    fn row(&self, out: &mut String, row: &Row) {
        let line = format!(
            "{:>w0$}  {:<w1$}  {:<w2$}  {:>w3$}  {:>w4$}  {:>w5$}  {:<w6$}  {}",
            row.line,
            row.what,
            row.by,
            row.points.first,
            row.points.second,
            row.totals,
            row.cites,
            row.remarks,
            w0 = self.line,
            w1 = self.what.max("game 10".len()),
            w2 = self.by.max("lead".len()),
            w3 = self.points.first,
            w4 = self.points.second,
            w5 = self.totals,
            w6 = self.cites,
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// What a frame's uncertainty leaves open.
fn doubts(game: &AnyGame, logged: &Logged) -> Vec<String> {
    let Some(all) = &logged.entry.doubts else { return Vec::new() };
    let setup = game.setup();
    let tally = |t: BySide<i32>| {
        format!("{} {}, {} {}", setup.name(Side::First), t.first, setup.name(Side::Second), t.second)
    };
    let mut lines = vec![format!("this tally is {:.1} % likely", 100.0 * logged.entry.probability)];
    for doubt in &all.doubts {
        let piece = match doubt.against {
            Some(against) => format!("the order of pieces {} and {}", doubt.piece + 1, against + 1),
            None => format!("piece {} at {}", doubt.piece + 1, doubt.about),
        };
        let percent = 100.0 * doubt.probability;
        lines
            .push(format!("too close: {piece}; the other way ({percent:.1} %) it is {}", tally(doubt.tally)));
    }
    lines
}

/// Overrules, undos and waivers, which stand in the record with their reasons.
fn corrections(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    for recorded in record.events() {
        let line = recorded.number + 1;
        let by = recorded.event.by().map_or(String::new(), |by| format!(" by {by}"));
        let because = |why: &Option<String>| why.as_ref().map_or(String::new(), |why| format!(": {why}"));
        match &recorded.event {
            Event::Overrule(e) => {
                lines.push(format!("line {line} overrules line {}{by}{}", e.event + 1, because(&e.why)));
            }
            Event::Undo(e) => {
                lines.push(format!("line {line} undoes line {}{by}{}", e.event + 1, because(&e.why)));
            }
            event if !event.waivers().is_empty() => {
                lines.push(format!("line {line} waives {}{by}", event.waivers().join(", ")));
            }
            _ => {}
        }
    }
    lines
}

/// How it stands now.
fn ending(game: &AnyGame) -> String {
    let setup = game.setup();
    let standing = game.standing();
    let mut out = String::new();
    let (one, two) = (setup.name(Side::First), setup.name(Side::Second));
    let _ = writeln!(out, "{one} {} : {} {two}", standing.scores.first, standing.scores.second);
    if setup.options.best_of > 1 {
        let _ = writeln!(out, "games {} : {}", standing.games.first, standing.games.second);
    }
    if let Some(table) = game.table() {
        let colours = game.colours();
        let side = |side: Side| format!("{} {}", table.on_board[side], colours[side]);
        let _ = write!(out, "on the board: {}, {}", side(Side::First), side(Side::Second));
        let name = setup.game.special().unwrap_or_default();
        let special = table.special.map(|special| match special {
            Special::OnBoard => format!("; the {name} is on the board"),
            Special::ToCover => format!("; the {name} is to be covered"),
            Special::ToReturn => format!("; the {name} returns when the turn ends"),
            Special::Taken(side) => format!("; the {name} is {}'s", setup.name(side)),
        });
        let _ = writeln!(out, "{}", special.unwrap_or_default());
        for (side, owed) in table.owed.iter().filter(|(_, owed)| **owed > 0) {
            let _ = writeln!(out, "{} owes {owed}", setup.name(side));
        }
    }
    match (standing.status.winner(), game.to_choose(), game.to_play()) {
        (Some(winner), ..) => {
            let _ = writeln!(out, "{} has won the match", setup.name(winner));
        }
        (_, Some(chooser), _) => {
            let _ = writeln!(out, "{} chooses the colour", setup.name(chooser));
        }
        (_, _, Some(seat)) => {
            let tie = if standing.status == super::Status::TieBreak { "tie-break: " } else { "" };
            let _ = writeln!(out, "{tie}{} to play", setup.player(seat));
        }
        _ => {
            let _ = writeln!(out, "undecided: the totals are equal");
        }
    }
    out
}
