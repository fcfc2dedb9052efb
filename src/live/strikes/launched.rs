//! Strikes that were followed from their launch, with hands in the view.

use super::{Made, Strike};
use crate::{board::Pocket, geometry::nearest_on_segment, rules::event::StrikerFate};

impl Strike<'_> {
    /// Hands were there during the strike: they fetch the striker, and hide ways.
    pub(super) fn is_launched_by_hand(&self) -> bool {
        self.seen.episode.launch.is_some() && self.seen.episode.hand
    }

    /// The striker is not on the board any more after a strike with hands in the view: one whose last way in the open
    /// led into a pocket's mouth fell into it, any other was fetched.
    pub(super) fn striker_gone(&self, made: &mut Made) {
        let Some(run) = self.seen.episode.striker else { return };
        let last = run.last;
        let sinks = |pocket: &Pocket| {
            let along = nearest_on_segment(pocket.centre, last.at, last.at + STEPS_UNSEEN * last.step_mm);
            (along - pocket.centre).norm() < pocket.radius_mm
        };
        if !run.is_still && self.board.pockets.iter().any(sinks) {
            made.event.striker = StrikerFate::Pocketed;
            made.confidence *= self.options.trust.pocket;
        }
    }
}

/// What runs into a pocket is not seen for a frame or two before it is in.
const STEPS_UNSEEN: f64 = 1.5;
