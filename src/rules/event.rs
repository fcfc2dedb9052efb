//! Events as they stand in a match file: raw, one JSON object a line.
//!
//! Shapes only. Whether an event is possible is for the game to say.

use serde::{Deserialize, Deserializer, Serialize};

use crate::board::End;

/// One line of a match file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Event {
    Match(MatchEvent),
    Lag(LagEvent),
    Choose(ChooseEvent),
    Frame(FrameEvent),
    Playoff(PlayoffEvent),
    Strike(StrikeEvent),
    Forgotten(ForgottenEvent),
    Overrule(OverruleEvent),
    Undo(UndoEvent),
}

impl Event {
    /// The event's name in a match file.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Match(_) => "match",
            Event::Lag(_) => "lag",
            Event::Choose(_) => "choose",
            Event::Frame(_) => "frame",
            Event::Playoff(_) => "playoff",
            Event::Strike(_) => "strike",
            Event::Forgotten(_) => "forgotten",
            Event::Overrule(_) => "overrule",
            Event::Undo(_) => "undo",
        }
    }

    /// Whether it changes an earlier event instead of being one of the game.
    pub fn is_correction(&self) -> bool {
        matches!(self, Event::Overrule(_) | Event::Undo(_))
    }

    /// The reasons that the referee waives for it.
    pub fn waivers(&self) -> &[String] {
        match self {
            Event::Lag(LagEvent { waive, .. })
            | Event::Choose(ChooseEvent { waive, .. })
            | Event::Frame(FrameEvent { waive, .. })
            | Event::Playoff(PlayoffEvent { waive, .. })
            | Event::Strike(StrikeEvent { waive, .. }) => waive,
            _ => &[],
        }
    }
}

impl Event {
    /// The person on whose word it rests, where one is named.
    pub fn by(&self) -> Option<&str> {
        match self {
            Event::Lag(LagEvent { by, .. })
            | Event::Choose(ChooseEvent { by, .. })
            | Event::Frame(FrameEvent { by, .. })
            | Event::Playoff(PlayoffEvent { by, .. })
            | Event::Strike(StrikeEvent { by, .. })
            | Event::Overrule(OverruleEvent { by, .. })
            | Event::Undo(UndoEvent { by, .. }) => by.as_deref(),
            Event::Match(_) | Event::Forgotten(_) => None,
        }
    }
}

/// The first line: what is played, by whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchEvent {
    pub game: String,
    #[serde(default)]
    pub options: RawOptions,
    pub sides: Vec<RawSide>,
}

/// Options as given; which of them a game takes is checked by [`super::Setup`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawOptions {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<Play>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_of: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cushion: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub green_continues: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub green: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discs: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Play {
    #[default]
    Singles,
    Doubles,
}

/// When the court's game mark is checked (C7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    #[default]
    HalfRound,
    Round,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawSide {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LagEvent {
    pub first: String,
    pub second: String,
    /// The first side's puck, then the second's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<LagPiece>,
    /// Whether the second puck touched or moved the first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub moved: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub end: End,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waive: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A lagged puck: its colour is not decided yet, so it need not be given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LagPiece {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    pub x_mm: f64,
    pub y_mm: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_mm: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChooseEvent {
    pub side: String,
    pub colour: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waive: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// One end's pucks after all eight were shot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameEvent {
    pub pieces: Vec<FramePiece>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub end: End,
    /// What a person saw and the rules set no penalty for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waive: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A breach that is recorded and costs nothing by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// The shooter's hand went over the nearest foul line (C2, L1).
    Hand,
}

/// A puck by its position or by its area.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FramePiece {
    pub colour: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_mm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y_mm: Option<f64>,
    /// One standard deviation of the position along each axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_mm: Option<f64>,
    /// Absent: given by position. Null: in no area.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub area: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touching: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banked: Option<bool>,
}

/// One rock of a play-off (N6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoffEvent {
    pub colour: String,
    // `deserialize_with` makes the field required, so that a forgotten area is not a miss.
    #[serde(deserialize_with = "Option::deserialize")]
    pub area: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banked: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waive: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// One strike or shot of a carrom game.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrikeEvent {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pocketed: Vec<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub striker: StrikerFate,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off_board: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fouls: Option<Vec<Foul>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<Called>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cushioned: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waive: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// What became of the striker or shooter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrikerFate {
    #[default]
    InPlay,
    Pocketed,
    OffBoard,
}

/// A foul that only a person sees (K2, K7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Foul {
    Placement,
    Backward,
    EarlyHit,
    Arm,
    Touched,
}

/// Whether the disc that the player named went in (U10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Called {
    Made,
    Missed,
}

/// The owed penalty was not called in time (K11).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForgottenEvent {}

/// A person's correction: another event takes the place of an earlier one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverruleEvent {
    pub event: usize,
    pub with: Box<Event>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A person's correction: an earlier event did not happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndoEvent {
    pub event: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Tells a field that is null from one that is absent.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
