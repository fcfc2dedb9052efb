//! Strikes of the carrom games: the striker lies ready, goes its way, and everything comes to rest.
//!
//! In: settled views. Out: [`Finding`]s: where the striker was placed, and a `strike` for each
//! strike. A view after a hand was over the board is a new beginning (the striker brought, pieces
//! returned); a view after free motion, with the striker on the board before, is a strike.

use serde::{Deserialize, Serialize};

use super::{
    UmpireOptions,
    finding::{Draft, Finding, LiveDoubt, Remark, RestsOn},
    half_round::Seen,
    lying::{Changes, Lying, changes, count_of},
    way::{Fate, ends_in_pocket, fastest_mm_s, fate, frame_touched, leads_back_to},
};
use crate::{
    board::{Board, PieceKind},
    calls::Placement,
    geometry::Point,
    motion::Track,
    rules::{
        Event, GameId,
        event::{Foul, StrikeEvent, StrikerFate},
    },
    score::PieceReport,
};

/// What the rules say about the strike that is due.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    pub game: GameId,
    /// Who is to play, for words.
    pub player: String,
    /// The running game's number, and which turn it is of: a new pair means a new turn.
    pub game_number: u32,
    pub side: usize,
    /// A disc inside the base line must be hit off a cushion (U11).
    pub cushion: bool,
    /// How many pieces of each kind lie on the board by the score.
    pub in_play: Vec<(String, u32)>,
}

/// The strikes so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Strikes {
    watched: bool,
    pieces: Vec<Lying>,
    /// Where the striker was placed, when it lies ready.
    placement: Option<Placed>,
    /// The game that is being played, and the side that broke.
    game: Option<(u32, usize)>,
    /// Whether the group at the centre has been disturbed in this game, or the first turn is over.
    broken: bool,
    strikes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Placed {
    placement: Option<Placement>,
    sure: bool,
    /// How likely it is that one.
    #[serde(default)]
    probability: f64,
}

impl Placed {
    fn of(piece: &PieceReport) -> Self {
        Self {
            placement: piece.placement,
            // A place that is not good enough to call by is none to call a foul by.
            sure: piece.placement_sure.unwrap_or(false) && piece.trusted,
            probability: piece.placement_probability.unwrap_or(0.0),
        }
    }
}

impl Strikes {
    pub fn strikes(&self) -> usize {
        self.strikes
    }

    pub fn pieces(&self) -> Vec<Lying> {
        self.pieces.clone()
    }

    /// Takes a settled view.
    pub fn settled(
        &mut self,
        seen: &Seen<'_>,
        due: &Due,
        board: &Board,
        options: &UmpireOptions,
    ) -> Vec<Finding> {
        let Some(shooter) = board.pieces.iter().find(|kind| kind.shooter) else { return Vec::new() };
        let mut before = std::mem::replace(&mut self.pieces, seen.pieces.to_vec());
        before.extend_from_slice(seen.overlooked);
        let was_watched = std::mem::replace(&mut self.watched, true);
        let found = changes(&before, seen.pieces, &seen.episode.tracks, shooter.diameter_mm, options);
        let striker_before = before.iter().position(|piece| piece.kind == shooter.name);
        let mut findings = Vec::new();
        let hand = seen.episode.hand;
        let disturbed = || has_disturbed(&found, striker_before, &before, seen.pieces, shooter);
        let is_ready = self.placement.is_some() && striker_before.is_some();
        let lies_there = seen.pieces.iter().any(|piece| piece.kind == shooter.name);
        let is_struck = match (hand, is_ready) {
            // The striker was followed until it went.
            _ if seen.episode.launch.is_some() => true,
            // Hands move pieces and the striker; whatever else they did, it was not seen to go.
            (true, _) if seen.episode.followed => false,
            (false, _) if striker_before.is_some() => !found.is_none(),
            // Nothing but a strike moves pieces with no hand in the view: the striker was overlooked.
            (false, _) => disturbed() || (lies_there && has_run(seen, shooter, options)),
            // A hand in the view, yet the striker lay ready and pieces moved, or something ran freely:
            // it may have been both, with no settled view in between.
            (true, true) => disturbed() || has_run(seen, shooter, options),
            // Nobody saw the striker lie ready: a hand that never left has brought and struck it, or no
            // view settled in between because a lamp went on. Yet pieces ran. Between games, hands move
            // them all; then the striker at least lies there after a strike.
            (true, false) => {
                let is_running = self.game.is_some_and(|(number, _)| number == due.game_number);
                // New light hides ways: then pieces that lie elsewhere are enough to ask.
                let is_hidden = seen.episode.light_changed;
                (lies_there || is_running) && disturbed() && (is_hidden || has_run(seen, shooter, options))
            }
        };
        let is_struck = was_watched && is_struck;
        if is_struck {
            let strike = Strike {
                before: &before,
                found: &found,
                striker: striker_before,
                is_ready,
                is_break: self.game.is_none_or(|(number, _)| number != due.game_number) || !self.broken,
                seen,
                due,
                board,
                options,
            };
            findings.push(self.draft(&strike));
        } else if hand || !was_watched || (striker_before.is_none() && lies_there) {
            self.place(seen, due, &shooter.name, options, &mut findings);
        } else if !found.is_none() {
            let text = "pieces moved without a strike and without a hand".to_owned();
            findings.push(Finding::Remark(Remark {
                about: "disturbed".into(),
                text,
                confidence: options.trust.guess,
            }));
        }
        findings
    }

