//! The subject of a verdict: the source, this program, or this process.

use bench_diff_core::JudgeKind;

use crate::system::words::words;

words! {
    /// The layouts in which the rounds of a pair run.
    #[derive(Default)]
    pub enum Layouts {
        /// Each round in its own layout if the program can be linked again, else in the program as linked.
        #[default]
        Auto = "auto",
        /// Each round in its own layout; a program that cannot be linked again is an error.
        All = "all",
        /// In the program as linked, whose places of code are a part of the ratio.
        Linked = "linked",
        /// In one process, of which each duo is judged.
        None = "none",
    }
}

impl Layouts {
    /// The allowed number of rounds of a pair with this judge; `None` if one process measures all of the
    /// pair.
    pub(crate) fn rounds(self, judge: JudgeKind, allowed: usize) -> Option<usize> {
        (judge == JudgeKind::Sequential && self != Self::None).then_some(allowed)
    }
}
