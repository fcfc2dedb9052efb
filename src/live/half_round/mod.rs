//! A half round of court, long board or association: pucks are played one by one, and when all
//! have been played a `frame` is drafted.
//!
//! In: settled views (pieces at rest, and the episode before). Out: [`Finding`]s. The half round is
//! over when all pucks have been *played*, not when the view is still: pucks that went off the board
//! are counted by their way through the picture, and by the colours' turns. The bookkeeping is
//! plain data, so that a loop that was killed goes on where it stood.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::{
    UmpireOptions,
    finding::{Draft, Finding, LiveDoubt, Remark, RestsOn, doubts_of},
    lying::{Changes, Lying, changes, count_of},
    observer::Episode,
    way::{SideTouch, side_touch},
};
use crate::{
    board::{Board, End},
    calls::PieceState,
    motion::Track,
    rules::{
        Event,
        event::{FrameEvent, FramePiece},
    },
    score::PhotoReport,
};

/// What the rules say about the half round.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The colour that is played first, then the other.
    pub colours: [String; 2],
    /// Pucks of each.
    pub each: usize,
    pub end: End,
    /// Every puck has to touch a side (N7).
    pub bank: bool,
    /// Dead pucks are taken away before the next shot (C5, N3); on the long board they lie.
    pub dead_are_taken: bool,
}

impl Order {
    fn total(&self) -> usize {
        2 * self.each
    }

    fn colour(&self, shot: usize) -> &str {
        &self.colours[shot % 2]
    }
}

/// A puck at rest, and whether it has touched a bank on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Puck {
    #[serde(flatten)]
    lying: Lying,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    banked: Option<Banked>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Banked {
    touched: bool,
    confidence: f64,
}

/// The half round so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HalfRound {
    /// Whether a first view has been seen.
    watched: bool,
    pucks: Vec<Puck>,
    /// Colours in the order they were played.
    shots: Vec<String>,
    /// How likely the count of shots is right.
    count_confidence: f64,
    /// Why it may be wrong.
    asks: Vec<String>,
    /// The frame has been drafted; the board is to be cleared.
    told: bool,
}

/// A settled view as this module needs it.
pub struct Seen<'v> {
    pub pieces: &'v [Lying],
    pub report: &'v PhotoReport,
    pub episode: &'v Episode,
    /// Pieces that lay there in the view before too and were not seen.
    pub overlooked: &'v [Lying],
    /// Where the pieces differ from the reports, in words.
    pub contradictions: &'v [String],
}

impl HalfRound {
    /// Shots so far.
    pub fn shots(&self) -> usize {
        self.shots.len()
    }

    pub fn pieces(&self) -> Vec<Lying> {
        self.pucks.iter().map(|puck| puck.lying.clone()).collect()
    }

    /// Pucks that were lagged lie there: the half round begins once they are taken away.
    pub(super) fn wait_for_clear_board(&mut self, lying: &[Lying]) {
        *self = Self { told: true, ..Self::fresh() };
        self.keep(lying, &Changes::default(), &[]);
    }

    fn fresh() -> Self {
        Self { watched: true, count_confidence: 1.0, ..Self::default() }
    }

    /// Takes a settled view.
    pub fn settled(
        &mut self,
        seen: &Seen<'_>,
        order: &Order,
        board: &Board,
        options: &UmpireOptions,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.watched {
            self.begin(seen, order, &mut findings);
        } else {
            let diameter_mm = diameter_mm(board, order);
            self.pucks
                .extend(seen.overlooked.iter().map(|lying| Puck { lying: lying.clone(), banked: None }));
            let before = self.pieces();
            let found = changes(&before, seen.pieces, &seen.episode.tracks, diameter_mm, options);
            if self.told && !self.is_next_begun(&found, seen) {
                self.keep(seen.pieces, &found, &[]);
                if seen.pieces.is_empty() {
                    *self = Self::fresh();
                }
                return findings;
            }
            if self.told {
                self.begin_with_leftovers(&found);
            } else if self.is_cleared(&found, seen) {
                findings.extend(self.draft_of_cleared(order));
                *self = Self::fresh();
            }
            let before = self.pieces();
            let found = changes(&before, seen.pieces, &seen.episode.tracks, diameter_mm, options);
            self.play(&found, seen, order, board, options, &mut findings);
        }
        if !self.told && self.shots.len() >= order.total() {
            findings.push(self.draft(seen, order));
            self.told = true;
        }
        findings
    }

