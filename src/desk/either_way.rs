//! A match's score as a call stands, and if it is the other way.

use super::flip;
use crate::{
    ledger::CallId,
    rules::{BySide, Event, Record, Side, event::OverruleEvent},
    score::PhotoReport,
};

/// Both ways of a call, for the whole match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchEitherWay {
    /// Sides by name with their points of the running game, as the call stands after all rulings.
    pub as_it_stands: Vec<(String, i32)>,
    /// The other way, where it follows from the call's line and the rules allow it.
    pub otherwise: Option<Vec<(String, i32)>>,
    /// What that means for the match, in a sentence.
    pub meaning: String,
}

/// Plays the match with one of an event's calls the other way, `about` what doubts name it by. Once a person has overruled the call,
/// the other way is how it was `recorded`. `None` when the event does not stand.
pub fn either_way(
    record: &Record,
    recorded: &Event,
    report: &PhotoReport,
    call: CallId,
    about: Option<&str>,
) -> Option<MatchEitherWay> {
    let standing = record.standing(call.event)?;
    let called = with(record, call.event, recorded)?;
    let ways = flip::other_way(&called, Some(report), call, about).unwrap_or_default();
    let other = match ways.contains(standing) {
        true => Some(called),
        false => ways.iter().find_map(|event| with(record, call.event, event)),
    };
    let meaning = match &other {
        Some(other) => meaning(record, other),
        None => {
            "What the other way would mean for the match does not follow from this call alone.".to_owned()
        }
    };
    Some(MatchEitherWay { as_it_stands: scores(record), otherwise: other.as_ref().map(scores), meaning })
}

fn with(record: &Record, event: usize, with: &Event) -> Option<Record> {
    let mut record = record.clone();
    let overrule = OverruleEvent { event, with: Box::new(with.clone()), by: None, why: None };
    record.push(record.next_number(), Event::Overrule(overrule)).ok()?;
    Some(record)
}

fn scores(record: &Record) -> Vec<(String, i32)> {
    let game = record.state();
    let scores = game.standing().scores;
    Side::BOTH.into_iter().map(|side| (game.setup().name(side).to_owned(), scores[side])).collect()
}

fn meaning(standing: &Record, other: &Record) -> String {
    let (a, b) = (standing.state(), other.state());
    let name = |side: Side| a.setup().name(side);
    let (then, now) = (a.standing(), b.standing());
    let leader = |scores: BySide<i32>| scores.leader().map(name);
    if then.status.winner() != now.status.winner() {
        return match now.status.winner() {
            Some(side) => format!("The other way, {} has won the match.", name(side)),
            None => "The other way, the match is not decided.".to_owned(),
        };
    }
    if then.games != now.games {
        return format!("The other way, the games stand {} : {}.", now.games.first, now.games.second);
    }
    if then.scores == now.scores {
        return "Either way the score is the same.".to_owned();
    }
    match (leader(then.scores), leader(now.scores)) {
        (a, b) if a == b => "Either way the same side leads.".to_owned(),
        (_, Some(name)) => format!("The other way, {name} leads."),
        (_, None) => "The other way, the score is level.".to_owned(),
    }
}
