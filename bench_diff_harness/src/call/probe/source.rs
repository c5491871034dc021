//! Makes the inputs of functions.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::call::value::Duplicate;

/// Duplicates an input, if possible.
type Duplicating<I> = fn(&I) -> Option<I>;

/// A source of inputs.
pub(super) struct Source<'a, I> {
    /// Makes an input.
    make: &'a dyn Fn() -> I,
    /// Duplicates it, if `H` knows how.
    duplicate: Option<Duplicating<I>>,
}

impl<'a, I> Source<'a, I> {
    /// Inputs from `make`, and duplicates of them if `H` knows how.
    pub(super) fn new<H: Duplicate<I>>(make: &'a dyn Fn() -> I) -> Self {
        Self { make, duplicate: H::CAN_DUPLICATE.then_some(H::duplicate) }
    }

    /// Inputs that `make` makes one by one.
    pub(super) fn made_anew(make: &'a dyn Fn() -> I) -> Self {
        Self { make, duplicate: None }
    }

    /// A supply of equal inputs, as far as they can be duplicated.
    pub(super) fn supply(&self) -> Supply<'_, I> {
        Supply { source: self, value: self.duplicate.map(|duplicate| (duplicate, (self.make)())) }
    }

    pub(super) fn one(&self) -> I {
        (self.make)()
    }

    /// Two inputs, equal if the first can be duplicated.
    pub(super) fn two(&self) -> (I, I) {
        let earlier = (self.make)();
        let later = self.duplicate.and_then(|duplicate| duplicate(&earlier)).unwrap_or_else(self.make);
        (earlier, later)
    }
}

/// Equal inputs.
pub(super) struct Supply<'a, I> {
    source: &'a Source<'a, I>,
    /// An input, and the function that duplicates it.
    value: Option<(Duplicating<I>, I)>,
}

impl<I> Supply<'_, I> {
    /// Returns whether the maker makes each input. Each one then belongs to one call, which may need what the
    /// maker did beside it.
    pub(super) fn is_one_by_one(&self) -> bool {
        self.value.is_none()
    }

    pub(super) fn next(&self) -> I {
        let value = self.value.as_ref().and_then(|(duplicate, value)| duplicate(value));
        value.unwrap_or_else(self.source.make)
    }
}

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
