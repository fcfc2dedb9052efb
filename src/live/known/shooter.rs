//! The striker: a tracker of its own, and when it is launched.
//!
//! In: the plan's cells, detection's strikers and the hands of each frame. Out: where the striker
//! lies or moves, and [`Launch`]es. It is under a finger until it goes, so detection sees it seldom
//! there and its look is learned: the middle of the looks of things of its size that are no piece's.
//! A launch is a striker that lay still on a base line and is far away at once with no hand beside it:
//! a hand that slides it stays with it.

use std::collections::VecDeque;

use super::{
    found::{Looks, View},
    hands::Hands,
    options::ShooterOptions,
    plan::{Plan, Stops, apart, dot, is_base, median, minus},
};
use crate::{
    board::Board,
    detect::{Detection, Foreign, ForeignReason},
    geometry::{Disc, Point, Vector},
};

/// The striker in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sighting {
    pub at: Point,
    pub time_secs: f64,
    /// Share of its face that looks like it.
    pub share: f64,
    /// Share of a disc around it that is under a hand.
    pub hand_share: f64,
    /// How far it has come since the frame before.
    pub step_mm: Vector,
}

/// The striker went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Launch {
    pub from: Point,
    /// When it was last seen lying there.
    pub lay_secs: f64,
    pub time_secs: f64,
    /// A hand was at it until it went.
    pub held: bool,
    /// Where it was seen first on its way.
    pub first_seen: Point,
}

/// The striker's way in the open after a launch, until a hand took it, it fell or it was launched again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    launched_secs: f64,
    pub last: Sighting,
    pub is_still: bool,
    is_over: bool,
}

/// Follows the striker.
#[derive(Debug, Clone, Default)]
pub struct Shooter {
    looks: VecDeque<Stops>,
    /// In the frame before.
    pub before: Option<Sighting>,
    last: Option<Sighting>,
    /// Lay still on a base line: where and until when.
    ready: Option<Sighting>,
    /// The cells of the frame in which it last did.
    ready_cells: Vec<Stops>,
    pub now: Option<Sighting>,
    /// The last launch's run, and the one's before.
    runs: [Option<Run>; 2],
    last_frame_secs: Option<f64>,
}

impl Shooter {
    /// Where it lies ready on a base line.
    pub fn ready(&self) -> Option<Sighting> {
        self.ready
    }

    /// Nothing has moved until now.
    pub fn rests(&mut self, time_secs: f64) {
        if let (Some(ready), Some(last)) = (&mut self.ready, &self.last)
            && ready.time_secs == last.time_secs
        {
            ready.time_secs = time_secs;
        }
        self.last.iter_mut().chain(&mut self.now).for_each(|seen| seen.time_secs = time_secs);
        self.last_frame_secs = Some(time_secs);
    }

    /// Looks for the striker in a frame, before hands are known.
    pub fn see(
        &mut self,
        view: &View<'_>,
        detection: &Detection,
        looks: &Looks,
        is_man: impl Fn(Point) -> bool,
        time_secs: f64,
    ) -> Option<Point> {
        let (kind, shooter) = view.board.pieces.iter().enumerate().find(|(_, kind)| kind.shooter)?;
        let (options, radius_mm) = (&view.options.shooter, shooter.radius_mm());
        let told = detected(view, detection, looks, kind, is_man);
        if let Some((_, look)) = told.first().filter(|(at, _)| view.strange_share(*at, radius_mm) > 0.8) {
            self.looks.push_back(*look);
            while self.looks.len() > options.looks {
                self.looks.pop_front();
            }
        }
        let look = self.look(options).unwrap_or(looks.of(kind));
        // A striker that looks like the men is told by its size alone.
        let by_look =
            tells(look, looks, view.board).then(|| seen_by_look(view, look, radius_mm, options)).flatten();
        let lies = by_look.filter(|(_, share)| *share > options.lying_share);
        let told = told.first().map(|(at, _)| (*at, options.lying_share));
        let seen = lies.or(told).or(by_look);
        self.now = seen.map(|(at, share)| Sighting {
            at,
            time_secs,
            share,
            hand_share: 0.0,
            step_mm: Vector::zeros(),
        });
        self.now.map(|seen| seen.at)
    }

    /// Its look beside the surface, as it was learned.
    pub fn look(&self, options: &ShooterOptions) -> Option<Stops> {
        let mut looks: Vec<Stops> = self.looks.iter().copied().collect();
        median(&mut looks).filter(|_| looks.len() >= options.looks_least)
    }

