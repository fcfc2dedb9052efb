//! The table while it is filmed: pieces that slide, hands that take them away and bring them.
//!
//! In: pieces, shots and what hands do, in order. Out: one scene a frame, each with its own truth,
//! handed on as it is made, and what is to be told of every shot.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::board::{BoardSide, End};
use crate::calls::{self, CallOptions, PaintEdge, PieceState, Sighting};
use crate::geometry::{Point, Vector};

use super::load::{Scene, SceneError};
use super::physics::{Body, Left, Physics, Touched};
use super::scene::*;
use super::sequence::SequencePart;
use super::truth::Truth;

/// What happens in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Empty,
    Moving,
    Still,
    Hand,
}

/// One frame: its scene at the middle of the exposure.
#[derive(Debug, Clone)]
pub struct Frame {
    pub scene: Scene,
    pub phase: Phase,
    /// The shot that is being played, or was last.
    pub shot: Option<usize>,
    /// Its number, from 0.
    pub index: usize,
    fps: f64,
}

impl Frame {
    /// Adds to a frame's truth what only a sequence knows.
    pub fn complete(&self, truth: &mut Truth) {
        truth.more.insert("phase".to_owned(), json!(self.phase));
        truth.more.insert("shot".to_owned(), json!(self.shot));
        for (piece, truth) in self.scene.pieces.iter().zip(&mut truth.pieces) {
            let velocity = piece.velocity_mm_s.map(|v| v / self.fps);
            truth.more.insert("moving".to_owned(), json!(velocity != [0.0; 2]));
            truth.more.insert("velocity_mm_per_frame".to_owned(), json!(velocity));
        }
    }
}

/// Why filming ended early.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("stopped by the one who takes the frames")]
    Stopped,
}

/// From some frame on, something else about camera or light.
#[derive(Debug, Clone)]
pub enum Change {
    Camera(Box<CameraPart>),
    /// Another light, and by how much brighter the picture becomes.
    Light(LightPart, f64),
}

/// What a hand does with a piece.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    Take(usize),
    Bring(usize),
    /// In the same moment as the act before.
    BringToo(usize),
}

/// Colours of the hands that come; absent: the usual ones.
#[derive(Debug, Clone, Default)]
pub struct Wear {
    pub skin: Option<String>,
    pub sleeve: Option<String>,
}

/// How deep pieces lie in a pocket's net, and how far each lies beside the one before.
const IN_NET_MM: f64 = 16.0;
const BESIDE_IN_NET_MM: f64 = 6.0;

/// Nothing slides longer than this; it bounds the frames of a shot.
const MAX_SLIDE_SECS: f64 = 20.0;
/// A piece that lies less far from where it lay has not moved.
const MOVED_MM: f64 = 0.05;
/// How far behind the fingers' grip the palm is, and how much farther the hand comes from.
const PALM_BEHIND_MM: f64 = 55.0;
const HAND_COMES_MM: f64 = 260.0;
/// Share of that way that it keeps between two pieces.
const HAND_BETWEEN: f64 = 0.1;
/// Share of that way at which the fingers touch a piece's rim from behind.
const HAND_BEHIND: f64 = 0.34;
/// The hand's height over a piece, and how much higher it comes from.
const HAND_OVER_MM: f64 = 6.0;
const HAND_HIGHER_MM: f64 = 30.0;
/// A forearm that lies over a rail needs the hand this little below the rail's top.
const HAND_BELOW_RAIL_MM: f64 = 8.0;

/// How a shot went.
#[derive(Debug, Clone)]
pub struct Slide {
    pub moving_frames: Vec<usize>,
    /// What the shot's own piece touched, in order.
    pub touches: Vec<Touch>,
    /// Everything as it was when the shot began.
    before: Vec<Body>,
}

#[derive(Debug, Clone, Copy)]
pub struct Touch {
    pub frame: usize,
    /// Since the shot began.
    pub secs: f64,
    pub with: Touched,
}

