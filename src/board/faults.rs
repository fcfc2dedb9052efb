//! What is wrong with a board file: every fault, each with its line.

use std::cell::RefCell;
use std::fmt;
use std::path::Path;

/// One fault: where it is and, in words for a person, what was found and what was expected.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Line of the file, from 1.
    pub line: usize,
    pub what: String,
}

/// Collects faults while a file is read; readers of its parts share it.
#[derive(Debug, Default)]
pub(super) struct FaultList(RefCell<Vec<Fault>>);

impl FaultList {
    pub(super) fn add(&self, line: usize, what: impl Into<String>) {
        self.0.borrow_mut().push(Fault { line, what: what.into() });
    }

    pub(super) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// All faults in the order of the file's lines.
    pub(super) fn into_sorted(self) -> Vec<Fault> {
        let mut faults = self.0.into_inner();
        faults.sort();
        faults.dedup();
        faults
    }
}

/// A file's faults as people read them: one a line, `FILE:LINE: what, expected what`.
pub(super) struct Listing<'a> {
    pub(super) path: &'a Path,
    pub(super) faults: &'a [Fault],
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.faults.len();
        let noun = if count == 1 { "fault" } else { "faults" };
        write!(f, "board file {} has {count} {noun}:", self.path.display())?;
        for Fault { line, what } in self.faults {
            write!(f, "\n  {}:{line}: {what}", self.path.display())?;
        }
        Ok(())
    }
}
