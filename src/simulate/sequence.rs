//! Sequences: shots that slide, collide and stop, filmed frame by frame, with a hand that takes
//! dead pieces away.
//!
//! In: a scene with a `sequence` part. Out: one scene a frame, each with its own truth, and the
//! story that `sequence.json` tells.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::board::{Board, End};
use crate::calls::{self, CallOptions, PaintEdge, PieceState, Sighting};
use crate::geometry::{Point, Vector};

use super::limits::*;
use super::load::{Scene, SceneError};
use super::physics::{Body, Left, Physics};
use super::scene::*;
use super::truth::Truth;

/// A scene's shots, and how fast they are filmed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SequencePart {
    pub fps: f64,
    /// Deceleration of a sliding piece.
    pub friction_mm_s2: f64,
    /// Share of the approach speed that two colliding pieces keep.
    pub restitution: f64,
    /// The same for a rail or bank.
    pub cushion: f64,
    /// Frames of the board before the first shot.
    pub empty_frames: usize,
    /// Frames at rest after every shot.
    pub still_frames: usize,
    /// Frames in which a hand takes a dead piece away; 0: it stays.
    pub hand_frames: usize,
    pub shots: Vec<ShotPart>,
}

impl Default for SequencePart {
    fn default() -> Self {
        Self {
            fps: 4.0,
            friction_mm_s2: 700.0,
            restitution: 0.92,
            cushion: 0.7,
            empty_frames: 2,
            still_frames: 2,
            hand_frames: 4,
            shots: Vec::new(),
        }
    }
}

/// A piece played from a place at a velocity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShotPart {
    pub colour: String,
    pub x_mm: f64,
    pub y_mm: f64,
    pub velocity_mm_s: [f64; 2],
}

const MAX_SHOTS: usize = 100;
const MAX_PAUSE_FRAMES: usize = 100;
/// Nothing slides longer than this; it bounds the frames of a shot.
const MAX_SLIDE_SECS: f64 = 20.0;

impl SequencePart {
    pub(super) fn check(&self, faults: &mut Faults) {
        faults.within("sequence.fps", self.fps, Range { least: 0.5, most: 240.0, unit: "a second" });
        let friction = Range { least: 50.0, most: 20_000.0, unit: "mm/s²" };
        faults.within("sequence.friction_mm_s2", self.friction_mm_s2, friction);
        faults.within("sequence.restitution", self.restitution, SHARE);
        faults.within("sequence.cushion", self.cushion, SHARE);
        for (name, frames) in [
            ("empty_frames", self.empty_frames),
            ("still_frames", self.still_frames),
            ("hand_frames", self.hand_frames),
        ] {
            if frames > MAX_PAUSE_FRAMES {
                faults.add(format!("sequence.{name}"), format!("at most {MAX_PAUSE_FRAMES}, found {frames}"));
            }
        }
        if self.shots.len() > MAX_SHOTS {
            faults.add("sequence.shots", format!("at most {MAX_SHOTS}, found {}", self.shots.len()));
        }
        for (i, shot) in self.shots.iter().enumerate().take(MAX_SHOTS) {
            faults.within(format!("sequence.shots[{i}].x_mm"), shot.x_mm, POSITION_MM);
            faults.within(format!("sequence.shots[{i}].y_mm"), shot.y_mm, POSITION_MM);
            for speed in shot.velocity_mm_s {
                faults.within(format!("sequence.shots[{i}].velocity_mm_s"), speed, SPEED_MM_S);
            }
        }
    }

    /// Faults that only show on the board that is played.
    pub(super) fn check_on(&self, board: &Board, faults: &mut Faults) {
        for (i, shot) in self.shots.iter().enumerate().take(MAX_SHOTS) {
            if board.piece(&shot.colour).is_none() {
                let known: Vec<_> = board.pieces.iter().map(|kind| kind.name.as_str()).collect();
                let expected = format!("one of {}, found {:?}", known.join(", "), shot.colour);
                faults.add(format!("sequence.shots[{i}].colour"), expected);
            }
        }
    }
}

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