    /// A hand was there: what lies now is where the next strike begins.
    fn place(
        &mut self,
        seen: &Seen<'_>,
        due: &Due,
        shooter: &str,
        options: &UmpireOptions,
        findings: &mut Vec<Finding>,
    ) {
        let striker = seen.report.pieces.iter().find(|piece| piece.colour == shooter);
        self.placement = striker.map(Placed::of);
        if let Some(Placed { placement: Some(placement), sure, .. }) = self.placement
            && due.game == GameId::Kagw
            && is_foul(placement)
            // Under fingers it is hardly seen.
            && (sure || !seen.episode.hand)
        {
            let how = words(placement);
            let text = format!("{}'s striker {how} (K2)", due.player);
            let confidence = if sure { options.trust.came_to_rest } else { options.trust.guess };
            findings.push(Finding::Remark(Remark { about: "striker-placement".into(), text, confidence }));
        }
    }

    fn draft(&mut self, strike: &Strike<'_>) -> Finding {
        let due = strike.due;
        if self.game.is_none_or(|(number, _)| number != due.game_number) {
            self.game = Some((due.game_number, due.side));
            self.broken = false;
        }
        self.broken |= self.game.is_some_and(|(_, side)| side != due.side);
        self.strikes += 1;
        let guessed_wrong = 1.0 - strike.options.trust.guess;
        let mut made =
            Made { event: StrikeEvent::default(), confidence: 1.0, doubts: Vec::new(), guessed_wrong };
        strike.gone(&mut made);
        strike.count(&mut made);
        for ask in strike.seen.contradictions {
            made.guess("piece", ask.clone());
        }
        let launch = strike.seen.episode.launch;
        if launch.is_some() {
            // Seen to go, with no hand beside it.
        } else if strike.seen.episode.hand {
            made.guess("hand", "a hand was seen during the strike: was it one?".into());
        } else if strike.striker.is_none() {
            made.guess("striker", "the striker was not seen before pieces moved: was it a strike?".into());
        }
        if due.game == GameId::Kagw {
            self.add_placement(&mut made, launch.is_some_and(|launch| launch.held), strike.options);
            self.add_break(strike, &mut made);
        }
        if due.cushion {
            strike.add_cushion(&mut made);
        }
        self.placement = None;
        Finding::Draft(Box::new(Draft {
            event: Event::Strike(made.event),
            confidence: made.confidence,
            doubts: made.doubts,
            rests_on: RestsOn::ThisView,
        }))
    }

