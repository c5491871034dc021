//! Exit codes.

use std::process::ExitCode;

/// How a run ends. The order is the precedence: what comes later wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Every gated pair passed, or is inconclusive without `--strict`.
    Success,
    /// A pair failed: the code of a failed test, which is also what cargo shows without further noise.
    Failure,
    /// A flag, a variable or a value is wrong.
    Usage,
    /// Something could not be measured or written.
    Error,
}

impl Exit {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 101,
            Self::Usage => 2,
            Self::Error => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
