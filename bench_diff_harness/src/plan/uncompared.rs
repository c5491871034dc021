//! Why a run with `--against` compared nothing.

use bench_diff_revision::Missing;
use bench_diff_system::exit::Exit;
use bench_diff_system::words;

words! {
    /// The reason that a run compared nothing.
    pub(crate) enum Uncompared {
        /// The old side has no package of this name.
        NoPackage = "no_package",
        /// Its package has no bench of this name.
        NoBench = "no_bench",
        /// It has neither, and git shows that the bench came later.
        NewBench = "new_bench",
        /// The working tree's bench was copied into it and does not compile.
        Uncompilable = "uncompilable",
        /// It has this bench for another harness.
        OtherHarness = "other_harness",
        /// Its bench does not list its functions.
        NotListed = "not_listed",
        /// Each function is new, is ignored, or fails on the old side alone.
        NoFunction = "no_function",
    }
}

impl Uncompared {
    /// Returns whether the old side has a binary all the same.
    pub(crate) fn has_program(self) -> bool {
        matches!(self, Self::NotListed | Self::NoFunction)
    }

    /// The exit of a run that compared nothing for this reason. A change may bring a bench along.
    pub(crate) fn exit(self, strict: bool) -> Exit {
        if strict && self != Self::NewBench { Exit::Error } else { Exit::Success }
    }
}

impl From<Missing> for Uncompared {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::NoPackage => Self::NoPackage,
            Missing::NoBench => Self::NoBench,
            Missing::NewBench => Self::NewBench,
            Missing::Uncompilable => Self::Uncompilable,
            Missing::OtherHarness => Self::OtherHarness,
        }
    }
}
