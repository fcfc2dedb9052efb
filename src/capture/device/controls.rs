//! Exposure, focus and white balance: held for a match.

use std::{fmt, time::Duration};

use serde::Serialize;

/// What a camera may do by itself, and must not during a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControlRole {
    Exposure,
    Focus,
    WhiteBalance,
}

impl ControlRole {
    pub const ALL: [ControlRole; 3] = [ControlRole::Exposure, ControlRole::Focus, ControlRole::WhiteBalance];
}

impl fmt::Display for ControlRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ControlRole::Exposure => "exposure",
            ControlRole::Focus => "focus",
            ControlRole::WhiteBalance => "white balance",
        })
    }
}

/// What becomes of a control at the start of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// The camera goes on choosing. Colours and brightness may drift in the middle of a call.
    Automatic,
    /// The camera chooses once, and is held there.
    Hold,
    /// A value in the camera's own units, as `linecall cameras` lists them.
    Value(i64),
}

/// How the three are set. Default: all held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlSettings {
    pub exposure: Setting,
    pub focus: Setting,
    pub white_balance: Setting,
    /// Time that a camera has to choose its values before it is held. Default 2 s: enough for
    /// the light of a room. Longer delays the start of a match.
    pub settle: Duration,
}

impl Default for ControlSettings {
    fn default() -> Self {
        Self {
            exposure: Setting::Hold,
            focus: Setting::Hold,
            white_balance: Setting::Hold,
            settle: Duration::from_secs(2),
        }
    }
}

impl ControlSettings {
    pub fn of(&self, role: ControlRole) -> Setting {
        match role {
            ControlRole::Exposure => self.exposure,
            ControlRole::Focus => self.focus,
            ControlRole::WhiteBalance => self.white_balance,
        }
    }
}

/// A control that a camera has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ControlInfo {
    pub name: String,
    /// Which of the three that are held for a match it is about.
    pub role: Option<ControlRole>,
    pub value: Option<i64>,
    pub least: i64,
    pub most: i64,
    pub step: u64,
    pub default: i64,
    /// False while another control (an automatic) overrides it.
    pub active: bool,
    /// What the values of a choice mean.
    pub choices: Vec<(i64, String)>,
}

/// The values at which a camera was held, to set them again when it comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Held {
    exposure: Option<i64>,
    focus: Option<i64>,
    white_balance: Option<i64>,
}

impl Held {
    pub(super) fn of(&mut self, role: ControlRole) -> &mut Option<i64> {
        match role {
            ControlRole::Exposure => &mut self.exposure,
            ControlRole::Focus => &mut self.focus,
            ControlRole::WhiteBalance => &mut self.white_balance,
        }
    }
}
