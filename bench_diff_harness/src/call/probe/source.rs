//! The source of inputs.

use crate::call::value::Duplicate;

/// Makes another input of one, where there is a way.
type Duplicating<I> = fn(&I) -> Option<I>;

/// The source of inputs.
pub(super) struct Source<'a, I> {
    /// Makes one.
    make: &'a dyn Fn() -> I,
    /// Makes another one of it, where there is a way to.
    duplicate: Option<Duplicating<I>>,
}

impl<'a, I> Source<'a, I> {
    /// Inputs that `make` makes, and duplicates of these where `H` knows a way.
    pub(super) fn new<H: Duplicate<I>>(make: &'a dyn Fn() -> I) -> Self {
        Self { make, duplicate: H::CAN_DUPLICATE.then_some(H::duplicate) }
    }

    /// Inputs of which each one is made by `make`.
    pub(super) fn made_anew(make: &'a dyn Fn() -> I) -> Self {
        Self { make, duplicate: None }
    }

    /// Equal inputs, as far as there is a way to make them.
    pub(super) fn supply(&self) -> Supply<'_, I> {
        Supply { source: self, value: self.duplicate.map(|duplicate| (duplicate, (self.make)())) }
    }

    pub(super) fn one(&self) -> I {
        (self.make)()
    }

    /// Two inputs, the later one equal to the earlier one as far as there is a way to.
    pub(super) fn two(&self) -> (I, I) {
        let earlier = (self.make)();
        let later = self.duplicate.and_then(|duplicate| duplicate(&earlier)).unwrap_or_else(self.make);
        (earlier, later)
    }
}

/// Equal inputs.
pub(super) struct Supply<'a, I> {
    source: &'a Source<'a, I>,
    /// One of them, and what makes another one of it.
    value: Option<(Duplicating<I>, I)>,
}

impl<I> Supply<'_, I> {
    pub(super) fn next(&self) -> I {
        let value = self.value.as_ref().and_then(|(duplicate, value)| duplicate(value));
        value.unwrap_or_else(self.source.make)
    }
}
