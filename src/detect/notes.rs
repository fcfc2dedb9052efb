//! What detection saw on its way, for people who ask why.

use std::cell::RefCell;

use super::{check::Looked, vote::VoteMap};
use crate::geometry::Point;

/// Everything that a picture's detection looked at.
#[derive(Debug, Clone, Default)]
pub struct DetectTrace {
    /// Where rims voted, a map a size.
    pub votes: Vec<VoteMap>,
    /// Places in the order in which they were decided: those that were asked about last, with all their checks.
    pub looked: Vec<Looked>,
    /// Step of an edge that the bare surface does not show by itself, in stops.
    pub least_step: f32,
    /// How often the picture was smoothed because of that.
    pub smoothings: usize,
}

/// Where notes are made, if anybody wants any.
#[derive(Default)]
pub struct Notes<'a> {
    trace: Option<&'a RefCell<DetectTrace>>,
    /// Places to look at whatever is seen there.
    asked: &'a [Point],
}

impl<'a> Notes<'a> {
    pub fn new(trace: &'a RefCell<DetectTrace>, asked: &'a [Point]) -> Self {
        Self { trace: Some(trace), asked }
    }

    pub fn asked(&self) -> &'a [Point] {
        self.asked
    }

    /// Notes something; what it is, is only worked out where somebody wants it.
    pub fn note(&self, note: impl FnOnce(&mut DetectTrace)) {
        if let Some(trace) = self.trace {
            note(&mut trace.borrow_mut());
        }
    }
}
