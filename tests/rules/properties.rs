//! What holds for any match: the fold, corrections, the order of pieces, serialisation.

use std::sync::Arc;

use linecall::rules::{
    AnyGame, Event, GameId, Record, Setup,
    event::{OverruleEvent, UndoEvent},
    match_file, report,
};
use proptest::prelude::*;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::random_matches::{header, legal_event};

/// A random legal match of at most `length` events after its first line.
fn random_match(game: GameId, seed: u64, length: usize) -> Vec<Event> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let header = header(game, &mut rng);
    let mut state = AnyGame::new(Arc::new(Setup::new(&header, None).unwrap()));
    let mut events = vec![Event::Match(header)];
    while events.len() <= length && !state.standing().status.is_over() {
        let event = legal_event(&state, &mut rng);
        state.play(&event).unwrap();
        events.push(event);
    }
    events
}

fn record(events: &[Event]) -> Record {
    let mut record = Record::open(0, events[0].clone(), None).unwrap();
    for (number, event) in events.iter().enumerate().skip(1) {
        record.push(number, event.clone()).unwrap();
    }
    record
}

fn game() -> impl Strategy<Value = GameId> {
    prop::sample::select(GameId::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn folding_in_steps_is_folding_whole(game in game(), seed: u64, cut in 0usize..40) {
        let events = random_match(game, seed, 40);
        let whole = record(&events);
        let cut = 1 + cut % events.len();
        let mut steps = record(&events[..cut]).clone();
        for (number, event) in events.iter().enumerate().skip(cut) {
            steps.push(number, event.clone()).unwrap();
        }
        prop_assert_eq!(report::json(&steps), report::json(&whole));
    }

    #[test]
    fn a_match_file_round_trips(game in game(), seed: u64) {
        let events = random_match(game, seed, 40);
        let text: String = events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect();
        let read: Vec<Event> = text.lines().map(|line| match_file::parse(line.as_bytes()).unwrap()).collect();
        prop_assert_eq!(&read, &events);
        let played = match_file::play(text.as_bytes(), None).unwrap();
        prop_assert_eq!(report::json(&played), report::json(&record(&events)));
    }

    #[test]
    fn overruling_and_overruling_back_is_the_identity(game in game(), seed: u64, at in 0usize..40) {
        let events = random_match(game, seed, 30);
        prop_assume!(events.len() > 2);
        let mut it = record(&events);
        let before = report::json(&it);
        let target = 1 + at % (events.len() - 1);
        let donor = events[1 + (at * 7) % (events.len() - 1)].clone();
        let overrule = |with: &Event| Event::Overrule(OverruleEvent { event: target, with: Box::new(with.clone()), by: None, why: None });
        // A donor event may be impossible there; then nothing may have changed.
        if it.push(events.len(), overrule(&donor)).is_ok() {
            it.push(events.len() + 1, overrule(&events[target])).unwrap();
        }
        prop_assert_eq!(report::json(&it), before);
    }

    #[test]
    fn undoing_and_undoing_that_is_the_identity(game in game(), seed: u64, at in 0usize..40) {
        let events = random_match(game, seed, 30);
        prop_assume!(events.len() > 2);
        let mut it = record(&events);
        let before = report::json(&it);
        let undo = |event: usize| Event::Undo(UndoEvent { event, by: None, why: None });
        if it.push(events.len(), undo(1 + at % (events.len() - 1))).is_ok() {
            it.push(events.len() + 1, undo(events.len())).unwrap();
        }
        prop_assert_eq!(report::json(&it), before);
    }

    #[test]
    fn undoing_the_last_event_is_not_having_played_it(game in game(), seed: u64) {
        let events = random_match(game, seed, 30);
        prop_assume!(events.len() > 2);
        let mut it = record(&events);
        let last = events.len() - 1;
        it.push(events.len(), Event::Undo(UndoEvent { event: last, by: None, why: None })).unwrap();
        prop_assert_eq!(report::json(&it), report::json(&record(&events[..last])));
    }

    #[test]
    fn scores_do_not_depend_on_the_order_of_pieces(seed: u64, long_board: bool) {
        let game = if long_board { GameId::LongBoard } else { GameId::Court };
        let mut events = random_match(game, seed, 12);
        let strip = |record: &Record| {
            let log = record.log().iter();
            log.map(|logged| (logged.entry.points, logged.entry.totals, (logged.entry.probability * 1e9).round() as i64))
                .collect::<Vec<_>>()
        };
        let before = strip(&record(&events));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for event in &mut events {
            if let Event::Frame(frame) = event {
                frame.pieces.shuffle(&mut rng);
            }
        }
        prop_assert_eq!(strip(&record(&events)), before);
    }
}