    /// Now that the hands of the frame are known: was it launched?
    pub fn follow(&mut self, view: &View<'_>, hands: &Hands) -> Option<Launch> {
        let View { plan, board, .. } = *view;
        let options = &view.options.shooter;
        let radius_mm = board.pieces.iter().find(|kind| kind.shooter)?.radius_mm();
        if let Some(now) = &mut self.now {
            now.hand_share = plan.share(now.at, 1.3 * radius_mm, |cell| hands.over[cell]).unwrap_or(1.0);
            now.step_mm = self.last.map_or_else(Vector::zeros, |last| now.at - last.at);
        }
        let before = std::mem::replace(&mut self.last, self.now);
        self.before = before;
        let now = self.now?;
        let between_secs =
            self.last_frame_secs.replace(now.time_secs).map_or(0.0, |then| now.time_secs - then);
        let launch = self.launch(now, between_secs, view, hands, radius_mm);
        let is_still = before.is_some() && now.step_mm.norm() < options.still_mm;
        self.run(now, is_still, launch.is_some(), between_secs, options);
        let lies = now.share >= options.lying_share && is_still;
        if launch.is_some() {
            self.ready = None;
        } else if lies && is_on_base_line(board, now.at, radius_mm) {
            self.ready = Some(now);
            self.ready_cells.clear();
            self.ready_cells.extend_from_slice(view.cells);
        } else if lies && now.hand_share < options.hand_share {
            // It lies in the open elsewhere.
            self.ready = None;
        }
        launch
    }

    /// Follows it on its way.
    fn run(
        &mut self,
        now: Sighting,
        is_still: bool,
        is_launched: bool,
        between_secs: f64,
        options: &ShooterOptions,
    ) {
        if is_launched {
            let run = Run { launched_secs: now.time_secs, last: now, is_still: false, is_over: false };
            self.runs = [Some(run), self.runs[0]];
        } else if let Some(run) = &mut self.runs[0] {
            let unseen_secs = now.time_secs - run.last.time_secs;
            run.is_over |= unseen_secs > options.launch_secs.max(2.0 * between_secs) + 1e-6
                || now.hand_share >= options.hand_share;
            if !run.is_over {
                (run.last, run.is_still) = (now, is_still);
            }
        }
    }

    /// Whether it is on its way after a launch, farther than this a frame.
    pub fn is_running(&self, still_mm: f64) -> bool {
        let run = self.runs[0].filter(|run| !run.is_over);
        run.zip(self.now)
            .is_some_and(|(run, now)| run.last.time_secs == now.time_secs && now.step_mm.norm() > still_mm)
    }

    /// The run that began with a launch.
    pub fn run_of(&self, launch: &Launch) -> Option<Run> {
        self.runs.iter().flatten().find(|run| run.launched_secs == launch.time_secs).copied()
    }

    fn launch(
        &self,
        now: Sighting,
        between_secs: f64,
        view: &View<'_>,
        hands: &Hands,
        radius_mm: f64,
    ) -> Option<Launch> {
        let options = &view.options.shooter;
        let ready = self.ready?;
        let within_secs = options.launch_secs.max(2.0 * between_secs) + 1e-6;
        let is_far = (now.at - ready.at).norm() > options.launch_mm;
        let is_free = now.hand_share < options.hand_share;
        if !is_far || !is_free || now.time_secs - ready.time_secs > within_secs {
            return None;
        }
        // It is gone from where it lay, and has come where nothing like it was.
        let changed = |cell: usize| {
            let was = self.ready_cells.get(cell);
            was.is_none_or(|was| apart(*was, view.cells[cell]) > options.changed_step)
        };
        let share = |at: Point, or: &dyn Fn(usize) -> bool| {
            view.plan.share(at, radius_mm, |cell| changed(cell) || or(cell)).unwrap_or(1.0)
        };
        let has_gone = share(ready.at, &|cell| hands.over[cell]) >= options.changed_share;
        let has_come = share(now.at, &|_| false) >= options.changed_share;
        (has_gone && has_come).then_some(Launch {
            from: ready.at,
            lay_secs: ready.time_secs,
            time_secs: now.time_secs,
            held: ready.hand_share >= options.hand_share,
            first_seen: now.at,
        })
    }
}

