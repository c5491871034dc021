//! How the compiler was called that compiles this: a procedural macro runs inside of it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;

/// Names a file with a call that was recorded before: who compiles a program once more wants the same
/// program, and this call would differ.
const RECORDED: &str = "BENCH_DIFF_RECORDED_CALL";

/// The linker that rustc calls where it is not told of one.
const USUAL_LINKER: &str = "cc";

/// Names this machine, where the system has a name for it.
const MACHINE: &str = "/etc/machine-id";

/// An array of the path of rustc, what tells its content, the linker's and this machine from others, the
/// folder in which it runs, and its arguments; empty where nobody knows.
pub(crate) fn expand() -> TokenStream {
    let recorded = env::var_os(RECORDED).and_then(|path| fs::read_to_string(path).ok());
    let call = match recorded {
        Some(recorded) => recorded.split_terminator('\0').map(str::to_owned).collect(),
        None => this_call().unwrap_or_default(),
    };
    quote!([#(#call),*])
}

fn this_call() -> Option<Vec<String>> {
    let rustc = env::current_exe().ok()?;
    // Editors expand macros in programs of their own, and rustdoc and Clippy compile no program.
    if rustc.file_stem()? != "rustc" {
        return None;
    }
    let folder = env::current_dir().ok()?;
    let mut arguments = Vec::new();
    for argument in env::args_os().skip(1) {
        let argument = text(argument)?;
        match argument.strip_prefix('@') {
            // Cargo removes it when rustc has ended.
            Some(file) => {
                arguments.extend(fs::read_to_string(Path::new(file)).ok()?.lines().map(str::to_owned));
            }
            None => arguments.push(argument),
        }
    }
    let linker = linker(&arguments).and_then(|linker| find(linker, &folder));
    let origins = [Some(rustc.as_path()), linker.as_deref(), Some(Path::new(MACHINE))].map(identity);
    let [of_rustc, of_linker, machine] = origins;
    let start = [text(rustc.into())?, of_rustc, of_linker, machine, text(folder.into())?];
    Some(start.into_iter().chain(arguments).collect())
}

/// What tells the content of a file from any other; empty where nobody knows it. The harness does the same.
fn identity(file: Option<&Path>) -> String {
    let content = file.and_then(|file| fs::read(file).ok()).filter(|content| !content.is_empty());
    content.map_or_else(String::new, |content| {
        let mut hasher = DefaultHasher::new();
        hasher.write(&content);
        format!("{:016x}", hasher.finish())
    })
}

/// The linker that these arguments name last.
fn linker(arguments: &[String]) -> Option<&str> {
    let values = arguments.iter().zip(arguments.iter().skip(1).map(Some).chain([None]));
    let options = values.filter_map(|(argument, next)| match argument.as_str() {
        "-C" | "--codegen" => next.map(String::as_str),
        _ => argument.strip_prefix("-C").or_else(|| argument.strip_prefix("--codegen=")),
    });
    let named = options.filter_map(|option| option.strip_prefix("linker=")).last();
    named.or((!cfg!(windows)).then_some(USUAL_LINKER))
}

/// The file of a program.
fn find(program: &str, folder: &Path) -> Option<PathBuf> {
    if program.contains(['/', '\\']) {
        return Some(folder.join(program));
    }
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn text(text: OsString) -> Option<String> {
    text.into_string().ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_linker_counts() {
        let of = |line: &str| {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            linker(&arguments).map(str::to_owned)
        };
        assert_eq!(of("-C opt-level=3").as_deref(), (!cfg!(windows)).then_some("cc"));
        for line in ["-C linker=b", "-Clinker=a -Clinker=b", "--codegen linker=b", "--codegen=linker=b -C"] {
            assert_eq!(of(line).as_deref(), Some("b"), "{line}");
        }
    }

    #[test]
    fn a_file_is_told_by_its_content() {
        let of = |path: &str| identity(Some(Path::new(path)));
        assert_eq!(of("src/rustc_call.rs"), of("./src/rustc_call.rs"));
        assert_ne!(of("src/rustc_call.rs"), of("src/lib.rs"));
        assert_eq!((of("absent"), identity(None)), (String::new(), String::new()));
    }
}
