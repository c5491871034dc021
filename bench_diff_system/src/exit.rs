//! Exit codes, and ends of the process.

use std::io::{self, ErrorKind};
use std::process::{Command, ExitCode};

use crate::stderr;

/// The end of a run. The order is the precedence: later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// No gated pair failed; without `--strict` even if some are inconclusive.
    Success,
    /// A pair failed. After this code, which is that of a failed test, cargo prints no further errors.
    Failure,
    /// A flag, a variable or a value is wrong.
    Usage,
    /// Something could not be measured or written.
    Error,
}

impl Exit {
    /// Ends the process.
    pub fn end(self) -> ! {
        std::process::exit(i32::from(self.code()))
    }

    /// Ends the process at once, whatever its threads are doing, without exit handlers.
    #[cfg(unix)]
    pub fn leave(self) -> ! {
        // SAFETY: the process ends at once, so nothing can observe unfinished work.
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
    pub fn leave(self) -> ! {
        self.end()
    }

    /// The exit code after writing: failing to write is an error, except to a closed pipe, whose reader
    /// stopped on purpose.
    pub fn of_writing(name: &str, written: io::Result<()>) -> Self {
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                stderr::error(format_args!("cannot write {name}: {error}"));
                Self::Error
            }
            _ => Self::Success,
        }
    }

    /// The code that a process ends with.
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 101,
            Self::Usage => 2,
            Self::Error => 3,
        }
    }
}

/// Why a run does not start, or stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// How the process ends then.
    pub exit: Exit,
    /// What it says before.
    pub reason: String,
}

impl Refusal {
    /// Says the reason on stderr, and returns the exit.
    pub fn tell(self) -> Exit {
        stderr::error(self.reason);
        self.exit
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self { exit: Exit::Error, reason }
    }
}

/// The mistake in a flag, a variable or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misuse(pub String);

impl From<Misuse> for Refusal {
    fn from(Misuse(mistake): Misuse) -> Self {
        Self { exit: Exit::Usage, reason: mistake + "\n\nFor more information, try '--help'." }
    }
}

/// Replaces this process by another program. Returns only if that cannot be started.
#[cfg(unix)]
pub fn replace_by(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Returns an error: a process of these systems cannot become another program.
#[cfg(not(unix))]
pub fn replace_by(_: &mut Command) -> io::Error {
    ErrorKind::Unsupported.into()
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Ends the process at once with this message on stderr and exit code 3, because nothing can be measured.
///
/// The message goes through the C library. Printing with std would reach variables of std, which are part of
/// the program with LTO, and a benchmark whose code can reach such a variable can't be proven unchanged.
#[cold]
#[inline(never)]
pub fn cannot_run(reason: &'static str) -> ! {
    for part in ["error: ", reason, "\n"] {
        write(part);
    }
    Exit::Error.leave()
}

#[cfg(unix)]
fn write(text: &str) {
    // SAFETY: the pointer and the length are those of the text.
    #[expect(unsafe_code, reason = "the standard library writes by variables")]
    unsafe {
        libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
    }
}

#[cfg(not(unix))]
fn write(text: &str) {
    eprint!("{text}");
}
