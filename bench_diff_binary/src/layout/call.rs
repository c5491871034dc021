//! The rustc call that compiled the bench binary, once more.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::input;
use bench_diff_system::rustc_call::{LARGEST_DEP_INFO, RustcCall};

/// The folder for the recompiled binary.
pub(super) const OUT: &str = "out";

/// The folder for incremental compilation, and the name of the option for it.
pub(super) const INCREMENTAL: &str = "incremental";

/// The call that makes the same binary in another folder, linked by `linker`.
///
/// # Errors
///
/// The missing part of the recorded call.
pub(super) fn again(call: &RustcCall, folder: &Path, linker: &Path) -> Result<Command, String> {
    let dep_info = call.dep_info().ok_or("the recorded call of rustc names no output")?;
    let variables = input::read(&dep_info, LARGEST_DEP_INFO)
        .map_err(|error| format!("{error}: build the bench again"))?;
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
pub(super) fn incremental(call: &RustcCall) -> Vec<PathBuf> {
    let Some((folder, name)) = call.value(INCREMENTAL).zip(call.value("--crate-name")) else {
        return Vec::new();
    };
    let entries = input::entries(&call.folder.join(folder));
    let is_of_binary = |path: &PathBuf| {
        let of = path.file_name().and_then(|file| file.to_str()).and_then(|file| file.rsplit_once('-'));
        of.is_some_and(|(of, _)| of == name)
    };
    entries.iter().map(DirEntry::path).filter(is_of_binary).collect()
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

    use super::*;
    use bench_diff_system::files::slashed;

    const RECORDED: [&str; 16] = [
        "/toolchain/bin/rustc",
        "/work",
        "--crate-name",
        "sorting",
        "--edition=2024",
        "benches/sorting.rs",
        "--error-format=json",
        "--emit=dep-info,link",
        "-C",
        "opt-level=3",
        "--codegen=linker=gcc",
        "-Clinker=clang",
        "-Cextra-filename=-1f",
        "--out-dir",
        "OUT",
        "-Cincremental=/work/incremental",
    ];

    fn arguments(command: &Command) -> Vec<String> {
        command.get_args().map(|argument| slashed(Path::new(argument))).collect()
    }

    #[test]
    fn a_call_is_made_again_in_another_folder() {
        let out = tempfile::tempdir().unwrap();
        fs::write(out.path().join("sorting-1f.d"), "a: b\n\n# env-dep:A=x\\ny\\\\\n# env-dep:B\n").unwrap();
        let mut recorded = RECORDED;
        recorded[14] = out.path().to_str().unwrap();
        let call = RustcCall::of(&recorded).unwrap();
        let again = again(&call, Path::new("/again"), Path::new("/again/clang")).unwrap();
        assert_eq!(
            (again.get_program(), again.get_current_dir()),
            ("/toolchain/bin/rustc".as_ref(), Some(Path::new("/work")))
        );
        assert_eq!(
            arguments(&again),
            [
                "--crate-name",
                "sorting",
                "--edition=2024",
                "benches/sorting.rs",
                "--emit=dep-info,link",
                "-C",
                "opt-level=3",
                "-Cextra-filename=-1f",
                "-Cincremental=/again/incremental",
                "-Clinker=/again/clang",
                "--out-dir",
                "/again/out",
            ]
        );
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
