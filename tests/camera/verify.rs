//! What `linecall live` recorded against the story of what it was shown.

use std::path::Path;

use linecall::desk::{Desk, DeskOptions};

/// The ledger's match has the story's tally, in one half round, with nobody asked.
pub fn run(ledger: &Path, story: &Path) {
    let story: serde_json::Value = serde_json::from_slice(&std::fs::read(story).unwrap()).unwrap();
    let desk = Desk::open(ledger, DeskOptions::default()).unwrap();
    let state = desk.state();
    assert!(state.pending.is_empty(), "asked: {:?}", state.pending);
    let standing = state.standing.as_ref().expect("a match");
    assert_eq!(standing["scores"], story["final_tally"], "{standing}");
    // The match's first line, and the half round.
    assert_eq!(state.match_info.as_ref().unwrap().events, 2);
    let view = state.last.as_ref().and_then(|last| last.view).expect("the frame rests on a view");
    let stored = desk.with_ledger(|ledger| ledger.view(view)).unwrap();
    println!(
        "recorded as told: {}, {} pieces lie, {} frames kept as evidence",
        standing["scores"],
        stored.report.pieces.len(),
        stored.facts.frames.len()
    );
}
