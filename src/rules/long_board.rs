//! Carrom long board (L1 to L7).

use std::sync::Arc;

use super::{
    BySide, GameId, Seat, Setup, Side, Standing,
    colour_choice::ColourChoice,
    event::Event,
    game::{Entry, Game},
    half_round::{self, Frame, HalfRoundMove},
    pucks::Counting,
    reason::Refusal,
};
use crate::calls::PieceState;

#[derive(Debug, Clone)]
pub struct LongBoard {
    setup: Arc<Setup>,
    standing: Standing,
    choice: ColourChoice,
    half_rounds: u32,
    /// The side that leads the next half round (L6).
    lead: Side,
}

impl LongBoard {
    pub fn new(setup: Arc<Setup>) -> Self {
        let choice = ColourChoice::new(&setup);
        Self { setup, standing: Standing::default(), choice, half_rounds: 0, lead: Side::First }
    }

    fn before_first_frame(&self) -> bool {
        self.standing.between_games || self.half_rounds == 0
    }

    fn start_game_if_due(&mut self) {
        if self.standing.start_game_if_due() {
            self.half_rounds = 0;
            self.lead = Side::First;
        }
    }

    fn apply_frame(&mut self, Frame { pucks, hand_flagged }: Frame) -> Entry {
        self.start_game_if_due();
        let mut entry = Entry::new(GameId::LongBoard, &self.standing, self.to_play());
        entry.set_score(pucks.score());
        entry.cites.add(3);
        entry.cites.add(4);
        entry.cites.add_if(pucks.any_in(PieceState::Hanging), 5);
        if hand_flagged {
            entry.cites.add(1);
            entry.remarks.push("a hand over the foul line was flagged");
        }
        self.standing.scores += entry.points;
        self.half_rounds += 1;
        entry.totals = self.standing.scores;
        // L6: the winner of the half round leads the next one; with no winner the lead stays.
        if let Some(winner) = entry.points.leader() {
            self.lead = winner;
            if self.standing.scores[winner] >= self.setup.options.target {
                entry.cites.add(7);
                entry.game_won_by = Some(winner);
                self.standing.win_game(winner, self.setup.options.best_of);
                self.choice.next_game();
            }
        } else {
            entry.remarks.push("nobody scores: the lead stays");
        }
        entry
    }
}

impl Game for LongBoard {
    type Move = HalfRoundMove;

    fn validate(&self, event: &Event) -> Result<HalfRoundMove, Refusal> {
        let start = self.before_first_frame();
        half_round::validate(event, &self.setup, &self.standing, &self.choice, start, Counting::Leaders)
    }

    fn apply(&mut self, play: HalfRoundMove) -> Entry {
        match play {
            HalfRoundMove::Opening(opening) => {
                self.start_game_if_due();
                half_round::apply_opening(opening, &mut self.choice, GameId::LongBoard, &self.standing)
            }
            HalfRoundMove::Frame(frame) => self.apply_frame(frame),
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    /// In doubles partners stand at opposite ends, so every half round is the other one's (L6, L7).
    fn to_play(&self) -> Option<Seat> {
        if self.standing.status.is_over() {
            return None;
        }
        if self.standing.between_games {
            return Some(Seat { side: Side::First, partner: 0 });
        }
        Some(Seat { side: self.lead, partner: (self.half_rounds % 2) as usize })
    }

    fn colours(&self) -> &BySide<String> {
        &self.choice.colours
    }

    fn to_choose(&self) -> Option<Side> {
        self.choice.to_choose()
    }
}
