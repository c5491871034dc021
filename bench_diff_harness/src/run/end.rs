//! The end of a process, in words.

use std::process::ExitStatus;
use std::time::Duration;

use crate::settings::TimeLimit;

/// A process that has said everything, or that has given up its channel, may take so long to end.
pub(super) const LONGEST: Duration = Duration::from_secs(2);

/// An error with the end of a process, unless it ended successfully.
pub(super) fn result(status: Result<ExitStatus, String>) -> Result<(), String> {
    let status = status.map_err(|error| format!("cannot read how its process ended: {error}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => Err(with_code(code)),
        None => Err(format!("its process was ended by {status}")),
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
        assert_eq!(signal(6), "its process was ended by signal: 6 (SIGABRT)");
        assert_eq!(signal(15), "its process was ended by signal: 15 (SIGTERM)");
        assert!(result(Err("gone".to_owned())).unwrap_err().ends_with(": gone"));
    }
}