    /// The first view: what lies there has been played before anybody watched.
    fn begin(&mut self, seen: &Seen<'_>, order: &Order, findings: &mut Vec<Finding>) {
        *self = Self::fresh();
        self.keep(seen.pieces, &Changes::default(), &[]);
        for index in 0..order.each {
            for colour in &order.colours {
                if index < count_of(seen.pieces, colour) {
                    self.shots.push(colour.clone());
                }
            }
        }
        if !seen.pieces.is_empty() {
            self.count_confidence = 0.5;
            let lying = seen.pieces.len();
            let text = format!("{lying} pieces lay on the board when watching began: were more played?");
            findings.push(remark("count", text.clone(), 1.0));
            self.asks.push(text);
        }
    }

    /// After the frame was told: whether pucks of the next half round have come.
    fn is_next_begun(&self, found: &Changes, seen: &Seen<'_>) -> bool {
        let new = found.came.len() + found.moved.len();
        new > 0 && (!seen.episode.hand || found.stayed.is_empty())
    }

    fn begin_with_leftovers(&mut self, found: &Changes) {
        let left: Vec<Puck> = found.stayed.iter().map(|(old, _)| self.pucks[*old].clone()).collect();
        *self = Self::fresh();
        if !left.is_empty() {
            self.count_confidence = 0.5;
            self.asks.push(format!("{} pieces of the half round before still lay there", left.len()));
        }
        self.pucks = left;
    }

    /// Whether a hand has taken live pucks away before all were played.
    fn is_cleared(&self, found: &Changes, seen: &Seen<'_>) -> bool {
        let taken_live = found.went.iter().filter(|old| self.pucks[**old].lying.state != PieceState::Dead);
        let live = self.pucks.iter().filter(|puck| puck.lying.state != PieceState::Dead).count();
        seen.episode.hand && live > 0 && taken_live.count() == live && self.shots.len() > 1
    }

    /// The frame as it lay before a hand cleared the board too early.
    fn draft_of_cleared(&self, order: &Order) -> Option<Finding> {
        let seen = self.shots.len();
        let question = format!(
            "only {seen} of {} shots were seen before the board was cleared: was the half round over?",
            order.total()
        );
        Some(Finding::Draft(Box::new(Draft {
            event: self.frame(order),
            confidence: 0.4,
            doubts: vec![LiveDoubt::asking("count", 0.6, question)],
            rests_on: RestsOn::ViewBefore,
        })))
    }

    /// What was played in the episode before this view.
    fn play(
        &mut self,
        found: &Changes,
        seen: &Seen<'_>,
        order: &Order,
        board: &Board,
        options: &UmpireOptions,
        findings: &mut Vec<Finding>,
    ) {
        let before = self.pieces();
        let entries = entries(&seen.episode.tracks, &before, diameter_mm(board, order), order.end, options);
        let taken = self.taken_by_hand(found, seen);
        let mut gained: Vec<usize> = Vec::new();
        for colour in &order.colours {
            let before = count_of(&self.pieces(), colour);
            let taken = taken.iter().filter(|old| &self.pucks[**old].lying.kind == colour).count();
            gained.push((count_of(seen.pieces, colour) + taken).saturating_sub(before));
        }
        let mut played = Vec::new();
        while gained.iter().sum::<usize>() > 0 && self.shots.len() + played.len() < order.total() {
            let turn = (self.shots.len() + played.len()) % 2;
            if gained[turn] > 0 {
                gained[turn] -= 1;
                played.push((order.colours[turn].clone(), 0.999));
            } else {
                // The other colour lies there now: this one's puck was played too and is gone.
                let was_seen = entries.len() > 1;
                played.push((order.colours[turn].clone(), if was_seen { 0.95 } else { 0.6 }));
                if !was_seen {
                    let colour = &order.colours[turn];
                    self.asks.push(format!(
                        "{colour} was to play and {} came: was a {colour} one played that left the board?",
                        order.colours[1 - turn]
                    ));
                }
            }
        }
        let left = order.total().saturating_sub(self.shots.len() + played.len());
        // A puck that came in and did not stay. With a hand in the view it may have been a finger.
        let unseen = entries.len().saturating_sub(played.len()).min(left);
        if unseen > 0 && (!seen.episode.hand || played.is_empty() && !found.is_none() && taken.is_empty()) {
            let confidence = if seen.episode.hand || unseen > 1 { 0.6 } else { 0.97 };
            for extra in 0..unseen {
                let turn = self.shots.len() + played.len();
                played.push((order.colour(turn).to_owned(), confidence));
                if confidence < options.sure && extra == 0 {
                    self.asks.push("something came into the view and left it: was a puck played?".to_owned());
                }
            }
        }
        if gained.iter().any(|more| *more > 0) {
            self.count_confidence *= 0.5;
            self.asks.push("more pieces lie there than were to be played".to_owned());
        }
        for (colour, confidence) in played {
            self.count_confidence *= confidence;
            self.shots.push(colour.clone());
            findings.push(Finding::Shot { number: self.shots.len(), colour });
        }
        if !entries.is_empty() && self.is_hand_beside(seen, &entries) {
            let text =
                format!("a hand was past the foul line when shot {} was played (C2)", self.shots.len());
            findings.push(remark("hand", text, 0.6));
        }
        let touches = if order.bank { touches(found, seen, board) } else { Vec::new() };
        self.keep(seen.pieces, found, &touches);
        self.tell_dead(found, order, findings);
    }

