//! The reasons to report a slowdown as inconclusive, whatever its slots prove.

use crate::system::words::words;

words! {
    /// The kind of a doubt about a slowdown.
    pub(crate) enum DoubtKind {
        /// Layouts were requested, but the verdict is about the binary as linked, so code placement could be
        /// the cause.
        Place = "place",
        /// The benchmarks of the old revision may do other work.
        OtherWork = "other_work",
        /// It passes if each crate is one codegen unit.
        Units = "units",
    }
}

/// A doubt about a slowdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doubt<'a> {
    pub(crate) kind: DoubtKind,
    /// The reason, as people read it.
    pub(crate) why: &'a str,
}

impl<'a> Doubt<'a> {
    /// The doubt about a pair that could only be measured as linked, for this reason.
    pub(crate) fn of_place(why: &'a str) -> Self {
        Self { kind: DoubtKind::Place, why }
    }

    /// The doubt about a pair in a bench that may do other work in the old revision, for this reason.
    pub(crate) fn of_work(why: &'a str) -> Self {
        Self { kind: DoubtKind::OtherWork, why }
    }

    /// The reason for the outcome of a pair that would otherwise have failed.
    pub(super) fn reason(self) -> String {
        let start = if self.kind == DoubtKind::Place { "code placement could be the cause: " } else { "" };
        format!("{start}{}", self.why)
    }
}

impl Doubt<'static> {
    pub(crate) const UNITS: Self = Self { kind: DoubtKind::Units, why: AS_BUILT };
}

const AS_BUILT: &str = "slower as built, but not if each crate is one codegen unit: the change made the compiler split a \
    crate differently, so it inlined unchanged code differently; `codegen-units = 1` in the profile on both sides prevents \
    this";
