//! A program linked once more as it was, for the map and the file list of its linker.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::Program;
use super::read::read;
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

/// The linker options for the map and the rule.
pub(super) fn options(map: &Path, rule: &Path) -> [String; 3] {
    let (map, rule) = (map.display(), rule.display());
    [format!("-Map={map}"), format!("--dependency-file={rule}"), "--no-demangle".to_owned()]
}

impl Linked {
    /// Links the objects of a program once more as they were linked, with files in this folder.
    ///
    /// # Errors
    ///
    /// The linker's error, which may not know an option.
    pub(crate) fn of(link: &Link, folder: &Path) -> Result<Self, String> {
        let [plain, map, rule] = ["plain", "map", "rule"].map(|name| folder.join(name));
        let mut arguments = link.arguments_to(&plain)?;
        for option in options(&map, &rule).iter().map(String::as_str).chain(["--strip-debug"]) {
            arguments.extend(link.passed(option));
        }
        link.run(&arguments, &plain)?;
        let _ = fs::remove_file(&plain);
        let text = |path: &Path| {
            fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        let arguments = [std::slice::from_ref(&link.linker), &link.arguments].concat();
        Ok(Self { map: text(&map)?, rule: text(&rule)?, folder: link.folder.clone().into(), arguments })
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
