//! What is known of every piece while people's hands are in the picture.
//!
//! In: every frame of a board that is struck on, with what detection found in it. Out: each piece
//! with its place, seen, hidden or overlooked ([`Man`]), the striker ([`Shooter`]), its launches, and
//! what hands hide ([`Hands`]). What is under a hand is unknown and stays as it was last seen. Men in
//! pockets and on frames are off the surface: nothing that is waited for.
//!
//! The steps, a file each: the board in small cells (`plan`), its bare look (`bare`), what detection
//! found made clean (`found`), what it has overlooked (`faces`, `things`), hands (`hands`), the men from frame to frame (`men`), and the striker
//! (`shooter`). Knows kinds of pieces, no rules.

mod bare;
mod faces;
mod found;
mod hands;
mod lamp;
mod men;
mod options;
mod plan;
mod shooter;
mod things;

use bare::Bare;
use faces::men_by_face;
use found::{Found, Looks, View, found};
pub use hands::Hands;
use men::Men;
pub use men::{Change, Man, Presence};
pub use options::{KnownOptions, ShooterOptions, VerdictOptions};
use plan::{Plan, Stops, apart};
use shooter::Shooter;
pub use shooter::{Launch, Run, Sighting};
use things::{Thing, things};

use super::Lying;
use crate::{
    board::Board, calls::PieceState, camera::Camera, capture::Picture, detect::Detection, geometry::Point,
};

/// Farther out than a piece's rim its shadow and rings show, in radii.
const AROUND: f64 = 1.35;

/// Colours of marks.
const HAND_TINT: [u8; 3] = [255, 0, 255];
const SEEN_TINT: [u8; 3] = [255, 255, 0];
const HIDDEN_TINT: [u8; 3] = [0, 255, 255];
const MISSING_TINT: [u8; 3] = [255, 128, 0];
const STRIKER_TINT: [u8; 3] = [0, 255, 0];

/// Follows every piece of one board.
#[derive(Debug, Clone)]
pub struct KnownState {
    board: Board,
    plan: Plan,
    bare: Bare,
    looks: Looks,
    men: Men,
    shooter: Shooter,
    hands: Hands,
    options: KnownOptions,
    cells: Vec<Stops>,
    strange: Vec<bool>,
    last_secs: Option<f64>,
    /// Cells of the surface that were not seen, empty or with a piece, since the last launch.
    unseen: Vec<bool>,
    /// The same when everything had first been calm since then: what comes later where nothing lay was put there.
    unseen_when_calm: Option<Vec<bool>>,
    /// Men that went since the launch.
    gone: Vec<Change>,
    /// Men that a hand has put back since then.
    put_back: Vec<Point>,
    /// By kind: how many came less how many went since then.
    balance: Vec<i32>,
    /// When a piece last came, went or moved.
    changed_secs: f64,
    /// What came and went with the last frame.
    changes: Vec<Change>,
    /// What stood out of the bare board in it and is no piece.
    things: Vec<Thing>,
}

impl KnownState {
    /// `None` for a board without a piece that is struck with.
    pub fn new(board: &Board, camera: &Camera, options: &KnownOptions) -> Option<Self> {
        if !board.pieces.iter().any(|kind| kind.shooter) {
            return None;
        }
        let smallest = board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
        let plan = Plan::new(board, camera, options.cells_per_diameter, options.border_diameters * smallest);
        Some(Self {
            bare: Bare::new(&plan),
            looks: Looks::of_board(board),
            men: Men::default(),
            shooter: Shooter::default(),
            hands: Hands { over: vec![false; plan.len()], ..Hands::default() },
            cells: Vec::new(),
            strange: Vec::new(),
            last_secs: None,
            unseen: vec![false; plan.len()],
            unseen_when_calm: None,
            gone: Vec::new(),
            put_back: Vec::new(),
            balance: vec![0; board.pieces.len()],
            changed_secs: 0.0,
            changes: Vec::new(),
            things: Vec::new(),
            options: options.clone(),
            board: board.clone(),
            plan,
        })
    }

