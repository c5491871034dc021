//! The subject of a verdict: the source, this program, or this process.

use bench_diff_core::JudgeKind;

/// The layouts in which the rounds of a pair run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layouts {
    /// Each round in its own layout if the program can be linked again, else in the program as linked.
    #[default]
    Auto,
    /// Each round in its own layout; a program that cannot be linked again is an error.
    All,
    /// In the program as linked, whose places of code are a part of the ratio.
    Linked,
    /// In one process, of which each duo is judged.
    None,
}

impl Layouts {
    /// All values.
    pub(crate) const ALL: [Self; 4] = [Self::Auto, Self::All, Self::Linked, Self::None];

    /// The word for it in an attribute, on the command line and in a record.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::All => "all",
            Self::Linked => "linked",
            Self::None => "none",
        }
    }

    /// The allowed number of rounds of a pair with this judge; `None` if one process measures all of the
    /// pair.
    pub(crate) fn rounds(self, judge: JudgeKind, allowed: usize) -> Option<usize> {
        (judge == JudgeKind::Sequential && self != Self::None).then_some(allowed)
    }
}
