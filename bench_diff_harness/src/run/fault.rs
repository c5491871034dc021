//! Why a process stopped before it answered everything.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use bench_diff_report::record::End;
use bench_diff_system::files::cannot;

use crate::settings::TimeLimit;

/// The time that a process may take to end after its last answer, or after it closed its channel.
pub(super) const LONGEST: Duration = Duration::from_secs(2);

/// The reason why a process answers no more.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fault {
    /// Its function panicked or returned an `Err`, as the process reports.
    Reported(String),
    /// It ended with this code before it was finished.
    Exited(i32),
    /// It ended by a signal that a process causes itself, or on Windows by an exception.
    Crashed(String),
    /// Something that is not its own doing: it could not be started, was killed, took too long, or the run
    /// lost contact with it.
    Outside(String),
}

/// The signals of a process that did something wrong itself; `SIGTRAP` is the signal of an abort on aarch64.
#[cfg(unix)]
const OWN_SIGNALS: [i32; 6] =
    [libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP];

/// The exit code of a child that could not execute its program. Emulators hide the error from the parent.
const NOT_EXECUTED: i32 = 127;

/// The advice after a program could not be executed.
const OF_ANOTHER_MACHINE: &str = "if the bench is compiled for another machine, register an emulator with binfmt_misc: \
    the `runner` of cargo's config starts only its first process";

impl Fault {
    /// The fault of a process that could not be started for this reason.
    pub(super) fn not_started(reason: impl Display) -> Self {
        Self::Outside(format!("its process could not be started: {reason}"))
    }

    /// The fault of a program that the system did not start.
    pub(super) fn cannot_start(program: &Path, error: &io::Error) -> Self {
        // On Windows, this number means another error.
        let is_of_another_machine = cfg!(unix) && error.raw_os_error() == Some(libc::ENOEXEC);
        let advice = if is_of_another_machine { format!("; {OF_ANOTHER_MACHINE}") } else { String::new() };
        Self::not_started(format_args!("{}{advice}", cannot("start", program, error)))
    }

    /// The same fault, given that the process answered nothing at all.
    pub(super) fn without_any_answer(self) -> Self {
        match self {
            Self::Exited(NOT_EXECUTED) => {
                Self::not_started(format_args!("it ended with code {NOT_EXECUTED}; {OF_ANOTHER_MACHINE}"))
            }
            other => other,
        }
    }

    pub(super) fn late(limit: &TimeLimit) -> Self {
        Self::Outside(format!("took longer than {} and was ended", limit.source))
    }

    /// Returns whether the process exited or crashed by itself, and was not killed or stopped from outside.
    pub(super) fn is_own_end(&self) -> bool {
        matches!(self, Self::Exited(_) | Self::Crashed(_))
    }
}

/// The fault of a process with this exit status, unless it succeeded.
pub(super) fn of_end(status: io::Result<ExitStatus>) -> Result<(), Fault> {
    let cannot_read = |error| Fault::Outside(format!("cannot read how its process ended: {error}"));
    let status = status.map_err(cannot_read)?;
    match status.code() {
        Some(0) => Ok(()),
        _ if is_crash(status) => Err(Fault::Crashed(status.to_string())),
        Some(code) if !cfg!(windows) || code != CONTROL_C => Err(Fault::Exited(code)),
        // Another process ended it.
        _ => Err(Fault::Outside(format!("{ENDED_BY} {status}"))),
    }
}

/// The exit code of a process on Windows that the user ended with Ctrl-C.
const CONTROL_C: i32 = 0xc000_013a_u32.cast_signed();

/// Returns whether a signal ended the process that its own code causes, such as SIGSEGV.
#[cfg(unix)]
fn is_crash(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;

    status.signal().is_some_and(|signal| OWN_SIGNALS.contains(&signal))
}

/// Returns whether the exit code is that of an exception on Windows, such as `0xc0000005`: an error of the
/// system and not a number that a program would choose.
#[cfg(not(unix))]
fn is_crash(status: ExitStatus) -> bool {
    let is_exception = |code: i32| code != CONTROL_C && code.cast_unsigned() >> 28 == 0xc;
    cfg!(windows) && status.code().is_some_and(is_exception)
}

impl Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reported(reason) | Self::Outside(reason) => formatter.write_str(reason),
            Self::Exited(code) => write!(formatter, "ended the process with code {code}"),
            Self::Crashed(signal) => write!(formatter, "{ENDED_BY} {signal}"),
        }
    }
}

const ENDED_BY: &str = "its process was ended by";

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.to_string()
    }
}

/// The end of a pair whose process printed nothing.
impl From<Fault> for End {
    fn from(fault: Fault) -> Self {
        Self::Error { reason: fault.into(), output: None }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn fault(wait_status: i32) -> Fault {
        of_end(Ok(ExitStatus::from_raw(wait_status))).expect_err("it did not succeed")
    }

    #[test]
    fn an_end_is_described_by_code_or_signal() {
        assert_eq!(of_end(Ok(ExitStatus::from_raw(0))), Ok(()));
        assert_eq!(fault(3 << 8).to_string(), "ended the process with code 3");
        assert_eq!(fault(6).to_string(), "its process was ended by signal: 6 (SIGABRT)");
        assert_eq!(fault(15).to_string(), "its process was ended by signal: 15 (SIGTERM)");
        assert!(of_end(Err(io::Error::other("gone"))).unwrap_err().to_string().ends_with(": gone"));
    }

    #[test]
    fn a_program_for_another_machine_is_recognized() {
        let of =
            |error| Fault::cannot_start(Path::new("/x"), &io::Error::from_raw_os_error(error)).to_string();
        assert!(of(libc::ENOEXEC).ends_with(OF_ANOTHER_MACHINE), "{}", of(libc::ENOEXEC));
        assert!(!of(libc::ENOENT).contains("binfmt"), "{}", of(libc::ENOENT));
        let silent = Fault::Exited(127).without_any_answer().to_string();
        assert_eq!(
            silent,
            format!("its process could not be started: it ended with code 127; {OF_ANOTHER_MACHINE}")
        );
        assert_eq!(Fault::Exited(126).without_any_answer(), Fault::Exited(126));
    }

    #[test]
    fn signals_come_from_the_process_or_from_others() {
        for signal in 1..32 {
            let is_crash = matches!(fault(signal), Fault::Crashed(_));
            assert_eq!(is_crash, [4, 5, 6, 7, 8, 11].contains(&signal), "{signal}");
            assert_eq!(fault(signal).is_own_end(), is_crash);
            // The bit that reports a core dump.
            assert_eq!(fault(signal | 0x80).is_own_end(), is_crash);
        }
        assert!(fault(1 << 8).is_own_end());
    }
}
