//! How the compiler was called that compiles this: a procedural macro runs inside of it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

/// Names a file with a call that was recorded before: who compiles a program once more wants the same
/// program, and this call would differ.
const RECORDED: &str = "BENCH_DIFF_RECORDED_CALL";

/// An array of the path of rustc, the folder in which it runs, and its arguments; empty where nobody knows.
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
    let start = [text(rustc.into())?, text(folder.into())?];
    Some(start.into_iter().chain(arguments).collect())
}

fn text(text: OsString) -> Option<String> {
    text.into_string().ok().filter(|text| !text.contains('\0'))
}
