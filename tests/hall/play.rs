//! Matches that play themselves, by the rules of their game.

use linecall::rules::{
    AnyGame, Event, GameId, Special,
    event::{FrameEvent, FramePiece, StrikeEvent},
};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Of each colour, in kagw.
const MEN: u32 = 9;

pub fn dice(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// What may happen next: the first that the rules allow is played.
pub fn next(state: &AnyGame, rng: &mut ChaCha8Rng) -> Vec<Event> {
    match state.setup().game {
        GameId::Kagw => strikes(state, rng),
        _ => vec![frame(state, rng)],
    }
}

fn frame(state: &AnyGame, rng: &mut ChaCha8Rng) -> Event {
    let areas: Vec<&str> = state.setup().board.areas.iter().map(|area| area.name.as_str()).collect();
    let mut pieces = Vec::new();
    for (_, colour) in state.colours().iter() {
        for _ in 0..rng.random_range(0..=4) {
            let area = areas.choose(rng).map(|name| (*name).to_owned());
            pieces.push(FramePiece { colour: colour.clone(), area: Some(area), ..FramePiece::default() });
        }
    }
    let (end, flags, waive, by) = Default::default();
    Event::Frame(FrameEvent { pieces, end, flags, waive, by })
}

fn strikes(state: &AnyGame, rng: &mut ChaCha8Rng) -> Vec<Event> {
    let miss = Event::Strike(StrikeEvent::default());
    let (Some(table), Some(seat)) = (state.table(), state.to_play()) else { return vec![miss] };
    if state.standing().between_games || rng.random_ratio(2, 5) {
        return vec![miss];
    }
    let own = state.colours()[seat.side].clone();
    let left = table.on_board[seat.side];
    let has_pocketed = left < MEN;
    let pocketed = match table.special {
        Some(Special::OnBoard) if has_pocketed => vec!["queen".to_owned(), own],
        _ => vec![own],
    };
    vec![Event::Strike(StrikeEvent { pocketed, ..StrikeEvent::default() }), miss]
}