impl Slide {
    /// The piece that the shot's own piece touched first.
    pub fn first_piece(&self) -> Option<usize> {
        self.touches.iter().find_map(|touch| match touch.with {
            Touched::Body(other) => Some(other),
            Touched::Side(_) => None,
        })
    }

    /// Where a piece lay when the shot began.
    pub fn place_before(&self, index: usize) -> Option<Point> {
        self.before.get(index).map(|body| body.at)
    }

    /// Whether the shot's own piece touched a bank or cushion.
    pub fn side_touched(&self) -> bool {
        self.touches.iter().any(|touch| matches!(touch.with, Touched::Side(_)))
    }

    /// Whether it did so before it touched a piece.
    pub fn side_before_piece(&self) -> bool {
        matches!(self.touches.first(), Some(Touch { with: Touched::Side(_), .. }))
    }
}

fn four_decimals(at: Point) -> [f64; 2] {
    [at.x, at.y].map(|v| (v * 1e4).round() / 1e4)
}

pub struct Stage<'a> {
    scene: &'a Scene,
    part: &'a SequencePart,
    /// Every piece that was ever on the board, beside its body.
    parts: Vec<PiecePart>,
    bodies: Vec<Body>,
    hand: Option<ObjectPart>,
    /// The hand of a player who keeps it over the board.
    resting: Option<ObjectPart>,
    /// Other things of people that are in the picture: arms, heads.
    others: Vec<ObjectPart>,
    wear: Wear,
    /// Pieces that fell into pockets are seen lying there.
    shows_pockets: bool,
    shot: Option<usize>,
    frames: usize,
    changes: Vec<(usize, Change)>,
    show: &'a mut dyn FnMut(Frame) -> ControlFlow<()>,
}

impl<'a> Stage<'a> {
    /// A stage without pieces; `show` takes the frames.
    pub fn new(
        scene: &'a Scene,
        part: &'a SequencePart,
        show: &'a mut dyn FnMut(Frame) -> ControlFlow<()>,
    ) -> Self {
        Self {
            scene,
            part,
            parts: Vec::new(),
            bodies: Vec::new(),
            hand: None,
            resting: None,
            others: Vec::new(),
            wear: Wear::default(),
            shows_pockets: false,
            shot: None,
            frames: 0,
            changes: Vec::new(),
            show,
        }
    }

    /// From this frame on.
    pub fn change_at(&mut self, frame: usize, change: Change) {
        self.changes.push((frame, change));
    }

    /// Puts a piece on the board, or sets it in motion with its velocity.
    pub fn add(&mut self, mut part: PiecePart) -> usize {
        let kind = self.scene.board.piece(&part.colour);
        let diameter = part.diameter_mm.or(kind.map(|kind| kind.diameter_mm)).unwrap_or(1.0);
        let height = part.height_mm.or(kind.map(|kind| kind.height_mm)).unwrap_or(1.0);
        if part.velocity_mm_s.is_some() {
            part.shot = self.shot;
        }
        self.bodies.push(Body {
            at: Point::new(part.x_mm, part.y_mm),
            velocity_mm_s: Vector::from(part.velocity_mm_s.unwrap_or_default()),
            radius_mm: diameter / 2.0,
            mass: diameter * diameter * height,
            left: None,
        });
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// A piece that a hand is going to bring.
    pub fn add_aside(&mut self, part: PiecePart) -> usize {
        let index = self.add(part);
        self.bodies[index].left = Some(Left::Removed);
        index
    }

    /// Everything that is off the board goes back to its box: it is no more part of the game.
    pub fn put_away(&mut self) {
        for body in self.bodies.iter_mut().filter(|body| body.left.is_some()) {
            body.left = Some(Left::Removed);
        }
    }

    /// The shot that the next frames belong to.
    pub fn begin(&mut self, shot: usize) {
        self.shot = Some(shot);
    }

    pub fn frames(&self) -> usize {
        self.frames
    }

    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    pub fn body_mut(&mut self, index: usize) -> &mut Body {
        &mut self.bodies[index]
    }

    pub fn colour(&self, index: usize) -> &str {
        &self.parts[index].colour
    }

    pub fn left(&self, index: usize) -> Option<Left> {
        self.bodies[index].left
    }

    /// Pieces that lie on the board.
    pub fn on_board(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.bodies.len()).filter(|i| self.bodies[*i].left.is_none())
    }

