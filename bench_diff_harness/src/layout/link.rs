//! How the program was linked, and how it is linked again.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::cannot;
use crate::record::json;
use crate::system::{input, lifeline};

/// The call of the linker that made a program, with what it was made of.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct Link {
    pub(super) linker: String,
    pub(super) folder: String,
    /// What linkers read of the environment, each as `NAME=value`.
    variables: Vec<String>,
    pub(super) arguments: Vec<String>,
    /// Which of the arguments holds the path of the program.
    pub(super) output: usize,
}

/// The variables that linkers read: the folders in which they look for their parts, and for which system they
/// link.
const VARIABLES: [&str; 6] =
    ["PATH", "LIB", "LIBPATH", "SDKROOT", "MACOSX_DEPLOYMENT_TARGET", "ZERO_AR_DATE"];

/// The largest file of a call or of its arguments, in bytes.
pub(super) const LARGEST: u64 = 64 << 20;

impl Link {
    /// A call of the linker that this process was asked for, which has its output in this argument.
    pub(super) fn new(linker: String, folder: String, arguments: Vec<String>, output: usize) -> Self {
        Self { linker, folder, variables: variables(), arguments, output }
    }

    /// The folders in which programs are looked for.
    pub(super) fn search_path(&self) -> Option<&OsStr> {
        self.variables.iter().find_map(|variable| variable.strip_prefix("PATH=")).map(OsStr::new)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        fs::write(path, json::to_string(self)).map_err(|error| cannot("write", path, error))
    }

    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let bytes = input::read(path, LARGEST).map_err(|error| cannot("read", path, error))?;
        let link: Self =
            json::from_str(&String::from_utf8_lossy(&bytes)).map_err(|error| cannot("read", path, error))?;
        if link.output >= link.arguments.len() {
            return Err(cannot("read", path, "it has no output"));
        }
        Ok(link)
    }

    /// Links the program into this file, as it was linked.
    ///
    /// # Errors
    ///
    /// What the linker says.
    pub(super) fn make(&self, output: &Path) -> Result<(), String> {
        self.run(&self.arguments_to(output)?)
    }

    /// The arguments that link the program into this file.
    ///
    /// # Errors
    ///
    /// That its path is no text.
    pub(super) fn arguments_to(&self, output: &Path) -> Result<Vec<String>, String> {
        let mut arguments = self.arguments.clone();
        let option = output_option(&arguments[self.output]).unwrap_or_default();
        arguments[self.output] = format!("{option}{}", text(output)?);
        Ok(arguments)
    }

    /// Calls the linker with these arguments.
    ///
    /// # Errors
    ///
    /// What it says.
    pub(super) fn run(&self, arguments: &[String]) -> Result<(), String> {
        let mut command = Command::new(&self.linker);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.args(arguments).envs(self.variables.iter().filter_map(|variable| variable.split_once('=')));
        lifeline::tie(&mut command);
        let ended = command.output().map_err(|error| format!("cannot start {}: {error}", self.linker))?;
        if ended.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        let first = said.lines().find(|line| line.contains("error")).or(said.lines().next());
        Err(format!("{} ended with {}: {}", self.linker, ended.status, first.unwrap_or_default()))
    }

    /// An option of the linker with its values, as it is given to it or to the compiler that calls it.
    pub(super) fn passed(&self, words: &[&str]) -> Vec<String> {
        match self.is_called_directly() {
            true => words.iter().map(|word| (*word).to_owned()).collect(),
            false => vec![format!("-Wl,{}", words.join(","))],
        }
    }

    fn name(&self) -> &str {
        Path::new(&self.linker).file_stem().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Whether it is the linker itself, and no compiler that calls one.
    pub(super) fn is_called_directly(&self) -> bool {
        ["ld", "lld", "rust-lld", "ld64", "mold", "wild"].contains(&self.name())
    }

    /// Whether it is lld, or a compiler that calls it.
    pub(super) fn is_lld(&self) -> bool {
        let named = self.arguments.iter().rev().find_map(|argument| argument.strip_prefix("-fuse-ld="));
        ["lld", "rust-lld"].contains(&self.name()) || named == Some("lld")
    }

    /// Whether it takes its options as the linker of Microsoft does.
    pub(super) fn is_microsofts(&self) -> bool {
        output_option(&self.arguments[self.output]).is_some()
    }
}

/// A path as linkers take it.
pub(super) fn text(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_owned).ok_or_else(|| format!("the path {} is not UTF-8", path.display()))
}

/// What an argument says before the path of the program, where it says it to the linker of Microsoft.
pub(super) fn output_option(argument: &str) -> Option<&str> {
    argument.get(..5).filter(|option| ["/OUT:", "-OUT:"].contains(&option.to_uppercase().as_str()))
}

/// The variables of this process that linkers read.
fn variables() -> Vec<String> {
    VARIABLES.iter().filter_map(|name| Some(format!("{name}={}", env::var(name).ok()?))).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A call whose second argument is the output.
    pub(in crate::layout) fn link(linker: &str, arguments: &[&str]) -> Link {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let variables = Vec::new();
        Link { linker: linker.to_owned(), folder: "/".to_owned(), variables, arguments, output: 1 }
    }

    #[test]
    fn a_call_comes_back_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link.json");
        let written = link("cc", &["-o", "old"]);
        written.write(&path).unwrap();
        assert_eq!(Link::read(&path).unwrap(), written);
        Link { output: 9, ..written }.write(&path).unwrap();
        assert!(Link::read(&path).unwrap_err().ends_with("link.json: it has no output"));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_linker_says_is_told() {
        let failing = link("ls", &["-d", "old"]);
        let error = failing.make(Path::new("/absent")).unwrap_err();
        assert!(error.starts_with("ls ended with exit status: 2: ") && error.contains("/absent"), "{error}");
        let absent = link("/absent/cc", &["-o", "old"]);
        let error = absent.make(Path::new("/absent")).unwrap_err();
        assert!(error.starts_with("cannot start /absent/cc: "), "{error}");
    }
}
