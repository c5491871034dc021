//! The command line of a study, as far as all of them have it.

#![allow(dead_code, reason = "no study has every kind of flag")]

use std::error::Error;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tempfile::TempDir;

/// Does this study, and tells its error.
pub(crate) fn main(
    command: Command,
    study: impl FnOnce(&ArgMatches) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    // Cargo says it to every bench.
    let bench = flag("bench", "").hide(true);
    match study(&command.arg(bench).get_matches()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// A flag with a value.
pub(crate) fn one(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).default_value(default).help(help)
}

/// A flag with a list of values.
pub(crate) fn list(name: &'static str, default: impl Into<String>, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_delimiter(',').default_value(default.into()).help(help)
}

/// A flag without a value.
pub(crate) fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// The value of a flag, as a number.
pub(crate) fn number<T: FromStr>(matches: &ArgMatches, name: &str) -> Result<T, T::Err> {
    matches.get_one::<String>(name).map_or("", String::as_str).parse()
}

/// The values of a list.
pub(crate) fn words<'a>(matches: &'a ArgMatches, name: &str) -> Vec<&'a str> {
    matches.get_many::<String>(name).into_iter().flatten().map(String::as_str).collect()
}

/// The flag `--dir`.
pub(crate) fn dir() -> Arg {
    Arg::new("dir").long("dir").help("Folder of the crates, kept with what is built; a temporary one else")
}

/// The folder of `--dir`, or this temporary one.
pub(crate) fn folder(matches: &ArgMatches, temporary: &TempDir) -> Result<PathBuf, Box<dyn Error>> {
    Ok(absolute(matches.get_one::<String>("dir").map_or(temporary.path(), Path::new))?)
}
