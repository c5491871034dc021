//! Where inputs come from.

use crate::call::value::Duplicate;

/// Makes another input of one.
type Duplicating<'a, I> = &'a dyn Fn(&I) -> Option<I>;

/// Where inputs come from.
pub(super) struct Source<'a, I> {
    /// Makes one.
    make: &'a dyn Fn() -> I,
    /// Makes another one of it, where there is a way to.
    duplicate: Option<Duplicating<'a, I>>,
}

impl<'a, I> Source<'a, I> {
    /// Inputs that `make` makes, and duplicates of these where `duplicate` is one of `H`, which knows how.
    pub(super) fn new<H: Duplicate<I>>(make: &'a dyn Fn() -> I, duplicate: Duplicating<'a, I>) -> Self {
        Self { make, duplicate: H::CAN_DUPLICATE.then_some(duplicate) }
    }

    /// Makes equal inputs, as far as there is a way to.
    pub(super) fn supply(&self) -> impl Fn() -> I {
        let value = self.duplicate.map(|duplicate| (duplicate, (self.make)()));
        move || value.as_ref().and_then(|(duplicate, value)| duplicate(value)).unwrap_or_else(self.make)
    }

    /// Two inputs, the later one equal to the earlier one as far as there is a way to.
    pub(super) fn two(&self) -> (I, I) {
        let earlier = (self.make)();
        let later = self.duplicate.and_then(|duplicate| duplicate(&earlier)).unwrap_or_else(self.make);
        (earlier, later)
    }
}

impl Source<'_, ()> {
    /// No inputs.
    pub(super) const NONE: Self = Self { make: &|| (), duplicate: None };
}
