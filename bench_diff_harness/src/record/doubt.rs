//! The reasons to report a slowdown as inconclusive, whatever its slots prove.

use crate::call::probe::Maker;
use crate::plan::Change;
use crate::system::words::words;

words! {
    /// The kind of a doubt about a slowdown.
    pub(crate) enum DoubtKind {
        /// Layouts were requested, but the verdict is about the binary as linked, so code placement could be
        /// the cause.
        Place = "place",
        /// The benchmark differs in the old revision.
        Changed = "changed",
        /// It does not fail in a binary without the other pairs.
        Others = "others",
        /// It passes if each crate is one codegen unit.
        Units = "units",
    }
}

/// The doubt about a pair with other inputs.
macro_rules! has_other {
    ($inputs:literal) => {
        concat!(
            "the benchmark itself has changed: ",
            $inputs,
            "; `--against-benches now` runs the edited one on both sides, and `--against-changed judge` lets it fail"
        )
    };
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

    /// The reason for the outcome of a pair that would otherwise have failed.
    pub(super) fn reason(self) -> String {
        let start = if self.kind == DoubtKind::Place { "code placement could be the cause: " } else { "" };
        format!("{start}{}", self.why)
    }
}

impl Doubt<'static> {
    /// The doubt about a pair whose benchmark has changed so.
    pub(crate) fn of_change(change: Change) -> Self {
        let why = match change {
            Change::Itself => HAS_CHANGED,
            Change::Inputs(Maker::Args) => has_other!("the arg of this name has a different value"),
            Change::Inputs(Maker::SetupOnce) => has_other!("`setup_once` makes a different state"),
            Change::Inputs(Maker::Setup) => has_other!("`setup` makes a different input"),
        };
        Self { kind: DoubtKind::Changed, why }
    }

    pub(crate) const OTHERS: Self = Self { kind: DoubtKind::Others, why: BY_OTHERS };
    pub(crate) const UNITS: Self = Self { kind: DoubtKind::Units, why: AS_BUILT };
}

const HAS_CHANGED: &str = "the benchmark itself has changed, so its work may have changed too: \
    `--against-benches now` runs the edited one on both sides, and `--against-changed judge` lets it fail";

const BY_OTHERS: &str = "it does not fail in a binary without the other benchmarks: the compiler inlines a function \
    depending on who else calls it, and in this binary it inlined one on one side only";

const AS_BUILT: &str = "slower as built, but not if each crate is one codegen unit: the change made the compiler split a \
    crate differently, so it inlined unchanged code differently; `codegen-units = 1` in the profile on both sides prevents \
    this";
