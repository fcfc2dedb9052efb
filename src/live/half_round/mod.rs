//! A half round of court, long board or association: pucks are played one by one, and when all
//! have been played a `frame` is drafted.
//!
//! In: settled views (pieces at rest, and the episode before). Out: [`Finding`]s. The half round is
//! over when all pucks have been *played*, not when the view is still: pucks that went off the board
//! are counted by their way through the picture, and by the colours' turns. The bookkeeping is
//! plain data, so that a loop that was killed goes on where it stood.

mod banks;
#[cfg(test)]
pub(super) mod tests;

use serde::{Deserialize, Serialize};

use banks::Banked;

use super::{
    UmpireOptions,
    finding::{Draft, Finding, LiveDoubt, Remark, RestsOn, doubts_of},
    lying::{Changes, Lying, changes, count_of},
    observer::Episode,
};
use crate::{
    board::{Board, End},
    calls::PieceState,
    geometry::{Point, Vector, nearest_on_segment},
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

impl Puck {
    /// Dead, or to be taken for having touched no bank.
    fn is_to_be_taken(&self) -> bool {
        self.lying.state == PieceState::Dead || self.banked.is_some_and(|banked| !banked.touched)
    }
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
    /// Shots that were only glimpsed since the last puck came to rest.
    #[serde(default)]
    glimpsed: usize,
    /// The frame has been drafted; the board is to be cleared.
    told: bool,
}

/// What speaks for shots in one episode.
struct Evidence<'e> {
    found: &'e Changes,
    seen: &'e Seen<'e>,
    order: &'e Order,
    /// Pucks that a hand took.
    taken: Vec<usize>,
    /// How many things came in.
    entries: usize,
    /// Something was seen for a moment where no piece lies or lay.
    is_glimpsed: bool,
    options: &'e UmpireOptions,
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
            self.begin(seen, order, options, &mut findings);
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
                self.begin_with_leftovers(&found, options);
            } else if self.is_cleared(&found, seen) {
                findings.extend(self.draft_of_cleared(order, options));
                *self = Self::fresh();
            }
            let before = self.pieces();
            let found = changes(&before, seen.pieces, &seen.episode.tracks, diameter_mm, options);
            self.play(&found, seen, order, board, options, &mut findings);
        }
        if !self.told && self.shots.len() >= order.total() {
            if self.glimpsed > 0 {
                let glimpsed = std::mem::take(&mut self.glimpsed);
                self.ask_about_glimpses(glimpsed, options);
            }
            findings.push(self.draft(seen, order, options));
            self.told = true;
            if seen.pieces.is_empty() {
                // There is nothing that a hand would have to clear.
                *self = Self::fresh();
            }
        }
        findings
    }

    /// The first view: what lies there has been played before anybody watched.
    fn begin(
        &mut self,
        seen: &Seen<'_>,
        order: &Order,
        options: &UmpireOptions,
        findings: &mut Vec<Finding>,
    ) {
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
            self.count_confidence = options.trust.guess;
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

    fn begin_with_leftovers(&mut self, found: &Changes, options: &UmpireOptions) {
        let left: Vec<Puck> = found.stayed.iter().map(|(old, _)| self.pucks[*old].clone()).collect();
        *self = Self::fresh();
        if !left.is_empty() {
            self.count_confidence = options.trust.guess;
            self.asks.push(format!("{} pieces of the half round before still lay there", left.len()));
        }
        self.pucks = left;
    }

    /// Whether a hand has taken live pucks away before all were played.
    fn is_cleared(&self, found: &Changes, seen: &Seen<'_>) -> bool {
        let taken_live = found.went.iter().filter(|old| !self.pucks[**old].is_to_be_taken());
        let live = self.pucks.iter().filter(|puck| !puck.is_to_be_taken()).count();
        seen.episode.hand && live > 0 && taken_live.count() == live && self.shots.len() > 1
    }

    /// The frame as it lay before a hand cleared the board too early.
    fn draft_of_cleared(&self, order: &Order, options: &UmpireOptions) -> Option<Finding> {
        let seen = self.shots.len();
        let question = format!(
            "only {seen} of {} shots were seen before the board was cleared: was the half round over?",
            order.total()
        );
        Some(Finding::Draft(Box::new(Draft {
            event: self.frame(order),
            confidence: 1.0 - options.trust.guess,
            doubts: vec![LiveDoubt::asking("count", options.trust.guess, question)],
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
        let disturbed = self.disturbed(found);
        let entries =
            entries(&seen.episode.tracks, &disturbed, diameter_mm(board, order), order.end, options);
        let taken = self.taken_by_hand(found, seen, order, &entries);
        let is_glimpsed = self.is_glimpsed(seen, diameter_mm(board, order));
        let evidence = Evidence { found, seen, order, taken, entries: entries.len(), is_glimpsed, options };
        let mut played = self.came_to_rest(&evidence);
        self.left_again(&evidence, &mut played);
        let colours: Vec<String> = played.iter().map(|(colour, _)| colour.clone()).collect();
        for (colour, confidence) in played {
            self.count_confidence *= confidence;
            self.shots.push(colour.clone());
            findings.push(Finding::Shot { number: self.shots.len(), colour });
        }
        if !entries.is_empty() && is_hand_beside(seen, &entries, options) {
            let text =
                format!("a hand was past the foul line when shot {} was played (C2)", self.shots.len());
            findings.push(remark("hand", text, options.trust.guess));
        }
        let touches = if order.bank {
            if !colours.is_empty() {
                self.hear_players(&evidence.taken, options);
            }
            self.banked(found, seen, &colours, board, order.end, options)
        } else {
            Vec::new()
        };
        self.keep(seen.pieces, found, &touches);
        self.tell_dead(found, order, options, findings);
    }

    /// Whether something was seen for a moment that is no piece that lies or lay there, nor its
    /// shadow, nor new light: a puck that crossed the view between two frames.
    fn is_glimpsed(&self, seen: &Seen<'_>, diameter_mm: f64) -> bool {
        let pieces = || self.pucks.iter().map(|puck| &puck.lying).chain(seen.pieces);
        let is_apart = |at: Point| pieces().all(|piece| (piece.at() - at).norm() > 2.0 * diameter_mm);
        let tracks = || seen.episode.tracks.iter().filter(|track| !track.hand);
        let is_thing = |track: &Track| track.points.iter().all(|point| is_apart(point.at));
        !seen.episode.light_changed && tracks().any(is_thing)
    }

    /// Where pieces lay that do not lie there any more.
    fn disturbed(&self, found: &Changes) -> Vec<Point> {
        let gone = found.went.iter().chain(found.moved.iter().map(|(old, _)| old));
        gone.map(|old| self.pucks[*old].lying.at()).collect()
    }

    /// Shots whose pucks lie there now, in the order of the turns, each with how sure that is.
    fn came_to_rest(&mut self, evidence: &Evidence<'_>) -> Vec<(String, f64)> {
        let Evidence { seen, order, taken, entries, options, .. } = evidence;
        let trust = &options.trust;
        let gain = |colour: &String| {
            let before = self.pucks.iter().filter(|puck| &puck.lying.kind == colour).count();
            let taken = taken.iter().filter(|old| &self.pucks[**old].lying.kind == colour).count();
            (count_of(seen.pieces, colour) + taken).saturating_sub(before)
        };
        let mut gained: Vec<usize> = order.colours.iter().map(gain).collect();
        self.leave_out_returned(&mut gained, evidence);
        if gained.iter().any(|more| *more > 0) {
            self.weigh_glimpses(gained[self.shots.len() % 2] > 0, options);
        }
        let mut played = Vec::new();
        while gained.iter().sum::<usize>() > 0 && self.shots.len() + played.len() < order.total() {
            let turn = (self.shots.len() + played.len()) % 2;
            let (colour, other) = (&order.colours[turn], &order.colours[1 - turn]);
            if gained[turn] > 0 {
                gained[turn] -= 1;
                played.push((colour.clone(), trust.came_to_rest));
                continue;
            }
            // The other colour lies there now: this one's puck was played too and is gone.
            let was_seen = *entries > played.len() + 1;
            played.push((colour.clone(), if was_seen { trust.turn_was_seen } else { trust.guess }));
            if !was_seen {
                self.asks.push(format!(
                    "{colour} was to play and {other} came: was a {colour} one played that left the board?"
                ));
            }
        }
        if gained.iter().any(|more| *more > 0) {
            self.count_confidence *= trust.guess;
            self.asks.push("more pieces lie there than were to be played".to_owned());
        }
        played
    }

    /// A puck that went unseen, or was knocked back, may lie outside the view, and come in again when it
    /// is hit. More pucks than things that came in: of a colour of which some are gone, one has come
    /// back rather than been played, and that is asked about.
    fn leave_out_returned(&mut self, gained: &mut [usize], evidence: &Evidence<'_>) {
        let Evidence { order, entries, options, .. } = evidence;
        let own = self.shots.len() % 2;
        for turn in [1 - own, own] {
            let colour = &order.colours[turn];
            let played = self.shots.iter().filter(|shot| *shot == colour).count();
            let lay = self.pucks.iter().filter(|puck| &puck.lying.kind == colour).count();
            let unexplained = gained.iter().sum::<usize>().saturating_sub((*entries).max(1));
            let returned = unexplained.min(gained[turn]).min(played.saturating_sub(lay));
            if returned > 0 {
                gained[turn] -= returned;
                self.count_confidence *= options.trust.guess;
                self.asks.push(format!(
                    "a {colour} piece came to rest together with another: had it been played before, and lain \
                     outside the view?"
                ));
            }
        }
    }

    /// A puck came to rest after something was glimpsed. If it was its turn, counting the glimpse as a
    /// shot, then that was one: else the turn would be the other's.
    fn weigh_glimpses(&mut self, is_in_turn: bool, options: &UmpireOptions) {
        match (std::mem::take(&mut self.glimpsed), is_in_turn) {
            (0, _) => {}
            (1, true) => self.count_confidence *= options.trust.left_the_board,
            (glimpsed, _) => self.ask_about_glimpses(glimpsed, options),
        }
    }

    fn ask_about_glimpses(&mut self, glimpsed: usize, options: &UmpireOptions) {
        self.count_confidence *= options.trust.glimpsed.powi(glimpsed as i32);
        self.asks.push("something was seen on the board for a moment: was a puck played?".to_owned());
    }

    /// Adds shots whose pucks do not lie there: pieces do not move by themselves, and what comes in
    /// was played.
    fn left_again(&mut self, evidence: &Evidence<'_>, played: &mut Vec<(String, f64)>) {
        let Evidence { found, seen, order, taken, entries, options, .. } = evidence;
        let trust = &options.trust;
        let left = order.total().saturating_sub(self.shots.len() + played.len());
        let is_knocked = !found.moved.is_empty() || !found.went.is_empty();
        let hand = seen.episode.hand || self.is_tidied(found, order);
        let is_moving = seen.episode.tracks.iter().any(|track| !track.hand);
        let mut more = Vec::new();
        if played.is_empty() && !hand && (is_knocked || *entries > 0) {
            // Pieces that lie elsewhere though nothing was seen to move may be an error of measuring.
            more.push(if is_moving { trust.left_the_board } else { trust.guess });
        } else if played.is_empty() && !hand && left > 0 && evidence.is_glimpsed {
            // How sure it is shows when the next puck lies there: see `weigh_glimpses`.
            self.glimpsed += 1;
            more.push(1.0);
        } else if played.is_empty() && hand && is_knocked && taken.is_empty() && *entries > 0 {
            // With a hand in the view what came in may have been a finger.
            more.push(trust.guess);
        }
        // More than one thing came in: seldom two shots in one go, more often one thing seen twice.
        let unseen = entries.saturating_sub(played.len() + more.len());
        if !hand && played.len() + more.len() > 0 {
            more.extend(std::iter::repeat_n(trust.guess, unseen));
        }
        more.truncate(left);
        if more.iter().any(|confidence| *confidence < options.sure) {
            self.asks.push("something came into the view and left it: was a puck played?".to_owned());
        }
        for confidence in more {
            let turn = self.shots.len() + played.len();
            played.push((order.colour(turn).to_owned(), confidence));
        }
    }

    /// Whether pucks that were to be taken away are gone, and nothing else has changed: somebody took
    /// them, though of a hand at the edge of the view too little may be seen to know it for one.
    fn is_tidied(&self, found: &Changes, order: &Order) -> bool {
        let nothing_else = found.came.is_empty() && found.moved.is_empty();
        let to_be_taken = |old: &usize| self.pucks[*old].is_to_be_taken();
        order.dead_are_taken && nothing_else && !found.went.is_empty() && found.went.iter().all(to_be_taken)
    }

    /// Pucks that a hand took: dead ones, and whatever went while nothing came in.
    fn taken_by_hand(&self, found: &Changes, seen: &Seen<'_>, order: &Order, entries: &[f64]) -> Vec<usize> {
        if self.is_tidied(found, order) {
            return found.went.clone();
        }
        if !seen.episode.hand {
            return Vec::new();
        }
        let nothing_came = entries.is_empty() && found.came.is_empty() && found.moved.is_empty();
        let gone = found.went.iter().chain(found.moved.iter().map(|(old, _)| old));
        gone.copied().filter(|old| nothing_came || self.pucks[*old].is_to_be_taken()).collect()
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
    fn tell_dead(
        &self,
        found: &Changes,
        order: &Order,
        options: &UmpireOptions,
        findings: &mut Vec<Finding>,
    ) {
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
            findings.push(remark(
                "dead-piece",
                text,
                puck.banked.map_or(options.trust.came_to_rest, |b| b.confidence),
            ));
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

    fn draft(&self, seen: &Seen<'_>, order: &Order, options: &UmpireOptions) -> Finding {
        let mut doubts = doubts_of(seen.report);
        let p_count = 1.0 - self.count_confidence;
        doubts.extend(self.asks.iter().map(|ask| LiveDoubt::asking("count", p_count, ask)));
        doubts.extend(
            seen.contradictions.iter().map(|ask| LiveDoubt::asking("piece", 1.0 - options.trust.guess, ask)),
        );
        let mut confidence = self.count_confidence * seen.report.tally_probability;
        if order.bank {
            confidence *= self.ask_about_banks(options, &mut doubts);
        }
        Finding::Draft(Box::new(Draft {
            event: self.frame(order),
            confidence,
            doubts,
            rests_on: RestsOn::ThisView,
        }))
    }
}

fn remark(about: &str, text: String, confidence: f64) -> Finding {
    Finding::Remark(Remark { about: about.to_owned(), text, confidence })
}

fn diameter_mm(board: &Board, order: &Order) -> f64 {
    board.piece(&order.colours[0]).or(board.pieces.first()).map_or(30.0, |kind| kind.diameter_mm)
}

/// Whether a hand was in the view as a puck came in: over the board, and past the nearest foul line,
/// which lies outside a view of one end.
fn is_hand_beside(seen: &Seen<'_>, entries: &[f64], options: &UmpireOptions) -> bool {
    let hands = seen.episode.tracks.iter().filter(|track| track.hand);
    let mut places = hands.flat_map(|hand| &hand.points);
    places.any(|place| entries.iter().any(|entry| (place.time_secs - entry).abs() < options.hand_beside_secs))
}

/// Things that came in from nowhere and went toward the end that is played to: when each came.
/// `disturbed`: where pieces lay that lie there no more; what begins there was knocked on.
fn entries(
    tracks: &[Track],
    disturbed: &[Point],
    diameter_mm: f64,
    end: End,
    options: &UmpireOptions,
) -> Vec<f64> {
    let mut came_in: Vec<(f64, f64, f64)> = tracks
        .iter()
        .filter(|track| !track.hand && track.reach_mm() > 2.0 * diameter_mm)
        .filter(|track| goes_toward(track, end) && !is_knocked_on(track, disturbed, diameter_mm))
        .filter_map(|track| {
            let first = track.first()?;
            let along = if end == End::Far { first.at.y } else { -first.at.y };
            Some((first.time_secs, along, frame_step(track).norm()))
        })
        .collect();
    came_in.sort_by(|a, b| a.0.total_cmp(&b.0));
    // What comes in is first seen within a frame's way of the edge of the view; what is first seen
    // farther in was lost and found again.
    let edge = came_in.iter().map(|(_, along, _)| *along).fold(f64::INFINITY, f64::min);
    came_in.retain(|(_, along, step)| along - edge < step + diameter_mm);
    let mut times: Vec<f64> = came_in.into_iter().map(|(secs, ..)| secs).collect();
    times.dedup_by(|later, earlier| *later - *earlier < options.one_shot_secs);
    times
}

/// How far it went from its first frame to the next.
fn frame_step(track: &Track) -> Vector {
    match track.points.as_slice() {
        [first, second, ..] => second.at - first.at,
        _ => Vector::zeros(),
    }
}

/// Whether a thing's way, followed back by a frame, leads to where a piece lay.
fn is_knocked_on(track: &Track, disturbed: &[Point], diameter_mm: f64) -> bool {
    let Some(first) = track.first() else { return false };
    let before = first.at - frame_step(track);
    disturbed.iter().any(|at| (at - nearest_on_segment(*at, before, first.at)).norm() < diameter_mm)
}

fn goes_toward(track: &Track, end: End) -> bool {
    let (Some(first), Some(last)) = (track.first(), track.last()) else { return false };
    match end {
        End::Far => last.at.y > first.at.y,
        End::Near => last.at.y < first.at.y,
    }
}
