//! Sequences: shots that slide, collide and stop, frame by frame.

use serde::{Deserialize, Serialize};

use super::limits::*;

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
    /// Frames of the empty board before the first shot.
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
            if frames > 100 {
                faults.add(format!("sequence.{name}"), format!("at most 100, found {frames}"));
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
}
