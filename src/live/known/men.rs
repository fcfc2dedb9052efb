//! Every piece of the game, seen, hidden or gone.
//!
//! In: what was found in each frame, and what hands hide. Out: [`Man`] by man where it lies. Each has
//! a fixed place. One that is under a hand stays as it was last seen; one that is not found in full
//! view is gone when its place looks bare, or when another piece lies in it; else detection has
//! overlooked it.

use super::{
    found::{Found, Looks, View},
    hands::Hands,
    options::KnownOptions,
    plan::apart,
};
use crate::{board::Board, geometry::Point, motion::nearest_first};

/// How a piece is known at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Seen,
    /// Under a hand: it lies where it was last seen.
    Hidden,
    /// Neither found nor gone: overlooked.
    Overlooked,
    /// Its place is bare or taken.
    Missing,
}

/// A piece with its place.
#[derive(Debug, Clone)]
pub struct Man {
    /// Index into the board's kinds.
    pub kind: usize,
    pub at: Point,
    pub presence: Presence,
    pub is_known: bool,
    first_secs: f64,
    last_secs: f64,
    missing_since_secs: Option<f64>,
    /// For how long its place has looked like no man of its kind, less for how long it did.
    unlike_secs: f64,
    looked_secs: f64,
    places: Vec<Point>,
    votes: Vec<u32>,
}

/// A piece came or went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    pub time_secs: f64,
    pub kind: usize,
    pub at: Point,
    pub is_gone: bool,
}

/// All of them.
#[derive(Debug, Clone, Default)]
pub struct Men {
    pub men: Vec<Man>,
    /// What came and went since it was last asked for.
    pub changes: Vec<Change>,
}

/// A piece found as another kind is as good as one this much farther off, in mm.
const OTHER_KIND_MM: f64 = 3.0;
/// Part of a piece's radius whose cells are its place.
const PLACE: f64 = 0.9;
/// What is found beside so much of a hand may be part of it, so many radii around.
const BESIDE_HAND_SHARE: f64 = 0.15;
const BESIDE_RADII: f64 = 2.0;
/// Share of a man's face that must look like it where he was not found.
const LIKE_SHARE: f64 = 0.6;
/// Nearer than this, in diameters, one lies in the other's place.
const TAKEN_DIAMETERS: f64 = 0.75;

impl Men {
    pub fn known(&self) -> impl Iterator<Item = &Man> {
        self.men.iter().filter(|man| man.is_known)
    }

    /// Leaves out of what looks like men those that would be more than there are of their kind, where none was known:
    /// print has men's colours too. One where a man was known is that man.
    pub fn leave_out_what_is_too_many(&self, found: &mut Vec<Found>, board: &Board, anchor_mm: f64) {
        let is_known = |piece: &Found| self.known().any(|man| (man.at - piece.at).norm() < anchor_mm);
        let counts: Vec<usize> = (0..board.pieces.len())
            .map(|kind| {
                let there = self.known().filter(|man| man.kind == kind && man.presence != Presence::Missing);
                there.count() + found.iter().filter(|piece| piece.kind == kind && !is_known(piece)).count()
            })
            .collect();
        found.retain(|piece| is_known(piece) || counts[piece.kind] <= board.pieces[piece.kind].count);
    }

    /// Takes a frame. `striker`: where it lies or moves; nothing else lies there.
    pub fn push(
        &mut self,
        view: &View<'_>,
        found: &[Found],
        hands: &Hands,
        striker: Option<Point>,
        looks: &Looks,
        time_secs: f64,
    ) {
        let (board, options) = (view.board, view.options);
        let pairs = (0..self.men.len()).flat_map(|man| (0..found.len()).map(move |piece| (man, piece)));
        let near = pairs.filter_map(|(man, piece)| {
            let apart_mm = (self.men[man].at - found[piece].at).norm();
            let other = if self.men[man].kind == found[piece].kind { 0.0 } else { OTHER_KIND_MM };
            (apart_mm < options.anchor_mm).then_some((apart_mm + other, man, piece))
        });
        let same = nearest_first(near.collect());
        for (index, man) in self.men.iter_mut().enumerate() {
            match same.iter().find(|(of, _)| *of == index) {
                Some((_, piece)) => man.is_found(&found[*piece], time_secs, options),
                None => {
                    man.is_not_found(view, found, hands, striker, looks, time_secs);
                }
            }
        }
        self.forget(time_secs, options);
        for (piece, found) in found.iter().enumerate() {
            let radius_mm = board.pieces[found.kind].radius_mm();
            let is_new = same.iter().all(|(_, taken)| *taken != piece);
            let beside = view.plan.share(found.at, BESIDE_RADII * radius_mm, |cell| hands.over[cell]);
            if is_new && beside.is_some_and(|share| share <= BESIDE_HAND_SHARE) {
                self.men.push(Man::new(found, board.pieces.len(), time_secs));
            }
        }
        self.leave_one_in_each_place(view);
        for man in self.men.iter_mut().filter(|man| !man.is_known) {
            let is_old = man.places.len() > 1 && man.last_secs - man.first_secs >= options.known_secs;
            if is_old {
                man.is_known = true;
                self.changes.push(Change { time_secs, kind: man.kind, at: man.at, is_gone: false });
            }
        }
    }

