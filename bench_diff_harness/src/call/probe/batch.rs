//! The inputs for a slot.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use super::source::Supply;

/// An input for each call of a slot, made before the slot. Calls get them in the order in which they were
/// made, since a maker may leave something behind that only the call with its input removes. The memory is
/// reused for the next slot.
#[derive(Debug)]
pub(super) struct Batch<I> {
    inputs: RefCell<VecDeque<I>>,
    /// The index of the next input to be lent.
    next: Cell<usize>,
}

impl<I> Default for Batch<I> {
    fn default() -> Self {
        Self { inputs: RefCell::default(), next: Cell::default() }
    }
}

impl<I> Batch<I> {
    /// Makes as many inputs as are missing for a slot of this many calls.
    pub(super) fn fill(&self, iterations: u64, inputs: &Supply<'_, I>) {
        let mut all = self.inputs.borrow_mut();
        let missing = iterations.saturating_sub(all.len() as u64);
        all.extend((0..missing).map(|_| inputs.next()));
    }

    /// Adds the input of one call.
    pub(super) fn put(&self, input: I) {
        self.inputs.borrow_mut().push_back(input);
    }

    /// Removes and returns the next input.
    pub(super) fn take(&self) -> I {
        self.inputs.borrow_mut().pop_front().expect("there are as many inputs as calls")
    }

    /// Removes and returns the input of one call, if the call left it.
    pub(super) fn take_left(&self) -> Option<I> {
        self.next.set(0);
        self.inputs.borrow_mut().pop_front()
    }

    /// Lends the next input, which stays in the batch.
    pub(super) fn with_next<R>(&self, call: impl FnOnce(&mut I) -> R) -> R {
        let next = self.next.get();
        self.next.set(next + 1);
        call(&mut self.inputs.borrow_mut()[next])
    }

    /// Keeps all inputs for the next slot.
    pub(super) fn rewind(&self) {
        self.next.set(0);
    }

    pub(super) fn clear(&self) {
        self.inputs.borrow_mut().clear();
        self.next.set(0);
    }
}
