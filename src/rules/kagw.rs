//! KAGW carrom doubles, and singles by the same rules (K1 to K14).

use std::sync::Arc;

use super::{
    BySide, GameId, Seat, Setup, Side, Standing, Status,
    event::{Event, Foul, StrikeEvent, StrikerFate},
    game::{self, Entry, Game, Special, Table},
    reason::{Reason, Reasons, Refusal},
    strike::{Pieces, Taken, Turn},
};

/// Attempts to disturb the centre group in a game's first turn (K3).
const BREAK_ATTEMPTS: u32 = 3;

/// The winner's bonus for having covered the queen (K12).
const QUEEN_POINTS: i32 = 5;

#[derive(Debug, Clone)]
pub struct Kagw {
    setup: Arc<Setup>,
    standing: Standing,
    board: GameBoard,
}

/// The running game.
#[derive(Debug, Clone, Copy, PartialEq)]
struct GameBoard {
    turn: Turn,
    /// Pieces that each side began with.
    set: BySide<u32>,
    /// Pieces of each side that are pocketed.
    down: BySide<u32>,
    queen: Special,
    owed: BySide<u32>,
    /// Failed attempts to disturb the group; `None` once it is disturbed or the first turn is over.
    failed_breaks: Option<u32>,
    /// What the turn that just ended paid of penalties owed from earlier: these can be forgotten.
    paid_late: BySide<u32>,
}

#[derive(Debug, Clone, Copy)]
pub enum KagwMove {
    Strike(Strike),
    Forgotten,
}

/// A validated strike.
#[derive(Debug, Clone, Copy)]
pub struct Strike {
    pocketed: Taken,
    /// A foul that does not follow from the pocketed pieces.
    foul: bool,
    /// Breaches of K2 among the fouls.
    breach: bool,
    disturbed: bool,
}

impl GameBoard {
    fn new(setup: &Setup) -> Self {
        let set = BySide::from_fn(|side| setup.kind_of(side, &setup.colours[side]).count as u32);
        Self {
            turn: Turn::default(),
            set,
            down: BySide::default(),
            queen: Special::OnBoard,
            owed: BySide::default(),
            failed_breaks: Some(0),
            paid_late: BySide::default(),
        }
    }

    fn on_board(&self) -> BySide<u32> {
        BySide::from_fn(|side| self.set[side] - self.down[side])
    }

    fn table(&self) -> Table {
        Table { on_board: self.on_board(), special: Some(self.queen), owed: self.owed }
    }

    /// K12: all its pieces are down and the queen is covered, by either side.
    fn has_won(&self, side: Side) -> bool {
        self.down[side] == self.set[side] && matches!(self.queen, Special::Taken(_))
    }

    /// Plays a strike up to the end of the turn, if it ends; true if it does.
    fn strike(&mut self, side: Side, strike: Strike, entry: &mut Entry) -> bool {
        let other = side.other();
        let (own, opponents) = (strike.pocketed.pieces[side], strike.pocketed.pieces[other]);
        let had_own_down = self.down[side] > 0;
        self.paid_late = BySide::default();
        self.down[side] += own;
        self.down[other] += opponents;

        let mut foul = strike.foul || opponents > 0;
        entry.cites.add(4);
        entry.cites.add_if(strike.breach, 2);
        entry.cites.add_if(opponents > 0, 8);
        foul |= self.fails_to_break(&strike, entry);
        self.queen_after(side, &strike, had_own_down, foul, entry);
        foul |= self.returns_last_pieces(side, own > 0, opponents > 0, entry);

        let wins = self.has_won(side);
        let breaks_again = self.failed_breaks.is_some_and(|failed| failed > 0) && !foul;
        let goes_on = !foul && !wins && (own > 0 || strike.pocketed.special || breaks_again);
        if !goes_on {
            self.end_turn(side, foul, entry);
        }
        !goes_on
    }

    /// K3: an attempt that leaves the group as it was; the third one is a foul.
    fn fails_to_break(&mut self, strike: &Strike, entry: &mut Entry) -> bool {
        let Some(failed) = self.failed_breaks else { return false };
        if strike.disturbed {
            self.failed_breaks = None;
            return false;
        }
        entry.cites.add(3);
        entry.remarks.push("the group is not disturbed");
        self.failed_breaks = Some(failed + 1);
        failed + 1 == BREAK_ATTEMPTS
    }

