//! What the loop has to say about a settled view.

use serde::{Deserialize, Serialize};

use crate::{rules::Event, score::PhotoReport};

/// Something that was seen and matters for the game.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// A piece was played: its number in the half round and its colour.
    Shot { number: usize, colour: String },
    /// Worth telling; counts for nothing by itself.
    Remark(Remark),
    /// An event for the record.
    Draft(Box<Draft>),
}

/// Something to tell people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remark {
    /// `dead-piece`, `striker-placement`, `hand`, `count` …
    pub about: String,
    pub text: String,
    /// How sure vision is, 0 to 1.
    pub confidence: f64,
}

/// An event as vision sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    pub event: Event,
    /// How likely it is right, all doubts together, 0 to 1.
    pub confidence: f64,
    pub doubts: Vec<LiveDoubt>,
    pub rests_on: RestsOn,
}

/// The settled view that an event rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestsOn {
    ThisView,
    /// The one before: this one shows what came after.
    ViewBefore,
}

/// One thing that is not sure, and what to ask a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveDoubt {
    /// As in a report's doubts, or `count`, `bank`, `pocketed`, `placement` …
    pub about: String,
    /// How likely it is the other way.
    pub probability: f64,
    /// The piece's id in the view's report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

impl LiveDoubt {
    pub fn asking(about: &str, probability: f64, question: impl Into<String>) -> Self {
        Self {
            about: about.to_owned(),
            probability,
            piece: None,
            against: None,
            question: Some(question.into()),
        }
    }
}

/// What a report leaves in doubt.
pub fn doubts_of(report: &PhotoReport) -> Vec<LiveDoubt> {
    let calls = report.doubts.iter().map(|doubt| LiveDoubt {
        about: doubt.about.clone(),
        probability: doubt.probability,
        piece: Some(doubt.piece),
        against: doubt.against,
        question: None,
    });
    let uncalled = report.uncalled.iter().map(|piece| LiveDoubt {
        about: "uncalled".to_owned(),
        probability: 0.5,
        piece: Some(*piece),
        against: None,
        question: Some(format!("piece {piece} lies on another one or leans: what does it score?")),
    });
    calls.chain(uncalled).collect()
}
