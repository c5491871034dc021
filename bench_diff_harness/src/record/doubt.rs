//! The reasons that make a failure inconclusive, whatever its slots prove.

use crate::call::probe::Maker;
use crate::plan::Change;
use crate::system::words::words;

words! {
    /// The kind of a doubt about a failure.
    pub(crate) enum DoubtKind {
        /// Its place in this program, in which it was judged though layouts were asked for, may be all that
        /// it is about.
        Place = "place",
        /// The benchmark is another one on the other side.
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
            "; `--against-benches now` runs today's on both sides, and `--against-changed judge`, or the same \
             `same_work` on both sides, compares nevertheless"
        )
    };
}

/// A doubt about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doubt<'a> {
    pub(crate) kind: DoubtKind,
    /// The reason, as people read it.
    pub(crate) why: &'a str,
}

impl<'a> Doubt<'a> {
    /// The doubt about what could be judged in its place alone, for this reason.
    pub(crate) fn of_place(why: &'a str) -> Self {
        Self { kind: DoubtKind::Place, why }
    }

    /// The doubt of which a record of an earlier version has the text alone.
    pub(super) fn of_text(why: &'a str) -> Self {
        let known =
            [Doubt::of_change(Change::Itself), Doubt::OTHERS].into_iter().find(|doubt| doubt.why == why);
        known.unwrap_or(Doubt::of_place(why))
    }

    /// The reason of the outcome of a pair that would have failed.
    pub(super) fn reason(self) -> String {
        let start = if self.kind == DoubtKind::Place { "place not excluded: " } else { "" };
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
        Self { kind: DoubtKind::Changed, why }
    }

    pub(crate) const OTHERS: Self = Self { kind: DoubtKind::Others, why: BY_OTHERS };
    pub(crate) const UNITS: Self = Self { kind: DoubtKind::Units, why: AS_BUILT };
}

const HAS_CHANGED: &str = "the benchmark itself has changed, so its work may have changed too: \
    `--against-benches now` runs today's on both sides, and `--against-changed judge`, or the same `same_work` on both \
    sides, says that the work has not";

const BY_OTHERS: &str = "it does not fail in a program without the other pairs: who else calls a function decides whether \
    that is inlined, on one side here and not on the other";

const AS_BUILT: &str = "slower as built, but not with one codegen unit for each crate: the change divides a crate otherwise, so \
    the compiler inlines otherwise what did not change; `codegen-units = 1` in the profile on both sides prevents it";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_an_earlier_version_has_the_text_alone() {
        for doubt in [Doubt::of_change(Change::Itself), Doubt::OTHERS, Doubt::of_place("there is no linker")]
        {
            assert_eq!(Doubt::of_text(doubt.why), doubt);
        }
    }
}
