//! The rustc call of this compilation: a procedural macro runs inside the compiler.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

/// The variable with the path of a recorded call. A repeated compilation has to make the same program, but
/// its call has other arguments.
const RECORDED: &str = "BENCH_DIFF_RECORDED_CALL";

/// An array of the path of rustc, its working directory, and its arguments; empty if they are unknown.
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
    // Editors expand macros in other programs, and rustdoc and Clippy compile no program.
    if rustc.file_stem()? != "rustc" {
        return None;
    }
    let folder = env::current_dir().ok()?;
    let mut arguments = Vec::new();
    for argument in env::args_os().skip(1) {
        let argument = text(argument)?;
        match argument.strip_prefix('@') {
            // Cargo removes the file when rustc exits.
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
