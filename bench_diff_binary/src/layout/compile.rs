//! Compiles the bench binary once more, by the rustc call that compiled it.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::files::{cannot, copy};
use bench_diff_system::input;
use bench_diff_system::rustc_call::{LARGEST_DEP_INFO, RustcCall};
use bench_diff_system::temporary::private;

use super::link::{Link, TEMPORARY_FILES, run_tool};
use super::stand_in::{self, CALL};

/// The folder in a build for files that are only needed to make it.
pub(super) const PASSING: &str = "passing";

/// The folder for the recompiled binary.
const OUT: &str = "out";

/// The folder for incremental compilation, and the name of the option for it.
const INCREMENTAL: &str = "incremental";

/// The folder for the temporary files of rustc.
const TEMPORARY: &str = "tmp";

/// The linker if none was recorded. rustc decides by this name how to call it.
const UNKNOWN_LINKER: &str = "bench_diff_linker";

/// The environment variable that passes `main!()` the call that was recorded first.
const RECORDED: &str = "BENCH_DIFF_RECORDED_CALL";

/// Compiles the binary once more, with this process's executable as the linker, and returns the call that
/// links it. The objects go to this folder of a build.
///
/// # Errors
///
/// The error of the compiler or the linker, or why a file cannot be written.
pub(super) fn compile(call: &RustcCall, folder: &Path) -> Result<Link, String> {
    let passing = folder.join(PASSING);
    let not_written = |error: io::Error| cannot("write to", folder, error);
    for name in [OUT, TEMPORARY, INCREMENTAL] {
        private().recursive(true).create(passing.join(name)).map_err(not_written)?;
    }
    for session in incremental(call) {
        copy(&session, &passing.join(INCREMENTAL).join(session.file_name().unwrap_or_default()))
            .map_err(not_written)?;
    }
    let recorded = passing.join("rustc_call");
    fs::write(&recorded, call.recorded()).map_err(not_written)?;
    // rustc recognizes the kind of linker by its name.
    let named = call.value("linker").and_then(|linker| Path::new(linker).file_name());
    let linker = stand_in::put(&passing, named.unwrap_or(UNKNOWN_LINKER.as_ref()))?;
    let mut rustc = again(call, &passing, &linker)?;
    stand_in::ask(&mut rustc, &passing, call.linker());
    // So that the linker stand-in can find and keep rustc's temporary files.
    rustc.env(TEMPORARY_FILES, passing.join(TEMPORARY)).env(RECORDED, &recorded);
    run_tool(rustc)?;
    // The call records the state of its files now, and only then are they checked.
    Ok(Link::read(&passing.join(CALL))?.checked())
}

/// The call that makes the same binary in another folder, linked by `linker`.
///
/// # Errors
///
/// The missing part of the recorded call.
pub(super) fn again(call: &RustcCall, folder: &Path, linker: &Path) -> Result<Command, String> {
    let dep_info = call.dep_info().ok_or("the recorded call of rustc names no output")?;
    let variables = input::read(&dep_info, LARGEST_DEP_INFO)
        .map_err(|error| format!("{error}: run `cargo clean` and build the bench again"))?;
    let variables = String::from_utf8_lossy(&variables);
    let mut command = Command::new(&call.rustc);
    command.current_dir(&call.folder);
    for (name, words) in call.arguments() {
        match name {
            "--out-dir" | "--error-format" | "--json" | "--diagnostic-width" | "linker" => {}
            INCREMENTAL => {
                command.arg(format!("-Cincremental={}", folder.join(INCREMENTAL).display()));
            }
            _ => {
                command.args(words);
            }
        }
    }
    command.arg(format!("-Clinker={}", linker.display()));
    command.arg("--out-dir").arg(folder.join(OUT));
    // The variables that the code read when it was compiled.
    for variable in variables.lines().filter_map(|line| line.strip_prefix("# env-dep:")) {
        match variable.split_once('=') {
            Some((name, value)) => command.env(unescaped(name), unescaped(value)),
            None => command.env_remove(unescaped(variable)),
        };
    }
    Ok(command)
}

/// The folders of rustc's incremental compilation of the binary, if any. With them, rustc makes the same
/// binary again; without them it may not.
fn incremental(call: &RustcCall) -> Vec<PathBuf> {
    let Some((folder, name)) = call.value(INCREMENTAL).zip(call.value("--crate-name")) else {
        return Vec::new();
    };
    let mut sessions: Vec<PathBuf> =
        input::entries(&call.folder.join(folder)).iter().map(DirEntry::path).collect();
    sessions.retain(|path| {
        let session = path.file_name().and_then(|file| file.to_str()).and_then(|file| file.rsplit_once('-'));
        session.is_some_and(|(of, _)| of == name)
    });
    sessions
}

/// Undoes the escapes with which rustc puts a text on one line.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        plain.push(match character {
            '\\' => match rest.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            character => character,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bench_diff_system::files::slashed;

    use super::*;

    const RECORDED: &str = "/toolchain/bin/rustc /work --crate-name sorting --edition=2024 benches/sorting.rs \
        --error-format=json --emit=dep-info,link -C opt-level=3 --codegen=linker=gcc -Clinker=clang \
        -Cextra-filename=-1f --out-dir OUT -Cincremental=/work/incremental";

    fn arguments(command: &Command) -> Vec<String> {
        command.get_args().map(|argument| slashed(Path::new(argument))).collect()
    }

    #[test]
    fn a_call_is_made_again_in_another_folder() {
        let out = tempfile::tempdir().unwrap();
        fs::write(out.path().join("sorting-1f.d"), "a: b\n\n# env-dep:A=x\\ny\\\\\n# env-dep:B\n").unwrap();
        let folder = out.path().to_str().unwrap();
        let recorded: Vec<&str> =
            RECORDED.split(' ').map(|word| if word == "OUT" { folder } else { word }).collect();
        let call = RustcCall::of(&recorded).unwrap();
        let again = again(&call, Path::new("/again"), Path::new("/again/clang")).unwrap();
        assert_eq!(
            (again.get_program(), again.get_current_dir()),
            ("/toolchain/bin/rustc".as_ref(), Some(Path::new("/work")))
        );
        let expected = "--crate-name sorting --edition=2024 benches/sorting.rs --emit=dep-info,link -C opt-level=3 \
            -Cextra-filename=-1f -Cincremental=/again/incremental -Clinker=/again/clang --out-dir /again/out";
        assert_eq!(arguments(&again).join(" "), expected);
        let environment: Vec<_> = again.get_envs().collect();
        assert_eq!(environment, [("A".as_ref(), Some("x\ny\\".as_ref())), ("B".as_ref(), None)]);
    }

    #[test]
    fn a_call_without_an_output_is_refused() {
        let call = RustcCall::of(&["rustc", "/", "--crate-name", "a"]).unwrap();
        let error = again(&call, Path::new("/again"), Path::new("cc")).unwrap_err();
        assert_eq!(error, "the recorded call of rustc names no output");
    }
}
