//! Opening a ledger to record into it: how far it goes is noted on this computer, and compared.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::{
    desk::{Desk, DeskOptions},
    home::DataFolder,
    ledger::{LedgerOptions, Noted, notes_folder},
};

/// The ledger that was named, else this evening's in the data folder.
pub(super) fn ledger_or_evening(named: Option<&Path>) -> Result<PathBuf, Failure> {
    match named {
        Some(named) => Ok(named.to_owned()),
        None => Ok(DataFolder::open(None).map_err(Failure::new)?.evening_now()),
    }
}

/// Opens a ledger's desk. One that is behind of what was recorded here is told.
pub(super) fn open_desk(ledger: &Path, options: DeskOptions) -> Result<Desk, Failure> {
    let notes = notes_folder();
    let options = DeskOptions { ledger: LedgerOptions { notes, ..options.ledger }, ..options };
    let desk = Desk::open(ledger, options).map_err(Failure::new)?;
    let shown = ledger.display();
    match desk.with_ledger(|ledger| ledger.noted()) {
        Noted::Behind(lost) => {
            if let Some(last) = lost.last() {
                eprintln!(
                    "linecall: {shown} is behind: entry {} was recorded on this computer at {} and is not in it; its end \
                     was cut off, or this is an older copy. linecall review {shown} --verify tells more",
                    last.seq, last.at,
                );
            }
        }
        Noted::InAnotherFile(head) => eprintln!(
            "linecall: {shown} is a copy: {} has entry {}, which is not in it; what is recorded from now on is in \
             {shown} only",
            head.ledger.display(),
            head.seq
        ),
        Noted::Nothing | Noted::Holds { .. } => {}
    }
    Ok(desk)
}
