//! Exit codes.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use crate::system::stderr;

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
    /// Ends the process at once, whatever its threads do, and calls no exit handlers.
    #[cfg(unix)]
    pub(crate) fn leave(self) -> ! {
        // SAFETY: ends the process at once, so that nothing can observe what was left undone.
        #[expect(
            unsafe_code,
            reason = "the standard library has no end without exit handlers but that of a crash"
        )]
        unsafe {
            libc::_exit(i32::from(self.code()));
        }
    }

    /// Ends the process at once.
    #[cfg(not(unix))]
    pub(crate) fn leave(self) -> ! {
        std::process::exit(i32::from(self.code()))
    }

    /// How writing ends a run: what could not be written is an error, but a closed pipe is none, since its
    /// reader stopped on purpose.
    pub(crate) fn of_writing(name: &str, written: io::Result<()>) -> Self {
        match written {
            Ok(()) => Self::Success,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Self::Success,
            Err(error) => {
                stderr::error(format_args!("cannot write {name}: {error}"));
                Self::Error
            }
        }
    }

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
