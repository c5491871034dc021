//! The command line of a study, as far as all of them have it.

use std::error::Error;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tempfile::TempDir;

/// Does this study, and tells its error.
pub(crate) fn main(
    command: Command,
    study: impl FnOnce(&ArgMatches) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    // Cargo says it to every bench.
    let bench = Arg::new("bench").long("bench").action(ArgAction::SetTrue).hide(true);
    match study(&command.arg(bench).get_matches()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// The flag `--dir`.
#[allow(dead_code, reason = "not every study builds crates")]
pub(crate) fn dir() -> Arg {
    Arg::new("dir").long("dir").help("Folder of the crates, kept with what is built; a temporary one else")
}

/// The folder of `--dir`, or this temporary one.
#[allow(dead_code, reason = "not every study builds crates")]
pub(crate) fn folder(matches: &ArgMatches, temporary: &TempDir) -> Result<PathBuf, Box<dyn Error>> {
    Ok(absolute(matches.get_one::<String>("dir").map_or(temporary.path(), Path::new))?)
}
