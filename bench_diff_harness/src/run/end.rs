//! The end of a process, in words.

use std::process::ExitStatus;

use crate::settings::TimeLimit;

/// An error with the end of a process, unless it ended successfully.
pub(super) fn result(status: Result<ExitStatus, String>) -> Result<(), String> {
    let status = status.map_err(|error| format!("cannot read how its process ended: {error}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => Err(with_code(code)),
        None => Err(by_signal(status)),
    }
}

/// The error of a process that ended itself before its result.
pub(super) fn with_code(code: i32) -> String {
    format!("ended the process with code {code}")
}

/// The error of a process that exceeded its time limit and was ended.
pub(super) fn too_late(limit: &TimeLimit) -> String {
    format!("took longer than {} and was ended", limit.source)
}

#[cfg(unix)]
fn by_signal(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;

    let Some(number) = status.signal() else { return format!("its process ended: {status}") };
    let (name, cause) = match number {
        libc::SIGABRT => ("SIGABRT", ", as by an abort or a stack overflow"),
        libc::SIGBUS => ("SIGBUS", INVALID_ACCESS),
        libc::SIGSEGV => ("SIGSEGV", INVALID_ACCESS),
        libc::SIGKILL => ("SIGKILL", ", as by a system without free memory"),
        libc::SIGALRM => ("SIGALRM", ""),
        libc::SIGFPE => ("SIGFPE", ""),
        libc::SIGHUP => ("SIGHUP", ""),
        libc::SIGILL => ("SIGILL", ""),
        libc::SIGINT => ("SIGINT", ""),
        libc::SIGPIPE => ("SIGPIPE", ""),
        libc::SIGQUIT => ("SIGQUIT", ""),
        libc::SIGSYS => ("SIGSYS", ""),
        libc::SIGTERM => ("SIGTERM", ""),
        libc::SIGTRAP => ("SIGTRAP", ""),
        libc::SIGXCPU => ("SIGXCPU", ""),
        libc::SIGXFSZ => ("SIGXFSZ", ""),
        _ => ("a signal", ""),
    };
    format!("its process was ended by {name} (signal {number}){cause}")
}

#[cfg(unix)]
const INVALID_ACCESS: &str = ", as by an access to memory that is not there";

#[cfg(not(unix))]
fn by_signal(status: ExitStatus) -> String {
    format!("its process ended: {status}")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn an_end_is_told_by_code_or_signal() {
        let reason = |wait_status| result(Ok(ExitStatus::from_raw(wait_status)));
        assert_eq!(reason(0), Ok(()));
        assert_eq!(reason(3 << 8).unwrap_err(), "ended the process with code 3");
        let signal = |number| reason(number).unwrap_err();
        assert_eq!(
            signal(6),
            "its process was ended by SIGABRT (signal 6), as by an abort or a stack overflow"
        );
        assert!(
            signal(11).starts_with("its process was ended by SIGSEGV (signal 11), as by"),
            "{}",
            signal(11)
        );
        assert_eq!(signal(15), "its process was ended by SIGTERM (signal 15)");
        assert_eq!(signal(64), "its process was ended by a signal (signal 64)");
        assert!(result(Err("gone".to_owned())).unwrap_err().ends_with(": gone"));
    }
}
