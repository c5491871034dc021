//! Git, as a process.

use std::error::Error;
use std::path::Path;
use std::process::Command;

/// The output of git for these arguments in a folder. Whoever commits has a name.
pub(crate) fn git<'a>(
    folder: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Result<String, Box<dyn Error>> {
    said(Command::new("git").current_dir(folder).args(AUTHOR).args(arguments))
}

/// The output of this command.
pub(crate) fn said(git: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = git.output()?;
    if !output.status.success() {
        return Err(format!("{git:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

const AUTHOR: [&str; 6] =
    ["-c", "user.name=user", "-c", "user.email=user@localhost", "-c", "commit.gpgsign=false"];
