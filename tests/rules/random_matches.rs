//! Ten thousand random legal matches a game, and what must hold in every one of them.

use std::sync::Arc;

use linecall::rules::{
    AnyGame, BySide, Event, GameId, Options, Setup, Side, Special, Status,
    event::{
        Called, Check, Foul, FrameEvent, FramePiece, MatchEvent, Play, PlayoffEvent, RawOptions, RawSide,
        StrikeEvent, StrikerFate,
    },
};
use rand::{Rng, RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

const MATCHES: u64 = 10_000;

/// A match that has not ended by then is left unfinished.
const MOST_EVENTS: usize = 400;

pub fn header(game: GameId, rng: &mut impl Rng) -> MatchEvent {
    let play = if rng.random() { Play::Doubles } else { Play::Singles };
    let colours = match game {
        GameId::Court | GameId::LongBoard => ["red", "blue"],
        GameId::Association => ["red", "yellow"],
        GameId::Kagw | GameId::Ludington => ["white", "black"],
    };
    let mut options = RawOptions { play: Some(play), ..RawOptions::default() };
    let mut coin = || rng.random::<bool>();
    match game {
        GameId::Court => options.check = coin().then_some(Check::Round),
        GameId::Association => options.bank = Some(coin()),
        GameId::Ludington => {
            options.called = Some(coin());
            options.cushion = Some(coin());
            options.green_continues = Some(coin());
            options.green = Some(coin());
        }
        GameId::LongBoard | GameId::Kagw => {}
    }
    match game {
        GameId::Court | GameId::Association => options.target = [50, 75, 100].choose(rng).copied(),
        GameId::Ludington => {
            options.target = Some(rng.random_range(1..40));
            options.discs = Some(rng.random_range(1..=12));
        }
        GameId::LongBoard | GameId::Kagw => {}
    }
    options.best_of = [1, 3].choose(rng).copied();
    let side = |name: &str, colour: &str, partner: &str| RawSide {
        name: name.to_owned(),
        colour: Some(colour.to_owned()),
        players: (play == Play::Doubles).then(|| vec![name.to_owned(), partner.to_owned()]),
    };
    let sides = vec![side("Ann", colours[0], "Cy"), side("Bo", colours[1], "Di")];
    MatchEvent { game: game.id().to_owned(), options, sides }
}

/// An event that the rules allow now.
pub fn legal_event(state: &AnyGame, rng: &mut impl Rng) -> Event {
    match state.setup().game {
        GameId::Association if state.standing().status == Status::TieBreak => rock(state, rng),
        GameId::Court | GameId::LongBoard | GameId::Association => frame(state, rng),
        GameId::Kagw | GameId::Ludington => strike(state, rng),
    }
}

fn area(state: &AnyGame, rng: &mut impl Rng) -> Option<String> {
    let areas: Vec<&str> = state.setup().board.areas.iter().map(|area| area.name.as_str()).collect();
    areas.choose(rng).filter(|_| rng.random_ratio(2, 3)).map(|name| (*name).to_owned())
}

fn frame(state: &AnyGame, rng: &mut impl Rng) -> Event {
    let mut pieces = Vec::new();
    for (_, colour) in state.colours().iter() {
        for _ in 0..rng.random_range(0..=4) {
            let mut piece = FramePiece { colour: colour.clone(), ..FramePiece::default() };
            if state.setup().game == GameId::LongBoard || rng.random_ratio(1, 20) {
                let surface = &state.setup().board.surface;
                piece.x_mm = Some(rng.random_range(0.0..surface.width_mm));
                piece.y_mm = Some(rng.random_range(0.5..1.01) * surface.length_mm);
                piece.sigma_mm = rng.random_ratio(1, 10).then_some(0.1);
            } else {
                piece.area = Some(area(state, rng));
                piece.touching = rng.random_ratio(1, 8).then_some(true);
            }
            if state.setup().options.bank {
                piece.banked = rng.random_ratio(1, 8).then_some(false);
            }
            pieces.push(piece);
        }
    }
    let (end, flags, waive, by) = Default::default();
    Event::Frame(FrameEvent { pieces, end, flags, waive, by })
}

fn rock(state: &AnyGame, rng: &mut impl Rng) -> Event {
    let side = state.to_play().unwrap().side;
    let (banked, waive, by) = Default::default();
    Event::Playoff(PlayoffEvent {
        colour: state.colours()[side].clone(),
        area: area(state, rng),
        banked,
        waive,
        by,
    })
}

fn strike(state: &AnyGame, rng: &mut impl Rng) -> Event {
    let Options { called, cushion, .. } = state.setup().options;
    let fresh = state.standing().between_games.then(|| AnyGame::new(Arc::new(state.setup().clone())));
    let now = fresh.as_ref().unwrap_or(state);
    let table = now.table().unwrap();
    let special = if state.setup().game == GameId::Kagw { "queen" } else { "green" };
    let mut bag: Vec<String> = Vec::new();
    for side in Side::BOTH {
        bag.extend(std::iter::repeat_n(state.colours()[side].clone(), table.on_board[side] as usize));
    }
    if table.special == Some(Special::OnBoard) {
        bag.push(special.to_owned());
    }
    let mut event = StrikeEvent::default();
    for _ in 0..rng.random_range(0..4) {
        if !bag.is_empty() {
            event.pocketed.push(bag.swap_remove(rng.random_range(0..bag.len())));
        }
    }
    if !bag.is_empty() && rng.random_ratio(1, 20) {
        event.off_board.push(bag.swap_remove(rng.random_range(0..bag.len())));
    }
    event.striker = match rng.random_range(0..12) {
        0 => StrikerFate::Pocketed,
        1 => StrikerFate::OffBoard,
        _ => StrikerFate::InPlay,
    };
    if special == "queen" {
        let fouls = [Foul::Placement, Foul::Backward, Foul::EarlyHit, Foul::Arm, Foul::Touched];
        event.fouls = rng.random_ratio(1, 10).then(|| fouls.choose(rng).copied().into_iter().collect());
    }
    let own = &now.colours()[now.to_play().unwrap().side];
    let can_be_made = event.pocketed.iter().any(|colour| colour == own || colour == special);
    if called {
        let made = can_be_made && rng.random();
        event.called = Some(if made { Called::Made } else { Called::Missed });
    }
    event.cushioned = (cushion && rng.random_ratio(1, 5)).then(|| rng.random());
    Event::Strike(event)
}

/// Everything a match shows from outside, checked after every event.
struct Watcher {
    recount: BySide<i32>,
    games: BySide<u32>,
    was_between_games: bool,
}

impl Watcher {
    fn check(&mut self, state: &AnyGame, entry: &linecall::rules::Entry) {
        let standing = state.standing();
        if self.was_between_games {
            self.recount = BySide::default();
        }
        self.recount += entry.points;
        assert_eq!(self.recount, standing.scores, "a recount of the game's points");
        if let Some(winner) = entry.game_won_by {
            self.games[winner] += 1;
        }
        assert_eq!(self.games, standing.games, "a recount of the games won");
        self.was_between_games = standing.between_games;
        assert!((0.0..=1.0 + 1e-9).contains(&entry.probability));
        assert_eq!(state.to_play().is_none(), standing.status.is_over());
        if state.setup().game == GameId::LongBoard {
            assert!(entry.points.first == 0 || entry.points.second == 0, "only one side scores (L3)");
        }
        if let Some(table) = state.table() {
            let turn_ended = entry.by != state.to_play();
            self.check_table(state, &table, turn_ended);
        }
    }

    fn check_table(&self, state: &AnyGame, table: &linecall::rules::Table, turn_ended: bool) {
        let set = match state.setup().game {
            GameId::Kagw => 9,
            _ => state.setup().options.discs,
        };
        for side in Side::BOTH {
            assert!(table.on_board[side] <= set);
            // When a turn has ended, a debt only stands where there is nothing to pay it with (K11).
            if turn_ended {
                assert!(table.owed[side] == 0 || table.on_board[side] == set);
            }
        }
        assert_eq!(table.special.is_none(), !state.setup().options.green);
        if let Status::Won(_) | Status::Undecided = state.standing().status {
            assert!(matches!(table.special, None | Some(Special::Taken(_))));
        }
    }
}

fn random_matches(game: GameId) {
    let mut finished = 0;
    for seed in 0..MATCHES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let setup = Setup::new(&header(game, &mut rng), None).unwrap();
        let mut state = AnyGame::new(Arc::new(setup));
        let mut watcher =
            Watcher { recount: BySide::default(), games: BySide::default(), was_between_games: false };
        for _ in 0..MOST_EVENTS {
            let event = legal_event(&state, &mut rng);
            let entry =
                state.play(&event).unwrap_or_else(|refusal| panic!("seed {seed}: {refusal} {event:?}"));
            watcher.check(&state, &entry);
            if state.standing().status.is_over() {
                finished += 1;
                let before = (state.standing().clone(), state.table());
                assert!(state.play(&event).is_err(), "a won match stays won");
                assert_eq!((state.standing().clone(), state.table()), before);
                break;
            }
        }
    }
    assert!(finished > MATCHES / 2, "only {finished} matches came to an end");
}

#[test]
fn ten_thousand_random_court_matches_keep_every_invariant() {
    random_matches(GameId::Court);
}

#[test]
fn ten_thousand_random_long_board_matches_keep_every_invariant() {
    random_matches(GameId::LongBoard);
}

#[test]
fn ten_thousand_random_association_matches_keep_every_invariant() {
    random_matches(GameId::Association);
}

#[test]
fn ten_thousand_random_kagw_matches_keep_every_invariant() {
    random_matches(GameId::Kagw);
}

#[test]
fn ten_thousand_random_ludington_matches_keep_every_invariant() {
    random_matches(GameId::Ludington);
}
