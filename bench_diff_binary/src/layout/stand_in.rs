//! This executable as the linker that rustc calls: it keeps the files to link, and calls the real linker.

use std::env;
use std::ffi::OsString;
use std::fs;
// There are no layouts on Windows, so this is only compiled there.
#[cfg(windows)]
use std::fs::hard_link as symlink;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::files::{cannot, make_folder};
use bench_diff_system::{input, lifeline};

use super::link::{CANNOT_LINK, LARGEST, Link, PATH};

/// The environment variable that makes this executable act as a linker: the folder of the files to link. They
/// are kept next to that folder.
const FOLDER: &str = "BENCH_DIFF_LINK_IN";
/// The environment variable with the path of the real linker.
const LINKER: &str = "BENCH_DIFF_LINK_WITH";

/// The file with the linker call, in that folder.
pub(super) const CALL: &str = "link.json";
/// The folder for the linked files, next to that folder.
pub(super) const OBJECTS: &str = "objects";

/// Makes a rustc call use this executable as its linker.
pub(super) fn ask(rustc: &mut Command, folder: &Path, linker: &str) {
    rustc.env(FOLDER, folder).env(LINKER, linker);
}

/// Puts this executable into a folder as a linker of this name.
pub(super) fn put(folder: &Path, name: impl AsRef<Path>) -> Result<PathBuf, String> {
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    let program =
        env::current_exe().map_err(|error| format!("cannot find the path of this executable: {error}"))?;
    symlink(&program, &path).map_err(|error| cannot("write to", folder, error))?;
    Ok(path)
}

/// Links as rustc requests, if another process of the bench has started this one as a linker; else `None`.
/// `arguments` are those of the process without its name; `here` and `variable` give the current directory
/// and an environment variable, as the standard library does. The process ends with its parent.
///
/// # Errors
///
/// Why it cannot be linked, for the error stream: the process that compiles finds it there.
pub fn link(
    arguments: &[OsString],
    here: impl FnOnce() -> io::Result<PathBuf>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<Result<(), String>> {
    let folder = variable(FOLDER)?;
    let linker = variable(LINKER)?.into_string().ok()?;
    lifeline::end_with(lifeline::parent());
    let path = variable(PATH).and_then(|path| path.into_string().ok());
    let linked = keep_and_link(arguments, Path::new(&folder), here(), linker, path);
    Some(linked.map_err(|reason| format!("{CANNOT_LINK}{reason}")))
}

fn keep_and_link(
    arguments: &[OsString],
    folder: &Path,
    here: io::Result<PathBuf>,
    linker: String,
    path: Option<String>,
) -> Result<(), String> {
    let arguments = expanded(arguments)?;
    let (output, program) = output_of(&arguments).ok_or("the linker call names no output")?;
    let program = PathBuf::from(program);
    let objects = folder.with_file_name(OBJECTS);
    make_folder(&objects)?;
    let arguments = arguments.into_iter().enumerate().map(|(index, argument)| {
        if index == output { Ok(argument) } else { keep(argument, index, folder, &objects) }
    });
    let here = here.map_err(|error| format!("cannot read the current directory: {error}"))?;
    let here = here.to_str().ok_or("the path of the current folder is not UTF-8")?.to_owned();
    let link = Link { path, ..Link::new(linker, here, arguments.collect::<Result<_, _>>()?, output) };
    link.write(&folder.join(CALL))?;
    link.make(&program)
}

/// The argument with the path of the binary: its index and its value.
pub(super) fn output_of(arguments: &[String]) -> Option<(usize, &str)> {
    let index = arguments.iter().position(|argument| argument == "-o")? + 1;
    Some((index, arguments.get(index)?))
}

/// The arguments, with response files replaced by the arguments in them.
fn expanded(arguments: &[OsString]) -> Result<Vec<String>, String> {
    let mut expanded = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let text =
            argument.to_str().ok_or_else(|| format!("the argument {} is not UTF-8", argument.display()))?;
        match text.strip_prefix('@') {
            None => expanded.push(text.to_owned()),
            Some(file) => {
                let bytes = input::read(Path::new(file), LARGEST)?;
                expanded.extend(words(&String::from_utf8_lossy(&bytes)));
            }
        }
    }
    Ok(expanded)
}

/// The words in a response file, separated by blanks. A backslash quotes the next character, and quotes keep
/// everything between them.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match (character, quote) {
            ('\\', _) => word.get_or_insert_default().extend(rest.next()),
            (_, Some(end)) if character == end => quote = None,
            ('"' | '\'', None) => {
                word.get_or_insert_default();
                quote = Some(character);
            }
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// Copies the file that an argument names to a place where it stays, since rustc removes its own file after
/// linking, and returns the argument with the new path.
fn keep(argument: String, index: usize, folder: &Path, objects: &Path) -> Result<String, String> {
    let Some(start) = folder.to_str().and_then(|folder| argument.find(folder)) else { return Ok(argument) };
    let (option, path) = argument.split_at(start);
    let path = Path::new(path);
    if !path.is_file() {
        return Ok(argument);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Two files may have the same name.
    let place = objects.join(format!("{index}-{name}"));
    fs::copy(path, &place).map_err(|error| cannot("keep", path, error))?;
    Ok(format!("{option}{}", place.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_is_found() {
        let of = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            output_of(&arguments).map(|(index, path)| (index, path.to_owned()))
        };
        assert_eq!(of(&["a.o", "-o", "a"]), Some((2, "a".to_owned())));
        assert_eq!((of(&["a.o", "-o"]), of(&["a.o"])), (None, None));
    }

    #[test]
    fn a_response_file_holds_words() {
        assert_eq!(words("-o \"a b\"\n'c\"d' e\\ f\\\\ \"\" g"), ["-o", "a b", "c\"d", "e f\\", "", "g"]);
        assert_eq!(words(" \n "), [""; 0]);
    }

    #[test]
    fn files_that_rustc_removes_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let objects = folder.path().join("objects");
        fs::create_dir(&objects).unwrap();
        fs::write(folder.path().join("list"), "symbols").unwrap();
        let option = format!("-Wl,--version-script={}/list", folder.path().display());
        let kept_option = keep(option, 3, folder.path(), &objects).unwrap();
        fs::remove_file(folder.path().join("list")).unwrap();
        let place = kept_option.strip_prefix("-Wl,--version-script=").unwrap();
        assert_eq!(fs::read_to_string(place).unwrap(), "symbols");
        for other in ["-lgcc_s".to_owned(), format!("-L{}", folder.path().display())] {
            assert_eq!(keep(other.clone(), 4, folder.path(), &objects).unwrap(), other);
        }
    }
}
