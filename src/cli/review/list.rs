//! Lists of calls and of a match's history, for people and for spreadsheets.

use serde_json::Value;

use crate::{
    calls::{Contact, ContactCall, PieceState},
    desk::{CallSummary, HistoryLine},
    rerun::CallThen,
};

/// Which calls are listed: close and disputed ones, or those that fit what was asked.
#[derive(Debug, clap::Args)]
pub(super) struct Filter {
    /// Every call, not only close and disputed ones.
    #[arg(long)]
    all: bool,
    /// Calls that came out so: clear, touching or too-close.
    #[arg(long = "call", value_name = "CALL", value_enum)]
    outcome: Option<OutcomeArgument>,
    /// Calls of a side, by its name.
    #[arg(long, value_name = "NAME")]
    side: Option<String>,
    /// Calls of pieces of this colour.
    #[arg(long, value_name = "COLOUR")]
    colour: Option<String>,
    /// Calls of one event.
    #[arg(long, value_name = "N")]
    pub(super) event: Option<usize>,
    /// Calls about one line, by its name in the board file.
    #[arg(long, value_name = "LINE")]
    line: Option<String>,
    /// Calls that somebody ruled on, or whose event was overruled or undone.
    #[arg(long)]
    disputed: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum OutcomeArgument {
    Clear,
    Touching,
    TooClose,
}

impl Filter {
    /// Whether anything but the usual list was asked for.
    pub(super) fn is_narrow(&self) -> bool {
        self.all
            || self.outcome.is_some()
            || self.side.is_some()
            || self.colour.is_some()
            || self.event.is_some()
            || self.line.is_some()
            || self.disputed
    }

