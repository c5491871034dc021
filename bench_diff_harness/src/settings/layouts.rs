//! Where functions lie while a pair is measured, which decides what its verdict is about.

use bench_diff_core::JudgeKind;

use bench_diff_system::words;

words! {
    /// The layouts of the bench binary in which the rounds of a pair run.
    #[derive(Default)]
    pub enum Layouts {
        /// Each round in its own layout if the bench binary can be linked again, else in it as linked.
        #[default]
        Auto = "auto",
        /// Each round in its own layout; it is an error if the bench binary cannot be linked again.
        All = "all",
        /// In the bench binary as linked, so that the addresses are a part of the ratio.
        Linked = "linked",
        /// In one process, whose duos are judged one by one.
        None = "none",
    }
}

impl Layouts {
    /// The limit on rounds for a pair with this judge; `None` if one process measures the whole pair.
    pub(crate) fn rounds(self, judge: JudgeKind, allowed: usize) -> Option<usize> {
        (judge == JudgeKind::Sequential && self != Self::None).then_some(allowed)
    }
}
