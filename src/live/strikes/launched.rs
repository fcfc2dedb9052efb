//! Strikes that were followed from their launch, with hands in the view.

use super::{Made, Strike};
use crate::rules::event::StrikerFate;

impl Strike<'_> {
    /// Hands were there during the strike: they fetch the striker, and hide ways.
    pub(super) fn is_launched_by_hand(&self) -> bool {
        self.seen.episode.launch.is_some() && self.seen.episode.hand
    }

    /// The striker is not on the board any more after a strike with hands in the view: one that was last
    /// seen running over a pocket's mouth fell into it, any other was fetched.
    pub(super) fn striker_gone(&self, made: &mut Made) {
        let Some((last, is_still)) = self.seen.episode.striker else { return };
        let is_over = |pocket: &crate::board::Pocket| (last.at - pocket.centre).norm() < pocket.radius_mm;
        if !is_still && self.board.pockets.iter().any(is_over) {
            made.event.striker = StrikerFate::Pocketed;
            made.confidence *= self.options.trust.pocket;
        }
    }
}