    /// K5, K6: the queen after a strike, before any penalty.
    fn queen_after(
        &mut self,
        side: Side,
        strike: &Strike,
        had_own_down: bool,
        foul: bool,
        entry: &mut Entry,
    ) {
        let own = strike.pocketed.pieces[side] > 0;
        let before = self.queen;
        self.queen = match before {
            // An own piece that goes down with a foul still covers the queen of the strike before.
            Special::ToCover if own => Special::Taken(side),
            Special::ToCover => Special::OnBoard,
            // K7, K8: a queen taken by a fouling strike returns.
            Special::OnBoard if strike.pocketed.special && foul => Special::OnBoard,
            Special::OnBoard if strike.pocketed.special && !had_own_down => Special::ToReturn,
            Special::OnBoard if strike.pocketed.special && own => Special::Taken(side),
            Special::OnBoard if strike.pocketed.special => Special::ToCover,
            unchanged => unchanged,
        };
        entry.cites.add_if(strike.pocketed.special && !foul && !had_own_down, 5);
        entry.cites.add_if(before == Special::ToCover || strike.pocketed.special && had_own_down && !foul, 6);
        let remark = match (before, self.queen) {
            (Special::OnBoard | Special::ToCover, Special::Taken(_)) => "queen covered",
            (Special::OnBoard, Special::ToCover) => "queen to cover",
            (Special::OnBoard, Special::ToReturn) => "queen too early: it returns",
            (Special::ToCover, Special::OnBoard) => "queen not covered: it returns",
            (Special::OnBoard, Special::OnBoard) if strike.pocketed.special => "queen returns",
            _ => return,
        };
        entry.remarks.push(remark);
    }

    /// K9, K10: last pieces that may not be down yet. True if that is a foul.
    fn returns_last_pieces(&mut self, side: Side, own: bool, opponents: bool, entry: &mut Entry) -> bool {
        let other = side.other();
        let takes_theirs = opponents && self.down[other] == self.set[other];
        if takes_theirs {
            self.down[other] -= 1;
            entry.cites.add(9);
            entry.remarks.push("the opponent's last piece returns");
        }
        let covered = matches!(self.queen, Special::Taken(_));
        let takes_own = own && self.down[side] == self.set[side] && !covered;
        if takes_own {
            self.down[side] -= 1;
            entry.cites.add(10);
            entry.remarks.push("the last piece returns: the queen is not covered");
        }
        takes_theirs || takes_own
    }

    /// K5, K7, K11: the queen that was taken too early returns, and penalties are paid: one for a
    /// foul, and what is owed from earlier by either side.
    fn end_turn(&mut self, side: Side, foul: bool, entry: &mut Entry) {
        // Only a queen that was covered stays down when the turn ends.
        if !matches!(self.queen, Special::Taken(_)) {
            self.queen = Special::OnBoard;
        }
        // The foul's own penalty is paid first; what is left goes to older debts.
        let mut fresh = BySide::default();
        if foul {
            fresh[side] = 1;
            entry.cites.add(7);
            entry.remarks.push("foul");
        }
        for side in Side::BOTH {
            let late = self.owed[side];
            self.paid_late[side] = late.min(self.down[side] - self.down[side].min(fresh[side]));
            let paid = (fresh[side] + late).min(self.down[side]);
            self.down[side] -= paid;
            self.owed[side] = fresh[side] + late - paid;
        }
        let late = self.paid_late != BySide::default();
        if late {
            entry.remarks.push("owed penalty paid");
        }
        let owing = self.owed != BySide::default();
        entry.cites.add_if(late || owing, 11);
        self.failed_breaks = None;
        self.turn = self.turn.next();
    }

    /// K11: what was paid of earlier debts is taken back, and those sides owe nothing more. The
    /// penalty for a foul of the strike itself was never owed, so it is not forgotten.
    fn forget(&mut self) {
        for side in Side::BOTH {
            let late = self.paid_late[side];
            if late > 0 {
                self.down[side] += late;
                self.owed[side] = 0;
            }
        }
        self.paid_late = BySide::default();
    }
}

impl Kagw {
    pub fn new(setup: Arc<Setup>) -> Self {
        let board = GameBoard::new(&setup);
        Self { setup, standing: Standing::default(), board }
    }

    fn seat(&self) -> Seat {
        self.board.turn.seat(self.setup.options.play)
    }

    /// The board that the next event meets: a fresh one after a finished game.
    fn next_board(&self) -> GameBoard {
        if self.standing.between_games { GameBoard::new(&self.setup) } else { self.board }
    }

