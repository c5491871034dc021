//! The rustc call that compiled the program, and its repetition.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::link::LARGEST;
use crate::system::input;
use crate::system::text::cannot;

/// A rustc call that was recorded while the program was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RustcCall {
    pub(super) rustc: PathBuf,
    pub(super) folder: PathBuf,
    arguments: Vec<Argument>,
    recorded: Vec<String>,
}

/// An argument, with its value if the option is a known one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Argument {
    /// `-C name=value` in any spelling.
    Codegen(String),
    /// `--name=value` in any spelling.
    Long(&'static str, String),
    Other(String),
}

/// The known options with a value.
const LONG: [&str; 6] =
    ["--out-dir", "--crate-name", "--error-format", "--json", "--diagnostic-width", "--codegen"];

impl RustcCall {
    /// The call that `main!()` recorded; `None` if it recorded nothing.
    pub(super) fn of(recorded: &[&str]) -> Option<Self> {
        let [rustc, folder, arguments @ ..] = recorded else { return None };
        Some(Self {
            rustc: rustc.into(),
            folder: folder.into(),
            arguments: parse(arguments),
            recorded: recorded.iter().map(|text| (*text).to_owned()).collect(),
        })
    }

    /// The call as `main!()` gets it back when it is compiled once more.
    pub(super) fn recorded(&self) -> String {
        self.recorded.iter().flat_map(|text| [text, "\0"]).collect()
    }

    /// The linker of the call, or the default one.
    pub(super) fn linker(&self) -> &str {
        self.named_linker().unwrap_or(USUAL_LINKER)
    }

    /// The linker of the call, if it names one.
    pub(super) fn named_linker(&self) -> Option<&str> {
        self.codegen("linker")
    }

    fn codegen(&self, name: &str) -> Option<&str> {
        // The last one wins.
        self.arguments.iter().rev().find_map(|argument| match argument {
            Argument::Codegen(text) => {
                text.split_once('=').filter(|(key, _)| *key == name).map(|(_, value)| value)
            }
            _ => None,
        })
    }

    fn long(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find_map(|argument| match argument {
            Argument::Long(key, value) if *key == name => Some(value.as_str()),
            _ => None,
        })
    }

    /// The call that makes the same program in another folder, linked by `linker`.
    ///
    /// # Errors
    ///
    /// The missing part of the recorded call.
    pub(super) fn again(&self, folder: &Path, linker: &Path) -> Result<Command, String> {
        let dep_info = self.dep_info().ok_or("the recorded call of rustc names no output")?;
        let variables = input::read(&dep_info, LARGEST)
            .map_err(|error| cannot("read", &dep_info, error) + ": build the bench again")?;
        let variables = String::from_utf8_lossy(&variables);
        let mut command = Command::new(&self.rustc);
        command.current_dir(&self.folder);
        for argument in &self.arguments {
            match argument {
                Argument::Long("--out-dir" | "--error-format" | "--json" | "--diagnostic-width", _) => {}
                Argument::Long(name, value) => {
                    command.arg(format!("{name}={value}"));
                }
                Argument::Codegen(text) if text.starts_with("linker=") => {}
                Argument::Codegen(text)
                    if text.split_once('=').is_some_and(|(key, _)| key == INCREMENTAL) =>
                {
                    command.arg(format!("-Cincremental={}", folder.join(INCREMENTAL).display()));
                }
                Argument::Codegen(text) => {
                    command.arg(format!("-C{text}"));
                }
                Argument::Other(text) => {
                    command.arg(text);
                }
            }
        }
        command.arg(format!("-Clinker={}", linker.display()));
        command.arg("--out-dir").arg(folder.join(OUT));
        for (name, value) in environment(&variables) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Ok(command)
    }

