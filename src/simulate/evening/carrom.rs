//! Strikes of the carrom games: a hand brings the striker, it is struck, a hand takes it away and
//! returns what the rules return.

use serde_json::{Value, json};

use crate::board::{BoardSide, Line, LineRole};
use crate::geometry::{Paint, Point, Vector};
use crate::rules::event::{Event, Foul, StrikeEvent, StrikerFate};
use crate::rules::{GameId, Side, Special};

use super::aim::{Pot, Shooter, Target};
use super::{EveningError, EveningTruth, FRICTION_MM_S2, HOP_FRAME_MM_S, Table};
use crate::simulate::physics::Left;
use crate::simulate::sequence::SequencePart;
use crate::simulate::stage::{Act, Phase, Slide};

/// Discs at the centre are this far apart.
const PACKED_MM: f64 = 0.2;
/// A returned disc keeps this much room around it.
const ROOM_MM: f64 = 0.5;
/// How well players aim: standard deviation in radians.
const AIM_RAD: f64 = 0.004;
const BREAK_MM_S: f64 = 1900.0;
/// Strikes of an evening at most, so that it ends whatever happens.
const MOST_STRIKES: usize = 500;
/// Where a shooter stands between the side and a single base line, as a share of the way.
const BEHIND_BASE: f64 = 0.6;
/// The share of a base line's length that a placed striker keeps from its ends, clear of the moons.
const CLEAR_OF_MOONS: f64 = 0.13;
/// As near to an end as this it cuts the moon.
const CUTS_MOON: f64 = 0.04;
/// Places along the base line that a player considers.
const PLACES: usize = 13;

/// What a player means to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Intent {
    Pot,
    /// The striker goes for a pocket itself.
    Scratch,
    /// So hard that the striker leaves the board.
    Wild,
    /// The striker stands on a moon's edge.
    Misplaced,
    /// Hardly moves anything.
    Weak,
}

pub fn play(mut table: Table<'_>) -> Result<EveningTruth, EveningError> {
    let Some(kind) = table.board.pieces.iter().find(|kind| kind.shooter) else {
        return Ok(table.into_truth());
    };
    let name = kind.name.clone();
    let mut piece = table.piece(&name, 0.0, 0.0);
    if let Some(people) = &table.people {
        piece.paint = people.striker.clone();
    }
    let striker = table.stage.add_aside(piece);
    let mut game = Game { table, striker, rounds: 0, first_turn: None, is_broken: false };
    game.lay_out(false)?;
    let most = game.table.options.strikes.unwrap_or(MOST_STRIKES).min(MOST_STRIKES);
    for _ in 0..most {
        if game.rounds >= game.table.options.rounds || !game.strike()? {
            break;
        }
    }
    Ok(game.table.into_truth())
}

struct Game<'a> {
    table: Table<'a>,
    striker: usize,
    /// Games or innings that are over.
    rounds: usize,
    /// Who has a game's first turn, while it lasts.
    first_turn: Option<Side>,
    /// Whether the centre group was disturbed.
    is_broken: bool,
}

/// A strike as it is planned.
struct Plan {
    at: Point,
    velocity: Vector,
    misplaced: bool,
}

/// A player's base line: its ends, on the middle between its lines, and the way inward.
struct Base {
    from: Point,
    to: Point,
    inward: Vector,
}

