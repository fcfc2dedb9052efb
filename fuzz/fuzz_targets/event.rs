//! One event as pages send it: the body of a request, then the rules.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linecall::rules::{Record, match_file};

fuzz_target!(|bytes: &[u8]| {
    let Ok(event) = match_file::parse(bytes) else { return };
    static OPENING: &[u8] = br#"{"type":"match","game":"court","sides":[{"name":"Ann","colour":"red"},{"name":"Bo","colour":"blue"}]}"#;
    let opening = match_file::parse(OPENING).expect("a match");
    let mut record = Record::open(0, opening, None).expect("a record");
    let _ = record.push(1, event);
});
