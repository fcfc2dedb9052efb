//! Opening, verifying and salvaging whatever calls itself a ledger.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linecall::ledger::{Ledger, salvage, verify};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, new) = (folder.path().join("a.ledger"), folder.path().join("b.ledger"));
    std::fs::write(&path, bytes).expect("written");
    if let Ok(ledger) = Ledger::read(&path) {
        let _ = verify(&ledger, None);
        let _ = ledger.entries();
    }
    let _ = salvage(&path, &new, jiff::Timestamp::UNIX_EPOCH, |_, _| Ok(()));
});
