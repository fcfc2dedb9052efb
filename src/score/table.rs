//! A photo's report as a short table for people.

use std::fmt::Write;

use super::{PhotoReport, PieceReport};
use crate::{
    board::End,
    calls::{Contact, ContactCall, PieceState, Placement},
    register::Method,
    rules::ColourTally,
};

/// The table: a headline, a line a piece, the tally. Close calls are marked with `*`.
pub fn photo_table(report: &PhotoReport) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", headline(report));
    let header = ["", "id", "colour", "x mm", "y mm", "± mm", "area", "points", "line", "gap mm", "call"];
    let mut rows = vec![header.map(String::from)];
    rows.extend(report.pieces.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 11] = std::array::from_fn(width);
    if !report.pieces.is_empty() {
        for row in &rows {
            let cells: Vec<String> = row
                .iter()
                .zip(widths)
                .enumerate()
                .map(|(column, (cell, width))| match column {
                    1 | 3..=5 | 7 | 9 => format!("{cell:>width$}"),
                    _ => format!("{cell:width$}"),
                })
                .collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
    }
    for foreign in &report.foreign {
        let why = match &*foreign.reason {
            "too-many" => "looks like a piece, but the board has no more of its kind",
            _ => "is round, but no piece of this board has its colour",
        };
        let _ = writeln!(text, "!  at {:.0}, {:.0}: {why}; not scored", foreign.x_mm, foreign.y_mm);
    }
    if report.foreign.iter().any(|foreign| foreign.reason == "colour") {
        let _ =
            writeln!(text, "!  (are they pieces? linecall calibrate --teach learns the colours of your set)");
    }
    let _ = writeln!(text, "{}", footer(report));
    text
}

fn headline(report: &PhotoReport) -> String {
    let registration = &report.registration;
    let by = match registration.method {
        Method::Camera => "camera file",
        Method::Lines => "found by its lines",
        Method::Outline => "found by its outline",
        Method::Corners => "by the given corners",
        Method::Tags => "by its tags",
    };
    let end = match report.end {
        End::Far => "far end",
        End::Near => "near end",
    };
    let scale = registration.mm_per_px.map_or(String::new(), |mm| format!(", {mm:.2} mm a pixel"));
    format!(
        "{}: {}, {}, {end}; {by}, edges to {:.2} px{scale}",
        report.photo,
        report.board,
        report.game.id(),
        registration.rms_px
    )
}

fn row(piece: &PieceReport) -> [String; 11] {
    let area = match (piece.state, piece.placement) {
        (PieceState::Live, Some(placement)) => placement_words(placement).into(),
        (PieceState::Live | PieceState::Hanging, None) => piece.area.clone().unwrap_or_else(|| "-".into()),
        (PieceState::Hanging, Some(_)) => "hanging".into(),
        (PieceState::Dead, _) => "dead".into(),
        (PieceState::Off, _) => "off".into(),
        (PieceState::Stacked, _) => "stacked".into(),
    };
    let contact = piece.contact.as_ref();
    [
        if piece.is_close() { "*" } else { "" }.into(),
        piece.id.to_string(),
        piece.colour.clone(),
        format!("{:.1}", piece.x_mm),
        format!("{:.1}", piece.y_mm),
        format!("{:.2}{}", piece.sigma_mm, if piece.trusted { "" } else { "?" }),
        area,
        piece.points.map_or(String::new(), |points| points.to_string()),
        contact.map_or(String::new(), |contact| contact.line.clone()),
        contact.map_or(String::new(), |contact| format!("{:+.2} ± {:.2}", contact.gap_mm, contact.sigma_mm)),
        contact.map_or(String::new(), call_words),
    ]
}

fn call_words(contact: &Contact) -> String {
    match contact.call {
        ContactCall::Clear => "clear".into(),
        ContactCall::Touching => "touching".into(),
        ContactCall::TooClose => format!("too close, touches with {:.0} %", contact.p_touching * 100.0),
    }
}

fn placement_words(placement: Placement) -> &'static str {
    match placement {
        Placement::BothLines => "both-lines",
        Placement::Circle => "circle",
        Placement::CutsMoon => "cuts-moon",
        Placement::OffLine => "off-line",
    }
}

fn footer(report: &PhotoReport) -> String {
    let what = if report.on_board.is_some() { "in play" } else { "tally" };
    let mut text = format!("{what}: {}", tally_words(&report.tally));
    if report.tally_probability < 1.0 {
        let _ = write!(text, "  (with {:.0} %)", report.tally_probability * 100.0);
    }
    for doubt in &report.doubts {
        let colour = |id: usize| report.pieces.get(id.wrapping_sub(1)).map_or("piece", |p| p.colour.as_str());
        let mut who = format!("{} {}", colour(doubt.piece), doubt.piece);
        if let Some(other) = doubt.against {
            let _ = write!(who, " against {} {other}", colour(other));
        }
        let _ = write!(
            text,
            "\n*  {who}, {}: with {:.0} % the other way, then {}",
            doubt.about,
            doubt.probability * 100.0,
            tally_words(&doubt.tally)
        );
    }
    if !report.uncalled.is_empty() {
        let ids: Vec<_> = report.uncalled.iter().map(usize::to_string).collect();
        let _ = write!(text, "\n*  not called, not in the tally: {}", ids.join(", "));
    }
    text
}

/// `red 10, blue 0`.
pub fn tally_words(tally: &ColourTally) -> String {
    let words: Vec<_> = tally.0.iter().map(|(colour, number)| format!("{colour} {number}")).collect();
    words.join(", ")
}
