//! Simulated evenings: a match is played and filmed, and everything that should be recorded is known.
//!
//! In: [`EveningOptions`], a game and a seed. Out: frame after frame, then the [`EveningTruth`]: the
//! events of the match as `linecall tally` reads them, and the story of every shot.
//!
//! - [`stage_evening`] hands out the frames as scenes: where everything is, nothing rendered. Quick.
//! - [`film_evening`] renders each frame and hands it out as a photo with its truth.
//! - [`write_evening`] writes a folder: `000.jpg` and `000.json` a frame, `sequence.json` with the
//!   story, `truth.jsonl` with the match.
//!
//! Shuffleboard is played in half rounds to the far end: eight shots that draw, knock, stop short,
//! hang, run off the end or hop over a side; a hand takes dead pucks away before the next shot and
//! clears the board after the last. The carrom games are played strike by strike: a hand brings the
//! striker, pieces go into pockets, a hand takes the striker away and returns what the rules return.
//! The rules decide who plays and what returns, so the truth never contradicts them.
//!
//! The story has a `shots` list. A shot tells its number, its frames by phase, what its own piece
//! `touches` in order (a side of the board or a piece, with frame and seconds), whether it touched a
//! side at all and before any piece, which pieces `moved` and how each `left`, and the number of the
//! `event` that it belongs to; a strike also how the striker was placed. `events` gives for every
//! event the frame from which on it can be known: the last still frame after its last shot.

mod aim;
mod carrom;
mod people;
mod shuffle;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use nalgebra::{Rotation3, Vector3};
use serde_json::{Map, Value, json};

use crate::board::Board;
use crate::camera::Camera;
use crate::output::{Inputs, Kind, write};
use crate::rules::event::{Event, MatchEvent, RawOptions, RawSide};
use crate::rules::{GameId, Record, Refusal, shipped};

use self::people::People;
use super::dice::Dice;
use super::random::{View, dress, empty_rig};
use super::scene::*;
use super::sequence::SequencePart;
use super::set::{SetError, frame_names, make_folder};
use super::stage::{Change, Frame, Halt, Phase, Stage};
use super::{Photo, Reel, Scene};

/// What is played, and how it is filmed.
#[derive(Debug, Clone, PartialEq)]
pub struct EveningOptions {
    pub game: GameId,
    /// Half rounds of shuffleboard, games of kagw (at most three make a match), innings of ludington.
    pub rounds: usize,
    /// Another seed gives another evening: board, light, lens and every shot.
    pub seed: u64,
    /// Width and height in pixels; absent: 960 x 540, and 720 x 720 for a square board. Time grows
    /// with the number of pixels.
    pub image_size: Option<[u32; 2]>,
    /// Frames a second; 10 by default. More show where a moving piece went, and take longer.
    pub fps: f64,
    /// Frames of the empty board before the first shot and between half rounds; 3 by default.
    pub empty_frames: usize,
    /// Frames at rest after every shot and before every strike; 3 by default.
    pub still_frames: usize,
    /// Frames in which a hand comes and goes; 4 by default.
    pub hand_frames: usize,
    /// Strikes after which a carrom evening ends, wherever it stands; absent: none.
    pub strikes: Option<usize>,
    /// From this frame on the camera hangs a little differently.
    pub bump_at: Option<usize>,
    /// From this frame on another lamp is on.
    pub lamp_at: Option<usize>,
    /// Association: every rock must touch a bank (N7).
    pub bank: bool,
    /// Ludington: a disc inside the own base line must be hit off a cushion (U11).
    pub cushion: bool,
    /// Players as they are: hands that stay, arms and heads, nobody who waits; men are seen in pockets.
    pub people: bool,
}

impl EveningOptions {
    pub fn new(game: GameId, rounds: usize, seed: u64) -> Self {
        Self {
            game,
            rounds,
            seed,
            image_size: None,
            fps: 10.0,
            empty_frames: 3,
            still_frames: 3,
            hand_frames: 4,
            strikes: None,
            bump_at: None,
            lamp_at: None,
            bank: false,
            cushion: false,
            people: false,
        }
    }
}

