//! A ledger whose first page is lost, with that of a new ledger in its place.
//!
//! The tables of every ledger of one form begin on the same pages, because the same statements made
//! them in an empty file.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::ledger::{Ledger, LedgerOptions, store::PAGE_BYTES};

/// A copy that is removed when it is done with.
pub(super) struct Repaired {
    pub path: PathBuf,
}

impl Drop for Repaired {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A copy of the damaged ledger beside the file that is salvaged into, with a new first page.
pub(super) fn replaced(damaged: &Path, beside: &Path) -> Option<Repaired> {
    let page_bytes = usize::try_from(PAGE_BYTES).ok()?;
    let named = |ending: &str| {
        let mut name = beside.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let new = Repaired { path: named("-new") };
    drop(Ledger::record_into(&new.path, Timestamp::UNIX_EPOCH, LedgerOptions::default()).ok()?);
    let new_bytes = std::fs::read(&new.path).ok()?;
    let mut bytes = std::fs::read(damaged).ok()?;
    if bytes.len() < 2 * page_bytes {
        return None;
    }
    bytes[..page_bytes].copy_from_slice(new_bytes.get(..page_bytes)?);
    let pages = u32::try_from(bytes.len() / page_bytes).ok()?;
    // How many pages there are; no free ones; counters that say the first is right; no log.
    bytes[28..32].copy_from_slice(&pages.to_be_bytes());
    bytes[32..40].fill(0);
    let counter: [u8; 4] = bytes[24..28].try_into().ok()?;
    bytes[92..96].copy_from_slice(&counter);
    bytes[18..20].fill(1);
    let repaired = Repaired { path: named("-repaired") };
    std::fs::write(&repaired.path, bytes).ok()?;
    Some(repaired)
}
