//! A camera that does not deliver, as a value.

use std::{fmt, time::Duration};

use serde::Serialize;

/// What happened to a live source, and when it is tried again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interruption {
    /// The source's name.
    pub source: String,
    pub kind: InterruptionKind,
    /// How long ago the last frame came (or the source was first opened).
    pub silent_for: Duration,
    /// What the system said, where it said something.
    pub reason: Option<String>,
    /// Until it is opened again; none while the camera is merely waited for.
    pub retry_in: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterruptionKind {
    /// It is there and sends nothing.
    Stalled,
    /// It was there and reports a failure: unplugged, mostly.
    Gone,
    /// It cannot be opened.
    Closed,
}

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            InterruptionKind::Stalled => "sends no frames",
            InterruptionKind::Gone => "has gone",
            InterruptionKind::Closed => "cannot be opened",
        };
        write!(f, "{} {what} (silent for {:.1} s", self.source, self.silent_for.as_secs_f64())?;
        if let Some(reason) = &self.reason {
            write!(f, "; {reason}")?;
        }
        write!(f, "): check that it is on and connected; ")?;
        match self.retry_in {
            Some(wait) => write!(f, "it is opened again in {:.1} s", wait.as_secs_f64()),
            None => write!(f, "it goes on by itself when frames come"),
        }
    }
}
