//! The inputs for a slot.

use std::cell::{Cell, RefCell};

use super::source::Supply;

/// An input for each call of a slot, made before the slot. The memory is reused for the next slot.
#[derive(Debug)]
pub(super) struct Batch<I> {
    inputs: RefCell<Vec<I>>,
    /// The index of the next input to be lent.
    next: Cell<usize>,
}

impl<I> Default for Batch<I> {
    fn default() -> Self {
        Self { inputs: RefCell::default(), next: Cell::default() }
    }
}

impl<I> Batch<I> {
    pub(super) fn fill(&self, iterations: u64, inputs: &Supply<'_, I>) {
        self.inputs.borrow_mut().extend((0..iterations).map(|_| inputs.next()));
    }

    /// Adds the input of one call.
    pub(super) fn put(&self, input: I) {
        self.inputs.borrow_mut().push(input);
    }

    /// Removes and returns an input.
    pub(super) fn take(&self) -> I {
        self.inputs.borrow_mut().pop().expect("there are as many inputs as calls")
    }

    /// Removes and returns the input of one call, if the call left it.
    pub(super) fn take_left(&self) -> Option<I> {
        self.next.set(0);
        self.inputs.borrow_mut().pop()
    }

    /// Lends the next input, which stays in the batch.
    pub(super) fn with_next<R>(&self, call: impl FnOnce(&mut I) -> R) -> R {
        let next = self.next.get();
        self.next.set(next + 1);
        call(&mut self.inputs.borrow_mut()[next])
    }

    pub(super) fn clear(&self) {
        self.inputs.borrow_mut().clear();
        self.next.set(0);
    }
}
