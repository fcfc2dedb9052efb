//! A photo from its bytes to its score.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{path::Path, sync::LazyLock};

use linecall::{
    board::{Board, End},
    capture::{PhotoLimits, decode_photo},
    score::{Known, ScoreOptions, Scorer, StageTimes},
};

fuzz_target!(|bytes: &[u8]| {
    static SCORER: LazyLock<Scorer> = LazyLock::new(|| {
        let board = Board::named_or_at("carrom-court").expect("it ships");
        Scorer::new(board, None, End::Far, ScoreOptions::default()).expect("a scorer")
    });
    // Small pictures only: large ones are slow, and take the same ways.
    let limits = PhotoLimits { max_megapixels: 0.5, ..PhotoLimits::default() };
    if let Ok(picture) = decode_photo(bytes, Path::new("fuzzed.jpg"), &limits) {
        let _ = SCORER.score("fuzzed", &picture, &Known::Nothing, &mut StageTimes::default());
    }
});
