//! Runs the compiler and the linker, and explains their failures.

use std::process::{Command, Stdio};

use crate::system::lifeline;

/// The prefix of the reason why this program, as the linker, cannot link: the output of rustc is long, with
/// this in the middle.
pub(super) const CANNOT_LINK: &str = "cannot link it again: ";

/// Runs a compiler or a linker until it ends.
///
/// # Errors
///
/// Its error message, or the reason why it cannot be started and the remedy.
pub(super) fn run(mut command: Command) -> Result<(), String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    lifeline::tie(&mut command);
    let ended = command.output().map_err(|error| {
        let program = command.get_program().display();
        format!("cannot start {program}: {error}: build the bench again, with tools that can be executed")
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let name = command.get_program().display();
    let said = String::from_utf8_lossy(&ended.stderr);
    Err(format!("{name} ended with {}: {}", ended.status, cause_in(&said)))
}

/// The most informative line.
fn cause_in(said: &str) -> &str {
    let line = |is_it: fn(&str) -> bool| said.lines().map(str::trim).find(|line| is_it(line));
    let of_linker = said.lines().find_map(|line| Some(line.split_once(CANNOT_LINK)?.1));
    let error = line(|line| line.starts_with("error")).or_else(|| line(|line| line.contains("error")));
    of_linker.or(error).or_else(|| line(|line| !line.is_empty())).unwrap_or("it says nothing")
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
    fn what_a_tool_says_is_told() {
        let said = |text: &str| refusal("sh", &["-c", &format!("printf '{text}' >&2; exit 3")]);
        assert_eq!(said("a\\nld: error: b\\nerror: c\\n"), "sh ended with exit status: 3: error: c");
        assert_eq!(said("a\\nld: error: b\\n"), "sh ended with exit status: 3: ld: error: b");
        assert_eq!(said("\\n a\\n"), "sh ended with exit status: 3: a");
        assert_eq!(said(""), "sh ended with exit status: 3: it says nothing");
        let of_linker = format!("error: linking failed\\n = note: error: {CANNOT_LINK}disk full\\n");
        assert_eq!(said(&of_linker), "sh ended with exit status: 3: disk full");
    }

    #[test]
    fn a_tool_that_cannot_be_started_is_told_with_what_helps() {
        let missing = refusal("/absent/rustc", &[]);
        assert!(missing.ends_with(": build the bench again, with tools that can be executed"), "{missing}");
    }
}