/// Whether a striker touches a base line.
fn is_on_base_line(board: &Board, at: Point, radius_mm: f64) -> bool {
    let disc = Disc { centre: at, radius_mm };
    let mut base = board.lines.iter().filter(|line| is_base(line.role)).peekable();
    base.peek().is_none() || base.any(|line| disc.gap_mm(&line.paint) < 0.0)
}

/// Detection's strikers that are no men, with their looks, the surest first.
fn detected(
    view: &View<'_>,
    detection: &Detection,
    looks: &Looks,
    kind: usize,
    is_man: impl Fn(Point) -> bool,
) -> Vec<(Point, Stops)> {
    let radius_mm = view.board.pieces[kind].radius_mm();
    let sure = |probability: f64| probability >= view.options.shooter.sure_kind;
    let pieces = detection.pieces.iter().filter(|piece| piece.kind == kind && sure(piece.kind_probability));
    // A maker's striker has any colour: something of its size that no kind explains may be it.
    let is_sized = |thing: &&Foreign| {
        let size_mm = |kind: usize| view.board.pieces[kind].diameter_mm;
        thing.reason == ForeignReason::Colour && size_mm(thing.sized_like) == size_mm(kind)
    };
    let foreign = detection.foreign.iter().filter(is_sized).map(|thing| thing.centre);
    let own = |at: Point| {
        let look = view.look(at, radius_mm)?;
        let (_, off) = looks.nearest(look, view.board)?;
        // A man's face has a man's look.
        (off > LIKE_A_MAN && !is_man(at)).then_some((at, look))
    };
    pieces.map(|piece| piece.centre).chain(foreign).filter_map(own).collect()
}

/// A look nearer to a man's than this is a man's.
const LIKE_A_MAN: f32 = 0.3;

/// The place that most looks like the striker, and which share of its face does.
fn seen_by_look(
    view: &View<'_>,
    look: Stops,
    radius_mm: f64,
    options: &ShooterOptions,
) -> Option<(Point, f64)> {
    let (plan, square) = (view.plan, dot(look, look));
    if square < 1e-3 {
        return None;
    }
    let is_like = |cell: usize| {
        if !view.strange[cell] || !plan.on_surface[cell] {
            return false;
        }
        let seen = minus(view.cells[cell], view.bare.surface[cell]);
        let strength = dot(seen, look) / square;
        let rest = minus(seen, look.map(|channel| channel * strength));
        options.strength.contains(&strength) && dot(rest, rest).sqrt() < options.off_look
    };
    let like: Vec<bool> = (0..plan.len()).map(is_like).collect();
    let at = densest(plan, &like, radius_mm)?;
    let (mut sum, mut count) = (Vector::zeros(), 0.0);
    for cell in plan.cells_around(at, 1.2 * radius_mm).filter(|cell| like[*cell]) {
        sum += plan.point_at(cell) - at;
        count += 1.0;
    }
    let at = if count > 0.0 { at + sum / count } else { at };
    let share = plan.share(at, radius_mm, |cell| like[cell])?;
    (share > options.moving_share).then_some((at, share))
}

/// The middle of the square as large as the striker with most such cells in it.
fn densest(plan: &Plan, like: &[bool], radius_mm: f64) -> Option<Point> {
    let (width, height) = (plan.width, plan.height);
    let mut sums = vec![0u32; (width + 1) * (height + 1)];
    for row in 0..height {
        let mut line = 0;
        for column in 0..width {
            line += u32::from(like[row * width + column]);
            sums[(row + 1) * (width + 1) + column + 1] = sums[row * (width + 1) + column + 1] + line;
        }
    }
    let half = (radius_mm / plan.cell_mm).round().max(1.0) as usize;
    let mut best = (0u32, 0usize);
    for row in 0..height {
        let (low, high) = (row.saturating_sub(half), (row + half + 1).min(height));
        for column in 0..width {
            let (left, right) = (column.saturating_sub(half), (column + half + 1).min(width));
            let at = |row: usize, column: usize| sums[row * (width + 1) + column];
            let count = at(high, right) + at(low, left) - at(low, right) - at(high, left);
            if count > best.0 {
                best = (count, row * width + column);
            }
        }
    }
    (best.0 > 0).then(|| plan.point_at(best.1))
}

/// Whether a look is one that tells the striker from the men.
fn tells(look: Stops, looks: &Looks, board: &Board) -> bool {
    looks.nearest(look, board).is_none_or(|(kind, _)| apart(look, looks.of(kind)) > LIKE_A_MAN)
}
