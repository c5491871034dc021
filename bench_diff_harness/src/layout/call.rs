//! The rustc call that compiled the bench binary, and its repetition.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::link::LARGEST;
use crate::system::input;

/// A rustc call that was recorded while a program was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RustcCall {
    pub(crate) rustc: PathBuf,
    /// The folder in which rustc ran, the root of the workspace.
    pub(crate) folder: PathBuf,
    arguments: Vec<Argument>,
}

/// An argument with its value, as one word or several.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Argument {
    /// For codegen options, without `-C`.
    name: String,
    value: String,
    words: Vec<String>,
}

impl RustcCall {
    /// The call that `main!()` recorded; `None` if it recorded nothing.
    pub(crate) fn of<S: AsRef<str>>(recorded: &[S]) -> Option<Self> {
        let [rustc, folder, rest @ ..] = recorded else { return None };
        let mut rest = rest.iter().map(AsRef::as_ref).peekable();
        let mut arguments = Vec::new();
        while let Some(first) = rest.next() {
            let mut words = vec![first];
            let mut next = || {
                let next = rest.next_if(|next| !next.starts_with('-'));
                words.extend(next);
                next.unwrap_or_default()
            };
            let option = match first.strip_prefix("-C").or_else(|| first.strip_prefix("--codegen")) {
                Some("") => next(),
                Some(option) => option.trim_start_matches('='),
                None => first,
            };
            let (name, value) = match option.split_once('=') {
                Some(parts) => parts,
                None if option.starts_with("--") => (option, next()),
                None => (option, ""),
            };
            let (name, value) = (name.to_owned(), value.to_owned());
            arguments.push(Argument { name, value, words: words.into_iter().map(str::to_owned).collect() });
        }
        Some(Self { rustc: rustc.as_ref().into(), folder: folder.as_ref().into(), arguments })
    }

    /// The recorded form of the call, which `main!()` takes instead of a new one when it is compiled once
    /// more.
    pub(super) fn recorded(&self) -> String {
        let start = [&self.rustc, &self.folder].map(|path| format!("{}\0", path.display()));
        let words = self.arguments.iter().flat_map(|argument| &argument.words);
        start.into_iter().chain(words.map(|word| format!("{word}\0"))).collect()
    }

    /// The linker of the call, or the default one.
    pub(super) fn linker(&self) -> &str {
        self.value("linker").unwrap_or(USUAL_LINKER)
    }

    /// The values of all options of this name; codegen options are named without `-C`.
    pub(crate) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let arguments = self.arguments.iter().filter(move |argument| argument.name == name);
        arguments.map(|argument| argument.value.as_str())
    }

    /// The value of an option; the last one wins.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let argument = self.arguments.iter().rfind(|argument| argument.name == name)?;
        Some(&argument.value)
    }

    /// The call that makes the same binary in another folder, linked by `linker`.
    ///
    /// # Errors
    ///
    /// The missing part of the recorded call.
    pub(super) fn again(&self, folder: &Path, linker: &Path) -> Result<Command, String> {
        let dep_info = self.dep_info().ok_or("the recorded call of rustc names no output")?;
        let variables =
            input::read(&dep_info, LARGEST).map_err(|error| format!("{error}: build the bench again"))?;
        let variables = String::from_utf8_lossy(&variables);
        let mut command = Command::new(&self.rustc);
        command.current_dir(&self.folder);
        for Argument { name, words, .. } in &self.arguments {
            match name.as_str() {
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
    pub(super) fn incremental(&self) -> Vec<PathBuf> {
        let Some((folder, name)) = self.value(INCREMENTAL).zip(self.value("--crate-name")) else {
            return Vec::new();
        };
        let entries = input::entries(&self.folder.join(folder));
        let is_of_binary = |path: &PathBuf| {
            let of = path.file_name().and_then(|file| file.to_str()).and_then(|file| file.rsplit_once('-'));
            of.is_some_and(|(of, _)| of == name)
        };
        entries.iter().map(DirEntry::path).filter(is_of_binary).collect()
    }

    /// The folder that rustc wrote the binary to.
    pub(crate) fn out_folder(&self) -> Option<PathBuf> {
        Some(self.folder.join(self.value("--out-dir")?))
    }

    /// The dep-info file, in which rustc lists the sources of the binary.
    pub(crate) fn dep_info(&self) -> Option<PathBuf> {
        let extra = self.value("extra-filename").unwrap_or_default();
        let name = format!("{}{extra}.d", self.value("--crate-name")?);
        Some(self.out_folder()?.join(name))
    }
}

/// The linker that rustc calls by default.
const USUAL_LINKER: &str = "cc";

/// The folder for the recompiled binary.
pub(super) const OUT: &str = "out";

/// The folder for incremental compilation, and the name of the option for it.
pub(super) const INCREMENTAL: &str = "incremental";

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
    use crate::system::files::slashed;

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
        assert_eq!((call.linker(), call.value("--crate-name")), ("clang", Some("sorting")));
        assert_eq!(call.recorded(), recorded.join("\0") + "\0");

        let again = call.again(Path::new("/again"), Path::new("/again/clang")).unwrap();
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
        assert_eq!(RustcCall::of::<&str>(&[]), None);
        let call = RustcCall::of(&["rustc", "/", "--crate-name", "a"]).unwrap();
        let error = call.again(Path::new("/again"), Path::new("cc")).unwrap_err();
        assert_eq!(error, "the recorded call of rustc names no output");
    }
}
