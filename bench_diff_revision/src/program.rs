//! The old bench binary: how it was compiled, and the environment variables that cargo gives it.
//!
//! A bench binary says both itself, if cargo starts it with [`CALL_FLAG`].

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use bench_diff_system::executable::{Executable, Variables, variable};
use bench_diff_system::lifeline;
use bench_diff_system::order::in_order;

use super::bench::value_of;
use super::cargo::{Cargo, variables_of_calls};
use super::cargo_output::first_lines;
use super::workspace::Package;

/// The flag with which a bench binary prints its environment variables and how it was compiled.
pub const CALL_FLAG: &str = "--bench-diff-rustc-call";

/// The word in front of the variables.
const VARIABLES: &str = "--bench-diff-variables";

/// The reason why a tree has no bench binary to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It has no package of this name.
    NoPackage,
    /// Its package has no bench of this name.
    NoBench,
    /// It has neither, and git shows that the bench came later.
    NewBench,
    /// The working tree's bench was copied into it and does not compile.
    Uncompilable,
    /// It has this bench for another harness.
    OtherHarness,
}

/// The old bench binary.
#[derive(Debug, Default)]
pub struct Program {
    /// The file, and the environment variables of its processes.
    pub executable: Executable,
    /// The folder of its package, as cargo passed it to the compiler.
    pub(super) package: PathBuf,
    /// The time of the build.
    pub(super) took: Duration,
    /// The rustc call that it recorded.
    pub call: Vec<String>,
    /// The compiler settings in which the sides differ, according to profiles and config files.
    pub settings: Vec<String>,
    /// The dependencies whose versions differ between the sides, as in `memchr 2.7.4 -> 2.7.5`.
    pub dependencies: Vec<String>,
    /// True if the compiler splits crates into codegen units. As one unit each, they may have other machine
    /// code.
    pub is_split: bool,
    /// The environment variables that differ between the sides at run time, if any: with them, equal code may
    /// do different work.
    pub other_variables: Option<String>,
    /// What one side alone has though nothing in the trees explains it: with it, equal code may do different
    /// work.
    pub(super) unexplained: Option<String>,
    /// The variables that differ by the paths of the trees or were set by build scripts, each with whether it
    /// is a path in the tree, and not in the target directory.
    pub(super) moved_variables: Vec<(String, bool)>,
}

impl Program {
    /// A line about the build: `built the old bench in 41.0 s, kept for the next run; same compiler and
    /// flags; Cargo.lock: memchr 2.7.4 -> 2.7.5`.
    pub fn summary(&self) -> String {
        let took = self.took.as_secs_f64();
        let settings = self.settings.join("; ");
        let settings = if settings.is_empty() { "same compiler and flags" } else { &settings };
        let lock = self.dependencies.join(", ");
        let lock = if lock.is_empty() { lock } else { format!("; Cargo.lock: {lock}") };
        format!("built the old bench in {took:.1} s, kept for the next run; {settings}{lock}")
    }
}

/// The output of a bench binary for [`CALL_FLAG`]: the environment variables of its process, its version of
/// the harness, and its rustc call.
pub fn answer(recorded: &[&str], variables: &Variables) -> Vec<u8> {
    let mut answer = format!("{VARIABLES}\0").into_bytes();
    for (name, value) in variables {
        answer.extend([name.as_encoded_bytes(), b"=", value.as_encoded_bytes(), b"\0"].concat());
    }
    for text in [CALL_FLAG, env!("CARGO_PKG_VERSION")].iter().chain(recorded) {
        answer.extend_from_slice(text.as_bytes());
        answer.push(0);
    }
    answer
}

/// What a bench binary says of itself.
pub(super) struct Answer {
    pub(super) variables: Variables,
    version: String,
    pub(super) call: Vec<String>,
}

