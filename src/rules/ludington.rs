//! Ludington carroms, with its variations (U1 to U11).

use std::sync::Arc;

use super::{
    BySide, GameId, Seat, Setup, Side, Standing, Status,
    event::{Called, Event, StrikeEvent, StrikerFate},
    game::{self, Entry, Game, Special, Table},
    reason::{Reason, Reasons, Refusal},
    strike::{Pieces, Taken, Turn},
};

/// What the green disc scores (U7).
const GREEN_POINTS: i32 = 5;

#[derive(Debug, Clone)]
pub struct Ludington {
    setup: Arc<Setup>,
    standing: Standing,
    inning: Inning,
}

/// The running inning.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Inning {
    turn: Turn,
    /// Discs that each side began with.
    set: u32,
    down: BySide<u32>,
    /// `None` when it is played without the green disc.
    green: Option<Special>,
}

/// A validated shot.
#[derive(Debug, Clone, Copy)]
pub struct Shot {
    pocketed: Taken,
    shooter_pocketed: bool,
    off_board: bool,
    called: Option<Called>,
    /// A disc inside the base line was not hit off a cushion (U11).
    breach: bool,
}

impl Inning {
    fn new(setup: &Setup) -> Self {
        let green = setup.options.green.then_some(Special::OnBoard);
        Self { turn: Turn::default(), set: setup.options.discs, down: BySide::default(), green }
    }

    fn on_board(&self) -> BySide<u32> {
        BySide::from_fn(|side| self.set - self.down[side])
    }

    fn table(&self) -> Table {
        Table { on_board: self.on_board(), special: self.green, owed: BySide::default() }
    }

    /// U8: one side has all its discs down, and the green one is pocketed where it is used.
    fn is_over(&self) -> bool {
        let all_down = self.down.find(|down| *down == self.set).is_some();
        all_down && self.green != Some(Special::OnBoard)
    }

    /// Plays a shot. True if the turn goes on.
    fn shoot(&mut self, side: Side, shot: Shot, green_continues: bool, entry: &mut Entry) -> bool {
        let (own, opponents) = (shot.pocketed.pieces[side], shot.pocketed.pieces[side.other()]);
        let green = shot.pocketed.special;
        let missed = shot.called == Some(Called::Missed);
        entry.cites.add(2);
        entry.cites.add_if(shot.off_board, 5);
        entry.cites.add_if(shot.breach, 11);
        entry.cites.add_if(shot.called.is_some(), 10);
        if shot.breach {
            entry.remarks.push("not off a cushion: the referee decides");
        }
        // U4: the opponent's discs stay down, whatever else happens.
        self.down[side.other()] += opponents;
        entry.cites.add_if(opponents > 0, 4);

        // U10: what was not named returns. U3: with the shooter, the shot's own discs return; U5: but
        // when the green one went in too, it alone returns.
        let own_return = missed || shot.shooter_pocketed && !green;
        if !own_return {
            self.down[side] += own;
        }
        if shot.shooter_pocketed && green {
            entry.cites.add(5);
            entry.remarks.push("shooter and green: the green returns");
        } else if shot.shooter_pocketed {
            entry.cites.add(3);
            let forfeit = self.down[side].min(1);
            self.down[side] -= forfeit;
            entry.remarks.push(if forfeit > 0 {
                "shooter: a forfeit returns"
            } else {
                "shooter: none to forfeit"
            });
        } else if green && !missed {
            self.green = Some(Special::Taken(side));
            entry.points[side] += GREEN_POINTS;
            entry.cites.add(7);
            entry.remarks.push("green pocketed");
        }
        if missed && own + u32::from(green) > 0 {
            entry.remarks.push("not the named disc: it returns");
        }
        let scored = own > 0 || green && green_continues && opponents == 0;
        scored && !missed && !shot.shooter_pocketed
    }
}

impl Ludington {
    pub fn new(setup: Arc<Setup>) -> Self {
        let inning = Inning::new(&setup);
        Self { setup, standing: Standing::default(), inning }
    }

    /// The inning that the next event meets: a fresh one after a finished game.
    fn next_inning(&self) -> Inning {
        if self.standing.between_games { Inning::new(&self.setup) } else { self.inning }
    }

