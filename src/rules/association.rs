//! National Association shuffleboard (N1 to N7).

use std::sync::Arc;

use super::{
    BySide, GameId, Seat, Setup, Side, Standing, Status,
    event::{Event, PlayoffEvent},
    frame,
    game::{self, Entry, Game},
    pucks::{Counting, Pucks},
    reason::{Reason, Reasons, Refusal},
};
use crate::{board::End, calls::PieceState};

/// Rocks of one play-off: each side shoots one from each end (N6).
const PLAYOFF_ROCKS: u32 = 4;

#[derive(Debug, Clone)]
pub struct Association {
    setup: Arc<Setup>,
    standing: Standing,
    /// Frames played in the running game.
    frames: u32,
    /// The side that leads the next frame (N2).
    lead: Side,
    playoff: Playoff,
}

/// How far a play-off has come. Every pair of rocks is one of each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Playoff {
    rocks: u32,
    /// Whose rock was the first of a pair whose second is still to come.
    half_pair: Option<Side>,
}

#[derive(Debug)]
pub enum AssociationMove {
    Frame(Rocks),
    Rock { side: Side, points: i32 },
}

/// A validated frame.
#[derive(Debug)]
pub struct Rocks(Pucks);

impl Association {
    pub fn new(setup: Arc<Setup>) -> Self {
        let playoff = Playoff::default();
        Self { setup, standing: Standing::default(), frames: 0, lead: Side::First, playoff }
    }

    fn in_playoff(&self) -> bool {
        self.standing.status == Status::TieBreak
    }

    fn check_rock(&self, event: &PlayoffEvent, reasons: &mut Reasons<'_>) -> AssociationMove {
        if !self.in_playoff() {
            reasons.add(Reason::NoPlayoff);
        }
        if event.banked.is_some() && !self.setup.options.bank {
            reasons.add(Reason::GoesWith { piece: 1, field: "banked", with: "the option bank" });
        }
        let side = frame::side_of(&event.colour, &self.setup.colours, reasons);
        let board = &self.setup.board;
        let area = event.area.as_deref();
        let value = area.and_then(|name| frame::area_value(board, End::Far, name, 1, reasons)).unwrap_or(0);
        if let (true, Some(side)) = (self.in_playoff(), side) {
            self.check_rock_order(side, reasons);
        }
        // N7: a rock that touched no bank is dead.
        let points = if event.banked == Some(false) { 0 } else { value };
        AssociationMove::Rock { side: side.unwrap_or(self.lead), points }
    }

    /// The side that would lead the next frame shoots first, then the other one. At the second end
    /// the sheet leaves open who is first.
    fn check_rock_order(&self, side: Side, reasons: &mut Reasons<'_>) {
        let (expected, why) = match self.playoff.half_pair {
            Some(first) => (first.other(), "each pair is one of each colour"),
            None if self.playoff.rocks == 0 => {
                (self.lead, "the side that would lead the next frame is first")
            }
            None => return,
        };
        if side != expected {
            let expected = self.setup.colours[expected].clone();
            reasons.add(Reason::RockOrder { expected, why });
        }
    }

    fn apply_frame(&mut self, Rocks(pucks): Rocks) -> Entry {
        if self.standing.start_game_if_due() {
            self.frames = 0;
            self.lead = Side::First;
        }
        let mut entry = Entry::new(GameId::Association, &self.standing, self.to_play());
        entry.set_score(pucks.score());
        entry.cites.add(4);
        let dead = pucks.any_in(PieceState::Dead);
        entry.cites.add_if(dead, 3);
        entry.cites.add_if(dead && self.setup.options.bank, 7);
        self.standing.scores += entry.points;
        self.frames += 1;
        entry.totals = self.standing.scores;
        // N2: the frame's winner leads; after a tied or scoreless frame the order is reversed.
        self.lead = entry.points.leader().unwrap_or(self.lead.other());
        entry.cites.add(2);
        let scores = self.standing.scores;
        if scores.first.max(scores.second) >= self.setup.options.target {
            entry.cites.add(5);
            match scores.leader() {
                Some(winner) => self.win_game(winner, &mut entry),
                None => {
                    self.standing.status = Status::TieBreak;
                    self.playoff = Playoff::default();
                    entry.cites.add(6);
                    entry.remarks.push("tied: a play-off decides");
                }
            }
        }
        entry
    }

    fn apply_rock(&mut self, side: Side, points: i32) -> Entry {
        let partner = self.playoff_partner();
        let mut entry = Entry::new(GameId::Association, &self.standing, Some(Seat { side, partner }));
        entry.points[side] = points;
        entry.cites.add(6);
        self.standing.scores += entry.points;
        entry.totals = self.standing.scores;
        self.playoff.rocks += 1;
        self.playoff.half_pair = match self.playoff.half_pair {
            None => Some(side),
            Some(_) => None,
        };
        if self.playoff.rocks == PLAYOFF_ROCKS {
            self.playoff = Playoff::default();
            match self.standing.scores.leader() {
                Some(winner) => self.win_game(winner, &mut entry),
                None => entry.remarks.push("still tied: another play-off"),
            }
        }
        entry
    }

    fn win_game(&mut self, winner: Side, entry: &mut Entry) {
        self.standing.win_game(winner, self.setup.options.best_of);
        entry.game_won_by = Some(winner);
    }

    /// Partners stay at their ends (N1), and a play-off's pairs are shot from one end each.
    fn playoff_partner(&self) -> usize {
        ((self.frames + self.playoff.rocks / 2) % 2) as usize
    }
}

impl Game for Association {
    type Move = AssociationMove;

    fn validate(&self, event: &Event) -> Result<AssociationMove, Refusal> {
        game::check_open(&self.standing, &self.setup)?;
        let mut reasons = Reasons::new(event.waivers());
        let play = match event {
            Event::Frame(event) => {
                if self.in_playoff() {
                    reasons.add(Reason::PlayoffDue);
                }
                if !event.flags.is_empty() {
                    reasons.add(Reason::FieldNotTaken { field: "flags", game: "association", hint: "" });
                }
                let colours = &self.setup.colours;
                let pucks = frame::validate(event, &self.setup, colours, Counting::Every, &mut reasons);
                AssociationMove::Frame(Rocks(pucks))
            }
            Event::Playoff(event) => self.check_rock(event, &mut reasons),
            other => {
                let expected = "frame and playoff; colours are settled by toss (N1)";
                reasons.add(Reason::NotAnEventOf { event: other.name(), game: "association", expected });
                return Err(reasons.into_refusal());
            }
        };
        reasons.or(play)
    }

    fn apply(&mut self, play: AssociationMove) -> Entry {
        match play {
            AssociationMove::Frame(frame) => self.apply_frame(frame),
            AssociationMove::Rock { side, points } => self.apply_rock(side, points),
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn to_play(&self) -> Option<Seat> {
        if self.standing.status.is_over() {
            return None;
        }
        if self.standing.between_games {
            return Some(Seat { side: Side::First, partner: 0 });
        }
        let side = self.playoff.half_pair.map_or(self.lead, Side::other);
        Some(Seat { side, partner: self.playoff_partner() })
    }

    fn colours(&self) -> &BySide<String> {
        &self.setup.colours
    }
}