/// The answers of bench binaries among what others have printed.
fn answers(said: &[u8]) -> Vec<Answer> {
    let mut words: Vec<&[u8]> = said.split(|byte| *byte == 0).collect();
    // It follows the last word.
    words.pop();
    let each = words.split(|word| word.ends_with(VARIABLES.as_bytes())).skip(1);
    each.map(|words| {
        let mut words = words.iter();
        let of_process = words.by_ref().take_while(|word| **word != CALL_FLAG.as_bytes());
        let variables = of_process.filter_map(|word| variable(word)).collect();
        let mut call = words.map(|word| String::from_utf8_lossy(word).into_owned());
        Answer { variables, version: call.next().unwrap_or_default(), call: call.collect() }
    })
    .collect()
}

/// The answers of bench binaries in the output of a command, and its error output.
fn said(command: &mut Command) -> Result<(Vec<Answer>, String), String> {
    let ended = lifeline::output(command).map_err(|error| format!("cannot start cargo: {error}"))?;
    if ended.status.code().is_none() {
        return Err(format!("cargo was ended by {}", ended.status));
    }
    Ok((answers(&ended.stdout), String::from_utf8_lossy(&ended.stderr).into_owned()))
}

/// The beginning of the names of environment variables with the path of a program of the package.
const PROGRAM: &str = "CARGO_BIN_EXE_";

/// The beginnings of the names of environment variables that cargo or nextest sets for every binary: about
/// the package, about where to look for libraries and certificates, and about the run.
const OF_EVERY_PROGRAM: [&str; 9] = [
    PROGRAM,
    "CARGO_PKG_",
    "CARGO_MANIFEST_",
    "OUT_DIR",
    "LD_LIBRARY_PATH",
    "DYLD_",
    "SSL_CERT_",
    "NEXTEST",
    "__NEXTEST",
];

impl Cargo<'_> {
    /// What a bench of this package says that cargo builds with these arguments and starts. `None` if its
    /// harness has another version, or does not answer.
    ///
    /// # Errors
    ///
    /// If it panicked, was ended, or cannot be started.
    pub(super) fn asked(&self, package: &Package, arguments: &[String]) -> Result<Option<Answer>, String> {
        let mut command = self.call(&["bench", "--no-fail-fast"]);
        let (answers, words) = said(command.args(arguments).args(["--", CALL_FLAG]))?;
        let folder = Path::new(&package.manifest_path).parent().map(Path::as_os_str);
        // Other packages may have a bench of this name.
        let is_own = |answer: &Answer| value_of(&answer.variables, "CARGO_MANIFEST_DIR") == folder;
        let Some(own) = answers.into_iter().find(is_own) else {
            // Another harness may refuse the flag. The loader ends with 127 if a library is missing.
            let ends = [" panicked at ", "(exit status: 127)", "(signal: ", "could not "];
            if ends.iter().any(|end| words.contains(end)) {
                let words = first_lines(&words[words.find("Running ").unwrap_or(0)..]);
                return Err(format!("its bench was ended before it answered:\n{words}"));
            }
            return Ok(None);
        };
        let is_same = own.version == env!("CARGO_PKG_VERSION");
        Ok(is_same.then(|| Answer { variables: self.without_calls(own.variables), ..own }))
    }

    /// The variables of a program that cargo started, with the user's values of those that a cargo call sets
    /// or removes.
    fn without_calls(&self, mut variables: Variables) -> Variables {
        for name in variables_of_calls() {
            variables.retain(|(known, _)| known != name);
            variables.extend(self.users(name).map(|value| (name.into(), value.to_owned())));
        }
        variables
    }
}