    /// Whether a hand was in the view as a puck came in: over the board, and past the nearest foul
    /// line, which lies outside a view of one end.
    fn is_hand_beside(&self, seen: &Seen<'_>, entries: &[f64]) -> bool {
        let hands = seen.episode.tracks.iter().filter(|track| track.hand);
        let mut places = hands.flat_map(|hand| &hand.points);
        places.any(|place| entries.iter().any(|entry| (place.time_secs - entry).abs() < HAND_BESIDE_SECS))
    }

    /// Pucks that a hand took: dead ones, or those that went while nothing came in.
    fn taken_by_hand(&self, found: &Changes, seen: &Seen<'_>) -> Vec<usize> {
        if !seen.episode.hand {
            return Vec::new();
        }
        let gone = found.went.iter().chain(found.moved.iter().map(|(old, _)| old));
        gone.copied()
            .filter(|old| {
                let puck = &self.pucks[*old];
                puck.lying.state == PieceState::Dead || puck.banked.is_some_and(|b| !b.touched)
            })
            .collect()
    }

    fn keep(&mut self, pieces: &[Lying], found: &Changes, touches: &[(usize, Banked)]) {
        let before = std::mem::take(&mut self.pucks);
        let banked_before = |after: usize| {
            let same = found.stayed.iter().chain(&found.moved).find(|(_, new)| *new == after);
            same.and_then(|(old, _)| before.get(*old)?.banked)
        };
        let puck = |(index, lying): (usize, &Lying)| {
            let fresh = touches.iter().find(|(after, _)| *after == index).map(|(_, banked)| *banked);
            Puck { lying: lying.clone(), banked: fresh.or_else(|| banked_before(index)) }
        };
        self.pucks = pieces.iter().enumerate().map(puck).collect();
    }

    /// C5, N3, N7: pucks that are to be taken away before the next shot.
    fn tell_dead(&self, found: &Changes, order: &Order, findings: &mut Vec<Finding>) {
        let fresh = found.came.iter().chain(found.moved.iter().map(|(_, new)| new));
        for puck in fresh.filter_map(|new| self.pucks.get(*new)) {
            let Lying { kind, x_mm, y_mm, .. } = &puck.lying;
            let why = match puck.banked {
                _ if puck.lying.state == PieceState::Dead && order.dead_are_taken => {
                    "has not cleared the foul line"
                }
                Some(Banked { touched: false, .. }) if order.bank => "has touched no bank",
                _ => continue,
            };
            let text = format!(
                "the {kind} piece at x {x_mm:.0}, y {y_mm:.0} {why}: take it away before the next shot"
            );
            findings.push(remark("dead-piece", text, puck.banked.map_or(0.99, |b| b.confidence)));
        }
    }

    fn frame(&self, order: &Order) -> Event {
        let piece = |puck: &Puck| FramePiece {
            colour: puck.lying.kind.clone(),
            x_mm: Some(puck.lying.x_mm),
            y_mm: Some(puck.lying.y_mm),
            sigma_mm: Some(puck.lying.sigma_mm),
            banked: puck.banked.filter(|_| order.bank).map(|banked| banked.touched),
            ..FramePiece::default()
        };
        let lies = |puck: &&Puck| puck.lying.state != PieceState::Off;
        let mut pieces: Vec<FramePiece> = self.pucks.iter().filter(lies).map(piece).collect();
        for colour in &order.colours {
            let played = self.shots.iter().filter(|shot| *shot == colour).count();
            let lying = pieces.iter().filter(|piece| &piece.colour == colour).count();
            let gone = FramePiece { colour: colour.clone(), area: Some(None), ..FramePiece::default() };
            pieces.extend(std::iter::repeat_n(gone, played.saturating_sub(lying)));
        }
        Event::Frame(FrameEvent { pieces, end: order.end, flags: Vec::new(), waive: Vec::new(), by: None })
    }