    /// The folders in which rustc kept its incremental compilation of the program, if any. With them it makes
    /// the same program again; without them it may not.
    pub(super) fn incremental(&self) -> Vec<PathBuf> {
        let Some((folder, name)) = self.codegen(INCREMENTAL).zip(self.long("--crate-name")) else {
            return Vec::new();
        };
        let entries = input::entries(&self.folder.join(folder));
        let of_program = |path: &PathBuf| {
            let of = path.file_name().and_then(|file| file.to_str()).and_then(|file| file.rsplit_once('-'));
            of.is_some_and(|(of, _)| of == name)
        };
        entries.iter().map(DirEntry::path).filter(of_program).collect()
    }

    /// The dep-info file, in which rustc lists the sources of the program.
    fn dep_info(&self) -> Option<PathBuf> {
        let extra = self.codegen("extra-filename").unwrap_or_default();
        let name = format!("{}{extra}.d", self.long("--crate-name")?);
        Some(self.folder.join(self.long("--out-dir")?).join(name))
    }
}

/// The linker that rustc calls by default.
const USUAL_LINKER: &str = "cc";

/// The folder for the program that is compiled once more.
pub(super) const OUT: &str = "out";

/// The folder of incremental compilation, and the option that names one.
pub(super) const INCREMENTAL: &str = "incremental";

fn parse(arguments: &[&str]) -> Vec<Argument> {
    let mut parsed = Vec::with_capacity(arguments.len());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (*argument, None),
        };
        let mut value =
            || value.clone().or_else(|| rest.next().map(|value| (*value).to_owned())).unwrap_or_default();
        parsed.push(match LONG.into_iter().find(|long| *long == name) {
            Some("--codegen") => Argument::Codegen(value()),
            Some(long) => Argument::Long(long, value()),
            None => match argument.strip_prefix("-C") {
                Some("") => Argument::Codegen(value()),
                Some(text) => Argument::Codegen(text.to_owned()),
                None => Argument::Other((*argument).to_owned()),
            },
        });
    }
    parsed
}

/// The environment variables that the code of the program read at compile time, with their values; `None` for
/// those that were not set.
fn environment(dep_info: &str) -> impl Iterator<Item = (String, Option<String>)> {
    dep_info.lines().filter_map(|line| line.strip_prefix("# env-dep:")).map(|variable| {
        match variable.split_once('=') {
            Some((name, value)) => (unescaped(name), Some(unescaped(value))),
            None => (unescaped(variable), None),
        }
    })
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

    fn arguments(command: &Command) -> Vec<&str> {
        command.get_args().map(|argument| argument.to_str().unwrap()).collect()
    }

    #[test]
    fn a_call_is_made_again_in_another_folder() {
        let out = tempfile::tempdir().unwrap();
        fs::write(out.path().join("sorting-1f.d"), "a: b\n\n# env-dep:A=x\\ny\\\\\n# env-dep:B\n").unwrap();
        let mut recorded = RECORDED;
        recorded[14] = out.path().to_str().unwrap();
        let call = RustcCall::of(&recorded).unwrap();
        assert_eq!((call.linker(), call.long("--crate-name")), ("clang", Some("sorting")));
        assert_eq!(call.recorded(), recorded.join("\0") + "\0");

        let again = call.again(Path::new("/again"), Path::new("/again/clang")).unwrap();
        assert_eq!(
            (again.get_program(), again.get_current_dir()),
            ("/toolchain/bin/rustc".as_ref(), Some(Path::new("/work")))
        );
        assert_eq!(
            arguments(&again),
            [
                "--crate-name=sorting",
                "--edition=2024",
                "benches/sorting.rs",
                "--emit=dep-info,link",
                "-Copt-level=3",
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
    fn what_is_not_known_is_told() {
        assert_eq!(RustcCall::of(&[]), None);
        let call = RustcCall::of(&["rustc", "/", "--crate-name", "a"]).unwrap();
        let error = call.again(Path::new("/again"), Path::new("cc")).unwrap_err();
        assert_eq!(error, "the recorded call of rustc names no output");
    }
}
