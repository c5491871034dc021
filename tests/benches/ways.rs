//! The ways to build one source, which differ in nothing that a measured function knows of.

use std::fmt::{self, Display};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The amount of code that is never called.
    pub(crate) padding: usize,
    pub(crate) codegen_units: usize,
}

const fn way(padding: usize, codegen_units: usize) -> Way {
    Way { padding, codegen_units }
}

impl Way {
    pub(crate) const ALL: [Self; 10] = [
        way(0, 16),
        way(1, 16),
        way(2, 16),
        way(3, 16),
        way(4, 16),
        way(0, 1),
        way(1, 1),
        way(2, 1),
        way(3, 1),
        way(4, 1),
    ];

    /// That of a variant, every other one in one codegen unit, in which no function depends on what stands
    /// beside it.
    pub(crate) fn of_variant(seed: u64) -> Self {
        way(0, if seed.is_multiple_of(2) { 1 } else { 16 })
    }
}

impl Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "padding {}, codegen units {}", self.padding, self.codegen_units)
    }
}