    fn draft(&self, seen: &Seen<'_>, order: &Order) -> Finding {
        let mut doubts = doubts_of(seen.report);
        let p_count = 1.0 - self.count_confidence;
        doubts.extend(self.asks.iter().map(|ask| LiveDoubt::asking("count", p_count, ask)));
        doubts.extend(seen.contradictions.iter().map(|ask| LiveDoubt::asking("piece", 0.5, ask)));
        let mut confidence = self.count_confidence * seen.report.tally_probability;
        for puck in self.pucks.iter().filter(|_| order.bank) {
            let known = puck.banked.map_or(0.5, |banked| banked.confidence);
            confidence *= known;
            if known < BANK_SURE {
                let Lying { kind, x_mm, y_mm, id, .. } = &puck.lying;
                let mut doubt = LiveDoubt::asking(
                    "bank",
                    1.0 - known,
                    format!("did the {kind} rock at x {x_mm:.0}, y {y_mm:.0} touch a bank?"),
                );
                doubt.piece = Some(*id);
                doubts.push(doubt);
            }
        }
        Finding::Draft(Box::new(Draft {
            event: self.frame(order),
            confidence,
            doubts,
            rests_on: RestsOn::ThisView,
        }))
    }
}

/// A hand that is seen within this of a puck that comes in has played it, in seconds.
const HAND_BESIDE_SECS: f64 = 0.15;

/// From this confidence on a bank contact is not asked about.
const BANK_SURE: f64 = 0.9;

fn remark(about: &str, text: String, confidence: f64) -> Finding {
    Finding::Remark(Remark { about: about.to_owned(), text, confidence })
}

fn diameter_mm(board: &Board, order: &Order) -> f64 {
    board.piece(&order.colours[0]).or(board.pieces.first()).map_or(30.0, |kind| kind.diameter_mm)
}

/// Things that came in from nowhere and went toward the end that is played to: when each came.
fn entries(
    tracks: &[Track],
    before: &[Lying],
    diameter_mm: f64,
    end: End,
    options: &UmpireOptions,
) -> Vec<f64> {
    let mut times: Vec<f64> = tracks
        .iter()
        .filter(|track| !track.hand && track.reach_mm() > 2.0 * diameter_mm)
        .filter(|track| has_come_in(track, before, diameter_mm) && goes_toward(track, end))
        .filter_map(|track| track.first().map(|first| first.time_secs))
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier < options.one_shot_secs);
    times
}

/// Whether it began at the border, or where nothing lay that could have been knocked on.
fn has_come_in(track: &Track, before: &[Lying], diameter_mm: f64) -> bool {
    let Some(first) = track.first() else { return false };
    let knocked = before.iter().any(|piece| (piece.at() - first.at).norm() < 2.0 * diameter_mm);
    first.at_border || !knocked
}

fn goes_toward(track: &Track, end: End) -> bool {
    let (Some(first), Some(last)) = (track.first(), track.last()) else { return false };
    match end {
        End::Far => last.at.y > first.at.y,
        End::Near => last.at.y < first.at.y,
    }
}

/// Whether each puck that came has touched a side on its way.
fn touches(found: &Changes, seen: &Seen<'_>, board: &Board) -> Vec<(usize, Banked)> {
    let mut touches = Vec::new();
    for &new in &found.came {
        let piece = &seen.pieces[new];
        let radius_mm = board.piece(&piece.kind).map_or(0.0, |kind| kind.radius_mm());
        let own = seen
            .episode
            .tracks
            .iter()
            .filter(|track| !track.hand && has_come_in(track, &[], 2.0 * radius_mm))
            .min_by(|a, b| off_mm(a, piece).total_cmp(&off_mm(b, piece)));
        if let Some(track) = own.filter(|track| off_mm(track, piece) < 4.0 * radius_mm) {
            let SideTouch { touched, confidence } = side_touch(track, Some(piece.at()), board, radius_mm);
            touches.push((new, Banked { touched, confidence }));
        }
    }
    touches
}

fn off_mm(track: &Track, piece: &Lying) -> f64 {
    track.last().map_or(f64::INFINITY, |last| (last.at - piece.at()).norm())
}
