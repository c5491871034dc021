//! Runs the compiler and the linker, and explains their failures.

use std::process::Command;

use bench_diff_system::lifeline;

/// The prefix of the reason why this process, as the linker, cannot link. It makes the reason easy to find in
/// the long output of rustc.
pub(super) const CANNOT_LINK: &str = "cannot link it again: ";

/// Runs a compiler or a linker until it ends.
///
/// # Errors
///
/// The error message of the tool, or the reason why it cannot be started and the remedy.
pub(super) fn run(mut command: Command) -> Result<(), String> {
    let ended = lifeline::output(&mut command).map_err(|error| {
        let program = command.get_program().display();
        format!("cannot start {program}: {error}: build the bench again, with tools that can be executed")
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let name = command.get_program().display();
    Err(format!("{name} ended with {}: {}", ended.status, cause_in(&String::from_utf8_lossy(&ended.stderr))))
}

/// The most informative line of an output.
fn cause_in(said: &str) -> &str {
    let line = |is_wanted: fn(&str) -> bool| said.lines().map(str::trim).find(|line| is_wanted(line));
    let of_linker = said.lines().find_map(|line| Some(line.split_once(CANNOT_LINK)?.1));
    let error = line(|line| line.starts_with("error")).or_else(|| line(|line| line.contains("error")));
    of_linker.or(error).or_else(|| line(|line| !line.is_empty())).unwrap_or("no error message")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        command.args(arguments);
        run(command).unwrap_err()
    }

    #[test]
    fn the_error_of_a_tool_is_reported() {
        let reported = |text: &str| refusal("sh", &["-c", &format!("printf '{text}' >&2; exit 3")]);
        assert_eq!(reported("a\\nld: error: b\\nerror: c\\n"), "sh ended with exit status: 3: error: c");
        assert_eq!(reported("a\\nld: error: b\\n"), "sh ended with exit status: 3: ld: error: b");
        assert_eq!(reported("\\n a\\n"), "sh ended with exit status: 3: a");
        assert_eq!(reported(""), "sh ended with exit status: 3: no error message");
        let of_linker = format!("error: linking failed\\n = note: error: {CANNOT_LINK}disk full\\n");
        assert_eq!(reported(&of_linker), "sh ended with exit status: 3: disk full");
    }

    #[test]
    fn a_tool_that_cannot_be_started_is_reported_with_a_remedy() {
        let missing = refusal("/absent/rustc", &[]);
        assert!(missing.ends_with(": build the bench again, with tools that can be executed"), "{missing}");
    }
}
