//! The inputs of a slot.

use std::cell::{Cell, RefCell};

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
    /// The input of one call.
    pub(super) fn of(input: I) -> Self {
        Self { inputs: RefCell::new(vec![input]), next: Cell::default() }
    }

    pub(super) fn fill(&self, iterations: u64, make: &dyn Fn() -> I) {
        self.inputs.borrow_mut().extend((0..iterations).map(|_| make()));
    }

    /// Takes an input out.
    pub(super) fn take(&self) -> I {
        self.pop().expect("there are as many inputs as calls")
    }

    /// Takes one out where there is one.
    pub(super) fn pop(&self) -> Option<I> {
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
