//! Reads a linked program with the help of its linker's reports.

use std::fs;
use std::path::Path;

use super::library;
use crate::code::program::Program;
use crate::layout::REPORTS;
use crate::layout::link::Link;

impl Program {
    /// Reads the code of the program that this call linked. The linker wrote two reports to this folder: a
    /// map with the names of the objects, and a `make` rule with all files that it read.
    ///
    /// # Errors
    ///
    /// The reason why its code cannot be examined.
    pub(crate) fn of(link: &Link, folder: &Path) -> Result<Self, String> {
        let text = |name: &str| {
            fs::read_to_string(folder.join(name))
                .map_err(|error| format!("cannot read its linker's {name}: {error}"))
        };
        let [map, rule] = REPORTS.map(text);
        let options = without_files(&link.arguments);
        match options.iter().find(|option| RENAMING.iter().any(|renaming| option.contains(renaming))) {
            Some(option) => Err(format!("it is linked with {option}, which replaces symbols")),
            None => {
                let (map, here) = (map?, Path::new(&link.folder));
                let files = library::files(&map, &rule?, here);
                Self::read(&map, &files, here, options)
            }
        }
    }
}

/// Options after which a reference may lead elsewhere than to the symbol that it names.
const RENAMING: [&str; 9] =
    ["--wrap", "--defsym", "--icf", "-plugin", "-T", "-dT", "--script", "multiple-definition", "muldefs"];

/// The options of a linker and their values, such as `-z now`, without the files that it reads and writes.
fn without_files(arguments: &[String]) -> Vec<String> {
    let is_file = |argument: &str| !argument.starts_with('-') && argument.contains(['.', '/']);
    let options = arguments.iter().filter(|argument| !is_file(argument));
    let options = options.filter(|option| !option.starts_with("-L") && *option != "-o");
    options.filter_map(|option| option.split('/').next()).map(str::to_owned).collect()
}
