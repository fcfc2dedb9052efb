//! What was seen at a place of a photo, what speaks for a piece there and what against.

use std::fmt::Write;

use serde::Serialize;

use super::PiecesTrace;
use crate::{
    camera::Pixel,
    detect::{Bound, Check, ForeignReason, Glance, Looked, Outcome, seen_at},
    geometry::Point,
    score::Seen,
};

/// What is known of a place of a photo.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    pub px: Pixel,
    /// On the board's surface, in mm; `None` where the camera sees no board.
    pub on_board: Option<Point>,
    /// Whether a piece was found there.
    pub is_found: bool,
    /// In one sentence.
    pub summary: String,
    /// What was looked at there, in order.
    pub looked: Vec<Story>,
    /// The same place with every check asked, one entry a size of pieces, the likeliest first.
    pub asked: Vec<Story>,
}

/// A place that was looked at, with names for people.
#[derive(Debug, Clone, Serialize)]
pub struct Story {
    pub looked: Looked,
    /// A kind of the size that was looked for, and its diameter.
    pub sized_like: String,
    pub diameter_mm: f64,
    /// The nearest kind's name, and how likely it is among those of its size.
    pub nearest: Option<(String, f64)>,
    /// Part of a rim of that size that votes for the place.
    pub votes: Option<f32>,
}

impl Answer {
    /// To a place that the trace was asked about.
    pub fn of(trace: &PiecesTrace, px: Pixel) -> Self {
        let place = trace.registration.camera.board_from_image(px.x, px.y, 0.0);
        let Some(place) = place else {
            let summary = "the camera sees no board there".to_owned();
            return Self {
                px,
                on_board: None,
                is_found: false,
                summary,
                looked: Vec::new(),
                asked: Vec::new(),
            };
        };
        let (asked, looked): (Vec<_>, Vec<_>) = trace
            .detect
            .looked
            .iter()
            .filter(|looked| is_near(trace, looked, place))
            .partition(|looked| looked.glance == Glance::Asked);
        let stories = |looked: Vec<&Looked>| looked.into_iter().map(|l| Story::of(trace, l)).collect();
        let mut asked: Vec<Story> = stories(asked);
        asked.sort_by(|a, b| b.likelihood().total_cmp(&a.likelihood()));
        let looked = stories(looked);
        let found = found_at(trace, place);
        let is_found = found.is_some();
        let summary = found.unwrap_or_else(|| why_not(trace, place, &looked, &asked));
        Self { px, on_board: Some(place), is_found, summary, looked, asked }
    }

    /// For people.
    pub fn words(&self) -> String {
        let mut text = match self.on_board {
            Some(at) => format!(
                "{:.0}, {:.0} px is {:.1}, {:.1} mm on the board\n{}\n",
                self.px.x, self.px.y, at.x, at.y, self.summary
            ),
            None => format!("{:.0}, {:.0} px: {}\n", self.px.x, self.px.y, self.summary),
        };
        for story in &self.looked {
            story.write(&mut text);
        }
        if let Some(likeliest) = self.asked.first().filter(|_| !self.is_found) {
            likeliest.write(&mut text);
            let _ = writeln!(text, "  {}", likeliest.would_be());
        }
        text
    }
}

impl Story {
    fn of(trace: &PiecesTrace, looked: &Looked) -> Self {
        let kind = &trace.board.pieces[looked.sized_like];
        let votes = trace.detect.votes.iter().find(|map| map.radius_mm == kind.radius_mm());
        Self {
            sized_like: kind.name.clone(),
            diameter_mm: kind.diameter_mm,
            nearest: looked.nearest.map(|(kind, p)| (trace.board.pieces[kind].name.clone(), p)),
            votes: votes.and_then(|map| map.near(looked.centre)),
            looked: looked.clone(),
        }
    }

    /// How many of its checks hold; of those with as many, the one that fails by less.
    fn likelihood(&self) -> f64 {
        let share = |check: &Check| check.margin() / check.limit.abs().max(check.value.abs()).max(1e-9);
        let failing = self.looked.checks.iter().filter(|check| !check.holds);
        failing.map(|check| share(check) - 1.0).sum()
    }

    fn write(&self, text: &mut String) {
        let at = self.looked.centre;
        let outcome = match self.looked.outcome {
            Outcome::Piece => "a piece",
            Outcome::Foreign => "something round that is no piece",
            Outcome::Nothing => "nothing",
        };
        let glance = self.looked.glance;
        let _ = write!(
            text,
            "\n{:.1}, {:.1} mm, for a piece {:.1} mm wide; {}",
            at.x,
            at.y,
            self.diameter_mm,
            glance.words()
        );
        if glance != Glance::Asked {
            let _ = write!(text, ": {outcome}");
        }
        let _ = writeln!(text);
        if let Some(votes) = self.votes {
            let _ = writeln!(text, "  {:.0} % of such a rim votes for it", votes.min(1.0) * 100.0);
        }
        if let Some((kind, probability)) = &self.nearest {
            let _ = writeln!(
                text,
                "  its face is nearest to {kind} ({:.0} % among those of its size)",
                probability * 100.0
            );
        }
        for check in &self.looked.checks {
            let _ = writeln!(text, "  {}", words_of(check));
        }
    }

