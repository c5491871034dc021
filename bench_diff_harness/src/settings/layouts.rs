//! What a verdict is about: the source, this program, or this process.

use bench_diff_core::JudgeKind;

/// Where the rounds of a pair run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layouts {
    /// Each in a layout of its own, where the program can be linked again; else in the program as linked.
    #[default]
    Auto,
    /// Each in a layout of its own; a program that cannot be linked again is an error.
    All,
    /// In the program as linked, whose place is a part of the ratio.
    Linked,
    /// In one process, of which each duo is judged.
    None,
}

impl Layouts {
    /// Every one.
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

    /// The rounds of a pair with this judge, of which so many are allowed; none where one process measures
    /// all of it.
    pub(crate) fn rounds(self, judge: JudgeKind, allowed: usize) -> Option<usize> {
        (judge == JudgeKind::Sequential && self != Self::None).then_some(allowed)
    }
}