    /// Takes the next frame. Gives a launch of the striker.
    pub fn push(&mut self, picture: &Picture, detection: &Detection, time_secs: f64) -> Option<Launch> {
        if !self.plan.read(picture, &mut self.cells) {
            return None;
        }
        let elapsed_secs = self.last_secs.replace(time_secs).map_or(0.0, |last| time_secs - last);
        self.compare(time_secs);
        let view = View {
            plan: &self.plan,
            cells: &self.cells,
            bare: &self.bare,
            strange: &self.strange,
            board: &self.board,
            options: &self.options,
        };
        let mut pieces = found(&view, detection, &mut self.looks);
        let reach_mm = self.options.anchor_mm * 2.0;
        let is_man = |at: Point| self.men.known().any(|man| (man.at - at).norm() < reach_mm);
        let striker = self.shooter.see(&view, detection, &self.looks, is_man, time_secs);
        let shooter_mm =
            self.board.pieces.iter().find(|kind| kind.shooter).map_or(0.0, |kind| kind.radius_mm());
        if let Some(striker) = striker {
            pieces.retain(|piece| (piece.at - striker).norm() > 0.7 * shooter_mm);
        }
        let mut own = self.own_cells(&pieces, striker, shooter_mm);
        // What detection has overlooked.
        let mut overlooked = men_by_face(&view, &self.looks, &own);
        overlooked.retain(|man| pieces.iter().all(|other| !other.is_in_place_of(man, &self.board)));
        self.men.leave_out_what_is_too_many(&mut overlooked, &self.board, self.options.anchor_mm);
        for man in &overlooked {
            let radius_mm = self.board.pieces[man.kind].radius_mm();
            self.plan.cells_around(man.at, AROUND * radius_mm).for_each(|cell| own[cell] = true);
        }
        pieces.extend(overlooked);
        let beyond: Vec<bool> = (0..self.plan.len())
            .map(|cell| {
                self.strange[cell] && !own[cell] && self.plan.on_surface[cell] && !self.plan.in_pocket[cell]
            })
            .collect();
        let man_mm2 = std::f64::consts::PI * view.men_radius_mm().powi(2);
        let mut things = things(&self.plan, &beyond, (man_mm2 / 2.0 / self.plan.cell_mm2()).ceil() as usize);
        // And what stands by itself, in whatever light.
        let striker_look = self.shooter.look(&self.options.shooter);
        let man_of = |thing: &Thing| thing.as_man(&view, &self.looks, striker_look, self.men.known());
        let mut alone: Vec<Found> = things.iter().filter_map(man_of).collect();
        alone.retain(|man| pieces.iter().all(|other| !other.is_in_place_of(man, &self.board)));
        self.men.leave_out_what_is_too_many(&mut alone, &self.board, self.options.anchor_mm);
        things.retain(|thing| man_of(thing).is_none_or(|man| !alone.contains(&man)));
        for man in &alone {
            let radius_mm = self.board.pieces[man.kind].radius_mm();
            self.plan.cells_around(man.at, AROUND * radius_mm).for_each(|cell| own[cell] = true);
        }
        pieces.extend(alone);
        self.hands = Hands::find(&self.plan, &things, &self.board);
        self.things = things;
        let launch = self.shooter.follow(&view, &self.hands);
        self.men.push(&view, &pieces, &self.hands, striker, &self.looks, time_secs);
        self.account(launch.is_some(), time_secs);
        self.learn(own, elapsed_secs as f32);
        launch
    }

    /// The light has changed.
    pub fn is_lit_anew(&mut self) {
        self.bare.is_lit_anew(&self.options);
    }

    /// The camera stands elsewhere: the pieces lie where they lay.
    pub fn seen_from(&mut self, camera: &Camera) {
        if let Some(fresh) = Self::new(&self.board, camera, &self.options) {
            let (men, looks) = (std::mem::take(&mut self.men), self.looks.clone());
            let shooter = std::mem::take(&mut self.shooter);
            let (last_secs, changed_secs) = (self.last_secs, self.changed_secs);
            *self = Self { men, looks, shooter, last_secs, changed_secs, ..fresh };
        }
    }

