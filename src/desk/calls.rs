//! Calls as lists show them: every piece that was called, what could change, and what people said.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::{DeskError, Ruled, frame_event::side_of, inner::record_of, ruled::rulings};
use crate::{
    board::End,
    calls::{CallOptions, Contact, ContactCall, PaintEdge, PieceState, Placement, Sighting, call},
    geometry::Point,
    ledger::{Author, CallId, Content, Entry, Ledger, Ruling, Verdict, ViewId},
    rules::{
        BySide, Event, Logged, Record, Setup, Side,
        event::{FrameEvent, FramePiece},
    },
    score::{PhotoReport, PieceReport},
};

/// One piece of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallSummary {
    pub id: CallId,
    pub event: usize,
    /// The event's name: `frame`, `strike`, `lag` …
    #[serde(rename = "type")]
    pub name: &'static str,
    pub at: Timestamp,
    pub author: Author,
    pub piece: usize,
    pub colour: String,
    /// The side that plays it.
    pub side: Option<String>,
    pub x_mm: Option<f64>,
    pub y_mm: Option<f64>,
    pub area: Option<String>,
    pub state: Option<PieceState>,
    pub points: Option<i32>,
    /// The line that decides, or the open end where that is nearer.
    pub contact: Option<Contact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// What would change if it were the other way.
    pub doubts: Vec<CallDoubt>,
    /// Whether something about it is too close to call.
    pub close: bool,
    /// Points that the other way would move, both sides together; of the weightiest doubt.
    pub swing: i32,
    pub view: Option<ViewId>,
    /// The last ruling on it.
    pub verdict: Option<VerdictSummary>,
    /// What a person said about it, wherever: it is the call from then on.
    pub ruled: Option<Ruled>,
    /// It stands otherwise than it was recorded.
    pub overruled: bool,
    /// Its event does not stand.
    pub undone: bool,
    /// The camera was found moved afterwards, and may have been when this was measured.
    pub camera_moved: bool,
}

/// Something about a piece that could be the other way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallDoubt {
    /// The line that is too close, `end`, `order`, `edge`, `colour …`.
    pub about: String,
    /// The other piece, where the order of two is in doubt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<usize>,
    /// How likely the other way is.
    pub probability: f64,
    /// The event's own points by colour as called, and the other way.
    pub tally: Value,
    pub other_tally: Value,
    pub swing: i32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerdictSummary {
    pub ruling: Ruling,
    pub by: String,
    pub why: Option<String>,
    pub at: Timestamp,
    /// The number of the event that carries it out.
    pub carried_out_by: Option<usize>,
}

impl CallSummary {
    /// A person's word is the call.
    fn rule(&mut self, ruled: Ruled) {
        self.close = false;
        self.overruled = ruled.changed;
        if ruled.changed {
            self.area = ruled.area.clone();
            self.points = ruled.points;
        }
        if let (Some(contact), Some(call)) = (&mut self.contact, ruled.contact) {
            contact.call = call;
        }
        self.ruled = Some(ruled);
    }
}

/// What summaries are made of.
pub(super) struct Sources<'a> {
    pub match_number: u32,
    /// Of the whole ledger.
    pub entries: &'a [Entry],
    pub record: &'a Record,
    pub report: &'a dyn Fn(ViewId) -> Option<&'a PhotoReport>,
    /// The event that is asked about; `None`: all.
    pub only: Option<usize>,
}

/// Every call of a match of a ledger, all of whose entries are given, weightiest first: close ones by
/// what they would change, then the others by how near they came.
pub fn call_summaries(
    ledger: &Ledger,
    entries: &[Entry],
    match_number: u32,
) -> Result<Vec<CallSummary>, DeskError> {
    let texts = ledger.report_texts()?;
    // The reports are read while the match is played.
    let (reports, record) = std::thread::scope(|scope| {
        let reading = scope.spawn(|| texts.read());
        let record = record_of(ledger, entries, match_number);
        (reading.join(), record)
    });
    let reports = reports.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let record = record?;
    let report = |view: ViewId| reports.get(&view);
    Ok(summaries(&Sources { match_number, entries, record: &record, report: &report, only: None }))
}

/// The calls of one event, for which no other view is read.
pub fn event_summaries(
    ledger: &Ledger,
    entries: &[Entry],
    match_number: u32,
    event: usize,
) -> Result<Vec<CallSummary>, DeskError> {
    let record = record_of(ledger, entries, match_number)?;
    let of_event = |entry: &&Entry| entry.match_number == match_number && entry.number == Some(event);
    let view = entries.iter().find(of_event).and_then(|entry| entry.view);
    let seen = view.map(|id| Ok::<_, DeskError>((id, ledger.view(id)?.report))).transpose()?;
    let report = |view: ViewId| seen.as_ref().filter(|(id, _)| *id == view).map(|(_, report)| report);
    let only = Some(event);
    Ok(summaries(&Sources { match_number, entries, record: &record, report: &report, only }))
}