    pub(super) fn takes(&self, call: &CallSummary) -> bool {
        let disputed = call.verdict.is_some() || call.overruled || call.undone;
        if !self.is_narrow() {
            return call.close || disputed || call.camera_moved;
        }
        let outcome = call.contact.as_ref().map(|contact| contact.call);
        let wanted = self.outcome.map(|wanted| match wanted {
            OutcomeArgument::Clear => ContactCall::Clear,
            OutcomeArgument::Touching => ContactCall::Touching,
            OutcomeArgument::TooClose => ContactCall::TooClose,
        });
        let line = call.contact.as_ref().map(|contact| contact.line.as_str());
        (wanted.is_none() || outcome == wanted)
            && self.side.as_ref().is_none_or(|side| call.side.as_ref() == Some(side))
            && self.colour.as_ref().is_none_or(|colour| call.colour == *colour)
            && self.event.is_none_or(|event| call.event == event)
            && self.line.as_deref().is_none_or(|wanted| line == Some(wanted))
            && (!self.disputed || disputed)
    }
}

/// The list for people: a line a call, close ones first.
pub(super) fn table(shown: &[&CallSummary], of: usize, narrow: bool) -> String {
    if shown.is_empty() {
        return match narrow {
            true => format!("no call of {of} fits\n"),
            false => format!("no call of {of} is close or disputed; --all lists all of them\n"),
        };
    }
    let header = ["call", "", "side", "piece", "area", "line", "gap mm", "said", "other way", "ruling"];
    let mut rows = vec![header.map(String::from)];
    rows.extend(shown.iter().map(|call| row(call)));
    let hidden = of - shown.len();
    let mut text = columns(&rows);
    if hidden > 0 {
        text += &format!("{hidden} more calls; --all lists them\n");
    }
    text
}

fn row(call: &CallSummary) -> [String; 10] {
    let contact = call.contact.as_ref();
    let weightiest = call.doubts.iter().max_by_key(|doubt| doubt.swing);
    let other = weightiest.map_or(String::new(), |doubt| {
        format!("{} points with {:.0} %", doubt.swing, doubt.probability * 100.0)
    });
    let mut ruling = call
        .verdict
        .as_ref()
        .map_or(String::new(), |verdict| format!("{} by {}", verdict.ruling.name(), verdict.by));
    for (holds, word) in [
        (call.overruled && call.verdict.is_none(), "event overruled"),
        (call.undone && call.verdict.is_none(), "event undone"),
        (call.camera_moved, "camera had moved"),
    ] {
        if holds {
            ruling += if ruling.is_empty() { "" } else { ", " };
            ruling += word;
        }
    }
    [
        call.id.to_string(),
        if call.close { "*" } else { "" }.to_owned(),
        call.side.clone().unwrap_or_default(),
        format!("{} {}", call.colour, call.piece),
        area_words(call.state, call.area.as_deref()),
        contact.map_or(String::new(), |contact| contact.line.clone()),
        contact.map_or(String::new(), |contact| format!("{:+.2} ± {:.2}", contact.gap_mm, contact.sigma_mm)),
        contact.map_or(String::new(), said),
        other,
        ruling,
    ]
}

fn area_words(state: Option<PieceState>, area: Option<&str>) -> String {
    match state {
        Some(PieceState::Dead) => "dead".to_owned(),
        Some(PieceState::Off) => "off".to_owned(),
        Some(PieceState::Stacked) => "stacked".to_owned(),
        _ => area.unwrap_or("-").to_owned(),
    }
}

fn said(contact: &Contact) -> String {
    match contact.call {
        ContactCall::Clear => "clear".to_owned(),
        ContactCall::Touching => "touching".to_owned(),
        ContactCall::TooClose => format!("too close ({:.0} % touching)", contact.p_touching * 100.0),
    }
}

/// What was said about a piece, in a few words.
pub(super) fn then_words(then: &CallThen) -> String {
    let mut words = area_words(Some(then.state), then.area.as_deref());
    if let Some(contact) = &then.contact {
        words += &format!(", {} of {} by {:+.2} mm", said(contact), contact.line, contact.gap_mm);
    }
    if let Some(points) = then.points {
        words += &format!(", {points} points");
    }
    words
}

/// One call with all that is known.
pub(super) fn details(call: &CallSummary) -> String {
    let at = call.at;
    let mut text = format!(
        "call {}: event {}, {}, by {} at {at:.0}\n{} {}{}: {}\n",
        call.id,
        call.event,
        call.name,
        call.author,
        call.colour,
        call.piece,
        call.side.as_ref().map_or(String::new(), |side| format!(" of {side}")),
        area_words(call.state, call.area.as_deref()),
    );
    if let Some(contact) = &call.contact {
        text += &format!(
            "{} {}: gap {:+.3} mm ± {:.3} mm, touches with {:.1} %\n",
            said(contact),
            contact.line,
            contact.gap_mm,
            contact.sigma_mm,
            contact.p_touching * 100.0
        );
    }
    for doubt in &call.doubts {
        text += &format!(
            "{}: with {:.1} % the other way; then {} instead of {}\n",
            doubt.about,
            doubt.probability * 100.0,
            scores_words(&doubt.other_tally),
            scores_words(&doubt.tally)
        );
    }
    if let Some(verdict) = &call.verdict {
        let why = verdict.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
        text += &format!("{} by {} at {:.0}{why}\n", verdict.ruling.name(), verdict.by, verdict.at);
    }
    for (holds, words) in [
        (call.overruled, "another event stands in its event's place\n"),
        (call.undone, "its event is undone\n"),
        (call.camera_moved, "the camera was found moved afterwards: this may be wrong\n"),
    ] {
        text += if holds { words } else { "" };
    }
    text
}

/// `Ann 18, Bo 7`.
pub(super) fn scores_words(scores: &Value) -> String {
    let words = scores.as_object().map(|scores| {
        scores.iter().map(|(name, points)| format!("{name} {points}")).collect::<Vec<_>>().join(", ")
    });
    words.unwrap_or_default()
}

/// A row a call, for a spreadsheet.
pub(super) fn csv(shown: &[&CallSummary]) -> String {
    let header = "call,event,type,side,colour,piece,x_mm,y_mm,area,state,points,line,gap_mm,sigma_mm,\
                  p_touching,said,close,swing,ruling,ruled_by,why,overruled,undone,camera_moved\n";
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let rows = shown.iter().map(|call| {
        let contact = call.contact.as_ref();
        let verdict = call.verdict.as_ref();
        let name = |value: Option<Value>| {
            value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
        };
        let fields = [
            call.id.to_string(),
            call.event.to_string(),
            call.name.to_owned(),
            call.side.clone().unwrap_or_default(),
            call.colour.clone(),
            call.piece.to_string(),
            number(call.x_mm),
            number(call.y_mm),
            call.area.clone().unwrap_or_default(),
            name(serde_json::to_value(call.state).ok()),
            call.points.map_or(String::new(), |points| points.to_string()),
            contact.map_or(String::new(), |contact| contact.line.clone()),
            number(contact.map(|contact| contact.gap_mm)),
            number(contact.map(|contact| contact.sigma_mm)),
            number(contact.map(|contact| contact.p_touching)),
            name(contact.and_then(|contact| serde_json::to_value(contact.call).ok())),
            call.close.to_string(),
            call.swing.to_string(),
            verdict.map_or(String::new(), |verdict| verdict.ruling.name().to_owned()),
            verdict.map_or(String::new(), |verdict| verdict.by.clone()),
            verdict.and_then(|verdict| verdict.why.clone()).unwrap_or_default(),
            call.overruled.to_string(),
            call.undone.to_string(),
            call.camera_moved.to_string(),
        ];
        fields.map(|field| csv_field(&field)).join(",") + "\n"
    });
    header.to_owned() + &rows.collect::<String>()
}

pub(super) fn history_csv(lines: &[HistoryLine]) -> String {
    let rows = lines.iter().map(|line| {
        let fields = [
            line.seq.to_string(),
            line.match_number.to_string(),
            line.event.map_or(String::new(), |event| event.to_string()),
            line.at.to_string(),
            line.author.clone(),
            line.what.clone(),
            line.shown.as_ref().map_or(String::new(), |shown| scores_words(&shown.scores)),
        ];
        fields.map(|field| csv_field(&field)).join(",") + "\n"
    });
    "entry,match,event,at,author,what,score\n".to_owned() + &rows.collect::<String>()
}

pub(super) fn history_table(lines: &[HistoryLine]) -> String {
    let mut rows = vec![["entry", "event", "at", "who", "score then", "what"].map(String::from)];
    for line in lines {
        let shown = line.shown.as_ref();
        rows.push([
            line.seq.to_string(),
            line.event.map_or(String::new(), |event| event.to_string()),
            format!("{:.0}", line.at),
            line.author.clone(),
            shown.map_or(String::new(), |shown| scores_words(&shown.scores)),
            line.what.clone(),
        ]);
    }
    columns(&rows)
}

/// Rows with their columns in line.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// Quoted where it must be (RFC 4180).
fn csv_field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