    /// Takes the light out of the cells, and finds those that look otherwise than the bare board.
    fn compare(&mut self, time_secs: f64) {
        self.bare.in_own_light(&self.plan, &mut self.cells, &self.options);
        self.bare.look(&self.plan, &self.cells, time_secs, &self.options);
        self.strange.clear();
        let differs = |(cell, bare): (&Stops, &Stops)| apart(*cell, *bare) > self.options.strange_step;
        self.strange.extend(self.cells.iter().zip(&self.bare.colour).map(differs));
        for (strange, in_view) in self.strange.iter_mut().zip(&self.plan.in_view) {
            *strange &= in_view;
        }
    }

    /// Cells that pieces and their shadows cover.
    fn own_cells(&self, pieces: &[Found], striker: Option<Point>, shooter_mm: f64) -> Vec<bool> {
        let mut own = vec![false; self.plan.len()];
        let around = |piece: &Found| (piece.at, self.board.pieces[piece.kind].radius_mm());
        let striker = striker.map(|at| (at, shooter_mm));
        for (at, radius_mm) in pieces.iter().map(around).chain(striker) {
            self.plan.cells_around(at, AROUND * radius_mm).for_each(|cell| own[cell] = true);
        }
        own
    }

    /// Nothing moves: whether the frame can be passed over. Now and then one is looked at all the same.
    pub fn rests(&mut self, time_secs: f64) -> bool {
        let is_due = self.last_secs.is_none_or(|last| time_secs - last >= self.options.rest_secs);
        if !is_due {
            self.shooter.rests(time_secs);
        }
        !is_due
    }

    /// Keeps the balance and what was seen since the launch.
    fn account(&mut self, is_launched: bool, time_secs: f64) {
        if is_launched {
            self.unseen.clone_from(&self.plan.on_surface);
            self.balance.fill(0);
            self.unseen_when_calm = None;
            self.gone.clear();
            self.put_back.clear();
            self.changed_secs = time_secs;
        }
        if self.unseen_when_calm.is_none() && self.is_calm(time_secs) {
            self.unseen_when_calm = Some(self.unseen.clone());
        }
        self.changes = std::mem::take(&mut self.men.changes);
        for change in self.changes.clone() {
            if self.is_put_back(&change) {
                self.put_back.push(change.at);
                continue;
            }
            self.balance[change.kind] += if change.is_gone { -1 } else { 1 };
            self.changed_secs = time_secs;
            if change.is_gone {
                self.gone.push(change);
            }
        }
        if self.shooter.is_running(self.options.shooter.still_mm) {
            self.changed_secs = time_secs;
        }
        for (unseen, over) in self.unseen.iter_mut().zip(&self.hands.over) {
            *unseen &= over;
        }
    }

    fn is_calm(&self, time_secs: f64) -> bool {
        time_secs - self.changed_secs >= self.options.verdict.calm_secs
    }

    /// Whether a man came after everything had been calm, where nothing lay then, and one of his kind was missing.
    fn is_put_back(&self, change: &Change) -> bool {
        let Some(unseen) = &self.unseen_when_calm else { return false };
        // One that is found again where it was lost never went.
        let reach_mm = self.options.anchor_mm;
        let is_same = |gone: &Change| gone.kind == change.kind && (gone.at - change.at).norm() < reach_mm;
        if self.gone.iter().any(is_same) {
            return false;
        }
        let radius_mm = self.board.pieces[change.kind].radius_mm();
        let was_seen = self.plan.share(change.at, radius_mm, |cell| !unseen[cell]);
        !change.is_gone && self.balance[change.kind] < 0 && was_seen.is_some_and(|share| share > 0.5)
    }

