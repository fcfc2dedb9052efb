//! Match files with random faults: no panic, no hang. `LINECALL_FUZZ_SECS` sets how long it runs.

use std::time::{Duration, Instant};

use linecall::rules::{match_file, report, sheet};
use rand::{Rng, RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use super::fixtures::matches;

/// Rounds of a run that is not timed.
const ROUNDS: u64 = 4_000;

/// Pieces of events that turn up in wrong places.
const TOKENS: [&str; 30] = [
    "null",
    "true",
    "-1",
    "0",
    "1e308",
    "-0.0",
    "18446744073709551616",
    "0.1",
    "\"\"",
    "\"red\"",
    "\"queen\"",
    "\"10-off\"",
    "\"hanging\"",
    "[]",
    "{}",
    "[[[[",
    "\"type\"",
    "\"undo\"",
    "\"overrule\"",
    "\"event\":",
    "\"with\":{",
    "\"pieces\":[",
    "\"sigma_mm\":3,",
    "\"waive\":[\"too-many-pieces\"],",
    "\"striker\":\"pocketed\",",
    "\"area\":null",
    "\\u0000",
    "\u{1F3AF}",
    ",",
    "}",
];

const EVENTS: [&str; 6] = [
    r#"{"type":"undo","event":1}"#,
    r#"{"type":"undo","event":3}"#,
    r#"{"type":"overrule","event":2,"with":{"type":"strike","pocketed":["white"]}}"#,
    r#"{"type":"overrule","event":1,"with":{"type":"frame","pieces":[]}}"#,
    r#"{"type":"forgotten"}"#,
    r#"{"type":"frame","pieces":[{"colour":"red","x_mm":200,"y_mm":1646,"sigma_mm":0.5},{"colour":"blue","x_mm":100,"y_mm":1646,"sigma_mm":0.5}]}"#,
];

fn mutate(text: &mut Vec<u8>, rng: &mut impl Rng) {
    let at = rng.random_range(0..=text.len());
    let lines = || -> Vec<Vec<u8>> { text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
    match rng.random_range(0..8) {
        0 if at < text.len() => text[at] ^= 1 << rng.random_range(0..8),
        1 => text.truncate(at),
        2 => {
            let to = (at + rng.random_range(0..20)).min(text.len());
            text.drain(at..to);
        }
        3 => {
            let token = TOKENS.choose(rng).unwrap();
            text.splice(at..at, token.bytes());
        }
        4 => {
            // Any number becomes another one.
            if let Some(digit) = (at..text.len()).find(|i| text[*i].is_ascii_digit()) {
                text[digit] = b'0' + rng.random_range(0..10);
            }
        }
        5 => {
            let mut all = lines();
            let (i, j) = (rng.random_range(0..all.len()), rng.random_range(0..all.len()));
            all.swap(i, j);
            *text = all.join(&b'\n');
        }
        6 => {
            let mut all = lines();
            let line = all.choose(rng).unwrap().clone();
            all.insert(rng.random_range(0..=all.len()), line);
            *text = all.join(&b'\n');
        }
        _ => {
            let mut all = lines();
            let event = EVENTS.choose(rng).unwrap().as_bytes().to_vec();
            all.insert(rng.random_range(0..=all.len()), event);
            *text = all.join(&b'\n');
        }
    }
}

#[test]
fn faulty_match_files_are_refused_without_a_panic() {
    let seconds =
        std::env::var("LINECALL_FUZZ_SECS").ok().and_then(|s| s.parse().ok()).map(Duration::from_secs);
    let seeds: Vec<Vec<u8>> = matches().iter().map(|path| std::fs::read(path).unwrap()).collect();
    let started = Instant::now();
    let (mut accepted, mut slowest) = (0u64, Duration::ZERO);
    let mut round = 0u64;
    while seconds.map_or(round < ROUNDS, |limit| started.elapsed() < limit) {
        let mut rng = ChaCha8Rng::seed_from_u64(round);
        let mut text = seeds.choose(&mut rng).unwrap().clone();
        for _ in 0..rng.random_range(1..6) {
            mutate(&mut text, &mut rng);
        }
        let begun = Instant::now();
        let record = match match_file::play(&text, None) {
            Ok(record) => {
                accepted += 1;
                Some(record)
            }
            Err(refused) => {
                assert!(!refused.to_string().is_empty());
                refused.before.map(|before| *before)
            }
        };
        if let Some(record) = record {
            let _ = (report::json(&record).to_string(), sheet::text(&record), sheet::csv(&record));
        }
        slowest = slowest.max(begun.elapsed());
        round += 1;
    }
    println!("{round} files, {accepted} of them still legal, the slowest took {slowest:?}");
    assert!(accepted > 0 && accepted < round);
}