    /// A place as truth files give it.
    pub fn place_mm(&self, index: usize) -> [f64; 2] {
        four_decimals(self.bodies[index].at)
    }

    fn shoot(&mut self, phase: Phase) -> Result<usize, Halt> {
        let mut file = self.scene.file.clone();
        file.sequence = None;
        file.pieces.clear();
        for (index, (part, body)) in self.parts.iter().zip(&self.bodies).enumerate() {
            if body.left.is_some() {
                continue;
            }
            let velocity = body.is_moving().then(|| [body.velocity_mm_s.x, body.velocity_mm_s.y]);
            let [x_mm, y_mm] = self.place_mm(index);
            // A stacked piece's support may have gone: its height stays as it was given.
            file.pieces.push(PiecePart {
                x_mm,
                y_mm,
                velocity_mm_s: velocity,
                stacked_on: None,
                ..part.clone()
            });
        }
        if self.shows_pockets {
            file.pieces.extend(self.in_pockets());
        }
        let hands = self.resting.iter().chain(&self.hand);
        file.objects.extend(hands.chain(&self.others).cloned());
        for (from, change) in &self.changes {
            if self.frames < *from {
                continue;
            }
            match change {
                Change::Camera(camera) => file.camera = (**camera).clone(),
                Change::Light(light, brighter) => {
                    file.light = light.clone();
                    file.picture.exposure *= brighter;
                }
            }
        }
        // Noise differs from frame to frame; wood and wear do not.
        file.picture.noise_seed = self.frames as u64 + 1;
        let name = format!("frame {}", self.frames);
        let scene = file.validate_on(self.scene.board.clone(), &name)?;
        let frame = Frame { scene, phase, shot: self.shot, index: self.frames, fps: self.part.fps };
        self.frames += 1;
        match (self.show)(frame) {
            ControlFlow::Continue(()) => Ok(self.frames - 1),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }

    /// Films the table as it is; gives the frames' numbers.
    pub fn hold(&mut self, phase: Phase, frames: usize) -> Result<Vec<usize>, Halt> {
        (0..frames).map(|_| self.shoot(phase)).collect()
    }

    /// Films until everything rests.
    pub fn slide(&mut self, own: usize) -> Result<Slide, Halt> {
        let before: Vec<Body> = self.bodies.clone();
        let (mut moving_frames, mut touches) = (Vec::new(), Vec::new());
        let frame_secs = 1.0 / self.part.fps;
        let mut elapsed = 0.0;
        while self.bodies.iter().any(Body::is_moving) && elapsed < MAX_SLIDE_SECS {
            let frame = self.shoot(Phase::Moving)?;
            moving_frames.push(frame);
            let physics = Physics::new(&self.scene.board, self.part);
            for contact in physics.advance(&mut self.bodies, frame_secs) {
                let with = match contact.with {
                    Touched::Body(other) if other == own => Touched::Body(contact.body),
                    with if contact.body == own => with,
                    _ => continue,
                };
                touches.push(Touch { frame, secs: elapsed + contact.secs, with });
            }
            elapsed += frame_secs;
        }
        for body in &mut self.bodies {
            body.velocity_mm_s = Vector::zeros();
        }
        Ok(Slide { moving_frames, touches, before })
    }

    /// Pieces that lay elsewhere, or are gone, since a slide began.
    pub fn moved<'s>(&'s self, slide: &'s Slide) -> impl Iterator<Item = usize> + 's {
        (0..slide.before.len()).filter(|i| slide.before[*i].left.is_none()).filter(|i| {
            let now = &self.bodies[*i];
            now.left.is_some() || (now.at - slide.before[*i].at).norm() > MOVED_MM
        })
    }

    /// A slide as stories tell it: what the shot's own piece touched, in order, and every piece that
    /// lies elsewhere now.
    pub fn told(&self, slide: &Slide) -> Map<String, Value> {
        let touches: Vec<Value> = slide
            .touches
            .iter()
            .map(|Touch { frame, secs, with }| match with {
                Touched::Side(side) => json!({"frame": frame, "secs": secs, "side": side}),
                Touched::Body(other) => {
                    let PiecePart { colour, shot, .. } = &self.parts[*other];
                    json!({"frame": frame, "secs": secs, "piece": colour, "shot": shot})
                }
            })
            .collect();
        let moved: Vec<Value> = self
            .moved(slide)
            .map(|i| {
                let from = four_decimals(slide.before[i].at);
                let to = self.bodies[i].left.is_none().then(|| self.place_mm(i));
                let left = self.bodies[i].left.map(Left::name);
                let PiecePart { colour, shot, .. } = &self.parts[i];
                json!({"piece": colour, "shot": shot, "from": from, "to": to, "left": left})
            })
            .collect();
        let knocked = slide.first_piece().and_then(|i| self.parts[i].shot);
        let mut told = Map::new();
        told.insert("shot".to_owned(), json!(self.shot));
        told.insert("moving_frames".to_owned(), json!(slide.moving_frames));
        told.insert("knocks_shot".to_owned(), json!(knocked));
        told.insert("touches".to_owned(), json!(touches));
        told.insert("side_touched".to_owned(), json!(slide.side_touched()));
        told.insert("side_before_piece".to_owned(), json!(slide.side_before_piece()));
        told.insert("moved".to_owned(), json!(moved));
        told
    }

    /// Whether a piece has to be taken off before the next shot (C5, N3).
    pub fn is_dead(&self, index: usize) -> bool {
        let body = &self.bodies[index];
        let sighting = Sighting::exact(&self.parts[index].colour, body.at);
        let paint = &PaintEdge::as_drawn;
        let call = calls::call(&self.scene.board, End::Far, &sighting, paint, &CallOptions::default());
        body.left.is_none() && call.is_some_and(|call| call.state == PieceState::Dead)
    }

    /// The long side that is nearer to a piece.
    pub fn nearer_side(&self, index: usize) -> BoardSide {
        let left = self.bodies[index].at.x < self.scene.board.surface.width_mm / 2.0;
        if left { BoardSide::Left } else { BoardSide::Right }
    }

    /// A hand comes in from a side, does one thing after the other, and leaves. Gives its frames.
    pub fn handle(&mut self, from: BoardSide, acts: &[Act]) -> Result<Vec<usize>, Halt> {
        let mut frames = Vec::new();
        let count = self.part.hand_frames.max(2);
        let comes_in = count.div_ceil(2);
        let away = |step: usize| (2.0 * (step as f64 + 0.5) / count as f64 - 1.0).abs();
        let mut at = None;
        for act in acts {
            let (Act::Take(index) | Act::Bring(index) | Act::BringToo(index)) = *act;
            let place = self.bodies[index].at;
            // From piece to piece the hand stays low.
            let steps: Vec<f64> = match (act, at) {
                (Act::BringToo(_), _) => Vec::new(),
                (_, None) => (0..comes_in).map(away).collect(),
                _ => vec![HAND_BETWEEN],
            };
            for away in steps {
                self.hand = Some(self.hand_over(from, place, away));
                frames.push(self.shoot(Phase::Hand)?);
            }
            self.bodies[index].left = match act {
                Act::Take(_) => Some(Left::Removed),
                Act::Bring(_) | Act::BringToo(_) => None,
            };
            at = at.filter(|_| matches!(act, Act::BringToo(_))).or(Some(place));
        }
        if let Some(place) = at {
            for away in (comes_in..count).map(away) {
                self.hand = Some(self.hand_over(from, place, away));
                frames.push(self.shoot(Phase::Hand)?);
            }
        }
        self.hand = None;
        Ok(frames)
    }

    /// Pieces where they fell, below the mouths of their pockets.
    fn in_pockets(&self) -> Vec<PiecePart> {
        let mut fallen = vec![0; self.scene.board.pockets.len()];
        let mut parts = Vec::new();
        for (part, body) in self.parts.iter().zip(&self.bodies) {
            let away = |pocket: &crate::board::Pocket| (pocket.centre - body.at).norm();
            let pockets = self.scene.board.pockets.iter().enumerate();
            let Some((index, pocket)) = pockets.min_by(|a, b| away(a.1).total_cmp(&away(b.1))) else {
                continue;
            };
            if body.left != Some(Left::Pocketed) {
                continue;
            }
            let aside = BESIDE_IN_NET_MM * f64::from(fallen[index]);
            fallen[index] += 1;
            parts.push(PiecePart {
                x_mm: pocket.centre.x + aside,
                y_mm: pocket.centre.y - aside,
                z_mm: Some(-IN_NET_MM),
                velocity_mm_s: None,
                stacked_on: None,
                parked: Some(Parked::InPocket),
                ..part.clone()
            });
        }
        parts
    }

    /// From now on pieces are seen in their pockets.
    pub fn show_pockets(&mut self) {
        self.shows_pockets = true;
    }

    /// Arms and heads that are in the picture until others are.
    pub fn show_people(&mut self, others: Vec<ObjectPart>) {
        self.others = others;
    }

    /// What the hands wear that come from now on.
    pub fn wear(&mut self, wear: Wear) {
        self.wear = wear;
    }

    /// The hand that rests over the board is taken away.
    pub fn lift_resting_hand(&mut self) {
        self.resting = None;
    }

    /// A hand brings a piece, slides it along a way and stays behind it, its fingers at its rim. Gives its frames.
    pub fn place_and_stay(
        &mut self,
        from: BoardSide,
        index: usize,
        way: &[Point],
    ) -> Result<Vec<usize>, Halt> {
        let Some(first) = way.first().copied() else { return Ok(Vec::new()) };
        let mut frames = Vec::new();
        let comes_in = self.part.hand_frames.max(2).div_ceil(2);
        for step in 0..comes_in {
            let away = 1.0 - (step as f64 + 0.5) / comes_in as f64;
            self.resting = Some(self.hand_over(from, first, away));
            frames.push(self.shoot(Phase::Hand)?);
        }
        self.bodies[index].left = None;
        for at in way {
            self.bodies[index].at = *at;
            self.resting = Some(self.hand_over(from, *at, HAND_BETWEEN));
            frames.push(self.shoot(Phase::Hand)?);
        }
        if let Some(last) = way.last() {
            self.resting = Some(self.hand_over(from, *last, HAND_BEHIND));
        }
        Ok(frames)
    }

    /// An arm that lies over the border beside a place.
    pub fn arm_at(&self, from: BoardSide, at: Point) -> ObjectPart {
        self.hand_over(from, at, HAND_BEHIND)
    }

    /// A hand whose fingers are over a place, or some share of its way out from there.
    fn hand_over(&self, from: BoardSide, at: Point, away: f64) -> ObjectPart {
        let (inward, angle_deg) = match from {
            BoardSide::Left => (Vector::new(1.0, 0.0), 0.0),
            BoardSide::Near => (Vector::new(0.0, 1.0), 90.0),
            BoardSide::Right => (Vector::new(-1.0, 0.0), 180.0),
            BoardSide::Far => (Vector::new(0.0, -1.0), 270.0),
        };
        let rails = self.scene.board.rails.iter().filter(|rail| rail.side == from);
        let rail = rails.map(|rail| rail.height_mm).fold(0.0, f64::max);
        // The fingers, not the palm, reach for the piece.
        let palm = at - inward * (PALM_BEHIND_MM + HAND_COMES_MM * away);
        ObjectPart {
            kind: ObjectKind::Hand,
            x_mm: palm.x,
            y_mm: palm.y,
            z_mm: Some(HAND_OVER_MM.max(rail - HAND_BELOW_RAIL_MM) + HAND_HIGHER_MM * away),
            angle_deg,
            diameter_mm: None,
            colour: self.wear.skin.clone(),
            sleeve: self.wear.sleeve.clone(),
        }
    }
}
