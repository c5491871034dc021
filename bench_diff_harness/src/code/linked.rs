//! The report of a linker on a program that it linked.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::Program;
use super::read::read;
use crate::layout::REPORTS;
use crate::layout::link::Link;

/// The linker's reports on a program that it has linked.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    /// The map, with names as in objects.
    pub(super) map: String,
    /// A `make` rule with all files that the linker has read.
    pub(super) rule: String,
    /// The folder in which the linker ran.
    pub(super) folder: PathBuf,
    pub(super) arguments: Vec<String>,
}

impl Linked {
    /// The reports of this link, which are in this folder.
    ///
    /// # Errors
    ///
    /// Its linker has written none.
    pub(crate) fn of(link: &Link, folder: &Path) -> Result<Self, String> {
        let text = |name: &str| {
            fs::read_to_string(folder.join(name))
                .map_err(|error| format!("its linker has written no {name} that can be read: {error}"))
        };
        let [map, rule] = REPORTS.map(text);
        let arguments = [std::slice::from_ref(&link.linker), &link.arguments].concat();
        Ok(Self { map: map?, rule: rule?, folder: link.folder.clone().into(), arguments })
    }

    /// Reads the code of the program from its map and its files.
    ///
    /// # Errors
    ///
    /// The reason why its code cannot be examined.
    pub(crate) fn program(&self) -> Result<Program, String> {
        let options = without_files(&self.arguments);
        match options.iter().find(|option| RENAMING.iter().any(|renaming| option.contains(renaming))) {
            Some(option) => Err(format!("it is linked with {option}, after which symbols are others")),
            None => read(&self.map, &self.rule, &self.folder, options),
        }
    }
}

/// The options with which a reference leads elsewhere than to the symbol that it names.
const RENAMING: [&str; 7] =
    ["--wrap", "--defsym", "--icf", "-plugin", "-T", "multiple-definition", "muldefs"];

/// The options of a linker without the files that it reads and writes.
fn without_files(arguments: &[String]) -> Vec<String> {
    let options = arguments.iter().filter(|argument| argument.starts_with('-'));
    let options = options.filter(|option| !option.starts_with("-L") && *option != "-o");
    options.filter_map(|option| option.split('/').next()).map(str::to_owned).collect()
}
