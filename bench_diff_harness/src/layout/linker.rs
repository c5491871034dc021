//! This executable as the linker that rustc calls: it keeps the files to link, and calls the real linker.

use std::env;
use std::ffi::OsString;
use std::fs;
#[cfg(windows)]
use std::io;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::link::{LARGEST, Link, OUT};
use super::response;
use super::tool::CANNOT_LINK;
use crate::system::exit::Exit;
use crate::system::files::{FileError, cannot, make_folder};
use crate::system::{input, lifeline, stderr};

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
pub(super) fn stand_in(folder: &Path, name: impl AsRef<Path>) -> Result<PathBuf, String> {
    let mut path = folder.join(name);
    if cfg!(windows) {
        path.set_extension("exe");
    }
    let _ = fs::remove_file(&path);
    let program =
        env::current_exe().map_err(|error| format!("cannot find the path of this executable: {error}"))?;
    symlink(&program, &path).map_err(|error| cannot("write to", folder, error))?;
    Ok(path)
}

/// Copies the program: on Windows, links are for administrators.
#[cfg(windows)]
fn symlink(program: &Path, path: &Path) -> io::Result<()> {
    fs::copy(program, path).map(|_| ())
}

/// Links as rustc requests; `None` if this process does not run as a linker.
pub(crate) fn link(arguments: &[OsString]) -> Option<Exit> {
    let (folder, linker) = env::var_os(FOLDER).zip(env::var(LINKER).ok())?;
    lifeline::end_with(lifeline::parent());
    Some(match keep_and_link(arguments, Path::new(&folder), linker) {
        Ok(()) => Exit::Success,
        Err(reason) => {
            stderr::error(format!("{CANNOT_LINK}{reason}"));
            Exit::Error
        }
    })
}

fn keep_and_link(arguments: &[OsString], folder: &Path, linker: String) -> Result<(), String> {
    let arguments = expanded(arguments)?;
    let (output, path) = output_of(&arguments).ok_or("the linker call names no output")?;
    let path = PathBuf::from(path);
    let objects = folder.with_file_name(OBJECTS);
    make_folder(&objects)?;
    let arguments = arguments.into_iter().enumerate().map(|(index, argument)| {
        if index == output { Ok(argument) } else { keep(argument, index, folder, &objects) }
    });
    let here = env::current_dir().map_err(|error| format!("cannot read the current directory: {error}"))?;
    let here = here.to_str().ok_or("the path of the current folder is not UTF-8")?.to_owned();
    let link = Link::new(linker, here, arguments.collect::<Result<_, _>>()?, output);
    link.write(&folder.join(CALL))?;
    link.make(&path)
}

/// The argument with the path of the binary: its index and its value.
pub(super) fn output_of(arguments: &[String]) -> Option<(usize, &str)> {
    if let Some(option) = arguments.iter().position(|argument| argument == "-o") {
        return Some((option + 1, arguments.get(option + 1)?));
    }
    let mut options = arguments.iter().enumerate();
    options.find_map(|(index, argument)| Some((index, argument.strip_prefix(OUT)?)))
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
                expanded.extend(response::arguments(&bytes));
            }
        }
    }
    Ok(expanded)
}

/// Copies the file that an argument names to a place where it stays, since rustc removes its own file after
/// linking, and returns the argument with the new path.
fn keep(argument: String, index: usize, folder: &Path, objects: &Path) -> Result<String, FileError> {
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
        assert_eq!(of(&["/NOLOGO", "/OUT:C:\\a.exe"]), Some((1, "C:\\a.exe".to_owned())));
        assert_eq!((of(&["a.o", "-o"]), of(&["a.o"])), (None, None));
    }

    #[cfg(unix)]
    #[test]
    fn a_call_for_windows_is_kept_and_made() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let passing = folder.path().join("passing");
        let [object, program, file] =
            ["symbols.o", "a.exe", "linker-arguments"].map(|name| passing.join(name).display().to_string());
        fs::create_dir(&passing).unwrap();
        fs::write(&object, "symbols").unwrap();
        let words =
            ["/NOLOGO".to_owned(), object, format!("/OUT:{program}"), "/LIBPATH:C:\\my lib".to_owned()];
        fs::write(&file, response::for_windows(&words)).unwrap();
        let linker = folder.path().join("link");
        fs::write(&linker, "#!/bin/sh\ncp \"${1#@}\" \"$0.received\"").unwrap();
        fs::set_permissions(&linker, fs::Permissions::from_mode(0o755)).unwrap();
        let asked = [format!("@{file}").into()];
        keep_and_link(&asked, &passing, linker.display().to_string()).unwrap();

        let link = Link::read(&passing.join(CALL)).unwrap();
        let kept = folder.path().join("objects/1-symbols.o");
        let expected = ["/NOLOGO".to_owned(), kept.display().to_string(), words[2].clone(), words[3].clone()];
        assert_eq!((link.arguments.as_slice(), link.output), (&expected[..], 2));
        assert_eq!(link.binary(), Path::new(&program));
        let received = fs::read(folder.path().join("link.received")).unwrap();
        assert_eq!(response::arguments(&received), expected);
        assert_eq!(link.arguments_to(Path::new("/b.exe"))[2], "/OUT:/b.exe");
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