/// What should be recorded of an evening.
#[derive(Debug, Clone)]
pub struct EveningTruth {
    /// The match, then its events in order.
    pub events: Vec<Event>,
    /// For each of them the frame from which on it can be known.
    pub known_at: Vec<usize>,
    pub frames: usize,
    /// What `sequence.json` tells.
    pub story: Map<String, Value>,
}

impl EveningTruth {
    /// The events as a match file.
    pub fn match_file(&self) -> String {
        self.events
            .iter()
            .filter_map(|event| serde_json::to_string(event).ok())
            .map(|line| line + "\n")
            .collect()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum EveningError {
    #[error("no board that ships is for {0}")]
    NoBoard(&'static str),
    #[error(transparent)]
    Scene(#[from] super::SceneError),
    #[error("the simulated match broke a rule: {0}; please report this with the seed")]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Set(#[from] SetError),
    #[error("stopped by the one who takes the frames")]
    Stopped,
}

impl From<Halt> for EveningError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Scene(error) => EveningError::Scene(error),
            Halt::Stopped => EveningError::Stopped,
        }
    }
}

/// Plays an evening and hands out its frames as scenes; breaking off gives
/// [`EveningError::Stopped`].
pub fn stage_evening(
    options: &EveningOptions,
    show: &mut dyn FnMut(Frame) -> ControlFlow<()>,
) -> Result<EveningTruth, EveningError> {
    let board = shipped(options.game).ok_or(EveningError::NoBoard(options.game.id()))?;
    let scene = evening_scene(options, &board)?;
    let sequence = sequence_part(options);
    let mut stage = Stage::new(&scene, &sequence, show);
    let mut dice = Dice::new(options.seed, CHANGES);
    if let Some(frame) = options.bump_at {
        stage.change_at(frame, Change::Camera(Box::new(bumped(&scene.camera, &mut dice))));
    }
    if let Some(frame) = options.lamp_at {
        let (light, brighter) = with_another_lamp(&scene.file.light, &board, &mut dice);
        stage.change_at(frame, Change::Light(light, brighter));
    }
    let opening = opening(options);
    if options.people {
        stage.show_pockets();
    }
    let table = Table {
        options,
        people: options.people.then(|| People::new(options.seed)),
        board: board.clone(),
        stage,
        dice: Dice::new(options.seed, SHOTS),
        record: Record::open(0, opening.clone(), Some(board))?,
        events: vec![opening],
        known_at: vec![0],
        shots: Vec::new(),
    };
    match options.game {
        GameId::Court | GameId::LongBoard | GameId::Association => shuffle::play(table),
        GameId::Kagw | GameId::Ludington => carrom::play(table),
    }
}

/// The same with every frame rendered.
pub fn film_evening(
    options: &EveningOptions,
    show: &mut dyn FnMut(&Frame, Photo) -> ControlFlow<()>,
) -> Result<EveningTruth, EveningError> {
    let mut reel = Reel::new();
    stage_evening(options, &mut |frame| {
        let mut photo = reel.photo(&frame.scene);
        frame.complete(&mut photo.truth);
        show(&frame, photo)
    })
}

/// Films an evening into a folder. `begun` is told the number of frames, `done` of each frame.
pub fn write_evening(
    options: &EveningOptions,
    folder: &Path,
    begun: &dyn Fn(usize),
    done: &(dyn Fn() + Sync),
) -> Result<EveningTruth, EveningError> {
    make_folder(folder)?;
    // Played once without pictures, to know how long it is.
    let frames = stage_evening(options, &mut |_| ControlFlow::Continue(()))?.frames;
    begun(frames);
    let name = frame_names(frames);
    let failed = RefCell::new(None);
    let filmed = film_evening(options, &mut |frame, photo| {
        let mut photo = photo;
        photo.truth.calibration_image = Some(name(0));
        done();
        match photo.save(&folder.join(name(frame.index))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *failed.borrow_mut() = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(error) = failed.into_inner() {
        return Err(SetError::from(error).into());
    }
    let truth = filmed?;
    let story = serde_json::to_string_pretty(&truth.story).unwrap_or_default() + "\n";
    for (file, kind, text) in
        [("sequence.json", Kind::Story, story), ("truth.jsonl", Kind::MatchFile, truth.match_file())]
    {
        write(&folder.join(file), kind, text.as_bytes(), &Inputs::default()).map_err(SetError::from)?;
    }
    Ok(truth)
}

const SHOTS: u64 = 11;
const CHANGES: u64 = 12;
/// Shuffleboard weights slide farther than carrom men.
const FRICTION_MM_S2: f64 = 700.0;
/// Over a puck's low rail; banks and frames are higher.
const HOP_RAIL_MM_S: f64 = 450.0;
const HOP_FRAME_MM_S: f64 = 2000.0;

fn sequence_part(options: &EveningOptions) -> SequencePart {
    SequencePart {
        fps: options.fps,
        friction_mm_s2: FRICTION_MM_S2,
        hop_mm_s: match options.game {
            GameId::Court | GameId::LongBoard => Some(HOP_RAIL_MM_S),
            GameId::Association => None,
            GameId::Kagw | GameId::Ludington => Some(HOP_FRAME_MM_S),
        },
        empty_frames: options.empty_frames,
        still_frames: options.still_frames,
        hand_frames: options.hand_frames,
        ..SequencePart::default()
    }
}

/// The empty board of the evening's club.
fn evening_scene(options: &EveningOptions, board: &Board) -> Result<Scene, EveningError> {
    let mut file = empty_rig(board, View::Overhead, options.seed);
    file.category = Some(format!("{}-evening", options.game.id()));
    file.sequence = Some(sequence_part(options));
    let square = !board.is_two_ended();
    let size = options.image_size.unwrap_or(if square { [720, 720] } else { [960, 540] });
    file.camera = CameraPart { image_size: Some(size), focal_px: None, principal_point: None, ..file.camera };
    Ok(file.validate_on(board.clone(), "of the evening")?)
}

fn opening(options: &EveningOptions) -> Event {
    // A match of so many games is never over before the evening is.
    let best_of = match options.game {
        GameId::Kagw => {
            if options.rounds > 1 {
                3
            } else {
                1
            }
        }
        _ => 2 * options.rounds as i64 + 1,
    };
    let colours = match options.game {
        GameId::Court | GameId::LongBoard => ["red", "blue"],
        GameId::Association => ["red", "yellow"],
        GameId::Kagw => ["white", "black"],
        GameId::Ludington => ["black", "white"],
    };
    let side = |name: &str, colour: &str| RawSide {
        name: name.to_owned(),
        colour: Some(colour.to_owned()),
        players: None,
    };
    Event::Match(MatchEvent {
        game: options.game.id().to_owned(),
        options: RawOptions {
            best_of: Some(best_of),
            bank: (options.game == GameId::Association && options.bank).then_some(true),
            cushion: (options.game == GameId::Ludington && options.cushion).then_some(true),
            ..RawOptions::default()
        },
        sides: vec![side("Ann", colours[0]), side("Bo", colours[1])],
    })
}

/// A knock against the camera's arm: a tenth of a degree or three, some millimetres.
fn bumped(camera: &Camera, dice: &mut Dice) -> CameraPart {
    let angle =
        |dice: &mut Dice| dice.between(0.05, 0.25).to_radians() * if dice.chance(0.5) { 1.0 } else { -1.0 };
    let turn = Rotation3::from_euler_angles(angle(dice), angle(dice), 2.0 * angle(dice));
    let rotation = turn * camera.pose.rotation;
    let aside = Vector3::new(dice.bell(2.0), dice.bell(2.0), dice.bell(1.0));
    let translation = turn * camera.pose.translation_mm + aside;
    CameraPart {
        image_size: Some(camera.image_size),
        intrinsics: Some(camera.lens),
        extrinsics: Some(Extrinsics {
            rotation: std::array::from_fn(|i| std::array::from_fn(|j| rotation.matrix()[(i, j)])),
            translation_mm: translation.into(),
        }),
        ..CameraPart::default()
    }
}

/// The light with one more lamp, and by how much brighter it is.
fn with_another_lamp(light: &LightPart, board: &Board, dice: &mut Dice) -> (LightPart, f64) {
    let middle = super::region_of_play(board).middle();
    let strength = dice.between(0.25, 0.5);
    let mut light = light.clone();
    let angle = dice.between(0.0, std::f64::consts::TAU);
    let whole: f64 = light.lamps.iter().map(|lamp| lamp.strength).sum();
    light.lamps.push(LampPart {
        x_mm: middle.x + 900.0 * angle.cos(),
        y_mm: middle.y + 900.0 * angle.sin(),
        z_mm: dice.between(1500.0, 2200.0),
        radius_mm: dice.between(60.0, 200.0),
        strength: strength * whole,
        colour: Some("#ffe9c8".to_owned()),
    });
    (light, 1.0 + strength * 0.6)
}

/// A match while it is played.
struct Table<'a> {
    options: &'a EveningOptions,
    people: Option<People>,
    board: Arc<Board>,
    stage: Stage<'a>,
    dice: Dice,
    record: Record,
    events: Vec<Event>,
    known_at: Vec<usize>,
    shots: Vec<Value>,
}

impl Table<'_> {
    /// A piece of the club's set.
    fn piece(&self, colour: &str, x_mm: f64, y_mm: f64) -> PiecePart {
        let mut pieces = [PiecePart::new(colour, x_mm, y_mm)];
        dress(&self.board, &mut pieces, self.options.seed);
        let [piece] = pieces;
        piece
    }

    /// Records what happened; it can be known from this frame on.
    fn happens(&mut self, event: Event, known_at: usize) -> Result<(), EveningError> {
        self.record.push(self.events.len(), event.clone())?;
        self.events.push(event);
        self.known_at.push(known_at);
        Ok(())
    }

    /// Films the table at rest for as long as players wait; gives the frames.
    fn rest(&mut self) -> Result<Vec<usize>, EveningError> {
        let most = self.options.still_frames.max(1);
        let frames = self.people.as_mut().map_or(most, |people| people.pause(most));
        Ok(self.stage.hold(Phase::Still, frames)?)
    }

    /// The last frame so far.
    fn last_frame(&self) -> usize {
        self.stage.frames().saturating_sub(1)
    }

    fn into_truth(self) -> EveningTruth {
        let mut story = Map::new();
        let frames = self.stage.frames();
        story.insert("board".to_owned(), json!(self.board.id));
        story.insert("game".to_owned(), json!(self.options.game.id()));
        story.insert("seed".to_owned(), json!(self.options.seed));
        story.insert("frames".to_owned(), json!(frames));
        story.insert("people".to_owned(), json!(self.people.is_some()));
        story.insert("fps".to_owned(), json!(self.options.fps));
        story.insert("bumped_at_frame".to_owned(), json!(self.options.bump_at));
        story.insert("lamp_on_at_frame".to_owned(), json!(self.options.lamp_at));
        let events: Vec<Value> = self
            .events
            .iter()
            .zip(&self.known_at)
            .enumerate()
            .map(|(number, (event, frame))| json!({"event": number, "type": event.name(), "frame": frame}))
            .collect();
        story.insert("events".to_owned(), json!(events));
        story.insert("shots".to_owned(), json!(self.shots));
        EveningTruth { events: self.events, known_at: self.known_at, frames, story }
    }
}
