//! Memory that one picture's detection leaves to the next on the same thread.
//!
//! A view has a hundred thousand cells and more. Memory that is fresh from the system is mapped in page by
//! page as it is first written, which costs as much as working through it.

use std::cell::RefCell;

use super::{light::Cell, vote::Ballot};

thread_local! {
    static KEPT: RefCell<Scratch> = RefCell::default();
}

/// Buffers with whatever the last picture left in them.
#[derive(Default)]
pub struct Scratch {
    pub cells: Vec<Cell>,
    pub ballot: Ballot,
}

/// Lends this thread's buffers to `work`.
pub fn with_scratch<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = KEPT.take();
    let result = work(&mut scratch);
    KEPT.set(scratch);
    result
}
