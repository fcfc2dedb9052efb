//! Carrom court shuffleboard (C1 to C9).

use std::sync::Arc;

use super::{
    BySide, GameId, Seat, Setup, Side, Standing, Status,
    colour_choice::ColourChoice,
    event::{Check, Event, Play},
    game::{Entry, Game},
    half_round::{self, Frame, HalfRoundMove},
    pucks::Counting,
    reason::Refusal,
};
use crate::calls::PieceState;

#[derive(Debug, Clone)]
pub struct Court {
    setup: Arc<Setup>,
    standing: Standing,
    choice: ColourChoice,
    /// Half rounds played in the running game.
    half_rounds: u32,
    /// In a tie-break: the number of half rounds after which the totals decide (C8).
    decided_at: Option<u32>,
}

impl Court {
    pub fn new(setup: Arc<Setup>) -> Self {
        let choice = ColourChoice::new(&setup);
        Self { setup, standing: Standing::default(), choice, half_rounds: 0, decided_at: None }
    }

    fn is_doubles(&self) -> bool {
        self.setup.options.play == Play::Doubles
    }

    /// C2: red shoots first, which is the colour that the board file names first.
    fn first_leader(&self) -> Side {
        let red = &self.setup.board.pieces[0].name;
        self.choice.colours.find(|colour| colour == red).unwrap_or(Side::First)
    }

    /// Who leads a half round. C3: the lead passes after every half round. C4: in doubles only after
    /// both ends have played, and the partners play at the other end.
    fn leader(&self, half_round: u32) -> Seat {
        let passes = if self.is_doubles() { half_round / 2 } else { half_round };
        let first = self.first_leader();
        let side = if passes % 2 == 0 { first } else { first.other() };
        Seat { side, partner: (half_round % 2) as usize }
    }

    fn before_first_frame(&self) -> bool {
        self.standing.between_games || self.half_rounds == 0
    }

    fn start_game_if_due(&mut self) {
        if self.standing.start_game_if_due() {
            self.half_rounds = 0;
            self.decided_at = None;
        }
    }

    /// Whether the game is over now, and how (C7, C8).
    fn check(&mut self, entry: &mut Entry) {
        let scores = self.standing.scores;
        let at_mark = scores.first.max(scores.second) >= self.setup.options.target;
        let checked = self.setup.options.check == Check::HalfRound || self.half_rounds.is_multiple_of(2);
        match self.decided_at {
            Some(at) if self.half_rounds < at => entry.cites.add(8),
            Some(_) => {
                entry.cites.add(8);
                self.decide(entry);
            }
            None if checked && at_mark => {
                entry.cites.add(7);
                self.decide(entry);
            }
            None => {}
        }
    }

    /// The higher total wins; a tie is broken by more rounds.
    fn decide(&mut self, entry: &mut Entry) {
        match self.standing.scores.leader() {
            Some(winner) => {
                let match_won = self.standing.win_game(winner, self.setup.options.best_of);
                entry.cites.add_if(match_won, 9);
                entry.game_won_by = Some(winner);
                self.choice.next_game();
            }
            None => {
                let more = if self.is_doubles() { 4 } else { 2 };
                self.decided_at = Some(self.half_rounds + more);
                self.standing.status = Status::TieBreak;
                entry.cites.add(8);
                entry.remarks.push("tied: more rounds decide");
            }
        }
    }

    fn apply_frame(&mut self, Frame { pucks, hand_flagged }: Frame) -> Entry {
        self.start_game_if_due();
        let mut entry = Entry::new(GameId::Court, &self.standing, Some(self.leader(self.half_rounds)));
        entry.set_score(pucks.score());
        entry.cites.add(6);
        entry.cites.add_if(pucks.any_in(PieceState::Dead), 5);
        if hand_flagged {
            entry.cites.add(2);
            entry.remarks.push("a hand over the foul line was flagged");
        }
        self.standing.scores += entry.points;
        self.half_rounds += 1;
        entry.totals = self.standing.scores;
        self.check(&mut entry);
        entry
    }
}

impl Game for Court {
    type Move = HalfRoundMove;

    fn validate(&self, event: &Event) -> Result<HalfRoundMove, Refusal> {
        let start = self.before_first_frame();
        half_round::validate(event, &self.setup, &self.standing, &self.choice, start, Counting::Every)
    }

    fn apply(&mut self, play: HalfRoundMove) -> Entry {
        match play {
            HalfRoundMove::Opening(opening) => {
                self.start_game_if_due();
                half_round::apply_opening(opening, &mut self.choice, GameId::Court, &self.standing)
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

    fn to_play(&self) -> Option<Seat> {
        let half_round = if self.standing.between_games { 0 } else { self.half_rounds };
        (!self.standing.status.is_over()).then(|| self.leader(half_round))
    }

    fn colours(&self) -> &BySide<String> {
        &self.choice.colours
    }

    fn to_choose(&self) -> Option<Side> {
        self.choice.to_choose()
    }
}