    fn check_shot(&self, event: &StrikeEvent, reasons: &mut Reasons<'_>) -> Shot {
        let options = &self.setup.options;
        let not_taken = [
            ("fouls", event.fouls.is_some(), " (it has no such fouls)"),
            ("disturbed", event.disturbed.is_some(), ""),
            ("called", event.called.is_some() && !options.called, " without its option called (U10)"),
            ("cushioned", event.cushioned.is_some() && !options.cushion, " without its option cushion (U11)"),
        ];
        for (field, given, hint) in not_taken {
            if given {
                reasons.add(Reason::FieldNotTaken { field, game: "ludington", hint });
            }
        }
        let inning = self.next_inning();
        let pieces = Pieces {
            setup: &self.setup,
            special: options.green.then_some("green"),
            on_board: inning.on_board(),
            special_on_board: inning.green == Some(Special::OnBoard),
        };
        let (pocketed, off_board) = pieces.check(event, reasons);
        let side = inning.turn.seat(options.play).side;
        if options.called && event.called.is_none() {
            reasons.add(Reason::CalledMissing);
        }
        if event.called == Some(Called::Made) && pocketed.pieces[side] == 0 && !pocketed.special {
            reasons.add(Reason::NothingMade);
        }
        Shot {
            pocketed,
            shooter_pocketed: event.striker == StrikerFate::Pocketed,
            off_board: off_board != Taken::default() || event.striker == StrikerFate::OffBoard,
            called: event.called,
            breach: event.cushioned == Some(false),
        }
    }

    fn apply_shot(&mut self, shot: Shot) -> Entry {
        if self.standing.start_game_if_due() {
            self.inning = Inning::new(&self.setup);
        }
        let options = self.setup.options;
        let seat = self.inning.turn.seat(options.play);
        let mut entry = Entry::new(GameId::Ludington, &self.standing, Some(seat));
        let goes_on = self.inning.shoot(seat.side, shot, options.green_continues, &mut entry);
        if !goes_on {
            self.inning.turn = self.inning.turn.next();
        }
        let inning_over = self.inning.is_over();
        if inning_over {
            let left = self.inning.on_board();
            entry.points += BySide::from_fn(|side| left[side.other()] as i32);
            entry.cites.add(8);
            entry.remarks.push("the inning ends");
        }
        self.standing.scores += entry.points;
        entry.totals = self.standing.scores;
        if inning_over {
            self.end_inning(&mut entry);
        }
        entry
    }

    /// U9: the game is checked at the end of an inning; a tie at or over the mark goes on.
    fn end_inning(&mut self, entry: &mut Entry) {
        let Standing { scores, .. } = self.standing;
        let at_mark = scores.first.max(scores.second) >= self.setup.options.target;
        entry.cites.add_if(at_mark, 9);
        match scores.leader() {
            Some(winner) if at_mark => {
                self.standing.win_game(winner, self.setup.options.best_of);
                entry.game_won_by = Some(winner);
                return;
            }
            None if at_mark => {
                self.standing.status = Status::TieBreak;
                entry.remarks.push("tied: another inning");
            }
            _ => self.standing.status = Status::Playing,
        }
        self.inning = Inning::new(&self.setup);
    }
}

impl Game for Ludington {
    type Move = Shot;

    fn validate(&self, event: &Event) -> Result<Shot, Refusal> {
        game::check_open(&self.standing, &self.setup)?;
        let mut reasons = Reasons::new(event.waivers());
        let Event::Strike(strike) = event else {
            reasons.add(Reason::NotAnEventOf { event: event.name(), game: "ludington", expected: "strike" });
            return Err(reasons.into_refusal());
        };
        let shot = self.check_shot(strike, &mut reasons);
        reasons.or(shot)
    }

    fn apply(&mut self, play: Shot) -> Entry {
        self.apply_shot(play)
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn to_play(&self) -> Option<Seat> {
        let turn = if self.standing.between_games { Turn::default() } else { self.inning.turn };
        (!self.standing.status.is_over()).then(|| turn.seat(self.setup.options.play))
    }

    fn colours(&self) -> &BySide<String> {
        &self.setup.colours
    }

    fn next_table(&self) -> Option<Table> {
        Some(self.next_inning().table())
    }

    fn table(&self) -> Option<Table> {
        Some(self.inning.table())
    }
}
