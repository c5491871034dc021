//! Reads the ELF objects of a link into a [`Program`], with the help of its linker's reports: the map says
//! which sections of which files are in the program, and at which addresses.

mod input;
mod objects;
mod unwind;

use std::fs;
use std::path::{Path, PathBuf};

use crate::code::program::Program;
use crate::layout::REPORTS;
use crate::layout::link::Link;
use crate::layout::map::is_of_lld;

impl Program {
    /// Reads the code of the program that this call linked. The linker wrote two reports to this folder: a
    /// map with the names of the objects, and a `make` rule with all files that it read.
    ///
    /// # Errors
    ///
    /// The reason why its code cannot be examined.
    pub(crate) fn of(link: &Link, folder: &Path) -> Result<Self, String> {
        let options = without_files(link.words());
        if let Some(option) = options.iter().find(|option| RENAMING.iter().any(|name| option.contains(name)))
        {
            return Err(format!("it is linked with {option}, which replaces symbols"));
        }
        let [map, rule] = REPORTS.map(|name| {
            fs::read_to_string(folder.join(name))
                .map_err(|error| format!("cannot read its linker's {name}: {error}"))
        });
        let (map, here) = (map?, Path::new(&link.folder));
        Self::read(&map, &files(&map, &rule?, here), here, options)
    }
}

/// Options after which a reference may lead elsewhere than to the symbol that it names.
const RENAMING: [&str; 9] =
    ["-wrap", "-defsym", "-icf", "-plugin", "-T", "-dT", "--script", "multiple-definition", "muldefs"];

/// The options of a linker and their values, such as `-z now`, without the files that it reads and writes.
fn without_files<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let is_file = |argument: &str| !argument.starts_with('-') && argument.contains(['.', '/']);
    let options = words.filter(|word| !is_file(word));
    let options = options.filter(|option| !option.starts_with("-L") && *option != "-o");
    options.filter_map(|option| option.split('/').next()).map(str::to_owned).collect()
}

/// The files that a linker read in this folder, in the same order, from the rule that it wrote for `make`
/// together with this map.
fn files(map: &str, rule: &str, here: &Path) -> Vec<PathBuf> {
    let (_, files) = rule.split_once(':').unwrap_or_default();
    let lines = files.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let paths = lines.map(|line| line.strip_suffix(" \\").unwrap_or(line).trim_start());
    let path = |written: &str| match is_of_lld(map) {
        true => here.join(written.replace("$$", "$").replace("\\ ", " ").replace("\\#", "#")),
        // GNU ld writes paths as they are.
        false => here.join(written),
    };
    paths.map(path).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_the_paths_of_files() {
        let here = Path::new("/work/here");
        let expected = ["/usr/crt.o", "/a b/c/libown.a", "/t#d $x/lib.rlib", "/work/here/../up/one.o"];
        let of_lld = "out:x: \\\n /usr/crt.o \\\n /a\\ b/c/libown.a \\\n /t\\#d\\ $$x/lib.rlib \\\n ../up/one.o\n\n\
                      /usr/crt.o:\n";
        let columns = "VMA LMA Size Align Out In Symbol\n";
        assert_eq!(files(columns, of_lld, here), expected.map(PathBuf::from));
        let of_gnu = "out: \\\n  /usr/crt.o \\\n  /a b/c/libown.a \\\n  /t#d $x/lib.rlib \\\n  ../up/one.o\n\n/usr/crt.o:\n";
        assert_eq!(files("", of_gnu, here), expected.map(PathBuf::from));
    }

    #[test]
    fn options_are_read_one_by_one() {
        let arguments = [
            "-Wl,-rpath,/opt/x/lib,--wrap=malloc",
            "-Wl,-z,now",
            "-L/lib",
            "-o",
            "out/a.out",
            "/a/b.o",
            "-Wl,--version-script=/x/y",
        ];
        let link = Link::new(String::new(), String::new(), arguments.map(str::to_owned).into(), 0);
        let options = without_files(link.words());
        assert_eq!(options, ["-rpath", "--wrap=malloc", "-z", "now", "--version-script="]);
    }
}