    /// Two men cannot lie in one place: what is seen there now is the one, what is not was another finding of it.
    fn leave_one_in_each_place(&mut self, view: &View<'_>) {
        let mut first = 0;
        while first < self.men.len() {
            let mut second = first + 1;
            while second < self.men.len() {
                let (one, other) = (&self.men[first], &self.men[second]);
                let reach_mm = TAKEN_DIAMETERS * view.board.pieces[one.kind].diameter_mm;
                let is_one = (one.at - other.at).norm() < reach_mm;
                let leaves = match is_one {
                    true => one.double_of(other).map(|is_first| if is_first { first } else { second }),
                    false => None,
                };
                let Some(leaves) = leaves else {
                    second += 1;
                    continue;
                };
                let man = self.men.remove(leaves);
                if man.is_known {
                    let Man { kind, at, last_secs: time_secs, .. } = man;
                    self.changes.push(Change { time_secs, kind, at, is_gone: true });
                }
                second = first + 1;
            }
            first += 1;
        }
    }

    fn forget(&mut self, time_secs: f64, options: &KnownOptions) {
        let is_gone =
            |man: &Man| man.missing_since_secs.is_some_and(|since| time_secs - since >= options.gone_secs);
        let fleeting = |man: &Man| !man.is_known && time_secs - man.last_secs > options.forget_secs;
        for man in self.men.iter().filter(|man| man.is_known && is_gone(man)) {
            self.changes.push(Change { time_secs, kind: man.kind, at: man.at, is_gone: true });
        }
        self.men.retain(|man| !is_gone(man) && !fleeting(man));
    }
}

impl Man {
    fn new(found: &Found, kinds: usize, time_secs: f64) -> Self {
        let mut votes = vec![0; kinds];
        votes[found.kind] = 1;
        Self {
            kind: found.kind,
            at: found.at,
            presence: Presence::Seen,
            is_known: false,
            first_secs: time_secs,
            last_secs: time_secs,
            missing_since_secs: None,
            unlike_secs: 0.0,
            looked_secs: time_secs,
            places: vec![found.at],
            votes,
        }
    }

    /// Which of two in one place was never another man: this one (true) or the other; `None` while that is open, as
    /// when one has been pushed a little and is seen beside its old place.
    fn double_of(&self, other: &Man) -> Option<bool> {
        let is_seen = |man: &Man| man.presence == Presence::Seen;
        match (is_seen(self), is_seen(other)) {
            (true, true) => Some(self.first_secs > other.first_secs),
            (true, false) if self.is_known || !other.is_known => Some(false),
            (false, true) if other.is_known || !self.is_known => Some(true),
            _ => None,
        }
    }

    fn is_found(&mut self, found: &Found, time_secs: f64, options: &KnownOptions) {
        self.presence = Presence::Seen;
        (self.missing_since_secs, self.unlike_secs) = (None, 0.0);
        (self.last_secs, self.looked_secs) = (time_secs, time_secs);
        self.votes[found.kind] += 1;
        self.kind =
            (0..self.votes.len()).max_by_key(|kind| (self.votes[*kind], *kind == self.kind)).unwrap_or(0);
        // A place that followed every finding would follow a piece that is pushed.
        if self.places.len() < options.anchor_frames {
            self.places.push(found.at);
            self.at = middle(&self.places);
        }
    }

    fn is_not_found(
        &mut self,
        view: &View<'_>,
        found: &[Found],
        hands: &Hands,
        striker: Option<Point>,
        looks: &Looks,
        time_secs: f64,
    ) {
        let View { plan, options, board, .. } = *view;
        let bare_step = (looks.step(self.kind) / 2.0).min(options.bare_step);
        let kind = &board.pieces[self.kind];
        let under = plan.share(self.at, kind.radius_mm(), |cell| hands.over[cell]);
        if under.is_none_or(|share| share > options.hidden_share) {
            self.presence = Presence::Hidden;
            (self.missing_since_secs, self.looked_secs) = (None, time_secs);
            return;
        }
        // What looks like no man of its kind for long is the board, where nobody has seen that bare yet: a shadow
        // passes sooner.
        let is_like = |cell: usize| looks.like_a_man(view, cell) == Some(self.kind);
        let like = plan.share(self.at, PLACE * kind.radius_mm(), is_like);
        let elapsed_secs = time_secs - std::mem::replace(&mut self.looked_secs, time_secs);
        let sign = if like.is_some_and(|share| share < LIKE_SHARE) { 1.0 } else { -1.0 };
        self.unlike_secs = (self.unlike_secs + sign * elapsed_secs).max(0.0);
        let is_unlike = self.unlike_secs >= options.unlike_secs;
        let is_bare = |cell: usize| apart(view.cells[cell], view.bare.colour[cell]) < bare_step;
        let bare = plan.share(self.at, PLACE * kind.radius_mm(), is_bare);
        let reach_mm = TAKEN_DIAMETERS * kind.diameter_mm;
        let is_taken = found.iter().any(|other| (other.at - self.at).norm() < reach_mm)
            || striker.is_some_and(|striker| (striker - self.at).norm() < reach_mm);
        if is_taken || is_unlike || bare.is_some_and(|share| share > options.bare_share) {
            self.presence = Presence::Missing;
            self.missing_since_secs.get_or_insert(time_secs);
        } else {
            self.presence = Presence::Overlooked;
        }
    }
}

fn middle(places: &[Point]) -> Point {
    let of = |value: fn(&Point) -> f64| {
        let mut values: Vec<f64> = places.iter().map(value).collect();
        let middle = values.len() / 2;
        *values.select_nth_unstable_by(middle, f64::total_cmp).1
    };
    Point::new(of(|p| p.x), of(|p| p.y))
}