pub(super) fn summaries(sources: &Sources<'_>) -> Vec<CallSummary> {
    let of_match = || sources.entries.iter().filter(|entry| entry.match_number == sources.match_number);
    let verdicts = verdicts(of_match());
    let moved = moved_spans(sources.entries);
    let log: HashMap<usize, &Logged> = sources.record.log().iter().map(|l| (l.number, l)).collect();
    let standing = sources.record.standing_all();
    let mut all = Vec::new();
    for entry in of_match() {
        let Some((number, event)) = entry.event() else { continue };
        if event.is_correction() || sources.only.is_some_and(|only| only != number) {
            continue;
        }
        let about = About {
            sources,
            entry,
            number,
            event,
            logged: log.get(&number).copied(),
            overruled: standing.get(&number).is_some_and(|now| now.is_some_and(|now| now != event)),
            undone: standing.get(&number).is_some_and(Option::is_none),
            camera_moved: moved.iter().any(|(after, to)| (after + 1..=*to).contains(&entry.seq)),
        };
        let from = all.len();
        match (entry.view.and_then(sources.report), event) {
            (Some(report), _) => about.seen(report, &mut all),
            (None, Event::Frame(frame)) => about.told(frame, &mut all),
            _ => {}
        }
        for call in &mut all[from..] {
            call.verdict = verdicts.get(&call.id).cloned();
        }
    }
    all.sort_by(|a, b| {
        let near = |call: &CallSummary| {
            call.contact.as_ref().map_or(f64::INFINITY, |c| c.gap_mm.abs() / c.sigma_mm.max(1e-6))
        };
        b.close
            .cmp(&a.close)
            .then(b.swing.cmp(&a.swing))
            .then(near(a).total_cmp(&near(b)))
            .then(a.id.cmp(&b.id))
    });
    all
}

fn verdicts<'a>(entries: impl Iterator<Item = &'a Entry>) -> HashMap<CallId, VerdictSummary> {
    entries
        .filter_map(|entry| match &entry.content {
            Content::Verdict(Verdict { call, ruling, by, why, carried_out_by, .. }) => {
                let (by, why, carried_out_by) = (by.clone(), why.clone(), *carried_out_by);
                Some((*call, VerdictSummary { ruling: *ruling, by, why, at: entry.at, carried_out_by }))
            }
            _ => None,
        })
        .collect()
}

/// From the last good check of the camera to the moment it was found moved.
fn moved_spans(entries: &[Entry]) -> Vec<(u64, u64)> {
    entries
        .iter()
        .filter_map(|entry| match &entry.content {
            Content::CameraMoved(moved) if !moved.set_up => Some((moved.last_good_seq, entry.seq)),
            _ => None,
        })
        .collect()
}

/// An event while its calls are listed.
struct About<'a, 's> {
    sources: &'a Sources<'s>,
    entry: &'a Entry,
    number: usize,
    event: &'a Event,
    /// What it did, where it stands.
    logged: Option<&'a Logged>,
    overruled: bool,
    undone: bool,
    camera_moved: bool,
}

impl About<'_, '_> {
    fn setup(&self) -> &Setup {
        self.sources.record.state().setup()
    }

    /// As they were played when it happened.
    fn colours(&self) -> &BySide<String> {
        self.sources.record.colours_at(self.number)
    }

    /// A call about which nothing is known yet.
    fn blank(&self, piece: usize, colour: &str, side: Option<Side>) -> CallSummary {
        let id = CallId { match_number: self.sources.match_number, event: self.number, piece };
        CallSummary {
            id,
            event: self.number,
            name: self.event.name(),
            at: self.entry.at,
            author: self.entry.author.clone(),
            piece,
            colour: colour.to_owned(),
            side: side.map(|side| self.setup().name(side).to_owned()),
            x_mm: None,
            y_mm: None,
            area: None,
            state: None,
            points: None,
            contact: None,
            placement: None,
            doubts: Vec::new(),
            close: false,
            swing: 0,
            view: self.entry.view,
            verdict: None,
            ruled: None,
            overruled: false,
            undone: self.undone,
            camera_moved: self.camera_moved,
        }
    }