    /// K2: how the striker was placed.
    fn add_placement(&self, made: &mut Made, held: bool, options: &UmpireOptions) {
        let is_sure_foul =
            self.placement.is_some_and(|placed| placed.sure && placed.placement.is_some_and(is_foul));
        if held && !is_sure_foul {
            made.confidence *= options.trust.placement_held;
            return;
        }
        let Some(Placed { placement: Some(placement), sure, probability }) = self.placement else {
            made.guess("placement", "the striker's placement was not seen: was it right?".into());
            return;
        };
        let is_foul = is_foul(placement);
        if is_foul {
            made.event.fouls = Some(vec![Foul::Placement]);
        }
        if sure {
            return;
        }
        if !is_foul && probability >= options.trust.placed_right {
            made.confidence *= probability;
        } else {
            let question = format!("the striker's placement is too close to call ({})", words(placement));
            made.guess("placement", question);
        }
    }

    /// K3: whether the group at the centre was disturbed.
    fn add_break(&mut self, strike: &Strike<'_>, made: &mut Made) {
        if self.broken {
            return;
        }
        let Strike { before, found, striker, seen, options, .. } = strike;
        let others = |(old, _): &&(usize, usize)| Some(*old) != *striker;
        let disturbed = found.moved.iter().any(|pair| others(&pair))
            || found.went.iter().any(|old| Some(*old) != *striker);
        self.broken |= disturbed;
        if disturbed {
            return;
        }
        made.event.disturbed = Some(false);
        let shift = |(old, new): &(usize, usize)| (before[*old].at() - seen.pieces[*new].at()).norm();
        let most_mm = found.stayed.iter().filter(others).map(shift).fold(0.0, f64::max);
        if most_mm > options.same_place_mm / 2.0 {
            let question = format!("was the group disturbed? a piece may have moved by {most_mm:.1} mm");
            made.guess("break", question);
        }
    }
}

/// Whether pieces other than the striker were moved farther than a sleeve would, or are gone.
fn has_disturbed(
    found: &Changes,
    striker: Option<usize>,
    before: &[Lying],
    after: &[Lying],
    shooter: &PieceKind,
) -> bool {
    let far = |pair: &(usize, usize)| Some(pair.0) != striker && is_far(pair, before, after, shooter);
    found.moved.iter().any(far) || found.went.iter().any(|old| Some(*old) != striker)
}

/// Whether a piece was moved farther than a sleeve would.
fn is_far((old, new): &(usize, usize), before: &[Lying], after: &[Lying], shooter: &PieceKind) -> bool {
    (before[*old].at() - after[*new].at()).norm() > shooter.radius_mm()
}

/// Whether something that is no hand went far.
fn has_run(seen: &Seen<'_>, shooter: &PieceKind, options: &UmpireOptions) -> bool {
    let far_mm = options.run_diameters * shooter.diameter_mm;
    seen.episode.tracks.iter().any(|track| !track.hand && track.reach_mm() > far_mm)
}

/// A strike's event while it is made.
struct Made {
    event: StrikeEvent,
    confidence: f64,
    doubts: Vec<LiveDoubt>,
    /// How likely a guess is wrong.
    guessed_wrong: f64,
}

impl Made {
    fn guess(&mut self, about: &str, question: String) {
        self.doubt(about, self.guessed_wrong, question);
    }

    fn doubt(&mut self, about: &str, probability: f64, question: String) {
        self.confidence *= 1.0 - probability;
        self.doubts.push(LiveDoubt::asking(about, probability, question));
    }
}

struct Strike<'s> {
    before: &'s [Lying],
    found: &'s Changes,
    /// `None`: it did not lie on the board.
    striker: Option<usize>,
    /// Whether it was seen where it was struck from.
    is_ready: bool,
    /// Nothing has been disturbed in this game before.
    is_break: bool,
    seen: &'s Seen<'s>,
    due: &'s Due,
    board: &'s Board,
    options: &'s UmpireOptions,
}