/// A filmed scene.
#[derive(Debug, Clone)]
pub struct Sequence {
    pub frames: Vec<Frame>,
    /// What `sequence.json` tells, but for the final tally, which is the last frame's.
    pub story: Map<String, Value>,
}

/// Plays and films a scene's shots. A scene without a `sequence` part has none and gives its
/// board at rest. Frames are named in the truth of all as photos of the category's folder.
pub fn film(scene: &Scene) -> Result<Sequence, SceneError> {
    let part = scene.file.sequence.clone().unwrap_or_default();
    let mut film = Film::new(scene, &part);
    for _ in 0..part.empty_frames.max(1) {
        film.shoot(Phase::Empty, None)?;
    }
    for (index, shot) in part.shots.iter().enumerate() {
        film.play(index, shot)?;
    }
    let story = film.story();
    Ok(Sequence { frames: film.frames, story })
}

struct Film<'a> {
    scene: &'a Scene,
    part: &'a SequencePart,
    /// Every piece that was ever on the board, beside its body.
    parts: Vec<PiecePart>,
    bodies: Vec<Body>,
    hand: Option<ObjectPart>,
    frames: Vec<Frame>,
    shots: Vec<Value>,
}

impl<'a> Film<'a> {
    fn new(scene: &'a Scene, part: &'a SequencePart) -> Self {
        let mut film = Self {
            scene,
            part,
            parts: Vec::new(),
            bodies: Vec::new(),
            hand: None,
            frames: Vec::new(),
            shots: Vec::new(),
        };
        for part in &scene.file.pieces {
            film.add(part.clone());
        }
        film
    }