    /// What nothing lies on shows the bare board; what a hand seems to be over hardly does, and what looks like a
    /// man's face may be one that nobody has found yet.
    fn learn(&mut self, own: Vec<bool>, elapsed_secs: f32) {
        let view = View {
            plan: &self.plan,
            cells: &self.cells,
            bare: &self.bare,
            strange: &self.strange,
            board: &self.board,
            options: &self.options,
        };
        let is_like = |cell: usize| self.strange[cell] && self.looks.like_a_man(&view, cell).is_some();
        let like: Vec<bool> = (0..self.plan.len()).map(is_like).collect();
        // Thin lines are none.
        let mut may_be_men = vec![false; self.plan.len()];
        for cell in (0..self.plan.len()).filter(|cell| like[*cell]) {
            if self.plan.neighbours(cell).all(|next| like[next]) {
                self.plan.neighbours(cell).for_each(|next| may_be_men[next] = true);
            }
        }
        let secs = |cell: usize| match own[cell] || !self.plan.in_view[cell] || may_be_men[cell] {
            true => 0.0,
            false if self.hands.over[cell] => elapsed_secs * self.options.hand_share_learned,
            false => elapsed_secs,
        };
        let mut bare_secs: Vec<f32> = (0..self.plan.len()).map(secs).collect();
        for man in self.men.men.iter().filter(|man| man.presence != Presence::Missing) {
            let around_mm = 1.2 * self.board.pieces[man.kind].radius_mm();
            self.plan.cells_around(man.at, around_mm).for_each(|cell| bare_secs[cell] = 0.0);
        }
        self.bare.learn(&self.cells, &bare_secs, &self.options);
    }

    pub fn men(&self) -> impl Iterator<Item = &Man> {
        self.men.known()
    }

    /// What hides part of the board, in words.
    pub fn hands_in_words(&self) -> Option<String> {
        self.hands.in_words(&self.plan)
    }

    /// How many pieces lie where they were last seen without being seen now.
    pub fn unseen_men(&self) -> usize {
        self.men.known().filter(|man| man.presence != Presence::Seen).count()
    }

    pub fn hands(&self) -> &Hands {
        &self.hands
    }

    /// Where the striker lies ready on a base line, and until when it was seen there.
    pub fn ready(&self) -> Option<Sighting> {
        self.shooter.ready()
    }

    /// The striker's way in the open after a launch.
    pub fn run_of(&self, launch: &Launch) -> Option<Run> {
        self.shooter.run_of(launch)
    }

    /// Whether all that happened since the launch is known: nothing changes any more, and no piece that
    /// is missing may lie where the board was not seen.
    pub fn is_decided(&self, time_secs: f64) -> bool {
        self.is_calm(time_secs)
            && self.balance.iter().all(|balance| *balance <= 0)
            && (self.balance.iter().all(|balance| *balance == 0) || !self.may_hide_a_piece())
    }

    /// Whether a piece would fit where nothing was seen since the launch.
    fn may_hide_a_piece(&self) -> bool {
        let inner =
            |cell: &usize| self.unseen[*cell] && self.plan.neighbours(*cell).all(|next| self.unseen[next]);
        let smallest_mm = self.board.pieces.iter().map(|kind| kind.radius_mm()).fold(f64::INFINITY, f64::min);
        // Without its outermost cells.
        let radius_mm = (smallest_mm - self.plan.cell_mm).max(0.0);
        let piece_mm2 = std::f64::consts::PI * radius_mm * radius_mm * self.options.verdict.hidden_pieces;
        (0..self.plan.len()).filter(inner).count() as f64 * self.plan.cell_mm2() >= piece_mm2
    }

    /// What a frame led to, for finding out why something was seen or not.
    pub fn story(&self) -> String {
        let name = |kind: usize| self.board.pieces[kind].name.as_str();
        let mut text = format!("hands {}", self.hands.cells);
        if let Some(now) = self.shooter.now {
            let Sighting { at, share, hand_share, .. } = now;
            text += &format!(" striker {:.0},{:.0} {share:.2} hand {hand_share:.2}", at.x, at.y);
        }
        if let Some(ready) = self.shooter.ready() {
            text += &format!(" ready {:.0},{:.0}", ready.at.x, ready.at.y);
        }
        for man in self.men.known().filter(|man| man.presence != Presence::Seen) {
            text += &format!(" {:?} {} {:.0},{:.0}", man.presence, name(man.kind), man.at.x, man.at.y);
        }
        let men = self.board.pieces.iter().filter(|kind| !kind.shooter);
        let radius_mm = men.map(|kind| kind.radius_mm()).fold(f64::INFINITY, f64::min);
        for thing in &self.things {
            let ([faces, reach], at) = (thing.size(&self.plan, radius_mm), thing.middle(&self.plan));
            text += &format!(" thing {:.0},{:.0} {faces:.1} faces {reach:.1} radii", at.x, at.y);
        }
        for change in &self.changes {
            let sign = if change.is_gone { '-' } else { '+' };
            text += &format!(" {sign}{} {:.0},{:.0}", name(change.kind), change.at.x, change.at.y);
        }
        text
    }