impl Strike<'_> {
    /// What went, and where to.
    fn gone(&self, made: &mut Made) {
        let fastest_mm_s = self.fastest_mm_s();
        for &old in &self.found.went {
            let piece = &self.before[old];
            if Some(old) == self.striker && self.is_launched_by_hand() {
                self.striker_gone(made);
                continue;
            }
            let (fate, confidence) = self.fate_of(piece, fastest_mm_s);
            let kind = &piece.kind;
            if confidence < self.options.sure {
                let question = format!("did the {kind} go into a pocket, or off the board?");
                made.doubt("pocketed", 1.0 - confidence, question);
            } else {
                made.confidence *= confidence;
            }
            match (Some(old) == self.striker, fate) {
                (true, Fate::Pocketed) => made.event.striker = StrikerFate::Pocketed,
                (true, Fate::OffBoard) => made.event.striker = StrikerFate::OffBoard,
                (false, Fate::Pocketed) => made.event.pocketed.push(kind.clone()),
                (false, Fate::OffBoard) => made.event.off_board.push(kind.clone()),
            }
        }
        let brought = |new: &usize| self.striker.is_none() && self.is_shooter(&self.seen.pieces[*new]);
        for &new in self.found.came.iter().filter(|new| !brought(new)) {
            let kind = &self.seen.pieces[new].kind;
            let question = format!("a {kind} piece came during the strike: where from?");
            made.guess("count", question);
        }
        made.event.pocketed.sort();
        made.event.off_board.sort();
    }

    /// What is left must be what was in play by the score, less what went. Else a piece was overlooked: before the
    /// strike, and it may have gone unseen, or after it.
    fn count(&self, made: &mut Made) {
        for (kind, in_play) in &self.due.in_play {
            let gone = made.event.pocketed.iter().chain(&made.event.off_board);
            let gone = gone.filter(|gone| *gone == kind).count();
            let left = count_of(self.seen.pieces, kind);
            if left + gone != *in_play as usize {
                // The group at the centre is hard to count, and what flew apart is not: as many went as are not left.
                let before = count_of(self.before, kind);
                if let Some(missing) = (*in_play as usize).checked_sub(left)
                    && before != *in_play as usize
                    && self.is_break
                    && self.is_launched_by_hand()
                {
                    made.event.pocketed.retain(|pocketed| pocketed != kind);
                    made.event.off_board.retain(|off| off != kind);
                    made.event.pocketed.extend(std::iter::repeat_n(kind.clone(), missing));
                    made.event.pocketed.sort();
                }
                let question = format!(
                    "{in_play} {kind} should have been on the board, {gone} went and {left} are left: what became \
                     of the rest?"
                );
                made.guess("count", question);
            }
        }
    }

    /// U11: where a disc inside the player's own base line was hit, whether a cushion came first. The
    /// order of two touches between two frames is not seen well enough to go unasked.
    fn add_cushion(&self, made: &mut Made) {
        let Some(striker) = self.striker.filter(|_| self.is_ready).map(|striker| &self.before[striker])
        else {
            made.guess(
                "cushion",
                "was a disc inside the base line hit, and off a cushion first (U11)?".into(),
            );
            return;
        };
        let Some(inside) = self.first_inside_base(striker.at()) else { return };
        let radius_mm = self.radius_mm(striker);
        let touched = self
            .may_be_of(striker)
            .next()
            .is_some_and(|track| frame_touched(track, self.board, radius_mm, self.options));
        made.event.cushioned = Some(touched);
        let kind = &self.before[inside].kind;
        let question = format!("a {kind} disc inside the base line was hit: off a cushion first (U11)?");
        made.guess("cushion", question);
    }

    /// A disc that was moved or pocketed from between the base line and the player's own side.
    fn first_inside_base(&self, struck_from: Point) -> Option<usize> {
        let surface = &self.board.surface;
        let gaps = |p: Point| [p.y, surface.width_mm - p.x, surface.length_mm - p.y, p.x];
        let own_gaps = gaps(struck_from);
        let side = (0..4).min_by(|a, b| own_gaps[*a].total_cmp(&own_gaps[*b]))?;
        let moved = self.found.moved.iter().map(|(old, _)| *old).chain(self.found.went.iter().copied());
        moved
            .filter(|old| Some(*old) != self.striker)
            .find(|old| gaps(self.before[*old].at())[side] < own_gaps[side])
    }

    fn is_shooter(&self, piece: &Lying) -> bool {
        self.board.piece(&piece.kind).is_some_and(|kind| kind.shooter)
    }

    fn fastest_mm_s(&self) -> Option<f64> {
        let tracks: Vec<&Track> = self.seen.episode.tracks.iter().filter(|track| !track.hand).collect();
        let moved = self.found.moved.iter().map(|(old, _)| old).chain(&self.found.went);
        let set_in_motion: Vec<Point> = moved.map(|old| self.before[*old].at()).collect();
        let smallest_mm = self.board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
        fastest_mm_s(&tracks, &set_in_motion, smallest_mm)
    }

    fn fate_of(&self, piece: &Lying, fastest_mm_s: Option<f64>) -> (Fate, f64) {
        let radius_mm = self.radius_mm(piece);
        let ended = |track: &&Track| {
            // A piece that still lies there was not the one that went.
            track.last().is_some_and(|last| {
                self.seen.pieces.iter().all(|lying| (lying.at() - last.at).norm() > radius_mm)
            })
        };
        let own: Vec<&Track> =
            self.may_be_of(piece).filter(ended).filter(|track| self.is_nearest_gone(piece, track)).collect();
        if self.is_launched_by_hand() && own.is_empty() {
            // Pieces that climb the frame are rare beside those that fall, and are seen to fly.
            return (Fate::Pocketed, self.options.trust.pocket_unseen);
        }
        let (fate, confidence) = fate(&own, piece.at(), fastest_mm_s, self.board, radius_mm, self.options);
        let is_slow = fastest_mm_s.is_some_and(|fastest| fastest < self.options.climbs_mm_s);
        let is_alone = self.found.went.len() == 1;
        // Where its way was lost in between, a way into a pocket is nobody's but its own.
        let sank = |track: &Track| ends_in_pocket(track, self.board, radius_mm, self.options);
        let mut free = self.seen.episode.tracks.iter().filter(|track| !track.hand).filter(ended);
        match fate {
            Fate::Pocketed if is_slow && is_alone && free.any(sank) => {
                (fate, confidence.max(self.options.trust.pocket))
            }
            _ => (fate, confidence),
        }
    }

    /// Whether no other piece that is gone lay nearer to where a way begins: one way is one piece's.
    fn is_nearest_gone(&self, piece: &Lying, track: &Track) -> bool {
        let Some(first) = track.first() else { return false };
        let from_mm = |other: &Lying| (other.at() - first.at).norm();
        self.found.went.iter().all(|&other| from_mm(piece) <= from_mm(&self.before[other]))
    }

    fn radius_mm(&self, piece: &Lying) -> f64 {
        self.board.piece(&piece.kind).map_or(0.0, |kind| kind.radius_mm())
    }

    /// Ways that may be a piece's own.
    fn may_be_of<'a>(&'a self, piece: &'a Lying) -> impl Iterator<Item = &'a Track> {
        let radius_mm = self.radius_mm(piece);
        let reach_mm = self.options.own_way_radii * radius_mm;
        let begins_there = move |track: &Track| {
            track.first().is_some_and(|first| (first.at - piece.at()).norm() < reach_mm)
                || leads_back_to(track, piece.at(), radius_mm)
        };
        self.seen.episode.tracks.iter().filter(move |track| !track.hand && begins_there(track))
    }
}

fn is_foul(placement: Placement) -> bool {
    matches!(placement, Placement::CutsMoon | Placement::OffLine)
}

fn words(placement: Placement) -> &'static str {
    match placement {
        Placement::BothLines => "touches both lines",
        Placement::Circle => "covers a moon",
        Placement::CutsMoon => "cuts the moon",
        Placement::OffLine => "does not touch both lines",
    }
}

mod launched;

#[cfg(test)]
mod tests;
