//! Sequences: shots that slide, collide and stop, filmed frame by frame, with a hand that takes
//! dead pieces away.
//!
//! In: a scene with a `sequence` part. Out: one scene a frame, each with its own truth, and the
//! story that `sequence.json` tells.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::board::Board;

use super::limits::*;
use super::load::{Scene, SceneError};
use super::physics::Left;
use super::scene::*;
use super::stage::{Act, Frame, Halt, Phase, Stage};

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
    /// A piece that meets a rail at more than this speed hops over it; absent: none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hop_mm_s: Option<f64>,
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
            hop_mm_s: None,
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

impl SequencePart {
    pub(super) fn check(&self, faults: &mut Faults) {
        faults.within("sequence.fps", self.fps, Range { least: 0.5, most: 240.0, unit: "a second" });
        let friction = Range { least: 50.0, most: 20_000.0, unit: "mm/s²" };
        faults.within("sequence.friction_mm_s2", self.friction_mm_s2, friction);
        faults.within("sequence.restitution", self.restitution, SHARE);
        faults.within("sequence.cushion", self.cushion, SHARE);
        faults.within_if("sequence.hop_mm_s", self.hop_mm_s, SPEED_MM_S);
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
    let mut frames = Vec::new();
    let mut keep = |frame: Frame| {
        frames.push(frame);
        ControlFlow::Continue(())
    };
    let mut stage = Stage::new(scene, &part, &mut keep);
    let played = play(&mut stage, scene, &part);
    match played {
        Ok(story) => Ok(Sequence { frames, story }),
        Err(Halt::Scene(error)) => Err(error),
        // Nothing here stops a stage.
        Err(Halt::Stopped) => Ok(Sequence { frames, story: Map::new() }),
    }
}

fn play(stage: &mut Stage<'_>, scene: &Scene, part: &SequencePart) -> Result<Map<String, Value>, Halt> {
    for piece in &scene.file.pieces {
        stage.add(piece.clone());
    }
    stage.hold(Phase::Empty, part.empty_frames.max(1))?;
    let mut shots = Vec::new();
    for (index, shot) in part.shots.iter().enumerate() {
        stage.begin(index);
        let mut piece = PiecePart::new(shot.colour.clone(), shot.x_mm, shot.y_mm);
        if let Some(dressed) = scene.file.pieces.iter().find(|piece| piece.colour == shot.colour) {
            piece = PiecePart {
                make: dressed.make,
                paint: dressed.paint.clone(),
                rim_mm: dressed.rim_mm,
                base_rim_mm: dressed.base_rim_mm,
                cap_diameter_mm: dressed.cap_diameter_mm,
                ..piece
            };
        }
        piece.velocity_mm_s = Some(shot.velocity_mm_s);
        let own = stage.add(piece);
        let slide = stage.slide(own)?;
        let mut told = stage.told(&slide);
        let still = stage.hold(Phase::Still, part.still_frames)?;
        let dead: Vec<usize> = stage.on_board().filter(|i| stage.is_dead(*i)).collect();
        let mut hand_frames = Vec::new();
        if part.hand_frames > 0 {
            for dead in dead {
                let side = stage.nearer_side(dead);
                hand_frames.extend(stage.handle(side, &[Act::Take(dead)])?);
            }
        }
        told.insert("colour".to_owned(), json!(shot.colour));
        told.insert("still_frames".to_owned(), json!(still));
        told.insert("dead_then_removed".to_owned(), json!(!hand_frames.is_empty()));
        told.insert("hand_frames".to_owned(), json!(hand_frames));
        told.insert("left".to_owned(), json!(stage.left(own).map(Left::name)));
        shots.push(Value::Object(told));
    }
    let mut story = Map::new();
    story.insert("board".to_owned(), json!(scene.board.id));
    story.insert("frames".to_owned(), json!(stage.frames()));
    story.insert("fps".to_owned(), json!(part.fps));
    story.insert(
        "note".to_owned(),
        json!("pieces carry their shot's number; moving ones are given at the middle of the exposure"),
    );
    story.insert("shots".to_owned(), json!(shots));
    Ok(story)
}
