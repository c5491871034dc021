//! What a record tells: the `event` of its line.

use super::json::Named;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The start of a run.
    Start,
    /// What one round of a pair measured.
    Round,
    /// A pair that is finished.
    #[default]
    Pair,
    /// The end of a run.
    Run,
    /// The self-test of a gate.
    SelfTest,
}

impl Named for Kind {
    const EVERY: &'static [Self] = &[Self::Start, Self::Round, Self::Pair, Self::Run, Self::SelfTest];

    fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Round => "round",
            Self::Pair => "pair",
            Self::Run => "run",
            Self::SelfTest => "self_test",
        }
    }
}