    fn add(&mut self, part: PiecePart) -> usize {
        let kind = self.scene.board.piece(&part.colour);
        let diameter = part.diameter_mm.or(kind.map(|kind| kind.diameter_mm)).unwrap_or(1.0);
        let height = part.height_mm.or(kind.map(|kind| kind.height_mm)).unwrap_or(1.0);
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

    fn shoot(&mut self, phase: Phase, shot: Option<usize>) -> Result<usize, SceneError> {
        let mut file = self.scene.file.clone();
        file.sequence = None;
        file.pieces.clear();
        for (part, body) in self.parts.iter().zip(&self.bodies).filter(|(_, body)| body.left.is_none()) {
            let velocity = body.is_moving().then(|| [body.velocity_mm_s.x, body.velocity_mm_s.y]);
            // A stacked piece's support may have gone: its height stays as it was given.
            file.pieces.push(PiecePart {
                x_mm: (body.at.x * 1e4).round() / 1e4,
                y_mm: (body.at.y * 1e4).round() / 1e4,
                velocity_mm_s: velocity,
                stacked_on: None,
                ..part.clone()
            });
        }
        file.objects.extend(self.hand.clone());
        // Noise differs from frame to frame; wood and wear do not.
        file.picture.noise_seed = self.frames.len() as u64 + 1;
        let name = format!("frame {}", self.frames.len());
        let scene = file.validate_on(self.scene.board.clone(), &name)?;
        self.frames.push(Frame { scene, phase, shot, fps: self.part.fps });
        Ok(self.frames.len() - 1)
    }

    fn play(&mut self, index: usize, shot: &ShotPart) -> Result<(), SceneError> {
        let mut part = PiecePart::new(shot.colour.clone(), shot.x_mm, shot.y_mm);
        part.velocity_mm_s = Some(shot.velocity_mm_s);
        part.shot = Some(index);
        if let Some(dressed) = self.scene.file.pieces.iter().find(|piece| piece.colour == shot.colour) {
            part = PiecePart {
                make: dressed.make,
                paint: dressed.paint.clone(),
                rim_mm: dressed.rim_mm,
                base_rim_mm: dressed.base_rim_mm,
                cap_diameter_mm: dressed.cap_diameter_mm,
                ..part
            };
        }
        let own = self.add(part);
        let board = self.scene.board.clone();
        let physics = Physics::new(&board, self.part);
        let (mut moving, mut still, mut knocked) = (Vec::new(), Vec::new(), Vec::new());
        let frame_secs = 1.0 / self.part.fps;
        let mut elapsed = 0.0;
        while self.bodies.iter().any(Body::is_moving) && elapsed < MAX_SLIDE_SECS {
            moving.push(self.shoot(Phase::Moving, Some(index))?);
            for (a, b) in physics.advance(&mut self.bodies, frame_secs) {
                if a == own || b == own {
                    knocked.push(if a == own { b } else { a });
                }
            }
            elapsed += frame_secs;
        }
        for body in &mut self.bodies {
            body.velocity_mm_s = Vector::zeros();
        }
        for _ in 0..self.part.still_frames {
            still.push(self.shoot(Phase::Still, Some(index))?);
        }
        let dead: Vec<usize> = (0..self.bodies.len()).filter(|i| self.is_dead(*i)).collect();
        let mut hand_frames = Vec::new();
        if self.part.hand_frames > 0 {
            for dead in &dead {
                self.remove(*dead, index, &mut hand_frames)?;
            }
        }
        let gone = self.bodies[own].left.map(|left| match left {
            Left::OffTheEnd => "off-the-end",
            Left::OffTheSide => "off-the-side",
            Left::Pocketed => "pocketed",
            Left::Removed => "removed",
        });
        self.shots.push(json!({
            "shot": index, "colour": shot.colour, "moving_frames": moving, "still_frames": still,
            "hand_frames": hand_frames, "knocks_shot": knocked.first().and_then(|i| self.parts[*i].shot),
            "dead_then_removed": !hand_frames.is_empty(), "left": gone,
        }));
        Ok(())
    }

    /// Whether a piece has to be taken off before the next shot (C5, N3).
    fn is_dead(&self, index: usize) -> bool {
        let body = &self.bodies[index];
        let sighting = Sighting::exact(&self.parts[index].colour, body.at);
        let call = calls::call(
            &self.scene.board,
            End::Far,
            &sighting,
            &PaintEdge::as_drawn,
            &CallOptions::default(),
        );
        body.left.is_none() && call.is_some_and(|call| call.state == PieceState::Dead)
    }

    /// A hand comes in from the nearer long side, takes the piece and leaves with it.
    fn remove(&mut self, index: usize, shot: usize, frames: &mut Vec<usize>) -> Result<(), SceneError> {
        let at = self.bodies[index].at;
        let from_left = at.x < self.scene.board.surface.width_mm / 2.0;
        let (inward, angle_deg) = if from_left { (1.0, 0.0) } else { (-1.0, 180.0) };
        let count = self.part.hand_frames;
        for step in 0..count {
            // Out, over the piece at half time, out again.
            let phase = (step as f64 + 0.5) / count as f64;
            let away = (2.0 * phase - 1.0).abs();
            if phase > 0.5 {
                self.bodies[index].left = Some(Left::Removed);
            }
            // The fingers, not the palm, reach for the piece.
            let palm = at.x - inward * (55.0 + 260.0 * away);
            self.hand = Some(ObjectPart {
                kind: ObjectKind::Hand,
                x_mm: palm,
                y_mm: at.y,
                z_mm: Some(6.0 + 30.0 * away),
                angle_deg,
                diameter_mm: None,
                colour: None,
            });
            frames.push(self.shoot(Phase::Hand, Some(shot))?);
        }
        self.hand = None;
        self.bodies[index].left = Some(Left::Removed);
        Ok(())
    }

    fn story(&self) -> Map<String, Value> {
        let mut story = Map::new();
        story.insert("board".to_owned(), json!(self.scene.board.id));
        story.insert("frames".to_owned(), json!(self.frames.len()));
        story.insert("fps".to_owned(), json!(self.part.fps));
        story.insert(
            "note".to_owned(),
            json!("pieces carry their shot's number; moving ones are given at the middle of the exposure"),
        );
        story.insert("shots".to_owned(), json!(self.shots));
        story
    }
}