    /// Marks in a picture what was seen in it: hands, pieces (seen, hidden, overlooked), the striker.
    pub fn draw(&self, picture: &mut image::RgbImage) {
        self.plan.tint(picture, |cell| self.hands.over[cell].then_some(HAND_TINT));
        let ring = |at: Point, radius_mm: f64| {
            let cell_mm = self.plan.cell_mm;
            self.plan
                .cells_around(at, radius_mm + cell_mm / 2.0)
                .filter(move |cell| (self.plan.point_at(*cell) - at).norm() > radius_mm - cell_mm / 2.0)
        };
        let mut marks = vec![None; self.plan.len()];
        for man in self.men.known() {
            let tint = match man.presence {
                Presence::Seen => SEEN_TINT,
                Presence::Hidden => HIDDEN_TINT,
                Presence::Overlooked | Presence::Missing => MISSING_TINT,
            };
            ring(man.at, self.board.pieces[man.kind].radius_mm()).for_each(|cell| marks[cell] = Some(tint));
        }
        if let (Some(now), Some(kind)) =
            (self.shooter.now, self.board.pieces.iter().find(|kind| kind.shooter))
        {
            ring(now.at, kind.radius_mm()).for_each(|cell| marks[cell] = Some(STRIKER_TINT));
        }
        self.plan.tint(picture, |cell| marks[cell]);
    }

    /// The pieces as the strike left them, before hands put men back.
    pub fn lying_after_strike(&self, exact: &[Lying], sigma_mm: f64) -> Vec<Lying> {
        let mut lying = self.lying(exact, sigma_mm);
        let was_put =
            |piece: &Lying| self.put_back.iter().any(|at| (piece.at() - at).norm() < self.options.anchor_mm);
        lying.retain(|piece| !was_put(piece));
        lying
    }

    pub fn has_put_back(&self) -> bool {
        !self.put_back.is_empty()
    }

    /// The pieces as they are known to lie; those of a report (exact) where it has them.
    pub fn lying(&self, exact: &[Lying], sigma_mm: f64) -> Vec<Lying> {
        let near = |at: Point, reach_mm: f64| {
            let apart = |piece: &&Lying| (piece.at() - at).norm();
            let near = exact.iter().filter(|piece| apart(piece) < reach_mm);
            near.min_by(|a, b| apart(a).total_cmp(&apart(b)))
        };
        let known = |kind: usize, at: Point| {
            let kind = &self.board.pieces[kind].name;
            match near(at, self.options.anchor_mm) {
                Some(piece) => Lying { kind: kind.clone(), ..piece.clone() },
                None => Lying {
                    kind: kind.clone(),
                    x_mm: at.x,
                    y_mm: at.y,
                    sigma_mm,
                    state: PieceState::Live,
                    id: 0,
                },
            }
        };
        let mut lying: Vec<Lying> = self.men.known().map(|man| known(man.kind, man.at)).collect();
        let Some((shooter, kind)) = self.board.pieces.iter().enumerate().find(|(_, kind)| kind.shooter)
        else {
            return lying;
        };
        let of_report = exact.iter().find(|piece| piece.kind == kind.name);
        let is_free =
            |piece: &&Lying| self.men.known().all(|man| (man.at - piece.at()).norm() > kind.radius_mm());
        match (self.shooter.now, of_report.filter(is_free)) {
            (Some(now), _) if now.share >= self.options.shooter.lying_share => {
                lying.push(known(shooter, now.at))
            }
            (_, Some(piece)) => lying.push(piece.clone()),
            _ => {}
        }
        lying.sort_by(|a, b| {
            (a.kind.as_str(), a.y_mm)
                .partial_cmp(&(b.kind.as_str(), b.y_mm))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        lying
    }
}

#[cfg(test)]
mod tests;