    /// What would have to change for a piece.
    fn would_be(&self) -> String {
        let failing: Vec<&Check> = self.looked.checks.iter().filter(|check| !check.holds).collect();
        let kind = self.nearest.as_ref().map_or("a piece".to_owned(), |(kind, _)| format!("a {kind} piece"));
        if failing.is_empty() {
            return format!("nothing here speaks against {kind}");
        }
        let limit = |check: &&Check| format!("{} at {}", check.option, number(check.value));
        let limits: Vec<String> = failing.iter().map(limit).collect();
        let then = match self.looked.evidence {
            Some(_) => format!("it would be {kind}"),
            None => "it would be looked at closer".to_owned(),
        };
        format!("{then} with {}", limits.join(" and "))
    }
}

/// A check on one line: for or against, what, and by how much.
pub(super) fn words_of(check: &Check) -> String {
    let side = if check.holds { "for    " } else { "against" };
    let bound = match check.bound {
        Bound::AtLeast => "at least",
        Bound::MoreThan => "more than",
        Bound::AtMost => "at most",
        Bound::LessThan => "less than",
    };
    let because = if check.because.is_empty() { String::new() } else { format!(": {}", check.because) };
    format!(
        "{side}  {:<58} {:>8}, {bound} {:<6} ({}{because})",
        check.quantity.words(),
        number(check.value),
        number(check.limit),
        check.option
    )
}

fn number(value: f64) -> String {
    format!("{value:.2}")
}

/// Whether something that was looked at would be seen at a place of the surface.
fn is_near(trace: &PiecesTrace, looked: &Looked, place: Point) -> bool {
    let kind = &trace.board.pieces[looked.sized_like];
    (looked.centre - at_top(trace, looked.sized_like, place)).norm() < kind.radius_mm()
}

/// Where the plane of a kind's top sees what a place of the surface shows.
fn at_top(trace: &PiecesTrace, kind: usize, place: Point) -> Point {
    let eye = trace.registration.camera.pose.centre_mm();
    seen_at(place, 0.0, trace.board.pieces[kind].height_mm, eye)
}

/// Whether something of a kind with its centre there is what a place of the surface shows.
fn is_shown(trace: &PiecesTrace, place: Point, kind: usize, centre: Point) -> bool {
    (centre - at_top(trace, kind, place)).norm() < trace.board.pieces[kind].radius_mm()
}

/// The piece that lies there, in words.
fn found_at(trace: &PiecesTrace, place: Point) -> Option<String> {
    let lies = |seen: &Seen| is_shown(trace, place, seen.candidate.kind, seen.measurement.centre);
    let (index, seen) = trace.sight.pieces.iter().enumerate().find(|(_, seen)| lies(seen))?;
    let Seen { measurement, candidate, .. } = seen;
    let sigma_mm = (measurement.covariance.trace() / 2.0).sqrt();
    let trusted = if measurement.trusted { "" } else { ", not measured well enough to be trusted" };
    Some(format!(
        "piece {} ({}) lies there, at {:.2}, {:.2} mm ± {sigma_mm:.2}{trusted}",
        index + 1,
        trace.board.pieces[candidate.kind].name,
        measurement.centre.x,
        measurement.centre.y
    ))
}

fn why_not(trace: &PiecesTrace, place: Point, looked: &[Story], asked: &[Story]) -> String {
    let is_here = |kind: usize, centre: Point| is_shown(trace, place, kind, centre);
    let named = |seen: &Seen| &trace.board.pieces[seen.candidate.kind].name;
    let lies = |seen: &&Seen| is_here(seen.candidate.kind, seen.measurement.centre);
    if let Some((seen, check)) = trace.sight.dropped.iter().find(|(seen, _)| lies(&seen)) {
        return format!(
            "a {} piece was found there, and is none now that it is measured: {}",
            named(seen),
            words_of(check)
        );
    }
    let foreign = trace.sight.foreign.iter().find(|thing| is_here(thing.sized_like, thing.centre));
    if let Some(thing) = foreign {
        return match thing.reason {
            ForeignReason::Colour => {
                "something round lies there in no kind's colour: it is told, and not scored"
            }
            ForeignReason::TooMany => {
                "a piece more than the board has of its kind: it is told, and not scored"
            }
        }
        .to_owned();
    }
    // Of the looks for several sizes, those for the likeliest.
    let likeliest = asked.first();
    let is_likeliest = |story: &&Story| likeliest.is_none_or(|asked| asked.diameter_mm == story.diameter_mm);
    let mut decisive = looked.iter().rev().filter(is_likeliest).chain(likeliest);
    let closest = decisive.find_map(|story| story.looked.reason());
    match closest {
        Some(check) => format!("no piece was found there: {}", reason_of(check)),
        None => "no piece was found there, and nothing of a piece's size was looked at".to_owned(),
    }
}

fn reason_of(check: &Check) -> String {
    let way = match check.bound {
        Bound::AtLeast | Bound::MoreThan => "too little",
        Bound::AtMost | Bound::LessThan => "too much",
    };
    let (value, by) = (number(check.value), number(check.margin().abs()));
    format!("{} is {value}, {by} {way} ({})", check.quantity.words(), check.option)
}
