//! The inputs of a slot.

use std::cell::{Cell, RefCell};

use super::source::Supply;

/// An input for each call of a slot, made before it. The memory is used again for the next slot.
#[derive(Debug)]
pub(super) struct Batch<I> {
    inputs: RefCell<Vec<I>>,
    /// The next to be lent.
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

    /// Puts the input of one call in.
    pub(super) fn put(&self, input: I) {
        self.inputs.borrow_mut().push(input);
    }

    /// Takes an input out.
    pub(super) fn take(&self) -> I {
        self.inputs.borrow_mut().pop().expect("there are as many inputs as calls")
    }

    /// Takes out what is left of the input of one call.
    pub(super) fn take_left(&self) -> Option<I> {
        self.next.set(0);
        self.inputs.borrow_mut().pop()
    }

    /// Lends the next input, which stays where it is.
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
