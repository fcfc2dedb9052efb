//! Words for people: names, questions, answers, probabilities.

use super::{Evidence, Gap, Question, Tone};
use crate::{
    board::{End, Line, LineRole},
    calls::{ContactCall, PieceState, Placement},
    register::Method,
    rules::{GameId, RuleId},
    score::{DoubtReport, tally_words},
};

/// `red 3`.
pub(super) fn piece(evidence: &Evidence, index: usize) -> String {
    let pieces = &evidence.scored.report.pieces;
    pieces.get(index).map_or_else(|| "piece".to_owned(), |piece| format!("{} {}", piece.colour, piece.id))
}

/// `the line cross-8`.
pub(super) fn line(line: &Line) -> String {
    match line.role {
        LineRole::Foul => format!("the {} line", line.name),
        LineRole::Moon => format!("the circle {}", line.name),
        _ => line_words(&line.name),
    }
}

pub(super) fn end(end: End) -> &'static str {
    match end {
        End::Far => "far",
        End::Near => "near",
    }
}

pub(super) fn subject(evidence: &Evidence, question: &Question) -> String {
    let name = piece(evidence, question.piece());
    match *question {
        Question::Line { line, .. } => format!("{name} and {}", self::line(&evidence.board.lines[line])),
        Question::End { .. } => format!("{name} and the {} end", end(evidence.scored.report.end)),
        Question::Order { against, .. } => format!("{name} and {}", piece(evidence, against)),
        Question::Placement { .. } => format!("{name} at its base line"),
        Question::Edge { .. } => format!("{name} at the edge"),
        Question::Colour { .. } => format!("the colour of {name}"),
    }
}

pub(super) fn asked(evidence: &Evidence, question: &Question) -> String {
    let name = piece(evidence, question.piece());
    match *question {
        Question::Line { line, .. } => {
            format!("Does {name} touch {}?", self::line(&evidence.board.lines[line]))
        }
        Question::End { .. } => format!("Does {name} hang over the {} end?", end(evidence.scored.report.end)),
        Question::Order { against, .. } => {
            let end = end(evidence.scored.report.end);
            format!("Is {name} nearer to the {end} end than {}?", piece(evidence, against))
        }
        Question::Placement { .. } => "Is the striker placed as the rules ask?".to_owned(),
        Question::Edge { .. } => format!("Is {name} still in play?"),
        Question::Colour { piece, other } => {
            let taken_for = &evidence.scored.report.pieces[piece].colour;
            format!("Is {name} {taken_for}, or {}?", evidence.board.pieces[other].name)
        }
    }
}

/// The call and its answer. A piece that lies on another one is not called.
pub(super) fn answer(evidence: &Evidence, question: &Question, gap: &Gap) -> (Tone, String) {
    let report = &evidence.scored.report.pieces[question.piece()];
    if report.state == PieceState::Stacked {
        return (Tone::Open, "Not called".to_owned());
    }
    if let (Question::Placement { .. }, Some(placement)) = (question, report.placement) {
        return match (report.is_placement_open(), placement) {
            (true, _) => (Tone::Open, "Too close to call".to_owned()),
            (_, Placement::BothLines) => (Tone::Good, "Placed on both lines".to_owned()),
            (_, Placement::Circle) => (Tone::Good, "Placed on the moon".to_owned()),
            (_, Placement::CutsMoon) => (Tone::Bad, "Cuts the moon".to_owned()),
            (_, Placement::OffLine) => (Tone::Bad, "Off the line".to_owned()),
        };
    }
    let words = match gap.call {
        ContactCall::Touching => capital(&gap.below),
        ContactCall::Clear => capital(&gap.above),
        ContactCall::TooClose => "Too close to call".to_owned(),
    };
    (gap.tone(), words)
}

pub(super) fn placement(placement: Placement) -> &'static str {
    match placement {
        Placement::BothLines => "it touches both lines and no moon",
        Placement::Circle => "it covers the moon",
        Placement::CutsMoon => "it cuts the moon",
        Placement::OffLine => "it does not touch both lines",
    }
}

pub(super) fn likelihood(evidence: &Evidence, question: &Question, gap: &Gap) -> String {
    let report = &evidence.scored.report.pieces[question.piece()];
    if let (Question::Placement { .. }, Some(what), Some(p)) =
        (question, report.placement, report.placement_probability)
    {
        return format!("{} that {} ({}).", capital(certainty(p)), placement(what), percent(p));
    }
    let (likelier, p) =
        if gap.p_below >= 0.5 { (&gap.below, gap.p_below) } else { (&gap.above, 1.0 - gap.p_below) };
    let other = if gap.p_below >= 0.5 { &gap.above } else { &gap.below };
    match gap.call {
        ContactCall::TooClose => {
            format!("{}: {} {likelier}, {} {other}.", capital(certainty(p)), percent(p), percent(1.0 - p))
        }
        _ => format!("{}: {} {likelier}.", capital(certainty(p)), percent(p)),
    }
}

/// A probability of at least a half in words.
pub(super) fn certainty(p: f64) -> &'static str {
    match p {
        p if p >= 0.9999 => "certain as far as measuring goes",
        p if p >= 0.99 => "as good as certain",
        p if p >= 0.9 => "very likely",
        p if p >= 0.7 => "likely",
        p if p >= 0.55 => "a little more likely than not",
        _ => "about even",
    }
}

/// Nothing that is measured is certain, so neither 0 nor 100 is ever said.
pub(super) fn percent(p: f64) -> String {
    match p * 100.0 {
        p if p > 99.99 => "more than 99.99 %".to_owned(),
        p if p < 0.01 => "less than 0.01 %".to_owned(),
        p if !(1.0..=99.0).contains(&p) => format!("{p:.2} %"),
        p => format!("{p:.0} %"),
    }
}