impl Game<'_> {
    fn strike(&mut self) -> Result<bool, EveningError> {
        let Some(seat) = self.table.record.state().to_play() else { return Ok(false) };
        let side = board_side(seat.side);
        self.table.stage.begin(self.table.shots.len());
        let plan = self.plan(seat.side);
        self.table.stage.body_mut(self.striker).at = plan.at;
        let placing = match self.table.people.take() {
            None => self.table.stage.handle(side, &[Act::Bring(self.striker)])?,
            Some(mut people) => {
                let opposite = board_side(seat.side.other());
                self.table.others_move(&mut people, &[BoardSide::Left, BoardSide::Right, opposite]);
                let base = self.base(side);
                let way = [base.from, base.to];
                let placing = self.table.place_striker(&mut people, (self.striker, side), plan.at, way);
                self.table.people = Some(people);
                placing?
            }
        };
        let placed = self.table.rest()?;
        let place_mm = self.table.stage.place_mm(self.striker);
        self.table.stage.body_mut(self.striker).velocity_mm_s = plan.velocity;
        let slide = self.table.stage.slide(self.striker)?;
        let still = self.table.rest()?;
        let mut told = self.table.stage.told(&slide);
        let strike = self.as_recorded(seat.side, &slide, plan.misplaced);
        let event = self.table.events.len();
        let known_at = self.table.last_frame();
        self.table.happens(Event::Strike(strike), known_at)?;
        let after = self.table.record.log().last();
        let is_over = after.is_some_and(|logged| {
            logged.entry.game_won_by.is_some() || logged.entry.remarks.contains(&"the inning ends")
        });
        let next = self.table.record.state().to_play();
        if next.is_none_or(|next| next.side != seat.side) {
            self.first_turn = None;
        }
        let hand =
            if is_over { self.finish(side)? } else { self.tidy(next.map_or(side, |n| board_side(n.side)))? };
        told.insert("event".to_owned(), json!(event));
        told.insert("by".to_owned(), json!(self.table.record.state().setup().name(seat.side)));
        told.insert("placed".to_owned(), json!({"at": place_mm, "side": side, "foul": plan.misplaced}));
        told.insert("placing_frames".to_owned(), json!(placing));
        told.insert("placed_frames".to_owned(), json!(placed));
        told.insert("still_frames".to_owned(), json!(still));
        told.insert("hand_frames".to_owned(), json!(hand));
        self.table.shots.push(Value::Object(told));
        Ok(next.is_some())
    }

    /// Lays the discs out at the centre; `by_hand`: a hand brings them.
    fn lay_out(&mut self, by_hand: bool) -> Result<Vec<usize>, EveningError> {
        let setup = self.table.record.state().setup();
        let mut colours = Vec::new();
        let special = self
            .table
            .board
            .pieces
            .iter()
            .find(|kind| !kind.shooter && setup.colours.find(|colour| *colour == kind.name).is_none());
        let counts = setup.colours.iter().map(|(_, colour)| {
            let count = self.table.board.piece(colour).map_or(0, |kind| kind.count);
            (colour.clone(), count)
        });
        let counts: Vec<(String, usize)> = counts.collect();
        colours.extend(special.map(|kind| kind.name.clone()));
        for i in 0..counts.iter().map(|(_, count)| *count).max().unwrap_or(0) {
            colours.extend(counts.iter().filter(|(_, count)| i < *count).map(|(colour, _)| colour.clone()));
        }
        let diameter = colours
            .iter()
            .filter_map(|colour| self.table.board.piece(colour))
            .map(|kind| kind.diameter_mm)
            .fold(0.0, f64::max);
        let middle = self.middle();
        let turn = self.table.dice.between(0.0, std::f64::consts::TAU);
        let mut laid = Vec::new();
        for (colour, at) in colours.iter().zip(packed(diameter + PACKED_MM, turn)) {
            let piece = self.table.piece(colour, middle.x + at.x, middle.y + at.y);
            laid.push(self.table.stage.add_aside(piece));
        }
        let mut frames = Vec::new();
        if by_hand {
            // One hand lays the group down at once; the first disc is where it reaches to.
            let act = |(i, index): (usize, &usize)| {
                if i == 0 { Act::Bring(*index) } else { Act::BringToo(*index) }
            };
            let acts: Vec<Act> = laid.iter().enumerate().map(act).collect();
            frames = self.table.stage.handle(BoardSide::Near, &acts)?;
        } else {
            for index in laid {
                self.table.stage.body_mut(index).left = None;
            }
        }
        self.table.stage.hold(Phase::Empty, self.table.options.empty_frames.max(1))?;
        self.first_turn = self.table.record.state().to_play().map(|seat| seat.side);
        self.is_broken = false;
        Ok(frames)
    }

    fn middle(&self) -> Point {
        let surface = &self.table.board.surface;
        Point::new(surface.width_mm / 2.0, surface.length_mm / 2.0)
    }

    fn as_recorded(&mut self, side: Side, slide: &Slide, misplaced: bool) -> StrikeEvent {
        let stage = &self.table.stage;
        let moved: Vec<usize> = stage.moved(slide).filter(|i| *i != self.striker).collect();
        let of = |left: &[Left]| -> Vec<String> {
            let gone = moved.iter().filter(|i| stage.left(**i).is_some_and(|l| left.contains(&l)));
            gone.map(|i| stage.colour(*i).to_owned()).collect()
        };
        let pocketed = of(&[Left::Pocketed]);
        let off_board = of(&[Left::OffTheSide, Left::OffTheEnd]);
        let striker = match stage.left(self.striker) {
            None | Some(Left::Removed) => StrikerFate::InPlay,
            Some(Left::Pocketed) => StrikerFate::Pocketed,
            Some(Left::OffTheSide | Left::OffTheEnd) => StrikerFate::OffBoard,
        };
        let mut event = StrikeEvent { pocketed, off_board, striker, ..StrikeEvent::default() };
        if self.table.options.game == GameId::Kagw {
            let breaks = self.first_turn == Some(side) && !self.is_broken;
            self.is_broken |= !moved.is_empty();
            event.disturbed = (breaks && moved.is_empty()).then_some(false);
            event.fouls = misplaced.then(|| vec![Foul::Placement]);
        } else if self.table.options.cushion {
            let base = self.base(board_side(side));
            let first = slide.first_piece().and_then(|index| slide.place_before(index));
            let inside = first.is_some_and(|at| (at - base.from).dot(&base.inward) < 0.0);
            event.cushioned = inside.then(|| slide.side_before_piece());
        }
        event
    }

    /// After a strike: the striker is taken away, and what the rules return comes back.
    fn tidy(&mut self, side: BoardSide) -> Result<Vec<usize>, EveningError> {
        if self.table.people.is_some() {
            // The one who has played draws back when the other reaches in.
            self.table.others_leave();
        }
        let mut acts = Vec::new();
        if self.table.stage.left(self.striker).is_none() {
            acts.push(Act::Take(self.striker));
        }
        let returned = self.to_return();
        for index in returned {
            let at = self.free_place(index);
            self.table.stage.body_mut(index).at = at;
            acts.push(Act::Bring(index));
            // It takes its room before the next one looks for some.
            self.table.stage.body_mut(index).left = None;
        }
        for act in &acts {
            if let Act::Bring(index) = act {
                self.table.stage.body_mut(*index).left = Some(Left::Removed);
            }
        }
        Ok(self.table.stage.handle(side, &acts)?)
    }

    /// Discs that are down and by the rules lie on the board.
    fn to_return(&self) -> Vec<usize> {
        let state = self.table.record.state();
        let Some(rules) = state.table() else { return Vec::new() };
        let stage = &self.table.stage;
        let mut wanted: Vec<(String, usize)> = state
            .colours()
            .iter()
            .map(|(side, colour)| (colour.clone(), rules.on_board[side] as usize))
            .collect();
        let special = self
            .table
            .board
            .pieces
            .iter()
            .find(|kind| !kind.shooter && state.colours().find(|colour| *colour == kind.name).is_none());
        if let (Some(kind), Some(Special::OnBoard)) = (special, rules.special) {
            wanted.push((kind.name.clone(), 1));
        }
        let mut back = Vec::new();
        for (colour, count) in wanted {
            let lying = stage.on_board().filter(|i| stage.colour(*i) == colour).count();
            let down = (0..stage.bodies().len()).rev().filter(|i| {
                stage.colour(*i) == colour && stage.left(*i).is_some_and(|left| left != Left::Removed)
            });
            back.extend(down.take(count.saturating_sub(lying)));
        }
        back
    }

    /// The free place nearest to the centre.
    fn free_place(&self, index: usize) -> Point {
        let stage = &self.table.stage;
        let radius = stage.bodies()[index].radius_mm;
        let middle = self.middle();
        let is_free = |at: &Point| {
            stage.on_board().filter(|i| *i != index && *i != self.striker).all(|i| {
                let other = &stage.bodies()[i];
                (at - other.at).norm() > radius + other.radius_mm + ROOM_MM
            })
        };
        // Rings about the centre, near ones first.
        let rings = (0..60).flat_map(|ring| (0..24).map(move |step| (ring, step)));
        let places = rings.map(|(ring, step)| {
            let angle = f64::from(step) / 24.0 * std::f64::consts::TAU;
            middle + Vector::new(angle.cos(), angle.sin()) * (4.0 * f64::from(ring))
        });
        places.into_iter().find(is_free).unwrap_or(middle)
    }

    /// A game or inning is over: hands clear the board and lay it out anew.
    fn finish(&mut self, side: BoardSide) -> Result<Vec<usize>, EveningError> {
        self.rounds += 1;
        self.table.others_leave();
        let mut frames = Vec::new();
        let left: Vec<usize> = self.table.stage.on_board().collect();
        for handful in left.chunks(6) {
            let acts: Vec<Act> = handful.iter().map(|index| Act::Take(*index)).collect();
            frames.extend(self.table.stage.handle(side, &acts)?);
        }
        self.table.stage.put_away();
        let goes_on =
            self.rounds < self.table.options.rounds && self.table.record.state().to_play().is_some();
        if goes_on {
            frames.extend(self.lay_out(true)?);
        } else {
            self.table.stage.hold(Phase::Empty, self.table.options.empty_frames)?;
        }
        Ok(frames)
    }

    fn plan(&mut self, side: Side) -> Plan {
        let base = self.base(board_side(side));
        let intents = [
            (Intent::Pot, 1.0),
            (Intent::Scratch, 0.05),
            (Intent::Wild, 0.03),
            (Intent::Misplaced, if self.table.options.game == GameId::Kagw { 0.05 } else { 0.0 }),
            (Intent::Weak, 0.05),
        ];
        let intent = self.table.dice.weighted(&intents, Intent::Pot);
        let at_share = |share: f64| base.from + (base.to - base.from) * share;
        let radius = self.table.stage.bodies()[self.striker].radius_mm;
        let targets = self.targets();
        let is_free = |at: &Point| targets.iter().all(|t| (at - t.at).norm() > radius + t.radius_mm + 0.2);
        if intent == Intent::Misplaced {
            let share = if self.table.dice.chance(0.5) { CUTS_MOON } else { 1.0 - CUTS_MOON };
            let at = at_share(share);
            if is_free(&at) {
                let velocity = (self.middle() - at).normalize() * self.table.dice.between(700.0, 1200.0);
                return Plan { at, velocity, misplaced: true };
            }
        }
        let places: Vec<Point> = (0..PLACES)
            .map(|i| at_share(CLEAR_OF_MOONS + (1.0 - 2.0 * CLEAR_OF_MOONS) * i as f64 / (PLACES - 1) as f64))
            .filter(is_free)
            .collect();
        let at = self.table.dice.pick(&places).copied().unwrap_or(at_share(0.5));
        let plan = |at: Point, velocity: Vector| Plan { at, velocity, misplaced: false };
        match intent {
            Intent::Scratch => {
                let pockets = self.table.board.pockets.clone();
                let ahead: Vec<Point> = pockets
                    .iter()
                    .map(|pocket| pocket.centre)
                    .filter(|centre| (centre - at).dot(&base.inward) > 100.0)
                    .collect();
                let aimed = self.table.dice.pick(&ahead).copied().unwrap_or(self.middle());
                return plan(at, super::aim::to_rest_at(at, aimed + (aimed - at) * 0.3, FRICTION_MM_S2));
            }
            Intent::Wild => {
                let across = Vector::new(-base.inward.y, base.inward.x) * self.table.dice.bell(0.1);
                return plan(at, (base.inward + across).normalize() * (1.5 * HOP_FRAME_MM_S));
            }
            Intent::Weak => {
                let short = self.table.dice.between(40.0, 120.0);
                return plan(at, super::aim::to_rest_at(at, at + base.inward * short, FRICTION_MM_S2));
            }
            Intent::Pot | Intent::Misplaced => {}
        }
        if !self.is_broken && self.first_turn == Some(side) {
            let aimed = self.middle() + Vector::new(self.table.dice.bell(6.0), 0.0);
            let at = at_share(0.5);
            return plan(at, (aimed - at).normalize() * BREAK_MM_S);
        }
        let Pot { from, direction, speed_mm_s, .. } = match self.easiest_pot(side, &base, &places, &targets) {
            Some(pot) => pot,
            None => {
                // Nothing is open: into the thick of it.
                let aimed = self.table.dice.pick(&targets).map_or(self.middle(), |target| target.at);
                let way = aimed - at;
                let forward = if way.dot(&base.inward) > 0.2 * way.norm() { way } else { base.inward };
                Pot { from: at, direction: forward.normalize(), speed_mm_s: 1300.0, ease: 0.0 }
            }
        };
        let (sin, cos) = self.table.dice.bell(AIM_RAD).sin_cos();
        let direction =
            Vector::new(cos * direction.x - sin * direction.y, sin * direction.x + cos * direction.y);
        plan(from, direction * speed_mm_s)
    }

    fn targets(&self) -> Vec<Target> {
        let stage = &self.table.stage;
        let lying = stage.on_board().filter(|i| *i != self.striker);
        lying
            .map(|index| {
                let body = &stage.bodies()[index];
                Target { index, at: body.at, radius_mm: body.radius_mm, mass: body.mass }
            })
            .collect()
    }

    fn easiest_pot(&self, side: Side, base: &Base, places: &[Point], all: &[Target]) -> Option<Pot> {
        let stage = &self.table.stage;
        let state = self.table.record.state();
        let own = &state.colours()[side];
        let theirs = &state.colours()[side.other()];
        let special_wanted = state.table().is_some_and(|table| {
            let full = state.setup().kind_of(side, own).count as u32;
            table.special == Some(Special::OnBoard) && table.on_board[side] < full
        });
        let wanted: Vec<Target> = all
            .iter()
            .copied()
            .filter(|target| {
                let colour = stage.colour(target.index);
                colour == own || (special_wanted && colour != theirs)
            })
            // Discs behind the base line may not be struck before it is crossed (K2).
            .filter(|target| (target.at - base.from).dot(&base.inward) > 2.0 * target.radius_mm)
            .collect();
        let body = &stage.bodies()[self.striker];
        let shooter = Shooter {
            radius_mm: body.radius_mm,
            mass: body.mass,
            friction_mm_s2: FRICTION_MM_S2,
            restitution: SequencePart::default().restitution,
            pockets: &self.table.board.pockets,
        };
        shooter.easiest_pot(places, base.inward, &wanted, all)
    }

    fn base(&self, side: BoardSide) -> Base {
        let lines = |role: LineRole| {
            let of_role = move |line: &&Line| line.base == Some(side) && line.role == role;
            self.table.board.lines.iter().filter(of_role).find_map(|line| match line.paint {
                Paint::Stroke { from, to, .. } => Some((from, to)),
                _ => None,
            })
        };
        let inward = match side {
            BoardSide::Near => Vector::new(0.0, 1.0),
            BoardSide::Far => Vector::new(0.0, -1.0),
            BoardSide::Left => Vector::new(1.0, 0.0),
            BoardSide::Right => Vector::new(-1.0, 0.0),
        };
        if let (Some(rear), Some(front)) = (lines(LineRole::BaseRear), lines(LineRole::BaseFront)) {
            let middle = |a: &Point, b: &Point| nalgebra::center(a, b);
            return Base { from: middle(&rear.0, &front.0), to: middle(&rear.1, &front.1), inward };
        }
        let surface = &self.table.board.surface;
        let corner = Point::new(surface.width_mm, surface.length_mm);
        let (from, to) = lines(LineRole::Base).unwrap_or((Point::origin(), corner));
        // From the side to a single base line; a shooter stands in between.
        let depth = match side {
            BoardSide::Near => from.y,
            BoardSide::Left => from.x,
            BoardSide::Far => corner.y - from.y,
            BoardSide::Right => corner.x - from.x,
        };
        let back = inward * (depth * (1.0 - BEHIND_BASE));
        Base { from: from - back, to: to - back, inward }
    }
}

/// First and second side sit opposite.
fn board_side(side: Side) -> BoardSide {
    match side {
        Side::First => BoardSide::Near,
        Side::Second => BoardSide::Far,
    }
}

/// Places of closely packed discs about the origin, from the middle outward.
fn packed(apart: f64, turn: f64) -> impl Iterator<Item = Vector> {
    let mut places = Vec::new();
    for row in -5_i32..=5 {
        for column in -5_i32..=5 {
            let (row, column) = (f64::from(row), f64::from(column));
            places.push(Vector::new(column + row / 2.0, row * 0.75_f64.sqrt()) * apart);
        }
    }
    places.sort_by(|a, b| {
        let near = |v: &Vector| (v.norm() * 1e3).round();
        near(a).total_cmp(&near(b)).then(a.y.atan2(a.x).total_cmp(&b.y.atan2(b.x)))
    });
    let (sin, cos) = turn.sin_cos();
    places.into_iter().map(move |v| Vector::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y))
}