    /// The calls of a view.
    fn seen(&self, report: &PhotoReport, all: &mut Vec<CallSummary>) {
        let of_match = |entry: &&Entry| entry.match_number == self.sources.match_number;
        let entries: Vec<&Entry> = self.sources.entries.iter().filter(of_match).collect();
        let rulings = rulings(self.sources.record, &entries, self.entry, report);
        for (piece, ruled) in report.pieces.iter().zip(rulings) {
            let side = side_of(&piece.colour, self.setup(), self.colours());
            let mut call = self.blank(piece.id, &piece.colour, side);
            call.x_mm = Some(piece.x_mm);
            call.y_mm = Some(piece.y_mm);
            call.area = piece.area.clone();
            call.state = Some(piece.state);
            call.points = piece.points;
            call.contact = nearer(&piece.contact, &piece.overhang);
            call.placement = piece.placement;
            call.doubts = seen_doubts(report, piece);
            call.close = piece.is_close() || piece.is_placement_open() || !call.doubts.is_empty();
            call.swing = call.doubts.iter().map(|doubt| doubt.swing).max().unwrap_or(0);
            if let Some(ruled) = ruled {
                call.rule(ruled);
            }
            all.push(call);
        }
    }

    /// The pieces of a frame that a person or another program told.
    fn told(&self, frame: &FrameEvent, all: &mut Vec<CallSummary>) {
        let now = match self.sources.record.standing(self.number) {
            Some(Event::Frame(now)) if now.pieces.len() == frame.pieces.len() => Some(now),
            _ => None,
        };
        for (index, piece) in frame.pieces.iter().enumerate() {
            let side = self.colours().find(|colour| *colour == piece.colour);
            let mut call = self.blank(index + 1, &piece.colour, side);
            call.x_mm = piece.x_mm;
            call.y_mm = piece.y_mm;
            call.area = piece.area.clone().flatten();
            if let Some(side) = side {
                self.call_place(piece, side, frame.end, &mut call);
            }
            // Where pieces came or went, they cannot be told apart.
            call.overruled = self.overruled && now.is_none_or(|now| now.pieces[index] != *piece);
            call.doubts = self.told_doubts(index);
            call.close |= !call.doubts.is_empty();
            call.swing = call.doubts.iter().map(|doubt| doubt.swing).max().unwrap_or(0);
            all.push(call);
        }
    }

    fn call_place(&self, piece: &FramePiece, side: Side, end: End, summary: &mut CallSummary) {
        let (Some(x_mm), Some(y_mm)) = (piece.x_mm, piece.y_mm) else { return };
        let kind = &self.setup().kind_of(side, &piece.colour).name;
        let sighting = Sighting::with_sigma(kind, Point::new(x_mm, y_mm), piece.sigma_mm.unwrap_or(0.0));
        let options = CallOptions::default();
        if let Some(called) = call(&self.setup().board, end, &sighting, &PaintEdge::as_drawn, &options) {
            summary.close = !called.is_sure();
            summary.area = called.area;
            summary.state = Some(called.state);
            summary.contact = nearer(&called.contact, &called.overhang);
        }
    }

    fn told_doubts(&self, piece: usize) -> Vec<CallDoubt> {
        let Some(entry) = self.logged.map(|logged| &logged.entry).filter(|_| !self.overruled) else {
            return Vec::new();
        };
        let Some(doubts) = &entry.doubts else { return Vec::new() };
        let colours = self.colours();
        let tally = |points: BySide<i32>| serde_json::json!({ colours.first.as_str(): points.first, colours.second.as_str(): points.second });
        let of_piece = doubts.doubts.iter().filter(|doubt| doubt.piece == piece);
        of_piece
            .map(|doubt| CallDoubt {
                about: doubt.about.clone(),
                against: doubt.against.map(|other| other + 1),
                probability: doubt.probability,
                tally: tally(entry.points),
                other_tally: tally(doubt.tally),
                swing: (doubt.tally.first - entry.points.first).abs()
                    + (doubt.tally.second - entry.points.second).abs(),
            })
            .collect()
    }
}

fn seen_doubts(report: &PhotoReport, piece: &PieceReport) -> Vec<CallDoubt> {
    let value = |tally| serde_json::to_value(tally).unwrap_or_default();
    let of_piece = report.doubts.iter().filter(|doubt| doubt.piece == piece.id);
    of_piece
        .map(|doubt| CallDoubt {
            about: doubt.about.clone(),
            against: doubt.against,
            probability: doubt.probability,
            tally: value(&report.tally),
            other_tally: value(&doubt.tally),
            swing: report.tally.0.iter().zip(&doubt.tally.0).map(|((_, a), (_, b))| (a - b).abs()).sum(),
        })
        .collect()
}

/// Of line and open end, the one that is too close, else the nearer.
fn nearer(contact: &Option<Contact>, overhang: &Option<Contact>) -> Option<Contact> {
    let key = |contact: &&Contact| match contact.call {
        ContactCall::TooClose => -1.0,
        _ => contact.gap_mm.abs(),
    };
    [contact, overhang].into_iter().flatten().min_by(|a, b| key(a).total_cmp(&key(b))).cloned()
}