/// `+0.32`, with a true minus sign; never a signed zero.
/// A line as players say it: "the line behind the 10".
fn line_words(name: &str) -> String {
    let area = |area: &str| match area.rsplit_once('-') {
        Some((value, "left")) => format!("the {value} on the left"),
        Some((value, "right")) => format!("the {value} on the right"),
        _ => format!("the {}", area.replace('-', " ")),
    };
    if let Some(across) = name.strip_prefix("cross-") {
        return format!("the line behind {}", area(across));
    }
    if name.starts_with("off-") {
        return "the line of the 10 off".to_owned();
    }
    match name.strip_prefix("line-").filter(|value| value.parse::<u32>().is_ok()) {
        Some(value) => format!("the line of the {value}"),
        None => format!("the {} line", name.replace('-', " ")),
    }
}

pub(super) fn signed_mm(value_mm: f64) -> String {
    let text = format!("{:.2}", value_mm.abs());
    match text.trim_matches(['0', '.']).is_empty() {
        true => text,
        false => format!("{}{text}", if value_mm < 0.0 { "−" } else { "+" }),
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Why the measurement should not be relied upon.
pub(super) fn distrust(evidence: &Evidence, index: usize) -> Option<String> {
    let seen = evidence.scored.seen.get(index)?;
    let at_least_mm = evidence.calls.untrusted_sigma_mm;
    let name = piece(evidence, index);
    if seen.candidate.stacked {
        Some(format!("{} lies on another piece or leans: its footprint decides nothing.", capital(&name)))
    } else if !seen.measured {
        Some(format!(
            "{} was found, but its rim could not be measured: its place is good to about {at_least_mm} mm.",
            capital(&name)
        ))
    } else if !seen.measurement.trusted {
        Some(format!(
            "The fit of {name} is not trusted: too little of its rim is seen, its edge is unclear, or the ways \
             of measuring it disagree. Its place is taken as good to {at_least_mm} mm at best."
        ))
    } else {
        None
    }
}

/// What else is in doubt about a piece, of which no gap tells: its colour, or whether it is in play.
pub(super) fn other_doubt(evidence: &Evidence, index: usize) -> Option<String> {
    let report = &evidence.scored.report;
    let name = capital(&piece(evidence, index));
    let doubt = |doubt: &DoubtReport| {
        let tally = tally_words(&doubt.tally).replace('-', "\u{2212}");
        let p = percent(doubt.probability);
        match (doubt.about.as_str(), doubt.about.strip_prefix("colour ")) {
            (_, Some(other)) => Some(format!("{name} may be {other} ({p}): then {tally}.")),
            ("stacked", _) => {
                Some(format!("{name} may lie on another piece ({p}) and score nothing: then {tally}."))
            }
            ("edge", _) => Some(format!(
                "Whether {name} is still in play is not certain ({p} the other way): then {tally}."
            )),
            _ => None,
        }
    };
    report.doubts.iter().filter(|doubt| doubt.piece == index + 1).find_map(doubt)
}

pub(super) fn registration(method: Method) -> &'static str {
    match method {
        Method::Camera => "a camera file",
        Method::Lines => "the board's own lines in this photo",
        Method::Outline => "the outline of the surface in this photo, and the lines that show",
        Method::Corners => "four corners given by hand, then the board's lines",
        Method::Tags => "printed tags, then the board's lines",
    }
}

/// The rules that a question is decided by.
pub(super) fn rule_numbers(evidence: &Evidence, question: &Question) -> &'static [u8] {
    let foul = match *question {
        Question::Line { line, .. } => evidence.board.lines[line].role == LineRole::Foul,
        _ => false,
    };
    match (evidence.scored.report.game, question) {
        (GameId::Court, _) if foul => &[5],
        (GameId::Court, _) => &[6],
        (GameId::LongBoard, Question::End { .. }) => &[5],
        (GameId::LongBoard, Question::Order { .. } | Question::Edge { .. } | Question::Colour { .. }) => &[3],
        (GameId::LongBoard, _) => &[4],
        (GameId::Association, _) if foul => &[3],
        (GameId::Association, _) => &[4],
        (GameId::Kagw, Question::Placement { .. }) => &[2, 7],
        (GameId::Kagw, Question::Edge { .. }) => &[4, 7],
        (GameId::Kagw, Question::Colour { .. }) => &[1],
        (GameId::Ludington, Question::Edge { .. }) => &[2, 5],
        (GameId::Kagw, _) => &[2],
        (GameId::Ludington, _) => &[1],
    }
}

pub(super) fn rules(evidence: &Evidence, question: &Question) -> Vec<super::RuleText> {
    let game = evidence.scored.report.game;
    rule_numbers(evidence, question)
        .iter()
        .map(|&number| RuleId { game, number })
        .filter_map(|rule| Some(super::RuleText { id: rule.to_string(), text: rule.text()?.to_owned() }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_measured_is_said_to_be_certain() {
        assert_eq!(percent(1.0), "more than 99.99 %");
        assert_eq!(percent(0.0), "less than 0.01 %");
        assert_eq!(percent(0.995), "99.50 %");
        assert_eq!(percent(0.624), "62 %");
    }

    #[test]
    fn a_gap_has_its_sign_and_zero_none() {
        let words: Vec<_> = [0.323, -0.323, 0.004, -0.004, 12.0].map(signed_mm).into();
        assert_eq!(words, ["+0.32", "−0.32", "0.00", "0.00", "+12.00"]);
    }
}
