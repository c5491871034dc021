//! The reasons that make a failure inconclusive, whatever its slots prove.

use crate::call::probe::Maker;
use crate::plan::Change;
use crate::system::words::words;

words! {
    /// The kind of a doubt about a failure.
    pub(crate) enum DoubtKind {
        /// Layouts were requested, but the pair was judged as linked, so only its place may be slow.
        Place = "place",
        /// The benchmark differs on the other side.
        Changed = "changed",
        /// It does not fail in a program without the other pairs.
        Others = "others",
        /// It passes where each crate is one codegen unit.
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

/// A doubt about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doubt<'a> {
    /// `None` in records of earlier versions.
    pub(crate) kind: Option<DoubtKind>,
    /// The reason, as people read it.
    pub(crate) why: &'a str,
}

impl<'a> Doubt<'a> {
    /// The doubt about a pair that could only be judged as linked, for this reason.
    pub(crate) fn of_place(why: &'a str) -> Self {
        Self { kind: Some(DoubtKind::Place), why }
    }

    /// The reason for the outcome of a pair that would otherwise have failed.
    pub(super) fn reason(self) -> String {
        let start =
            if self.kind == Some(DoubtKind::Place) { "code placement could be the cause: " } else { "" };
        format!("{start}{}", self.why)
    }
}

impl Doubt<'static> {
    /// The doubt about a pair whose benchmark has changed so.
    pub(crate) fn of_change(change: Change) -> Self {
        let why = match change {
            Change::Itself => HAS_CHANGED,
            Change::Inputs(Maker::Args) => has_other!("`args` has another value of this name"),
            Change::Inputs(Maker::SetupOnce) => has_other!("`setup_once` makes another state"),
            Change::Inputs(Maker::Setup) => has_other!("`setup` makes other input"),
        };
        Self { kind: Some(DoubtKind::Changed), why }
    }

    pub(crate) const OTHERS: Self = Self { kind: Some(DoubtKind::Others), why: BY_OTHERS };
    pub(crate) const UNITS: Self = Self { kind: Some(DoubtKind::Units), why: AS_BUILT };
}

const HAS_CHANGED: &str = "the benchmark itself has changed, so its work may have changed too: \
    `--against-benches now` runs the edited one on both sides, and `--against-changed judge` declares that its work is the same";

const BY_OTHERS: &str = "it does not fail in a program without the other pairs: who else calls a function decides whether \
    that is inlined, on one side here and not on the other";

const AS_BUILT: &str = "slower as built, but not with one codegen unit for each crate: the change divides a crate otherwise, so \
    the compiler inlines otherwise what did not change; `codegen-units = 1` in the profile on both sides prevents it";
