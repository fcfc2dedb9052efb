//! What the steps of a search saw, for people who look into a failure and for benches.

use std::time::{Duration, Instant};

use super::Verdict;
use crate::camera::Camera;

/// Filled by [`super::find_board_with_trace`].
#[derive(Debug, Clone, Default)]
pub struct FindTrace {
    /// Steps in order, with the time each took.
    pub times: Vec<(&'static str, Duration)>,
    pub segments: usize,
    pub orientations: usize,
    pub hypotheses: usize,
    /// Nats of the hypotheses that were polished, before polishing.
    pub coarse_scores: Vec<f64>,
    /// What they came to, the best first.
    pub verdicts: Vec<Verdict>,
    /// The camera that the best verdict is about, also when it was refused.
    pub best: Option<Camera>,
    last: Option<Instant>,
}

impl FindTrace {
    pub(super) fn start(&mut self) {
        self.last = Some(Instant::now());
    }

    pub(super) fn stamp(&mut self, step: &'static str) {
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            self.times.push((step, now - last));
        }
    }
}
