//! What `score --json` prints: names and shapes other programs rely on.
//!
//! In: what was seen, and the calls. Out: plain values, rounded to what is measured, so that a
//! report is short and the same on every machine.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Seen, StageTimes};
use crate::{
    board::{Board, End},
    calls::{Call, Contact, ContactCall, PieceState, PlacementCall},
    detect::{Foreign, ForeignReason},
    register::{Method, Registration},
    rules::{ColourTally, GameId, PhotoDoubt},
};

/// One photo's result. Serialises to one line of `score --json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhotoReport {
    pub photo: String,
    pub board: String,
    /// How likely it is that board, where nobody named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_probability: Option<f64>,
    pub game: GameId,
    pub end: End,
    pub registration: RegistrationReport,
    pub pieces: Vec<PieceReport>,
    /// Points by colour; on boards with pockets, the pieces in play by kind.
    pub tally: ColourTally,
    /// How likely the tally is, all doubts about lines and order together.
    pub tally_probability: f64,
    /// Every call whose other outcome would change the tally.
    pub doubts: Vec<DoubtReport>,
    /// Ids of pieces that cannot be called and that the tally leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncalled: Vec<usize>,
    /// The pieces in play by kind, on boards with pockets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_board: Option<ColourTally>,
    /// Round things on the board that are no pieces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<ForeignReport>,
    /// How long each stage took; only when asked for, since it differs from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<StageTimes>,
}

impl PhotoReport {
    /// Nobody named the board: a tally is right only if the board is.
    pub fn found_by_itself(&mut self, board_probability: f64) {
        self.board_probability = Some(millionths(board_probability));
        self.tally_probability = millionths(self.tally_probability * board_probability);
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegistrationReport {
    pub method: Method,
    pub rms_px: f64,
    /// At the middle of what the picture shows of the board.
    pub mm_per_px: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PieceReport {
    /// Counts from 1 in the order of kind, then place.
    pub id: usize,
    pub colour: String,
    /// The footprint's centre.
    pub x_mm: f64,
    pub y_mm: f64,
    /// One standard deviation of it along each axis, as calls take it: wide where the measurement is not trusted.
    pub sigma_mm: f64,
    /// Centre and mean radius of the visible top face in the photo's pixels.
    pub px: [f64; 2],
    pub px_radius: f64,
    pub area: Option<String>,
    pub state: PieceState,
    pub points: Option<i32>,
    pub contact: Option<Contact>,
    /// The open end as if it were a line, where the board scores hanging pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhang: Option<Contact>,
    /// Where the piece that is shot with was placed, on boards that rule it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<crate::calls::Placement>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement_probability: Option<f64>,
    /// Whether the placement is certain enough to be called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement_sure: Option<bool>,
    /// Probability that the colour is right.
    pub p_colour: f64,
    /// How likely it is that a piece lies there at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_exists: Option<f64>,
    /// Whether the measurement is good enough for a confident close call.
    pub trusted: bool,
}

/// A call that could go the other way, and the tally that it would give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DoubtReport {
    /// The piece's id.
    pub piece: usize,
    /// The other piece's id, where the order of two is in doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<usize>,
    /// The line that is too close, `end`, `order`, `edge`, or `colour` and the other colour.
    pub about: String,
    /// How likely the other outcome is.
    pub probability: f64,
    pub tally: ColourTally,
}

impl From<PhotoDoubt> for DoubtReport {
    fn from(doubt: PhotoDoubt) -> Self {
        Self {
            piece: doubt.piece + 1,
            against: doubt.against.map(|index| index + 1),
            about: doubt.about,
            probability: millionths(doubt.probability),
            tally: doubt.tally,
        }
    }
}

/// Something of a piece's size that is none, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForeignReport {
    pub x_mm: f64,
    pub y_mm: f64,
    pub reason: Cow<'static, str>,
}

impl From<&Foreign> for ForeignReport {
    fn from(foreign: &Foreign) -> Self {
        let reason = match foreign.reason {
            ForeignReason::Colour => "colour",
            ForeignReason::TooMany => "too-many",
        };
        let reason = Cow::Borrowed(reason);
        Self { x_mm: thousandths(foreign.centre.x), y_mm: thousandths(foreign.centre.y), reason }
    }
}

impl RegistrationReport {
    pub(super) fn new(registration: &Registration, mm_per_px: Option<f64>) -> Self {
        Self {
            method: registration.method,
            rms_px: thousandths(registration.rms_px),
            mm_per_px: mm_per_px.map(thousandths),
        }
    }
}

impl PieceReport {
    /// Whether something about it is too close to call.
    pub fn is_close(&self) -> bool {
        let open = |contact: &Option<Contact>| {
            contact.as_ref().is_some_and(|contact| contact.call == ContactCall::TooClose)
        };
        open(&self.contact) || open(&self.overhang)
    }

    /// Whether it scores in its area as called: not dead, and kept from it by no line.
    pub fn is_scoring(&self, board: &Board) -> bool {
        let entered_by_clearing =
            board.areas.iter().any(|area| Some(&area.name) == self.area.as_ref() && area.clears.is_some());
        let touching = self.contact.as_ref().is_some_and(|contact| contact.call == ContactCall::Touching);
        match self.state {
            PieceState::Live => self.area.is_some() && (entered_by_clearing || !touching),
            PieceState::Hanging => true,
            PieceState::Dead | PieceState::Off | PieceState::Stacked => false,
        }
    }

    /// Whether the placement is too close to call.
    pub fn is_placement_open(&self) -> bool {
        self.placement_sure == Some(false)
    }

    pub(super) fn new(
        index: usize,
        board: &Board,
        seen: &Seen,
        sigma_mm: f64,
        call: &Call,
        placement: Option<PlacementCall>,
        points: Option<i32>,
    ) -> Self {
        let measurement = &seen.measurement;
        Self {
            id: index + 1,
            colour: board.pieces[seen.candidate.kind].name.clone(),
            x_mm: thousandths(measurement.centre.x),
            y_mm: thousandths(measurement.centre.y),
            sigma_mm: thousandths(sigma_mm),
            px: [measurement.px.x, measurement.px.y].map(thousandths),
            px_radius: thousandths(measurement.px_radius),
            area: call.area.clone(),
            state: call.state,
            points,
            contact: call.contact.clone().map(rounded),
            overhang: call.overhang.clone().map(rounded),
            placement: placement.as_ref().map(|p| p.placement),
            placement_sure: placement.as_ref().map(|p| p.sure),
            placement_probability: placement.map(|p| millionths(p.probability)),
            p_colour: millionths(seen.candidate.kind_probability),
            p_exists: seen.p_exists.map(millionths),
            trusted: measurement.trusted,
        }
    }
}

fn rounded(contact: Contact) -> Contact {
    Contact {
        gap_mm: thousandths(contact.gap_mm),
        sigma_mm: thousandths(contact.sigma_mm),
        p_touching: millionths(contact.p_touching),
        ..contact
    }
}

/// Micrometres and thousandths of a pixel are below what is measured.
fn thousandths(value: f64) -> f64 {
    // Adding zero turns -0.0 into 0.0.
    (value * 1e3).round() / 1e3 + 0.0
}

pub(super) fn millionths(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}
