//! The reasons to report a slowdown as inconclusive, whatever its slots prove.

use bench_diff_system::words;

words! {
    /// The kind of a doubt about a slowdown.
    pub enum DoubtKind {
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
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Serialize)]
pub struct Doubt {
    /// The kind of the reason.
    pub kind: DoubtKind,
    /// The reason, as people read it.
    pub why: String,
}

impl Doubt {
    /// A doubt for this reason.
    pub fn new(kind: DoubtKind, why: &str) -> Self {
        Self { kind, why: why.to_owned() }
    }

    /// The doubt about a pair that passes if each crate is one codegen unit.
    pub fn of_units() -> Self {
        Self::new(DoubtKind::Units, AS_BUILT)
    }

    /// The reason for the outcome of a pair that would otherwise have failed.
    pub(super) fn reason(&self) -> String {
        let start = if self.kind == DoubtKind::Place { "code placement could be the cause: " } else { "" };
        format!("{start}{}", self.why)
    }
}

const AS_BUILT: &str = "slower as built, but not if each crate is one codegen unit: the change made the compiler split a \
    crate differently, so it inlined unchanged code differently; `codegen-units = 1` in the profile on both sides prevents \
    this";
