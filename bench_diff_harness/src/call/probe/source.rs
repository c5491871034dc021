//! Makes the inputs of functions.

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
