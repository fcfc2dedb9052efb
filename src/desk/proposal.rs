//! What vision hands in, and what becomes of it.

use serde::{Deserialize, Serialize};

use crate::{
    ledger::{Doubtful, Ruling, ViewEvidence},
    rules::Event,
};

/// Which proposals are put to a person before they count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Every one.
    Everything,
    /// Those with doubts.
    #[default]
    Doubts,
    /// None: the likeliest is recorded, and its doubts stand in the ledger.
    Never,
}

impl Policy {
    pub fn name(self) -> &'static str {
        match self {
            Policy::Everything => "everything",
            Policy::Doubts => "doubts",
            Policy::Never => "never",
        }
    }
}

/// An event that vision has seen.
#[derive(Debug, Clone)]
pub struct Proposal {
    pub event: Event,
    /// The settled view that it rests on.
    pub evidence: Option<ViewEvidence>,
    /// How likely the event is right, all doubts together, 0 to 1.
    pub confidence: f64,
    pub doubts: Vec<Doubtful>,
}

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Taken {
    /// It counts, as the event of this number.
    Recorded { number: usize },
    /// A person is asked.
    Asked { id: u64, why: String },
}

/// What a person makes of a proposal instead.
#[derive(Debug, Clone)]
pub struct Correction {
    pub event: Event,
    pub why: Option<String>,
}

/// A person's ruling on a call.
#[derive(Debug, Clone)]
pub struct Judgement<'a> {
    pub ruling: Ruling,
    /// What about the piece it is, as doubts name it: a line, `end`, `order`, `colour …`. When it is
    /// not said, the piece's likeliest doubt, else the line that is nearest.
    pub about: Option<&'a str>,
    /// What takes the event's place, where a person says it in full.
    pub with: Option<Event>,
    pub by: &'a str,
    pub why: Option<&'a str>,
}

impl<'a> Judgement<'a> {
    /// A ruling without more to say.
    pub fn new(ruling: Ruling, by: &'a str) -> Self {
        Self { ruling, about: None, with: None, by, why: None }
    }
}