/// The names of the environment variables whose values differ between the sides by more than paths; and those
/// whose values contain a path of the new side or name another program, each with whether that is in the
/// tree, and not in the target directory, which is often in the tree: a program may read files by them, or
/// start programs. `moved` pairs the target directories and the trees, the old one first.
pub(super) fn differing_variables(
    new: &Variables,
    old: &Variables,
    moved: &[[&Path; 2]; 2],
) -> (Vec<String>, Vec<(String, bool)>) {
    let (mut others, mut with_paths) = (Vec::new(), Vec::new());
    for name in in_order(new.iter().chain(old).map(|(name, _)| name.to_string_lossy())) {
        let [new, old] = [new, old].map(|side| value_of(side, &name).map(OsStr::to_string_lossy));
        let in_new_tree = old.as_deref().map(|value| {
            let start = value.to_owned();
            moved.iter().fold(start, |value, [old, new]| {
                value.replace(&*old.to_string_lossy(), &new.to_string_lossy())
            })
        });
        // `CARGO` is the path of cargo itself, which is the same for both sides.
        let is_of_every = name == "CARGO" || OF_EVERY_PROGRAM.iter().any(|start| name.starts_with(start));
        if new.as_deref() != in_new_tree.as_deref() && !is_of_every {
            others.push(name.clone().into_owned());
        }
        let is_other_program = name.starts_with(PROGRAM) && new != old;
        let new = new.filter(|new| Some(new) != old.as_ref()).unwrap_or_default();
        let is_in = |folder: &str| !folder.is_empty() && new.contains(folder);
        let [is_in_target, is_in_tree] = moved.map(|[_, folder]| folder.to_str().is_some_and(is_in));
        // With `build.build-dir`, programs are in another folder.
        let is_in_target = is_in_target || is_other_program;
        let is_of_loader = name.starts_with("LD_") || name.starts_with("DYLD_");
        if !is_of_loader && (is_in_tree || is_in_target) {
            with_paths.push((name.into_owned(), !is_in_target));
        }
    }
    (others, with_paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_settings_and_build_scripts_are_compared() {
        let variables = |all: &[(&str, &str)]| -> Variables {
            all.iter().map(|(name, value)| (name.into(), value.into())).collect()
        };
        let new = [
            ("CARGO_MANIFEST_DIR", "/work/inner"),
            ("CARGO_PKG_VERSION", "2.0.0"),
            ("DATA", "/work/data:/work/target/out"),
            ("LD_LIBRARY_PATH", "/work/target/deps"),
            ("NEXTEST", "1"),
            ("SIZE", "1"),
        ];
        let old = [
            ("CARGO_MANIFEST_DIR", "/old/tree/inner"),
            ("CARGO_PKG_VERSION", "1.0.0"),
            ("DATA", "/old/tree/data:/old/target/out"),
            ("OUT_DIR", "/old/target/out"),
            ("SIZE", "1"),
        ];
        let moved =
            [["/old/target", "/work/target"], ["/old/tree", "/work"]].map(|paths| paths.map(Path::new));
        let compared =
            |old: &[(&str, &str)]| differing_variables(&variables(&new), &variables(old), &moved).0;
        assert_eq!(compared(&old), [""; 0]);
        let more = [&old[..4], &[("SIZE", "2"), ("MORE", ""), ("CARGO_WORKSPACE", "/elsewhere")]].concat();
        assert_eq!(compared(&more), ["CARGO_WORKSPACE", "MORE", "SIZE"]);
        assert_eq!(compared(&old[..4]), ["SIZE"]);
    }

    #[test]
    fn variables_with_paths_of_trees_are_known() {
        let new: Variables = [
            ("CARGO_BIN_EXE_apart", "/apart/release/apart"),
            ("CARGO_BIN_EXE_tool", "/work/target/release/tool"),
            ("CARGO_MANIFEST_DIR", "/work/inner"),
            ("DATA", "/work/data"),
            ("LD_LIBRARY_PATH", "/work/target/release/deps"),
            ("PWD", "/work"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .into();
        let old = vec![("PWD".into(), "/work".into())];
        let programs = ["CARGO_BIN_EXE_apart", "CARGO_BIN_EXE_tool"].map(|name| (name, false));
        let expected = [programs, [("CARGO_MANIFEST_DIR", true), ("DATA", true)]].concat();
        let expected: Vec<_> =
            expected.into_iter().map(|(name, is_of_tree)| (name.to_owned(), is_of_tree)).collect();
        let moved = [["/old/target", "/work/target"], ["/old", "/work"]].map(|paths| paths.map(Path::new));
        assert_eq!(differing_variables(&new, &old, &moved).1, expected);
    }
}