    fn check_strike(&self, event: &StrikeEvent, reasons: &mut Reasons<'_>) -> Strike {
        for (field, given) in [("called", event.called.is_some()), ("cushioned", event.cushioned.is_some())] {
            if given {
                reasons.add(Reason::FieldNotTaken { field, game: "kagw", hint: "" });
            }
        }
        let board = self.next_board();
        let pieces = Pieces {
            setup: &self.setup,
            special: Some("queen"),
            on_board: board.on_board(),
            special_on_board: board.queen == Special::OnBoard,
        };
        let (pocketed, off_board) = pieces.check(event, reasons);
        let nothing_gone = event.pocketed.is_empty() && event.off_board.is_empty();
        if event.disturbed.is_some() && !board.turn.is_first() {
            reasons.add(Reason::NotTheFirstTurn);
        } else if event.disturbed == Some(false) && board.failed_breaks.is_some() && !nothing_gone {
            reasons.add(Reason::DisturbedAfterAll);
        }
        let fouls = event.fouls.as_deref().unwrap_or_default();
        Strike {
            pocketed,
            foul: event.striker != StrikerFate::InPlay || off_board != Taken::default() || !fouls.is_empty(),
            breach: fouls.iter().any(|foul| *foul != Foul::Touched),
            disturbed: event.disturbed.unwrap_or(true),
        }
    }

    fn apply_strike(&mut self, strike: Strike) -> Entry {
        if self.standing.start_game_if_due() {
            self.board = GameBoard::new(&self.setup);
        }
        let seat = self.seat();
        let mut entry = Entry::new(GameId::Kagw, &self.standing, Some(seat));
        let turn_ended = self.board.strike(seat.side, strike, &mut entry);
        if turn_ended {
            self.check_win(seat.side, &mut entry);
        }
        entry
    }

    fn apply_forgotten(&mut self) -> Entry {
        let mut entry = Entry::new(GameId::Kagw, &self.standing, None);
        self.board.forget();
        entry.cites.add(11);
        entry.remarks.push("owed penalty forgotten");
        for side in Side::BOTH {
            self.check_win(side, &mut entry);
        }
        entry
    }

    /// K12: the winner scores the opponent's pieces on the board, and the queen if it covered her.
    fn check_win(&mut self, side: Side, entry: &mut Entry) {
        if self.standing.between_games || !self.board.has_won(side) {
            return;
        }
        let left = self.board.on_board()[side.other()] as i32;
        let queen = if self.board.queen == Special::Taken(side) { QUEEN_POINTS } else { 0 };
        entry.points[side] = left + queen;
        self.standing.scores = entry.points;
        entry.totals = entry.points;
        entry.cites.add(12);
        entry.game_won_by = Some(side);
        self.standing.end_game(side);
        self.check_match(entry);
    }

    /// K13: two games take the match; at one each, the points of all three games.
    fn check_match(&mut self, entry: &mut Entry) {
        let Standing { games, points, .. } = self.standing;
        let played = games.first + games.second;
        let best_of = self.setup.options.best_of;
        self.standing.status = if best_of == 1 || played == 2 && games.first != games.second {
            games.leader().map_or(Status::Playing, Status::Won)
        } else if played == best_of {
            points.leader().map_or(Status::Undecided, Status::Won)
        } else {
            return;
        };
        entry.cites.add_if(best_of > 1, 13);
    }
}

impl Game for Kagw {
    type Move = KagwMove;

    fn validate(&self, event: &Event) -> Result<KagwMove, Refusal> {
        game::check_open(&self.standing, &self.setup)?;
        let mut reasons = Reasons::new(event.waivers());
        let play = match event {
            Event::Strike(strike) => KagwMove::Strike(self.check_strike(strike, &mut reasons)),
            Event::Forgotten(_) => {
                if self.board.paid_late == BySide::default() {
                    reasons.add(Reason::NothingForgotten);
                }
                KagwMove::Forgotten
            }
            other => {
                let expected = "strike and forgotten";
                reasons.add(Reason::NotAnEventOf { event: other.name(), game: "kagw", expected });
                return Err(reasons.into_refusal());
            }
        };
        reasons.or(play)
    }

    fn apply(&mut self, play: KagwMove) -> Entry {
        match play {
            KagwMove::Strike(strike) => self.apply_strike(strike),
            KagwMove::Forgotten => self.apply_forgotten(),
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn to_play(&self) -> Option<Seat> {
        let turn = if self.standing.between_games { Turn::default() } else { self.board.turn };
        (!self.standing.status.is_over()).then(|| turn.seat(self.setup.options.play))
    }

    fn colours(&self) -> &BySide<String> {
        &self.setup.colours
    }

    fn next_table(&self) -> Option<Table> {
        Some(self.next_board().table())
    }

    fn table(&self) -> Option<Table> {
        Some(self.board.table())
    }
}
